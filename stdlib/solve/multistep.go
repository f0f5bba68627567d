// Implicit linear multistep methods with variable step and order.
//
// A step predicts from the history (formula.go), corrects the states by a modified
// Newton iteration (newton.go), and then, with the states known, solves the linear
// equations of the sensitivities exactly (the staggered direct method of M. Caracotsios
// and W. E. Stewart, Computers and Chemical Engineering 9, 1985). It is accepted where
// the local errors of the states, of each column of sensitivities and of the
// quadratures are within the tolerance in the weighted root mean square norm.
//
// The control of steps and orders is that of CVODE (P. N. Brown, G. D. Byrne and
// A. C. Hindmarsh, SIAM J. Sci. Stat. Comput. 10, 1989): an order is kept for q+1 steps,
// then those below and above are compared by the step they would allow, with biases 6,
// 6 and 10 on the error estimates, and a change is made where it pays by 1.5. Three
// things are different: steps end at the last output time, so that the equations are never
// evaluated beyond it; the local error is held to a part of the tolerance (safety), so
// that the global error of most problems stays within a small multiple of it; and the
// Newton iteration is carried further, since its noise upsets the high orders.

package solve

import "math"

// Limits of the step control.
const (
	biasSame, biasLower, biasUpper = 6, 6, 10
	worthChange                    = 1.5
	growFirst, growLater           = 1e4, 10
	maxErrorFailures               = 30 // a jump of the rates takes many
	maxNewtonFailures              = 15
	manyErrorFailures              = 3 // then the order is lowered or the method restarted
	longWait                       = 10
	safety                         = 20.0
	adjointSafety                  = 60.0 // errors of both ways add up, and no sensitivities restrain the steps of the first
)

// multistep is a solver at work. All vectors have the states first, then sensitivities,
// then quadratures.
type multistep struct {
	eq     equation
	quad   quadrature // nil where there is none
	n      int        // states
	cols   int        // columns of sensitivities
	quads  int        // quadratures
	tol    Tolerance
	quadT  Tolerance
	safety float64
	adams  bool
	maxQ   int
	follow func() // called after every accepted step; may be nil

	history
	t, stop   float64
	f         formula
	z         [maxOrders + 2][]float64
	e, saved  []float64 // correction of this step, and of one before that raise needs
	weight    []float64 // 1/tolerance of each number
	y, yp     []float64
	between   []float64
	sums      []float64 // of one column each
	newton    newton
	wait      int     // steps until a change of order is looked at
	grow      float64 // how much the step may grow
	eta       float64 // by how much it changes next
	nextQ     int
	savedRise float64
	steps     int // accepted steps
	count     int // steps tried since the last output
}

func newMultistep(method Method, eq equation, size Size, tol Tolerance) *multistep {
	m := &multistep{eq: eq, n: size.States, cols: size.columns(), tol: tol, safety: safety, adams: method == Adams, maxQ: maxBDF}
	if m.adams {
		m.maxQ = maxAdams
	}
	m.reserve()
	return m
}

func (m *multistep) size() int { return m.n*(1+m.cols) + m.quads }

// reserve makes the memory.
func (m *multistep) reserve() {
	n := m.size()
	for j := range m.maxQ + 2 {
		m.z[j] = make([]float64, n)
	}
	for _, v := range []*[]float64{&m.e, &m.saved, &m.weight, &m.y, &m.yp, &m.between} {
		*v = make([]float64, n)
	}
	m.sums = make([]float64, m.cols)
	m.newton = newNewton(m.n, m.cols)
}

// Integrate solves from y at t to the times ts.
func (m *multistep) Integrate(t float64, y, ts []float64, sink Sink) error {
	next := 0
	for ; next < len(ts) && ts[next] <= t; next++ {
		if err := sink.At(next, y); err != nil {
			return err
		}
	}
	if next == len(ts) {
		return nil
	}
	if err := m.begin(t, ts[len(ts)-1], y, nil); err != nil {
		return err
	}
	return m.run(ts, next, sink)
}

