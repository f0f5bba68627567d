package lang

// This file tests what is said of swaps: of modes, of what is no distribution, of answers
// that are exact, and of draws that were read back from files.

import (
	"context"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
)

const (
	meanAndScale = `data { int N; vector[N] y; } parameters { real mu; real<lower=0> s; }
model { mu ~ normal(0, 2); s ~ lognormal(0, 1); y ~ normal(mu, s); }`
	normalMean  = `data { int N; vector[N] y; } parameters { real mu; } model { mu ~ normal(0, 1); y ~ normal(mu, 1); }`
	poissonRate = `data { int N; array[N] int y; } parameters { real<lower=0> r; } model { r ~ gamma(1, 1); y ~ poisson(r); }`
	poissonLog  = `data { int N; array[N] int y; } parameters { real b; } model { b ~ normal(0, 1); y ~ poisson_log(b); }`
)

// ofSwap runs a swap and gives its finding.
func ofSwap(t *testing.T, m *Model, e *Earlier, expr string) (*Fit, diagnose.Finding) {
	t.Helper()
	method, err := m.Program.Method(expr)
	if e != nil {
		method, err = m.Program.MethodOn(e, expr)
	}
	if err != nil {
		t.Fatal(ErrorText(err))
	}
	fit, err := m.Run(context.Background(), method, RunOptions{Seed: 1})
	if err != nil {
		t.Fatal(expr, ErrorText(err))
	}
	for _, f := range fit.Findings {
		if f.Name == "prior_swap" {
			return fit, f
		}
	}
	t.Fatal("no finding")
	return nil, diagnose.Finding{}
}

// TestSwapVerdicts: modes are judged by the gradient there or by the closed form, a swapped
// density that grows without bound is bad, and weights that are even are believed whatever
// the shape of their tail.
func TestSwapVerdicts(t *testing.T) {
	y := map[string]any{"N": 6, "y": []float64{1.6, 1.9, 0.3, 2.2, 1.0, 1.1}}
	few := map[string]any{"N": 3, "y": []int{1, 0, 0}}
	counts := map[string]any{"N": 3, "y": []int{7, 0, 3}}
	for _, c := range []struct {
		text string
		data map[string]any
		expr string
		want diagnose.Severity
	}{
		{meanAndScale, y, "prior_swap(nuts(), with = map()) { mu ~ student_t(3, 0, 0.5); }", diagnose.Good},
		{normalMean, y, "prior_swap(nuts(), with = map()) { mu ~ normal(1, 0.01); }", diagnose.Good},
		{poissonLog, counts, `prior_swap(laplace(), from = "density", with = map()) { b ~ cauchy(0, 3); }`, diagnose.Good},
		{poissonLog, counts, `prior_swap(laplace(), from = "density", with = map()) { b ~ normal(9, 0.5); }`, diagnose.Bad},
		{poissonRate, few, `prior_swap(laplace(), from = "density") { r ~ lognormal(1.25, 1.16); }`, diagnose.Bad},
		{poissonRate, few, "prior_swap(laplace()) { r ~ lognormal(1.25, 1.16); }", diagnose.Good},
		{poissonLog, counts, "prior_swap(laplace()) { b ~ normal(0.05, 1.01); }", diagnose.Good},
		{meanAndScale, y, `prior_swap(nuts(), from = "exact") { mu ~ normal(0, 1); }`, diagnose.Good},
		{normalMean, y, "prior_swap(advi()) { mu ~ normal(1, 0.5); }", diagnose.Good},
	} {
		if !subset.Has(c.text+c.expr, 2) {
			continue
		}
		if _, f := ofSwap(t, mustBind(t, c.text, c.data), nil, c.expr); f.Severity != c.want {
			t.Errorf("%s: %s, want %s: %s (%s %.3g)", c.expr, f.Severity, c.want, f.Meaning, f.Quantity, float64(f.Value))
		}
	}
}

