// One step of a multistep method: trial, error test, and the plan for the next.

package solve

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// step makes one accepted step. output is the time that is waited for, for messages.
func (m *multistep) step(output float64) error {
	m.change()
	m.weigh()
	failures, divergences := 0, 0
	for {
		if m.count++; m.count > m.tol.MaxSteps {
			return tooManySteps(output, m.tol.MaxSteps)
		}
		from := m.t
		if m.t+m.h == m.t {
			return stepTooSmall(m.t)
		}
		m.predict()
		m.coefficients()
		ok, err := m.correct()
		if err != nil {
			return err
		}
		if !ok {
			m.restore(from)
			if divergences++; divergences == maxNewtonFailures {
				return errorf("the nonlinear equations of a step could not be solved at time %g", m.t)
			}
			m.grow = 1
			m.rescale(0.25)
			m.newton.stale = true
			continue
		}
		size := m.worst(m.e) * m.f.error
		if size <= 1 { // false for NaN
			m.complete()
			m.plan(size)
			return nil
		}
		m.restore(from)
		if failures++; failures == maxErrorFailures {
			return errorf("the error test failed repeatedly at time %g", m.t)
		}
		if err := m.shrink(size, failures); err != nil {
			return err
		}
	}
}

// change carries out the plan of the last step.
func (m *multistep) change() {
	if m.steps > 0 && m.nextQ != m.q {
		if m.nextQ > m.q {
			m.raise()
		} else {
			m.lower()
		}
		m.q = m.nextQ
		m.wait = m.q + 1
	}
	if left := m.stop - m.t; m.t+float64(m.h*m.eta*(1+1e-14)) > m.stop {
		m.eta = left / m.h
	}
	if m.eta != 1 {
		m.rescale(m.eta)
		m.eta = 1
	}
}

// rescale changes the step size.
func (m *multistep) rescale(eta float64) {
	factor := eta
	for j := 1; j <= m.q; j++ {
		for i := range m.z[j] {
			m.z[j][i] *= factor
		}
		factor *= eta
	}
	m.h *= eta
}

// predict moves the history to the end of the step by a Taylor shift.
func (m *multistep) predict() {
	m.t += m.h
	if math.Abs(m.stop-m.t) <= 1e-14*math.Max(math.Abs(m.t), math.Abs(m.h)) {
		m.t = m.stop
	}
	for k := 1; k <= m.q; k++ {
		for j := m.q; j >= k; j-- {
			add(m.z[j-1], m.z[j])
		}
	}
}

// restore undoes predict.
func (m *multistep) restore(from float64) {
	m.t = from
	for k := 1; k <= m.q; k++ {
		for j := m.q; j >= k; j-- {
			subtract(m.z[j-1], m.z[j])
		}
	}
}

func add(y, x []float64) {
	x = x[:len(y)]
	for i := range y {
		y[i] += x[i]
	}
}

func subtract(y, x []float64) {
	x = x[:len(y)]
	for i := range y {
		y[i] -= x[i]
	}
}

func (m *multistep) coefficients() {
	if m.adams {
		m.f.adams(&m.history)
	} else {
		m.f.bdf(&m.history)
	}
}

// shrink prepares another try after a step with too great an error.
func (m *multistep) shrink(size float64, failures int) error {
	m.grow = 1
	if failures <= manyErrorFailures {
		eta := 0.1
		if size < math.Inf(1) {
			eta = math.Max(0.1, factor(biasSame*size, m.q+1))
		}
		if failures >= 2 {
			eta = math.Min(eta, 0.2)
		}
		m.rescale(eta)
		return nil
	}
	if m.q > 1 {
		m.lower()
		m.q--
		m.wait = m.q + 1
		m.rescale(0.1)
		return nil
	}
	m.rescale(0.1)
	m.wait = longWait
	if ok, err := m.eq.rate(m.t, m.z[0], m.yp); err != nil || !ok {
		return err
	}
	if err := m.integrand(m.t, m.z[0], m.yp); err != nil {
		return err
	}
	for i, v := range m.yp {
		m.z[1][i] = m.h * v
	}
	return nil
}

// factor is the change of the step that makes an error of the given size acceptable
// where it goes with the step to the power p.
func factor(size float64, p int) float64 {
	return 1 / (libm.Exp(libm.Log(size)/float64(p)) + 1e-6)
}

// worth reports whether factor may be so large that the step is changed, without a root.
func worth(size float64, p int) bool {
	bound := 1.0
	for range p {
		bound *= 1 / worthChange
	}
	return size <= bound
}

// complete makes the step final.
func (m *multistep) complete() {
	m.steps++
	copy(m.past[2:], m.past[1:len(m.past)-1])
	m.past[1] = m.h
	if m.q == 1 && m.steps == 1 {
		m.past[2] = m.h
	}
	for j := 0; j <= m.q; j++ {
		axpy(m.z[j], m.f.l[j], m.e)
	}
	if m.wait--; m.wait == 1 && m.q != m.maxQ {
		copy(m.saved, m.e)
		m.savedRise = m.f.rise
	}
	if m.follow != nil {
		m.follow()
	}
}

// plan chooses order and step size for the next step from the error of this one.
func (m *multistep) plan(size float64) {
	m.nextQ, m.eta = m.q, 1
	defer func() { m.grow = growLater }()
	if m.grow == 1 { // there was a failure: leave it at that for now
		m.wait = max(m.wait, 2)
		return
	}
	same := biasSame * size
	if m.wait > 0 {
		if worth(same, m.q+1) {
			m.setEta(factor(same, m.q+1))
		}
		return
	}
	m.wait = 2
	below, above := math.Inf(1), math.Inf(1)
	if m.q > 1 {
		below = biasLower * m.worst(m.z[m.q]) * m.f.lower
	}
	if m.q < m.maxQ && m.savedRise != 0 {
		c := m.f.rise / m.savedRise
		for range m.q + 1 {
			c *= m.h / m.past[2]
		}
		for i, e := range m.e {
			m.between[i] = e - float64(c*m.saved[i])
		}
		above = biasUpper * m.worst(m.between) * m.f.upper
	}
	if worth(same, m.q+1) || worth(below, m.q) || worth(above, m.q+2) {
		m.pick(factor(same, m.q+1), factor(below, m.q), factor(above, m.q+2))
	}
}

// pick takes the order that allows the longest step: the same, the one below or the one above.
func (m *multistep) pick(same, below, above float64) {
	switch best := math.Max(same, math.Max(below, above)); {
	case best < worthChange:
	case best == same:
		m.setEta(same)
	case best == below:
		m.nextQ--
		m.setEta(below)
	default:
		m.nextQ++
		m.setEta(above)
		copy(m.saved, m.e)
	}
}

// setEta makes the next step longer where that is worth the change.
func (m *multistep) setEta(eta float64) {
	if eta >= worthChange {
		m.eta = math.Min(eta, m.grow)
	}
}
