// Adjoint sensitivities of ordinary differential equations.
//
// The gradient of a function of the solution at the output times is found by one
// integration backwards in time, whatever the number of parameters (Y. Cao, S. Li,
// L. Petzold and R. Serban, SIAM J. Sci. Comput. 24, 2003): the adjoint state a obeys
// da/dt = -(df/dy)' a and jumps by the function's derivatives at each output time; the
// derivatives with respect to the parameters are the integral of a' df/dp. The forward
// solution is kept as the history of every step, which is the interpolating polynomial
// of the method itself, so that it need not be solved again between checkpoints.

package solve

import "sort"

// A Backward says how the adjoint equation is solved.
type Backward struct {
	Method     Method // BDF or Adams
	Adjoint    Tolerance
	Quadrature Tolerance // of the integrals for the parameters
}

// An AdjointIntegrator solves initial value problems of one size and their adjoints.
type AdjointIntegrator struct {
	forward  *multistep
	backward *multistep
	path     path
	adjoint  *adjointEquation
	n        int
	state    []float64 // adjoint state, then quadratures
	interval [1]float64
}

// NewAdjointIntegrator makes a solver; size.Params is the number of parameters.
func NewAdjointIntegrator(m Method, sys System, size Size, tol Tolerance, back Backward) *AdjointIntegrator {
	n := size.States
	states := Size{States: n}
	a := &AdjointIntegrator{n: n, forward: newMultistep(m, newODE(sys, states), states, tol), state: make([]float64, n+size.Params)}
	a.path.n = n
	a.adjoint = &adjointEquation{sys: sys, path: &a.path, n: n, y: make([]float64, n), dy: make([]float64, n)}
	a.backward = &multistep{eq: a.adjoint, quad: a.adjoint, n: n, quads: size.Params, tol: back.Adjoint, quadT: back.Quadrature, safety: adjointSafety,
		adams: back.Method == Adams, maxQ: maxBDF}
	if a.backward.adams {
		a.backward.maxQ = maxAdams
	}
	if size.Params == 0 {
		a.backward.quad = nil
	}
	a.backward.reserve()
	a.forward.safety = adjointSafety
	a.forward.follow = func() { a.path.keep(a.forward) }
	return a
}

// Integrate solves from y at t to the times ts.
func (a *AdjointIntegrator) Integrate(t float64, y, ts []float64, sink Sink) error {
	a.path.clear()
	return a.forward.Integrate(t, y, ts, sink)
}

// Gradient follows an Integrate with the same arguments. adj has the derivatives with
// respect to the solution, time by time. It fills dy with those with respect to the
// initial state and dp with those with respect to the parameters.
func (a *AdjointIntegrator) Gradient(t float64, ts, adj, dy, dp []float64) error {
	clear(a.state)
	a.adjoint.rows = nil
	n := a.n
	for k := len(ts) - 1; k >= 0; k-- {
		add(a.state[:n], adj[k*n:(k+1)*n])
		to := t
		if k > 0 {
			to = ts[k-1]
		}
		if to == ts[k] {
			continue
		}
		// In the variable s = ts[k] - time the equation goes forward.
		a.adjoint.end = ts[k]
		a.interval[0] = ts[k] - to
		if err := a.backward.Integrate(0, a.state, a.interval[:], a); err != nil {
			return err
		}
	}
	copy(dy, a.state[:n])
	copy(dp, a.state[n:])
	return nil
}

// At takes the adjoint state at the end of an interval.
func (a *AdjointIntegrator) At(_ int, y []float64) error {
	copy(a.state, y)
	return nil
}

// adjointEquation is da/ds = (df/dy)' a in reversed time, and the integrand a' df/dp.
type adjointEquation struct {
	sys   System
	path  *path
	n     int
	end   float64 // the time at s = 0
	y, dy []float64
	time  float64     // of rows
	rows  [][]float64 // derivatives of f at that time; nil where there are none yet
}

// at evaluates the derivatives of f on the forward solution.
func (e *adjointEquation) at(s float64) (err error) {
	t := e.end - s
	if e.rows != nil && e.time == t {
		return nil
	}
	e.path.at(t, e.y)
	e.time = t
	e.rows, err = e.sys.Gradients(t, e.y, e.dy)
	return err
}

func (e *adjointEquation) residual(s float64, a, ap, res []float64) error {
	if err := e.at(s); err != nil {
		return err
	}
	copy(res, ap[:e.n])
	for i, row := range e.rows {
		axpy(res, -a[i], row[:e.n])
	}
	return nil
}

func (e *adjointEquation) linearise(s float64, a, ap, res []float64) error {
	return e.residual(s, a, ap, res)
}

func (e *adjointEquation) matrix(c float64, m []float64) {
	for i, row := range e.rows {
		for j := range e.n {
			m[j*e.n+i] = -row[j]
		}
	}
	for i := range e.n {
		m[i*e.n+i] += c
	}
}

func (e *adjointEquation) variation(_, _, _ []float64) {}

func (e *adjointEquation) rate(s float64, a, ap []float64) (bool, error) {
	if err := e.at(s); err != nil {
		return true, err
	}
	clear(ap[:e.n])
	for i, row := range e.rows {
		axpy(ap[:e.n], a[i], row[:e.n])
	}
	return true, nil
}

func (e *adjointEquation) integrand(s float64, a, g []float64) error {
	if err := e.at(s); err != nil {
		return err
	}
	clear(g)
	for i, row := range e.rows {
		axpy(g, a[i], row[e.n:])
	}
	return nil
}

// A path is a solution as the polynomials of its steps.
type path struct {
	n     int
	steps []pathStep
	data  []float64
}

// A pathStep is a polynomial of order q in (time-t)/h, valid up to t; its coefficients,
// n for each power, start at data[at].
type pathStep struct {
	t, h float64
	q    int
	at   int
}

func (p *path) clear() { p.steps, p.data = p.steps[:0], p.data[:0] }

// keep adds the step that m has just made.
func (p *path) keep(m *multistep) {
	p.steps = append(p.steps, pathStep{m.t, m.h, m.q, len(p.data)})
	for j := 0; j <= m.q; j++ {
		p.data = append(p.data, m.z[j][:p.n]...)
	}
}

// at fills y with the solution at time t.
func (p *path) at(t float64, y []float64) {
	k := sort.Search(len(p.steps), func(i int) bool { return p.steps[i].t >= t })
	s := &p.steps[min(k, len(p.steps)-1)]
	x := (t - s.t) / s.h
	coef := func(j int) []float64 { return p.data[s.at+j*p.n : s.at+(j+1)*p.n] }
	copy(y, coef(s.q))
	for j := s.q - 1; j >= 0; j-- {
		for i, z := range coef(j) {
			y[i] = float64(y[i]*x) + z
		}
	}
}
