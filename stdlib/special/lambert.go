// This file holds the real branches of the Lambert W function, the inverse of w exp(w).

package special

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
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
	if z < -0.25 {
		p := branchDistance(z)
		if w = nearBranch(p); p < 0.03 {
			return w
		}
	} else {
		l := vec.Log1p.At(z)
		w = l * (1 - vec.Log1p.At(l)/(2+l)) // Iacono and Boyd, New approximations to the principal real-valued branch, 2017
	}
	for range 2 {
		w = fritsch(w, vec.Log.At(z/w)-w)
	}
	return w
}

// LambertW0s sets dst[i] to LambertW0(z[i]), the same bits.
func LambertW0s(dst, z []float64) {
	const size = 64
	var first, second [size]float64
	for from := 0; from < len(dst); from += size {
		x, w := z[from:min(from+size, len(dst))], dst[from:min(from+size, len(dst))]
		l, log := first[:len(x)], second[:len(x)]
		vec.Log1p.Map(l, x)
		vec.Log1p.Map(log, l)
		for i, v := range l {
			l[i] = v * (1 - log[i]/(2+v))
		}
		for range 2 {
			for i, v := range l {
				log[i] = x[i] / v
			}
			vec.Log.Map(log, log)
			for i, v := range l {
				l[i] = fritsch(v, log[i]-v)
			}
		}
		for i, v := range l {
			if x[i] > -0.25 && x[i] != 0 && x[i] <= math.MaxFloat64 {
				w[i] = v
			} else {
				w[i] = LambertW0(x[i])
			}
		}
	}
}

// fritsch is a step of fourth order from w, where left is log(z/w) - w (Fritsch, Shafer, Crowley 1973).
func fritsch(w, left float64) float64 {
	q := float64(2 * (1 + w) * (1 + w + 2*left/3))
	return w + float64(w*(left/(1+w))*((q-left)/(q-float64(2*left))))
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
