// Package infertest has models whose posterior is known exactly, for testing
// inference methods.
//
// A Case is a model with the mean and the standard deviation of each of its
// columns. Cases are safe for concurrent use; their evaluators are not.
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

// Density is a log density that fills grad where that is not nil.
type Density func(q, grad []float64) (float64, error)

// Model is an infer.Model of a Go function. Its columns are its coordinates.
type Model struct {
	N   int
	New func() Density // one function for each evaluator
	// Writer, if set, fills out (len(Names)) in place of a copy of q.
	Writer func(q []float64, rng *rand.Rand, out []float64) error
	Names  []string // nil: q.1, q.2, ...
	// NewParts, if set, makes evaluators implement infer.Tempered.
	NewParts func() Parts
	// Prior, if set with NewParts, makes them implement infer.PriorSampler.
	Prior func(rng *rand.Rand, q []float64) error
	// Ranges, if set, makes them implement infer.Mixed.
	Ranges []infer.Range
	// Factors, if set, is the model's factorisation.
	Factors func() *infer.Factorisation
}

// FromFunc returns a model of a stateless density.
func FromFunc(n int, f Density) *Model {
	return &Model{N: n, New: func() Density { return f }}
}

// Dim implements infer.Model.
func (m *Model) Dim() int { return m.N }

// Columns implements infer.Model.
func (m *Model) Columns() []string {
	if m.Names != nil {
		return m.Names
	}
	names := make([]string, m.N)
	for i := range names {
		names[i] = fmt.Sprintf("q.%d", i+1)
	}
	return names
}

// NewEvaluator implements infer.Model.
func (m *Model) NewEvaluator() infer.Evaluator {
	e := evaluator{m: m, f: m.New()}
	switch {
	case m.NewParts != nil:
		return &temperedEvaluator{evaluator: e, parts: m.NewParts()}
	case m.Ranges != nil:
		return &mixedEvaluator{e}
	}
	return &e
}

type evaluator struct {
	m *Model
	f Density
}

func (e *evaluator) Dim() int                                { return e.m.N }
func (e *evaluator) LogDensity(q []float64) (float64, error) { return e.f(q, nil) }
func (e *evaluator) LogDensityGrad(q, grad []float64) (float64, error) {
	return e.f(q, grad)
}

func (e *evaluator) Write(q []float64, rng *rand.Rand, out []float64) error {
	if e.m.Writer != nil {
		return e.m.Writer(q, rng, out)
	}
	copy(out, q)
	return nil
}

// Case is a model with exact answers.
type Case struct {
	Name  string
	Model *Model
	Mean  []float64 // of each column
	SD    []float64 // of each column
	// Draw writes an exact draw of the unconstrained parameters; nil where
	// none is known.
	Draw func(rng *rand.Rand, q []float64)
}

// Gaussian is N(mean, cov) in as many dimensions as cov has.
func Gaussian(name string, mean []float64, cov *mat.SymDense) Case {
	n := len(mean)
	var chol mat.Cholesky
	if !chol.Factorize(cov) {
		panic("infertest: the covariance is not positive definite")
	}
	var prec mat.SymDense
	if err := chol.InverseTo(&prec); err != nil {
		panic("infertest: " + err.Error())
	}
	var root mat.TriDense
	chol.LTo(&root)
	sd := make([]float64, n)
	for i := range sd {
		sd[i] = math.Sqrt(cov.At(i, i))
	}
	return Case{
		Name: name, Mean: mean, SD: sd,
		Model: FromFunc(n, func(q, grad []float64) (float64, error) {
			var lp float64
			for i := range q {
				var g float64
				for j := range q {
					g -= prec.At(i, j) * (q[j] - mean[j])
				}
				lp += g * (q[i] - mean[i]) / 2
				if grad != nil {
					grad[i] = g
				}
			}
			return lp, nil
		}),
		Draw: func(rng *rand.Rand, q []float64) {
			z := make([]float64, n)
			for i := range z {
				z[i] = variate.Normal(rng)
			}
			for i := range q {
				q[i] = mean[i]
				for j := 0; j <= i; j++ {
					q[i] += root.At(i, j) * z[j]
				}
			}
		},
	}
}

