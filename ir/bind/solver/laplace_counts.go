// The library's likelihoods of counts for the embedded Laplace approximation.

package solver

import (
	"fmt"
	"math"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/stdlib"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

// A countLikelihood has counts y, each with the linear predictor theta[g] + m[g] of its
// group g, and for the negative binomial a dispersion phi for all or for each group.
type countLikelihood struct {
	y      []float64
	group  []int
	n      int // groups
	m, phi []float64
	// mAt and phiAt are where m and phi start among the numbers that depend on
	// parameters; -1 where they do not.
	mAt, phiAt int
	term       func(y, x, phi float64) (value, dx, dphi float64)
}

// newCountLikelihood reads y, y_index, (phi,) m.
func newCountLikelihood(fn *stdlib.Function, args []*eval.Value, n int) (*countLikelihood, error) {
	c := &countLikelihood{y: args[0].X, n: n, mAt: -1, phiAt: -1}
	bad := func(format string, a ...any) (*countLikelihood, error) {
		return nil, fmt.Errorf("%s: "+format, append([]any{fn.Name}, a...)...)
	}
	switch {
	case strings.Contains(fn.Name, "bernoulli"):
		c.term = bernoulliTerm
	case strings.Contains(fn.Name, "poisson"):
		c.term = poissonTerm
	default:
		c.term = negBinomialTerm
	}
	at := 0
	for i, a := range args[2:] {
		isM := i == len(args)-3
		if isM {
			c.m = a.X
		} else {
			c.phi = a.X
		}
		if a.Active() {
			if isM {
				c.mAt = at
			} else {
				c.phiAt = at
			}
			at += len(a.X)
		}
	}
	if len(c.m) != n {
		return bad("there are %d offsets for %d latent variables", len(c.m), n)
	}
	if k := len(c.phi); k > 1 && k != n {
		return bad("there are %d dispersions for %d latent variables", k, n)
	}
	if len(args[1].X) != len(c.y) {
		return bad("there are %d counts, but %d indices", len(c.y), len(args[1].X))
	}
	for i, g := range args[1].X {
		if g < 1 || g > float64(n) {
			return bad("index %d is %g, but there are %d latent variables", i+1, g, n)
		}
		c.group = append(c.group, int(g)-1)
		if y := c.y[i]; y < 0 || strings.Contains(fn.Name, "bernoulli") && y > 1 {
			return nil, &stdlib.DomainError{Func: fn.Name, Text: fmt.Sprintf("count %d is %g, which is outside the support", i+1, y)}
		}
	}
	return c, nil
}

// gradient returns the log likelihood and its derivatives with respect to theta and then
// to the numbers eta that depend on parameters.
func (c *countLikelihood) gradient(theta, eta, grad []float64) (float64, error) {
	m, phi := c.m, c.phi
	if c.mAt >= 0 {
		m = eta[c.mAt : c.mAt+len(m)]
	}
	if c.phiAt >= 0 {
		phi = eta[c.phiAt : c.phiAt+len(phi)]
	}
	clear(grad)
	sum := 0.0
	for i, g := range c.group {
		k, p := 0, 0.0
		if len(phi) > 1 {
			k = g
		}
		if len(phi) > 0 {
			if p = phi[k]; !(p > 0) || math.IsInf(p, 0) {
				return 0, domainError("the dispersion is %g, but must be positive and finite", p)
			}
		}
		v, dx, dphi := c.term(c.y[i], theta[g]+m[g], p)
		sum += v
		grad[g] += dx
		if c.mAt >= 0 {
			grad[c.n+c.mAt+g] += dx
		}
		if c.phiAt >= 0 {
			grad[c.n+c.phiAt+k] += dphi
		}
	}
	return sum, nil
}

// bernoulliTerm is bernoulli_logit_lpmf(y | x).
func bernoulliTerm(y, x, _ float64) (value, dx, dphi float64) {
	e := libm.Exp(-math.Abs(x))
	p := 1 / (1 + e)
	if x < 0 {
		p = e / (1 + e)
	}
	return float64(y*x) - math.Max(x, 0) - libm.Log1p(e), y - p, 0
}

// poissonTerm is poisson_log_lpmf(y | x).
func poissonTerm(y, x, _ float64) (value, dx, dphi float64) {
	rate := libm.Exp(x)
	factorial, _ := libm.Lgamma(y + 1)
	return float64(y*x) - rate - factorial, y - rate, 0
}

// negBinomialTerm is neg_binomial_2_log_lpmf(y | x, phi).
func negBinomialTerm(y, x, phi float64) (value, dx, dphi float64) {
	mean := libm.Exp(x)
	a, _ := libm.Lgamma(y + phi)
	b, _ := libm.Lgamma(phi)
	c, _ := libm.Lgamma(y + 1)
	both := libm.Log(phi + mean)
	share := mean / (phi + mean)
	value = a - b - c + float64(phi*(libm.Log(phi)-both)) + float64(y*(x-both))
	dx = y - float64((y+phi)*share)
	dphi = special.Digamma(y+phi) - special.Digamma(phi) + libm.Log(phi) - both + 1 - (y+phi)/(phi+mean)
	return value, dx, dphi
}
