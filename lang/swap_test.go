package lang

// This file tests prior swapping from the program to the draws, against the shared
// oracles.

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
)

// runSwap runs an expression on a model.
func runSwap(t *testing.T, m *Model, expr string) *infer.Posterior {
	t.Helper()
	return runSwapSeeded(t, m, expr, 5)
}

func runSwapSeeded(t *testing.T, m *Model, expr string, seed uint64) *infer.Posterior {
	t.Helper()
	method, err := m.Program.Method(expr)
	if err != nil {
		t.Fatal(ErrorText(err))
	}
	fit, err := m.Run(context.Background(), method, RunOptions{Seed: seed, Jobs: 2})
	if err != nil {
		t.Fatal(ErrorText(err))
	}
	r := fit.Posterior.Swap
	t.Logf("%s: Pareto k %.2f, weights differ by %.2f +- %.2f sd, beyond %.4f", r.From, r.ParetoK, r.Shift, r.ShiftError, r.Beyond)
	return fit.Posterior
}

// off returns the largest errors of means, in sds, and of relative sds, over the elements
// of a vector.
func off(t *testing.T, p *infer.Posterior, name string, mean, variance []float64) (shift, ratio, mcse float64) {
	t.Helper()
	for i := range mean {
		column := name
		if len(mean) > 1 {
			column += "." + strconv.Itoa(i+1)
		}
		x := p.Draws.Column(column)
		s := draws.Summarize(column, x)
		effective := draws.ESSMean(x)
		if p.LogWeights != nil {
			logw := slices.Concat(p.LogWeights...)
			w := make([]float64, len(logw))
			infer.Weights(logw, w)
			s, effective = draws.SummarizeWeighted(column, slices.Concat(x...), w), infer.ESSWeights(logw)
		}
		sd := math.Sqrt(variance[i])
		shift = max(shift, math.Abs(float64(s.Mean)-mean[i])/sd)
		ratio = max(ratio, math.Abs(float64(s.SD)/sd-1))
		mcse = max(mcse, 1/math.Sqrt(effective))
	}
	return shift, ratio, mcse
}

type moments struct {
	Mean []float64 `json:"mean"`
	Var  []float64 `json:"var"`
	Cov  float64   `json:"cov12"`
}

type logistic2d struct {
	X          [][]float64        `json:"X"`
	Y          []int              `json:"y"`
	Posteriors map[string]moments `json:"posteriors"`
}

// onGrid returns the moments of exp(f) over [-3, 4]^2, in steps that put the kink of a
// Laplace prior on grid points.
func onGrid(f func(x, y float64) float64) moments {
	const step = 0.02
	var total float64
	m := moments{Mean: make([]float64, 2), Var: make([]float64, 2)}
	for i := range 351 {
		for j := range 351 {
			x, y := -3+step*float64(i), -3+step*float64(j)
			w := math.Exp(f(x, y))
			total += w
			m.Mean[0], m.Mean[1] = m.Mean[0]+w*x, m.Mean[1]+w*y
			m.Var[0], m.Var[1] = m.Var[0]+w*x*x, m.Var[1]+w*y*y
		}
	}
	for k := range m.Mean {
		m.Mean[k] /= total
		m.Var[k] = m.Var[k]/total - m.Mean[k]*m.Mean[k]
	}
	return m
}

