// This file is the driver of densities and cdf functions: it loops over elements,
// broadcasts scalars, checks arguments and gathers gradients, without allocating.

package univariate

import (
	"math"
	"strings"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// Variates drives one function of a distribution over vectorised arguments.
type Variates struct {
	Dist    *catalogue.Distribution
	Fn      string
	Args    []catalogue.Argument
	Log     func(x, d []float64) float64 // of one variate
	Density bool                         // not one of the cdf functions
}

// sumKernel is the kernel of the functions whose elements add up.
func (v *Variates) sumKernel() *catalogue.Kernel {
	k := v.sumKernelOf()
	if v.Density && v.Dist.Bulk != nil {
		plain, dist := *v, *v.Dist
		dist.Bulk = nil
		plain.Dist = &dist
		k.OneByOne = plain.sumKernelOf()
	}
	return k
}

func (v *Variates) sumKernelOf() *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: v.dims,
		Work: func([]catalogue.Tensor) int { return v.Scratch() },
		Value: func(in []catalogue.Tensor, out, work []float64) error {
			sum, err := v.sum(in, 1, nil, work)
			out[0] = sum
			return err
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, work []float64) {
			v.loop(catalogue.Elements(in), in, adj[0], din, work)
		},
		ValueGrad: func(in []catalogue.Tensor, din [][]float64, work []float64) (float64, error) {
			return v.sum(in, 1, din, work)
		},
	}
}

// Scratch is the number of scratch numbers: point, partials, sums of partials over
// broadcast arguments, and what the row hoists.
func (v *Variates) Scratch() int {
	n := 3 * len(v.Args)
	if v.Density && v.Dist.Hoist != nil {
		n += v.Dist.Hoist.Size
	}
	return n
}

// dims returns the size of the result (a scalar), or an error where the sizes of
// containers disagree.
func (v *Variates) dims(in []catalogue.Tensor) ([]int, error) {
	return nil, catalogue.ConsistentSizes(v.Args, in)
}

func (v *Variates) sum(in []catalogue.Tensor, adj float64, din [][]float64, work []float64) (float64, error) {
	n := catalogue.Elements(in)
	if n == 1 {
		return v.single(in, adj, din, work)
	}
	done, sum := false, 0.0
	if n > 0 && v.Density && v.Dist.Bulk != nil && v.Dist.FiniteImpliesValid {
		if sum, done = v.Dist.Bulk(n, in, adj, din); done && sum-sum == 0 {
			return sum, nil
		}
	}
	if err := v.Check(n, in, work); err != nil {
		return math.NaN(), err
	}
	if done {
		return sum, nil
	}
	return v.loop(n, in, adj, din, work), nil
}

// Requirement is what argument j must satisfy.
func (v *Variates) Requirement(j int) *catalogue.Requirement {
	if j == 0 && !v.Density && v.Dist.Variate != nil {
		return v.Dist.Variate
	}
	return &v.Dist.Requires[j]
}

// single is sum for one variate, with less ado.
func (v *Variates) single(in []catalogue.Tensor, adj float64, din [][]float64, work []float64) (float64, error) {
	m := len(in)
	x := work[:m]
	for j := range in {
		x[j] = in[j].X[0]
		if req := v.Requirement(j); !req.OK(x[j]) {
			return math.NaN(), v.argumentError(j, in, 0, req.Text)
		}
	}
	if bad := v.violation(x); bad != nil {
		return math.NaN(), v.argumentError(bad.Arg, in, 0, bad.Must)
	}
	var d []float64
	if wanted(din) {
		d = work[m : 2*m]
		clear(d)
	}
	value := v.One(x, d, work)
	if d != nil && !math.IsInf(value, -1) {
		for j := range din {
			if din[j] != nil {
				din[j][0] += float64(adj * d[j])
			}
		}
	}
	return value, nil
}

