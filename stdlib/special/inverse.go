// This file holds inverses of distribution functions.

package special

import "math"

// InvIncBeta is the x at which IncBeta(a, b, x, 1-x).P is p.
func InvIncBeta(a, b, p float64) float64 {
	switch {
	case !(a > 0) || !(b > 0) || !(p >= 0 && p <= 1):
		return math.NaN()
	case p == 0 || p == 1:
		return p
	}
	// Bisection on logit(x) keeps a bracket; Newton's steps on the log scale of the
	// smaller tail do the work.
	lo, hi := -745.0, 745.0
	u := math.Log(a) - math.Log(b)
	for range 200 {
		x, y := 1/(1+math.Exp(-u)), 1/(1+math.Exp(u))
		t := IncBeta(a, b, x, y)
		var f, slope float64 // log of the tail minus its target, and d/du
		if p < 0.5 {
			f = t.LogP - math.Log(p)
			slope = math.Exp(t.LogDensity - t.LogP + math.Log(x) + math.Log(y))
		} else {
			f = math.Log1p(-p) - t.LogQ
			slope = math.Exp(t.LogDensity - t.LogQ + math.Log(x) + math.Log(y))
		}
		if f > 0 {
			hi = u
		} else {
			lo = u
		}
		next := u - f/slope
		if !(next > lo && next < hi) {
			next = (lo + hi) / 2
		}
		if math.Abs(next-u) <= 1e-15*math.Abs(u)+1e-16 {
			u = next
			break
		}
		u = next
	}
	return 1 / (1 + math.Exp(-u))
}
