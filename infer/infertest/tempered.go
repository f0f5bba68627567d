// This file has models whose prior and likelihood are known apart, with their
// exact evidence.

package infertest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

const logRoot2Pi = 0.91893853320467274178

// Parts returns log prior and log likelihood, both normalised, and fills grad,
// where that is not nil, with the gradient of prior + beta*likelihood.
type Parts func(q []float64, beta float64, grad []float64) (prior, likelihood float64, err error)

// FromParts returns a model of a stateless Parts.
func FromParts(n int, f Parts) *Model {
	m := &Model{N: n, NewParts: func() Parts { return f }}
	m.New = m.sum
	return m
}

func (m *Model) sum() Density {
	f := m.NewParts()
	return func(q, grad []float64) (float64, error) {
		p, l, err := f(q, 1, grad)
		return p + l, err
	}
}

// withTap returns the same model with a function that is called before each
// evaluation, perhaps from several goroutines.
func (m *Model) withTap(tap func()) *Model {
	c := *m
	c.New = func() Density {
		f := m.New()
		return func(q, grad []float64) (float64, error) {
			tap()
			return f(q, grad)
		}
	}
	if m.NewParts != nil {
		c.NewParts = func() Parts {
			f := m.NewParts()
			return func(q []float64, beta float64, grad []float64) (float64, float64, error) {
				tap()
				return f(q, beta, grad)
			}
		}
	}
	return &c
}

type temperedEvaluator struct {
	evaluator
	parts Parts
}

func (e *temperedEvaluator) LogDensityParts(q []float64) (prior, likelihood float64, err error) {
	return e.parts(q, 1, nil)
}

func (e *temperedEvaluator) LogDensityPartsGrad(q []float64, beta float64, grad []float64) (prior, likelihood float64, err error) {
	return e.parts(q, beta, grad)
}

func (e *temperedEvaluator) DrawPrior(r *rand.Rand, q []float64) error {
	if e.m.Prior == nil {
		return fmt.Errorf("the prior is improper")
	}
	return e.m.Prior(r, q)
}

func (e *temperedEvaluator) Whole() []infer.Range { return e.m.Ranges }

type mixedEvaluator struct{ evaluator }

func (e *mixedEvaluator) Whole() []infer.Range { return e.m.Ranges }

// EvidenceCase is a case with an exact log evidence. Its model has all parts.
type EvidenceCase struct {
	Case
	LogEvidence float64
}

// Conjugate is theta ~ N(0, I) with observations x_j' theta + N(0, noise^2):
// linear regression, whose posterior is normal and whose evidence is the
// normal density of the observations under N(0, X X' + noise^2 I).
func Conjugate(name string, x *mat.Dense, y []float64, noise float64) EvidenceCase {
	n, d := x.Dims()
	var outer mat.SymDense
	outer.SymOuterK(1, x)
	prec := mat.NewSymDense(d, nil)
	prec.SymOuterK(1/(noise*noise), x.T())
	for i := range d {
		prec.SetSym(i, i, prec.At(i, i)+1)
	}
	for i := range n {
		outer.SetSym(i, i, outer.At(i, i)+noise*noise)
	}
	var post, marginal mat.Cholesky
	if !post.Factorize(prec) || !marginal.Factorize(&outer) {
		panic("infertest: not positive definite")
	}
	obs := mat.NewVecDense(n, y)
	var xty, mean, solved mat.VecDense
	xty.MulVec(x.T(), obs)
	xty.ScaleVec(1/(noise*noise), &xty)
	var cov mat.SymDense
	if post.SolveVecTo(&mean, &xty) != nil || marginal.SolveVecTo(&solved, obs) != nil || post.InverseTo(&cov) != nil {
		panic("infertest: a solve failed")
	}
	exact := Gaussian(name, mean.RawVector().Data, &cov)
	exact.Model = FromParts(d, func(q []float64, beta float64, grad []float64) (prior, lik float64, err error) {
		for i, v := range q {
			prior -= v*v/2 + logRoot2Pi
			if grad != nil {
				grad[i] = -v
			}
		}
		for j := range n {
			row := x.RawRowView(j)
			r := y[j]
			for i, v := range q {
				r -= row[i] * v
			}
			r /= noise
			lik -= r*r/2 + logRoot2Pi + libm.Log(noise)
			if grad != nil {
				for i := range q {
					grad[i] += beta * r * row[i] / noise
				}
			}
		}
		return prior, lik, nil
	})
	exact.Model.Prior = normalPrior
	return EvidenceCase{
		Case:        exact,
		LogEvidence: -mat.Dot(obs, &solved)/2 - marginal.LogDet()/2 - float64(n)*logRoot2Pi,
	}
}

