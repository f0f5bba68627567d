// Polynomials: what scalars of a graph are when products and sums are multiplied out,
// read off the graph. Full conditionals are found and evaluated this way.

package symbolic

import (
	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// An AtomKind says what an atom is.
type AtomKind uint8

// The kinds of atoms.
const (
	Element       AtomKind = iota // an element of the input, less its centre
	Complement                    // one minus it
	LogElement                    // its logarithm
	LogComplement                 // the logarithm of one minus it
	Other                         // an element of a node that is no polynomial
)

// An Atom is a number that the terms of a Polynomial are products of powers of.
type Atom struct {
	Kind AtomKind
	Elem int        // of the input or, of Other, of Node
	Node graph.Node // of Other; None for the rest
}

// A Power is an atom, by its position among a Polynomial's atoms, with an exponent.
type Power struct {
	Atom int32
	Exp  float64
}

// A Term is a coefficient times one of a Polynomial's products.
type Term struct {
	Coef    float64
	Product int32
	Root    int32 // the first that has such a term
}

// A Polynomial is a sum of multiples of different products, and factors: tables of such sums.
type Polynomial struct {
	Atoms    []Atom
	Products [][]Power // ordered by atom; those that terms and entries have
	First    []int32   // of each product: the first root that has it
	Terms    []Term    // of the roots that are nodes, added up
	// Entries are the terms of the entries of all factors: those of entry k are
	// Entries[Start[k]:Start[k+1]].
	Start   []int32
	Entries []Term
}

// A Root is what is multiplied out: a node of length 1 or, where Table is not nil, Many factors,
// of each of which one entry counts. Entry k of factor i is the element i places after
// Table[k], or the only one of its node. Entries are numbered factor by factor.
type Root struct {
	Node  graph.Node
	Table []graph.Ref
	Many  int
}

// A Domain is what is known about the elements of the input: powers of products are split only where that
// is valid.
type Domain struct {
	Positive []bool // greater than zero
	Unit     []bool // between zero and one

	// Centre, where it is not nil, holds a constant for each element, zero for those of
	// which Positive or Unit is set. Powers are those of the difference, so that sums of
	// squares of numbers far from zero do not cancel.
	Centre []float64
}

// NewPolynomial multiplies out the sum of roots. Terms of up to work products of two terms are
// looked at, and perEntry more for each entry of a factor; ok is false where that is not enough.
// Nodes may be added to the graph.
func NewPolynomial(g *graph.Graph, roots []Root, domain Domain, work int) (p *Polynomial, ok bool) {
	x := newExpander(g, domain, work)
	all := x.sum()
	first := []int32{}
	p = &Polynomial{}
	var tables []entries
	for i, r := range roots {
		if r.Table != nil {
			x.work += perEntry * r.Many * len(r.Table)
			tables = append(tables, x.factors(r))
		} else {
			all.add(x.at(r.Node, 0), 1)
		}
		if x.work < 0 {
			return nil, false
		}
		for len(first) < len(all.terms) {
			first = append(first, int32(i))
		}
	}
	p.collect(tables)
	x.assemble(p, roots, all.terms, first)
	p.Atoms = x.atoms
	return p, true
}

// perEntry is the work that each entry of a factor may take: data may be many, and are no reason
// to give up, but what grows faster than they do is.
const perEntry = 200

// mostKept is how many entries factors of one form may have for all that was multiplied out on the way to
// be kept; of more it is found again where it is wanted again.
const mostKept = 1 << 20

// entries are those of the factors of one root: by place in the table the terms of all factors, one
// after the other, and where those of each end. Their products of powers have their numbers here.
type entries struct {
	columns [][]Term
	ends    [][]int32
	total   int
}

// factors multiplies out the entries of factors.
func (x *expander) factors(r Root) entries {
	columns, ends := make([][]Term, len(r.Table)), make([][]int32, len(r.Table))
	total := 0
	for k, ref := range r.Table {
		ends[k] = make([]int32, r.Many)
		for i := range int32(r.Many) {
			entry := x.at(ref.Node, int(ref.Elem+i))
			if i == 0 {
				columns[k] = make([]Term, 0, r.Many*len(entry)) // the others are alike, as a rule
			}
			for _, t := range entry {
				columns[k] = append(columns[k], Term{Coef: t.coef, Product: t.mono})
			}
			ends[k][i] = int32(len(columns[k]))
			if x.work < 0 {
				return entries{}
			}
		}
		total += len(columns[k])
		if r.Many > 1 && r.Many*len(r.Table) > mostKept {
			clear(x.known)
		}
	}
	return entries{columns, ends, total}
}

// collect puts entries one after the other, factor by factor.
func (p *Polynomial) collect(tables []entries) {
	terms, n := 0, 0
	for _, t := range tables {
		terms += t.total
		if len(t.ends) > 0 {
			n += len(t.ends) * len(t.ends[0])
		}
	}
	p.Entries, p.Start = make([]Term, 0, terms), make([]int32, 1, n+1)
	for j, t := range tables {
		tables[j] = entries{} // memory that the rest may have
		if len(t.ends) == 0 {
			continue
		}
		from := make([]int32, len(t.ends))
		for i := range t.ends[0] {
			for k, column := range t.columns {
				p.Entries = append(p.Entries, column[from[k]:t.ends[k][i]]...)
				p.Start = append(p.Start, int32(len(p.Entries)))
				from[k] = t.ends[k][i]
			}
		}
	}
}

// assemble numbers products in the order in which roots have them.
func (x *expander) assemble(p *Polynomial, roots []Root, all poly, first []int32) {
	place := make([]int32, x.monos.powers.size) // plus one
	terms := 0
	for _, t := range all {
		if t.coef != 0 {
			terms++
		}
	}
	p.Terms = make([]Term, 0, terms)
	p.Products, p.First = make([][]Power, 0, terms), make([]int32, 0, terms) // those of entries are few, as a rule
	product := func(mono int32, root int) int32 {
		if place[mono] == 0 {
			p.Products, p.First = append(p.Products, x.monos.powers.at(mono)), append(p.First, int32(root))
			place[mono] = int32(len(p.Products))
		}
		return place[mono] - 1
	}
	term, entry := 0, 0
	for i, r := range roots {
		for ; term < len(all) && int(first[term]) == i; term++ {
			if t := all[term]; t.coef != 0 {
				p.Terms = append(p.Terms, Term{t.coef, product(t.mono, i), int32(i)})
			}
		}
		to := entry + r.Many*len(r.Table)
		for k := range p.Entries[p.Start[entry]:p.Start[to]] {
			t := &p.Entries[int(p.Start[entry])+k]
			t.Product, t.Root = product(t.Product, i), int32(i)
		}
		entry = to
	}
}

// A poly is a sum of multiples of different products of powers, which are known by
// number; number 0 is the empty product.
type poly []struct {
	mono int32
	coef float64
}

// An expander multiplies out nodes, element by element.
type expander struct {
	g       *graph.Graph
	domain  Domain
	work    int      // products of terms that may still be made
	known   [][]poly // by node and element
	atoms   []Atom
	atomOf  map[Atom]int32
	monos   Monomials
	pairs   [recent]pair // that were multiplied; their first is not 0
	merged  []Power      // scratch
	layouts map[graph.Node]*layout
	logs    []poly // of products that are one, by number; nil where not known
	idle    []*summation
	once    []bool // nodes whose elements are wanted once each
	used    []poly // room for others
}

func newExpander(g *graph.Graph, domain Domain, work int) *expander {
	x := &expander{
		g: g, domain: domain, work: work,
		atomOf:  map[Atom]int32{},
		layouts: map[graph.Node]*layout{},
	}
	x.mono(nil)
	x.findOnce()
	return x
}

// findOnce finds the elementwise sums and products that another elementwise operation of their length
// alone has: what their elements are is not kept.
func (x *expander) findOnce() {
	uses := make([]uint8, x.g.Size())
	x.once = make([]bool, x.g.Size())
	for y := range graph.Node(x.g.Size()) {
		n := x.g.At(y)
		for _, in := range n.In() {
			uses[in] = min(uses[in]+1, 2)
			x.once[in] = n.Kind == graph.KindMap && n.N == x.g.At(in).N && multiplies(x.g.At(in))
		}
	}
	for y, k := range uses {
		x.once[y] = x.once[y] && k == 1
	}
}

// multiplies reports whether a node is an elementwise sum or product, which is a new polynomial.
func multiplies(n *graph.NodeDef) bool {
	if n.Kind != graph.KindMap {
		return false
	}
	switch n.Op {
	case graph.Add, graph.Sub, graph.Neg, graph.Mul, graph.Square:
		return true
	}
	return false
}

// room returns room for n terms.
func (x *expander) room(n int) poly {
	last := len(x.used) - 1
	for k := last; k >= 0 && k > last-4; k-- {
		if p := x.used[k]; cap(p) >= n {
			x.used[k] = x.used[last]
			x.used = x.used[:last]
			return p
		}
	}
	return make(poly, 0, n)
}

// done takes back the room of an operand of y that was wanted once.
func (x *expander) done(y graph.Node, p poly) {
	if int(y) < len(x.once) && x.once[y] && cap(p) > 0 {
		x.used = append(x.used, p[:0])
	}
}

// at returns element i of node y; nil stands for zero, too.
func (x *expander) at(y graph.Node, i int) poly {
	for len(x.known) < x.g.Size() {
		x.known = append(x.known, nil)
	}
	n := x.g.At(y)
	if n.N == 1 {
		i = 0
	}
	if int(y) < len(x.once) && x.once[y] {
		if x.work < 0 {
			return nil
		}
		p := x.expand(y, n, i)
		x.work -= len(p)
		return p
	}
	if x.known[y] == nil {
		x.known[y] = make([]poly, n.Len())
	}
	if p := x.known[y][i]; p != nil || x.work < 0 {
		return p
	}
	p := x.expand(y, n, i)
	x.work -= len(p)
	x.known[y][i] = p
	return p
}

func (x *expander) expand(y graph.Node, n *graph.NodeDef, i int) poly {
	switch n.Kind {
	case graph.KindConst:
		return x.number(n.Data[i])
	case graph.KindInput:
		return x.element(i)
	case graph.KindView:
		return x.at(n.In()[0], int(n.Off)+i)
	case graph.KindGather:
		r := n.Refs[i]
		return x.at(n.In()[r.Node], int(r.Elem))
	case graph.KindSum:
		return x.reduce(x.g.At(n.In()[0]).Len(), func(k int) poly { return x.at(n.In()[0], k) })
	case graph.KindDot:
		return x.products(y, x.g.At(n.In()[0]).Len(), func(k int) int { return k })
	case graph.KindMatVec:
		rows := int(n.Off)
		return x.products(y, x.g.At(n.In()[1]).Len(), func(k int) int { return i + k*rows })
	case graph.KindMap:
		if p, ok := x.mapped(y, n, i); ok {
			return p
		}
	}
	return x.atom(Atom{Kind: Other, Elem: i, Node: y})
}

// reduce adds up n polynomials.
func (x *expander) reduce(n int, at func(k int) poly) poly {
	s := x.sum()
	for k := range n {
		s.add(at(k), 1)
	}
	return s.done()
}

// products adds up the products that node y has, of elements at(k) of its first operand and k of its
// second.
func (x *expander) products(y graph.Node, n int, at func(k int) int) poly {
	in := x.g.At(y).In()
	first := x.g.At(in[0])
	s := x.sum()
	for k := range n {
		switch i := at(k); {
		case first.Kind != graph.KindConst:
			s.add(x.times(y, x.at(in[0], i), x.at(in[1], k)), 1)
		case first.Data[i] != 0: // data are many, and need not become polynomials
			p := x.at(in[1], k)
			s.add(p, first.Data[i])
			x.work -= len(p)
		}
		x.work--
	}
	return s.done()
}

// mapped multiplies out an elementwise operation; false where that gives no polynomial.
func (x *expander) mapped(y graph.Node, n *graph.NodeDef, i int) (poly, bool) {
	in, op := n.In(), n.Op
	if op == graph.Log {
		return x.log(in[0], i)
	}
	a := x.at(in[0], i)
	var b, out poly
	if op == graph.Add || op == graph.Sub || op == graph.Mul {
		b = x.at(in[1], i)
	}
	switch op {
	case graph.Add:
		out = x.plus(a, b, 1)
	case graph.Sub:
		out = x.plus(a, b, -1)
	case graph.Neg:
		out = x.plus(nil, a, -1)
	case graph.Mul:
		out = x.times(y, a, b)
	case graph.Square:
		out = x.times(y, a, a)
	case graph.Inv:
		return x.power(a, -1)
	case graph.Sqrt:
		return x.power(a, 0.5)
	case graph.Log1p:
		return x.logOfProduct(x.plus(x.number(1), a, 1))
	default:
		return nil, false
	}
	x.done(in[0], a)
	if b != nil {
		x.done(in[1], b)
	}
	return out, true
}

func (x *expander) number(v float64) poly {
	return poly{{0, v}}
}

// element is an element of the input: its atom and its centre.
func (x *expander) element(i int) poly {
	a := x.atom(Atom{Kind: Element, Elem: i, Node: graph.None})
	if c := x.domain.Centre; c == nil || c[i] == 0 {
		return a
	}
	return append(x.number(x.domain.Centre[i]), a...)
}

func (x *expander) atom(a Atom) poly {
	id, ok := x.atomOf[a]
	if !ok {
		id = int32(len(x.atoms))
		x.atomOf[a] = id
		x.atoms = append(x.atoms, a)
	}
	return poly{{x.mono([]Power{{id, 1}}), 1}}
}

// plus is a + scale*b.
func (x *expander) plus(a, b poly, scale float64) poly {
	s := x.sum()
	s.add(a, 1)
	s.add(b, scale)
	return s.done()
}

// times is a product that node y has.
func (x *expander) times(y graph.Node, a, b poly) poly {
	switch {
	case len(a) == 1 && a[0].mono == 0:
		return x.plus(nil, b, a[0].coef)
	case len(b) == 1 && b[0].mono == 0:
		return x.plus(nil, a, b[0].coef)
	}
	t := x.layouts[y]
	if t == nil {
		t = &layout{}
		x.layouts[y] = t
	}
	if t.fits(a, b) {
		x.work -= len(a) * len(b)
		return x.multiply(t, a, b)
	}
	noted := t.begin(a, b)
	s := x.sum()
	for _, t1 := range a {
		for _, u := range b {
			if x.work--; x.work < 0 {
				t.drop()
				return s.done()
			}
			m := x.product(t1.mono, u.mono)
			s.addTerm(m, t1.coef*u.coef)
			if noted {
				t.place = append(t.place, s.place[m]-1)
			}
		}
	}
	if noted {
		for _, term := range s.terms {
			t.out = append(t.out, term.mono)
		}
		t.simple = 2*len(t.out) == len(a)*(len(a)+1) && same(t.a, b)
	}
	return s.done()
}

// power raises a sum of one product to a power; roots are taken of positive products only.
func (x *expander) power(a poly, k float64) (poly, bool) {
	coef, powers, ok := x.single(a)
	if !ok || coef == 0 {
		return nil, false
	}
	out := make([]Power, len(powers))
	for j, p := range powers {
		if k != -1 && !x.positive(x.atoms[p.Atom]) {
			return nil, false
		}
		out[j] = Power{p.Atom, k * p.Exp}
	}
	if k == -1 {
		return poly{{x.mono(out), 1 / coef}}, true
	}
	return poly{{x.mono(out), powered(coef, k)}}, coef > 0
}

// log is the logarithm of element i of node y; false where that is an atom of its own, as the
// logarithm of an atom is.
func (x *expander) log(y graph.Node, i int) (poly, bool) {
	if coef, powers, ok := x.single(x.at(y, i)); ok && coef == 1 && len(powers) == 1 && powers[0].Exp == 1 && x.atoms[powers[0].Atom].Kind == Other {
		return nil, false
	}
	return x.logOf(y, i)
}

// logOf takes logarithms factor by factor before products are multiplied out: (1 - u) v is a
// product only as it is written.
func (x *expander) logOf(y graph.Node, i int) (poly, bool) {
	n := x.g.At(y)
	if n.N == 1 {
		i = 0
	}
	switch n.Kind {
	case graph.KindView:
		return x.logOf(n.In()[0], int(n.Off)+i)
	case graph.KindGather:
		r := n.Refs[i]
		return x.logOf(n.In()[r.Node], int(r.Elem))
	case graph.KindMap:
		switch in := n.In(); n.Op {
		case graph.Mul:
			if a, ok := x.logOf(in[0], i); ok {
				if b, ok := x.logOf(in[1], i); ok {
					return x.plus(a, b, 1), true
				}
			}
		case graph.Inv:
			return x.logTimes(in[0], i, -1)
		case graph.Sqrt:
			return x.logTimes(in[0], i, 0.5)
		case graph.Square:
			return x.logTimes(in[0], i, 2)
		}
	}
	return x.logOfProduct(x.at(y, i))
}

// logTimes is a multiple of a logarithm.
func (x *expander) logTimes(y graph.Node, i int, scale float64) (poly, bool) {
	a, ok := x.logOf(y, i)
	return x.plus(nil, a, scale), ok
}

// logOfProduct of what is one product is the sum of the logs where all factors are positive.
func (x *expander) logOfProduct(a poly) (poly, bool) {
	one := len(a) == 1 && a[0].coef == 1
	if one && int(a[0].mono) < len(x.logs) && x.logs[a[0].mono] != nil {
		return x.logs[a[0].mono], true
	}
	coef, powers, ok := x.single(a)
	if !ok || !(coef > 0) {
		return nil, false
	}
	for _, p := range powers {
		if !x.positive(x.atoms[p.Atom]) {
			return nil, false
		}
	}
	s := x.sum()
	s.addTerm(0, libm.Log(coef))
	for _, p := range powers {
		s.add(x.logAtom(x.atoms[p.Atom]), p.Exp)
	}
	out := s.done()
	if one {
		if n := x.monos.powers.size - len(x.logs); n > 0 {
			x.logs = append(x.logs, make([]poly, n)...)
		}
		x.logs[a[0].mono] = out
	}
	return out, true
}

func (x *expander) logAtom(a Atom) poly {
	switch a.Kind {
	case Element:
		return x.atom(Atom{Kind: LogElement, Elem: a.Elem, Node: graph.None})
	case Complement:
		return x.atom(Atom{Kind: LogComplement, Elem: a.Elem, Node: graph.None})
	}
	return x.at(x.g.Map(graph.Log, 1, x.g.Elem(a.Node, a.Elem)), 0)
}

func (x *expander) positive(a Atom) bool {
	switch a.Kind {
	case Element:
		return x.domain.Positive[a.Elem]
	case Complement:
		return x.domain.Unit[a.Elem]
	case Other:
		return x.g.At(a.Node).Nonneg
	}
	return false
}

// single writes a polynomial as one product: itself, one minus an element between zero
// and one, or one plus such an element's odds.
func (x *expander) single(a poly) (coef float64, powers []Power, ok bool) {
	switch len(a) {
	case 1:
		return a[0].coef, x.monos.powers.at(a[0].mono), true
	case 2:
		one, t := a[0], a[1]
		if one.mono != 0 {
			one, t = t, one
		}
		if one.mono != 0 {
			return 0, nil, false
		}
		c := x.monos.powers.at(t.mono)
		switch {
		case t.coef == -one.coef && len(c) == 1 && c[0].Exp == 1 && x.isUnit(c[0].Atom):
			return one.coef, []Power{{x.complement(c[0].Atom), 1}}, true
		case t.coef == one.coef && len(c) == 2 && c[0].Exp*c[1].Exp == -1:
			if c[0].Exp == -1 {
				c = []Power{c[1], c[0]}
			}
			if x.isUnit(c[0].Atom) && x.complement(c[0].Atom) == c[1].Atom {
				return one.coef, []Power{c[1]}, true
			}
		}
	}
	return 0, nil, false
}

func (x *expander) isUnit(atom int32) bool {
	a := x.atoms[atom]
	return a.Kind == Element && x.domain.Unit[a.Elem]
}

// complement is the atom of one minus an element.
func (x *expander) complement(atom int32) int32 {
	p := x.atom(Atom{Kind: Complement, Elem: x.atoms[atom].Elem, Node: graph.None})
	return x.monos.powers.at(p[0].mono)[0].Atom
}
