// The known conditionals, recognised by the products that numbers occur in.

package conjugate

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/ir/bind/trace"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/sparse"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// maxNormal is the greatest number of numbers drawn jointly from a normal.
const maxNormal = 1000

// normals puts a parameter into a joint normal block with others, or one of its own,
// where the log density is a polynomial of degree 2 in all its numbers; otherwise each
// number is looked at by itself.
func (a *analysis) normals(p *trace.Param, at, n, free int) {
	own := trace.Span(at, n)
	if n > maxNormal || a.by.Choice == infer.ByElement || !a.quadratic(own) {
		first := len(a.b.list)
		for i := range n {
			a.oneNormal(p, at+i, i, free+i)
		}
		a.together(p, first, free, n)
		return
	}
	for _, c := range a.b.list {
		if c.shape != nil && a.by.Choice != infer.ByParameter && c.group == a.by.Group(p.Var.Name) && len(c.at)+n <= maxNormal && a.quadratic(slices.Concat(c.at, own)) {
			c.Name += ", " + p.Var.Name
			c.at = append(c.at, own...)
			c.Coords = append(c.Coords, trace.Span(free, n)...)
			return
		}
	}
	a.addNormal(p, p.Var.Name, own, trace.Span(free, n))
}

func (a *analysis) addNormal(p *trace.Param, name string, at, coords []int) {
	c := &conditional{p: p, draw: drawNormal, at: at, shape: &normal{}}
	c.Block = infer.Block{Name: name, Form: "normal", Exact: true, Coords: coords}
	a.add(c)
}

func (a *analysis) oneNormal(p *trace.Param, number, i, coord int) {
	name := trace.NumberName(p.Var, p.Shape.Dims, i)
	k, own := a.beyond([]int{number})
	if k < 0 {
		a.addNormal(p, name, []int{number}, []int{coord})
		return
	}
	wanted := fmt.Sprintf("the normal has %s and its square only", name)
	a.addSlice(p, name, []int{coord}, a.obstacle(k, own, wanted))
}

func (a *analysis) addSlice(p *trace.Param, name string, coords []int, why string) {
	c := &conditional{p: p}
	c.Block = infer.Block{Name: name, Form: "slice", Coords: coords, Reason: why}
	a.add(c)
}

// quadratic reports whether the log density is a polynomial of degree 2 in the numbers.
func (a *analysis) quadratic(numbers []int) bool {
	k, _ := a.beyond(numbers)
	return k < 0
}

// beyond returns the first product in which the numbers occur otherwise than in a
// polynomial of degree 2, and how; -1 where there is none.
func (a *analysis) beyond(numbers []int) (product int32, own []autodiff.Power) {
	marked := a.marks(numbers)
	var met []int32
	defer func() { a.forget(met) }()
	for _, i := range numbers {
		for _, k := range a.x.with[i] {
			if a.seen[k] {
				continue
			}
			a.seen[k], met = true, append(met, k)
			own, _ := a.x.split(a.x.list[k].powers, marked)
			degree := 0.0
			for _, p := range own {
				if a.x.atoms[p.Atom].Kind != autodiff.Element || p.Exp != 1 && p.Exp != 2 {
					return k, own
				}
				degree += p.Exp
			}
			if degree > 2 {
				return k, own
			}
		}
	}
	return -1, nil
}

// marks marks the numbers until it is called again.
func (a *analysis) marks(numbers []int) func(i int) bool {
	for _, i := range a.set {
		a.mark[i] = false
	}
	a.set = append(a.set[:0], numbers...)
	for _, i := range numbers {
		a.mark[i] = true
	}
	return func(i int) bool { return a.mark[i] }
}

func (a *analysis) forget(products []int32) {
	for _, k := range products {
		a.seen[k] = false
	}
}

// of lists the products that depend on some of the numbers.
func (a *analysis) of(numbers []int) []int32 {
	var out []int32
	for _, i := range numbers {
		for _, k := range a.x.with[i] {
			if !a.seen[k] {
				a.seen[k], out = true, append(out, k)
			}
		}
	}
	a.forget(out)
	slices.Sort(out)
	return out
}

