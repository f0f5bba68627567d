package eval

import (
	"math/rand/v2"
	"testing"
)

// TestSumTree changes summands at random and holds totals of whole numbers, which are exact
// in any order, against plain sums; a change of one summand makes no more sums than there
// are levels.
func TestSumTree(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 1; n < 40; n++ {
		made := 0
		s := newSumTree(n, func(x, y *Value) *Value {
			made++
			return Real(x.X[0] + y.X[0])
		})
		now := make([]*Value, n)
		for k := range now {
			now[k] = Real(float64(r.IntN(1000)))
		}
		for iteration := range 30 {
			if iteration > 0 {
				now[r.IntN(n)] = Real(float64(r.IntN(1000)))
			}
			made = 0
			want := 0.0
			for k, v := range now {
				s.set(k, v)
				want += v.X[0]
			}
			if got := s.total().X[0]; got != want {
				t.Fatalf("%d summands: %v, want %v", n, got, want)
			}
			if most := len(s.levels) - 1; iteration > 0 && made > most {
				t.Errorf("%d summands: %d sums after one change, at most %d are needed", n, made, most)
			}
		}
	}
}
