// Functions of subnormal numbers, whose logarithm Go gets wrong on amd64.

package stdlib

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// Each of these is the logarithm of x, up to a factor and what x itself adds; vec.Log is held
// against 400-bit values where it is defined.
func TestLogarithmsOfSubnormals(t *testing.T) {
	lib := New()
	for _, c := range []struct {
		fn     string
		args   func(x float64) []float64
		factor float64
		more   float64
	}{
		{"exponential_lpdf", func(x float64) []float64 { return []float64{1, x} }, 1, 0},
		{"bernoulli_lpmf", func(x float64) []float64 { return []float64{1, x} }, 1, 0},
		{"poisson_lpmf", func(x float64) []float64 { return []float64{1, x} }, 1, 0},
		{"gamma_lpdf", func(x float64) []float64 { return []float64{1, 1, x} }, 1, 0},
		{"beta_lpdf", func(x float64) []float64 { return []float64{x, 2, 1} }, 1, math.Ln2},
		{"weibull_lpdf", func(x float64) []float64 { return []float64{x, 2, 1} }, 1, math.Ln2},
		{"log2", func(x float64) []float64 { return []float64{x} }, 1 / math.Ln2, 0},
		{"log10", func(x float64) []float64 { return []float64{x} }, 1 / math.Ln10, 0},
		{"logit", func(x float64) []float64 { return []float64{x} }, 1, 0},
		{"lmultiply", func(x float64) []float64 { return []float64{2, x} }, 2, 0},
	} {
		for _, x := range []float64{5e-324, 3e-320, 1e-310, 0x1p-1023, 1e-305} {
			want := c.factor*vec.Log.At(x) + c.more
			got := callScalars(t, scalarRow(lib, c.fn), c.args(x))
			if !(math.Abs(got-want) <= 1e-14*math.Abs(want)) {
				t.Errorf("%s at %v is %v, want %v", c.fn, x, got, want)
			}
		}
	}
}

// callScalars evaluates a function of single numbers.
func callScalars(t *testing.T, fn *catalogue.Function, args []float64) float64 {
	t.Helper()
	if fn.Op != nil {
		switch op := fn.Op; {
		case op.F1 != nil:
			return op.F1(args[0])
		case op.F2 != nil:
			return op.F2(args[0], args[1])
		}
	}
	in := make([]catalogue.Tensor, len(args))
	for i := range in {
		in[i].X = args[i : i+1]
	}
	out, work := make([]float64, 1), make([]float64, fn.Kernel.Work(in))
	if err := fn.Kernel.Value(in, out, work); err != nil {
		t.Fatal(err)
	}
	return out[0]
}

// scalarRow is the row of a name that takes single numbers.
func scalarRow(lib *Library, name string) *catalogue.Function {
	for _, fn := range lib.Functions(name) {
		if fn.Op != nil || fn.Density != nil {
			return fn
		}
	}
	return nil
}
