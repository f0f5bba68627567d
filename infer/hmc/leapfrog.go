// This file is the arithmetic of a leapfrog step, in two passes over the coordinates where
// the metric is diagonal.

package hmc

import "github.com/seed-12b88e03/ppl/infer/draws"

// diagonal reports whether the metric is, as one of low rank is before it has directions, and
// where it needs none.
func (m *Metric) diagonal() bool {
	return m.kind == draws.MetricDiagonal || m.low != nil && len(m.low.stretch) == 0
}

// kickAndDrift moves the momentum by half a step and the position by a whole one. It leaves
// to.V undefined.
func (m *Metric) kickAndDrift(from, to *Point, half, step float64) {
	n := len(from.Q)
	p, q, grad := from.P[:n], from.Q[:n], from.Grad[:n]
	toP, toQ, toV := to.P[:n], to.Q[:n], to.V[:n]
	if m.diagonal() {
		inv := m.inv[:n]
		for i := range p {
			x := p[i] + float64(half*grad[i])
			toP[i] = x
			toQ[i] = q[i] + float64(step*(inv[i]*x))
		}
		return
	}
	for i := range p {
		toP[i] = p[i] + float64(half*grad[i])
	}
	m.Velocity(toP, toV)
	for i := range q {
		toQ[i] = q[i] + float64(step*toV[i])
	}
}

// kick moves the momentum by the rest of the step, sets the velocity and gives their
// product p'v.
func (m *Metric) kick(z *Point, half float64) (pv float64) {
	n := len(z.P)
	p, v, grad := z.P, z.V[:n], z.Grad[:n]
	if m.diagonal() {
		inv := m.inv[:n]
		for i := range p {
			x := p[i] + float64(half*grad[i])
			y := inv[i] * x
			p[i], v[i] = x, y
			pv += float64(x * y)
		}
		return pv
	}
	for i := range p {
		p[i] += float64(half * grad[i])
	}
	m.Velocity(p, v)
	for i, x := range p {
		pv += float64(x * v[i])
	}
	return pv
}