// run steps to the output times from number next on.
func (m *multistep) run(ts []float64, next int, sink Sink) error {
	for next < len(ts) {
		if err := m.step(ts[next]); err != nil {
			return err
		}
		for ; next < len(ts) && ts[next] <= m.t; next++ {
			if err := sink.At(next, m.at(ts[next])); err != nil {
				return err
			}
			m.count = 0
		}
	}
	return nil
}

// begin starts at (t, y); yp has the rates of all numbers where the equation does not
// give them.
func (m *multistep) begin(t, stop float64, y, yp []float64) error {
	m.t, m.stop = t, stop
	m.q, m.nextQ, m.wait, m.steps, m.count = 1, 1, 2, 0, 0
	m.past = [len(m.past)]float64{}
	m.eta, m.grow, m.savedRise = 1, growFirst, 0
	m.newton.reset()
	copy(m.z[0], y)
	m.weigh()
	if yp != nil {
		copy(m.yp, yp)
	} else if err := m.rates(); err != nil {
		return err
	}
	h, err := m.firstStep(yp == nil)
	if err != nil {
		return err
	}
	m.h = h
	for i, v := range m.yp {
		m.z[1][i] = h * v
	}
	return nil
}

// rates fills yp at z[0].
func (m *multistep) rates() error {
	if _, err := m.eq.rate(m.t, m.z[0], m.yp); err != nil {
		return err
	}
	return m.integrand(m.t, m.z[0], m.yp)
}

func (m *multistep) integrand(t float64, y, g []float64) error {
	if m.quad == nil {
		return nil
	}
	return m.quad.integrand(t, y[:m.n], g[m.size()-m.quads:])
}

// weigh sets the weights for the solution in z[0].
func (m *multistep) weigh() {
	y := m.z[0]
	for i := range m.n {
		abs := m.tol.abs(i)
		m.weight[i] = m.safety / (float64(m.tol.Rel*math.Abs(y[i])) + abs)
		for k := m.n + i*m.cols; k < m.n+(i+1)*m.cols; k++ {
			m.weight[k] = m.safety / (float64(m.tol.Rel*math.Abs(y[k])) + abs)
		}
	}
	for k := m.size() - m.quads; k < m.size(); k++ {
		m.weight[k] = m.safety / (float64(m.quadT.Rel*math.Abs(y[k])) + m.quadT.Abs[0])
	}
}

// norm is the weighted root mean square of the states.
func (m *multistep) norm(v []float64) float64 {
	sum := 0.0
	for i, w := range m.weight[:m.n] {
		x := v[i] * w
		sum += float64(x * x)
	}
	return math.Sqrt(sum / float64(m.n))
}

// worst is the greatest norm of states, columns of sensitivities and quadratures.
func (m *multistep) worst(v []float64) float64 {
	norm := m.norm(v)
	if m.cols > 0 {
		clear(m.sums)
		for i := range m.n {
			at := m.n + i*m.cols
			w := m.weight[at : at+m.cols]
			for c, x := range v[at : at+m.cols] {
				x *= w[c]
				m.sums[c] += float64(x * x)
			}
		}
		for _, s := range m.sums {
			norm = worse(norm, math.Sqrt(s/float64(m.n)))
		}
	}
	if m.quads > 0 {
		at, sum := m.size()-m.quads, 0.0
		for k, x := range v[at:] {
			x *= m.weight[at+k]
			sum += float64(x * x)
		}
		norm = worse(norm, math.Sqrt(sum/float64(m.quads)))
	}
	return norm
}

// at returns the solution at s, within the last step.
func (m *multistep) at(s float64) []float64 {
	x := (s - m.t) / m.h
	copy(m.between, m.z[m.q])
	for j := m.q - 1; j >= 0; j-- {
		z := m.z[j]
		for i := range m.between {
			m.between[i] = float64(m.between[i]*x) + z[i]
		}
	}
	return m.between
}
