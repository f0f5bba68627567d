// This file adjusts p-values for their number and judges by them.

package diagnose

import (
	"math"
	"slices"
	"strconv"
)

// Holm adjusts p-values so that the probability of any false alarm among them is at most
// the bound that they are held against (Holm 1979). NaN stays NaN and is not counted.
func Holm(p []float64) []float64 {
	var order []int
	out := make([]float64, len(p))
	for i, v := range p {
		if out[i] = v; !math.IsNaN(v) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case p[a] < p[b]:
			return -1
		case p[a] > p[b]:
			return 1
		}
		return 0
	})
	least := 0.0
	for k, i := range order {
		least = max(least, min(1, float64(len(order)-k)*p[i]))
		out[i] = least
	}
	return out
}

// Judge is the severity of a p-value that a test of n values has given: bad and warning are
// the bounds below which it is that. NaN cannot be judged.
func Judge(p float64, n int, bad, warning float64) Severity {
	return Measure{Value: p, Values: n}.AtLeast(warning, bad)
}

// Worse is the worse of two severities.
func Worse(a, b Severity) Severity {
	if b.rank() > a.rank() {
		return b
	}
	return a
}

// PValue writes a p-value. How small it is below 10^-6 nobody can know.
func PValue(p float64) string {
	if p < 1e-6 {
		return "p below 1e-06"
	}
	return "p = " + strconv.FormatFloat(p, 'g', 2, 64)
}
