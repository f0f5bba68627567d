package examples

// This file is workload C by hand (handwritten_test.go).

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// StochVol is workload C: stochastic volatility with Student t returns. The point is
// theta, log(nu-1).
type StochVol struct{ y []float64 }

// newStochVol takes the returns.
func newStochVol(y []float64) *StochVol { return &StochVol{y} }

// Gradient fills grad and returns the log density.
func (m *StochVol) Gradient(q, grad []float64) float64 {
	const sd = 0.09
	n := len(m.y)
	count := float64(n)
	nu := 1 + math.Exp(q[n])
	lp := q[n] + 2*math.Log(0.1) + math.Log(nu) - 0.1*nu // gamma(2, 0.1) on nu
	dnu := 1/nu - 0.1

	g1, _ := math.Lgamma((nu + 1) / 2)
	g0, _ := math.Lgamma(nu / 2)
	lp += count * (g1 - g0 - 0.5*math.Log(nu*math.Pi) - halfLog2Pi - math.Log(sd))
	dnu += count * 0.5 * (mathext.Digamma((nu+1)/2) - mathext.Digamma(nu/2) - 1/nu)

	half := (nu + 1) / 2
	before, step := 0.0, 0.0 // theta[t-1], and the last step's (theta[t]-theta[t-1])/sd^2
	for t, y := range m.y {
		theta := q[t]
		w := y * math.Exp(-theta)
		r := w * w / nu
		l := math.Log1p(r)
		share := r / (1 + r)
		e := theta - before
		step = e / (sd * sd)
		lp -= theta + half*l + 0.5*e*step
		dnu += half*share/nu - 0.5*l
		grad[t] = 2*half*share - 1 - step
		if t > 0 {
			grad[t-1] += step
		}
		before = theta
	}
	grad[n] = dnu*(nu-1) + 1
	return lp
}
