// The log density as a sum of products, and tables of what is added up from them.

package conjugate

import (
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// products is the log density of the constrained numbers, multiplied out: the sum over
// products of a statistic times powers of atoms of these numbers. A statistic is a
// constant plus what the entries of factors add to it that count.
type products struct {
	g     *autodiff.Graph
	atoms []autodiff.Atom
	uses  [][]int // of each atom: the numbers that it depends on, ascending
	list  []product
	with  [][]int32        // of each constrained number: the products that depend on it
	at    []source.Span    // of each root
	both  []autodiff.Power // scratch of split

	constant []float64 // part of each statistic
	// What each entry of a factor adds, when it counts: share[start[k]:start[k+1]].
	start []int32
	share []autodiff.Term
}

// A product of powers of atoms.
type product struct {
	powers []autodiff.Power
	root   int32 // the first that has it
}

// maxWork bounds the work of multiplying out: some seconds. checkWork is what a check does, which
// nobody has asked for full conditionals.
const (
	maxWork   = 100_000_000
	checkWork = 7_000_000
)

// newProducts is of numbers [0, size); at are the places of roots.
func newProducts(g *autodiff.Graph, p *autodiff.Polynomial, size int, at []source.Span) *products {
	x := &products{
		g: g, atoms: p.Atoms, with: make([][]int32, size), start: p.Start, share: p.Entries,
		list: make([]product, len(p.Products)), constant: make([]float64, len(p.Products)), at: at,
	}
	var depends *autodiff.Dependence // most often there is nothing to ask it
	for _, a := range p.Atoms {
		if a.Kind == autodiff.Other && depends == nil {
			depends = g.Dependence()
		}
		x.uses = append(x.uses, usesOf(depends, a))
	}
	for k, powers := range p.Products {
		x.list[k] = product{powers, p.First[k]}
	}
	x.findWith()
	for _, t := range p.Terms {
		x.constant[t.Product] = t.Coef
	}
	return x
}

// findWith lists the products that each number is in.
func (x *products) findWith() {
	count, total := make([]int32, len(x.with)), 0
	for k := range x.list {
		for _, p := range x.list[k].powers {
			for _, i := range x.uses[p.Atom] {
				count[i]++
				total++
			}
		}
	}
	room := make([]int32, total)
	for i, n := range count {
		x.with[i], room = room[:0:n], room[n:]
	}
	for k := range x.list {
		for _, p := range x.list[k].powers {
			for _, i := range x.uses[p.Atom] {
				if l := x.with[i]; len(l) == 0 || l[len(l)-1] != int32(k) {
					x.with[i] = append(l, int32(k))
				}
			}
		}
	}
}

// place is where the statement stands that has a product first.
func (x *products) place(product int32) source.Span { return x.at[x.list[product].root] }

// usesOf returns the elements of the input that an atom depends on, ascending.
func usesOf(d *autodiff.Dependence, a autodiff.Atom) []int {
	if a.Kind != autodiff.Other {
		return []int{a.Elem}
	}
	of := d.Of(a.Node, a.Elem)
	out := make([]int, len(of))
	for i, k := range of {
		out[i] = int(k)
	}
	return out
}

// depends reports whether an atom depends on one of the marked numbers.
func (x *products) depends(atom int32, marked func(i int) bool) bool {
	return slices.ContainsFunc(x.uses[atom], marked)
}

// dependsOn reports whether a product depends on a number.
func (x *products) dependsOn(product int32, number int) bool {
	for _, p := range x.list[product].powers {
		if slices.Contains(x.uses[p.Atom], number) {
			return true
		}
	}
	return false
}

// split takes those powers apart that depend on marked numbers. What it returns is overwritten by the
// next call.
func (x *products) split(powers []autodiff.Power, marked func(i int) bool) (own, rest []autodiff.Power) {
	if cap(x.both) < 2*len(powers) {
		x.both = make([]autodiff.Power, 4*len(powers))
	}
	own, rest = x.both[:0:len(powers)], x.both[len(powers):len(powers)]
	for _, p := range powers {
		if x.depends(p.Atom, marked) {
			own = append(own, p)
		} else {
			rest = append(rest, p)
		}
	}
	return own, rest
}

// A table adds up statistics times powers of atoms into a few sums: natural parameters
// of a full conditional.
type table struct {
	x      *products
	size   int     // how many sums
	power  []power // each that occurs, once
	factor []int32 // of the products of powers, by position in power
	rest   []run   // what is held fixed, each product of powers once: factor[from:to]
	entry  []entry
	others *evaluation // of the atoms that need one; nil if none does

	known  autodiff.Monomials // rest, while it is made
	powers map[power]int32    // of a small table, while it is made
	atoms  [][]int32          // of a large one: the places of each atom's powers
}

// A run is a range of a list.
type run struct{ from, to int32 }

// A power is an atom with an exponent, ready for use.
type power struct {
	kind autodiff.AtomKind
	at   int32 // the number, or the atom where kind is Other
	exp  float64
}

// An entry adds scale * statistic * rest to a sum.
type entry struct {
	sum, product, rest int32
	scale              float64
}

// newTable makes a table of so many sums, for so many entries or more.
func (x *products) newTable(size, entries int) *table {
	t := &table{x: x, size: size, entry: make([]entry, 0, entries)}
	if entries >= len(x.atoms) {
		t.atoms = make([][]int32, len(x.atoms))
	} else {
		t.powers = map[power]int32{}
	}
	return t
}

// add makes an entry of a product; the factors in rest are held fixed.
func (t *table) add(sum int, product int32, rest []autodiff.Power, scale float64) {
	r, added := t.known.Find(rest)
	if added {
		t.hold(rest)
	}
	t.entry = append(t.entry, entry{int32(sum), product, r, scale})
}

// addOther is add where it is known that rest is none of those before, or seldom.
func (t *table) addOther(sum int, product int32, rest []autodiff.Power) {
	t.entry = append(t.entry, entry{int32(sum), product, int32(len(t.rest)), 1})
	t.hold(rest)
}

// hold adds what is held fixed.
func (t *table) hold(rest []autodiff.Power) {
	from := int32(len(t.factor))
	for _, p := range rest {
		t.factor = append(t.factor, t.place(p))
	}
	t.rest = append(t.rest, run{from, int32(len(t.factor))})
}

// place finds or adds a power.
func (t *table) place(p autodiff.Power) int32 {
	k, power := int32(len(t.power)), t.x.power(p)
	if t.atoms == nil {
		if k, ok := t.powers[power]; ok {
			return k
		}
		t.powers[power] = k
	} else {
		for _, k := range t.atoms[p.Atom] {
			if t.power[k].exp == p.Exp {
				return k
			}
		}
		t.atoms[p.Atom] = append(t.atoms[p.Atom], k)
	}
	t.power = append(t.power, power)
	return k
}

func (x *products) appendPowers(to []power, powers []autodiff.Power) []power {
	for _, p := range powers {
		to = append(to, x.power(p))
	}
	return to
}

// power is one of atoms, ready for use.
func (x *products) power(p autodiff.Power) power {
	a := x.atoms[p.Atom]
	at := int32(a.Elem)
	if a.Kind == autodiff.Other {
		at = p.Atom
	}
	return power{a.Kind, at, p.Exp}
}

// done ends the making of a table.
func (t *table) done() *table {
	t.known, t.powers, t.atoms = autodiff.Monomials{}, nil, nil
	t.others = t.x.evaluation(t.power)
	return t
}

// An evaluation computes atoms that are no elements of the input.
type evaluation struct {
	program *autodiff.Program
	atoms   []int32
}

// evaluation compiles what the powers need; nil if they need nothing.
func (x *products) evaluation(powers []power) *evaluation {
	e := &evaluation{}
	var refs []autodiff.Ref
	seen := map[int32]bool{}
	for _, p := range powers {
		if p.kind != autodiff.Other || seen[p.at] {
			continue
		}
		seen[p.at] = true
		a := x.atoms[p.at]
		e.atoms = append(e.atoms, p.at)
		refs = append(refs, autodiff.Ref{Node: a.Node, Elem: int32(a.Elem)})
	}
	if len(refs) == 0 {
		return nil
	}
	e.program = autodiff.Compile(x.g, []autodiff.Node{x.g.Gather(refs)}, nil)
	return e
}

// whole is the table of the log density.
func (x *products) whole() *table {
	t := x.newTable(1, len(x.list))
	n := 0
	for k := range x.list {
		n += len(x.list[k].powers)
	}
	t.rest, t.factor = make([]run, 0, len(x.list)), make([]int32, 0, n)
	for k := range x.list { // each is another product of powers
		t.hold(x.list[k].powers)
		t.entry = append(t.entry, entry{0, int32(k), int32(k), 1})
	}
	return t.done()
}
