// Golden texts of a small graph and its program.

package autodiff

import (
	"flag"
	"math"
	"os"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff/internal/grad"
	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/internal/opt"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// smallGraph uses every kind of node that a language without checks can make.
func smallGraph() (*graph.Graph, []graph.Node, []graph.Node) {
	g := graph.NewGraph(3)
	g.Interpret()
	roots, effects := everyVariant(g)
	return g, roots, effects
}

// everyVariant fills a graph with input of length 3.
func everyVariant(g *graph.Graph) (roots, effects []graph.Node) {
	q := g.Input()
	y := g.Map(graph.Exp, 3, q)
	z := g.Map(sin, 3, g.Map(graph.Mul, 3, y, g.Const([]float64{1, 2, 3})))
	a := g.MatVec(g.Const([]float64{1, 2, 3, 4, 5, 6}), z, 2)
	picked := g.Gather([]graph.Ref{{Node: q, Elem: 0}, {Node: z, Elem: 2}, {Node: q, Elem: 2}})
	out := g.Map(graph.Add, 1, g.Dot(picked, y), g.Sum(g.Map(graph.Square, 2, a)))
	out = g.Map(graph.Add, 1, out, g.Map(graph.InvLogit, 1, g.Elem(q, 1)))
	out = g.Map(graph.Add, 1, out, g.Sum(g.Opaque(graph.Outer{}, 6, a, z)))
	effects = []graph.Node{g.Check(y, math.SmallestNonzeroFloat64, math.Inf(1)), g.Guard(g.Elem(q, 0), []float64{1})}
	return []graph.Node{out, grad.Gradient(g, out)}, effects
}

func TestDumpGolden(t *testing.T) {
	g, roots, effects := smallGraph()
	got := g.Dump() + "\n" + opt.Compile(g, roots, effects).Dump()
	const path = "testdata/dump.golden"
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("differs from %s (go test -update writes it anew); got\n%s", path, got)
	}
}
