// Polynomials against the graph's own value, and the products that must show.

package autodiff_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff"
)

// describe writes the products of a polynomial.
func describe(p *autodiff.Polynomial) string {
	var out []string
	for _, t := range p.Terms {
		s := fmt.Sprintf("%.4g", t.Coef)
		for _, f := range t.Powers {
			a := p.Atoms[f.Atom]
			s += fmt.Sprintf(" %s%d^%g", [...]string{"x", "c", "lx", "lc", "f"}[a.Kind], a.Elem, f.Exp)
		}
		out = append(out, s)
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

func TestPolynomial(t *testing.T) {
	g := autodiff.NewGraph(4) // two reals, a positive number, one between 0 and 1
	domain := autodiff.Domain{Positive: []bool{false, false, true, true}, Unit: []bool{false, false, false, true}}
	in := []float64{0.7, -1.2, 2.5, 0.3}
	x := func(i int) autodiff.Node { return g.Elem(g.Input(), i) }
	m1 := func(op *autodiff.Op, a autodiff.Node) autodiff.Node { return g.Map(op, g.Len(a), a) }
	m2 := func(op *autodiff.Op, a, b autodiff.Node) autodiff.Node {
		return g.Map(op, max(g.Len(a), g.Len(b)), a, b)
	}
	y := g.Const([]float64{1, 2, 4})
	residual := m2(autodiff.Sub, y, x(0))
	odds := m2(autodiff.Div, x(3), m2(autodiff.Sub, g.Scalar(1), x(3)))
	for _, c := range []struct {
		name string
		root autodiff.Node
		want string
	}{
		{"square", m2(autodiff.Mul, g.Dot(residual, residual), m1(autodiff.Inv, x(2))),
			"-14 x0^1 x2^-1, 21 x2^-1, 3 x0^2 x2^-1"},
		{"root", m1(autodiff.Square, m1(autodiff.Inv, m1(autodiff.Sqrt, x(2)))), "1 x2^-1"},
		{"log", m1(autodiff.Log, m2(autodiff.Mul, g.Scalar(3), m1(autodiff.Inv, m1(autodiff.Sqrt, x(2))))), "-0.5 lx2^1, 1.099"},
		{"odds", m2(autodiff.Sub, m1(autodiff.Log, odds), m2(autodiff.Mul, g.Scalar(4), m1(autodiff.Log1p, odds))), "1 lx3^1, 3 lc3^1"},
		{"log of a product with a sum", m1(autodiff.Log, m2(autodiff.Mul, m1(autodiff.Square, m2(autodiff.Sub, g.Scalar(1), x(3))), m1(autodiff.Inv, x(2)))), "-1 lx2^1, 2 lc3^1"},
		{"log of numbers of any sign", m1(autodiff.Log, m2(autodiff.Mul, x(0), x(1))), "1 f0^1"},
		{"log of one of any sign", m1(autodiff.Log, m2(autodiff.Mul, x(2), m1(autodiff.Square, x(0)))), "1 f0^1"},
		{"log of an atom", m2(autodiff.Mul, x(2), m1(autodiff.Log, m1(autodiff.Log1pExp, x(0)))), "1 x2^1 f0^1"},
		{"log of a product with an atom", m1(autodiff.Log, m2(autodiff.Mul, x(2), m1(autodiff.Log1pExp, x(0)))), "1 f0^1, 1 lx2^1"},
		{"other", m2(autodiff.Mul, x(0), m1(autodiff.Exp, x(1))), "1 x0^1 f0^1"},
		{"root of a square", m1(autodiff.Sqrt, m1(autodiff.Square, x(1))), "1 f0^1"},
		{"matrix", g.Dot(g.MatVec(g.Const([]float64{1, 2, 3, 4}), g.View(g.Input(), 0, 2), 2), g.Const([]float64{1, -1})),
			"-1 x0^1, -1 x1^1"},
	} {
		p, ok := autodiff.NewPolynomial(g, []autodiff.Node{c.root}, domain, 1e6)
		if !ok {
			t.Fatalf("%s: too much work", c.name)
		}
		if got := describe(p); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if got, want := p.Value(atoms(t, g, p, in)), value(t, g, c.root, in); math.Abs(got-want) > 1e-12*math.Abs(want) {
			t.Errorf("%s is %v, want %v", c.name, got, want)
		}
	}
	if _, ok := autodiff.NewPolynomial(g, []autodiff.Node{g.Dot(residual, residual)}, domain, 5); ok {
		t.Error("expanded beyond the limit")
	}
}

// value compiles and runs a node.
func value(t *testing.T, g *autodiff.Graph, x autodiff.Node, in []float64) float64 {
	t.Helper()
	m := autodiff.Compile(g, []autodiff.Node{x}, nil).NewMachine()
	if err := m.Run(in); err != nil {
		t.Fatal(err)
	}
	return m.Root(0)[0]
}

func atoms(t *testing.T, g *autodiff.Graph, p *autodiff.Polynomial, in []float64) func(i int) float64 {
	return func(i int) float64 {
		switch a := p.Atoms[i]; a.Kind {
		case autodiff.Element:
			return in[a.Elem]
		case autodiff.Complement:
			return 1 - in[a.Elem]
		case autodiff.LogElement:
			return math.Log(in[a.Elem])
		case autodiff.LogComplement:
			return math.Log1p(-in[a.Elem])
		default:
			return value(t, g, g.Elem(a.Node, a.Elem), in)
		}
	}
}
