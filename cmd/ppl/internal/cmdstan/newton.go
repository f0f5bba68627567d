package cmdstan

// This file is algorithm=newton of method=optimize: Newton steps with the Hessian by
// differences, made to go uphill where the density is not concave.

import (
	"fmt"
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/optimize"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// newtonTolerance is the relative rise at which the search ends.
const newtonTolerance = 1e-8

func (c *climb) newton(init infer.Init) error {
	t := infer.Interruptible(c.ctx, c.target)
	state := infer.State{Q: make([]float64, t.Dim())}
	if err := init.Start(t, 0, rng.New(c.seed, rng.Init, 0, uint64(c.id()-1)), &state); err != nil {
		return err
	}
	q, lp := state.Q, state.LogDensity
	fmt.Fprintf(c.out, "Initial log joint probability = %s\n", streamed(lp))
	if c.all {
		c.write(q, lp)
	}
	converged := false
	for i := 1; i <= c.int("method", "optimize", "iter") && !converged; i++ {
		next, err := newtonStep(t, q, lp)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.out, "Iteration %2d. Log joint probability = %10s. Improved by %s.\n", i, streamed(next), streamed(next-lp))
		if c.all {
			c.write(q, next)
		}
		risen := (next - lp) / math.Abs(next)
		lp = next
		converged = !(risen > newtonTolerance)
	}
	if !c.all {
		c.write(q, lp)
	}
	if unbounded, err := unbounded(t, q, converged); err != nil || !unbounded {
		return err
	}
	return errNoMode
}

// newtonStep moves q, where the log density is lp, and returns the log density there. The
// step is halved until the density rises; after many halvings q stays.
func newtonStep(t infer.Target, q []float64, lp float64) (float64, error) {
	n := len(q)
	if n == 0 {
		return lp, nil
	}
	grad := make([]float64, n)
	if _, err := t.LogDensityGrad(q, grad); err != nil {
		return lp, err
	}
	hessian, err := optimize.NewHessian(t, q)
	if err != nil {
		return lp, err
	}
	step := uphill(hessian.At, grad)
	trial := make([]float64, n)
	for share := 1.0; share > 1e-10; share /= 2 {
		for i := range q {
			trial[i] = q[i] + share*step[i]
		}
		next, err := infer.FiniteLogDensity(t, trial)
		if err != nil {
			return lp, err
		}
		if next >= lp {
			copy(q, trial)
			return next, nil
		}
	}
	return lp, nil
}

// uphill is |H|^-1 grad, |H| being the Hessian with the signs of its eigenvalues dropped.
func uphill(h, grad []float64) []float64 {
	n := len(grad)
	sym := mat.NewSymDense(n, nil)
	for i := range n {
		for k := range i + 1 {
			sym.SetSym(i, k, (h[i*n+k]+h[k*n+i])/2)
		}
	}
	step := make([]float64, n)
	var eig mat.EigenSym
	if !eig.Factorize(sym, true) {
		copy(step, grad)
		return step
	}
	var v mat.Dense
	eig.VectorsTo(&v)
	values := eig.Values()
	top := math.Max(math.Abs(values[0]), math.Abs(values[n-1]))
	for k, value := range values {
		size := math.Max(math.Abs(value), 1e-12*top)
		if size == 0 {
			size = 1
		}
		along := 0.0
		for i := range n {
			along += v.At(i, k) * grad[i]
		}
		for i := range n {
			step[i] += v.At(i, k) * along / size
		}
	}
	return step
}
