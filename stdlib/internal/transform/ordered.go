// Transforms to ordered and positive ordered vectors.

package transform

import (
	"strconv"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// OrderedTransform is x[1] = y[1], x[k] = x[k-1] + exp(y[k]).
func OrderedTransform() *Transform { return orderedFrom("ordered", 1) }

// PositiveOrderedTransform is the same with x[1] = exp(y[1]).
func PositiveOrderedTransform() *Transform { return orderedFrom("positive_ordered", 0) }

// orderedFrom makes an ordered transform whose steps are exponentials from index first
// (0 or 1) on.
func orderedFrom(name string, first int) *Transform {
	t := &Transform{Name: name, Free: freeOfVector(0, 0)}
	t.Constrain = func(_ []int, free []float64, _ [][]float64, x, _ []float64) (float64, error) {
		sum, lj := 0.0, 0.0
		for i, y := range free {
			if i < first {
				sum = y
			} else {
				sum += libm.Exp(y)
				lj += y
			}
			x[i] = sum
		}
		return lj, nil
	}
	t.VJP = func(_ []int, free []float64, _ [][]float64, _, adj []float64, adjLog float64, dfree []float64, _ [][]float64, _ []float64) {
		tail := 0.0 // sum of adj[i:], as y[i] moves all of x[i:]
		for i := len(free) - 1; i >= 0; i-- {
			tail += adj[i]
			if i < first {
				dfree[i] += tail
			} else {
				dfree[i] += float64(tail*libm.Exp(free[i])) + adjLog
			}
		}
	}
	t.Check = func(_ []int, x []float64, _ [][]float64) error {
		if first == 0 && len(x) > 0 && !(x[0] >= 0) {
			return violationf("[1] is %v, but must be greater than or equal to 0", x[0])
		}
		for i := 1; i < len(x); i++ {
			if !(x[i] > x[i-1]) {
				return violationf("[%d] is %v, but must be greater than the element before it, %v", i+1, x[i], x[i-1])
			}
		}
		return nil
	}
	t.Unconstrain = func(dims []int, x []float64, args [][]float64, free []float64) error {
		if err := t.Check(dims, x, args); err != nil {
			return rejectUnless(name, err)
		}
		previous := 0.0
		for i, v := range x {
			if i < first {
				free[i] = v
			} else {
				free[i] = libm.Log(v - previous)
			}
			previous = v
		}
		return nil
	}
	return t
}

// freeOfVector is the Free of a vector with fewer less free numbers than elements, of
// at least least elements.
func freeOfVector(fewer, least int) func([]int) (int, error) {
	return func(dims []int) (int, error) {
		if dims[0] < least {
			return 0, violationf(" has size %d, but must have at least %d", dims[0], least)
		}
		return dims[0] - fewer, nil
	}
}

// formatNumber writes a number for a message.
func formatNumber(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
