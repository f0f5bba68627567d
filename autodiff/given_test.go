// Given numbers: programs with exchanged ones against programs compiled with them.

package autodiff

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestGivenNumbersAreExchanged(t *testing.T) {
	build := func(y []float64, given bool) *Program {
		g := NewGraph(2)
		data := g.Const(y)
		if given {
			data = g.Given(y)
		}
		mu, scale := g.Elem(g.Input(), 0), g.Map(Exp, 1, g.Elem(g.Input(), 1))
		z := g.Map(Div, 3, g.Map(Sub, 3, data, mu), scale)
		fixed := g.Sum(g.Map(Square, 3, g.Map(Exp, 3, data)))
		out := g.Map(Add, 1, g.Map(Mul, 1, fixed, g.Elem(g.Input(), 0)), g.Sum(g.Map(Square, 3, z)))
		return g.Compile([]Node{out, g.Gradient(out)}, nil)
	}
	r := rand.New(rand.NewPCG(1, 2))
	first := build([]float64{0.1, 0.2, 0.3}, true)
	old := first.NewMachine()
	for range 5 {
		y := []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		m, want := first.With(y).NewMachine(), build(y, false).NewMachine()
		for range 3 {
			q := []float64{r.NormFloat64(), r.NormFloat64()}
			for _, x := range []*Machine{m, want, old} {
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

// What depends on given numbers alone is computed once, guards included.
func TestGivenGuard(t *testing.T) {
	calls := 0
	count := &Op{Name: "count", F1: func(x float64) float64 { calls++; return x }}
	g := NewGraph(1)
	y := g.Map(count, 1, g.Given([]float64{2}))
	out := g.Map(Mul, 1, y, g.Input())
	p := g.Compile([]Node{out}, []Node{g.Guard(y, []float64{2})})
	m := p.NewMachine()
	for range 4 {
		if err := m.Run([]float64{3}); err != nil || m.Root(0)[0] != 6 {
			t.Fatalf("got %v and %v, want 6", m.Root(0), err)
		}
	}
	if calls != 1 {
		t.Errorf("computed %d times, want once", calls)
	}
	if err := p.With([]float64{5}).NewMachine().Run([]float64{3}); err != ErrGuard {
		t.Errorf("got %v, want ErrGuard", err)
	}
}

// Given numbers can be exchanged in programs that do not use them, whatever the graph went
// through: of several programs made for one set of numbers only some do.
func TestGivenButNotUsed(t *testing.T) {
	const rows = 600
	rowwise, sum := mixture(rows) // is packed, then joined to strips
	whole := NewGraph(rows)       // is joined only
	chain := whole.Sum(whole.Map(Log1p, rows, whole.Map(Exp, rows, whole.Map(Square, rows, whole.Input()))))
	for i, c := range []struct {
		g   *Graph
		out Node
	}{{rowwise, sum}, {whole, chain}} {
		c.g.Given([]float64{1, 2})
		h, to := c.g.Pack([]Node{c.out})
		p := h.Compile([]Node{to(c.out)}, nil)
		a, b := p.NewMachine(), p.With([]float64{3, 4}).NewMachine()
		q := make([]float64, c.g.dims)
		if a.Run(q) != nil || b.Run(q) != nil || a.Root(0)[0] != b.Root(0)[0] {
			t.Errorf("graph %d: %v and %v", i, a.Root(0), b.Root(0))
		}
	}
}
