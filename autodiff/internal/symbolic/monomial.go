// Products of powers by number, and sums of multiples of them.

package symbolic

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// Monomials are products of powers by number, found by a hash of their own: there are as many as data,
// and a map's keys and growth take several times as long.
type Monomials struct {
	powers list[[]Power]
	hashes list[uint64]
	table  []int32 // numbers plus one, by hash; twice as many places as are taken, or more
	room   []Power // for powers
}

// A list grows without being moved: there may be as many elements as data, and touching memory anew
// takes longer than what they are for.
type list[T any] struct {
	chunks [][]T
	size   int
}

const chunk = 1 << 12

func (l *list[T]) at(i int32) T { return l.chunks[i/chunk][i%chunk] }

func (l *list[T]) append(v T) {
	if l.size == len(l.chunks)*chunk {
		l.chunks = append(l.chunks, nil)
		if l.size > 0 { // there are many: the next one will be full
			l.chunks[len(l.chunks)-1] = make([]T, 0, chunk)
		}
	}
	last := &l.chunks[len(l.chunks)-1]
	*last = append(*last, v)
	l.size++
}

// find returns the number of a product of powers, whose atoms must be in order, and whether it is new;
// powers are then copied.
func (m *Monomials) Find(powers []Power) (id int32, added bool) {
	if 2*m.powers.size >= len(m.table) {
		m.table = make([]int32, max(64, 4*len(m.table)))
		for id := range int32(m.powers.size) {
			m.table[m.free(m.hashes.at(id))] = id + 1
		}
	}
	h := hash(powers)
	mask := uint64(len(m.table) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		k := m.table[i] - 1
		if k < 0 {
			m.table[i] = int32(m.powers.size) + 1
			break
		}
		if m.hashes.at(k) == h && slices.Equal(m.powers.at(k), powers) {
			return k, false
		}
	}
	if cap(m.room)-len(m.room) < len(powers) {
		m.room = make([]Power, 0, max(len(powers), min(1<<14, 2*cap(m.room)+16)))
	}
	from := len(m.room)
	m.room = append(m.room, powers...)
	m.powers.append(m.room[from:len(m.room):len(m.room)])
	m.hashes.append(h)
	return int32(m.powers.size) - 1, true
}

// free is the first place for a hash that is not taken.
func (m *Monomials) free(h uint64) uint64 {
	mask := uint64(len(m.table) - 1)
	i := h & mask
	for m.table[i] != 0 {
		i = (i + 1) & mask
	}
	return i
}

func hash(powers []Power) uint64 {
	h := uint64(len(powers))
	for _, p := range powers {
		h = (h ^ uint64(uint32(p.Atom))) * 0x9e3779b97f4a7c15
		h = (h ^ h>>29 ^ math.Float64bits(p.Exp)) * 0xbf58476d1ce4e5b9
		h ^= h >> 32
	}
	return h
}

// mono returns the number of a product of powers.
func (x *expander) mono(powers []Power) int32 {
	id, _ := x.monos.Find(powers)
	return id
}

// newProduct is how much more work a product is that was not met before.
const newProduct = 20

// recent is the number of pairs, a power of two, whose products are cached.
const recent = 1 << 11

// A pair is of two products of powers, with the number of their product.
type pair struct{ a, b, product int32 }

// product returns the number of the product of two.
func (x *expander) product(a, b int32) int32 {
	switch {
	case a == 0:
		return b
	case b == 0:
		return a
	case a > b:
		a, b = b, a
	}
	at := &x.pairs[(uint32(a)*0x9e3779b1^uint32(b)*0x85ebca6b)>>(32-11)]
	if at.a == a && at.b == b {
		return at.product
	}
	x.merged = merge(x.merged[:0], x.monos.powers.at(a), x.monos.powers.at(b))
	id, added := x.monos.Find(x.merged)
	if added {
		x.work -= newProduct
	}
	*at = pair{a, b, id}
	return id
}

// merge appends the product of products of powers.
func merge(out, a, b []Power) []Power {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].Atom < b[0].Atom:
			out, a = append(out, a[0]), a[1:]
		case a[0].Atom > b[0].Atom:
			out, b = append(out, b[0]), b[1:]
		default:
			if e := a[0].Exp + b[0].Exp; e != 0 {
				out = append(out, Power{a[0].Atom, e})
			}
			a, b = a[1:], b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// A summation collects terms.
type summation struct {
	x     *expander
	place []int32 // of each product among the terms, plus one
	terms poly
}

// sum returns an empty summation. Several may be at work, since sums are nested.
func (x *expander) sum() *summation {
	if n := len(x.idle); n > 0 {
		s := x.idle[n-1]
		x.idle = x.idle[:n-1]
		return s
	}
	return &summation{x: x}
}

func (s *summation) add(p poly, scale float64) {
	i := 0
	for i < len(p) && i < len(s.terms) && s.terms[i].mono == p[i].mono { // most are alike
		s.terms[i].coef += float64(scale * p[i].coef)
		i++
	}
	for _, t := range p[i:] {
		s.addTerm(t.mono, scale*t.coef)
	}
	s.x.work -= len(p)
}

func (s *summation) addTerm(mono int32, coef float64) {
	if n := int(mono) + 1 - len(s.place); n > 0 {
		s.place = append(s.place, make([]int32, max(n, len(s.place)))...)
	}
	if k := s.place[mono]; k > 0 {
		s.terms[k-1].coef += float64(coef) // which may be a product
		return
	}
	if n := len(s.terms); n == cap(s.terms) {
		s.terms = slices.Grow(s.terms, n) // twice, since they are copied each time
	}
	s.terms = append(s.terms, struct {
		mono int32
		coef float64
	}{mono, coef})
	s.place[mono] = int32(len(s.terms))
}

// done returns the sum without terms that cancelled, and puts the summation away.
func (s *summation) done() poly {
	out := s.x.room(len(s.terms))
	for _, t := range s.terms {
		s.place[t.mono] = 0
		if t.coef != 0 {
			out = append(out, t)
		}
	}
	s.terms = s.terms[:0]
	s.x.idle = append(s.x.idle, s)
	return out
}

func powered(v, k float64) float64 {
	if k == 0.5 {
		return math.Sqrt(v)
	}
	return libm.Pow(v, k)
}

// Value evaluates the polynomial without its factors; atom gives the values of its atoms.
func (p *Polynomial) Value(atom func(i int) float64) float64 {
	total := 0.0
	for _, t := range p.Terms {
		v := t.Coef
		for _, f := range p.Products[t.Product] {
			v *= libm.Pow(atom(int(f.Atom)), f.Exp)
		}
		total += v
	}
	return total
}
