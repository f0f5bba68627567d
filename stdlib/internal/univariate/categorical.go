// This file holds the categorical distributions, whose parameter is a vector.

package univariate

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

func categoricalDistributions() []*catalogue.Distribution {
	return []*catalogue.Distribution{
		{
			Name: "categorical", Args: "ints y | vector theta", Discrete: true,
			Doc: "categorical distribution with outcome probabilities theta", Section: BoundedInt,
			Rows: func(d *catalogue.Distribution) []*catalogue.Function {
				return vectorRows(d, categoricalKernel(), "int categorical_rng(vector theta)", &catalogue.Drawer{
					Draw: func(r *rand.Rand, in []catalogue.Tensor, out []float64) error {
						if err := RequireSimplex("categorical_rng", "theta", in[0]); err != nil {
							return err
						}
						out[0] = categoricalDraw(r.Float64(), in[0].X, func(k int) float64 { return in[0].X[k] })
						return nil
					},
				})
			},
		},
		{
			Name: "categorical_logit", Args: "ints y | vector beta", Discrete: true,
			Doc: "categorical distribution with log odds beta (up to a constant)", Section: BoundedInt,
			Rows: func(d *catalogue.Distribution) []*catalogue.Function {
				return vectorRows(d, categoricalLogitKernel(), "int categorical_logit_rng(vector beta)", &catalogue.Drawer{
					Draw: func(r *rand.Rand, in []catalogue.Tensor, out []float64) error {
						if err := requireAll("categorical_logit_rng", "beta", in[0], &catalogue.Finite); err != nil {
							return err
						}
						out[0] = categoricalLogitDraw(r.Float64(), in[0].X)
						return nil
					},
				})
			},
		},
	}
}

// vectorRows are the rows of a distribution over single outcomes that brings its own
// kernels; draw gives one number.
func vectorRows(d *catalogue.Distribution, density *catalogue.Kernel, rngSignature string, draw *catalogue.Drawer) []*catalogue.Function {
	suffix := DensitySuffix(d)
	rows := []*catalogue.Function{{
		Name: d.Name + suffix, Signatures: []string{"real " + d.Name + suffix + "(" + d.Args + ")"},
		Doc: "log mass of the " + d.Doc, Section: d.Section, Kernel: density, Density: d,
	}}
	if draw != nil {
		draw.Dims = catalogue.ScalarDims
		rows = append(rows, &catalogue.Function{
			Name: d.Name + "_rng", Signatures: []string{rngSignature},
			Doc: "random variate of the " + d.Doc, Section: d.Section, Draw: draw, Density: d,
		})
	}
	return rows
}

// categoricalLogitDraw is categoricalDraw of probabilities in proportion to exp(x): by these without their normaliser,
// unless u comes so near to the border of an outcome that rounding might decide.
func categoricalLogitDraw(u float64, x []float64) float64 {
	const most, near = 32, 1e-9
	var weights [most]float64
	if len(x) <= most && len(x) > 0 {
		top, sum := slices.Max(x), 0.0
		for k, v := range x {
			weights[k] = libm.Exp(v - top)
			sum += weights[k]
		}
		left := float64(u * sum)
		for k := range x {
			left -= weights[k]
			switch border := float64(near * sum); {
			case left < -border:
				return float64(k + 1)
			case left < border:
				left = math.NaN()
			}
		}
	}
	lse := LogSumExpOf(x)
	return categoricalDraw(u, x, func(k int) float64 { return libm.Exp(x[k] - lse) })
}

// categoricalDraw is an outcome from 1 to len(x) by inversion; u is uniform.
func categoricalDraw(u float64, x []float64, prob func(k int) float64) float64 {
	last := 0
	for k := range x {
		p := prob(k)
		if p > 0 {
			last = k
		}
		if u -= p; u < 0 {
			break
		}
	}
	return float64(last + 1)
}

// simplexSumTolerance is how far the sum of a simplex may be from 1, as in Stan.
const simplexSumTolerance = 1e-8

// RequireSimplex rejects what is not a vector of probabilities with sum 1.
func RequireSimplex(fn, arg string, t catalogue.Tensor) error {
	if len(t.X) == 0 {
		return catalogue.DomainErrorf(fn, "%s has no elements, but must be a simplex", arg)
	}
	if i := catalogue.Nonnegative.FirstBad(t.X); i >= 0 {
		return catalogue.ArgumentError(fn, arg, t, i, catalogue.Nonnegative.Text)
	}
	sum := 0.0
	for _, v := range t.X {
		sum += v
	}
	if !(math.Abs(sum-1) <= simplexSumTolerance) {
		return catalogue.DomainErrorf(fn, "%s has sum %s, but must be a simplex (sum 1)", arg, catalogue.NumberText(sum))
	}
	return nil
}

