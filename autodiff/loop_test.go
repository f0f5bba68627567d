// Loops kept rolled against the same loops unrolled.

package autodiff

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff/internal/demand"
	"github.com/seed-12b88e03/ppl/autodiff/internal/grad"
	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/internal/loop"
	"github.com/seed-12b88e03/ppl/autodiff/internal/opt"
)

// A recurrence is an iteration as a function: of the graph, what the iteration before has left,
// the iteration's elements of the steps and shared numbers. It gives what the iteration leaves
// and what else is wanted of it.
type recurrence struct {
	name           string
	carries, steps int
	shared         int
	iteration      func(g *graph.Graph, carry, step, shared []graph.Node) (next, outs []graph.Node)
}

var twice = &graph.Op{Name: "twice_tanh", F2: func(x, y float64) float64 { return math.Tanh(x) * y },
	D2: func(x, y, _ float64) (float64, float64) {
		t := math.Tanh(x)
		return (1 - t*t) * y, t
	}}

var tanh = &graph.Op{Name: "tanh", F1: math.Tanh, D1: func(_, f float64) float64 { return 1 - f*f }}

var recurrences = []recurrence{
	{"ar1", 1, 1, 2, func(g *graph.Graph, c, s, p []graph.Node) ([]graph.Node, []graph.Node) {
		x := g.Map(graph.Add, 1, g.Map(graph.Mul, 1, p[0], c[0]), g.Map(graph.Mul, 1, p[1], s[0]))
		return []graph.Node{x}, []graph.Node{x}
	}},
	{"garch", 1, 1, 3, func(g *graph.Graph, c, s, p []graph.Node) ([]graph.Node, []graph.Node) {
		e := func(k int) graph.Node { return g.Map(graph.Exp, 1, p[k]) }
		v := g.Map(graph.Add, 1, e(0), g.Map(graph.Mul, 1, e(1), g.Map(graph.Square, 1, s[0])))
		v = g.Map(graph.Sqrt, 1, g.Map(graph.Add, 1, v, g.Map(graph.Mul, 1, g.Map(graph.InvLogit, 1, p[2]), g.Map(graph.Square, 1, c[0]))))
		return []graph.Node{v}, []graph.Node{g.Map(graph.Log, 1, v), c[0]}
	}},
	{"hmm", 2, 2, 4, func(g *graph.Graph, c, s, p []graph.Node) ([]graph.Node, []graph.Node) {
		var next []graph.Node
		for k := range 2 {
			x := g.Map(graph.Add, 1, c[0], p[k])
			y := g.Map(graph.Add, 1, c[1], p[2+k])
			m := g.Map(graph.Shift, 1, x, y)
			sum := g.Map(graph.Add, 1, g.Map(graph.Exp, 1, g.Map(graph.Sub, 1, x, m)), g.Map(graph.Exp, 1, g.Map(graph.Sub, 1, y, m)))
			next = append(next, g.Map(graph.Add, 1, s[k], g.Map(graph.Add, 1, m, g.Map(graph.Log, 1, sum))))
		}
		return next, nil
	}},
	{"ar3 by registers", 3, 1, 3, func(g *graph.Graph, c, s, p []graph.Node) ([]graph.Node, []graph.Node) {
		x := s[0]
		for k := range 3 {
			x = g.Map(graph.Add, 1, x, g.Map(graph.Mul, 1, p[k], c[k]))
		}
		return []graph.Node{x, c[0], c[1]}, []graph.Node{c[2]}
	}},
	{"swapped", 2, 1, 1, func(g *graph.Graph, c, s, p []graph.Node) ([]graph.Node, []graph.Node) {
		return []graph.Node{c[1], g.Map(graph.Mul, 1, p[0], g.Map(graph.Sub, 1, c[0], s[0]))}, []graph.Node{g.Map(graph.Square, 1, c[0])}
	}},
	{"swapped, one multiply-add", 2, 1, 1, func(g *graph.Graph, c, s, p []graph.Node) ([]graph.Node, []graph.Node) {
		return []graph.Node{g.Map(graph.Add, 1, s[0], g.Map(graph.Mul, 1, p[0], c[1])), c[0]}, []graph.Node{c[1]}
	}},
	{"lagged step, constant carry", 3, 1, 1, func(g *graph.Graph, c, s, p []graph.Node) ([]graph.Node, []graph.Node) {
		return []graph.Node{s[0], c[1], g.Map(graph.InvLogit, 1, g.Map(graph.Add, 1, c[2], g.Map(graph.Mul, 1, c[0], c[1])))}, []graph.Node{g.Map(graph.Mul, 1, p[0], c[2])}
	}},
	{"vectors", 2, 2, 4, func(g *graph.Graph, c, s, p []graph.Node) ([]graph.Node, []graph.Node) {
		ref := func(list []graph.Node) (refs []graph.Ref) {
			for _, x := range list {
				refs = append(refs, graph.Ref{Node: x})
			}
			return refs
		}
		x := g.MatVec(g.Gather(ref(p)), g.Gather(ref(c)), 2)
		x = g.Map(graph.Mul, 2, g.Scalar(0.4), g.Map(graph.Add, 2, x, g.Gather(ref(s))))
		d := g.Dot(x, g.Gather(ref(c)))
		return []graph.Node{g.Elem(x, 0), g.Elem(x, 1)}, []graph.Node{d, g.Sum(x)}
	}},
	{"functions without rules", 1, 1, 1, func(g *graph.Graph, c, s, p []graph.Node) ([]graph.Node, []graph.Node) {
		x := g.Map(twice, 1, g.Map(graph.Add, 1, c[0], s[0]), p[0])
		return []graph.Node{x}, []graph.Node{g.Map(twice, 1, s[0], x)}
	}},
	{"function of one number without rule", 1, 1, 1, func(g *graph.Graph, c, s, p []graph.Node) ([]graph.Node, []graph.Node) {
		x := g.Map(tanh, 1, g.Map(graph.Add, 1, g.Map(graph.Mul, 1, c[0], p[0]), s[0]))
		return []graph.Node{x}, []graph.Node{g.Map(tanh, 1, x)}
	}},
	{"kalman", 2, 1, 3, func(g *graph.Graph, c, s, p []graph.Node) ([]graph.Node, []graph.Node) {
		q, r := g.Map(graph.Exp, 1, p[0]), g.Map(graph.Exp, 1, p[1])
		v := g.Map(graph.Add, 1, g.Map(graph.Square, 1, c[1]), q)
		f := g.Map(graph.Add, 1, v, r)
		gain := g.Map(graph.Div, 1, v, f)
		e := g.Map(graph.Sub, 1, s[0], c[0])
		m := g.Map(graph.Add, 1, c[0], g.Map(graph.Mul, 1, gain, e))
		left := g.Map(graph.Mul, 1, g.Map(graph.Sub, 1, g.Scalar(1), gain), v)
		return []graph.Node{m, left}, []graph.Node{g.Map(graph.Log, 1, f), g.Map(graph.Div, 1, g.Map(graph.Square, 1, e), f)}
	}},
	{"product", 1, 1, 0, func(g *graph.Graph, c, s, _ []graph.Node) ([]graph.Node, []graph.Node) {
		x := g.Map(graph.Mul, 1, c[0], g.Map(graph.InvLogit, 1, s[0]))
		return []graph.Node{x}, []graph.Node{x}
	}},
}