// finishNormal makes a normal block's table: its precision matrix, then precision times
// mean.
func (a *analysis) finishNormal(c *conditional) {
	marked := a.marks(c.at)
	if a.local == nil {
		a.local = make([]int, a.b.size)
	}
	for i, k := range c.at {
		a.local[k] = i
	}
	where := func(p autodiff.Power) int { return a.local[a.x.atoms[p.Atom].Elem] }
	products := a.of(c.at)
	var pairs [][2]int
	for _, k := range products {
		if own, _ := a.x.split(a.x.list[k].powers, marked); len(own) == 2 {
			pairs = append(pairs, [2]int{where(own[0]), where(own[1])})
		}
	}
	p := sparse.NewPattern(len(c.at), pairs)
	size, entries := p.Size()+len(c.at), len(products)
	if c.scale != nil {
		size, entries = size+2, entries+len(a.x.with[c.scale.at[0]])
	}
	t := a.x.newTable(size, entries)
	for _, k := range products {
		own, rest := a.x.split(a.x.list[k].powers, marked)
		if c.scale != nil {
			rest = slices.DeleteFunc(rest, func(p autodiff.Power) bool { return slices.Contains(a.x.uses[p.Atom], c.scale.at[0]) })
		}
		switch i := where(own[0]); {
		case len(own) == 2:
			t.add(p.At(i, where(own[1])), k, rest, -1)
		case own[0].Exp == 2:
			t.add(p.At(i, i), k, rest, -2)
		default:
			t.add(p.Size()+p.Place(i), k, rest, 1)
		}
	}
	if c.scale != nil {
		a.addScale(c, t, size-2)
	}
	c.table = t.done()
	c.shape.pattern = p
}

// A family is a conditional of single numbers with two natural parameters: the
// coefficients of the two functions of the number.
type family struct {
	name   string
	first  autodiff.Power // Atom is an AtomKind here
	second autodiff.Power
	draw   func(s *State, c *conditional, rng *rand.Rand) error
}

func of(kind autodiff.AtomKind, exp float64) autodiff.Power {
	return autodiff.Power{Atom: int32(kind), Exp: exp}
}

// families returns the families of a positive parameter, or of one between zero and one.
func families(l scalarTransform) []family {
	log := of(autodiff.LogElement, 1)
	if l.unit() {
		return []family{{"beta", log, of(autodiff.LogComplement, 1), drawBeta}}
	}
	return []family{
		{"gamma", log, of(autodiff.Element, 1), drawGamma},
		{"inverse gamma", log, of(autodiff.Element, -1), drawInvGamma},
	}
}

// positives finds the conditionals of numbers above zero or between zero and one. Those
// of a container are one block where they are of the same kind and independent given
// the rest.
func (a *analysis) positives(p *trace.Param, at, n, free int, l scalarTransform) {
	own := trace.Span(at, n)
	for _, f := range families(l) {
		if k, _ := a.outside(own, f); k < 0 && a.independent(own) {
			a.addFamily(p, f, p.Var.Name, own, trace.Span(free, n))
			return
		}
	}
	first := len(a.b.list)
	for i := range n {
		a.onePositive(p, trace.NumberName(p.Var, p.Shape.Dims, i), at+i, free+i, l)
	}
	a.together(p, first, free, n)
}

// together replaces the blocks from first on, one for each element of a parameter, by a
// single block where all are drawn by slices. Its reason is that of the first element.
func (a *analysis) together(p *trace.Param, first, free, n int) {
	added := a.b.list[first:]
	if n == 1 || slices.ContainsFunc(added, func(c *conditional) bool { return c.Exact }) {
		return
	}
	why := added[0].Reason
	a.b.list = a.b.list[:first]
	a.addSlice(p, p.Var.Name, trace.Span(free, n), why)
}

