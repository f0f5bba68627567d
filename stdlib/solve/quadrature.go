// Integrals over an interval by double-exponential quadrature.
//
// A change of variables x(t) makes the integrand fall off double exponentially on both
// sides, and the trapezoidal rule for such functions converges exponentially
// (H. Takahasi and M. Mori, Publ. RIMS 9, 1974): tanh-sinh for a finite interval,
// exp-sinh for a half-infinite one, sinh-sinh for the whole line. The step in t is
// halved until two results agree. The integrand may be a vector, the value of a function
// with its derivatives; then all components must converge.
//
// On a finite interval the integrand gets, besides x, its distance from the nearest
// limit without cancellation: a-x (negative) near the lower limit a, b-x near b.

package solve

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// An Integrand is a vector-valued function of one variable.
type Integrand interface {
	// At fills out with the value at x; xc is the distance from the nearest limit, NaN
	// where one of the limits is infinite.
	At(x, xc float64, out []float64) error
}

// An Accuracy says when an integral is good enough: the change of the last halving is at
// most Rel times the integral of |f|, or at most Abs.
type Accuracy struct {
	Rel, Abs float64
	Levels   int // halvings (of a DoubleExponential), bisections (of a GaussKronrod)
}

func (a Accuracy) reached(change, norm float64) bool {
	return change <= a.Rel*norm || change <= a.Abs
}

// A DoubleExponential computes integrals of integrands with n components.
type DoubleExponential struct {
	f         Integrand
	point     []float64
	sum, norm []float64 // of the integrand and of its absolute value, times 1/step
	before    []float64
	total     []float64
	lo, hi    int // range of t that counts, in steps of level 0
	nodes     nodes
}

// NewDoubleExponential makes an integrator.
func NewDoubleExponential(f Integrand, n int) *DoubleExponential {
	d := &DoubleExponential{f: f}
	for _, v := range []*[]float64{&d.point, &d.sum, &d.norm, &d.before, &d.total} {
		*v = make([]float64, n)
	}
	return d
}

// Integrate fills out with the integral from a to b, a < b. One that crosses zero is
// split there, unless both limits are infinite.
func (d *DoubleExponential) Integrate(a, b float64, acc Accuracy, out []float64) error {
	hidden := infinite(a, b)
	if !(a < 0 && b > 0) || math.IsInf(a, 0) && math.IsInf(b, 0) {
		return d.piece(a, b, hidden, acc, "", out)
	}
	if err := d.piece(a, 0, hidden, acc, " below zero", out); err != nil {
		return err
	}
	copy(d.total, out)
	if err := d.piece(0, b, hidden, acc, " above zero", out); err != nil {
		return err
	}
	add(out, d.total)
	return nil
}

func infinite(a, b float64) bool { return math.IsInf(a, 0) || math.IsInf(b, 0) }

// The kinds of intervals.
const (
	finite = iota
	halfInfinite
	wholeLine
	intervalKinds
)

// A node is what a change of variables takes from t: u = pi/2 sinh(t), its derivative, and what the
// kind of interval needs of u. Those of -t are these with the sign of u turned.
type node struct{ u, du, e, f float64 }

// newNode makes the node of t >= 0: e is 1 - tanh(u) over 1 + tanh(u), without cancellation, for a
// finite interval; e and f are exp(u) and exp(-u) for a half-infinite one, sinh and cosh for the line.
func newNode(kind int, t float64) node {
	const half = math.Pi / 2
	n := node{u: half * libm.Sinh(t), du: half * libm.Cosh(t)}
	switch kind {
	case finite:
		n.e = libm.Exp(-2 * n.u)
	case halfInfinite:
		n.e, n.f = libm.Exp(n.u), libm.Exp(-n.u)
	default:
		n.e, n.f = libm.Sinh(n.u), libm.Cosh(n.u)
	}
	return n
}

// nodes is a change of variables.
type nodes struct {
	a, b   float64
	kind   int
	hidden bool // whether xc is NaN

	// known are the nodes of t = 0, h, 2h, ... by kind and level, of which h is the step.
	known [intervalKinds][knownLevels][]node
}

// knownLevels is how many levels nodes are kept of: a narrow peak may ask for very many.
const knownLevels = 8

// step is the step of t at a level.
func step(level int) float64 { return math.Ldexp(0.5, -level) }

// node returns that of t = k h, k >= 0.
func (n *nodes) node(level, k int) node {
	if level >= knownLevels {
		return newNode(n.kind, float64(k)*step(level))
	}
	list := n.known[n.kind][level]
	for len(list) <= k {
		list = append(list, newNode(n.kind, float64(len(list))*step(level)))
	}
	n.known[n.kind][level] = list
	return list[k]
}