// TestSwapManyCoordinates: a normal posterior of 40 coordinates has more terms than are
// looked for in log densities, and is exact by default all the same.
func TestSwapManyCoordinates(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const n, d = 60, 40
	x, y := make([][]float64, n), make([]float64, n)
	for i := range x {
		x[i] = make([]float64, d)
		for j := range x[i] {
			x[i][j] = r.NormFloat64()
		}
		y[i] = x[i][0] + r.NormFloat64()
	}
	m := mustBind(t, `data { int N; int d; matrix[N, d] x; vector[N] y; } parameters { vector[d] b; }
model { b ~ normal(0, 1); y ~ normal(x * b, 1); }`, map[string]any{"N": n, "d": d, "x": x, "y": y})
	fit, f := ofSwap(t, m, nil, "prior_swap(nuts(warmup = 300, draws = 300), with = nuts(warmup = 300, draws = 300)) { b ~ normal(0.1, 0.8); }")
	if f.Severity != diagnose.Good || fit.Posterior.Swap.From != "exact" {
		t.Errorf("%s from %s: %s", f.Severity, fit.Posterior.Swap.From, f.Meaning)
	}
}

// TestSwapReadBack: a closed form is found in draws of eight digits, too, however large the
// log density is: y of N(0.3, 1), N(0, 1) exchanged for N(1, 0.01), means to 5 errors of 1,000
// effective draws.
func TestSwapReadBack(t *testing.T) {
	for _, n := range []int{100, 5000} {
		r, y, sum := rand.New(rand.NewPCG(3, 4)), make([]float64, n), 0.0
		for i := range y {
			y[i] = math.Round(1000*(0.3+r.NormFloat64())) / 1000
			sum += y[i]
		}
		m := mustBind(t, normalMean, map[string]any{"N": n, "y": y})
		method, err := m.Program.Method("nuts()")
		if err != nil {
			t.Fatal(ErrorText(err))
		}
		fit, err := m.Run(context.Background(), method, RunOptions{Seed: 1})
		if err != nil {
			t.Fatal(ErrorText(err))
		}
		_, f := ofSwap(t, m, &Earlier{Draws: eightDigits(fit.Posterior.Draws)}, "prior_swap(fit) { mu ~ normal(1, 0.01); }")
		if f.Severity != diagnose.Good {
			t.Errorf("%d observations: %s: %s", n, f.Severity, f.Meaning)
		}
		swapped, _ := ofSwap(t, m, &Earlier{Draws: eightDigits(fit.Posterior.Draws)}, "prior_swap(fit) { mu ~ normal(1, 0.01); }")
		precision := 1e4 + float64(n)
		exact, sd := (1e4+sum)/precision, 1/math.Sqrt(precision)
		if got := swapped.Summaries[1].Mean; math.Abs(got-exact) > 5*sd/math.Sqrt(1000) {
			t.Errorf("%d observations: mean %.5f, exactly %.5f (sd %.5f)", n, got, exact, sd)
		}
	}
}

// eightDigits are draws as a file has them.
func eightDigits(d *draws.Draws) *draws.Draws {
	short := func(x float64) float64 {
		v, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 8, 64), 64)
		return v
	}
	out := draws.New(d.Chains(), nil, d.Columns())
	for c := range d.Chains() {
		for i := range d.Len(c) {
			row := draws.Row{Chain: c, LogDensity: short(d.Column(draws.LogDensityColumn)[c][i])}
			for _, name := range d.Columns() {
				row.Values = append(row.Values, short(d.Column(name)[c][i]))
			}
			out.Append(row)
		}
	}
	return out
}

