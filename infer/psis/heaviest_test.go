package psis

// This test compares the tail of weights with a sort of all.

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/rng"
)

// The heaviest draws are the end of all in order, with ties by place.
func TestHeaviest(t *testing.T) {
	r := rng.New(1, "heaviest", 0, 0)
	for _, n := range []int{1, 5, 100, 1000} {
		lw := make([]float64, n)
		for i := range lw {
			lw[i] = math.Floor(r.NormFloat64() * 50)
		}
		lw[n/2] = math.Inf(-1)
		all := make([]int, n)
		for i := range all {
			all[i] = i
		}
		slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(lw[a], lw[b]) })
		for _, k := range []int{1, n / 5, n} {
			if got := heaviest(lw, max(k, 1)); !slices.Equal(got, all[n-max(k, 1):]) {
				t.Errorf("%d of %d: %v, want %v", k, n, got, all[n-max(k, 1):])
			}
		}
	}
}