// objective sums everything that comes out with weights, so that all of it matters. The
// input holds what the carries are at first, then the shared numbers, then the steps;
// the steps of odd number are data.
func (c recurrence) objective(g *graph.Graph, iterations int, rolled, backward bool, data []float64) (graph.Node, error) {
	at := 0
	scalar := func() graph.Node { at++; return g.Elem(g.Input(), at-1) }
	var init, shared, steps []graph.Node
	for range c.carries {
		init = append(init, g.Map(graph.Exp, 1, scalar()))
	}
	for range c.shared {
		shared = append(shared, scalar())
	}
	for k := range c.steps {
		steps = append(steps, g.View(g.Input(), at, iterations))
		at += iterations
		if k%2 == 1 {
			steps[k] = g.Const(data[:iterations])
		}
	}
	total := g.Scalar(0)
	count := 0.0
	add := func(x graph.Node) {
		count++
		total = g.Map(graph.Add, 1, total, g.Map(graph.Mul, 1, g.Scalar(math.Sin(count)), x))
	}
	if !rolled {
		carry := init
		outs := make([][]graph.Ref, 0)
		for i := range iterations {
			t := i
			if backward {
				t = iterations - 1 - i
			}
			var step []graph.Node
			for _, s := range steps {
				step = append(step, g.Elem(s, t))
			}
			var out []graph.Node
			carry, out = c.iteration(g, carry, step, shared)
			for k, x := range append(out, carry...) {
				if i == 0 {
					outs = append(outs, make([]graph.Ref, iterations))
				}
				outs[k][t] = graph.Ref{Node: x}
			}
		}
		for _, refs := range outs {
			add(g.Dot(g.Gather(refs), g.Const(data[:iterations])))
		}
		for _, x := range carry {
			add(x)
		}
		return total, nil
	}
	r := loop.NewLoop(g, iterations).Variant(nil)
	r.Loop.Backward = backward
	var carry, step []graph.Node
	for _, x := range init {
		carry = append(carry, r.Carry(x))
	}
	for _, s := range steps {
		step = append(step, r.Step(s))
	}
	next, outs := c.iteration(g, carry, step, shared)
	refs := func(list []graph.Node) (refs []graph.Ref) {
		for _, x := range list {
			refs = append(refs, graph.Ref{Node: x})
		}
		return refs
	}
	all := append(append([]graph.Node(nil), outs...), next...)
	if err := r.Close(refs(next), refs(all)); err != nil {
		return graph.None, err
	}
	for _, ref := range refs(all) {
		v := r.Vector(ref)
		if g.Len(v) == 1 {
			v = (&grad.Reverser{G: g}).Full(v, iterations)
		}
		add(g.Dot(v, g.Const(data[:iterations])))
	}
	for _, ref := range refs(next) {
		add(r.Final(ref))
	}
	return total, nil
}