// at returns x, the distance from the nearest limit, and dx/dt at t = k h; false where x cannot be
// told from a limit.
func (n *nodes) at(level, k int) (x, xc, w float64, ok bool) {
	t := n.node(level, max(k, -k))
	if k < 0 {
		t.u = -t.u
		switch n.kind {
		case halfInfinite:
			t.e = t.f
		case wholeLine:
			t.e = -t.e
		}
	}
	switch {
	case n.kind == wholeLine:
		x, w = t.e, t.du*t.f
		return x, math.NaN(), w, !math.IsInf(x, 0) && !math.IsInf(w, 0)
	case math.IsInf(n.b, 0):
		x, w = n.a+t.e, t.du*t.e
		return x, math.NaN(), w, t.e > tiny && x > n.a && !math.IsInf(w, 0)
	case math.IsInf(n.a, 0):
		x, w = n.b-t.e, t.du*t.e
		return x, math.NaN(), w, t.e > tiny && x < n.b && !math.IsInf(w, 0)
	}
	rest := (n.b - n.a) * t.e / (1 + t.e)
	w = (n.b - n.a) * 2 * t.du * t.e / ((1 + t.e) * (1 + t.e))
	if t.u < 0 {
		x, xc = n.a+rest, -rest
	} else {
		x, xc = n.b-rest, rest
	}
	if n.hidden {
		xc = math.NaN()
	}
	return x, xc, w, rest > tiny && x > n.a && x < n.b
}

// tiny is the smallest distance from a limit, so that functions like 1/x are finite.
const tiny = 1e-307

// The widest range of t: beyond it the change of variables over- or underflows.
const widest = 6.8

// negligible is a part of the sum of a component that ends it.
const negligible = 1e-34

// leastLevels is how many halvings are made in any case, so that narrow peaks are seen.
const leastLevels = 3

// piece integrates from a to b.
func (d *DoubleExponential) piece(a, b float64, hidden bool, acc Accuracy, where string, out []float64) error {
	n := &d.nodes
	n.a, n.b, n.hidden, n.kind = a, b, hidden, finite
	switch {
	case math.IsInf(a, 0) && math.IsInf(b, 0):
		n.kind = wholeLine
	case infinite(a, b):
		n.kind = halfInfinite
	}
	clear(d.sum)
	clear(d.norm)
	if err := d.first(); err != nil {
		return err
	}
	for level := 1; ; level++ {
		copy(d.before, d.sum)
		wide, h := step(level-1), step(level)
		for k := d.lo<<level + 1; k < d.hi<<level; k += 2 {
			if _, err := d.add(level, k); err != nil {
				return err
			}
		}
		worst, ok := 0.0, true
		for i, s := range d.sum {
			change := math.Abs(float64(h*s) - float64(wide*d.before[i]))
			ok = ok && acc.reached(change, h*d.norm[i])
			worst = worse(worst, change)
			out[i] = h * s
		}
		if ok && level >= leastLevels {
			return nil
		}
		if level >= acc.Levels || math.IsInf(worst, 0) {
			return errorf("error estimate of integral%s %g exceeds the given relative tolerance times norm of integral", where, worst)
		}
	}
}

// first makes the sum of the coarsest rule from the middle outwards and finds the range
// of t that counts.
func (d *DoubleExponential) first() error {
	if _, err := d.add(0, 0); err != nil {
		return err
	}
	last := int(widest / step(0))
	for _, side := range []int{1, -1} {
		k, small := 0, 0
		for small < 3 && k < last {
			term, err := d.add(0, side*(k+1))
			if err != nil {
				// far out a function may well fail to have the value zero
				if small == 0 {
					return err
				}
				break
			}
			if k++; term <= negligible {
				small++
			} else {
				small = 0
			}
		}
		if side > 0 {
			d.hi = k
		} else {
			d.lo = -k
		}
	}
	return nil
}

// add adds the term at t = k h and gives its size relative to the sum so far, 1 as long as
// the first component has been zero everywhere.
func (d *DoubleExponential) add(level, k int) (float64, error) {
	x, xc, w, ok := d.nodes.at(level, k)
	if !ok {
		return 0, nil
	}
	if err := d.f.At(x, xc, d.point); err != nil {
		return 0, err
	}
	for i, v := range d.point {
		if v *= w; math.IsNaN(v) || math.IsInf(v, 0) {
			return 0, errorf("the integrand is %g at %g", d.point[i], x)
		}
	}
	share := 0.0
	if d.norm[0] == 0 {
		share = 1
	}
	for i, v := range d.point {
		v = float64(v * w)
		d.sum[i] += v
		v = math.Abs(v)
		d.norm[i] += v
		if v > 0 {
			share = math.Max(share, v/d.norm[i])
		}
	}
	return share, nil
}
