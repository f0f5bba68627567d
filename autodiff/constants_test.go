// Runtime constants: programs with exchanged ones against programs compiled with them.

package autodiff

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff/internal/batch"
	"github.com/seed-12b88e03/ppl/autodiff/internal/codegen"
	"github.com/seed-12b88e03/ppl/autodiff/internal/grad"
	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/internal/opt"
)

func TestRuntimeConstantsAreExchanged(t *testing.T) {
	build := func(y []float64, given bool) *codegen.Program {
		g := graph.NewGraph(2)
		data := g.Const(y)
		if given {
			data = g.RuntimeConstants(y)
		}
		mu, scale := g.Elem(g.Input(), 0), g.Map(graph.Exp, 1, g.Elem(g.Input(), 1))
		z := g.Map(graph.Div, 3, g.Map(graph.Sub, 3, data, mu), scale)
		fixed := g.Sum(g.Map(graph.Square, 3, g.Map(graph.Exp, 3, data)))
		out := g.Map(graph.Add, 1, g.Map(graph.Mul, 1, fixed, g.Elem(g.Input(), 0)), g.Sum(g.Map(graph.Square, 3, z)))
		return opt.Compile(g, []graph.Node{out, grad.Gradient(g, out)}, nil)
	}
	r := rand.New(rand.NewPCG(1, 2))
	first := build([]float64{0.1, 0.2, 0.3}, true)
	old := first.NewMachine()
	for range 5 {
		y := []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		m, want := first.WithConstants(y).NewMachine(), build(y, false).NewMachine()
		for range 3 {
			q := []float64{r.NormFloat64(), r.NormFloat64()}
			for _, x := range []*codegen.Machine{m, want, old} {
				if err := x.Run(q); err != nil {
					t.Fatal(err)
				}
			}
			for i := range 2 {
				if !slices.Equal(m.Root(i), want.Root(i)) {
					t.Errorf("root %d is %v, compiled with the numbers %v", i, m.Root(i), want.Root(i))
				}
			}
			if old.Root(0)[0] == m.Root(0)[0] {
				t.Error("the other program changed, too")
			}
		}
	}
}

// What depends on runtime constants alone is computed once, guards included.
func TestRuntimeConstantsInGuard(t *testing.T) {
	calls := 0
	count := &graph.Op{Name: "count", F1: func(x float64) float64 { calls++; return x }}
	g := graph.NewGraph(1)
	y := g.Map(count, 1, g.RuntimeConstants([]float64{2}))
	out := g.Map(graph.Mul, 1, y, g.Input())
	p := opt.Compile(g, []graph.Node{out}, []graph.Node{g.Guard(y, []float64{2})})
	m := p.NewMachine()
	for range 4 {
		if err := m.Run([]float64{3}); err != nil || m.Root(0)[0] != 6 {
			t.Fatalf("got %v and %v, want 6", m.Root(0), err)
		}
	}
	if calls != 1 {
		t.Errorf("computed %d times, want once", calls)
	}
	if err := p.WithConstants([]float64{5}).NewMachine().Run([]float64{3}); err != codegen.ErrGuard {
		t.Errorf("got %v, want ErrGuard", err)
	}
}

// Runtime constants can be exchanged in programs that do not use them, whatever the graph went
// through: of several programs made for one set of numbers only some do.
func TestRuntimeConstantsUnused(t *testing.T) {
	const rows = 600
	rowwise, sum := mixture(rows) // is vectorised, then fused
	whole := graph.NewGraph(rows) // is joined only
	chain := whole.Sum(whole.Map(graph.Log1p, rows, whole.Map(graph.Exp, rows, whole.Map(graph.Square, rows, whole.Input()))))
	for i, c := range []struct {
		g   *graph.Graph
		out graph.Node
	}{{rowwise, sum}, {whole, chain}} {
		c.g.RuntimeConstants([]float64{1, 2})
		h, to := opt.VectorizeSLP(c.g, []graph.Node{c.out})
		p := opt.Compile(h, []graph.Node{to(c.out)}, nil)
		a, b := p.NewMachine(), p.WithConstants([]float64{3, 4}).NewMachine()
		q := make([]float64, c.g.Dims)
		if a.Run(q) != nil || b.Run(q) != nil || a.Root(0)[0] != b.Root(0)[0] {
			t.Errorf("graph %d: %v and %v", i, a.Root(0), b.Root(0))
		}
	}
}

