// Programs with machine code against the same ones interpreted, bit for bit.

package autodiff

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff/internal/codegen"
	"github.com/seed-12b88e03/ppl/autodiff/internal/grad"
	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/internal/opt"
	"github.com/seed-12b88e03/ppl/autodiff/native"
)

func sameBits(x, y float64) bool {
	return math.Float64bits(x) == math.Float64bits(y) || math.IsNaN(x) && math.IsNaN(y)
}

// bothWays compiles a graph with and without machine code.
func bothWays(g *graph.Graph, roots []graph.Node) (coded, interpreted *codegen.Program) {
	coded = opt.Compile(g, roots, nil)
	g.Interpret()
	return coded, opt.Compile(g, roots, nil)
}

func compareWays(t *testing.T, g *graph.Graph, roots []graph.Node, q ...[]float64) {
	t.Helper()
	coded, interpreted := bothWays(g, roots)
	a, b := coded.NewMachine(), interpreted.NewMachine()
	for _, x := range q {
		if a.Run(x) != nil || b.Run(x) != nil {
			t.Fatal("a run failed")
		}
		for i := range roots {
			for k, v := range b.Root(i) {
				if w := a.Root(i)[k]; !sameBits(v, w) {
					t.Fatalf("root %d element %d at %v: %v native, %v interpreted\n%s\n%s\n%s", i, k, x, w, v, g.Dump(), coded.Dump(), interpreted.Dump())
				}
			}
		}
	}
}

func TestNativeEqualsInterpreter(t *testing.T) {
	if r := native.Reason(); r != "" {
		t.Skip("no native code: " + r)
	}
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 2))
		dim := 1 + r.IntN(13)
		g, out := randomGraph(r, dim, 1+r.IntN(80))
		point := func() []float64 {
			q := make([]float64, dim)
			for i := range q {
				q[i] = r.NormFloat64()
				if r.IntN(20) == 0 {
					q[i] = []float64{0, math.Inf(1), math.NaN(), 1e200, math.Copysign(0, -1)}[r.IntN(5)]
				}
			}
			return q
		}
		compareWays(t, g, []graph.Node{out, grad.Gradient(g, out)}, point(), point(), point())
	}
}

// A long program is several blocks, so that none keeps a collection waiting.
func TestLongProgramsHaveSeveralBlocks(t *testing.T) {
	if r := native.Reason(); r != "" {
		t.Skip("no native code: " + r)
	}
	g := graph.NewGraph(2)
	x, y := g.Elem(g.Input(), 0), g.Elem(g.Input(), 1)
	for i := range native.MaxBlock / 4 {
		z := g.Map(graph.Mul, 1, g.Scalar(0.45+float64(i%7)/10), x)
		x, y = y, g.Map(graph.Add, 1, z, g.Map(graph.Shift, 1, y, x))
	}
	p := opt.Compile(g, []graph.Node{y}, nil)
	if s := p.Stats(); s.Instructions < 2 || s.Native < native.MaxBlock/2 {
		t.Errorf("%d blocks of %d operations in all", s.Instructions, s.Native)
	}
	compareWays(t, g, []graph.Node{x, y}, []float64{1, 1e-3})
}
