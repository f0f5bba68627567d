// Jointly normal numbers with the precision or the variance that they all have a multiple of.

package conjugate

import (
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// scaled puts the normal numbers of each group and a gamma or inverse gamma number of it that stands in all
// their products together: they are drawn jointly, that number first.
func (a *analysis) scaled() {
	for _, c := range a.b.list {
		if c.shape == nil || c.group < 0 {
			continue
		}
		at := slices.IndexFunc(a.b.list, func(t *conditional) bool {
			return t.group == c.group && len(t.at) == 1 && (t.Form == "gamma" || t.Form == "inverse gamma") && a.scales(t, c)
		})
		if at < 0 {
			continue
		}
		t := a.b.list[at]
		c.scale, c.draw = t, drawScaled
		c.Name, c.Form = c.Name+", "+t.Name, "normal-"+t.Form
		c.Coords = append(c.Coords, t.Coords...)
		a.b.list = slices.Delete(a.b.list, at, at+1)
		a.scaled() // the list is another one
		return
	}
}

// precision is the power of its number that multiplies squares.
func (c *conditional) precision() autodiff.Power {
	if c.Form == "gamma" {
		return of(autodiff.Element, 1)
	}
	return of(autodiff.Element, -1)
}

// scales reports whether all products of the normal numbers have t's as a precision.
func (a *analysis) scales(t, c *conditional) bool {
	marked := func(i int) bool { return i == t.at[0] }
	for _, k := range a.of(c.at) {
		if own, _ := a.x.split(a.x.list[k].powers, marked); len(own) != 1 || !a.is(own[0], t.precision()) {
			return false
		}
	}
	return c.scale == nil
}

// addScale adds the coefficients of the logarithm of a block's scale and of the precision to its table, from
// place size on.
func (a *analysis) addScale(c *conditional, t *table, size int) {
	scale := c.scale.at[0]
	marked := a.marks(append(slices.Clone(c.at), scale))
	for _, k := range a.x.with[scale] {
		own, rest := a.x.split(a.x.list[k].powers, marked)
		switch {
		case len(own) > 1: // one with normal numbers
		case a.is(own[0], c.scale.precision()):
			t.add(size+1, k, rest, 1)
		default:
			t.add(size, k, rest, 1)
		}
	}
}

// drawScaled draws the precision with the normal numbers integrated out, then these given it.
func drawScaled(s *State, c *conditional, rng *rand.Rand) error {
	sum, err := s.sums(c.table)
	if err != nil {
		return err
	}
	f, err := s.normal(c, sum, 1, nil)
	if err != nil {
		return err
	}
	n, size := len(c.at), len(f.Matrix)
	a, b := sum[size+n]+1-float64(n)/2, -sum[size+n+1]
	sign := 1.0
	if c.Form != "normal-gamma" {
		a, sign = -sum[size+n]-1-float64(n)/2, -1
	}
	for i, v := range f.Vector {
		b -= float64(v * sum[size+i] / 2)
	}
	if !(a > 0) || !(b > 0) {
		return improper(c, "shape %g, rate of the precision %g", a, b)
	}
	u := representable(-mostLog, mostLog, func() float64 { return variate.LogGamma(rng, a) - libm.Log(b) })
	s.move(c.Coords[n], sign*u)
	if f, err = s.normal(c, sum, libm.Exp(u), rng); err != nil {
		return err
	}
	s.moveNormal(c, f)
	return nil
}
