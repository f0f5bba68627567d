// This file is the line search: a strong Wolfe point by bracketing and cubic
// interpolation.

package optimize

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

const (
	decrease  = 1e-4 // c1: share of the first slope that f must follow
	curvature = 0.9  // c2: share of the first slope that may be left
	expand    = 20   // most doublings of the bracket
	narrow    = 40   // most divisions of it
)

// slope is f and its derivative along the direction, a steps out.
type slope struct{ a, f, d float64 }

func (s slope) ok() bool { return !math.IsInf(s.f, 1) }

// slopes is the search's origin and what counts as no change of f.
type slopes struct {
	origin slope
	slack  float64
}

// high reports whether a point breaks the condition of sufficient decrease.
func (s *slopes) high(p slope) bool {
	return !p.ok() || p.f > s.origin.f+float64(decrease*p.a*s.origin.d)+s.slack
}

// flat reports whether a point satisfies the curvature condition.
func (s *slopes) flat(p slope) bool { return math.Abs(p.d) <= -curvature*s.origin.d }

// lineSearch looks along dir, which must go down, and leaves what it found in
// next. The first step tried is first.
func (o *optimizer) lineSearch(first float64) (found bool, err error) {
	o.slopes = slopes{
		origin: slope{0, o.now.f, vec.Dot(o.dir, o.now.g)},
		slack:  400 * 0x1p-53 * max(1, math.Abs(o.now.f)),
	}
	last := o.slopes.origin
	a := first
	o.first = first
	for i := range expand {
		p, err := o.look(a)
		if err != nil {
			return false, err
		}
		if o.slopes.high(p) || (i > 0 && p.f > last.f+o.slopes.slack) {
			return o.zoom(last, p)
		}
		if o.slopes.flat(p) {
			return true, nil
		}
		if p.d >= 0 {
			return o.zoom(p, last)
		}
		// still going down: as far as the cubic's minimum, within reason
		a = min(max(cubic(last, p), 2*p.a), 10*p.a)
		if math.IsNaN(a) {
			a = 2 * p.a
		}
		last = p
	}
	return last.f < o.now.f, nil // steps of great length and still going down
}

// look evaluates a steps out, into next.
func (o *optimizer) look(a float64) (slope, error) {
	o.reached = a
	mat.AddScaledTo(o.next.x, o.now.x, a, o.dir)
	if err := o.evaluate(o.next.x, &o.next); err != nil {
		return slope{}, err
	}
	p := slope{a: a, f: o.next.f}
	if p.ok() {
		p.d = vec.Dot(o.next.g, o.dir)
	}
	return p, nil
}

// zoom narrows a bracket: low has sufficient decrease and the lower f, and its
// slope points to high.
func (o *optimizer) zoom(low, high slope) (found bool, err error) {
	for range narrow {
		a := cubic(low, high)
		if w := high.a - low.a; !high.ok() || math.IsNaN(a) || (a-low.a)/w < 0.05 || (a-low.a)/w > 0.95 {
			a = low.a + w/2
			if !high.ok() {
				a = low.a + w/8 // out of the support: come back fast
			}
		}
		if a == low.a || a == high.a {
			break
		}
		p, err := o.look(a)
		if err != nil {
			return false, err
		}
		switch {
		case o.slopes.high(p) || p.f > low.f+o.slopes.slack:
			high = p
		case o.slopes.flat(p):
			return true, nil
		default:
			if p.d*(high.a-low.a) >= 0 {
				high = low
			}
			low = p
		}
	}
	if low.a == 0 {
		return false, nil
	}
	_, err = o.look(low.a) // a decrease without the curvature condition
	return low.f < o.now.f, err
}

// cubic is the minimum of the cubic through two points with their slopes; NaN
// where it has none.
func cubic(p, q slope) float64 {
	t := p.d + q.d - 3*(p.f-q.f)/(p.a-q.a)
	r := math.Sqrt(float64(t*t) - float64(p.d*q.d))
	if q.a < p.a {
		r = -r
	}
	return q.a - (q.a-p.a)*(q.d+r-t)/(q.d-p.d+2*r)
}
