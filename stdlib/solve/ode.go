// Initial value problems: what their solvers have in common.

package solve

import (
	"fmt"
	"math"
)

// A System is the right-hand side of dy/dt = f(t, y, p).
type System interface {
	// Rate fills dy with f.
	Rate(t float64, y, dy []float64) error
	// Gradients fills dy with f and gives, for each of its components, the derivatives
	// with respect to the states and then the parameters.
	Gradients(t float64, y, dy []float64) ([][]float64, error)
}

// A Stepper is a System that can make a whole step of an explicit Runge-Kutta method.
type Stepper interface {
	System
	// Step makes a step of size h from y at t, where the rates are rate (both with
	// sensitivities). It gives the state at the end, the rates at the stages but the
	// first, and the error estimate, all valid until the next call, or nothing where the
	// step must be made stage by stage.
	Step(t, h float64, y, rate []float64) ([][]float64, error)
}

// A Size says how many numbers an initial value problem has.
//
// A solver integrates the vector of States numbers y and, behind it, their
// sensitivities S as a matrix of States rows and Free+Params columns in row-major
// order: dS/dt = (df/dy) S + [0 df/dp]. The Free columns are derivatives with respect
// to whatever only the initial state depends on.
type Size struct {
	States, Free, Params int
}

func (s Size) columns() int { return s.Free + s.Params }

// Len is the length of the state with its sensitivities.
func (s Size) Len() int { return s.States * (1 + s.columns()) }

// A Tolerance says how accurate a solution must be: the error of a number y that a
// step may make is Rel*|y| + Abs.
type Tolerance struct {
	Rel      float64
	Abs      []float64 // one for each state, or one for all
	MaxSteps int       // between one output time and the next
}

func (t Tolerance) abs(i int) float64 {
	if len(t.Abs) == 1 {
		return t.Abs[0]
	}
	return t.Abs[i]
}

// A Sink takes the solution at the output times in order. The slice is valid during
// the call only.
type Sink interface {
	At(i int, y []float64) error
}

// An Integrator solves initial value problems of one size.
type Integrator interface {
	// Integrate solves from y at t to the times ts, which must not decrease and not lie
	// before t; y has the sensitivities behind the states. It may evaluate the system at
	// any time between t and the last of ts.
	Integrate(t float64, y, ts []float64, sink Sink) error
}

// A Method is a way to solve ordinary differential equations.
type Method uint8

// The methods. The step size is chosen so that the local errors of the states and of
// their sensitivities stay within the tolerance, as if all were states of one system.
const (
	DormandPrince Method = iota // explicit Runge-Kutta of order 5
	CashKarp                    // explicit Runge-Kutta of order 5
	BDF                         // backward differentiation formulas of orders 1 to 5
	Adams                       // Adams-Moulton formulas of orders 1 to 12
)

// Tableau returns the coefficients of an explicit Runge-Kutta method, nil for others.
func (m Method) Tableau() *Tableau {
	switch m {
	case DormandPrince:
		return &dormandPrince
	case CashKarp:
		return &cashKarp
	}
	return nil
}

// NewIntegrator makes a solver.
func NewIntegrator(m Method, sys System, size Size, tol Tolerance) Integrator {
	if tab := m.Tableau(); tab != nil {
		return newRungeKutta(tab, sys, size, tol)
	}
	return newMultistep(m, newODE(sys, size), size, tol)
}

// An Error says why a solver gave up.
type Error struct{ Text string }

// Error returns the text.
func (e *Error) Error() string { return e.Text }

// Recoverable reports that the failure rejects a point, not the program.
func (e *Error) Recoverable() bool { return true }

func errorf(format string, args ...any) error { return &Error{fmt.Sprintf(format, args...)} }

func tooManySteps(end float64, max int) error {
	return errorf("failed to integrate to the next output time (%g) in less than max_num_steps = %d steps", end, max)
}

func stepTooSmall(t float64) error {
	return errorf("the step size became too small at time %g", t)
}

// product fills out, the rows of out = a*s + b for a matrix a given by the first
// len(a[i]) = n numbers of each row of rows and b by those behind them, which go to
// the last columns.
func product(rows [][]float64, n, cols int, s, out []float64) {
	for i, row := range rows {
		d := out[i*cols : (i+1)*cols]
		b := row[n:]
		free, j := cols-len(b), 0
		if n > 1 && row[0] != 0 && row[1] != 0 {
			u, v := s[:cols], s[cols:2*cols]
			times2(d[:free], row[0], u, row[1], v)
			plus2(d[free:], b, row[0], u[free:], row[1], v[free:])
			j = 2
		} else {
			clear(d)
			copy(d[free:], b)
		}
		for ; j < n; j++ {
			if a := row[j]; a != 0 {
				axpy(d, a, s[j*cols:(j+1)*cols])
			}
		}
	}
}

// axpy adds a*x to y.
func axpy(y []float64, a float64, x []float64) {
	x = x[:len(y)]
	for i := range y {
		y[i] += float64(a * x[i])
	}
}

// times2 sets out to the sum of two multiples.
func times2(out []float64, a float64, u []float64, b float64, v []float64) {
	u, v = u[:len(out)], v[:len(out)]
	for i := range out {
		out[i] = float64(a*u[i]) + float64(b*v[i])
	}
}

// plus2 sets out to y and multiples of two others, added one after the other.
func plus2(out, y []float64, a float64, u []float64, b float64, v []float64) {
	y, u, v = y[:len(out)], u[:len(out)], v[:len(out)]
	for i := range out {
		out[i] = y[i] + float64(a*u[i]) + float64(b*v[i])
	}
}

// worse is the greater of two error norms; NaN counts as infinite.
func worse(a, b float64) float64 {
	switch {
	case b <= a:
		return a
	case a != a || b != b:
		return math.Inf(1)
	}
	return b
}
