// The first step of a multistep method.

package solve

import "math"

// firstStep chooses h so that the local error of a step of order 1, h^2/2 |y"|, is about
// half the tolerance. The second derivative is estimated from the rates at both ends of
// an Euler step, whose length is made to fit the estimate in a few rounds. Where the
// equation returns no rates, the step is one over which the solution hardly moves.
func (m *multistep) firstStep(rates bool) (float64, error) {
	span := m.stop - m.t
	if !rates {
		h := 0.001 * span
		if size := m.norm(m.yp); size*h > 0.5 {
			h = 0.5 / size
		}
		return h, nil
	}
	low := 100 * 2.2e-16 * math.Max(math.Abs(m.t), math.Abs(m.stop))
	high := 0.1 * span
	for i := range m.n {
		if change := math.Abs(m.yp[i]) * high; change > float64(0.1*math.Abs(m.z[0][i]))+1/m.weight[i] {
			high = (float64(0.1*math.Abs(m.z[0][i])) + 1/m.weight[i]) / math.Abs(m.yp[i])
		}
	}
	h := math.Sqrt(low * high)
	if high < low {
		return h, nil
	}
	for range 4 {
		bend, err := m.secondDerivative(h)
		if err != nil {
			return 0, err
		}
		next := math.Sqrt(h * high)
		if bend*high*high > 2 {
			next = math.Sqrt(2 / bend)
		}
		ratio := next / h
		h = next
		if ratio > 0.5 && ratio < 2 || math.IsNaN(ratio) {
			break
		}
	}
	h *= 0.5
	if !(h > low) {
		h = low
	}
	return math.Min(h, high), nil
}

// secondDerivative estimates the norm of y" by an Euler step of length h.
func (m *multistep) secondDerivative(h float64) (float64, error) {
	n := m.n
	for i := range n {
		m.y[i] = m.z[0][i] + float64(h*m.yp[i])
		m.between[i] = m.yp[i]
	}
	// With the old rates in place of dy/dt the residual of the equation is the change of
	// the rates, up to sign.
	if err := m.eq.residual(m.t+h, m.y[:n], m.between[:n], m.newton.res); err != nil {
		return 0, err
	}
	return m.norm(m.newton.res) / h, nil
}
