package lang_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose/loo"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// A fewCase is a conjugate model of few observations: its text and data, and log p(y_i | the others) exactly.
type fewCase struct {
	text, data string
	exact      func(i int) float64
}

func logGamma(x float64) float64 { v, _ := math.Lgamma(x); return v }

func logBeta(a, b float64) float64 { return logGamma(a) + logGamma(b) - logGamma(a+b) }

// listed are numbers as JSON.
func listed[T any](x []T) string {
	return "[" + strings.Join(strings.Fields(strings.Trim(fmt.Sprint(x), "[]")), ",") + "]"
}

func fewNormal(r *rand.Rand, n int) fewCase {
	c := normalModel{m: 3 * r.NormFloat64(), s: math.Exp(2 * r.NormFloat64()), y: make([]float64, n)}
	mu, each := c.m+float64(c.s*r.NormFloat64()), make([]int, n)
	for i := range c.y {
		c.y[i], each[i] = mu+r.NormFloat64(), i
	}
	return fewCase{normalModelText, c.data(), func(i int) float64 { return c.without(i, each) }}
}

func fewPoisson(r *rand.Rand, n int) fewCase {
	a, b := math.Exp(r.NormFloat64()), math.Exp(2*r.NormFloat64())
	rate, y, sum := math.Exp(variate.LogGamma(r, a))/b, make([]int, n), 0
	for i := range y {
		for t := variate.Exponential(r); t < rate && y[i] < 500; t += variate.Exponential(r) {
			y[i]++
		}
		sum += y[i]
	}
	return fewCase{`data { int n; array[n] int y; real a; real b; } parameters { real<lower=0> rate; } model { rate ~ gamma(a, b); y ~ poisson(rate); }`,
		fmt.Sprintf(`{"n": %d, "y": %s, "a": %g, "b": %g}`, n, listed(y), a, b), func(i int) float64 {
			all, own := a+float64(sum), float64(y[i])
			to := b + float64(n)
			return logGamma(all) - logGamma(all-own) - logGamma(own+1) + (all-own)*math.Log(to-1) - all*math.Log(to)
		}}
}

func fewBinomial(r *rand.Rand, n int) fewCase {
	a, b, trials := math.Exp(r.NormFloat64()), math.Exp(r.NormFloat64()), 1+r.IntN(20)
	u, v := math.Exp(variate.LogGamma(r, a)), math.Exp(variate.LogGamma(r, b))
	y, sum := make([]int, n), 0
	for i := range y {
		for range trials {
			if r.Float64() < u/(u+v) {
				y[i]++
			}
		}
		sum += y[i]
	}
	return fewCase{`data { int n; array[n] int y; int trials; real a; real b; } parameters { real<lower=0, upper=1> p; } model { p ~ beta(a, b); y ~ binomial(trials, p); }`,
		fmt.Sprintf(`{"n": %d, "y": %s, "trials": %d, "a": %g, "b": %g}`, n, listed(y), trials, a, b), func(i int) float64 {
			k, m := float64(y[i]), float64(trials)
			up, down := a+float64(sum), b+float64(n*trials-sum)
			return -math.Log(m+1) - logBeta(k+1, m-k+1) + logBeta(up, down) - logBeta(up-k, down-m+k)
		}}
}

// fewRegression is a line through few points, each with a known error of 1.
func fewRegression(r *rand.Rand, n int) fewCase {
	s := math.Exp(1.5 * r.NormFloat64())
	x, y := make([]float64, n), make([]float64, n)
	a, b := s*r.NormFloat64(), s*r.NormFloat64()
	for i := range x {
		x[i] = 2 * r.NormFloat64()
		y[i] = a + float64(b*x[i]) + r.NormFloat64()
	}
	return fewCase{`data { int n; vector[n] x; vector[n] y; real s; } parameters { real a; real b; } model { a ~ normal(0, s); b ~ normal(0, s); y ~ normal(a + b * x, 1); }`,
		fmt.Sprintf(`{"n": %d, "x": %s, "y": %s, "s": %g}`, n, listed(x), listed(y), s), func(i int) float64 {
			aa, ab, bb, ya, yb := 1/(s*s), 0.0, 1/(s*s), 0.0, 0.0
			for k := range x {
				if k != i {
					aa, ab, bb, ya, yb = aa+1, ab+x[k], bb+x[k]*x[k], ya+y[k], yb+x[k]*y[k]
				}
			}
			det := aa*bb - ab*ab
			mean := ((bb*ya - ab*yb) + x[i]*(aa*yb-ab*ya)) / det
			v := 1 + (bb-2*ab*x[i]+aa*x[i]*x[i])/det
			return -0.5*(y[i]-mean)*(y[i]-mean)/v - 0.5*math.Log(2*math.Pi*v)
		}}
}

// TestOracleFewObservations: of one to five observations, one of which may hold most of the information, no term that is believed
// is wrong: those by weights, and those of fits without the observation, which are made where weights do not hold.
func TestOracleFewObservations(t *testing.T) {
	families := []func(*rand.Rand, int) fewCase{fewNormal, fewPoisson, fewBinomial, fewRegression}
	believed, refits, refused := 0, 0, 0
	for i := range subset.Of(24, 400) {
		r := rng.New(19, "few observations", 0, uint64(i))
		c := families[i%len(families)](r, 1+r.IntN(5))
		m, fit := fitted(t, c.text, c.data, "nuts(warmup = 500, draws = 1000)")
		table, err := m.LogLik(context.Background(), fit.Posterior.Draws, 2)
		if err != nil {
			t.Fatal(err)
		}
		result, err := loo.Of(table, "log_lik")
		if err != nil {
			t.Fatal(err)
		}
		n, err := m.Refit(context.Background(), &lang.Pointwise{Fit: fit.Posterior.Draws, LogLik: table, Name: "log_lik", Result: result}, 20, lang.RefitOptions{Seed: 1, Jobs: 2})
		if err != nil {
			t.Logf("case %d, %s: %v", i, c.data, err)
			refused++
		}
		refits += n
		bad := map[int]bool{}
		for _, k := range result.Bad() {
			bad[k] = true
		}
		for k, term := range result.LOO.Terms {
			if want := c.exact(k); !bad[k] {
				believed++
				if !(math.Abs(term.ELPD-want) < 0.15+0.02*math.Abs(want)) {
					t.Errorf("case %d, observation %d of %s: %.3f, exactly %.3f (k %.2f, share %.2f, refit %v)", i, k+1, c.data, term.ELPD, want, term.K, term.Share, term.Refit)
				}
			}
		}
	}
	t.Logf("%d terms believed, %d of fits without the observation, %d cases with a fit that did not converge", believed, refits, refused)
	if refused*20 > believed {
		t.Error("too many fits without an observation did not converge")
	}
}
