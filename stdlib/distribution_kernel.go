// This file is the driver of densities and cdf functions: it loops over elements,
// broadcasts scalars, checks arguments and gathers gradients, without allocating.

package stdlib

import (
	"math"
	"strings"
)

// variates drives one function of a distribution over vectorised arguments.
type variates struct {
	dist    *Distribution
	fn      string
	args    []argument
	log     func(x, d []float64) float64 // of one variate
	density bool                         // not one of the cdf functions
}

// sumKernel is the kernel of the functions whose elements add up.
func (v *variates) sumKernel() *Kernel {
	k := v.sumKernelOf()
	if v.density && v.dist.Bulk != nil {
		plain, dist := *v, *v.dist
		dist.Bulk = nil
		plain.dist = &dist
		k.OneByOne = plain.sumKernelOf()
	}
	return k
}

func (v *variates) sumKernelOf() *Kernel {
	return &Kernel{
		Dims: v.dims,
		Work: func([]Tensor) int { return v.scratch() },
		Value: func(in []Tensor, out, work []float64) error {
			sum, err := v.sum(in, 1, nil, work)
			out[0] = sum
			return err
		},
		VJP: func(in []Tensor, _, adj []float64, din [][]float64, work []float64) {
			v.loop(elements(in), in, adj[0], din, work)
		},
		ValueGrad: func(in []Tensor, din [][]float64, work []float64) (float64, error) {
			return v.sum(in, 1, din, work)
		},
	}
}

// scratch is the number of scratch numbers: point, partials, sums of partials over
// broadcast arguments, and what the row hoists.
func (v *variates) scratch() int {
	n := 3 * len(v.args)
	if v.density && v.dist.Hoist != nil {
		n += v.dist.Hoist.Size
	}
	return n
}

// dims returns the size of the result (a scalar), or an error where the sizes of
// containers disagree.
func (v *variates) dims(in []Tensor) ([]int, error) {
	return nil, consistentSizes(v.args, in)
}

func (v *variates) sum(in []Tensor, adj float64, din [][]float64, work []float64) (float64, error) {
	n := elements(in)
	if n == 1 {
		return v.single(in, adj, din, work)
	}
	done, sum := false, 0.0
	if n > 0 && v.density && v.dist.Bulk != nil && v.dist.FiniteImpliesValid {
		if sum, done = v.dist.Bulk(n, in, adj, din); done && sum-sum == 0 {
			return sum, nil
		}
	}
	if err := v.check(n, in, work); err != nil {
		return math.NaN(), err
	}
	if done {
		return sum, nil
	}
	return v.loop(n, in, adj, din, work), nil
}

// requirement is what argument j must satisfy.
func (v *variates) requirement(j int) *Requirement {
	if j == 0 && !v.density && v.dist.Variate != nil {
		return v.dist.Variate
	}
	return &v.dist.Requires[j]
}

// single is sum for one variate, with less ado.
func (v *variates) single(in []Tensor, adj float64, din [][]float64, work []float64) (float64, error) {
	m := len(in)
	x := work[:m]
	for j := range in {
		x[j] = in[j].X[0]
		if req := v.requirement(j); !req.OK(x[j]) {
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
	value := v.one(x, d, work)
	if d != nil && !math.IsInf(value, -1) {
		for j := range din {
			if din[j] != nil {
				din[j][0] += float64(adj * d[j])
			}
		}
	}
	return value, nil
}

// one is the function of one variate.
func (v *variates) one(x, d, work []float64) float64 {
	if h := v.dist.Hoist; h != nil && v.density {
		c := work[3*len(x):][:h.Size]
		h.Prep(x, c, d != nil)
		return h.Log(x, c, d)
	}
	return v.log(x, d)
}

// violation holds a variate against the conditions on combinations of arguments.
func (v *variates) violation(x []float64) *Violation {
	if v.dist.Valid != nil {
		if bad := v.dist.Valid(x); bad != nil {
			return bad
		}
	}
	if v.density && v.dist.Support != nil {
		return v.dist.Support(x)
	}
	return nil
}

// check holds the arguments against the requirements of the row.
func (v *variates) check(n int, in []Tensor, work []float64) error {
	for j := range in {
		req := v.requirement(j)
		if i := req.firstBad(in[j].X); i >= 0 {
			return v.argumentError(j, in, i, req.Text)
		}
	}
	if v.dist.Valid == nil && (v.dist.Support == nil || !v.density) {
		return nil
	}
	x := work[:len(in)]
	for i := range n {
		gather(in, i, x)
		if bad := v.violation(x); bad != nil {
			return v.argumentError(bad.Arg, in, i%len(in[bad.Arg].X), bad.Must)
		}
	}
	return nil
}

// argumentError is the error about element i of argument j.
func (v *variates) argumentError(j int, in []Tensor, i int, must string) error {
	return &DomainError{Func: v.fn, Text: argumentText(v.args[j].Name, in[j], i, must), Integer: strings.HasPrefix(v.args[j].Type, "int")}
}

// loop adds up the function over all variates, and adj times the gradient to din.
func (v *variates) loop(n int, in []Tensor, adj float64, din [][]float64, work []float64) float64 {
	if n > 0 && v.density && v.dist.Bulk != nil {
		if sum, ok := v.dist.Bulk(n, in, adj, din); ok {
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
	var hoist *Hoist
	if v.density {
		hoist = v.dist.Hoist
	}
	again := hoist != nil && hoist.varies(in)
	total := 0.0
	for i := range n {
		gather(in, i, x)
		var val float64
		if hoist != nil {
			if i == 0 || again {
				hoist.Prep(x, rest[:hoist.Size], d != nil)
			}
			val = hoist.Log(x, rest[:hoist.Size], d)
		} else {
			val = v.log(x, d)
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
func scatter(in []Tensor, din [][]float64, i int, adj float64, d, sums []float64) {
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

// wanted reports whether any derivative is asked for.
func wanted(din [][]float64) bool {
	for _, d := range din {
		if d != nil {
			return true
		}
	}
	return false
}

// varies reports whether what is hoisted changes from variate to variate.
func (h *Hoist) varies(in []Tensor) bool {
	for _, j := range h.Of {
		if len(in[j].Dims) > 0 {
			return true
		}
	}
	return false
}