// One is the function of one variate.
func (v *Variates) One(x, d, work []float64) float64 {
	if h := v.Dist.Hoist; h != nil && v.Density {
		c := work[3*len(x):][:h.Size]
		h.Prep(x, c, d != nil)
		return h.Log(x, c, d)
	}
	return v.Log(x, d)
}

// violation holds a variate against the conditions on combinations of arguments.
func (v *Variates) violation(x []float64) *catalogue.Violation {
	if v.Dist.Valid != nil {
		if bad := v.Dist.Valid(x); bad != nil {
			return bad
		}
	}
	if v.Density && v.Dist.Support != nil {
		return v.Dist.Support(x)
	}
	return nil
}

// Check holds the arguments against the requirements of the row.
func (v *Variates) Check(n int, in []catalogue.Tensor, work []float64) error {
	for j := range in {
		req := v.Requirement(j)
		if i := req.FirstBad(in[j].X); i >= 0 {
			return v.argumentError(j, in, i, req.Text)
		}
	}
	if v.Dist.Valid == nil && (v.Dist.Support == nil || !v.Density) {
		return nil
	}
	x := work[:len(in)]
	for i := range n {
		catalogue.Gather(in, i, x)
		if bad := v.violation(x); bad != nil {
			return v.argumentError(bad.Arg, in, i%len(in[bad.Arg].X), bad.Must)
		}
	}
	return nil
}

// argumentError is the error about element i of argument j.
func (v *Variates) argumentError(j int, in []catalogue.Tensor, i int, must string) error {
	return &catalogue.DomainError{Func: v.Fn, Text: catalogue.ArgumentText(v.Args[j].Name, in[j], i, must), Integer: strings.HasPrefix(v.Args[j].Type, "int")}
}

// loop adds up the function over all variates, and adj times the gradient to din.
func (v *Variates) loop(n int, in []catalogue.Tensor, adj float64, din [][]float64, work []float64) float64 {
	if n > 0 && v.Density && v.Dist.Bulk != nil {
		if sum, ok := v.Dist.Bulk(n, in, adj, din); ok {
			return sum
		}
	}
	m := len(in)
	x, sums, rest := work[:m], work[2*m:3*m], work[3*m:]
	var d []float64
	if wanted(din) {
		d = work[m : 2*m]
		clear(work[m : 3*m])
	}
	var hoist *catalogue.Hoist
	if v.Density {
		hoist = v.Dist.Hoist
	}
	again := hoist != nil && varies(hoist, in)
	total := 0.0
	for i := range n {
		catalogue.Gather(in, i, x)
		var val float64
		if hoist != nil {
			if i == 0 || again {
				hoist.Prep(x, rest[:hoist.Size], d != nil)
			}
			val = hoist.Log(x, rest[:hoist.Size], d)
		} else {
			val = v.Log(x, d)
		}
		total += val
		if d != nil && !math.IsInf(val, -1) {
			scatter(in, din, i, adj, d, sums)
		}
	}
	if d != nil {
		for j := range din {
			if din[j] != nil && len(in[j].Dims) == 0 {
				din[j][0] += float64(adj * sums[j])
			}
		}
	}
	return total
}

// scatter adds the partials of variate i to din, those of broadcast arguments to sums.
func scatter(in []catalogue.Tensor, din [][]float64, i int, adj float64, d, sums []float64) {
	for j := range din {
		switch {
		case din[j] == nil:
		case len(in[j].Dims) == 0:
			sums[j] += d[j]
		default:
			din[j][i] += float64(adj * d[j])
		}
	}
}

// wanted reports whether the caller needs any derivative.
func wanted(din [][]float64) bool {
	for _, d := range din {
		if d != nil {
			return true
		}
	}
	return false
}

// varies reports whether what is hoisted changes from variate to variate.
func varies(h *catalogue.Hoist, in []catalogue.Tensor) bool {
	for _, j := range h.Of {
		if len(in[j].Dims) > 0 {
			return true
		}
	}
	return false
}