// Independent is a Gaussian with the given standard deviations and means
// 0, 1, 2, ... times them.
func Independent(name string, sd []float64) Case {
	mean := make([]float64, len(sd))
	for i, s := range sd {
		mean[i] = float64(i) * s
	}
	return Case{
		Name: name, Mean: mean, SD: sd,
		Model: FromFunc(len(sd), func(q, grad []float64) (float64, error) {
			var lp float64
			for i, s := range sd {
				z := (q[i] - mean[i]) / s
				lp -= z * z / 2
				if grad != nil {
					grad[i] = -z / s
				}
			}
			return lp, nil
		}),
		Draw: func(rng *rand.Rand, q []float64) {
			for i, s := range sd {
				q[i] = mean[i] + s*variate.Normal(rng)
			}
		},
	}
}

// Correlated is a two-dimensional Gaussian with unit variances.
func Correlated(rho float64) Case {
	return Gaussian(fmt.Sprintf("gaussian rho=%g", rho), []float64{1, -2}, mat.NewSymDense(2, []float64{1, rho, rho, 1}))
}

// Banana is x ~ N(0, 1), y given x ~ N(b*(x^2-1), 1): mean 0 and variance
// 1 + 2*b^2 in y, with a curved ridge.
func Banana(b float64) Case {
	return Case{
		Name: fmt.Sprintf("banana b=%g", b), Mean: []float64{0, 0}, SD: []float64{1, math.Sqrt(1 + 2*b*b)},
		Model: FromFunc(2, func(q, grad []float64) (float64, error) {
			x, r := q[0], q[1]-b*(q[0]*q[0]-1)
			if grad != nil {
				grad[0] = -x + 2*b*x*r
				grad[1] = -r
			}
			return -x*x/2 - r*r/2, nil
		}),
		Draw: func(rng *rand.Rand, q []float64) {
			q[0] = variate.Normal(rng)
			q[1] = b*(q[0]*q[0]-1) + variate.Normal(rng)
		},
	}
}

// LogGamma is q = log(g) with g ~ gamma(3, 1): skewed. Its mean is digamma(3)
// = 3/2 - Euler's constant, its variance trigamma(3) = pi^2/6 - 5/4 (Abramowitz
// and Stegun 6.3.2, 6.4.3).
func LogGamma() Case {
	const shape = 3
	return Case{
		Name: "log gamma(3)", Mean: []float64{1.5 - 0.57721566490153286}, SD: []float64{math.Sqrt(math.Pi*math.Pi/6 - 1.25)},
		Model: FromFunc(1, func(q, grad []float64) (float64, error) {
			if grad != nil {
				grad[0] = shape - libm.Exp(q[0])
			}
			return shape*q[0] - libm.Exp(q[0]), nil
		}),
		Draw: func(rng *rand.Rand, q []float64) {
			var g float64
			for range shape {
				g += variate.Exponential(rng)
			}
			q[0] = libm.Log(g)
		},
	}
}

// Logistic is three independent logistic variables: heavier tails than
// Gaussian, variance pi^2/3.
func Logistic() Case {
	sd := math.Pi / math.Sqrt(3)
	return Case{
		Name: "logistic", Mean: []float64{0, 0, 0}, SD: []float64{sd, sd, sd},
		Model: FromFunc(3, func(q, grad []float64) (float64, error) {
			var lp float64
			for i, x := range q {
				lp -= math.Abs(x) + 2*libm.Log1p(libm.Exp(-math.Abs(x)))
				if grad != nil {
					grad[i] = -libm.Tanh(x / 2)
				}
			}
			return lp, nil
		}),
		Draw: func(rng *rand.Rand, q []float64) {
			for i := range q {
				u := rng.Float64()
				q[i] = libm.Log(u) - libm.Log1p(-u)
			}
		},
	}
}

// Scales are n standard deviations spread evenly in log scale from 0.1 to 10.
func Scales(n int) []float64 {
	sd := make([]float64, n)
	for i := range sd {
		sd[i] = libm.Pow(10, -1+2*float64(i)/float64(max(n-1, 1)))
	}
	return sd
}

// Cases are targets that a Markov method must get right.
func Cases() []Case {
	return []Case{
		Correlated(0), Correlated(0.9),
		Independent("50 scales", Scales(50)),
		Banana(0.7), LogGamma(), Logistic(),
	}
}
