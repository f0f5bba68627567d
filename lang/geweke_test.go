package lang

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/gibbs"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// conjugates is a model with a block of each conjugate form of single numbers and vectors,
// discrete parameters, and two that are sliced.
const conjugates = `data {
  array[4] real a;
  array[3] int b;
  array[3] int c;
  array[5] real d;
  array[4] real e;
  array[3] real f;
  vector[4] x;
}
parameters {
  real mu;
  real<lower=0> precision;
  vector[2] beta;
  real<lower=0> variance;
  real<lower=0, upper=1> p;
  real<lower=0> rate;
  simplex[2] w;
  array[5] int<lower=1, upper=2> z;
  vector[2] centre;
  real<lower=0> scale;
  real odd;
}
model {
  mu ~ normal(0.5, 1.5);
  precision ~ gamma(3, 2);
  a ~ normal(mu, inv_sqrt(precision));
  beta ~ normal(0, 1);
  variance ~ inv_gamma(4, 3);
  e ~ normal(beta[1] + beta[2] * x, sqrt(variance));
  p ~ beta(2, 3);
  b ~ binomial(6, p);
  rate ~ gamma(2, 1);
  c ~ poisson(rate);
  w ~ dirichlet([2, 3]');
  z ~ categorical(w);
  centre ~ normal(0, 2);
  d ~ normal(centre[z], 0.7);
  scale ~ lognormal(0, 0.5);
  odd ~ logistic(0, 1);
  f ~ normal(odd, scale);
}
`

// The joint distribution test of Geweke, "Getting it right" (2004), in independent pairs:
// parameters and data are drawn from the model, and sweeps from the parameters given the
// data must leave the joint distribution as it was. Means, squares and products with the
// data of all numbers are compared, 51 of them in 400 pairs, 1,500 with PPL_ALL, at 4.5 standard errors: a
// false alarm in about 2,900 seeds, and a mean that is off by 0.29 sd, or 0.15, is found with probability 0.9. The seed is fixed.
func TestGewekeOfGibbs(t *testing.T) {
	if testing.Short() {
		t.Skip("a model is analysed for each pair: seconds")
	}
	data := map[string]any{"a": make([]float64, 4), "b": make([]int, 3), "c": make([]int, 3), "d": make([]float64, 5),
		"e": make([]float64, 4), "f": make([]float64, 3), "x": []float64{-1, 0.5, 1, 2}}
	m := mustBind(t, conjugates, data)
	blocks, err := m.Conditionals()
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range blocks {
		t.Logf("%-12s %-14s %s", b.Name, b.Form, b.Reason)
	}
	method, err := gibbs.New(gibbs.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	const sweeps = 5
	pairs := subset.Of(400, 1500)
	var sums, squares []float64
	for i := range uint64(pairs) {
		before, after, y := gewekePair(t, m.bound.Joint(), method, i, sweeps)
		g0, g1 := gewekeStatistics(before, y), gewekeStatistics(after, y)
		if sums == nil {
			sums, squares = make([]float64, len(g0)), make([]float64, len(g0))
		}
		for k := range g0 {
			d := g1[k] - g0[k]
			sums[k] += d
			squares[k] += d * d
		}
	}
	worst := 0.0
	for k, s := range sums {
		mean := s / float64(pairs)
		sd := math.Sqrt((squares[k]/float64(pairs) - mean*mean) / float64(pairs))
		z := mean / sd
		worst = math.Max(worst, math.Abs(z))
		if !(math.Abs(z) < 4.5) {
			t.Errorf("statistic %d: sweeps move its mean by %.2f standard errors", k, z)
		}
	}
	t.Logf("%d statistics, the furthest %.2f standard errors off", len(sums), worst)
}

// gewekePair draws parameters and data, and parameters after sweeps given these data.
func gewekePair(t *testing.T, model infer.Model, method infer.Markov, i uint64, sweeps int) (before, after, y []float64) {
	t.Helper()
	r := rng.New(7, "geweke", i, 0)
	s := infer.State{Q: make([]float64, model.Dim())}
	sim := model.(infer.Simulator)
	set, err := sim.DrawJoint(r, s.Q)
	if err != nil {
		t.Fatal(err)
	}
	before = append(before, s.Q...)
	given, err := sim.Rebound(set)
	if err != nil {
		t.Fatal(err)
	}
	kernel, _, err := method.NewKernel(given.NewEvaluator(), 0)
	if err != nil {
		t.Fatal(err)
	}
	info := infer.Info{Stats: make([]float64, len(method.Stats()))}
	if err := kernel.Start(&s); err != nil {
		t.Fatal(err)
	}
	for range sweeps {
		if err := kernel.Step(r, &s, &info); err != nil {
			t.Fatal(err)
		}
	}
	return before, s.Q, set.Numbers()
}

// gewekeStatistics are functions of coordinates and data, bounded so that they have small
// tails.
func gewekeStatistics(q, y []float64) []float64 {
	mean := 0.0
	for _, v := range y {
		mean += math.Tanh(v/2) / float64(len(y))
	}
	var out []float64
	for _, v := range q {
		b := math.Tanh(v / 2)
		out = append(out, b, b*b, b*mean)
	}
	return out
}
