// Blocks for several points whose numbers lie in different ways.

package autodiff

import (
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff/internal/batch"
	"github.com/seed-12b88e03/ppl/autodiff/internal/codegen"
	"github.com/seed-12b88e03/ppl/autodiff/internal/grad"
	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/internal/loop"
	"github.com/seed-12b88e03/ppl/autodiff/internal/opt"
	"github.com/seed-12b88e03/ppl/autodiff/native"
)

// The adjoints of a scan's output, of which the way back takes all but the first: lanes of
// some of these four numbers are apart.
func TestLanesOfPartlyStridedVector(t *testing.T) {
	needLanes(t)
	g := graph.NewGraph(1)
	r := loop.NewLoop(g, 3).Variant(nil)
	next := graph.Ref{Node: g.Map(graph.Mul, 1, r.Carry(g.Input()), g.Scalar(0.5))}
	if err := r.Close([]graph.Ref{next}, []graph.Ref{next}); err != nil {
		t.Fatal(err)
	}
	out := g.Map(graph.Mul, 1, g.Scalar(-0.1), g.Dot(r.History(0), r.History(0)))
	points := [][]float64{{0.3}, {-1.4}, {2.5}, {0.1}, {-0.7}, {1.1}, {3.2}}
	compareLanes(t, opt.Compile(g, []graph.Node{out, grad.Gradient(g, out)}, nil), points)
}

// A number read in a block after four were stored around it is the one that was stored,
// though it lay beside one read before.
func TestLanesSeeWhatTheirBlockStored(t *testing.T) {
	needLanes(t)
	const slots = 16
	w := &batch.BatchLowerer{Layout: batch.Place((&codegen.Program{Slots: slots}), []batch.Span{{Lo: 0, Hi: 8}}), Zero: codegen.Lanes * slots}
	block := w.Block([]native.Inst{
		{Op: native.Add, A: native.InSlot(1), B: native.InSlot(1), Slot: native.NoSlot},
		{Op: native.Add, Wide: true, A: native.InSlot(8), B: native.InSlot(8), Slot: 2},
		{Op: native.Add, A: 0, B: native.InSlot(2), Slot: 12},
	})
	code, err := native.Build([][]native.Inst{block}, codegen.Lanes*slots+codegen.Lanes)
	if err != nil {
		t.Fatal(err)
	}
	arena := native.NewArena(code.Slots())
	for l := range codegen.Lanes {
		for s := range slots {
			arena[w.Address(s, l)] = float64(10*s + l)
		}
	}
	code.Run(0, arena)
	for l := range codegen.Lanes {
		want := 2*float64(10+l) + 2*float64(80+l)
		if s := arena[w.Address(2, l)]; s != 2*float64(80+l) {
			t.Errorf("lane %d: stored %v", l, s)
		}
		if got := arena[w.Address(12, l)]; got != want {
			t.Errorf("lane %d: %v, want %v", l, got, want)
		}
	}
}
