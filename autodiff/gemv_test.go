// Graphs with gathered dot products against the ones they came from.

package autodiff

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff/internal/grad"
	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/internal/opt"
)

func TestGemvFromDotsIsEqual(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	const n, k = 40, 3
	g := graph.NewGraph(k + 1)
	beta := g.Map(graph.Exp, k, g.View(g.Input(), 0, k))
	out := g.Scalar(0)
	g.Interpret()
	for range n {
		c := make([]float64, k)
		for j := range c {
			c[j] = r.NormFloat64()
		}
		eta := g.Map(graph.Add, 1, g.Elem(g.Input(), k), g.Dot(g.Const(c), beta))
		out = g.Map(graph.Add, 1, out, g.Map(graph.Log1pExp, 1, eta))
	}
	h, to := opt.GemvFromDots(g, nil)
	if h == g {
		t.Fatal("nothing was batched")
	}
	a := opt.Compile(g, []graph.Node{out, grad.Gradient(g, out)}, nil)
	b := opt.Compile(h, []graph.Node{to(out), grad.Gradient(h, to(out))}, nil)
	if x, y := a.Stats().Instructions, b.Stats().Instructions; y >= x {
		t.Errorf("%d instructions batched, %d as they were", y, x)
	}
	ma, mb := a.NewMachine(), b.NewMachine()
	q := []float64{0.1, -0.2, 0.3, 0.4}
	if ma.Run(q) != nil || mb.Run(q) != nil {
		t.Fatal("a run failed")
	}
	for i := range 2 {
		for j, v := range ma.Root(i) {
			if w := mb.Root(i)[j]; math.Abs(v-w) > 1e-12*(1+math.Abs(v)) {
				t.Errorf("root %d element %d: %v batched, %v as it was", i, j, w, v)
			}
		}
	}
}