// requireAll holds all elements of an argument against a requirement.
func requireAll(fn, arg string, t catalogue.Tensor, req *catalogue.Requirement) error {
	if i := req.FirstBad(t.X); i >= 0 {
		return catalogue.ArgumentError(fn, arg, t, i, req.Text)
	}
	return nil
}

// requireOutcomes wants categories from 1 to n.
func requireOutcomes(fn, arg string, t catalogue.Tensor, n int) error {
	for i, k := range t.X {
		if !(k >= 1 && k <= float64(n)) {
			return catalogue.ArgumentError(fn, arg, t, i, "in the interval [1, "+catalogue.NumberText(float64(n))+"]")
		}
	}
	return nil
}

// sumOnly makes a kernel with a scalar result from one function that checks the
// arguments and one that computes value and gradient (len(din) is 0 for none).
func sumOnly(dims func(in []catalogue.Tensor) error, workSize func(in []catalogue.Tensor) int, check func(in []catalogue.Tensor) error,
	eval func(in []catalogue.Tensor, adj float64, din [][]float64, work []float64) float64) *catalogue.Kernel {
	run := func(in []catalogue.Tensor, din [][]float64, work []float64) (float64, error) {
		if err := check(in); err != nil {
			return math.NaN(), err
		}
		return eval(in, 1, din, work), nil
	}
	return &catalogue.Kernel{
		Dims: func(in []catalogue.Tensor) ([]int, error) {
			if dims == nil {
				return nil, nil
			}
			return nil, dims(in)
		},
		Work: workSize,
		Value: func(in []catalogue.Tensor, out, work []float64) error {
			v, err := run(in, nil, work)
			out[0] = v
			return err
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, work []float64) {
			eval(in, adj[0], din, work)
		},
		ValueGrad: run,
	}
}

func categoricalKernel() *catalogue.Kernel {
	const fn = "categorical_lpmf"
	return sumOnly(nil, nil, func(in []catalogue.Tensor) error {
		if err := requireOutcomes(fn, "y", in[0], len(in[1].X)); err != nil {
			return err
		}
		return RequireSimplex(fn, "theta", in[1])
	}, func(in []catalogue.Tensor, adj float64, din [][]float64, _ []float64) float64 {
		sum := 0.0
		for _, y := range in[0].X {
			k := int(y) - 1
			p := in[1].X[k]
			sum += libm.Log(p)
			if len(din) > 0 && din[1] != nil && p > 0 {
				din[1][k] += adj / p
			}
		}
		return sum
	})
}

func categoricalLogitKernel() *catalogue.Kernel {
	const fn = "categorical_logit_lpmf"
	return sumOnly(nil, nil, func(in []catalogue.Tensor) error {
		if err := requireOutcomes(fn, "y", in[0], len(in[1].X)); err != nil {
			return err
		}
		return requireAll(fn, "beta", in[1], &catalogue.Finite)
	}, func(in []catalogue.Tensor, adj float64, din [][]float64, _ []float64) float64 {
		n, sum := float64(len(in[0].X)), 0.0
		if n == 0 {
			return 0
		}
		beta := in[1].X
		lse := LogSumExpOf(beta)
		grad := len(din) > 0 && din[1] != nil
		for _, y := range in[0].X {
			k := int(y) - 1
			sum += logShare(beta, k, lse)
			if grad {
				din[1][k] += adj
			}
		}
		if grad {
			for k, b := range beta {
				din[1][k] -= float64(adj * n * libm.Exp(b-lse))
			}
		}
		return sum
	})
}

// LogSumExpOf is the log of the sum of the exponentials.
func LogSumExpOf(x []float64) float64 {
	top := math.Inf(-1)
	for _, v := range x {
		top = math.Max(top, v)
	}
	if math.IsInf(top, 0) {
		return top
	}
	sum := 0.0
	for _, v := range x {
		sum += libm.Exp(v - top)
	}
	return top + libm.Log(sum)
}

// logShare is x[k] - lse; where x[k] is most of the sum, from the rest of it, so
// that a log probability near 0 keeps its digits.
func logShare(x []float64, k int, lse float64) float64 {
	v := x[k] - lse
	if v < -0.5 {
		return v
	}
	rest := 0.0
	for i, b := range x {
		if i != k {
			rest += libm.Exp(b - x[k])
		}
	}
	return -libm.Log1p(rest)
}
