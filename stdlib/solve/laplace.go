// The embedded Laplace approximation of a marginal likelihood.
//
// Latent variables theta are normal with mean 0 and covariance K, and the data have the
// log likelihood l(theta, eta). The integral of exp(l) over theta is approximated by that
// of a normal density with the mode t and the curvature there:
//
//	log p = l(t) - 1/2 t' K^-1 t - 1/2 log|I + K W|,  W = -d2 l/d theta2 at t.
//
// The mode is found by Newton's method in the form that needs no inverse of K
// (C. E. Rasmussen and C. K. I. Williams, Gaussian Processes for Machine Learning, 2006,
// section 3.4): a = (I + W K)^-1 (W theta + dl/dtheta), theta = K a. The derivatives with
// respect to K and eta follow by the implicit function theorem (C. C. Margossian et al.,
// NeurIPS 2020; C. C. Margossian, arXiv:2306.14976).
//
// What is needed beyond the gradient of l are second and third derivatives along a few
// directions. They are differences of gradients, by seven-point formulas of order 6 with
// steps of a fraction of the posterior standard deviation; for likelihoods that are
// smooth on that scale the error is about 1e-11. (Stan differentiates again instead,
// which some functions do not support.) With the covariance A = (K^-1 + W)^-1 of the
// approximation split by blocks of W into columns c, the trace of A times the third
// derivatives is the sum of the second derivatives of the gradient along c.

package solve

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// A LogLikelihood is l(theta, eta) for a fixed eta.
type LogLikelihood interface {
	// Gradient returns l and fills grad with its derivatives with respect to theta and
	// then eta.
	Gradient(theta, grad []float64) (float64, error)
}

// LaplaceControl has the controls of the search for the mode.
type LaplaceControl struct {
	Tol       float64 // the change of the objective that ends it
	MaxSteps  int
	BlockSize int // of W, which is block diagonal
	Halvings  int // of a step that does not increase the objective; 0 accepts every step
}

// A Laplace computes approximations of one size.
type Laplace struct {
	l       LogLikelihood
	n, m    int // latent variables, numbers of eta
	control LaplaceControl

	k      []float64 // the covariance, of the present call
	theta  []float64
	a      []float64 // K^-1 theta
	w      []float64 // W, row by row
	lu     *factors  // of I + W K
	cov    []float64 // A
	sd     []float64 // its standard deviations
	value  float64   // l at theta
	grad   []float64 // with respect to theta and eta
	near   [7][]float64
	point  []float64
	along  []float64
	deriv  []float64
	trial  []float64
	b      []float64
	thirds []float64 // half the trace of A times the third derivatives
	square []float64
}

// NewLaplace makes an approximation for n latent variables and m numbers eta.
func NewLaplace(l LogLikelihood, n, m int, control LaplaceControl) *Laplace {
	p := &Laplace{l: l, n: n, m: m, control: control, lu: newFactors(n)}
	for _, v := range []*[]float64{&p.theta, &p.a, &p.sd, &p.point, &p.along, &p.trial, &p.b} {
		*v = make([]float64, n)
	}
	for _, v := range []*[]float64{&p.w, &p.cov, &p.square} {
		*v = make([]float64, n*n)
	}
	for _, v := range []*[]float64{&p.grad, &p.deriv, &p.thirds} {
		*v = make([]float64, n+m)
	}
	for i := range p.near {
		p.near[i] = make([]float64, n+m)
	}
	return p
}

// Solve finds the mode, starting at theta, for the covariance k (n x n), and gives the
// approximate log marginal likelihood.
func (p *Laplace) Solve(theta, k []float64) (float64, error) {
	p.k = k
	copy(p.theta, theta)
	for i := range p.sd {
		p.sd[i] = math.Inf(1)
	}
	if err := p.mode(); err != nil {
		return 0, err
	}
	// once more with steps that fit the approximation
	if err := p.covariance(); err != nil {
		return 0, err
	}
	if err := p.curvature(); err != nil {
		return 0, err
	}
	logDet, ok := p.factor()
	if !ok {
		return 0, errorf("the log posterior has no maximum at the mode that was found")
	}
	return p.value - float64(0.5*dotProduct(p.a, p.theta)) - float64(0.5*logDet), nil
}

