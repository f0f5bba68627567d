package stdlib_test

import (
	"path/filepath"
	"regexp"
	"testing"

	"github.com/seed-12b88e03/ppl/stdlib"
)

// The files whose kernels must not allocate, and the functions in them that may: they
// are for transformed data or run on gonum's decompositions.
var (
	allocFiles = regexp.MustCompile(`^(matrix|multivariate|discrete)$`)
	mayAlloc   = regexp.MustCompile(`^(csr_|eigen|qr_|svd|singular|generalized|matrix_exp|matrix_power|scale_matrix)`)
)

// TestMatrixKernelsDoNotAllocate runs value and derivative of the matrix,
// multivariate and GLM kernels on the conformance vectors.
func TestMatrixKernelsDoNotAllocate(t *testing.T) {
	lib := stdlib.New()
	done := map[*stdlib.Function]int{}
	for _, c := range readCases(t) {
		if !allocFiles.MatchString(filepath.Base(c.File)) || mayAlloc.MatchString(c.Fn) || c.Error {
			continue
		}
		f, _ := selectRow(lib, c)
		if f == nil || f.Kernel == nil || done[f] > 3 {
			continue
		}
		done[f]++
		if n := kernelAllocations(f.Kernel, c); n > 0 {
			t.Errorf("%s: %v allocations", c.name(), n)
		}
	}
}

func kernelAllocations(k *stdlib.Kernel, c *vectorCase) float64 {
	dims, err := kernelDims(k, c.args)
	if err != nil {
		return 0
	}
	out := make([]float64, product(dims))
	adj := make([]float64, len(out))
	din := make([][]float64, len(c.args))
	for i, a := range c.args {
		if c.Grad != nil && string(c.Grad[i]) != "null" {
			din[i] = make([]float64, len(a.X))
		}
	}
	work := scratch(k, c.args)
	return testing.AllocsPerRun(20, func() {
		if k.Value(c.args, out, work) != nil || c.Grad == nil {
			return
		}
		if k.VJP != nil {
			k.VJP(c.args, out, adj, din, work)
		}
		if k.ValueGrad != nil {
			_, _ = k.ValueGrad(c.args, din, work)
		}
	})
}
