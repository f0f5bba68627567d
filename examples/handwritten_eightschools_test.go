package examples

// This file is workload A by hand (handwritten_test.go).

import "math"

// EightSchools is workload A. The point is theta_trans, mu, log(tau).
type EightSchools struct {
	y, inv   []float64 // effects, and 1/sigma
	constant float64
}

// newEightSchools takes the effects and their standard errors.
func newEightSchools(y, sigma []float64) *EightSchools {
	m := &EightSchools{y: y}
	m.constant = -halfLog2Pi - math.Log(5) - math.Log(5*math.Pi) // of mu and tau
	for _, s := range sigma {
		m.inv = append(m.inv, 1/s)
		m.constant -= 2*halfLog2Pi + math.Log(s)
	}
	return m
}

// Gradient fills grad and returns the log density.
func (m *EightSchools) Gradient(q, grad []float64) float64 {
	n := len(m.y)
	mu, tau := q[n], math.Exp(q[n+1])
	r := tau / 5
	lp := m.constant - mu*mu/50 - math.Log1p(r*r) + q[n+1]
	dmu := -mu / 25
	dtau := -2 * r / (5 * (1 + r*r))
	for j, y := range m.y {
		z := q[j]
		e := (y - mu - tau*z) * m.inv[j]
		lp -= 0.5 * (z*z + e*e)
		d := e * m.inv[j]
		dmu += d
		dtau += d * z
		grad[j] = d*tau - z
	}
	grad[n] = dmu
	grad[n+1] = dtau*tau + 1
	return lp
}