// TestOracleSwapLogistic: the logistic posterior is skewed, so that a normal in its place
// has a bias of its own. That is computed on a grid, from the oracle's moments or from
// the density itself, and the draws must agree with it to 5 errors and what the fitted
// moments are off by (0.05 sd, 8 %); how far it is from the truth is printed. The
// semiparametric estimate must be within 0.15 sd of the truth.
func TestOracleSwapLogistic(t *testing.T) {
	for _, o := range infertest.ReadOracles[logistic2d](t, "prior_swap/logistic_2d*.json") {
		m := mustBind(t, `
data { int n; matrix[n, 2] X; array[n] int y; }
parameters { vector[2] theta; }
model {
  theta ~ normal(0, 1);
  y ~ bernoulli_logit(X * theta);
}`, map[string]any{"n": len(o.Y), "X": o.X, "y": o.Y})
		wrong, ok := o.Posteriors["normal_sd1 (false prior)"]
		if !ok {
			infertest.Unknown(t, "false prior", "the file has no posterior under normal_sd1 (false prior)")
			continue
		}
		det := wrong.Var[0]*wrong.Var[1] - wrong.Cov*wrong.Cov
		fitted := func(x, y float64) float64 {
			a, b := x-wrong.Mean[0], y-wrong.Mean[1]
			return -(a*a*wrong.Var[1] - 2*a*b*wrong.Cov + b*b*wrong.Var[0]) / det / 2
		}
		method, err := m.Program.Method("laplace()")
		if err != nil {
			t.Fatal(err)
		}
		fit, err := m.Run(context.Background(), method, RunOptions{Seed: 5})
		if err != nil {
			t.Fatal(err)
		}
		mode := func(x, y float64) float64 { return fit.Posterior.Density.LogDensity([]float64{x, y}) }
		for name, truth := range o.Posteriors {
			prior, ok := infertest.ParsePrior(name)
			if !ok {
				infertest.Unknown(t, name, "the test cannot read the prior")
				continue
			}
			swapLogistic(t, m, prior, truth, "nuts()", "parametric", fitted)
			if prior.Family == "laplace" {
				swapLogistic(t, m, prior, truth, "laplace()", "density", mode)
				swapLogistic(t, m, prior, truth, "nuts()", "semiparametric", nil)
			}
		}
	}
}

// swapLogistic compares one swap with its limit, which has the given density in place of the
// false posterior's, or where that is nil with the truth.
func swapLogistic(t *testing.T, m *Model, prior infertest.Prior, truth moments, inner, from string, density func(x, y float64) float64) {
	t.Helper()
	name := prior.Statement("theta") + " from " + from
	p := runSwap(t, m, `prior_swap(`+inner+`, from = "`+from+`") { `+prior.Statement("theta")+` }`)
	shift, ratio, mcse := off(t, p, "theta", truth.Mean, truth.Var)
	t.Logf("%s: means off the truth by %.3f sd (error %.3f), sds by %.3f", name, shift, mcse, ratio)
	bound := 0.15
	if density != nil {
		limit := onGrid(func(x, y float64) float64 {
			return density(x, y) + prior.LogDensity([]float64{x, y}, nil) + (x*x+y*y)/2 // the false prior, minus its log
		})
		shift, ratio, _ = off(t, p, "theta", limit.Mean, limit.Var)
		t.Logf("%s: means off their limit by %.3f sd, sds by %.3f", name, shift, ratio)
		bound = 5*mcse + 0.05
	}
	if shift > bound || ratio > 0.08 {
		t.Errorf("%s: means off by %.3f sd, sds by %.3f", name, shift, ratio)
	}
}

type sparseData struct {
	D     int         `json:"d"`
	Noise float64     `json:"sigma2_noise_known"`
	XtX   [][]float64 `json:"XtX"`
	Xty   []float64   `json:"Xty"`
}

