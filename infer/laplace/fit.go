// This file finds the normal approximation: mode, Newton steps, precision.

package laplace

import (
	"fmt"
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/optimize"
)

// A CurvatureError says that the log density is not curved downwards in all
// directions at the mode that was found.
type CurvatureError struct {
	Eigenvalue float64 // least curvature
	Coordinate int     // where its direction is longest, from 0
	Name       string  // of that coordinate, if the model names them
}

// Error implements error.
func (e *CurvatureError) Error() string {
	name := e.Name
	if name == "" {
		name = fmt.Sprintf("unconstrained coordinate %d", e.Coordinate+1)
	}
	return fmt.Sprintf("laplace: the log density is flat or curved upwards at the mode that was found (least curvature %.3g, mostly along %s), so there is no normal approximation; a proper prior on it, or another method, would help", e.Eigenvalue, name)
}

// Fit is a normal approximation and how exact it is.
type Fit struct {
	Normal      *normal.Normal
	Mode        []float64
	LogDensity  float64 // of the target at the mode
	Hessian     *optimize.Hessian
	Steps       int     // Newton steps taken
	Remaining   float64 // length of the next one, in standard deviations
	Evaluations int
}

// Converged reports whether mode and Hessian are exact for all purposes.
func (f *Fit) Converged() bool { return f.Remaining < 1e-5 && f.Hessian.Error <= optimize.GoodHessian }

// At polishes a mode and returns the normal approximation there. x is near a
// mode, as an optimiser leaves it.
func At(t infer.Target, x []float64) (*Fit, error) {
	const enough, most = 1e-6, 20
	n := len(x)
	f := &Fit{Mode: append([]float64(nil), x...)}
	grad, trial, step := make([]float64, n), make([]float64, n), mat.NewVecDense(max(n, 1), nil)
	var chol *mat.Cholesky
	for {
		lp, err := t.LogDensityGrad(f.Mode, grad)
		if err != nil {
			return nil, err
		}
		f.LogDensity = lp
		f.Evaluations++
		h, err := optimize.NewHessian(t, f.Mode)
		if err != nil {
			return nil, err
		}
		f.Hessian = h
		f.Evaluations += h.Evaluations
		if n == 0 {
			break
		}
		if chol, err = factor(h.At, n); err != nil {
			return nil, err
		}
		if err := chol.SolveVecTo(step, mat.NewVecDense(n, grad)); err != nil && !isCondition(err) {
			return nil, err
		}
		f.Remaining = math.Sqrt(max(0, vec.Dot(step.Raw(), grad)))
		if f.Remaining < enough || f.Steps == most {
			break
		}
		moved, err := f.newton(t, step.Raw(), trial)
		if err != nil {
			return nil, err
		}
		if !moved {
			break
		}
		f.Steps++
	}
	f.Normal = normal.NewPrecision(f.Mode, lowerOf(chol, n))
	return f, nil
}

func isCondition(err error) bool {
	_, ok := err.(mat.Condition)
	return ok
}

// newton moves the mode along the step, halved until the density does not
// fall, and reports whether it could.
func (f *Fit) newton(t infer.Target, step, trial []float64) (moved bool, err error) {
	for share := 1.0; share > 1e-3; share /= 2 {
		for i, s := range step {
			trial[i] = f.Mode[i] + float64(share*s)
		}
		lp, err := infer.FiniteLogDensity(t, trial)
		if err != nil {
			return false, err
		}
		f.Evaluations++
		if lp >= f.LogDensity-float64(1e-12*max(1, math.Abs(lp))) {
			copy(f.Mode, trial)
			return true, nil
		}
	}
	return false, nil
}

// factor is the Cholesky factor of the negative Hessian.
func factor(h []float64, n int) (*mat.Cholesky, error) {
	p := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			p.SetSym(i, j, -h[i*n+j])
		}
	}
	var chol mat.Cholesky
	if chol.Factorize(p) {
		return &chol, nil
	}
	e := &CurvatureError{}
	var eig mat.EigenSym
	if eig.Factorize(p, true) {
		var v mat.Dense
		eig.VectorsTo(&v)
		e.Eigenvalue = eig.Values()[0]
		for i := range n {
			if math.Abs(v.At(i, 0)) > math.Abs(v.At(e.Coordinate, 0)) {
				e.Coordinate = i
			}
		}
	}
	return nil, e
}

func lowerOf(chol *mat.Cholesky, n int) []float64 {
	l := make([]float64, n*n)
	if n == 0 {
		return l
	}
	var t mat.TriDense
	chol.LTo(&t)
	for i := range n {
		for j := range i + 1 {
			l[i*n+j] = t.At(i, j)
		}
	}
	return l
}