// Lanes may have other runtime constants each: their results are those of the programs with these,
// also when some of the lanes get others while the machine is in use.
func TestLanesOfOtherRuntimeConstants(t *testing.T) {
	needLanes(t)
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 5))
		dim, size := 1+r.IntN(13), 80
		if seed%10 == 0 { // vectors that blocks leave to calls
			dim, size = dim+codegen.ShortVector, 20
		}
		normals := func() []float64 {
			x := make([]float64, dim)
			for i := range x {
				x[i] = r.NormFloat64()
			}
			return x
		}
		g := graph.NewGraph(dim)
		out := randomSum(r, g, g.RuntimeConstants(normals()), 1+r.IntN(size))
		p := opt.Compile(g, []graph.Node{out, grad.Gradient(g, out)}, []graph.Node{g.Check(out, math.Inf(-1), 2)})
		var given [batch.Lanes]*codegen.Program
		for l := range given {
			given[l] = p
		}
		m := batch.NewLaneMachine(p)
		for range 12 {
			for l := range given {
				if r.IntN(3) == 0 {
					given[l] = p.WithConstants(normals())
					m.BindConstants(l, given[l])
				}
			}
			points := [][]float64{normals(), normals(), normals(), normals()}[:1+r.IntN(batch.Lanes)]
			m.Run(points)
			for l, q := range points {
				sameAsAlone(t, m, l, given[l], q)
			}
		}
	}
}

// sameAsAlone compares a lane with its program.
func sameAsAlone(t *testing.T, m *batch.LaneMachine, l int, p *codegen.Program, q []float64) {
	t.Helper()
	alone := p.NewMachine()
	err := alone.Run(q)
	if got := m.Err(l); (err == nil) != (got == nil) {
		t.Fatalf("lane %d fails with %v, alone with %v", l, got, err)
	}
	if err != nil {
		return
	}
	for i := range p.Roots {
		want := alone.Root(i)
		all := make([][]float64, batch.Lanes)
		all[l] = make([]float64, len(want))
		m.Root(i, all)
		for k, x := range all[l] {
			if !sameBits(x, want[k]) {
				t.Fatalf("root %d element %d: %v in lane %d, %v alone\n%s", i, k, x, l, want[k], p.Dump())
			}
		}
	}
}

// counting is the identity. It counts its calls.
type counting struct{ calls *int }

func (c counting) Instance() graph.Instance          { return c }
func (c counting) Fused([]bool) (graph.Opaque, bool) { return nil, false }
func (c counting) Value(in [][]float64, out []float64) error {
	*c.calls++
	copy(out, in[0])
	return nil
}
func (c counting) VJP([][]float64, []float64, []float64, [][]float64) {}

// A function of runtime constants alone is computed for the lane that got them, and weighs nothing.
func TestRuntimeConstantsInOneLane(t *testing.T) {
	needLanes(t)
	calls := 0
	g := graph.NewGraph(1)
	y := g.Sum(g.Opaque(counting{&calls}, 100, g.RuntimeConstants(make([]float64, 100))))
	p := opt.Compile(g, []graph.Node{g.Map(graph.Mul, 1, y, g.Input())}, nil)
	m := batch.NewLaneMachine(p)
	run := func(want int) {
		t.Helper()
		calls = 0
		if m.Run([][]float64{{1}, {2}, {3}, {4}}); calls != want {
			t.Errorf("%d calls, want %d", calls, want)
		}
	}
	run(batch.Lanes)
	run(0)
	ones := p.WithConstants(slices.Repeat([]float64{1}, 100))
	m.BindConstants(2, ones)
	if !m.Runs(ones) {
		t.Error("the program with other numbers is said to be another one")
	}
	run(1)
	if got := m.Number(0, 2); got != 300 {
		t.Errorf("got %v, want 300", got)
	}
	if c := batch.LaneCosts(p, p.Batch.Blocks); c.Alone > batch.CostRun+20 {
		t.Errorf("a product weighs %d", c.Alone-batch.CostRun)
	}
}