func normalPrior(r *rand.Rand, q []float64) error {
	for i := range q {
		q[i] = variate.Normal(r)
	}
	return nil
}

// ConjugateLine is a Conjugate in d dimensions with 3 d observations on a fixed
// design of unequal scales and some correlation; the noise has sd 0.5.
func ConjugateLine(d int) EvidenceCase {
	n := 3 * d
	x := mat.NewDense(n, d, nil)
	y := make([]float64, n)
	for j := range n {
		for i := range d {
			x.Set(j, i, libm.Sin(float64(1+j*(i+1)))+0.5*libm.Cos(float64(j))+0.2*float64(i%3))
		}
		y[j] = 1.5*libm.Sin(float64(j)) + 0.8
	}
	return Conjugate(fmt.Sprintf("regression d=%d", d), x, y, 0.5)
}

// BetaBinomial is a probability p ~ beta(2, 3) on the logit scale with k
// successes in n trials: a skewed posterior beta(2+k, 3+n-k); the evidence is
// choose(n, k) B(2+k, 3+n-k)/B(2, 3).
func BetaBinomial(k, n float64) EvidenceCase {
	const a0, b0 = 2, 3
	a, b := a0+k, b0+n-k
	choose := lgamma(n+1) - lgamma(k+1) - lgamma(n-k+1)
	m := FromParts(1, func(q []float64, beta float64, grad []float64) (float64, float64, error) {
		p := 1 / (1 + libm.Exp(-q[0]))
		logP, logQ := -libm.Log1p(libm.Exp(-q[0])), -libm.Log1p(libm.Exp(q[0]))
		if grad != nil {
			grad[0] = a0*(1-p) - b0*p + beta*(k*(1-p)-(n-k)*p)
		}
		return a0*logP + b0*logQ - logBeta(a0, b0), choose + k*logP + (n-k)*logQ, nil
	})
	m.Names = []string{"p"}
	m.Writer = func(q []float64, _ *rand.Rand, out []float64) error {
		out[0] = 1 / (1 + libm.Exp(-q[0]))
		return nil
	}
	m.Prior = func(r *rand.Rand, q []float64) error {
		q[0] = libm.Log(gammaInt(r, a0) / gammaInt(r, b0))
		return nil
	}
	return EvidenceCase{
		Case: Case{
			Name: "beta-binomial", Model: m, Mean: []float64{a / (a + b)},
			SD: []float64{math.Sqrt(a*b/(a+b+1)) / (a + b)},
			Draw: func(r *rand.Rand, q []float64) {
				q[0] = libm.Log(gammaInt(r, int(a)) / gammaInt(r, int(b)))
			},
		},
		LogEvidence: choose + logBeta(a, b) - logBeta(a0, b0),
	}
}

// gammaInt draws from gamma(shape, 1) for a whole shape.
func gammaInt(r *rand.Rand, shape int) float64 {
	var g float64
	for range shape {
		g += variate.Exponential(r)
	}
	return g
}

func lgamma(x float64) float64 {
	v, _ := libm.Lgamma(x)
	return v
}

func logBeta(a, b float64) float64 { return lgamma(a) + lgamma(b) - lgamma(a+b) }

// EvidenceCases are targets that a method for the evidence must get right.
func EvidenceCases() []EvidenceCase {
	return []EvidenceCase{ConjugateLine(1), ConjugateLine(5), BetaBinomial(17, 20)}
}

// CountAndRate is a mixed target with independent parts: x ~ N(1, 2^2), k ~
// binomial(6, 0.3) on its full range 0..6, and m ~ geometric from 0 upwards
// with success probability 0.2, an open range.
func CountAndRate() Case {
	const trials, p, g = 6, 0.3, 0.2
	m := FromFunc(3, func(q, _ []float64) (float64, error) {
		x, k, c := (q[0]-1)/2, q[1], q[2]
		return -x*x/2 + lgamma(trials+1) - lgamma(k+1) - lgamma(trials-k+1) + k*libm.Log(p) + (trials-k)*libm.Log(1-p) + c*libm.Log(1-g), nil
	})
	m.Ranges = []infer.Range{{Low: 0, High: trials}, {Low: 0, High: math.Inf(1)}}
	return Case{
		Name: "mixed", Model: m, Mean: []float64{1, trials * p, (1 - g) / g},
		SD: []float64{2, math.Sqrt(trials * p * (1 - p)), math.Sqrt(1-g) / g},
		Draw: func(r *rand.Rand, q []float64) {
			q[0] = 1 + 2*variate.Normal(r)
			q[1], q[2] = 0, 0
			for range trials {
				if r.Float64() < p {
					q[1]++
				}
			}
			for r.Float64() >= g {
				q[2]++
			}
		},
	}
}
