// The Dirichlet distribution.

package multivariate

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/transform"
	"github.com/seed-12b88e03/ppl/stdlib/internal/univariate"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

const simplexSection = "Simplex Distributions"

func dirichletFunctions() []*catalogue.Function {
	const fn = "dirichlet_lpdf"
	return []*catalogue.Function{
		{
			Name:       fn,
			Signatures: []string{"real dirichlet_lpdf(vectors theta | vectors alpha)"},
			Doc:        "log density of the Dirichlet distribution with prior sample sizes alpha",
			Section:    simplexSection,
			Kernel: DensityKernel(func(in []catalogue.Tensor) error {
				_, _, err := sequenceSize(fn, "theta", in[0], "alpha", in[1])
				return err
			}, nil, dirichletLog),
		},
		{
			Name:       "dirichlet_rng",
			Signatures: []string{"vector dirichlet_rng(vector alpha)"},
			Doc:        "a variate of the Dirichlet distribution",
			Section:    simplexSection,
			Draw: &catalogue.Drawer{
				Dims: func(in []catalogue.Tensor) ([]int, error) { return in[0].Dims, nil },
				Draw: func(r *rand.Rand, in []catalogue.Tensor, out []float64) error {
					if err := catalogue.CheckEach("dirichlet_rng", "alpha", in[0], catalogue.IsPositiveFinite, "positive and finite"); err != nil {
						return err
					}
					dirichletDraw(r, in[0].X, out)
					return nil
				},
			},
		},
	}
}

func dirichletLog(in []catalogue.Tensor, adj float64, din [][]float64, _ []float64) (float64, error) {
	const fn = "dirichlet_lpdf"
	theta, alpha := sequenceOf(in[0]), sequenceOf(in[1])
	if theta.n == 0 || alpha.n == 0 {
		return 0, nil
	}
	if err := catalogue.CheckEach(fn, "alpha", in[1], catalogue.IsAboveZero, "positive"); err != nil {
		return 0, err
	}
	for i := 0; i < theta.n; i++ {
		if err := simplexError(fn, "theta", theta.at(theta.x, i)); err != nil {
			return 0, err
		}
	}
	sum := 0.0
	for i := 0; i < max(theta.n, alpha.n); i++ {
		a, x := alpha.at(alpha.x, i), theta.at(theta.x, i)
		total := 0.0
		for j, v := range a {
			total += v
			sum += float64((v-1)*libm.Log(x[j])) - special.Lgamma(v)
		}
		sum += special.Lgamma(total)
		if dx := Into(din, 0); dx != nil {
			d := theta.at(dx, i)
			for j, v := range a {
				d[j] += adj * (v - 1) / x[j]
			}
		}
		if da := Into(din, 1); da != nil {
			d := alpha.at(da, i)
			top := special.Digamma(total)
			for j, v := range a {
				d[j] += float64(adj * (top - special.Digamma(v) + libm.Log(x[j])))
			}
		}
	}
	return sum, nil
}

// simplexError rejects what is not a simplex.
func simplexError(fn, name string, x []float64) error {
	sum := 0.0
	for i, v := range x {
		if !(v >= 0) {
			return catalogue.DomainErrorf(fn, "%s[%d] is %s, but must be non-negative", name, i+1, catalogue.NumberText(v))
		}
		sum += v
	}
	if !(math.Abs(sum-1) <= transform.CheckTolerance) {
		return catalogue.DomainErrorf(fn, "%s is not a simplex: it sums to %v, but must sum to 1", name, sum)
	}
	return nil
}

// dirichletDraw normalises gamma variates, on the log scale so that tiny alpha do not
// give 0/0.
func dirichletDraw(r *rand.Rand, alpha, out []float64) {
	top := math.Inf(-1)
	for i, a := range alpha {
		out[i] = univariate.LogGammaDraw(r, a)
		top = math.Max(top, out[i])
	}
	sum := 0.0
	for i, v := range out {
		out[i] = libm.Exp(v - top)
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
}
