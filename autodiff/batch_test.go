// Programs at several points at once against the same ones at one, bit for bit.

package autodiff

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff/internal/batch"
	"github.com/seed-12b88e03/ppl/autodiff/internal/codegen"
	"github.com/seed-12b88e03/ppl/autodiff/internal/grad"
	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/internal/opt"
	"github.com/seed-12b88e03/ppl/autodiff/native"
)

func needLanes(t *testing.T) {
	t.Helper()
	if r := native.Reason(); r != "" {
		t.Skip("no native code: " + r)
	}
}

// compareLanes runs programs at one to four points at once and one after the other. Lanes that are
// idle hold what they held in the pass before.
func compareLanes(t *testing.T, p *codegen.Program, points [][]float64) {
	t.Helper()
	single := p.NewMachine()
	several := batch.NewLaneMachine(p)
	for pass := 0; len(points) > 0; pass++ {
		n := min([]int{4, 2, 1, 3}[pass%4], len(points))
		several.Run(points[:n])
		for l, q := range points[:n] {
			err := single.Run(q)
			got := several.Err(l)
			if (err == nil) != (got == nil) || err != nil && err.Error() != got.Error() {
				t.Fatalf("point %v: %v in a lane, %v alone", q, got, err)
			}
			for i := range p.Roots {
				want := single.Root(i)
				have := make([]float64, len(want))
				all := make([][]float64, n)
				all[l] = have
				several.Root(i, all)
				for k := range want {
					if err == nil && !sameBits(have[k], want[k]) {
						t.Fatalf("root %d element %d at %v: %v in a lane, %v alone\n%s\n%s", i, k, q, have[k], want[k], p.Dump(), several.Form.Prog.Dump())
					}
				}
			}
		}
		points = points[n:]
	}
}

func TestLanesEqualMachine(t *testing.T) {
	needLanes(t)
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 3))
		dim, size := 1+r.IntN(13), 80
		if seed%10 == 0 { // vectors that blocks leave to calls
			dim, size = dim+codegen.ShortVector, 20
		}
		g, out := randomGraph(r, dim, 1+r.IntN(size))
		var points [][]float64
		for range 9 {
			q := make([]float64, dim)
			for i := range q {
				q[i] = r.NormFloat64()
				if r.IntN(20*dim) == 0 {
					q[i] = []float64{0, math.Inf(1), math.NaN(), 1e200, math.Copysign(0, -1)}[r.IntN(5)]
				}
			}
			points = append(points, q)
		}
		most := 1.0
		if seed%3 > 0 {
			most = math.Inf(1)
		}
		bound := g.Check(out, -most, most)
		compareLanes(t, opt.Compile(g, []graph.Node{out, grad.Gradient(g, out)}, []graph.Node{bound}), points)
	}
}

// A lane that fails leaves the others alone: here its guard does not hold, or its check
// fails.
func TestLanesFailAlone(t *testing.T) {
	needLanes(t)
	g := graph.NewGraph(3)
	roots, effects := everyVariant(g)
	under := math.Inf(-1) // of which the exponential is 0, and fails the check
	compareLanes(t, opt.Compile(g, roots, effects), [][]float64{
		{1, 2, 3}, {2, 2, 3}, {1, 0.5, -1}, {1, under, 3}, {1, 1, under}, {2, under, 1}, {1, 0, 0}, {1, -2, 0.1}, {2, 0, 0},
	})
}

// Runtime constants are those of the copy, and what depends on them alone is computed once,
// whichever lanes are in use.
func TestLanesOfRuntimeConstants(t *testing.T) {
	needLanes(t)
	g := graph.NewGraph(2)
	given := g.RuntimeConstants([]float64{1, 2, 3})
	x := g.Map(graph.Mul, 1, g.Sum(g.Map(graph.Exp, 3, given)), g.Elem(g.Input(), 0))
	p := opt.Compile(g, []graph.Node{g.Map(graph.Add, 1, x, g.Elem(g.Input(), 1))}, nil)
	for _, q := range []*codegen.Program{p, p.WithConstants([]float64{0.5, -1, 2})} {
		compareLanes(t, q, [][]float64{{1, 2}, {3, 4}, {5, 6}, {7, 8}, {-1, 0.5}, {2, 2}, {0, 1}})
	}
}
