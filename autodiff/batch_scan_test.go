// Scans at several points at once against the same ones at one, bit for bit.

package autodiff

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff/internal/batch"
	"github.com/seed-12b88e03/ppl/autodiff/internal/codegen"
	"github.com/seed-12b88e03/ppl/autodiff/internal/grad"
	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/internal/loop"
	"github.com/seed-12b88e03/ppl/autodiff/internal/opt"
)

// manyCarries carries more numbers than are kept in registers.
var manyCarries = recurrence{"more carries than registers", 11, 2, 2, func(g *graph.Graph, c, s, p []graph.Node) ([]graph.Node, []graph.Node) {
	next := make([]graph.Node, len(c))
	for i := range c {
		next[i] = g.Map(graph.Add, 1, g.Map(graph.Mul, 1, p[i%2], c[(i+1)%len(c)]), s[i%2])
	}
	return next, []graph.Node{g.Map(graph.Mul, 1, c[0], c[10])}
}}

// randomRecurrence makes an iteration of random operations, calls among them.
func randomRecurrence(seed uint64) recurrence {
	r := rand.New(rand.NewPCG(seed, 31))
	c := recurrence{name: "random", carries: 1 + r.IntN(4), steps: 1 + r.IntN(3), shared: r.IntN(4)}
	size, draw := 1+r.IntN(30), r.Uint64()
	c.iteration = func(g *graph.Graph, carry, step, shared []graph.Node) (next, outs []graph.Node) {
		r := rand.New(rand.NewPCG(draw, 32)) // the same iteration whenever it is recorded
		nodes := append(append(append([]graph.Node{g.Scalar(0.6)}, carry...), step...), shared...)
		pick := func() graph.Node { return nodes[r.IntN(len(nodes))] }
		damp := func(x graph.Node) graph.Node { return g.Map(graph.InvLogit, 1, x) }
		for range size {
			var x graph.Node
			switch r.IntN(6) {
			case 0:
				x = g.Map(graph.Add, 1, pick(), pick())
			case 1, 2:
				x = g.Map(graph.Mul, 1, pick(), pick())
			case 3:
				x = g.Map(graph.Sub, 1, pick(), pick())
			case 4:
				x = g.Map([]*graph.Op{graph.Neg, graph.Square, graph.Exp, graph.Log1pExp, tanh}[r.IntN(5)], 1, damp(pick()))
			default:
				x = g.Map(twice, 1, pick(), damp(pick()))
			}
			nodes = append(nodes, x)
		}
		for range carry {
			next = append(next, damp(pick()))
		}
		return next, []graph.Node{damp(pick()), damp(pick())}
	}
	return c
}

// TestLanesOfScans runs loops whose vectors are in blocks, and longer ones whose constants lie outside of the
// arena. Some points fail a check, and some have numbers that are not finite.
func TestLanesOfScans(t *testing.T) {
	needLanes(t)
	list := append([]recurrence{manyCarries}, recurrences...)
	for seed := range uint64(150) {
		list = append(list, randomRecurrence(seed))
	}
	scans, pairs := 0, 0
	for i, c := range list {
		for _, backward := range []bool{false, true} {
			for _, iterations := range []int{2, 11, codegen.ShortVector + 13} {
				rng := rand.New(rand.NewPCG(uint64(i), uint64(iterations)))
				data := make([]float64, iterations)
				for k := range data {
					data[k] = rng.NormFloat64()
				}
				dim := c.carries + c.shared + c.steps*iterations
				g := graph.NewGraph(dim)
				y, err := c.objective(g, iterations, true, backward, data)
				if err != nil {
					t.Fatalf("%s: %v", c.name, err)
				}
				var points [][]float64
				for range 7 {
					q := make([]float64, dim)
					for k := range q {
						q[k] = 0.5 * rng.NormFloat64()
						if rng.IntN(20*dim) == 0 {
							q[k] = []float64{0, math.Inf(1), math.NaN(), 1e200, math.Copysign(0, -1)}[rng.IntN(5)]
						}
					}
					points = append(points, q)
				}
				bound := g.Check(g.Elem(g.Input(), 0), math.Inf(-1), 0.5)
				p := opt.Compile(g, []graph.Node{y, grad.Gradient(g, y)}, []graph.Node{bound})
				for k := range p.Code {
					if _, ok := batch.Scan(p.Spelled(&p.Code[k])); ok {
						scans++
					}
				}
				compareLanes(t, p, points)
				for _, h := range batch.BatchProgram(p).Prog.CallInsts {
					if s, ok := h.Fn.(*batch.LaneScan); ok && s.Pairs {
						pairs++
					}
				}
			}
		}
	}
	if scans < 2*len(list) || pairs < 40 {
		t.Errorf("only %d scans in %d loops, of which %d also for two lanes", scans, len(list), pairs)
	}
}

// Where the vectors that a scan takes are those of machine code alone, its lanes are
// together, and where a function takes them, apart.
func TestLayoutOfScans(t *testing.T) {
	needLanes(t)
	const iterations = 5
	for _, apart := range []bool{false, true} {
		g := graph.NewGraph(1 + 2*iterations)
		r := loop.NewLoop(g, iterations).Variant(nil)
		x := r.Carry(g.Elem(g.Input(), 0))
		y := g.Map(graph.Add, 1, g.Map(graph.Mul, 1, x, r.Step(g.View(g.Input(), 1, iterations))), g.Scalar(0.5))
		if err := r.Close([]graph.Ref{{Node: y}}, []graph.Ref{{Node: y}}); err != nil {
			t.Fatal(err)
		}
		v := r.Vector(graph.Ref{Node: y})
		out := g.Sum(g.Map(graph.Square, iterations, v))
		if apart {
			out = g.Sum(g.Opaque(graph.Outer{}, iterations*iterations, v, g.View(g.Input(), 1+iterations, iterations)))
		}
		p := opt.Compile(g, []graph.Node{out}, nil)
		compareLanes(t, p, [][]float64{{1, 0.5, -0.3, 0.2, 1.5, -2, 1, 2, 3, 4, 5}, make([]float64, 11), {-1, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}})
		f := batch.BatchProgram(p)
		found := 0
		for i := range f.Prog.CallInsts {
			s, ok := f.Prog.CallInsts[i].Fn.(*batch.LaneScan)
			if !ok {
				continue
			}
			found++
			if got := len(s.Bodies[0].Carries) > 0; got != apart {
				t.Errorf("with a function %v, lanes of the carry are apart: %v", apart, got)
			}
		}
		if found != 1 {
			t.Errorf("%d scans for all lanes, want 1", found)
		}
	}
}