// TestSwapsOfNormalPosteriors: posteriors under the old priors that a normal approximation has exactly, or
// nearly, are swapped without a warning. 1,000 logistic observations make a posterior that is normal but
// for a skewness of some hundredths; its moments under the new prior are by quadrature.
func TestSwapsOfNormalPosteriors(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 4))
	const n, d, places = 1000, 8, 21
	x, y := make([]float64, n), make([]int, n)
	var tries, successes [places]float64 // at the places of x
	rows, z := make([][]float64, n/25), make([]float64, n/25)
	for i := range x {
		k := i % places
		x[i] = float64(k)/5 - 2
		tries[k]++
		if r.Float64() < 1/(1+math.Exp(-x[i]/2)) {
			y[i] = 1
			successes[k]++
		}
	}
	for i := range rows {
		for range d {
			rows[i] = append(rows[i], r.NormFloat64())
		}
		z[i] = 2*rows[i][0] - rows[i][1] + r.NormFloat64()
	}
	logistic := onLine(func(b float64) float64 {
		sum := 600 - 2*(b-0.5)*(b-0.5)
		for k := range places {
			sum += successes[k]*b*x[k] - tries[k]*math.Log1p(math.Exp(b*x[k]))
		}
		return sum
	})
	for _, method := range []string{"laplace()", `advi(family = "fullrank")`} {
		m := mustBind(t, `data { int N; vector[N] x; array[N] int y; } parameters { real b; } model { b ~ normal(0, 3); y ~ bernoulli_logit(b * x); }`,
			map[string]any{"N": n, "x": x, "y": y})
		fit, f := ofSwap(t, m, nil, "prior_swap("+method+") { b ~ normal(0.5, 0.5); }")
		if f.Severity != diagnose.Good {
			t.Errorf("logistic regression, %s: %s: %s", method, f.Severity, f.Meaning)
		}
		if b := fit.Summaries[1]; math.Abs(b.Mean-logistic[0]) > 0.15*math.Sqrt(logistic[1]) {
			t.Errorf("logistic regression, %s: %.4f, by quadrature %.4f (variance %.6f)", method, b.Mean, logistic[0], logistic[1])
		}
		m = mustBind(t, `data { int N; int d; matrix[N, d] x; vector[N] y; } parameters { vector[d] b; } model { b ~ normal(0, 3); y ~ normal(x * b, 1); }`,
			map[string]any{"N": len(z), "d": d, "x": rows, "y": z})
		if _, f := ofSwap(t, m, nil, "prior_swap("+method+") { b ~ double_exponential(0, 0.3); }"); f.Severity != diagnose.Good {
			t.Errorf("linear regression, %s: %s: %s", method, f.Severity, f.Meaning)
		}
	}
}

// TestSwapOfTopics: simplexes near their edge, observed through mixtures, have no form that a normal on the
// logit scale comes near to. The answer is right all the same, to a tenth of a standard deviation of moments by
// quadrature over the arcs of the two proportions, which have a uniform prior; with 1,000 effective draws
// a mean is off by that with a probability below 0.2 %.
func TestSwapOfTopics(t *testing.T) {
	weight, y := []float64{0.9, 0.75, 0.5, 0.3, 0.1}, []int{0, 1, 7, 15, 19}
	const n, apart, grid = 20, 2.0, 1500
	var total float64
	var mean, square [2]float64
	for i := range grid {
		for j := range grid {
			var p [2]float64
			for k, at := range []int{i, j} {
				s := math.Sin((float64(at) + 0.5) / grid * math.Pi / 2)
				p[k] = s * s
			}
			sum := apart * math.Sqrt2 * math.Abs(p[0]-p[1])
			for d, w := range weight {
				q := w*p[0] + (1-w)*p[1]
				sum += float64(y[d])*math.Log(q) + float64(n-y[d])*math.Log1p(-q)
			}
			density := math.Exp(sum)
			total += density
			for k, x := range p {
				mean[k] += density * x
				square[k] += density * x * x
			}
		}
	}
	m := mustBind(t, `functions {
  real div_lpdf(array[] vector phi, real s) {
    return dirichlet_lpdf(phi[1] | [0.5, 0.5]') + dirichlet_lpdf(phi[2] | [0.5, 0.5]') + s * distance(phi[1], phi[2]);
  }
}
data { int D; vector[D] w; array[D] int y; }
parameters { array[2] simplex[2] phi; }
model {
  for (k in 1:2) phi[k] ~ dirichlet([0.5, 0.5]');
  for (d in 1:D) y[d] ~ binomial(20, w[d] * phi[1][1] + (1 - w[d]) * phi[2][1]);
}`, map[string]any{"D": len(y), "w": weight, "y": y})
	fit, f := ofSwap(t, m, nil, "prior_swap(nuts(draws = 1000)) { phi ~ div(2); }")
	if f.Severity != diagnose.Good && f.Severity != diagnose.None {
		t.Errorf("%s: %s", f.Severity, f.Meaning)
	}
	for k := range mean {
		x, sd := mean[k]/total, math.Sqrt(square[k]/total-mean[k]*mean[k]/total/total)
		for _, s := range fit.Summaries {
			if s.Name == "phi."+strconv.Itoa(k+1)+".1" && (math.Abs(s.Mean-x) > 0.1*sd || math.Abs(math.Log(s.SD/sd)) > 0.1) {
				t.Errorf("%s from %s: %.4f (sd %.4f), by quadrature %.4f (%.4f)", s.Name, fit.Posterior.Swap.From, s.Mean, s.SD, x, sd)
			}
		}
	}
}