// TestOracleSwapSparse is the paper's sparse linear regression, whose posterior is
// normal. The closed form has Monte Carlo error only: 5 errors. The normal fitted to 4000
// draws has the error of its moments too: 0.02 sd of a mean, and 7 % (the root of d/T) of
// the covariance, which counts with the length of the shift, here up to 2 sd.
//
// The semiparametric estimate finds its widest width likeliest, as it should where the
// false posterior is normal, and is then as good: over 11 seeds the worst of the 20 means
// was off by 0.07 to 0.18 sd, the parametric one's by 0.07 to 0.18.
func TestOracleSwapSparse(t *testing.T) {
	d := infertest.ReadOracles[sparseData](t, "prior_swap/sparse_linear_data.json")[0]
	want := infertest.ReadOracles[moments](t, "prior_swap/sparse_linear_laplace_b0.05.json")[0]
	m := mustBind(t, `
data { int d; matrix[d, d] XtX; vector[d] Xty; real noise; }
parameters { vector[d] beta; }
model {
  beta ~ normal(0, 1);
  target += (dot_product(beta, Xty) - quad_form(XtX, beta) / 2) / noise;
}`, map[string]any{"d": d.D, "XtX": d.XtX, "Xty": d.Xty, "noise": d.Noise})
	for _, c := range []struct {
		from             string
		errors, more, sd float64
	}{{"exact", 5, 0, 0.1}, {"parametric", 5, 0.02 + 0.07*2, 0.1}, {"semiparametric", 5, 0.02 + 0.07*2, 0.1}} {
		p := runSwap(t, m, `prior_swap(nuts(), from = "`+c.from+`") { beta ~ double_exponential(0, 0.05); }`)
		shift, ratio, mcse := off(t, p, "beta", want.Mean, want.Var)
		t.Logf("%s: means off by %.3f sd (error %.3f), sds by %.3f", c.from, shift, mcse, ratio)
		if shift > c.errors*mcse+c.more || ratio > c.sd {
			t.Errorf("%s: means off by %.3f sd, sds by %.3f", c.from, shift, ratio)
		}
	}
}

type semiparametric struct {
	LogLikelihood string `json:"log_likelihood"`
	FalsePrior    string `json:"false_prior"`
	True          map[string]struct {
		Exact struct{ Mean, Var float64 }
		Limit struct{ Mean, Var float64 } `json:"parametric_gaussian_estimate_limit"`
	} `json:"true"`
}

// TestOracleSwapSemiparametric: the parametric estimate has the bias of its limit, and
// Algorithm 1 takes most of it away.
func TestOracleSwapSemiparametric(t *testing.T) {
	for _, o := range infertest.ReadOracles[semiparametric](t, "prior_swap/semiparametric_1d*.json") {
		var a, b float64
		if n, _ := fmt.Sscanf(o.LogLikelihood, "%g t - %g exp(t)", &a, &b); n != 2 || o.FalsePrior != "N(0,1)" {
			infertest.Unknown(t, o.LogLikelihood, "the test knows a t - b exp(t) under N(0,1)")
			continue
		}
		m := mustBind(t, `
data { real a; real b; }
parameters { real t; }
model { t ~ normal(0, 1); target += a * t - b * exp(t); }`, map[string]any{"a": a, "b": b})
		for name, c := range o.True {
			parsed, ok := infertest.ParsePrior(name)
			if !ok {
				infertest.Unknown(t, name, "the test cannot read the prior")
				continue
			}
			prior := parsed.Statement("t")
			if !subset.Has(fmt.Sprint(a, b, name), 2) {
				continue
			}
			p := runSwap(t, m, `prior_swap(nuts(draws = 4000), from = "parametric") { `+prior+` }`)
			shift, ratio, mcse := off(t, p, "t", []float64{c.Limit.Mean}, []float64{c.Limit.Var})
			t.Logf("%s, parametric: off its limit by %.3f sd (error %.3f), sd by %.3f; bias of the limit %.3f sd", name, shift, mcse, ratio,
				math.Abs(c.Limit.Mean-c.Exact.Mean)/math.Sqrt(c.Exact.Var))
			if shift > 5*mcse+0.05 || ratio > 0.06 {
				t.Errorf("%s, parametric: off the limit by %.3f sd, sd by %.3f", name, shift, ratio)
			}
			shift, ratio = medianSwap(t, m, `prior_swap(nuts(draws = 4000), from = "semiparametric") { `+prior+` }`, c.Exact.Mean, c.Exact.Var, 0.1)
			t.Logf("%s, semiparametric: off by %.3f sd, sd by %.3f", name, shift, ratio)
			if shift > 0.1 || ratio > 0.1 {
				t.Errorf("%s, semiparametric: off by %.3f sd, sd by %.3f", name, shift, ratio)
			}
		}
	}
}

