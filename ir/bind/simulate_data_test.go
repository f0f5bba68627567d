// Observations given parameters.

package bind_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind"
)

// dataGiven draws observations given q and collects their numbers.
func dataGiven(t *testing.T, m infer.Simulator, q []float64, n int) [][]float64 {
	t.Helper()
	r := stream(9)
	var out [][]float64
	for range n {
		y, err := m.DrawData(r, q)
		if err != nil {
			t.Fatal(err)
		}
		x := y.Numbers()
		if out == nil {
			out = make([][]float64, len(x))
		}
		for i, v := range x {
			out[i] = append(out[i], v)
		}
	}
	return out
}

func TestDrawData(t *testing.T) {
	const data = `{"N": 2, "y": [0, 0]}`
	for _, c := range []struct {
		name, program string
		q             []float64
		cdf           func(float64) float64 // of y[2]
	}{
		{"an improper prior is no matter", `
data { int N; vector[N] y; } parameters { real mu; real<lower=0> s; }
model { y ~ normal(mu, s); }`, []float64{1, math.Log(2)}, func(x float64) float64 { return normalCDF((x - 1) / 2) }},
		{"in order", `
data { int N; vector[N] y; } parameters { real mu; }
model { y[2] ~ normal(mu + y[1], 1); y[1] ~ normal(0, 1); mu ~ normal(0, 1); }`, []float64{3}, func(x float64) float64 { return normalCDF((x - 3) / math.Sqrt2) }},
		{"discrete parameters are drawn", `
data { int N; vector[N] y; } parameters { real mu; array[N] int<lower=0, upper=1> z; }
model { mu ~ normal(0, 1); z ~ bernoulli(0.25); for (n in 1:N) y[n] ~ normal(mu * z[n], 1); }`, []float64{3}, func(x float64) float64 { return 0.75*normalCDF(x) + 0.25*normalCDF(x-3) }},
		{"by the simulate block", `
data { int N; vector[N] y; } parameters { real mu; real<lower=0> s; } transformed parameters { real twice = 2 * mu; }
model { target += -square(mu) - s; y ~ normal(twice, s); }
simulate {
  mu = normal_rng(0, sqrt(0.5));
  s = exponential_rng(1);
  real centre = twice;
  for (n in 1:N) y[n] = normal_rng(centre, s);
}`, []float64{1, math.Log(2)}, func(x float64) float64 { return normalCDF((x - 2) / 2) }},
		{"by the model where the block does not allow it", `
data { int N; vector[N] y; } parameters { real mu; }
model { mu ~ normal(0, 1); y ~ normal(mu, 1); }
simulate { real m = normal_rng(0, 1); mu = m; for (n in 1:N) y[n] = normal_rng(m, 1); }`, []float64{2}, func(x float64) float64 { return normalCDF(x - 2) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := bound(t, c.program, data)
			y := dataGiven(t, m, c.q, 3000)
			checkCDF(t, "y[2]", y[1], c.cdf)
		})
	}
}

func TestDrawDataGivenDiscrete(t *testing.T) {
	m := bound(t, `
data { int N; vector[N] y; } parameters { real mu; array[N] int<lower=0, upper=1> z; }
model { mu ~ normal(0, 1); z ~ bernoulli(0.25); for (n in 1:N) y[n] ~ normal(mu * z[n], 1); }`, `{"N": 2, "y": [0, 0]}`)
	y := dataGiven(t, m.Joint().(infer.Simulator), []float64{3, 0, 1}, 2000)
	checkCDF(t, "y[1]", y[0], normalCDF)
	checkCDF(t, "y[2]", y[1], func(x float64) float64 { return normalCDF(x - 3) })
}

