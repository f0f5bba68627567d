// Systems of algebraic equations f(x, p) = 0: Newton's method with a line search and
// Powell's dogleg method.
//
// Both evaluate the Jacobian at every step. Newton's step is cut back until the sum of
// squares falls enough (J. E. Dennis and R. B. Schnabel, Numerical Methods for
// Unconstrained Optimization and Nonlinear Equations, section 6.3). Powell's step lies
// in a region of trust, on the path from the steepest descent to the Newton step
// (M. J. D. Powell, in: Numerical Methods for Nonlinear Algebraic Equations, 1970; the
// scaling and the updates of the region as in MINPACK's hybrj by J. J. More, B. S.
// Garbow and K. E. Hillstrom, 1980).
//
// One thing is different from the usual: at a solution that is good enough, up to two
// more Newton steps are made where they still make the residual smaller, so that the
// solution is accurate to rounding and does not depend on the starting point.

package solve

import "math"

// Equations is a system f(x, p) = 0 of as many equations as unknowns.
type Equations interface {
	// Values fills f.
	Values(x, f []float64) error
	// Jacobian fills f and gives the derivatives of each component with respect to the
	// unknowns, and whatever behind those.
	Jacobian(x, f []float64) ([][]float64, error)
}

// A RootFinder solves systems of n equations.
type RootFinder struct {
	eq       Equations
	n        int
	lu       *factors
	f, trial []float64
	next     []float64
	step     []float64 // Newton's
	descent  []float64 // gradient of half the sum of squares
	move     []float64
	scale    []float64
	rows     [][]float64
}

// NewRootFinder makes a solver.
func NewRootFinder(eq Equations, n int) *RootFinder {
	r := &RootFinder{eq: eq, n: n, lu: newFactors(n)}
	for _, v := range []*[]float64{&r.f, &r.trial, &r.next, &r.step, &r.descent, &r.move, &r.scale} {
		*v = make([]float64, n)
	}
	return r
}

// jacobian evaluates f and its derivatives at x and factors them; false where they are
// singular.
func (r *RootFinder) jacobian(x []float64) (bool, error) {
	var err error
	if r.rows, err = r.eq.Jacobian(x, r.f); err != nil {
		return false, err
	}
	for i, row := range r.rows {
		copy(r.lu.row(i), row[:r.n])
	}
	return r.lu.factor(), nil
}

// newtonStep fills step with -J^-1 f.
func (r *RootFinder) newtonStep() {
	for i, v := range r.f {
		r.step[i] = -v
	}
	r.lu.solve(r.step, 1)
}

// attempt evaluates f at x + move and gives its norm; Inf where it is no number.
func (r *RootFinder) attempt(x, move []float64, part float64) (float64, error) {
	for i, v := range x {
		r.next[i] = v + float64(part*move[i])
	}
	if err := r.eq.Values(r.next, r.trial); err != nil {
		return 0, err
	}
	norm := length(r.trial)
	if math.IsNaN(norm) {
		norm = math.Inf(1)
	}
	return norm, nil
}

// length is the Euclidean norm, safe against overflow.
func length(x []float64) float64 {
	largest := 0.0
	for _, v := range x {
		largest = worse(largest, math.Abs(v))
	}
	if largest == 0 || math.IsInf(largest, 0) {
		return largest
	}
	sum := 0.0
	for _, v := range x {
		v /= largest
		sum += float64(v * v)
	}
	return largest * math.Sqrt(sum)
}

func dotProduct(x, y []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += float64(v * y[i])
	}
	return sum
}

// relative is the greatest relative size of part*move at x.
func relative(x, move []float64, part float64) float64 {
	worst := 0.0
	for i, v := range x {
		worst = math.Max(worst, math.Abs(part*move[i])/math.Max(math.Abs(v), 1))
	}
	return worst
}

// Newton replaces x by a solution with |f| <= tol, in at most maxSteps steps. A step of
// less than minStep relative to x ends the search, as no progress is to be expected.
func (r *RootFinder) Newton(x []float64, minStep, tol float64, maxSteps int) error {
	for range maxSteps {
		ok, err := r.jacobian(x)
		if err != nil {
			return err
		}
		norm := length(r.f)
		if norm <= tol {
			return r.polish(x, norm, ok)
		}
		if math.IsInf(norm, 0) || math.IsNaN(norm) {
			return errorf("the algebraic equations are not finite at the point that was reached")
		}
		if !ok {
			return errorf("the Jacobian of the algebraic equations is singular, the norm of the residual is %g", norm)
		}
		r.newtonStep()
		part, err := r.search(x, norm)
		if err != nil {
			return err
		}
		if part == 0 {
			// The residual cannot be made smaller: rounding, or a minimum that is no root.
			if relative(x, r.step, 1) < math.Max(minStep, 1e-14) {
				return nil
			}
			return errorf("the search for a root stopped where the norm of the residual is %g, which is more than the function tolerance %g", norm, tol)
		}
		copy(x, r.next)
	}
	if err := r.eq.Values(x, r.f); err != nil {
		return err
	}
	if length(r.f) <= tol {
		return nil
	}
	return errorf("maximum number of steps (%d) exceeded in the search for a root", maxSteps)
}

// search cuts the Newton step until the norm falls in proportion; 0 where it does not.
func (r *RootFinder) search(x []float64, norm float64) (float64, error) {
	const enough = 1e-4
	part := 1.0
	for range 60 {
		size, err := r.attempt(x, r.step, part)
		if err != nil {
			return 0, err
		}
		if size <= (1-float64(enough*part))*norm {
			return part, nil
		}
		// the minimum of the parabola through the slope and both squares
		shrink := 0.5
		if ratio := size / norm; ratio < 1e3 {
			shrink = math.Min(0.5, math.Max(0.1, part/(part*2+float64(ratio*ratio)-1)))
		}
		part *= shrink
	}
	return 0, nil
}

// polish makes Newton steps at a solution as long as they help.
func (r *RootFinder) polish(x []float64, norm float64, ok bool) error {
	for range 2 {
		if !ok || norm == 0 {
			return nil
		}
		r.newtonStep()
		size, err := r.attempt(x, r.step, 1)
		if err != nil || !(size < norm) {
			return err
		}
		copy(x, r.next)
		norm = size
		if ok, err = r.jacobian(x); err != nil {
			return err
		}
	}
	return nil
}

// Transposed solves transpose(J) v = b in place for the Jacobian at x, whose rows it
// gives.
func (r *RootFinder) Transposed(x, b []float64) ([][]float64, error) {
	ok, err := r.jacobian(x)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, errorf("the Jacobian of the algebraic equations is singular at the solution")
	}
	r.lu.solveTransposed(b)
	return r.rows, nil
}
