// This file integrates exponentials of functions on the real line.

package cavi

import (
	"errors"
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

const (
	firstPanels = 128
	mostPanels  = 1 << 14
	finePanels  = 1 << 12 // of a density between points
	depth       = 46.0    // nats below the top at which a tail is cut: it holds 1e-20
	widest      = 60.0    // of the scaled coordinate: 1e26 scales
	precision   = 1e-12   // of the log of the integral
)

// errImproper reports that an integral does not end.
var errImproper = errors.New("the density does not fall off")

// A line is an integral of exp(f) over the real line by the trapezoidal rule in v, with
// u = mode + scale*sinh(v): tails as heavy as Cauchy's fall off exponentially in v.
type line struct {
	f           func(u float64) (float64, error)
	mode, scale float64
	top         float64   // greatest f seen
	u           []float64 // points, ascending
	logf        []float64
	weight      []float64 // probabilities of the points
	logZ        float64   // log of the integral
	lo, hi      float64   // ends of v
	err         error     // of f, fatal
}

// integrate starts its search for the mode at start with steps of scale.
func integrate(f func(u float64) (float64, error), start, scale float64) (*line, error) {
	l := &line{f: f, top: math.Inf(-1)}
	if !l.climb(start, scale) || !l.measure() {
		return nil, l.failure()
	}
	lo, hi := l.extent(-1), l.extent(1)
	if l.err != nil || math.IsInf(lo, 0) || math.IsInf(hi, 0) {
		return nil, l.failure()
	}
	l.lo, l.hi = lo, hi
	l.sum(lo, hi)
	if l.err != nil {
		return nil, l.err
	}
	return l, nil
}

// fine returns points that are dense enough to go between them, with f there.
func (l *line) fine() (u, logf []float64) {
	if len(l.u) > finePanels {
		return l.u, l.logf
	}
	for i := range finePanels + 1 {
		x := l.point(l.lo + float64((l.hi-l.lo)*float64(i)/finePanels))
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

// extent is where the integrand in v ends on a side; infinite where it does not.
func (l *line) extent(side float64) float64 {
	for v := 0.25; v < widest; v += 0.25 {
		if l.value(side*v) < l.top+libm.Log(l.scale)-depth {
			return side * v
		}
	}
	return side * math.Inf(1)
}

// sum halves the panels until the integral stands still.
func (l *line) sum(lo, hi float64) {
	n := firstPanels
	logs := make([]float64, n+1) // of the integrand in v
	for i := range logs {
		logs[i] = l.value(lo + float64((hi-lo)*float64(i)/float64(n)))
	}
	total := logSum(logs) + libm.Log((hi-lo)/float64(n))
	for n < mostPanels {
		n *= 2
		finer := make([]float64, n+1)
		for i := range finer {
			if i%2 == 0 {
				finer[i] = logs[i/2]
			} else {
				finer[i] = l.value(lo + float64((hi-lo)*float64(i)/float64(n)))
			}
		}
		logs = finer
		before := total
		total = logSum(logs) + libm.Log((hi-lo)/float64(n))
		if math.Abs(total-before) <= precision {
			break
		}
	}
	l.keep(lo, hi, logs)
	l.logZ = total
}

// keep fills in points and probabilities.
func (l *line) keep(lo, hi float64, logs []float64) {
	n := len(logs)
	l.u, l.logf, l.weight = make([]float64, n), make([]float64, n), make([]float64, n)
	all := logSum(logs)
	for i, v := range logs {
		x := lo + (hi-lo)*float64(i)/float64(n-1)
		l.u[i] = l.point(x)
		l.logf[i] = v - libm.Log(l.scale*libm.Cosh(x))
		l.weight[i] = libm.Exp(v - all)
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
