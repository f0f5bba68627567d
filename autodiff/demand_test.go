// Evaluation on demand against the whole: values and gradients of chosen elements of a graph with
// every kind of node that recordings have.

package autodiff

import (
	"errors"
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff/internal/demand"
	"github.com/seed-12b88e03/ppl/autodiff/internal/grad"
	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/internal/opt"
)

// lines is a PerOutput function: output i is x[i]^2 * s.
type lines struct{ n int }

func (l lines) Instance() graph.Instance          { return l }
func (l lines) Fused([]bool) (graph.Opaque, bool) { return nil, false }
func (l lines) State() demand.PerOutputState      { return l }
func (l lines) Part(i, k int) (off, n, st int)    { return i * (1 - k), 1, 1 }

func (l lines) Piece(_ int, in, din [][]float64) (float64, error) {
	x, s := in[0][0], in[1][0]
	if s == 0 {
		return 0, errors.New("no scale")
	}
	din[0][0], din[1][0] = 2*x*s, x*x
	return x * x * s, nil
}

func (l lines) Value(in [][]float64, out []float64) error {
	for i := range out {
		out[i] = in[0][i] * in[0][i] * in[1][0]
	}
	return nil
}

func (l lines) VJP(in [][]float64, _, adj []float64, din [][]float64) {
	for i, a := range adj {
		din[0][i] += 2 * a * in[0][i] * in[1][0]
		din[1][0] += a * in[0][i] * in[0][i]
	}
}

// demandGraph makes a vector of six elements of an input of five.
func demandGraph() (g *graph.Graph, root graph.Node) {
	g = graph.NewGraph(5)
	beta, s := g.View(g.Input(), 0, 2), g.View(g.Input(), 2, 1)
	scale := g.Map(graph.Exp, 1, s)
	a := g.Const([]float64{1, 2, 3, 4, 5, 6, -1, 0, 1, 0.5, 0.25, 2})
	eta := g.Map(graph.Add, 6, g.MatVec(a, beta, 6), g.Gather([]graph.Ref{{Node: g.Input(), Elem: 3}, {Node: g.Input(), Elem: 4}, {Node: scale, Elem: 0}, {Node: g.Input(), Elem: 3}, {Node: g.Input(), Elem: 4}, {Node: scale, Elem: 0}}))
	rows := g.Opaque(lines{6}, 6, eta, scale)
	whole := g.Opaque(graph.Outer{}, 4, beta, g.View(g.Input(), 3, 2))
	moving := g.MatVec(whole, beta, 2)
	extra := g.Map(graph.Mul, 1, g.Dot(beta, moving), g.Sum(g.Map(graph.Log1p, 2, g.Map(graph.Square, 2, moving))))
	return g, g.Map(graph.Sub, 6, g.Map(graph.Div, 6, rows, g.Map(graph.Add, 6, g.Scalar(2), g.Map(graph.Square, 6, eta))), extra)
}

func TestDemandEval(t *testing.T) {
	g, root := demandGraph()
	s, err := demand.NewDemandEval(g, root)
	if err != nil || s.Len() != 6 {
		t.Fatalf("%d elements, %v", s.Len(), err)
	}
	if _, err := demand.NewDemandEval(g, grad.Gradient(g, g.Sum(root))); err == nil {
		t.Error("a gradient was taken")
	}
	chosen := []int{4, 0, 4}
	sum := g.Sum(g.Gather([]graph.Ref{{Node: root, Elem: 4}, {Node: root, Elem: 0}, {Node: root, Elem: 4}}))
	m := opt.Compile(g, []graph.Node{sum, grad.Gradient(g, sum)}, nil).NewMachine()
	for _, in := range [][]float64{{0.5, -0.25, 0.1, 1, 2}, {-1, 2, -0.5, 0.3, 0}} {
		if err := m.Run(in); err != nil {
			t.Fatal(err)
		}
		sel := s.NewState()
		for range 2 { // a second run must not see the first
			gradient := []float64{1, 1, 1, 1, 1}
			v, err := sel.Sum(in, chosen, 2, gradient)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(v-m.Root(0)[0]) > 1e-13*(1+math.Abs(v)) {
				t.Errorf("sum %.15g, not %.15g", v, m.Root(0)[0])
			}
			for i, want := range m.Root(1) {
				if d := gradient[i] - 1 - 2*want; math.Abs(d) > 1e-13*(1+math.Abs(want)) {
					t.Errorf("derivative %d is %.15g, not %.15g", i, (gradient[i]-1)/2, want)
				}
			}
		}
	}
}

func TestDemandEvalPassesErrorsOn(t *testing.T) {
	g, root := demandGraph()
	s, err := demand.NewDemandEval(g, root)
	if err != nil {
		t.Fatal(err)
	}
	sel := s.NewState()
	if _, err := sel.Sum([]float64{0, 0, math.Inf(-1), 0, 0}, []int{1}, 1, make([]float64, 5)); err == nil {
		t.Error("no error")
	}
	if _, err := sel.Sum([]float64{0, 0, 0, 0, 0}, []int{1}, 1, make([]float64, 5)); err != nil {
		t.Errorf("an error stays: %v", err)
	}
}

func TestSummands(t *testing.T) {
	g := graph.NewGraph(6)
	x := g.View(g.Input(), 0, 3)
	a, b := g.Elem(g.Input(), 3), g.Map(graph.Exp, 1, g.Elem(g.Input(), 4))
	sum := g.Map(graph.Sub, 1, g.Map(graph.Mul, 1, g.Scalar(3), g.Map(graph.Add, 1, g.Sum(g.Map(graph.Exp, 3, x)), a)), g.Map(graph.Add, 1, b, g.Dot(x, x)))
	always := func(graph.Node) bool { return true }
	never := func(graph.Node) bool { return false }
	for _, c := range []struct {
		apart            func(graph.Node) bool
		vectors, scalars int
	}{{always, 2, 2}, {never, 0, 4}} {
		vectors, scalars := g.Summands(sum, never, c.apart)
		if len(vectors) != c.vectors || len(scalars) != c.scalars {
			t.Errorf("%d vectors and %d scalars, not %d and %d", len(vectors), len(scalars), c.vectors, c.scalars)
		}
		again := g.Scalar(0)
		for _, v := range append(vectors, scalars...) {
			again = g.Map(graph.Add, 1, again, g.Sum(v))
		}
		m := opt.Compile(g, []graph.Node{sum, again}, nil).NewMachine()
		if err := m.Run([]float64{0.1, -0.2, 0.3, 1.5, 0.7, 0}); err != nil {
			t.Fatal(err)
		}
		if d := m.Root(0)[0] - m.Root(1)[0]; math.Abs(d) > 1e-14 {
			t.Errorf("parts differ from the sum by %g", d)
		}
	}
}
