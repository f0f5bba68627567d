// Fused loops against the same ones on whole vectors.

package autodiff

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff/internal/grad"
	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/internal/opt"
	"github.com/seed-12b88e03/ppl/autodiff/native"
)

func TestLoopFusionIsEqual(t *testing.T) {
	joined := 0
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 12))
		dim := opt.MinTiles + r.IntN(3*opt.Tile)
		g, out := randomGraph(r, dim, 5+r.IntN(40))
		roots := []graph.Node{out, grad.Gradient(g, out)}
		if h, _ := opt.FuseLoops(g, roots); h != g {
			joined++
		}
		a := opt.Compile(g, roots, nil).NewMachine()
		g.Off |= graph.OptLoopFusion
		b := opt.Compile(g, roots, nil).NewMachine()
		q := make([]float64, dim)
		for i := range q {
			q[i] = r.NormFloat64()
		}
		if a.Run(q) != nil || b.Run(q) != nil {
			t.Fatal("a run failed")
		}
		for i := range roots {
			for k, v := range b.Root(i) {
				if w := a.Root(i)[k]; math.Abs(v-w) > 1e-11*(1+math.Abs(v)) {
					t.Fatalf("seed %d, root %d element %d: %v in tiles, %v as it was", seed, i, k, w, v)
				}
			}
		}
		g.Off &^= graph.OptLoopFusion
		if native.Reason() == "" {
			special := append([]float64(nil), q...)
			for range 5 {
				special[r.IntN(dim)] = []float64{0, math.Inf(1), math.NaN(), 1e200, math.Copysign(0, -1)}[r.IntN(5)]
			}
			compareWays(t, g, roots, q, special)
		}
	}
	if joined < 100 {
		t.Errorf("only %d graphs had fused loops", joined)
	}
}

func TestLoopFusionAllocatesNothing(t *testing.T) {
	g, out := mixture(2 * opt.MinTiles)
	h, to := opt.VectorizeSLP(g, []graph.Node{out})
	m := opt.Compile(h, []graph.Node{to(out), grad.Gradient(h, to(out))}, nil).NewMachine()
	q := make([]float64, 9)
	if n := testing.AllocsPerRun(20, func() { _ = m.Run(q) }); n != 0 {
		t.Errorf("%v allocations per gradient, want 0", n)
	}
}