func TestLoopAgainstUnrolled(t *testing.T) {
	const iterations = 11
	rng := rand.New(rand.NewPCG(3, 4))
	data := make([]float64, iterations)
	for i := range data {
		data[i] = rng.NormFloat64()
	}
	for _, c := range recurrences {
		for _, backward := range []bool{false, true} {
			for _, off := range [][]string{nil, {"native"}, {"share"}, {"fma", "native"}, {"roots", "algebra", "sums"}} {
				name := c.name
				dim := c.carries + c.shared + c.steps*iterations
				q := make([]float64, dim)
				for i := range q {
					q[i] = 0.5 * rng.NormFloat64()
				}
				var results [2][]float64
				for k, rolled := range []bool{false, true} {
					g := graph.NewGraph(dim)
					if err := g.Disable(off...); err != nil {
						t.Fatal(err)
					}
					y, err := c.objective(g, iterations, rolled, backward, data)
					if err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					m := opt.Compile(g, []graph.Node{y, grad.Gradient(g, y)}, nil).NewMachine()
					for range 2 { // a second run finds what the first one left
						if err := m.Run(q); err != nil {
							t.Fatal(err)
						}
					}
					results[k] = append(append([]float64(nil), m.Root(0)...), m.Root(1)...)
				}
				for i, want := range results[0] {
					if got := results[1][i]; !(math.Abs(got-want) <= 1e-12*(1+math.Abs(want))) {
						t.Errorf("%s, backward %v, without %v: number %d is %v, written out %v", name, backward, off, i, got, want)
					}
				}
			}
		}
	}
}

// The function by itself, whose derivative selections use.
func TestScanVJP(t *testing.T) {
	const iterations = 6
	g := graph.NewGraph(2 + iterations)
	r := loop.NewLoop(g, iterations).Variant(nil)
	x := r.Carry(g.Elem(g.Input(), 0))
	y := g.Map(graph.Add, 1, g.Map(graph.Mul, 1, x, g.Elem(g.Input(), 1)), r.Step(g.View(g.Input(), 2, iterations)))
	ref := []graph.Ref{{Node: y}}
	if err := r.Close(ref, ref); err != nil {
		t.Fatal(err)
	}
	v := g.Map(graph.Square, iterations, r.Vector(ref[0]))
	q := []float64{0.3, -0.8, 1, 2, 0.5, -1, 0.25, 3}
	s, err := demand.NewDemandEval(g, v)
	if err != nil {
		t.Fatal(err)
	}
	gradient := make([]float64, len(q))
	if _, err := s.NewState().Sum(q, []int{2, 5}, 1, gradient); err != nil {
		t.Fatal(err)
	}
	sum := g.Map(graph.Add, 1, g.Elem(v, 2), g.Elem(v, 5))
	m := opt.Compile(g, []graph.Node{grad.Gradient(g, sum)}, nil).NewMachine()
	if err := m.Run(q); err != nil {
		t.Fatal(err)
	}
	for i, want := range m.Root(0) {
		if math.Abs(gradient[i]-want) > 1e-13*(1+math.Abs(want)) {
			t.Errorf("number %d is %v, by nodes %v", i, gradient[i], want)
		}
	}
}

// An iteration may be as large as allowed, and its derivative larger.
func TestLargeBody(t *testing.T) {
	const iterations = 3
	g := graph.NewGraph(2)
	r := loop.NewLoop(g, iterations).Variant(nil)
	x := r.Carry(g.Elem(g.Input(), 0))
	y := x
	for range loop.MaxCore / 2 {
		y = g.Map(graph.Mul, 1, g.Elem(g.Input(), 1), g.Map(graph.Exp, 1, g.Map(twice, 1, y, x)))
		if g.Size() > loop.MaxCore-10 {
			break
		}
	}
	ref := []graph.Ref{{Node: y}}
	if err := r.Close(ref, ref); err != nil {
		t.Fatal(err)
	}
	m := opt.Compile(g, []graph.Node{grad.Gradient(g, r.Final(ref[0]))}, nil).NewMachine()
	if err := m.Run([]float64{0.1, 0.2}); err != nil || m.Root(0)[0] != m.Root(0)[0] {
		t.Errorf("gradient %v, %v", m.Root(0), err)
	}
}

// What a loop cannot do is refused.
func TestLoopBodyRefuses(t *testing.T) {
	g := graph.NewGraph(2)
	r := loop.NewLoop(g, 4).Variant(nil)
	x := r.Carry(g.Elem(g.Input(), 0))
	y := g.Opaque(graph.Outer{}, 1, x, x)
	if err := r.Close([]graph.Ref{{Node: y}}, []graph.Ref{{Node: y}}); !errors.Is(err, loop.ErrBody) {
		t.Errorf("a function of whole vectors in an iteration: %v", err)
	}
}