func (a *analysis) onePositive(p *trace.Param, name string, number, coord int, l scalarTransform) {
	why := ""
	for _, f := range families(l) {
		k, own := a.outside([]int{number}, f)
		if k < 0 {
			a.addFamily(p, f, name, []int{number}, []int{coord})
			return
		}
		if why != "" {
			why += "; "
		}
		why += a.obstacle(k, own, fmt.Sprintf("the %s has %s and %s only",
			f.name, a.kindText(f.first, name), a.kindText(f.second, name)))
	}
	a.addSlice(p, name, []int{coord}, why)
}

func (a *analysis) kindText(p autodiff.Power, name string) string {
	switch autodiff.AtomKind(p.Atom) {
	case autodiff.LogElement:
		return "log(" + name + ")"
	case autodiff.LogComplement:
		return "log(1 - " + name + ")"
	}
	if p.Exp != 1 {
		return fmt.Sprintf("%s^%g", name, p.Exp)
	}
	return name
}

func (a *analysis) is(p, kind autodiff.Power) bool {
	return a.x.atoms[p.Atom].Kind == autodiff.AtomKind(kind.Atom) && p.Exp == kind.Exp
}

// outside returns the first product in which one of the numbers occurs otherwise than in
// the family; -1 where there is none.
func (a *analysis) outside(numbers []int, f family) (product int32, own []autodiff.Power) {
	for _, i := range numbers {
		marked := func(k int) bool { return k == i }
		for _, k := range a.x.with[i] {
			own, _ := a.x.split(a.x.list[k].powers, marked)
			if len(own) != 1 || !a.is(own[0], f.first) && !a.is(own[0], f.second) {
				return k, own
			}
		}
	}
	return -1, nil
}

// independent reports whether no product has two of the numbers.
func (a *analysis) independent(numbers []int) bool {
	if len(numbers) == 1 {
		return true
	}
	var met []int32
	defer func() { a.forget(met) }()
	for _, i := range numbers {
		for _, k := range a.x.with[i] {
			if a.seen[k] {
				return false
			}
			a.seen[k], met = true, append(met, k)
		}
	}
	return true
}

func (a *analysis) addFamily(p *trace.Param, f family, name string, at, coords []int) {
	n := 0
	for _, i := range at {
		n += len(a.x.with[i])
	}
	t := a.x.newTable(2*len(at), n)
	for j, i := range at {
		marked := func(k int) bool { return k == i }
		for _, k := range a.x.with[i] {
			own, rest := a.x.split(a.x.list[k].powers, marked)
			sum := 2*j + 1
			if a.is(own[0], f.first) {
				sum = 2 * j
			}
			if len(at) == 1 { // products differ, and so do the rests of those of one sum
				t.addOther(sum, k, rest)
			} else {
				t.add(sum, k, rest, 1)
			}
		}
	}
	c := &conditional{p: p, at: at, draw: f.draw, table: t.done()}
	c.Block = infer.Block{Name: name, Form: f.name, Exact: true, Coords: coords}
	a.add(c)
}

// simplexes finds Dirichlet conditionals.
func (a *analysis) simplexes(p *trace.Param, at, n, free int) {
	k := p.Shape.Dims[len(p.Shape.Dims)-1]
	for j := range n / k {
		a.simplex(p, trace.ElementName(p.Var.Name, p.Shape.Dims[:len(p.Shape.Dims)-1], j), trace.Span(at+j*k, k), trace.Span(free+j*(k-1), k-1))
	}
}

func (a *analysis) simplex(p *trace.Param, name string, at, coords []int) {
	marked := a.marks(at)
	products := a.of(at)
	t := a.x.newTable(len(at), len(products))
	for _, k := range products {
		own, rest := a.x.split(a.x.list[k].powers, marked)
		if len(own) != 1 || !a.is(own[0], of(autodiff.LogElement, 1)) {
			a.addSlice(p, name, coords, a.obstacle(k, own, "the Dirichlet has logarithms only"))
			return
		}
		t.add(a.x.atoms[own[0].Atom].Elem-at[0], k, rest, 1)
	}
	c := &conditional{p: p, at: at, dims: []int{len(at)}, draw: drawDirichlet, table: t.done()}
	c.Block = infer.Block{Name: name, Form: "dirichlet", Exact: true, Coords: coords}
	a.add(c)
}

