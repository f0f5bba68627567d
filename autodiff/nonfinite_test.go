// What a NonFiniteFlow reports does show, as do checks of the input.

package autodiff

import (
	"math"
	"math/rand/v2"
	"testing"
)

// looksRight holds a sight's word on each element of the input against runs with that element
// NaN or infinite, and counts the elements of which NaN shows.
func looksRight(t *testing.T, name string, g *Graph, out Node, q []float64) (shown int) {
	t.Helper()
	parts := make([]Node, len(q))
	for i := range q {
		parts[i] = g.Elem(g.Input(), i)
	}
	s := g.NonFiniteFlow([]Node{out}, nil, RootsTestedForNonFinite)
	m := g.Compile([]Node{out}, nil).NewMachine()
	value := func(i int, x float64) float64 {
		p := append([]float64(nil), q...)
		p[i] = x
		if err := m.Run(p); err != nil {
			t.Fatal(err)
		}
		return m.Root(0)[0]
	}
	for i := range q {
		if s.whole[g.Input()]|s.of(g.Input(), i)&nanReachesRoot != 0 {
			shown++
			if y := value(i, math.NaN()); !math.IsNaN(y) {
				t.Errorf("%s: NaN at %d gives %v", name, i, y)
			}
		}
		for _, inf := range []float64{math.Inf(1), math.Inf(-1)} {
			if s.of(g.Input(), i)&infReachesRoot == 0 {
				continue
			}
			if y := value(i, inf); y-y == 0 {
				t.Errorf("%s: %v at %d gives %v", name, inf, i, y)
			}
		}
	}
	return shown
}

func TestNonFiniteFlowOfRandomGraphs(t *testing.T) {
	shown := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 5))
		g, out := randomGraph(r, 5, 30)
		q := make([]float64, 5)
		for i := range q {
			q[i] = r.NormFloat64()
		}
		shown += looksRight(t, "random graph", g, out, q)
	}
	if shown < 1000 {
		t.Errorf("NaN shows of only %d of 1500 elements", shown)
	}
}

func TestNonFiniteFlowThroughLoops(t *testing.T) {
	const iterations = 7
	r := rand.New(rand.NewPCG(6, 7))
	for _, c := range recurrences {
		q, data := make([]float64, c.carries+c.shared+c.steps*iterations), make([]float64, iterations)
		for i := range q {
			q[i] = 0.3 + 0.3*r.Float64()
		}
		for i := range data {
			data[i] = r.NormFloat64()
		}
		for _, backward := range []bool{false, true} {
			g := NewGraph(len(q))
			out, err := c.objective(g, iterations, true, backward, data)
			if err != nil {
				t.Fatal(err)
			}
			looksRight(t, c.name, g, out, q)
		}
	}
}

// Of a loop of which only the last iteration is wanted, NaN of any iteration shows if it is carried
// on.
func TestNonFiniteFlowOfTheLastIteration(t *testing.T) {
	const iterations = 6
	for _, c := range []struct {
		name  string
		next  func(g *Graph, h, x Node) Node
		shown int // elements of the input: the first carry, then the steps
	}{
		{"carried", func(g *Graph, h, x Node) Node { return g.Map(Add, 1, g.Map(Exp, 1, h), x) }, iterations + 1},
		{"greatest", func(g *Graph, h, x Node) Node { return g.Map(Shift, 1, h, x) }, 0},
		{"last alone", func(g *Graph, h, x Node) Node { return g.Map(Add, 1, g.Map(Shift, 1, h, h), x) }, 0},
	} {
		g := NewGraph(iterations + 1)
		iteration := g.LoopBody(iterations)
		h := iteration.Carry(g.Elem(g.Input(), 0))
		next := Ref{Node: c.next(g, h, iteration.Step(g.View(g.Input(), 1, iterations)))}
		if err := iteration.Close([]Ref{next}, []Ref{next}); err != nil {
			t.Fatal(err)
		}
		out := g.Map(Square, 1, iteration.Final(next))
		if n := looksRight(t, c.name, g, out, []float64{-1, -2, -1, -2, -1, -2, -1}); n != c.shown {
			t.Errorf("%s: NaN shows of %d elements, want %d", c.name, n, c.shown)
		}
	}
}

// A sum that was taken apart shows by its parts.
func TestNonFiniteFlowOfSplitSums(t *testing.T) {
	g := NewGraph(4)
	x, y := g.View(g.Input(), 0, 3), g.Elem(g.Input(), 3)
	term := g.Map(Sub, 3, g.Map(Square, 3, x), y)
	hidden := g.Map(Exp, 1, y)
	out := g.Sum(term)
	s := g.NonFiniteFlow([]Node{out}, nil, RootsTestedForNonFinite)
	if !s.NotFinite(term) || !s.NaN(term) || s.NaN(hidden) {
		t.Errorf("the sum's term: %v, %v; what nothing needs: %v", s.NotFinite(term), s.NaN(term), s.NaN(hidden))
	}
	if s := g.NonFiniteFlow([]Node{out}, nil, RootsTestedForNaN); s.NotFinite(term) || !s.NaN(x) {
		t.Error("an infinite number is seen by looking for NaN, or NaN is not")
	}
}

// Checks of the input take no instructions, and hold in every executor.
func TestInputChecks(t *testing.T) {
	g := NewGraph(4)
	out := g.Sum(g.Map(Exp, 4, g.Input()))
	pair := g.Gather([]Ref{{g.Input(), 3}, {g.Input(), 0}})
	checks := []Node{g.Check(g.View(g.Input(), 1, 2), -1, 1), g.Check(pair, -2, 2)}
	free, checked := g.Compile([]Node{out}, nil), g.Compile([]Node{out}, checks)
	if free.Stats() != checked.Stats() {
		t.Errorf("with checks %+v, without %+v", checked.Stats(), free.Stats())
	}
	points := [][]float64{{2, 1, -1, -2}, {2.1, 1, 1, 1}, {0, 1.5, 0, 0}, {0, 0, -1.5, 0}, {0, 0, 0, math.NaN()}, {0, 0, 0, math.Inf(-1)}}
	g.Interpret()
	for _, p := range []*Program{checked, g.Compile([]Node{out}, checks)} {
		m := p.NewMachine()
		for i, q := range points {
			if _, failed := m.Run(q).(*CheckError); failed != (i > 0) {
				t.Errorf("at %v: failed is %v", q, failed)
			}
		}
	}
	if lanes := checked.NewLaneMachine(); lanes != nil {
		lanes.Run(points[:Lanes])
		for l := range Lanes {
			if _, failed := lanes.Err(l).(*CheckError); failed != (l > 0) {
				t.Errorf("lane %d: failed is %v", l, failed)
			}
		}
	}
}
