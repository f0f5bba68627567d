// This file adds up the terms that differ in discrete numbers alone.

package cavi

import (
	"encoding/binary"

	"github.com/seed-12b88e03/ppl/infer"
)

// plates are the terms by what they have of blocks that are not whole numbers. A mixture of n points
// has a few products of its components' statistics, each in n terms: a product is evaluated once
// for all whole numbers, and the sum of what it is multiplied by once for all other blocks, so
// that a cycle goes through the terms twice, however many blocks there are.
type plates struct {
	a       *ascent
	product []plate
	value   []float64  // of each product; by themselves, as each term with a whole number reads one
	total   []sum      // of each product's multipliers, likewise
	of      [][]use    // products, and places in them, of each block that is no whole number
	lines   [][]single // terms with this whole number alone
	coupled [][]couple // terms with this whole number and others
	pairs   []couple   // all of these, once
	sums    bool       // the sums are those of the present expectations
	values  bool       // so are the values
}

// A plate is a product of statistics.
type plate struct {
	rest  []infer.BlockStatistic
	fixed sum // of its multipliers, over terms without whole numbers
}

// A single is a term with one whole number.
type single struct {
	coef  float64
	plate int32
	own   int32 // statistic of the whole number
}

// A couple is a term with several, of which one is at place.
type couple struct{ term, place, wholes, plate int32 }

func newPlates(a *ascent) *plates {
	n := len(a.f.Blocks)
	p := &plates{a: a, of: make([][]use, n), lines: a.linesOf(), coupled: make([][]couple, n)}
	places := map[string]int32{}
	var key []byte
	for i := range a.f.Terms {
		t := &a.f.Terms[i]
		wholes := a.wholes(t)
		key = key[:0]
		for _, s := range t.Of[wholes:] {
			key = binary.LittleEndian.AppendUint32(key, uint32(s.Block))
			key = binary.LittleEndian.AppendUint32(key, uint32(s.Statistic))
		}
		k, ok := places[string(key)]
		if !ok {
			k = int32(len(p.product))
			places[string(key)] = k
			p.product = append(p.product, plate{rest: t.Of[wholes:]})
			for place, s := range t.Of[wholes:] {
				p.of[s.Block] = append(p.of[s.Block], use{k, int32(place)})
			}
		}
		p.add(int32(i), int32(wholes), k)
	}
	p.value, p.total = make([]float64, len(p.product)), make([]sum, len(p.product))
	return p
}

// wholes is how many whole numbers, which come first, a term has.
func (a *ascent) wholes(t *infer.FactorTerm) int {
	n := 0
	for n < len(t.Of) && a.f.Blocks[t.Of[n].Block].Support.Discrete() {
		n++
	}
	return n
}

// linesOf makes room for the terms with each whole number alone.
func (a *ascent) linesOf() [][]single {
	count, total := make([]int, len(a.f.Blocks)), 0
	for i := range a.f.Terms {
		if t := &a.f.Terms[i]; a.wholes(t) == 1 {
			count[t.Of[0].Block]++
			total++
		}
	}
	lines, all := make([][]single, len(count)), make([]single, total)
	for i, n := range count {
		lines[i], all = all[:0:n], all[n:]
	}
	return lines
}

// add puts a term to its product.
func (p *plates) add(term, wholes, k int32) {
	t := &p.a.f.Terms[term]
	switch wholes {
	case 0:
		p.product[k].fixed.add(t.Coef)
	case 1:
		b := t.Of[0].Block
		p.lines[b] = append(p.lines[b], single{t.Coef, k, t.Of[0].Statistic})
	default:
		for place := range wholes {
			b := t.Of[place].Block
			p.coupled[b] = append(p.coupled[b], couple{term, place, wholes, k})
		}
		p.pairs = append(p.pairs, couple{term, -1, wholes, k})
	}
}

// start forgets all expectations, changed those of block i.
func (p *plates) start() { p.sums, p.values = false, false }

func (p *plates) changed(i int) {
	if p.a.f.Blocks[i].Support.Discrete() {
		p.sums = false
	} else {
		p.values = false
	}
}

// evaluate brings the products' values up to date.
func (p *plates) evaluate() {
	if p.values {
		return
	}
	for i := range p.product {
		v := 1.0
		for _, s := range p.product[i].rest {
			v *= p.a.expect[s.Block][s.Statistic]
		}
		p.value[i] = v
	}
	p.values = true
}

// addUp brings the sums up to date.
func (p *plates) addUp() {
	if p.sums {
		return
	}
	for i := range p.product {
		p.total[i] = p.product[i].fixed
	}
	for i, lines := range p.lines {
		n := float64(p.a.times[i])
		if n == 0 {
			continue
		}
		expect := p.a.expect[i]
		for k := range lines {
			l := &lines[k]
			if w := n * expect[l.own]; w != 0 {
				p.total[l.plate].add(w * l.coef)
			}
		}
	}
	for i := range p.pairs {
		c := &p.pairs[i]
		if w := p.without(c); w != 0 {
			p.total[c.plate].add(w * p.a.f.Terms[c.term].Coef)
		}
	}
	p.sums = true
}

// without is the product of a term's whole numbers but that at its place.
func (p *plates) without(c *couple) float64 {
	w := 1.0
	for place, s := range p.a.f.Terms[c.term].Of[:c.wholes] {
		if int32(place) != c.place {
			w *= p.a.expect[s.Block][s.Statistic]
		}
	}
	return w
}

// naturalParameters fills out with those of block i given the expectations of the others.
func (p *plates) naturalParameters(i int, out []float64) {
	clear(out)
	if !p.a.f.Blocks[i].Support.Discrete() {
		p.ofOther(i, out)
		return
	}
	p.evaluate()
	for k := range p.lines[i] {
		l := &p.lines[i][k]
		if v := p.value[l.plate]; v != 0 {
			out[l.own] += float64(v * l.coef)
		}
	}
	for k := range p.coupled[i] {
		c := &p.coupled[i][k]
		t := &p.a.f.Terms[c.term]
		if v := p.without(c) * p.value[c.plate]; v != 0 {
			out[t.Of[c.place].Statistic] += float64(v * t.Coef)
		}
	}
}

// ofOther does so for a block that is no whole number.
func (p *plates) ofOther(i int, out []float64) {
	p.addUp()
	for _, u := range p.of[i] {
		t := &p.product[u.term]
		c := 1.0
		for place, s := range t.rest {
			if int32(place) != u.place {
				c *= p.a.expect[s.Block][s.Statistic]
			}
		}
		if total := p.total[u.term].value(); c != 0 && total != 0 {
			out[t.rest[u.place].Statistic] += float64(c * total)
		}
	}
}

// addTo adds the expected log joint density.
func (p *plates) addTo(s *sum) {
	p.evaluate()
	p.addUp()
	for i := range p.product {
		if v := p.value[i]; v != 0 {
			if total := p.total[i].value(); total != 0 {
				s.add(v * total)
			}
		}
	}
}
