// What a NonFiniteFlow reports does show, as do checks of the input.

package autodiff

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff/internal/batch"
	"github.com/seed-12b88e03/ppl/autodiff/internal/codegen"
	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/internal/loop"
	"github.com/seed-12b88e03/ppl/autodiff/internal/nonfinite"
	"github.com/seed-12b88e03/ppl/autodiff/internal/opt"
)

// looksRight holds a sight's word on each element of the input against runs with that element
// NaN or infinite, and counts the elements of which NaN shows.
func looksRight(t *testing.T, name string, g *graph.Graph, out graph.Node, q []float64) (shown int) {
	t.Helper()
	parts := make([]graph.Node, len(q))
	for i := range q {
		parts[i] = g.Elem(g.Input(), i)
	}
	s := nonfinite.NewNonFiniteFlow(g, []graph.Node{out}, nil, nonfinite.RootsTestedForNonFinite)
	m := opt.Compile(g, []graph.Node{out}, nil).NewMachine()
	value := func(i int, x float64) float64 {
		p := append([]float64(nil), q...)
		p[i] = x
		if err := m.Run(p); err != nil {
			t.Fatal(err)
		}
		return m.Root(0)[0]
	}
	for i := range q {
		if s.Whole[g.Input()]|s.Of(g.Input(), i)&nonfinite.NanReachesRoot != 0 {
			shown++
			if y := value(i, math.NaN()); !math.IsNaN(y) {
				t.Errorf("%s: NaN at %d gives %v", name, i, y)
			}
		}
		for _, inf := range []float64{math.Inf(1), math.Inf(-1)} {
			if s.Of(g.Input(), i)&nonfinite.InfReachesRoot == 0 {
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
			g := graph.NewGraph(len(q))
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
		next  func(g *graph.Graph, h, x graph.Node) graph.Node
		shown int // elements of the input: the first carry, then the steps
	}{
		{"carried", func(g *graph.Graph, h, x graph.Node) graph.Node {
			return g.Map(graph.Add, 1, g.Map(graph.Exp, 1, h), x)
		}, iterations + 1},
		{"greatest", func(g *graph.Graph, h, x graph.Node) graph.Node { return g.Map(graph.Shift, 1, h, x) }, 0},
		{"last alone", func(g *graph.Graph, h, x graph.Node) graph.Node {
			return g.Map(graph.Add, 1, g.Map(graph.Shift, 1, h, h), x)
		}, 0},
	} {
		g := graph.NewGraph(iterations + 1)
		iteration := loop.NewLoop(g, iterations).Variant(nil)
		h := iteration.Carry(g.Elem(g.Input(), 0))
		next := graph.Ref{Node: c.next(g, h, iteration.Step(g.View(g.Input(), 1, iterations)))}
		if err := iteration.Close([]graph.Ref{next}, []graph.Ref{next}); err != nil {
			t.Fatal(err)
		}
		out := g.Map(graph.Square, 1, iteration.Final(next))
		if n := looksRight(t, c.name, g, out, []float64{-1, -2, -1, -2, -1, -2, -1}); n != c.shown {
			t.Errorf("%s: NaN shows of %d elements, want %d", c.name, n, c.shown)
		}
	}
}

// A sum that was taken apart shows by its parts.
func TestNonFiniteFlowOfSplitSums(t *testing.T) {
	g := graph.NewGraph(4)
	x, y := g.View(g.Input(), 0, 3), g.Elem(g.Input(), 3)
	term := g.Map(graph.Sub, 3, g.Map(graph.Square, 3, x), y)
	hidden := g.Map(graph.Exp, 1, y)
	out := g.Sum(term)
	s := nonfinite.NewNonFiniteFlow(g, []graph.Node{out}, nil, nonfinite.RootsTestedForNonFinite)
	if !s.NotFinite(term) || !s.NaN(term) || s.NaN(hidden) {
		t.Errorf("the sum's term: %v, %v; what nothing needs: %v", s.NotFinite(term), s.NaN(term), s.NaN(hidden))
	}
	if s := nonfinite.NewNonFiniteFlow(g, []graph.Node{out}, nil, nonfinite.RootsTestedForNaN); s.NotFinite(term) || !s.NaN(x) {
		t.Error("an infinite number is seen by looking for NaN, or NaN is not")
	}
}

// Checks of the input take no instructions, and hold in every executor.
func TestInputChecks(t *testing.T) {
	g := graph.NewGraph(4)
	out := g.Sum(g.Map(graph.Exp, 4, g.Input()))
	pair := g.Gather([]graph.Ref{{Node: g.Input(), Elem: 3}, {Node: g.Input(), Elem: 0}})
	checks := []graph.Node{g.Check(g.View(g.Input(), 1, 2), -1, 1), g.Check(pair, -2, 2)}
	free, checked := opt.Compile(g, []graph.Node{out}, nil), opt.Compile(g, []graph.Node{out}, checks)
	if free.Stats() != checked.Stats() {
		t.Errorf("with checks %+v, without %+v", checked.Stats(), free.Stats())
	}
	points := [][]float64{{2, 1, -1, -2}, {2.1, 1, 1, 1}, {0, 1.5, 0, 0}, {0, 0, -1.5, 0}, {0, 0, 0, math.NaN()}, {0, 0, 0, math.Inf(-1)}}
	g.Interpret()
	for _, p := range []*codegen.Program{checked, opt.Compile(g, []graph.Node{out}, checks)} {
		m := p.NewMachine()
		for i, q := range points {
			if _, failed := m.Run(q).(*codegen.CheckError); failed != (i > 0) {
				t.Errorf("at %v: failed is %v", q, failed)
			}
		}
	}
	if lanes := batch.NewLaneMachine(checked); lanes != nil {
		lanes.Run(points[:batch.Lanes])
		for l := range batch.Lanes {
			if _, failed := lanes.Err(l).(*codegen.CheckError); failed != (l > 0) {
				t.Errorf("lane %d: failed is %v", l, failed)
			}
		}
	}
}
