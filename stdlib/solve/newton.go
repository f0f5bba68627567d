// The corrector of a multistep method: modified Newton iteration for the states, then
// the linear equations of what depends on them.

package solve

import "math"

// Limits of the iteration.
const (
	maxIterations  = 4
	newtonFraction = 0.01 // of the tolerated error that the iteration may leave
	maxDrift       = 0.3  // of the matrix's coefficient before it is made anew
	matrixAge      = 20   // steps before the matrix is made anew
	jacobianAge    = 50   // steps before the derivatives are evaluated anew
	divergence     = 2.0  // growth of the correction that ends the iteration
	fading         = 0.3  // the convergence rate is remembered by this much
)

// A newton has the iteration matrix dF/dy + c dF/d(dy/dt).
type newton struct {
	lu       *factors
	res      []float64
	vary     []float64 // residuals of the sensitivities
	c        float64   // of the matrix in lu
	made     int       // step at which the matrix was made
	jacobian int       // step at which the derivatives were evaluated, -1 for never
	stale    bool      // the last attempt failed
	rate     float64   // estimate of the rate of convergence
}

func newNewton(n, cols int) newton {
	return newton{lu: newFactors(n), res: make([]float64, n), vary: make([]float64, n*cols)}
}

func (w *newton) reset() { w.jacobian, w.stale, w.rate = -1, false, 1 }

// correct finds e for the predicted history; false where the iteration does not
// converge.
func (m *multistep) correct() (bool, error) {
	w := &m.newton
	c := m.f.l[1] / m.h
	current := false
	fresh := w.jacobian < 0 || w.stale || m.steps > w.jacobian+jacobianAge
	if fresh || m.steps >= w.made+matrixAge || math.Abs(w.c/c-1) > maxDrift {
		ok, err := m.setup(c, fresh)
		if err != nil || !ok {
			return false, err
		}
		current = fresh
	}
	w.stale = false
	for {
		ok, err := m.iterate(c)
		if err != nil {
			return false, err
		}
		if ok {
			break
		}
		if current {
			return false, nil
		}
		if ok, err = m.setup(c, true); err != nil || !ok {
			return false, err
		}
		current = true
	}
	return m.dependents(c)
}

// setup makes the iteration matrix at the predicted point, with new derivatives or
// those at hand.
func (m *multistep) setup(c float64, fresh bool) (bool, error) {
	w := &m.newton
	if fresh {
		for i := range m.n {
			m.yp[i] = m.z[1][i] / m.h
		}
		if err := m.eq.linearise(m.t, m.z[0][:m.n], m.yp[:m.n], w.res); err != nil {
			return false, err
		}
		w.jacobian = m.steps
	}
	w.rate = 1
	return m.matrix(c), nil
}

// matrix factors the iteration matrix of the derivatives at hand.
func (m *multistep) matrix(c float64) bool {
	w := &m.newton
	m.eq.matrix(c, w.lu.a)
	w.c, w.made = c, m.steps
	return w.lu.factor()
}

// iterate runs the Newton iteration with the matrix at hand.
func (m *multistep) iterate(c float64) (bool, error) {
	w, n := &m.newton, m.n
	clear(m.e)
	relax := 2 / (1 + c/w.c) // makes up for a matrix with another coefficient
	drift := math.Abs(w.c/c - 1)
	before := 0.0
	for k := 0; ; k++ {
		m.point(n)
		if err := m.eq.residual(m.t, m.y[:n], m.yp[:n], w.res); err != nil {
			return false, err
		}
		w.lu.solve(w.res, 1)
		for i, d := range w.res {
			w.res[i] = -relax * d
			m.e[i] += w.res[i]
		}
		size := m.norm(w.res)
		if k > 0 {
			w.rate = math.Max(fading*w.rate, size/before)
		}
		if size*math.Min(1, math.Max(w.rate, drift))*m.f.error <= newtonFraction {
			m.point(n)
			return true, nil
		}
		if k == maxIterations-1 || k > 0 && !(size <= divergence*before) || math.IsNaN(size) {
			return false, nil
		}
		before = size
	}
}

// point fills y and yp from the history and the correction, for the first n numbers.
func (m *multistep) point(n int) {
	for i, e := range m.e[:n] {
		m.y[i] = m.z[0][i] + e
		m.yp[i] = (m.z[1][i] + float64(m.f.l[1]*e)) / m.h
	}
}

// dependents finds the corrections of sensitivities and quadratures at the states that
// were found.
func (m *multistep) dependents(c float64) (bool, error) {
	w, n := &m.newton, m.n
	if m.cols > 0 {
		if err := m.eq.linearise(m.t, m.y[:n], m.yp[:n], w.res); err != nil {
			return false, err
		}
		w.jacobian = m.steps
		if !m.matrix(c) {
			return false, nil
		}
		end := n * (1 + m.cols)
		sp := m.yp[n:end]
		for i := range sp {
			sp[i] = m.z[1][n+i] / m.h
		}
		m.eq.variation(m.z[0][n:end], sp, w.vary)
		w.lu.solve(w.vary, m.cols)
		for i, v := range w.vary {
			m.e[n+i] = -v
		}
	}
	if m.quads > 0 {
		at := m.size() - m.quads
		if err := m.integrand(m.t, m.y, m.yp); err != nil {
			return false, err
		}
		for i := at; i < m.size(); i++ {
			m.e[i] = (float64(m.h*m.yp[i]) - m.z[1][i]) / m.f.l[1]
		}
	}
	return true, nil
}