func TestDrawDataRefused(t *testing.T) {
	for _, c := range []struct{ name, program, words string }{
		{"likelihood", `data { int N; vector[N] y; } parameters { real mu; } model { y ~ normal(mu, 1); target += sum(y) * mu; }`,
			`"target +=" holds something else`},
		{"block", `data { int N; vector[N] y; } parameters { real mu; } model { y ~ normal(mu, 1); target += sum(y) * mu; }
simulate { real m = normal_rng(0, 1); mu = m; for (n in 1:N) y[n] = normal_rng(m, 1); }`, "computes y from m, which a parameter was assigned from"},
		{"other numbers of the variate", `data { int N; vector[N] y; } parameters { real x; } model { append_row(y, x) ~ multi_normal([0, 0, 0]', identity_matrix(3)); }`,
			"is to be drawn given other numbers of the same variate"},
	} {
		m := bound(t, c.program, `{"N": 2, "y": [0, 0]}`)
		_, err := m.DrawData(stream(1), []float64{0})
		var missing *infer.MissingError
		if !errors.As(err, &missing) || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: got %v", c.name, err)
		}
	}
}

// The chain theta ~ p(theta | y), y ~ p(y | theta) has the joint distribution as its law
// if it starts there: ranks of parameters and data among independent joint draws are
// uniform after some steps. The posterior is that of a normal mean, exact.
func TestGibbsOnJointKeepsPrior(t *testing.T) {
	m := bound(t, `
data { int N; vector[N] y; } parameters { real mu; }
model { mu ~ normal(1, 2); y ~ normal(mu, 1); }`, `{"N": 3, "y": [0, 0, 0]}`)
	r := stream(12)
	var mus, ys []float64
	for range 2000 {
		s, err := m.Simulate(r)
		if err != nil {
			t.Fatal(err)
		}
		q := append([]float64(nil), s.Point...)
		y := s.Numbers()
		for range 3 {
			precision := 0.25 + 3
			mean := (0.25*1 + y[0] + y[1] + y[2]) / precision
			q[0] = mean + r.NormFloat64()/math.Sqrt(precision)
			d, err := m.DrawData(r, q)
			if err != nil {
				t.Fatal(err)
			}
			y = d.Numbers()
		}
		mus, ys = append(mus, q[0]), append(ys, y[2])
	}
	checkCDF(t, "mu", mus, func(x float64) float64 { return normalCDF((x - 1) / 2) })
	checkCDF(t, "y[3]", ys, func(x float64) float64 { return normalCDF((x - 1) / math.Sqrt(5)) })
}

// Ranks of simulated parameters among exact posterior draws are uniform: prior, data and
// posterior belong together (Cook, Gelman and Rubin 2006). A right program fails once in
// 10^5 other seeds.
func TestRanksAmongExactPosterior(t *testing.T) {
	m := bound(t, `
data { int N; array[N] int k; } parameters { real<lower=0> rate; }
model { k ~ poisson(rate); rate ~ gamma(2, 0.5); }`, `{"N": 4, "k": [1, 1, 1, 1]}`)
	const draws, n = 19, 4000
	r := stream(14)
	var counts [draws + 1]float64
	for range n {
		s, err := m.Simulate(r)
		if err != nil {
			t.Fatal(err)
		}
		rate := math.Exp(s.Point[0])
		shape := 2.0
		for _, k := range s.Numbers() {
			shape += k
		}
		rank := 0
		for range draws {
			if wholeGamma(r.ExpFloat64, int(shape))/4.5 < rate {
				rank++
			}
		}
		counts[rank]++
	}
	statistic := 0.0
	for _, c := range counts {
		statistic += (c - n/20.0) * (c - n/20.0) / (n / 20.0)
	}
	if statistic > 59.2 { // the 1 - 10^-5 quantile of chi-square with 19 degrees of freedom
		t.Errorf("the ranks %v have chi-square statistic %v", counts, statistic)
	}
}

// wholeGamma draws a gamma variate of whole shape as a sum of exponential ones.
func wholeGamma(exponential func() float64, shape int) float64 {
	sum := 0.0
	for range shape {
		sum += exponential()
	}
	return sum
}

var _ infer.Simulator = (*bind.Model)(nil)
