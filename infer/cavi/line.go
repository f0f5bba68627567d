// This file integrates exponentials of functions on the real line.

package cavi

import (
	"errors"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

const (
	firstPanels = 128
	mostPanels  = 1 << 14
	finePanels  = 1 << 12 // of a density between points
	dearPanels  = 1 << 9  // the same where each point is an integral of its own
	depth       = 46.0    // nats below the top at which a tail is cut: it holds 1e-20
	widest      = 60.0    // of the scaled coordinate: 1e26 scales
	precision   = 1e-12   // of the log of the integral
	dearly      = 1e-9    // the same where each point is an integral of its own, with errors of its own
	coarsely    = 1e-7    // the same once a fit has had dearPoints
	fewPanels   = 1 << 11 // the most then
)

// errImproper reports that an integral does not end.
var errImproper = errors.New("the density does not fall off")

// A line is an integral of exp(f) over the real line by the trapezoidal rule in v, with
// u = mode + scale*sinh(v): tails as heavy as Cauchy's fall off exponentially in v. Where the
// support ends with density left, the trapezoidal rule would converge with the number of points
// only, and another start would give another answer; there v is a tanh-sinh map of the rule's
// variable (Takahasi and Mori 1974), which converges exponentially up to the edge.
type line struct {
	f           func(u float64) (float64, error)
	mode, scale float64
	top         float64   // greatest f seen
	u           []float64 // points, ascending
	logf        []float64
	weight      []float64 // probabilities of the points
	logZ        float64   // log of the integral
	precision   float64   // at which it stands still
	most        int       // panels
	lo, hi      float64   // ends of v
	edge        [2]bool   // whether the support ends at lo and at hi with density left
	err         error     // of f, fatal
}

// integrate starts its search for the mode at start with steps of scale.
func integrate(f func(u float64) (float64, error), start, scale float64) (*line, error) {
	return integrateTo(precision, mostPanels, f, start, scale)
}

// integrateTo is integrate with another bound of the error of the log of the integral, and of the panels.
func integrateTo(precision float64, most int, f func(u float64) (float64, error), start, scale float64) (*line, error) {
	l := &line{f: f, top: math.Inf(-1), precision: precision, most: most}
	if !l.climb(start, scale) || !l.measure() {
		return nil, l.failure()
	}
	lo, lowEdge := l.extent(-1)
	hi, highEdge := l.extent(1)
	if l.err != nil || math.IsInf(lo, 0) || math.IsInf(hi, 0) {
		return nil, l.failure()
	}
	l.lo, l.hi, l.edge = lo, hi, [2]bool{lowEdge, highEdge}
	l.sum()
	if l.err != nil {
		return nil, l.err
	}
	return l, nil
}

// fine returns points that are dense enough to go between them, with f there.
func (l *line) fine(panels int) (u, logf []float64) {
	if len(l.u) > panels && l.edge == [2]bool{} {
		return l.u, l.logf
	}
	for i := range panels + 1 {
		x := l.point(min(l.lo+float64((l.hi-l.lo)*float64(i)/float64(panels)), l.hi))
		u, logf = append(u, x), append(logf, l.at(x))
	}
	return u, logf
}

func (l *line) failure() error {
	if l.err != nil {
		return l.err
	}
	return errImproper
}

// at is f with NaN as -Inf.
func (l *line) at(u float64) float64 {
	if l.err != nil {
		return math.Inf(-1)
	}
	v, err := l.f(u)
	if err != nil {
		l.err = err
		return math.Inf(-1)
	}
	if math.IsNaN(v) {
		return math.Inf(-1)
	}
	l.top = max(l.top, v)
	return v
}

// climb finds a mode: steps that double until f falls, then golden sections.
func (l *line) climb(start, scale float64) bool {
	const most = 200
	a, fa := start, l.at(start)
	step := scale
	for try := 0; math.IsInf(fa, -1) && try < most; try++ { // look around for positive density
		a = start + float64(step*float64(1-2*(try%2)))
		if fa = l.at(a); try%2 == 1 {
			step *= 1.5
		}
	}
	if math.IsInf(fa, 0) {
		return false
	}
	step = scale
	if l.at(a+step) < fa {
		step = -step
	}
	b, fb := a+step, l.at(a+step)
	back := a - step
	for try := 0; fb > fa; try++ {
		if try == most || math.IsInf(fb, 1) {
			return false
		}
		back, a, fa = a, b, fb
		step *= 2
		b = a + step
		fb = l.at(b)
	}
	l.mode = l.golden(min(back, b), max(back, b))
	l.scale = scale
	return l.err == nil
}

// golden narrows an interval that has a mode inside to 1e-7 of its width.
func (l *line) golden(lo, hi float64) float64 {
	const ratio = 0.6180339887498949
	x, y := hi-float64(ratio*(hi-lo)), lo+float64(ratio*(hi-lo))
	fx, fy := l.at(x), l.at(y)
	for range 34 {
		if fx > fy {
			hi, y, fy = y, x, fx
			x = hi - float64(ratio*(hi-lo))
			fx = l.at(x)
		} else {
			lo, x, fx = x, y, fy
			y = lo + float64(ratio*(hi-lo))
			fy = l.at(y)
		}
	}
	if fx > fy {
		return x
	}
	return y
}

// measure sets the scale to a distance at which f has fallen by about half a nat.
func (l *line) measure() bool {
	top := l.at(l.mode)
	drop := func(s float64) float64 { return top - max(l.at(l.mode-s), l.at(l.mode+s)) }
	for try := 0; drop(l.scale) > 0.8; try++ {
		if try == 200 {
			return false
		}
		l.scale /= 2
	}
	for try := 0; drop(l.scale) < 0.2; try++ {
		if try == 200 {
			return false
		}
		l.scale *= 1.5
	}
	return l.err == nil
}

func (l *line) point(v float64) float64 { return l.mode + float64(l.scale*libm.Sinh(v)) }

// value is the log of the integrand in v.
func (l *line) value(v float64) float64 {
	return l.at(l.point(v)) + libm.Log(l.scale*libm.Cosh(v))
}

// extent is where the integrand in v ends on a side, and whether the support ends there with
// density left; infinite where it does not end.
func (l *line) extent(side float64) (end float64, edge bool) {
	least := func() float64 { return l.top + libm.Log(l.scale) - depth }
	for v := 0.25; v < widest; v += 0.25 {
		if f := l.value(side * v); f < least() {
			if !math.IsInf(f, -1) || l.err != nil {
				return side * v, false
			}
			inside := l.lastInside(side, v-0.25, v)
			return side * inside, l.value(side*inside) >= least()
		}
	}
	return side * math.Inf(1), false
}

// lastInside bisects for the last number between inside, where there is density, and outside
// at which there still is.
func (l *line) lastInside(side, inside, outside float64) float64 {
	for {
		v := inside + (outside-inside)/2
		if v <= inside || v >= outside {
			return inside
		}
		if math.IsInf(l.value(side*v), -1) {
			outside = v
		} else {
			inside = v
		}
	}
}

// tanhSinh is how far the variable of the tanh-sinh rule goes on either side: 1e-18 of the
// interval is left there.
const tanhSinh = 3.3

// node is the place of v at a share t of the rule's way from lo to hi, and the log of the
// derivative by t.
func (l *line) node(t float64) (v, logd float64) {
	width := l.hi - l.lo
	if !l.edge[0] && !l.edge[1] {
		return l.lo + float64(width*t), libm.Log(width)
	}
	z := float64(tanhSinh * (float64(2*t) - 1))
	e := libm.Exp(-math.Pi * libm.Sinh(math.Abs(z)))
	near := e / (1 + e) // share of the interval up to the nearer end
	logd = libm.Log(width) + libm.Log(2*tanhSinh*math.Pi*libm.Cosh(z)) + libm.Log(near) - libm.Log1p(e)
	if z < 0 {
		return min(l.lo+float64(width*near), l.hi), logd
	}
	return max(l.hi-float64(width*near), l.lo), logd
}

// integrand is the log of the integrand in t.
func (l *line) integrand(t float64) float64 {
	v, logd := l.node(t)
	return l.value(v) + logd
}

// sum halves the panels until the integral stands still.
func (l *line) sum() {
	n := firstPanels
	logs := make([]float64, n+1)
	for i := range logs {
		logs[i] = l.integrand(float64(i) / float64(n))
	}
	total := logSum(logs) - libm.Log(float64(n))
	for n < l.most {
		n *= 2
		finer := make([]float64, n+1)
		for i := range finer {
			if i%2 == 0 {
				finer[i] = logs[i/2]
			} else {
				finer[i] = l.integrand(float64(i) / float64(n))
			}
		}
		logs = finer
		before := total
		total = logSum(logs) - libm.Log(float64(n))
		if math.Abs(total-before) <= l.precision {
			break
		}
	}
	l.keep(logs)
	l.logZ = total
}

// keep fills in points and probabilities. These add up to one whatever the magnitude of the logs, of which rounding hides a part.
func (l *line) keep(logs []float64) {
	n := len(logs)
	l.u, l.logf, l.weight = make([]float64, n), make([]float64, n), make([]float64, n)
	top := slices.Max(logs)
	var total sum
	for i, logw := range logs {
		v, logd := l.node(float64(i) / float64(n-1))
		l.u[i] = l.point(v)
		l.logf[i] = logw - logd - libm.Log(l.scale*libm.Cosh(v))
		l.weight[i] = libm.Exp(logw - top)
		total.add(l.weight[i])
	}
	for i := range l.weight {
		l.weight[i] /= total.value()
	}
}

// logSum is the log of the sum of exponentials, compensated.
func logSum(logs []float64) float64 {
	top := math.Inf(-1)
	for _, v := range logs {
		top = max(top, v)
	}
	var s sum
	for _, v := range logs {
		s.add(libm.Exp(v - top))
	}
	return top + libm.Log(s.value())
}

// mean is the expectation of g under the normalised density.
func (l *line) mean(g func(i int) float64) float64 {
	var s sum
	for i, w := range l.weight {
		if w > 0 {
			s.add(w * g(i))
		}
	}
	return s.value()
}
