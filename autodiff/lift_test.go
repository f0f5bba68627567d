package autodiff

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff/internal/grad"
	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/internal/opt"
)

// TestLiftedRoots holds the sum of squares of y/sigma, with scales that a recurrence makes
// one by one, against the same in plain numbers, and counts what is computed.
func TestLiftedRoots(t *testing.T) {
	const n = 40
	y := make([]float64, n)
	for i := range y {
		y[i] = math.Sin(float64(i))
	}
	build := func(off ...string) (*graph.Graph, graph.Node) {
		g := graph.NewGraph(1)
		if err := g.Disable(off...); err != nil {
			t.Fatal(err)
		}
		variance := g.Map(graph.Exp, 1, g.Elem(g.Input(), 0))
		refs := []graph.Ref{{Node: g.Scalar(0.5)}}
		for range n - 1 {
			variance = g.Map(graph.Add, 1, g.Scalar(0.1), g.Map(graph.Mul, 1, g.Scalar(0.9), variance))
			refs = append(refs, graph.Ref{Node: g.Map(graph.Sqrt, 1, variance)})
		}
		sigma := g.Gather(refs)
		z := g.Map(graph.Mul, n, g.Const(y), g.Map(graph.Inv, n, sigma))
		return g, g.Map(graph.Add, 1, g.Dot(z, z), g.Sum(g.Map(graph.Log, n, sigma)))
	}
	at := func(q float64) float64 {
		v, sum := math.Exp(q), y[0]*y[0]/0.25+math.Log(0.5)
		for _, y := range y[1:] {
			v = 0.1 + 0.9*v
			sum += y*y/v + math.Log(v)/2
		}
		return sum
	}
	const q, h = 0.3, 1e-5
	slope := (at(q+h) - at(q-h)) / (2 * h)
	for _, off := range [][]string{nil, {"lift"}, {"roots"}} {
		g, x := build(off...)
		m := opt.Compile(g, []graph.Node{x, grad.Gradient(g, x)}, nil).NewMachine()
		if err := m.Run([]float64{q}); err != nil {
			t.Fatal(err)
		}
		if got, want := m.Root(0)[0], at(q); math.Abs(got-want) > 1e-13*want {
			t.Errorf("without %v: %v, want %v", off, got, want)
		}
		if got := m.Root(1)[0]; math.Abs(got-slope) > 1e-8 {
			t.Errorf("without %v: slope %v, differences give %v", off, got, slope)
		}
	}
	g, x := build()
	for y := range graph.Node(g.Size()) {
		if n := g.At(y); n.Op == graph.Sqrt && n.N > 1 && g.Ancestors(x)[y] {
			t.Errorf("a root that is squared is computed: %s", g.Describe(n))
		}
	}
}
