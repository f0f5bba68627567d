// Arguments at which functions are finite, for calls whose results are not used where others would not be.

package stdlib

import (
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// A Safe is a number that a function can be given for an argument.
type Safe struct {
	Needed bool // not any number is safe
	X      float64
}

// SafeArguments are numbers, one for each of n arguments, at which a function is finite, and its derivatives are; nil where it is finite
// everywhere, or not known.
func SafeArguments(fn *Function, n int) []Safe {
	switch {
	case fn.Density != nil && len(fn.Density.Requires) >= n:
		return safeOfDensity(fn.Density, n)
	case fn.Op != nil && fn.Op.Arity() == n:
		return safeOfOp(fn.Op)
	}
	return nil
}

// someNumbers are tried as arguments.
var someNumbers = []float64{0.3, 0.6, 1.7, -0.6, -2.7, 1000, -1000}

// safeOfDensity takes the first of someNumbers that meets each requirement.
func safeOfDensity(d *catalogue.Distribution, n int) []Safe {
	out := make([]Safe, n)
	for i, need := range d.Requires[:n] {
		for _, x := range someNumbers {
			if x < need.Low || x > need.High {
				out[i].Needed = true
			}
		}
		at := slices.IndexFunc(someNumbers, func(x float64) bool { return x >= need.Low && x <= need.High })
		if at < 0 {
			return nil
		}
		out[i].X = someNumbers[at]
	}
	return out
}

// safeOfOp tries someNumbers.
func safeOfOp(op *autodiff.Op) []Safe {
	n := op.Arity()
	var found []float64
	needed := false
	tried := make([]float64, n)
	var try func(k int)
	try = func(k int) {
		if k < n {
			for _, x := range someNumbers {
				tried[k] = x
				try(k + 1)
			}
			return
		}
		switch ok := finiteAt(op, tried); {
		case !ok:
			needed = true
		case found == nil:
			found = slices.Clone(tried)
		}
	}
	try(0)
	if !needed || found == nil {
		return nil
	}
	out := make([]Safe, n)
	for i, x := range found {
		out[i] = Safe{true, x}
	}
	return out
}

// finiteAt reports whether an operation and its derivatives are finite at a point.
func finiteAt(op *autodiff.Op, x []float64) bool {
	var all []float64
	switch len(x) {
	case 1:
		f := op.F1(x[0])
		all = append(all, f)
		if op.D1 != nil {
			all = append(all, op.D1(x[0], f))
		}
	case 2:
		f := op.F2(x[0], x[1])
		all = append(all, f)
		if op.D2 != nil {
			dx, dy := op.D2(x[0], x[1], f)
			all = append(all, dx, dy)
		}
	case 3:
		f := op.F3(x[0], x[1], x[2])
		all = append(all, f)
		if op.D3 != nil {
			dx, dy, dz := op.D3(x[0], x[1], x[2], f)
			all = append(all, dx, dy, dz)
		}
	}
	return !slices.ContainsFunc(all, func(x float64) bool { return x-x != 0 })
}