// medianSwap returns how far a swap is off, as the median of five seeds: under a prior of heavy tails the kernel
// estimate of an outlying draw of the false posterior weighs too much (in 1 of 12 seeds the standard deviation is
// off by a quarter), so that a single run would fail by chance. Three of five do with a chance of 0.5 %.
// Of five, the median is at most a limit where three are: the rest is left out then.
func medianSwap(t *testing.T, m *Model, expr string, mean, variance, limit float64) (shift, ratio float64) {
	t.Helper()
	var shifts, ratios []float64
	for seed := uint64(1); seed <= 5; seed++ {
		p := runSwapSeeded(t, m, expr, seed)
		s, r, _ := off(t, p, "t", []float64{mean}, []float64{variance})
		shifts, ratios = append(shifts, s), append(ratios, r)
		slices.Sort(shifts)
		slices.Sort(ratios)
		if seed >= 3 && shifts[2] <= limit && ratios[2] <= limit {
			break
		}
	}
	return shifts[2], ratios[2]
}

// TestSwapOfPartOfTheParameters: the parameters that the priors do not touch follow
// those that they do.
func TestSwapOfPartOfTheParameters(t *testing.T) {
	m := mustBind(t, `
data { int n; vector[n] y; }
parameters { real a; real b; }
model { a ~ normal(0, 1); b ~ normal(0, 1); y ~ normal(a + b, 1); }`, map[string]any{"n": 4, "y": []float64{1, 2, 1.5, 2.5}})
	// Precision matrix [[1/v + 4, 4], [4, 5]] with v = 1 and then 4, right-hand side 7, 7.
	for v, prior := range map[float64]string{1: "a ~ normal(0, 1);", 4: "a ~ normal(0, 2);"} {
		p := runSwap(t, m, "prior_swap(nuts()) { "+prior+" }")
		det := (1/v+4)*5 - 16
		mean := map[string]float64{"a": (5*7 - 4*7) / det, "b": ((1/v+4)*7 - 4*7) / det}
		for name, variance := range map[string]float64{"a": 5 / det, "b": (1/v + 4) / det} {
			shift, ratio, mcse := off(t, p, name, []float64{mean[name]}, []float64{variance})
			t.Logf("prior variance %g, %s: off by %.3f sd (error %.3f), sd by %.3f", v, name, shift, mcse, ratio)
			if shift > 5*mcse+0.08 || ratio > 0.1 {
				t.Errorf("prior variance %g, %s: off by %.3f sd, sd by %.3f", v, name, shift, ratio)
			}
		}
	}
}

// TestSwapCarriesACurve: b given a is near a^2, which no regression line through the
// false posterior shows. With a ~ N(m, s) the moments of b are m^2 + s^2 and
// 2 s^4 + 4 m^2 s^2 + 0.5^2; the kernel's width smooths them a little.
func TestSwapCarriesACurve(t *testing.T) {
	m := mustBind(t, "parameters { real a; real b; } model { a ~ normal(0, 1); b ~ normal(square(a), 0.5); }", nil)
	p := runSwap(t, m, "prior_swap(nuts(draws = 4000)) { a ~ normal(0.7, 0.5); }")
	shift, ratio, mcse := off(t, p, "b", []float64{0.49 + 0.25}, []float64{2*0.0625 + 4*0.49*0.25 + 0.25})
	t.Logf("off by %.3f sd (error %.3f), sd by %.3f", shift, mcse, ratio)
	if shift > 5*mcse+0.05 || ratio > 0.1 {
		t.Errorf("off by %.3f sd (error %.3f), sd by %.3f", shift, mcse, ratio)
	}
}

// TestSwapToMode: the mode of the prior swap function in closed form, the mean
// (3/0.1^2 + y_1 + y_2) / (1/0.1^2 + 2) of a normal.
func TestSwapToMode(t *testing.T) {
	m := mustBind(t, "data { vector[2] y; } parameters { real a; } model { a ~ normal(0, 1); y ~ normal(a, 1); }", map[string]any{"y": []float64{1, 2}})
	p := runSwap(t, m, "prior_swap(laplace(), with = map()) { a ~ normal(3, 0.1); }")
	if got := p.Draws.Column("a")[0][0]; math.Abs(got-303.0/102) > 1e-5 {
		t.Errorf("the mode is %.7f, should be %.7f", got, 303.0/102)
	}
}
