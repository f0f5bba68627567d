package nuts_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/hmc"
	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/nuts"
)

func byGradients(o *nuts.Options) { o.Adapt = hmc.AdaptGradient }

// Of independent normal coordinates the metric is exact as soon as there are two positions,
// whatever the scales: the ratio to the variance is 1 up to rounding.
func TestGradientMetricIsExactForNormals(t *testing.T) {
	sd := infertest.Scales(50)
	p := infertest.Fit(t, method(t, func(o *nuts.Options) { byGradients(o); o.Warmup = 60; o.Draws = 10 }),
		infertest.Independent("", sd).Model, infer.Options{Seed: 1})
	for ch, c := range p.Chains {
		for i, v := range c.Adaptation.InvMetric {
			if ratio := v / (sd[i] * sd[i]); math.Abs(ratio-1) > 1e-6 {
				t.Errorf("chain %d: variance of coordinate %d is %.9g of the true one", ch, i, ratio)
			}
		}
	}
}

// With coordinates that depend on each other the metric lies between variances and
// conditional variances: with correlation r the variance of the gradient is 1/(1 - r^2), so
// that the estimate goes to sqrt(1 - r^2). The last window holds at least 80 draws, so the logarithm
// of one estimate has a standard deviation of 1/8 (sqrt(2/80 + 2/80)/2 is 0.11), and the mean of those of 16
// chains of two coordinates of 0.03: five of these.
func TestGradientMetricOfCorrelatedNormals(t *testing.T) {
	const r, chains = 0.9, 16
	p := infertest.Fit(t, method(t, func(o *nuts.Options) { byGradients(o); o.Chains = chains }), infertest.Correlated(r).Model, infer.Options{Seed: 1})
	mean := 0.0
	for _, c := range p.Chains {
		for _, v := range c.Adaptation.InvMetric {
			mean += math.Log(v/math.Sqrt(1-r*r)) / (2 * chains)
		}
	}
	if math.Abs(mean) > 0.15 {
		t.Errorf("the inverse metric is %.3g of the expected one", math.Exp(mean))
	}
}

// TestGradientMoments is TestMoments of the other warm-up: about 80 comparisons, bound 5.
func TestGradientMoments(t *testing.T) {
	for _, c := range infertest.Cases() {
		t.Run(c.Name, func(t *testing.T) {
			infertest.CheckMoments(t, infertest.Fit(t, method(t, byGradients), c.Model, infer.Options{Seed: 20, Jobs: 2}), c, 5, 1.02)
		})
	}
}

// The funnel stays hard, but its log scale is found: within 5 standard errors, as with
// Stan's warm-up.
func TestGradientFunnel(t *testing.T) {
	c := infertest.Funnel()
	p := infertest.Fit(t, method(t, func(o *nuts.Options) { byGradients(o); o.Delta = 0.95 }), c.Model, infer.Options{Seed: 3, Jobs: 2})
	name := p.Draws.Columns()[0]
	x := p.Draws.Column(name)
	if z := (draws.Mean(x) - c.Mean[0]) / draws.MCSEMean(x); !(math.Abs(z) < 5) {
		t.Errorf("%s: mean %.3g, exactly %.3g: %.1f standard errors off", name, draws.Mean(x), c.Mean[0], z)
	}
}

// A warm-up by gradients needs positions and gradients of a diagonal metric.
func TestGradientNeedsADiagonalMetric(t *testing.T) {
	for _, metric := range []string{draws.MetricDense, draws.MetricUnit} {
		o := nuts.DefaultOptions()
		byGradients(&o)
		o.Metric = metric
		if _, err := nuts.New(o); err == nil {
			t.Errorf("accepted with metric %q", metric)
		}
	}
}

func lowRank(o *nuts.Options) { o.Metric = draws.MetricLowRank }

// matrix is the inverse metric of a low-rank adaptation as a matrix.
func matrix(a draws.Adaptation) [][]float64 {
	n := len(a.InvMetric)
	m := make([][]float64, n)
	for i := range m {
		m[i] = make([]float64, n)
		for j := range m[i] {
			if i == j {
				m[i][j] = 1
			}
			for k, s := range a.Stretch {
				u := a.Directions[k*n:][:n]
				m[i][j] += (s - 1) * u[i] * u[j]
			}
			m[i][j] *= math.Sqrt(a.InvMetric[i] * a.InvMetric[j])
		}
	}
	return m
}

// Of normals the low-rank metric is the covariance but for directions that are not
// stretched by more than 2; here all are stretched by more. The ridge of 1e-5 leaves an
// error of that order over the least variance, 0.05.
func TestLowRankMetricIsTheCovariance(t *testing.T) {
	const r = 0.95
	p := infertest.Fit(t, method(t, lowRank), infertest.Correlated(r).Model, infer.Options{Seed: 1})
	for ch, c := range p.Chains {
		if len(c.Adaptation.Stretch) != 2 {
			t.Errorf("chain %d: stretches %v, want two", ch, c.Adaptation.Stretch)
		}
		got := matrix(c.Adaptation)
		for i, want := range [][]float64{{1, r}, {r, 1}} {
			for j, w := range want {
				if math.Abs(got[i][j]-w) > 1e-3 {
					t.Errorf("chain %d: inverse metric (%d, %d) = %.5f, covariance %.5f", ch, i, j, got[i][j], w)
				}
			}
		}
	}
}

// equicorrelated has one direction of great variance among many coordinates.
func equicorrelated(n int, r float64) infertest.Case {
	cov := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			cov.SetSym(i, j, r)
		}
		cov.SetSym(i, i, 1)
	}
	return infertest.Gaussian("", make([]float64, n), cov)
}

// With so many coordinates that the directions come from principal components, the one
// that matters is found: its variance is 1 + 100 * 0.9 / 0.1 times that of the others, so that
// trajectories without it turn back long before they have crossed it.
func TestLowRankFindsTheDirection(t *testing.T) {
	c := equicorrelated(100, 0.9)
	effective := func(change func(*nuts.Options)) float64 {
		p := infertest.Fit(t, method(t, func(o *nuts.Options) { change(o); o.Chains, o.Warmup, o.Draws = 1, 400, 300 }), c.Model, infer.Options{Seed: 2})
		return draws.ESSMean(p.Draws.Column(p.Draws.Columns()[0])) / draws.Mean(p.Draws.Column("n_leapfrog__"))
	}
	if low, diagonal := effective(lowRank), effective(byGradients); low < 5*diagonal {
		t.Errorf("%.3f effective draws a gradient with directions, %.3f without", low/300, diagonal/300)
	}
}

// TestLowRankMoments is TestMoments of the low-rank metric: about 80 comparisons, bound 5.
func TestLowRankMoments(t *testing.T) {
	for _, c := range infertest.Cases() {
		t.Run(c.Name, func(t *testing.T) {
			infertest.CheckMoments(t, infertest.Fit(t, method(t, lowRank), c.Model, infer.Options{Seed: 21, Jobs: 2}), c, 5, 1.02)
		})
	}
}