// mode searches for the maximum of l - theta' K^-1 theta / 2.
func (p *Laplace) mode() error {
	known, err := p.begin()
	if err != nil {
		return err
	}
	before := math.Inf(-1)
	if known {
		before = p.value - float64(0.5*dotProduct(p.a, p.theta))
	}
	settled := 0
	for range p.control.MaxSteps {
		if err := p.curvature(); err != nil {
			return err
		}
		if _, ok := p.factor(); !ok {
			return errorf("the Newton step for the mode of the latent variables does not exist")
		}
		moved, objective, err := p.step(before)
		if err != nil {
			return err
		}
		change := math.Abs(objective - before)
		before = objective
		if !(change <= p.control.Tol*(1+math.Abs(objective))) {
			settled = 0
			continue
		}
		// The objective is flat at the mode: let theta settle as well.
		if settled++; moved < 1e-9 || settled == 6 {
			return nil
		}
	}
	return errorf("max_num_steps = %d exceeded in the search for the mode of the latent variables", p.control.MaxSteps)
}

// begin evaluates the likelihood and K^-1 theta at the start; false where K is singular.
func (p *Laplace) begin() (known bool, err error) {
	if p.value, err = p.evaluate(p.theta, p.grad); err != nil {
		return false, err
	}
	copy(p.a, p.theta)
	if length(p.theta) == 0 {
		return true, nil
	}
	copy(p.lu.a, p.k)
	if !p.lu.factor() {
		clear(p.a)
		return false, nil
	}
	p.lu.solve(p.a, 1)
	return true, nil
}

func (p *Laplace) evaluate(theta, grad []float64) (float64, error) {
	v, err := p.l.Gradient(theta, grad)
	if err != nil {
		return 0, err
	}
	if sum := length(grad); math.IsNaN(v) || math.IsInf(sum, 0) || math.IsNaN(sum) {
		return 0, errorf("the log likelihood or its gradient is not finite in the search for the mode of the latent variables")
	}
	return v, nil
}

// factor decomposes I + W K and gives the logarithm of its determinant; false where that
// is not positive.
func (p *Laplace) factor() (float64, bool) {
	n := p.n
	for i := range n {
		row := p.lu.row(i)
		clear(row)
		for j, w := range p.w[i*n : (i+1)*n] {
			if w != 0 {
				axpy(row, w, p.k[j*n:(j+1)*n])
			}
		}
		row[i]++
	}
	if !p.lu.factor() {
		return 0, false
	}
	logDet, positive := 0.0, true
	for i := range n {
		d := p.lu.a[i*n+i]
		positive = positive == ((d > 0) == (p.lu.pivot[i] == i))
		logDet += libm.Log(math.Abs(d))
	}
	return logDet, positive
}

// step makes a Newton step, cut back until the objective grows. It gives the relative
// size of the change of theta and the objective.
func (p *Laplace) step(before float64) (moved, objective float64, err error) {
	n := p.n
	for i := range n {
		p.b[i] = p.grad[i] + dotProduct(p.w[i*n:(i+1)*n], p.theta)
	}
	p.lu.solve(p.b, 1) // the new a
	copy(p.along, p.a)
	part := 1.0
	for try := 0; ; try++ {
		for i := range n {
			p.a[i] = p.along[i] + float64(part*(p.b[i]-p.along[i]))
		}
		for i := range n {
			p.trial[i] = dotProduct(p.k[i*n:(i+1)*n], p.a)
		}
		v, err := p.evaluate(p.trial, p.deriv)
		if err != nil && try >= p.control.Halvings {
			return 0, 0, err
		}
		objective = v - float64(0.5*dotProduct(p.a, p.trial))
		if err == nil && (try >= p.control.Halvings || objective >= before-float64(1e-12*math.Abs(before))) {
			p.value = v
			break
		}
		part /= 2
	}
	for i, x := range p.trial {
		moved = math.Max(moved, math.Abs(x-p.theta[i])/(1+math.Abs(x)))
	}
	copy(p.theta, p.trial)
	copy(p.grad, p.deriv)
	return moved, objective, nil
}

// covariance fills cov with (I + K W)^-1 K.
func (p *Laplace) covariance() error {
	n := p.n
	if _, ok := p.factor(); !ok {
		return errorf("the log posterior has no maximum at the mode that was found")
	}
	for j := range n {
		row := p.cov[j*n : (j+1)*n]
		copy(row, p.k[j*n:(j+1)*n])
		p.lu.solveTransposed(row)
	}
	for i := range n {
		for j := range i {
			v := (p.cov[i*n+j] + p.cov[j*n+i]) / 2
			p.cov[i*n+j], p.cov[j*n+i] = v, v
		}
		p.sd[i] = math.Sqrt(math.Max(0, p.cov[i*n+i]))
	}
	return nil
}
