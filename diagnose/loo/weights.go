package loo

// This file weighs models for a mixture of their predictions.

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// bootstraps is the number of Bayesian bootstrap samples behind pseudo-BMA+ weights.
const bootstraps = 1000

// weigh fills in the weights of ranked fits of the same observations.
func weigh(ranks []Rank, fits []*Result) {
	terms := make([][]float64, len(ranks)) // by rank and observation
	for k, r := range ranks {
		for _, t := range fits[r.Fit].LOO.Terms {
			terms[k] = append(terms[k], t.ELPD)
		}
	}
	stacked, bma := stacking(terms), pseudoBMA(terms)
	for k := range ranks {
		ranks[k].Stacking, ranks[k].PseudoBMA = stacked[k], bma[k]
	}
}

// pseudoBMA returns pseudo-BMA+ weights: exp(elpd), normalised, averaged over Bayesian
// bootstrap samples of the observations. The same terms give the same weights.
func pseudoBMA(terms [][]float64) []float64 {
	r := rng.New(1, "bayesian bootstrap", 0, 0)
	n := len(terms[0])
	out, w, share := make([]float64, len(terms)), make([]float64, len(terms)), make([]float64, n)
	for range bootstraps {
		for i := range share {
			share[i] = variate.Exponential(r)
		}
		floats.Scale(float64(n)/vec.Sum(share), share)
		for k := range terms {
			w[k] = vec.Dot(share, terms[k])
		}
		total := mat.LogSumExp(w)
		for k := range w {
			out[k] += libm.Exp(w[k]-total) / bootstraps
		}
	}
	return out
}

// stacking returns the weights w, at least 0 and of sum 1, that maximise the sum over the
// observations of log sum_k w_k exp(terms[k][i]).
//
// The problem is concave; it is solved by Newton's method on the sum with mu sum_k log w_k
// added, for mu falling to where this can cost no more than stackingGap nats.
func stacking(terms [][]float64) []float64 {
	s := newStack(terms)
	models := len(terms)
	w := make([]float64, models)
	for k := range w {
		w[k] = 1 / float64(models)
	}
	for mu := 1.0; ; mu = math.Max(mu/10, stackingGap/float64(models)) {
		s.centre(w, mu)
		if mu*float64(models) <= stackingGap {
			return w
		}
	}
}

// stackingGap bounds how far, in nats, stacked weights may be from the best ones.
const stackingGap = 1e-8

// A stack is a problem of stacking.
type stack struct {
	p    [][]float64 // exp(terms), by observation and model, relative to the best model
	grad []float64
	hess *mat.SymDense // minus the second derivatives
}

func newStack(terms [][]float64) *stack {
	s := &stack{grad: make([]float64, len(terms)), hess: mat.NewSymDense(len(terms), nil)}
	for i := range terms[0] {
		best := math.Inf(-1)
		for k := range terms {
			best = math.Max(best, terms[k][i])
		}
		row := make([]float64, len(terms))
		for k := range terms {
			row[k] = libm.Exp(terms[k][i] - best)
		}
		s.p = append(s.p, row)
	}
	return s
}

// value is the objective at w, -Inf outside.
func (s *stack) value(w []float64, mu float64) float64 {
	sum := 0.0
	for _, x := range w {
		if !(x > 0) {
			return math.Inf(-1)
		}
		sum += float64(mu * libm.Log(x))
	}
	for _, row := range s.p {
		sum += libm.Log(vec.Dot(row, w))
	}
	return sum
}

// centre maximises the objective with mu, from w on.
func (s *stack) centre(w []float64, mu float64) {
	const (
		mostSteps = 100
		enough    = 1e-3 // of the barrier's part mu, of half the squared Newton decrement
	)
	step, to := make([]float64, len(w)), make([]float64, len(w))
	for range mostSteps {
		s.derive(w, mu)
		if !s.newton(step) {
			return
		}
		decrement := vec.Dot(s.grad, step)
		if decrement <= enough*mu {
			return
		}
		here := s.value(w, mu)
		size := 1.0
		for ; size > 1e-10; size /= 2 {
			mat.AddScaledTo(to, w, size, step)
			if s.value(to, mu) >= here+float64(size*decrement/4) {
				break
			}
		}
		if size <= 1e-10 {
			return // rounding is all that is left
		}
		copy(w, to)
		floats.Scale(1/vec.Sum(w), w)
	}
}

// derive computes the derivatives at w.
func (s *stack) derive(w []float64, mu float64) {
	s.hess.Zero()
	for k, x := range w {
		s.grad[k] = mu / x
		s.hess.SetSym(k, k, mu/(x*x))
	}
	for _, row := range s.p {
		at := vec.Dot(row, w)
		vec.AddScaled(s.grad, 1/at, row)
		s.hess.SymRankOne(s.hess, 1/(at*at), mat.NewVecDense(len(row), row))
	}
}

// newton returns the step to the maximum of the second-order expansion among weights of the
// same sum; false where the second derivatives are singular to working precision.
func (s *stack) newton(step []float64) bool {
	n := len(step)
	var c mat.Cholesky
	if !c.Factorize(s.hess) {
		return false
	}
	ones := mat.NewVecDense(n, nil)
	for k := range n {
		ones.SetVec(k, 1)
	}
	var toGrad, toOnes mat.VecDense
	errGrad, errOnes := c.SolveVecTo(&toGrad, mat.NewVecDense(n, s.grad)), c.SolveVecTo(&toOnes, ones)
	if _, bad := errGrad.(mat.Condition); errGrad != nil && !bad {
		return false
	}
	if _, bad := errOnes.(mat.Condition); errOnes != nil && !bad {
		return false
	}
	price := vec.Sum(toGrad.Raw()) / vec.Sum(toOnes.Raw())
	for k := range step {
		step[k] = toGrad.AtVec(k) - float64(price*toOnes.AtVec(k))
	}
	return true
}