// matrices finds Wishart and inverse Wishart conditionals.
func (a *analysis) matrices(p *trace.Param, at, n, free int) {
	k := p.Shape.Dims[len(p.Shape.Dims)-1]
	size := k * (k + 1) / 2
	for j := range n / (k * k) {
		name := trace.ElementName(p.Var.Name, p.Shape.Dims[:len(p.Shape.Dims)-2], j)
		a.matrix(p, name, k, trace.Span(at+j*k*k, k*k), trace.Span(free+j*size, size))
	}
}

// matrix makes a table of the coefficient of the log determinant, followed by those of
// the elements of the matrix or its inverse.
func (a *analysis) matrix(p *trace.Param, name string, k int, at, coords []int) {
	marked := a.marks(at)
	products := a.of(at)
	direct, inverse := a.x.newTable(1+k*k, len(products)), a.x.newTable(1+k*k, len(products))
	whyDirect, whyInverse := "", ""
	for _, i := range products {
		own, rest := a.x.split(a.x.list[i].powers, marked)
		role, elem := a.role(own, at)
		if role == logDeterminant || role == elementOf {
			direct.add(elem, i, rest, 1)
		} else if whyDirect == "" {
			whyDirect = a.obstacle(i, own, "the Wishart has the elements and the log determinant only")
		}
		if role == logDeterminant || role == inverseOf {
			inverse.add(elem, i, rest, 1)
		} else if whyInverse == "" {
			whyInverse = a.obstacle(i, own, "the inverse Wishart has the elements of the inverse and the log determinant only")
		}
	}
	c := &conditional{p: p, at: at, dims: []int{k, k}}
	switch {
	case whyDirect == "":
		c.draw, c.table = drawWishart, direct.done()
		c.Block = infer.Block{Name: name, Form: "wishart", Exact: true, Coords: coords}
	case whyInverse == "":
		c.draw, c.table = drawInvWishart, inverse.done()
		c.Block = infer.Block{Name: name, Form: "inverse wishart", Exact: true, Coords: coords}
	default:
		c.Block = infer.Block{Name: name, Form: "slice", Coords: coords, Reason: whyDirect + "; " + whyInverse}
	}
	a.add(c)
}

// A matrixRole is how a matrix occurs in a product.
type matrixRole uint8

const (
	noRole matrixRole = iota
	logDeterminant
	elementOf
	inverseOf
)

// role returns the role of a single factor to the power 1, and its position in the table.
func (a *analysis) role(own []autodiff.Power, at []int) (r matrixRole, elem int) {
	if len(own) != 1 || own[0].Exp != 1 {
		return noRole, 0
	}
	return roleOf(a.x.g, a.x.atoms[own[0].Atom], at)
}

// roleOf returns the role of an atom for the matrix with the elements at.
func roleOf(g *autodiff.Graph, t autodiff.Atom, at []int) (r matrixRole, elem int) {
	if t.Kind == autodiff.Element {
		return elementOf, 1 + t.Elem - at[0]
	}
	if t.Kind != autodiff.Other {
		return noRole, 0
	}
	fn, in := g.Function(t.Node)
	f, ok := fn.(stdlib.MatrixFunction)
	if !ok || f.Size*f.Size != len(at) {
		return noRole, 0
	}
	if off, ok := g.FromInput(in[0]); !ok || off != at[0] {
		return noRole, 0
	}
	switch f.Name {
	case stdlib.LogDeterminantSPD:
		return logDeterminant, 0
	case stdlib.InverseSPD:
		return inverseOf, 1 + t.Elem
	}
	return noRole, 0
}
