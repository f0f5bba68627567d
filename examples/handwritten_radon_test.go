package examples

// This file is workload E by hand (handwritten_test.go).

import "math"

// Radon is workload E: varying intercepts. The point is alpha_trans, beta, mu,
// log(tau), log(sigma).
type Radon struct {
	group    []int // from 0
	x, y     []float64
	alpha    []float64
	constant float64
}

// newRadon takes the group of each observation (from 1), predictor and outcome, and the
// number of groups.
func newRadon(group []int, x, y []float64, groups int) *Radon {
	m := &Radon{x: x, y: y, alpha: make([]float64, groups)}
	for _, g := range group {
		m.group = append(m.group, g-1)
	}
	m.constant = -float64(len(y)+groups+4)*halfLog2Pi - 2*math.Log(10)
	return m
}

// Gradient fills grad and returns the log density.
func (m *Radon) Gradient(q, grad []float64) float64 {
	n := len(m.alpha)
	beta, mu, tau, sigma := q[n], q[n+1], math.Exp(q[n+2]), math.Exp(q[n+3])
	lp := m.constant + q[n+2] + q[n+3] - float64(len(m.y))*q[n+3]
	lp -= 0.5 * ((beta*beta+mu*mu)/100 + tau*tau + sigma*sigma)
	dalpha := grad[:n]
	for j, z := range q[:n] {
		m.alpha[j] = mu + tau*z
		lp -= 0.5 * z * z
		dalpha[j] = 0
	}
	square, dbeta := 0.0, 0.0
	for i, g := range m.group {
		e := m.y[i] - m.alpha[g] - beta*m.x[i]
		square += e * e
		dbeta += e * m.x[i]
		dalpha[g] += e
	}
	precision := 1 / (sigma * sigma)
	lp -= 0.5 * square * precision
	dmu, dtau := 0.0, 0.0
	for j, z := range q[:n] {
		d := dalpha[j] * precision
		dmu += d
		dtau += d * z
		grad[j] = d*tau - z
	}
	grad[n] = dbeta*precision - beta/100
	grad[n+1] = dmu - mu/100
	grad[n+2] = (dtau-tau)*tau + 1
	grad[n+3] = square*precision - float64(len(m.y)) - sigma*sigma + 1
	return lp
}
