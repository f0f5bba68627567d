package gibbs

// This file tests that blocks with full conditionals are drawn in runs.

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
)

// A row is a normal density in which all blocks but one are exact; it notes what is drawn.
type row struct {
	n, sliced int
	calls     []string
}

func (r *row) Dim() int { return r.n }
func (r *row) LogDensity(q []float64) (float64, error) {
	sum := 0.0
	for _, x := range q {
		sum -= x * x / 2
	}
	return sum, nil
}
func (r *row) LogDensityGrad(q, _ []float64) (float64, error) { return r.LogDensity(q) }
func (r *row) Blocks() []infer.Block {
	out := make([]infer.Block, r.n)
	for i := range out {
		out[i] = infer.Block{Exact: i != r.sliced, Coords: []int{i}}
	}
	return out
}
func (r *row) DrawBlocks(from, to int, backward bool, _ []float64, _ *rand.Rand) error {
	r.calls = append(r.calls, fmt.Sprint(from, to, backward))
	return nil
}

// TestRuns: a sweep over any number of blocks asks once for those before one that is sliced and once
// for those after it, and a palindrome goes back the same way.
func TestRuns(t *testing.T) {
	for _, c := range []struct {
		n, sliced  int
		palindrome bool
		want       []string
	}{
		{100, -1, false, []string{"0 100 false"}},
		{100, 40, false, []string{"0 40 false", "41 100 false"}},
		{10, 9, false, []string{"0 9 false"}},
		{100, 40, true, []string{"0 40 false", "41 100 false", "41 100 true", "0 40 true"}},
		{3, 0, true, []string{"1 3 false", "1 3 true"}},
	} {
		o := DefaultOptions()
		o.Palindrome = c.palindrome
		m, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		r := &row{n: c.n, sliced: c.sliced}
		k, _, err := m.NewKernel(r, 0)
		if err != nil {
			t.Fatal(err)
		}
		s := infer.State{Q: make([]float64, c.n)}
		if err := k.Start(&s); err != nil {
			t.Fatal(err)
		}
		if err := k.Step(rand.New(rand.NewPCG(1, 1)), &s, &infer.Info{}); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(r.calls, c.want) {
			t.Errorf("%d blocks, %d sliced, palindrome %v: %v, want %v", c.n, c.sliced, c.palindrome, r.calls, c.want)
		}
	}
}
