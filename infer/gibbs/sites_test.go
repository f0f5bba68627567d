package gibbs

// This file tests whole numbers that are updated by the terms that each is in.

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
)

// A line is whole numbers from 0 to 2 with a term for each two neighbours; it counts what is asked
// of it.
type line struct {
	q                []float64
	n                int
	densities, sites int
}

func (l *line) Dim() int { return l.n }
func (l *line) LogDensity(q []float64) (float64, error) {
	l.densities++
	sum := 0.0
	for i := range q[1:] {
		sum += l.term(q, i)
	}
	return sum, nil
}
func (l *line) term(q []float64, i int) float64 {
	if q[i] == q[i+1] {
		return 0.7
	}
	return 0
}
func (l *line) LogDensityGrad([]float64, []float64) (float64, error) {
	return 0, errors.New("there is no gradient")
}
func (l *line) Whole() []infer.Range {
	out := make([]infer.Range, l.n)
	for i := range out {
		out[i].High = 2
	}
	return out
}
func (l *line) Blocks() []infer.Block {
	b := allSlices(l.n)
	b.Form = "enumerated"
	return []infer.Block{b}
}
func (l *line) Arrange(infer.Blocking) error { return nil }
func (l *line) DrawBlocks([]int, []float64, *rand.Rand) error {
	return errors.New("the block is not exact")
}
func (l *line) OpenSites(q []float64) (bool, error) {
	l.q = append(l.q[:0], q...)
	return true, nil
}
func (l *line) LogSite(c int, v float64) float64 {
	l.sites++
	now := l.q[c]
	l.q[c] = v
	sum := 0.0
	for i := max(0, c-1); i < min(c+1, l.n-1); i++ {
		sum += l.term(l.q, i)
	}
	l.q[c] = now
	return sum
}
func (l *line) MoveSite(c int, v float64) { l.q[c] = v }

// hidden hides what a line says of its sites.
type hidden struct {
	infer.Conditionals
	infer.Mixed
}

func (h hidden) Dim() int { return h.Conditionals.Dim() }
func (h hidden) LogDensity(q []float64) (float64, error) {
	return h.Conditionals.LogDensity(q)
}
func (h hidden) LogDensityGrad(q, g []float64) (float64, error) {
	return h.Conditionals.LogDensityGrad(q, g)
}

// TestSites counts: a sweep over n numbers of 3 values asks 3 n times for the terms of one, and for
// the whole density once. It goes where the sweep by the whole density goes, of which it is the same
// with the same random numbers, in both directions.
func TestSites(t *testing.T) {
	for _, n := range []int{20, 200} {
		for _, palindrome := range []bool{false, true} {
			walk := func(target infer.Target) []float64 {
				o := DefaultOptions()
				o.Palindrome = palindrome
				m, err := New(o)
				if err != nil {
					t.Fatal(err)
				}
				k, _, err := m.NewKernel(target, 0)
				if err != nil {
					t.Fatal(err)
				}
				s := infer.State{Q: make([]float64, n)}
				if err := k.Start(&s); err != nil {
					t.Fatal(err)
				}
				if l, ok := target.(*line); ok {
					l.densities, l.sites = 0, 0
				}
				rng := rand.New(rand.NewPCG(5, 6))
				for range 10 {
					if err := k.Step(rng, &s, &infer.Info{}); err != nil {
						t.Fatal(err)
					}
				}
				return s.Q
			}
			l := &line{n: n}
			got := walk(l)
			wanted := 30 * n
			if palindrome {
				wanted *= 2
			}
			if l.sites != wanted || l.densities > 10 {
				t.Errorf("10 sweeps over %d numbers: %d sites, %d densities; want %d, 10", n, l.sites, l.densities, wanted)
			}
			other := &line{n: n}
			want := walk(hidden{other, other})
			moved := false
			for i := range got {
				moved = moved || got[i] != 0
				if got[i] != want[i] {
					t.Fatalf("number %d is %v, and %v by the whole density", i, got[i], want[i])
				}
			}
			if !moved {
				t.Error("nothing moved")
			}
		}
	}
}
