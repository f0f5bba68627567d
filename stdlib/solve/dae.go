// Differential-algebraic equations of index 1 by backward differentiation formulas.
//
// The multistep method works on F(t, y, dy/dt, p) = 0 as it is. What differs from an
// ordinary differential equation is the start: rates come from the user, who is
// responsible for their consistency, and the sensitivities of algebraic variables must
// be made consistent with those of the others. Two implicit Euler steps of the
// linearised equation, so short that the solution does not move, do that: the first
// finds the sensitivities, the second their rates.

package solve

// A DAESystem is the residual F(t, y, dy/dt, p).
type DAESystem interface {
	// Residual fills res with F.
	Residual(t float64, y, yp, res []float64) error
	// Gradients fills res with F and gives, for each of its components, the derivatives
	// with respect to the states, their rates, and then the parameters.
	Gradients(t float64, y, yp, res []float64) ([][]float64, error)
}

// A DAEIntegrator solves initial value problems of one size.
type DAEIntegrator struct {
	m     *multistep
	eq    *daeEquation
	y, yp []float64
}

// NewDAEIntegrator makes a solver.
func NewDAEIntegrator(sys DAESystem, size Size, tol Tolerance) *DAEIntegrator {
	eq := &daeEquation{sys: sys, n: size.States, cols: size.columns()}
	n := size.Len()
	return &DAEIntegrator{m: newMultistep(BDF, eq, size, tol), eq: eq, y: make([]float64, n), yp: make([]float64, n)}
}

// Integrate solves from y with rates yp at t to the times ts, which must not decrease
// and lie after t. y has the sensitivities behind the states, yp has the rates of the
// states. The derivatives with respect to the initial rates are zero: those of a
// consistent start are determined by the rest.
func (d *DAEIntegrator) Integrate(t float64, y, yp, ts []float64, sink Sink) error {
	m := d.m
	copy(d.y, y)
	clear(d.yp)
	copy(d.yp, yp[:m.n])
	if m.cols > 0 {
		if err := d.start(t, ts[0]); err != nil {
			return err
		}
	}
	if err := m.begin(t, ts[len(ts)-1], d.y, d.yp); err != nil {
		return err
	}
	return m.run(ts, 0, sink)
}

// start makes the sensitivities and their rates consistent.
func (d *DAEIntegrator) start(t, first float64) error {
	m, n := d.m, d.m.n
	const short = 1e-9 // of the way to the first output time
	h := short * (first - t)
	if err := d.eq.linearise(t, d.y[:n], d.yp[:n], m.newton.res); err != nil {
		return err
	}
	s, sp := d.y[n:], d.yp[n:]
	for range 2 {
		if !m.matrix(1 / h) {
			return errorf("the derivatives of the residual at the initial time are singular")
		}
		// (F_y + F_y'/h) change = -(F_y s + F_p), with the rates change/h
		clear(sp)
		d.eq.variation(s, sp, m.newton.vary)
		m.newton.lu.solve(m.newton.vary, m.cols)
		for i, v := range m.newton.vary {
			s[i] -= v
			sp[i] = -v / h
		}
	}
	return nil
}

// daeEquation is a residual given by the user.
type daeEquation struct {
	sys     DAESystem
	n, cols int
	rows    [][]float64 // derivatives as of the last linearise
}

func (e *daeEquation) residual(t float64, y, yp, res []float64) error {
	return e.sys.Residual(t, y, yp, res)
}

func (e *daeEquation) linearise(t float64, y, yp, res []float64) (err error) {
	e.rows, err = e.sys.Gradients(t, y, yp, res)
	return err
}

func (e *daeEquation) matrix(c float64, m []float64) {
	for i, row := range e.rows {
		d := m[i*e.n : (i+1)*e.n]
		for j := range d {
			d[j] = row[j] + float64(c*row[e.n+j])
		}
	}
}

func (e *daeEquation) variation(s, sp, out []float64) {
	for i, row := range e.rows {
		d := out[i*e.cols : (i+1)*e.cols]
		b := row[2*e.n:]
		clear(d)
		copy(d[e.cols-len(b):], b)
		for j := range e.n {
			if a := row[j]; a != 0 {
				axpy(d, a, s[j*e.cols:(j+1)*e.cols])
			}
			if a := row[e.n+j]; a != 0 {
				axpy(d, a, sp[j*e.cols:(j+1)*e.cols])
			}
		}
	}
}

func (e *daeEquation) rate(float64, []float64, []float64) (bool, error) { return false, nil }
