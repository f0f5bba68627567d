// Operations on vectors at several points at once against the same ones at one.

package autodiff

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff/internal/batch"
	"github.com/seed-12b88e03/ppl/autodiff/internal/codegen"
	"github.com/seed-12b88e03/ppl/autodiff/internal/grad"
	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/internal/opt"
)

// TestLanesOfVectors does each operation on vectors, numbers and constants, for lengths that
// leave something of the last iteration.
func TestLanesOfVectors(t *testing.T) {
	needLanes(t)
	for n := codegen.ShortVector + 1; n < codegen.ShortVector+2*batch.SumIteration; n += 3 {
		r := rand.New(rand.NewPCG(uint64(n), 5))
		data := make([]float64, n)
		for i := range data {
			data[i] = r.NormFloat64()
		}
		g := graph.NewGraph(2*n + 2)
		if err := g.Disable("sums"); err != nil {
			t.Fatal(err)
		}
		x, y, c := g.View(g.Input(), 2, n), g.View(g.Input(), 2+n, n), g.Const(data)
		a := g.Map(graph.Exp, 1, g.Elem(g.Input(), 0))
		var roots []graph.Node
		for _, op := range []*graph.Op{graph.Add, graph.Sub, graph.Mul, graph.Shift} {
			for _, in := range [][2]graph.Node{{x, y}, {x, a}, {a, x}, {x, c}, {c, x}, {c, a}, {a, c}} {
				v := g.Map(op, n, in[0], in[1])
				roots = append(roots, g.Sum(v), g.Dot(v, x), g.Dot(c, v), g.Dot(v, v))
			}
		}
		for _, op := range []*graph.Op{graph.Neg, graph.Inv, graph.Square, graph.Sqrt} {
			roots = append(roots, g.Sum(g.Map(op, n, g.Map(graph.Mul, n, a, x))))
		}
		p := opt.Compile(g, roots, nil)
		points := make([][]float64, 7)
		for i := range points {
			points[i] = make([]float64, g.Dims)
			for k := range points[i] {
				points[i][k] = r.NormFloat64()
			}
		}
		compareLanes(t, p, points)
		found := map[graph.Kind]int{}
		for _, h := range batch.BatchProgram(p).Prog.CallInsts {
			if v, ok := h.Fn.(*batch.LaneVector); ok {
				found[v.Kind]++
			}
		}
		if found[graph.KindMap] < 10 || found[graph.KindSum] < 20 || found[graph.KindDot] < 40 {
			t.Errorf("%d elements: only %d operations, %d sums and %d products for all lanes\n%s", n, found[graph.KindMap], found[graph.KindSum], found[graph.KindDot], fmt.Sprint(p.Stats()))
		}
	}
}

// A pass saves more at each point the more points it has, and nothing for a single one.
func TestLanesSave(t *testing.T) {
	needLanes(t)
	const iterations = 50
	rng := rand.New(rand.NewPCG(1, 2))
	data := make([]float64, iterations)
	for k := range data {
		data[k] = rng.NormFloat64()
	}
	for _, c := range recurrences {
		if c.name != "hmm" && c.name != "kalman" {
			continue
		}
		g := graph.NewGraph(c.carries + c.shared + c.steps*iterations)
		y, err := c.objective(g, iterations, true, false, data)
		if err != nil {
			t.Fatal(err)
		}
		p := opt.Compile(g, []graph.Node{y, grad.Gradient(g, y)}, nil)
		if batch.LanesSave(p, batch.Lanes) == 0 || batch.LanesSave(p, batch.Lanes+3) != batch.LanesSave(p, batch.Lanes) {
			t.Errorf("%s: %d operations saved, of %d points %d", c.name, batch.LanesSave(p, batch.Lanes), batch.Lanes+3, batch.LanesSave(p, batch.Lanes+3))
		}
		for n := 2; n <= batch.Lanes; n++ {
			if batch.LanesSave(p, n) < batch.LanesSave(p, n-1) {
				t.Errorf("%s: %d points save %d, one fewer %d", c.name, n, batch.LanesSave(p, n), batch.LanesSave(p, n-1))
			}
		}
		if batch.LanesSave(p, 1) != 0 {
			t.Errorf("%s: a single point saves %d", c.name, batch.LanesSave(p, 1))
		}
	}
}
