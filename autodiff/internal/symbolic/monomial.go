// Products of powers by number, and sums of multiples of them.

package symbolic

import (
	"encoding/binary"
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// mono returns the number of a product of powers, whose atoms must be in order.
func (x *expander) mono(powers []Power) int32 {
	key := make([]byte, 0, 64)
	for _, p := range powers {
		key = binary.LittleEndian.AppendUint32(key, uint32(p.Atom))
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(p.Exp))
	}
	id, ok := x.monoOf[string(key)]
	if !ok {
		id = int32(len(x.monos))
		x.monos = append(x.monos, powers)
		x.monoOf[string(key)] = id
	}
	return id
}

// newProduct is how much more work a product is that was not met before.
const newProduct = 20

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
	id, ok := x.products[[2]int32{a, b}]
	if !ok {
		x.work -= newProduct
		id = x.mono(merge(x.monos[a], x.monos[b]))
		x.products[[2]int32{a, b}] = id
	}
	return id
}

// merge multiplies products of powers.
func merge(a, b []Power) []Power {
	out := make([]Power, 0, len(a)+len(b))
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
	for _, t := range p {
		s.addTerm(t.mono, scale*t.coef)
	}
	s.x.work -= len(p)
}

func (s *summation) addTerm(mono int32, coef float64) {
	for int(mono) >= len(s.place) {
		s.place = append(s.place, 0)
	}
	if k := s.place[mono]; k > 0 {
		s.terms[k-1].coef += float64(coef) // which may be a product
		return
	}
	s.terms = append(s.terms, struct {
		mono int32
		coef float64
	}{mono, coef})
	s.place[mono] = int32(len(s.terms))
}

// done returns the sum without terms that cancelled, and puts the summation away.
func (s *summation) done() poly {
	out := make(poly, 0, len(s.terms))
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
