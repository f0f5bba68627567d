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
		for _, f := range p.Products[t.Product] {
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
		p, ok := autodiff.NewPolynomial(g, []autodiff.Root{{Node: c.root}}, domain, 1e6)
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
	if _, ok := autodiff.NewPolynomial(g, []autodiff.Root{{Node: g.Dot(residual, residual)}}, domain, 5); ok {
		t.Error("expanded beyond the limit")
	}
}

// TestFactorsInProportion multiplies out factors with two entries, each a normal log density of one
// observation with unknown location and precision. However many there are, they share eight products;
// their entries have terms in proportion, and an allowance of work that a node which grows with the
// square of its observations exceeds is not exceeded.
func TestFactorsInProportion(t *testing.T) {
	const work = 1000
	domain := autodiff.Domain{Positive: []bool{false, false, true, true}, Unit: make([]bool, 4)}
	for _, n := range []int{10, 1000} {
		g := autodiff.NewGraph(4)
		x := func(i int) autodiff.Node { return g.Elem(g.Input(), i) }
		data := make([]float64, n)
		for i := range data {
			data[i] = 1 + float64(i)
		}
		entry := func(k int) autodiff.Ref { // 0.5 log p - 0.5 p (y - m)^2 of all observations
			residual := g.Map(autodiff.Sub, n, g.Const(data), x(k))
			square := g.Map(autodiff.Mul, n, x(2+k), g.Map(autodiff.Square, n, residual))
			return autodiff.Ref{Node: g.Map(autodiff.Mul, n, g.Scalar(0.5), g.Map(autodiff.Sub, n, g.Map(autodiff.Log, 1, x(2+k)), square))}
		}
		roots := []autodiff.Root{{Table: []autodiff.Ref{entry(0), entry(1)}, Many: n}}
		p, ok := autodiff.NewPolynomial(g, roots, domain, work)
		if !ok {
			t.Fatalf("%d factors are too much work", n)
		}
		if len(p.Products) != 8 || len(p.Start) != 2*n+1 || len(p.Entries) != 8*n || len(p.Terms) != 0 {
			t.Errorf("%d factors: %d products, %d entries with %d terms; want 8, %d, %d", n, len(p.Products), len(p.Start)-1, len(p.Entries), 2*n, 8*n)
		}
		// Entry 1 of factor 2, whose observation is 3, at m = 0.5 and p = 2.
		at := []float64{0, 0.5, 1, 2}
		value, of := 0.0, atoms(t, g, p, at)
		for _, e := range p.Entries[p.Start[5]:p.Start[6]] {
			v := e.Coef
			for _, f := range p.Products[e.Product] {
				v *= math.Pow(of(int(f.Atom)), f.Exp)
			}
			value += v
		}
		if want := 0.5*math.Log(2) - 0.5*2*2.5*2.5; math.Abs(value-want) > 1e-12 {
			t.Errorf("an entry is %v, want %v", value, want)
		}
	}
	g := autodiff.NewGraph(100)
	sum := g.Sum(g.Input())
	if _, ok := autodiff.NewPolynomial(g, []autodiff.Root{{Node: g.Map(autodiff.Square, 1, sum)}}, autodiff.Domain{}, work); ok {
		t.Error("the square of a sum of 100 was multiplied out")
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
