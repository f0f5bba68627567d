// This file holds the real branches of the Lambert W function, the inverse of w exp(w).

package special

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// branchSeries are the coefficients of W about the branch point -1/e in powers of p =
// sqrt(2 (e z + 1)) (Corless et al., On the Lambert W function, 1996).
var branchSeries = [...]float64{
	-1, 1, -1.0 / 3, 11.0 / 72, -43.0 / 540, 769.0 / 17280, -221.0 / 8505, 680863.0 / 43545600, -1963.0 / 204120,
	226287557.0 / 37623398400,
}

// branchDistance is sqrt(2 (e z + 1)), with the product rounded once.
func branchDistance(z float64) float64 {
	const eLow = 1.4456468917292502e-16 // e - math.E
	return math.Sqrt(2 * math.Max(0, math.FMA(math.E, z, 1)+eLow*z))
}

func nearBranch(p float64) float64 {
	s := 0.0
	for k := len(branchSeries) - 1; k >= 0; k-- {
		s = float64(s*p) + branchSeries[k]
	}
	return s
}

// LambertW0 is the principal branch, W >= -1, for z >= -1/e.
func LambertW0(z float64) float64 {
	switch {
	case math.IsNaN(z) || z < -1/math.E:
		return math.NaN()
	case z == 0 || math.IsInf(z, 1):
		return z
	}
	var w float64
	switch {
	case z < -0.25:
		p := branchDistance(z)
		if w = nearBranch(p); p < 0.03 {
			return w
		}
	case z < 3:
		w = z / (1 + float64(z*(1-float64(z/8)))) // good enough to start from
		if z > 0.5 {
			w = 0.8 * libm.Log1p(z)
		}
	default:
		l := libm.Log(z)
		w = l - libm.Log(l)
		return newtonLog(w, l)
	}
	return halley(w, z)
}

// LambertWm1 is the lower branch, W <= -1, for -1/e <= z < 0; -Inf at 0.
func LambertWm1(z float64) float64 {
	switch {
	case math.IsNaN(z) || z < -1/math.E || z > 0:
		return math.NaN()
	case z == 0:
		return math.Inf(-1)
	case z < -0.25:
		p := branchDistance(z)
		w := nearBranch(-p)
		if p < 0.03 {
			return w
		}
		return halley(w, z)
	}
	l := libm.Log(-z)
	w := l - libm.Log(-l)
	for range 30 { // Newton's method on w + log(-w) = log(-z)
		step := (w + libm.Log(-w) - l) * w / (1 + w)
		w -= step
		if math.Abs(step) < 1e-15*math.Abs(w) {
			break
		}
	}
	return w
}

// newtonLog solves w + log(w) = l for large z.
func newtonLog(w, l float64) float64 {
	for range 30 {
		step := (w + libm.Log(w) - l) * w / (1 + w)
		w -= step
		if math.Abs(step) < 1e-15*w {
			break
		}
	}
	return w
}

// halley solves w exp(w) = z.
func halley(w, z float64) float64 {
	for range 30 {
		e := libm.Exp(w)
		f := float64(w*e) - z
		step := f / (float64(e*(w+1)) - (w+2)*f/(2*w+2))
		w -= step
		if math.Abs(step) < 1e-15*math.Abs(w) {
			break
		}
	}
	return w
}
