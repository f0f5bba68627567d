// Multinomial distributions: by probabilities, by logits, and Dirichlet-multinomial.

package multivariate

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/container"
	"github.com/seed-12b88e03/ppl/stdlib/internal/univariate"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

const multinomialSection = "Multivariate Discrete Distributions"

// A multinomial is one of the distributions of a vector of counts.
type multinomial struct {
	name, param, doc string
	check            func(fn string, t catalogue.Tensor) error
	log              logDensity
	// draw fills out with counts that sum to n.
	draw func(r *rand.Rand, p []float64, n int, out []float64)
}

func MultinomialFunctions() []*catalogue.Function {
	var all []*catalogue.Function
	for _, m := range []multinomial{
		{"multinomial", "theta", "multinomial distribution with probabilities theta",
			func(fn string, t catalogue.Tensor) error { return simplexError(fn, "theta", t.X) }, multinomialLog, multinomialDraw},
		{"multinomial_logit", "gamma", "multinomial distribution with probabilities softmax(gamma)",
			func(fn string, t catalogue.Tensor) error {
				return catalogue.CheckEach(fn, "gamma", t, catalogue.IsFinite, "finite")
			}, multinomialLogitLog,
			func(r *rand.Rand, p []float64, n int, out []float64) { multinomialDraw(r, softmaxOf(p), n, out) }},
		{"dirichlet_multinomial", "alpha", "Dirichlet-multinomial distribution with prior sample sizes alpha",
			func(fn string, t catalogue.Tensor) error {
				return catalogue.CheckEach(fn, "alpha", t, catalogue.IsPositiveFinite, "positive and finite")
			}, dirichletMultinomialLog,
			func(r *rand.Rand, p []float64, n int, out []float64) {
				theta := make([]float64, len(p))
				dirichletDraw(r, p, theta)
				multinomialDraw(r, theta, n, out)
			}},
	} {
		all = append(all, m.density(), m.random())
	}
	return all
}

func (m multinomial) density() *catalogue.Function {
	fn := m.name + "_lpmf"
	return &catalogue.Function{
		Name:       fn,
		Signatures: []string{"real " + fn + "(array[] int n | vector " + m.param + ")"},
		Doc:        "log mass of the " + m.doc,
		Section:    multinomialSection,
		Kernel: DensityKernel(func(in []catalogue.Tensor) error {
			if a, b := len(in[0].X), len(in[1].X); a != b {
				return container.SizeError(fn, "the size of n", a, "the size of "+m.param, b)
			}
			return nil
		}, func(in []catalogue.Tensor) int { return len(in[1].X) },
			func(in []catalogue.Tensor, adj float64, din [][]float64, work []float64) (float64, error) {
				if err := catalogue.CheckEach(fn, "n", in[0], func(x float64) bool { return x >= 0 }, "non-negative"); err != nil {
					return 0, err
				}
				if err := m.check(fn, in[1]); err != nil {
					return 0, err
				}
				return m.log(in, adj, din, work)
			}),
	}
}

func (m multinomial) random() *catalogue.Function {
	fn := m.name + "_rng"
	return &catalogue.Function{
		Name:       fn,
		Signatures: []string{"array[] int " + fn + "(vector " + m.param + ", int n)"},
		Doc:        "a variate of the " + m.doc + ": counts that sum to n",
		Section:    multinomialSection,
		Draw: &catalogue.Drawer{
			Dims: func(in []catalogue.Tensor) ([]int, error) { return in[0].Dims, nil },
			Draw: func(r *rand.Rand, in []catalogue.Tensor, out []float64) error {
				if in[1].X[0] < 0 {
					return catalogue.ArgumentError(fn, "n", in[1], 0, "non-negative")
				}
				if err := m.check(fn, in[0]); err != nil {
					return err
				}
				m.draw(r, in[0].X, container.IntArg(in[1]), out)
				return nil
			},
		},
	}
}

