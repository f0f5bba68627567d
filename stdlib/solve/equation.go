// What an implicit multistep method solves at each step.

package solve

// An equation is F(t, y, dy/dt, p) = 0. Ordinary differential equations are those with
// F = dy/dt - f(t, y, p).
type equation interface {
	// residual fills res with F.
	residual(t float64, y, yp, res []float64) error
	// linearise evaluates the derivatives of F, and F into res.
	linearise(t float64, y, yp, res []float64) error
	// matrix fills m, in row-major order, with dF/dy + c dF/d(dy/dt) of the last
	// linearise.
	matrix(c float64, m []float64)
	// variation fills out with dF/dy s + dF/d(dy/dt) sp + dF/dp: what is left of the
	// equation of the sensitivities.
	variation(s, sp, out []float64)
	// rate fills yp with the rates at y, sensitivities included, and reports whether the equation
	// gives them at all.
	rate(t float64, y, yp []float64) (bool, error)
}

// A quadrature is dq/dt = g(t, y): numbers that depend on the states but do not act
// back.
type quadrature interface {
	integrand(t float64, y, g []float64) error
}

// odeEquation is dy/dt - f = 0.
type odeEquation struct {
	sys     System
	n, cols int
	rows    [][]float64 // derivatives of f as of the last linearise
}

func newODE(sys System, size Size) *odeEquation {
	return &odeEquation{sys: sys, n: size.States, cols: size.columns()}
}

func (o *odeEquation) residual(t float64, y, yp, res []float64) error {
	if err := o.sys.Rate(t, y, res); err != nil {
		return err
	}
	o.subtract(yp, res)
	return nil
}

// subtract makes res, the rate, the residual.
func (o *odeEquation) subtract(yp, res []float64) {
	for i := range o.n {
		res[i] = yp[i] - res[i]
	}
}

func (o *odeEquation) linearise(t float64, y, yp, res []float64) (err error) {
	if o.rows, err = o.sys.Gradients(t, y, res); err != nil {
		return err
	}
	o.subtract(yp, res)
	return nil
}

func (o *odeEquation) matrix(c float64, m []float64) {
	for i, row := range o.rows {
		d := m[i*o.n : (i+1)*o.n]
		for j := range d {
			d[j] = -row[j]
		}
		d[i] += c
	}
}

func (o *odeEquation) variation(s, sp, out []float64) {
	product(o.rows, o.n, o.cols, s, out)
	for i := range out {
		out[i] = sp[i] - out[i]
	}
}

func (o *odeEquation) rate(t float64, y, yp []float64) (bool, error) {
	if o.cols == 0 {
		return true, o.sys.Rate(t, y[:o.n], yp[:o.n])
	}
	rows, err := o.sys.Gradients(t, y[:o.n], yp[:o.n])
	if err != nil {
		return true, err
	}
	o.rows = rows
	product(rows, o.n, o.cols, y[o.n:], yp[o.n:])
	return true, nil
}
