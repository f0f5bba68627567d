package gibbs

// This file tests that blocks with full conditionals are drawn in runs.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
)

// A row is a normal density in which all blocks but one are exact; it notes what is drawn.
type row struct {
	n, sliced int
	calls     []string
	drawn     []int
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
		out[i] = infer.Block{Name: fmt.Sprintf("b%d[1], c%d with d%d[2]", i, i, i), Exact: i != r.sliced, Coords: []int{i}}
	}
	return out
}
func (r *row) Arrange(infer.Blocking) error { return nil }
func (r *row) DrawBlocks(places []int, _ []float64, _ *rand.Rand) error {
	r.calls = append(r.calls, fmt.Sprint(places[0], places[len(places)-1]))
	r.drawn = append(r.drawn, places...)
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
		{100, -1, false, []string{"0 99"}},
		{100, 40, false, []string{"0 39", "41 99"}},
		{10, 9, false, []string{"0 8"}},
		{100, 40, true, []string{"0 39", "41 99", "99 41", "39 0"}},
		{3, 0, true, []string{"1 2", "2 1"}},
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

// stepped is what a method draws of four exact blocks in n transitions, or in the first of them where
// n is 1.
func stepped(t *testing.T, change func(*Options), n int) []int {
	t.Helper()
	o := DefaultOptions()
	change(&o)
	m, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	r := &row{n: 4, sliced: -1}
	k, _, err := m.NewKernel(r, 0)
	if err != nil {
		t.Fatal(err)
	}
	s := infer.State{Q: make([]float64, 4)}
	for i := range n {
		if err := k.Step(rand.New(rand.NewPCG(1, uint64(i))), &s, &infer.Info{}); err != nil {
			t.Fatal(err)
		}
	}
	return r.drawn
}

// TestOrder: blocks with named parameters come first, whatever else is in their names, and a
// palindrome goes back, also the second time.
func TestOrder(t *testing.T) {
	order := func(o *Options) { o.Order = []string{"d3", "c1", "b"} }
	if got, want := stepped(t, order, 1), []int{3, 1, 0, 2}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	both := func(o *Options) { order(o); o.Palindrome = true }
	if got, want := stepped(t, both, 2), []int{3, 1, 0, 2, 2, 0, 1, 3, 3, 1, 0, 2, 2, 0, 1, 3}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestRandomScan: all blocks are equally frequent, within 4.5 standard errors, and independent of
// each other.
func TestRandomScan(t *testing.T) {
	const n = 4000
	drawn := stepped(t, func(o *Options) { o.Scan = Random }, n)
	if len(drawn) != 4*n {
		t.Fatalf("%d updates, want %d", len(drawn), 4*n)
	}
	var single [4]int
	var pairs [16]int
	for i, b := range drawn {
		single[b]++
		if i > 0 {
			pairs[4*drawn[i-1]+b]++
		}
	}
	near := func(what string, got int, p float64) {
		if mean := 4 * n * p; math.Abs(float64(got)-mean) > 4.5*math.Sqrt(mean*(1-p)) {
			t.Errorf("%s: %d times, want about %.0f", what, got, mean)
		}
	}
	for b, k := range single {
		near(fmt.Sprint(b), k, 1.0/4)
	}
	for p, k := range pairs {
		near(fmt.Sprint(p/4, " before ", p%4), k, 1.0/16)
	}
}

// TestBadOptions: what contradicts itself is refused.
func TestBadOptions(t *testing.T) {
	for _, change := range []func(*Options){
		func(o *Options) { o.Scan = "spiral" },
		func(o *Options) { o.Scan, o.Order = Random, []string{"mu"} },
		func(o *Options) { o.Order = []string{"mu", "tau", "mu"} },
	} {
		o := DefaultOptions()
		change(&o)
		if _, err := New(o); err == nil {
			t.Errorf("%v: no error", o)
		}
	}
}