// MultinomialCoefficient is the logarithm of n! / prod n[i]!.
func MultinomialCoefficient(n []float64) float64 {
	total, sum := 0.0, 0.0
	for _, v := range n {
		total += v
		sum -= special.Lgamma(v + 1)
	}
	return sum + special.Lgamma(total+1)
}

func multinomialLog(in []catalogue.Tensor, adj float64, din [][]float64, _ []float64) (float64, error) {
	n, theta := in[0].X, in[1].X
	total, sum := 0.0, 0.0
	d := Into(din, 1)
	for i, v := range n {
		total += v
		if v == 0 {
			continue // also where theta is 0
		}
		sum += float64(v * libm.Log(theta[i]))
		if d != nil {
			d[i] += adj * v / theta[i]
		}
	}
	if total >= 1000 && !math.IsInf(sum, -1) {
		return multinomialSaddle(n, theta, total), nil
	}
	return sum + MultinomialCoefficient(n), nil
}

// multinomialSaddle is the log mass for large counts in Loader's form, without the
// cancellation between factorials and powers; m below is the expected count.
func multinomialSaddle(n, theta []float64, total float64) float64 {
	sum := univariate.HalfLogTwoPi + float64(0.5*libm.Log(total)) + special.StirlingError(total)
	for i, v := range n {
		if v > 0 {
			m := float64(total * theta[i])
			sum -= univariate.HalfLogTwoPi + float64(0.5*libm.Log(v)) + special.StirlingError(v) + special.Deviance(v, m) - (m - v)
		}
	}
	return sum
}

func multinomialLogitLog(in []catalogue.Tensor, adj float64, din [][]float64, _ []float64) (float64, error) {
	n, gamma := in[0].X, in[1].X
	norm := univariate.LogSumExpOf(gamma)
	sum, total := MultinomialCoefficient(n), 0.0
	for i, v := range n {
		total += v
		sum += float64(v * (gamma[i] - norm))
	}
	if d := Into(din, 1); d != nil {
		for i, v := range n {
			d[i] += float64(adj * (v - float64(total*libm.Exp(gamma[i]-norm))))
		}
	}
	return sum, nil
}

func softmaxOf(x []float64) []float64 {
	p := make([]float64, len(x))
	norm := univariate.LogSumExpOf(x)
	for i, v := range x {
		p[i] = libm.Exp(v - norm)
	}
	return p
}

// dirichletMultinomialLog uses the mass n B(n, A) / prod n[i] B(n[i], alpha[i]), where A is
// the sum of alpha and i runs over positive counts.
func dirichletMultinomialLog(in []catalogue.Tensor, adj float64, din [][]float64, _ []float64) (float64, error) {
	n, alpha := in[0].X, in[1].X
	total, a, sum := 0.0, 0.0, 0.0
	for i, v := range n {
		total += v
		a += alpha[i]
		if v > 0 {
			sum -= libm.Log(v) + special.Lbeta(v, alpha[i])
		}
	}
	if total == 0 {
		return 0, nil
	}
	if d := Into(din, 1); d != nil {
		top := special.PsiDiff(a, total)
		for i, v := range n {
			g := -top
			if v > 0 {
				g += special.PsiDiff(alpha[i], v)
			}
			d[i] += float64(adj * g)
		}
	}
	return sum + libm.Log(total) + special.Lbeta(total, a), nil
}

// multinomialDraw draws the counts one after the other, each binomial given those
// before.
func multinomialDraw(r *rand.Rand, p []float64, n int, out []float64) {
	left, rest := float64(n), 1.0
	for i := range out {
		switch {
		case left == 0:
			out[i] = 0
		case i == len(out)-1 || p[i] >= rest:
			out[i] = left
		default:
			out[i] = univariate.BinomialDraw(r, left, p[i]/rest)
		}
		left -= out[i]
		rest -= p[i]
	}
}
