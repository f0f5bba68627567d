// This file holds the Bernoulli and binomial distributions, with chances and logits.

package univariate

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

func binomialDistributions() []*catalogue.Distribution {
	return []*catalogue.Distribution{
		withTails(&catalogue.Distribution{
			Name: "bernoulli", Args: "ints y | reals theta", Discrete: true,
			Doc: "Bernoulli distribution with chance of success theta", Section: binaries,
			Requires: []catalogue.Requirement{catalogue.ZeroOrOne, catalogue.Probability}, Variate: &catalogue.AnyInt,
			Log: bernoulliLog, Bulk: bernoulliBulk,
			Draw: func(r *rand.Rand, p []float64) float64 { return BernoulliDraw(r, p[0]) },
		}, bernoulliTail),
		{
			Name: "bernoulli_logit", Args: "ints y | reals alpha", Discrete: true,
			Doc: "Bernoulli distribution with log odds alpha", Section: binaries,
			Requires: []catalogue.Requirement{catalogue.ZeroOrOne, catalogue.NotNaN},
			Log:      bernoulliLogitLog, Bulk: bernoulliLogitBulk,
			Draw: func(r *rand.Rand, p []float64) float64 { return BernoulliDraw(r, InverseLogit(p[0])) },
		},
		withTails(&catalogue.Distribution{
			Name: "binomial", Args: "ints n | ints N, reals theta", Discrete: true,
			Doc: "binomial distribution of the successes in N trials with chance theta", Section: BoundedInt,
			Requires: []catalogue.Requirement{catalogue.AnyInt, catalogue.CountInt, catalogue.Probability}, Support: upToTrials, SupportOfCounts: true,
			Log: binomialLog, Bulk: binomialBulk, Known: binomialKnown, FiniteImpliesValid: true,
			Draw: func(r *rand.Rand, p []float64) float64 { return BinomialDraw(r, p[0], p[1]) },
		}, binomialTail),
		{
			Name: "binomial_logit", Args: "ints n | ints N, reals alpha", Discrete: true,
			Doc: "binomial distribution of the successes in N trials with log odds alpha", Section: BoundedInt,
			Requires: []catalogue.Requirement{catalogue.AnyInt, catalogue.CountInt, catalogue.Finite}, Support: upToTrials, SupportOfCounts: true,
			Log: BinomialLogitLog, Bulk: binomialLogitBulk, Known: binomialLogitKnown, FiniteImpliesValid: true, Unlisted: true,
			Draw: func(r *rand.Rand, p []float64) float64 { return BinomialDraw(r, p[0], InverseLogit(p[1])) },
		},
	}
}

// upToTrials wants the variate in 0..N, with N the next argument.
func upToTrials(x []float64) *catalogue.Violation {
	if x[0] >= 0 && x[0] <= x[1] {
		return nil
	}
	return &catalogue.Violation{Arg: 0, Must: "in the interval [0, " + catalogue.NumberText(x[1]) + "]"}
}

func BernoulliDraw(r *rand.Rand, p float64) float64 {
	if r.Float64() < p {
		return 1
	}
	return 0
}

// InverseLogit is 1 / (1 + exp(-x)), with full precision for large negative x.
func InverseLogit(x float64) float64 {
	if x >= 0 {
		return 1 / (1 + libm.Exp(-x))
	}
	e := libm.Exp(x)
	return e / (1 + e)
}

func bernoulliLog(x, d []float64) float64 {
	p := x[1]
	if x[0] == 1 {
		if d != nil {
			d[1] = 1 / p
		}
		return libm.Log(p)
	}
	if d != nil {
		d[1] = -1 / (1 - p)
	}
	return libm.Log1p(-p)
}

func bernoulliTail(t tail, x, d []float64) float64 {
	n, p := x[0], x[1]
	if n < 0 || n >= 1 {
		return edge(t, n > 0, d)
	}
	v, f := fromProbabilities(t, 1-p, p)
	if t == logLower {
		v = libm.Log1p(-p)
	}
	if d != nil {
		d[1] = -f
	}
	return v
}

func bernoulliLogitLog(x, d []float64) float64 {
	z := x[1] // the log odds of what was seen
	if x[0] == 0 {
		z = -z
	}
	e := libm.Exp(-math.Abs(z))
	if d != nil {
		g := 1 / (1 + e) // the chance of what was not seen
		if z > 0 {
			g = e / (1 + e)
		}
		if x[0] == 0 {
			g = -g
		}
		d[1] = g
	}
	return math.Min(z, 0) - libm.Log1p(e)
}

// binomialMass is the log mass of k successes in n trials with chance p and q = 1-p.
func binomialMass(k, n, p, q float64) float64 {
	switch {
	case k == 0 && n == 0:
		return 0
	case k == 0:
		return n * logOf(q, p)
	case k == n:
		return n * logOf(p, q)
	case p == 0 || q == 0:
		return catalogue.NegInf
	case n < 256:
		return LogFactorial(n) - LogFactorial(k) - LogFactorial(n-k) + float64(k*logOf(p, q)) + float64((n-k)*logOf(q, p))
	}
	// Loader's saddle-point form.
	m := n - k
	return special.StirlingError(n) - special.StirlingError(k) - special.StirlingError(m) -
		float64(0.5*libm.Log(k/n*m)) - HalfLogTwoPi - special.Deviance(k, n*p) - special.Deviance(m, n*q)
}

func binomialLog(x, d []float64) float64 {
	k, n, p := x[0], x[1], x[2]
	if d != nil {
		g := 0.0
		if k > 0 {
			g = k / p
		}
		if k < n {
			g -= (n - k) / (1 - p)
		}
		d[2] = g
	}
	return binomialMass(k, n, p, 1-p)
}

func BinomialLogitLog(x, d []float64) float64 {
	k, n, alpha := x[0], x[1], x[2]
	p, q := InverseLogit(alpha), InverseLogit(-alpha)
	if d != nil {
		d[2] = float64(k*q) - float64((n-k)*p)
	}
	if math.Abs(alpha) < 30 && n >= 256 {
		return binomialMass(k, n, p, q)
	}
	e := libm.Log1p(libm.Exp(-math.Abs(alpha)))
	return LogChoose(n, k) + float64(k*(math.Min(alpha, 0)-e)) + float64((n-k)*(math.Min(-alpha, 0)-e))
}
