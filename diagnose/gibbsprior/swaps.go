// This file compares two samples that come in pairs.

package gibbsprior

import (
	"math"
	"math/rand/v2"
)

// swaps is the squared maximum mean discrepancy of two samples whose i-th points are a
// pair, with a Gaussian kernel as wide as the median distance, unbiased for independent
// pairs; and the p-value by swapping points within pairs, which leaves the law of the
// statistic alone where the two points of a pair are exchangeable.
func swaps(a, b [][]float64, r *rand.Rand) (value, prob float64) {
	n := len(a)
	gram := pairedGram(a, b)
	sign := make([]float64, n)
	sum := func() (s float64) {
		for i, row := range gram {
			inner := 0.0
			for j, v := range row {
				inner += sign[j] * v
			}
			s += sign[i] * inner
		}
		return s
	}
	for i := range sign {
		sign[i] = 1
	}
	seen := sum()
	above := 1
	for range permutations {
		for i := range sign {
			sign[i] = float64(1 - 2*int(r.Uint64()&1))
		}
		if sum() >= seen {
			above++
		}
	}
	return 2 * seen / (float64(n) * float64(n-1)), float64(above) / (permutations + 1)
}

// pairedGram has, for i > j, the inner product of the differences of pairs i and j in
// the kernel's space.
func pairedGram(a, b [][]float64) [][]float64 {
	scale := scales(b)
	const most = 300 // points that the kernel's width comes from
	var list []float64
	some := every(b, most)
	for i := range some {
		for j := range i {
			list = append(list, distance(some[i], some[j], scale))
		}
	}
	width := medianOf(list)
	kernel := func(x, y []float64) float64 {
		v := distance(x, y, scale) / width
		return math.Exp(-v * v / 2)
	}
	gram := make([][]float64, len(a))
	for i := range gram {
		gram[i] = make([]float64, i)
		for j := range gram[i] {
			gram[i][j] = kernel(a[i], a[j]) - kernel(a[i], b[j]) - kernel(b[i], a[j]) + kernel(b[i], b[j])
		}
	}
	return gram
}
