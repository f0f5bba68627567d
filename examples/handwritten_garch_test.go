package examples

// This file is workload D1 by hand (handwritten_test.go).

import "math"

// GARCH is workload D1. The point is mu, log(alpha0), logit(alpha1), and the logit of
// beta1 on (0, 1-alpha1).
type GARCH struct {
	y      []float64
	sigma1 float64
	v, dv  []float64 // variances, and derivatives of the log density with respect to them
}

// newGARCH takes the returns and the scale at time 1.
func newGARCH(y []float64, sigma1 float64) *GARCH {
	return &GARCH{y: y, sigma1: sigma1, v: make([]float64, len(y)), dv: make([]float64, len(y))}
}

// Gradient fills grad and returns the log density.
func (m *GARCH) Gradient(q, grad []float64) float64 {
	mu, alpha0 := q[0], math.Exp(q[1])
	alpha1, log1 := logistic(q[2])
	p, log2 := logistic(q[3])
	beta1 := (1 - alpha1) * p
	lp := q[1] + log1 + log2 + math.Log1p(-alpha1) - float64(len(m.y))*halfLog2Pi

	v := m.sigma1 * m.sigma1
	dmu := 0.0
	for t, y := range m.y {
		if t > 0 {
			e := m.y[t-1] - mu
			v = alpha0 + alpha1*e*e + beta1*v
		}
		e := y - mu
		d := e / v
		lp -= 0.5 * (math.Log(v) + e*d)
		dmu += d
		m.v[t], m.dv[t] = v, 0.5*(d*d-1/v)
	}

	var d0, d1, db float64
	carry := 0.0 // what later variances add
	for t := len(m.y) - 1; t > 0; t-- {
		g := m.dv[t] + carry
		e := m.y[t-1] - mu
		d0 += g
		d1 += g * e * e
		db += g * m.v[t-1]
		dmu -= 2 * g * alpha1 * e
		carry = g * beta1
	}
	grad[0] = dmu
	grad[1] = d0*alpha0 + 1
	// alpha1 also moves the bound of beta1, and the Jacobian log(1-alpha1).
	slope := alpha1 * (1 - alpha1)
	grad[2] = (d1-db*p)*slope - alpha1 + 1 - 2*alpha1
	grad[3] = db*(1-alpha1)*p*(1-p) + 1 - 2*p
	return lp
}
