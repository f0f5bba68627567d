package psis_test

import (
	"math"
	"slices"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/psis"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// exponential ratios: p exponential with rate theta, q with rate 1. The ratio
// is theta*exp((1-theta)x), which is a Pareto variable of shape k = 1-theta
// exactly, beyond every threshold.
func exponential(seed uint64, k float64, n int) (x, logRatios []float64) {
	r := rng.New(seed, "psis test", 0, 0)
	x, logRatios = make([]float64, n), make([]float64, n)
	for i := range x {
		x[i] = r.ExpFloat64()
		logRatios[i] = k * x[i] // constants do not matter
	}
	return x, logRatios
}

// The shape of exact Pareto ratios. The maximum likelihood error of k over a
// tail of M is (1+k)/sqrt(M) = 0.08 here; the prior pulls by at most 1 %. With
// 20 replicates at 5 standard errors a false alarm comes in 2e5 seeds.
func TestShapeOfParetoRatios(t *testing.T) {
	const n, replicates = 4000, 20
	m := 3 * math.Sqrt(n)
	for _, k := range []float64{0.2, 0.5, 0.8, 1.2} {
		var mean float64
		for s := range replicates {
			_, lr := exponential(uint64(s), k, n)
			mean += psis.Smooth(lr, 1).K / replicates
		}
		want := (k*m + 5) / (m + 10)
		if tol := 5*(1+k)/math.Sqrt(m*replicates) + 0.01; math.Abs(mean-want) > tol {
			t.Errorf("shape %.2f: fitted %.3f on average, expected %.3f to %.3f", k, mean, want, tol)
		}
	}
}

// The smoothed estimate of E_p[x] = 1/theta, where raw weights have infinite
// variance for k > 1/2. Smoothing biases a little: 10 % is allowed at k = 0.6,
// far beyond what 50 replicates leave of chance.
func TestSmoothedEstimate(t *testing.T) {
	for _, k := range []float64{0.3, 0.6} {
		var mean float64
		const replicates = 50
		for s := range replicates {
			x, lr := exponential(uint64(s), k, 2000)
			r := psis.Smooth(lr, 1)
			for i, w := range r.LogWeights {
				mean += math.Exp(w) * x[i] / replicates
			}
		}
		if want := 1 / (1 - k); math.Abs(mean/want-1) > 0.1 {
			t.Errorf("shape %g: estimate %.3f, exactly %.3f", k, mean, want)
		}
	}
}

// The fit recovers the quantiles of a generalised Pareto distribution with
// negative and zero shape too (prior undone).
func TestFit(t *testing.T) {
	const n = 2000
	for _, k := range []float64{-0.5, 1e-9, 0.7} {
		x := make([]float64, n)
		for i := range x {
			p := (float64(i) + 0.5) / n
			x[i] = 2 * math.Expm1(-k*math.Log1p(-p)) / k
		}
		got, sigma := psis.Fit(x)
		got = (got*(n+10) - 5) / n
		if math.Abs(got-k) > 0.02 || math.Abs(sigma/2-1) > 0.03 {
			t.Errorf("shape %g, scale 2: fitted %.4f, %.4f", k, got, sigma)
		}
	}
}

func TestWeightsAreNormalisedAndOrdered(t *testing.T) {
	_, lr := exponential(3, 0.7, 500)
	before := slices.Clone(lr)
	r := psis.Smooth(lr, 1)
	if !slices.Equal(before, lr) {
		t.Error("the ratios were changed")
	}
	var sum float64
	for i, w := range r.LogWeights {
		sum += math.Exp(w)
		for j, v := range r.LogWeights {
			if lr[i] < lr[j] && w > v+1e-12 {
				t.Fatalf("order changed: ratios %g < %g, weights %g > %g", lr[i], lr[j], w, v)
			}
		}
	}
	if math.Abs(sum-1) > 1e-12 {
		t.Errorf("weights sum to %.15f", sum)
	}
	if ess := r.ESS(); ess < 1 || ess > 500 {
		t.Errorf("effective draws %g of 500", ess)
	}
}

func TestEdges(t *testing.T) {
	inf := math.Inf(-1)
	for name, c := range map[string]struct {
		ratios []float64
		k      float64
	}{
		"equal":      {slices.Repeat([]float64{-1e4}, 100), inf},
		"one":        {[]float64{3}, inf},
		"few":        {[]float64{1, 2, 3, 4}, math.Inf(1)},
		"all zero":   {[]float64{inf, inf}, math.Inf(1)},
		"none":       {nil, math.Inf(1)},
		"two values": {append(slices.Repeat([]float64{0}, 99), 5), math.Inf(1)},
	} {
		r := psis.Smooth(c.ratios, 1)
		if r.K != c.k || len(r.LogWeights) != len(c.ratios) {
			t.Errorf("%s: k = %g, expected %g", name, r.K, c.k)
		}
	}
	_, lr := exponential(5, 0.4, 1000)
	lr[3], lr[4] = math.NaN(), inf
	r := psis.Smooth(lr, 1)
	if !math.IsInf(r.LogWeights[3], -1) || !math.IsInf(r.LogWeights[4], -1) || math.IsNaN(r.K) || r.K > 0.9 {
		t.Errorf("NaN and zero: weights %g and %g, k = %g", r.LogWeights[3], r.LogWeights[4], r.K)
	}
	// far below and far above the range of exp
	for _, shift := range []float64{-1e5, 1e5} {
		moved := slices.Clone(lr)
		for i := range moved {
			moved[i] += shift
		}
		if k := psis.Smooth(moved, 1).K; math.Abs(k-r.K) > 1e-6 {
			t.Errorf("shift %g changes k from %g to %g", shift, r.K, k)
		}
	}
	if got := psis.Threshold(100); got != 0.5 {
		t.Errorf("threshold at 100 draws %g, the paper has 0.5", got)
	}
}

// TestTrusted takes normal approximations: of a log gamma variable of shape 21 with the
// divergence at its least, where the ratios are even and yet seem to have a long tail, and
// of a normal one with twice its standard deviation.
func TestTrusted(t *testing.T) {
	none := psis.Smooth([]float64{math.Inf(-1), math.Inf(-1), math.Inf(-1)}, 1)
	if none.Trusted() || none.ESS() != 0 {
		t.Errorf("weights that are all 0: trusted %v, ESS %g", none.Trusted(), none.ESS())
	}
	r := rng.New(4, "psis even", 0, 0)
	even, narrow := make([]float64, 1000), make([]float64, 1000)
	for i := range even {
		x := r.NormFloat64()
		s := 1 / math.Sqrt(21)
		even[i] = 21*s*x - 21*math.Exp(s*x-s*s/2) + x*x/2
		narrow[i] = -x*x/8 + x*x/2
	}
	if r := psis.Smooth(even, 1); !(r.K > 0.7) || r.Share() < 0.98 || !r.Trusted() {
		t.Errorf("even: shape %.2f, share %.3f, trusted %v", r.K, r.Share(), r.Trusted())
	}
	if r := psis.Smooth(narrow, 1); r.Share() > 0.8 || r.Trusted() {
		t.Errorf("narrow: shape %.2f, share %.3f, trusted %v", r.K, r.Share(), r.Trusted())
	}
}

// Draws without weight keep none, however long the tail would be of as many: of 2000 draws 30 have one.
func TestNoWeightStaysNone(t *testing.T) {
	_, lr := exponential(1, 0.3, 2000)
	for i := range lr {
		if i >= 30 {
			lr[i] = math.Inf(-1)
		}
	}
	r := psis.Smooth(lr, 1)
	for i, w := range r.LogWeights {
		if math.IsInf(w, -1) != (i >= 30) {
			t.Fatalf("draw %d has log weight %g", i, w)
		}
	}
	if ess := r.ESS(); !(ess > 10 && ess <= 30) {
		t.Errorf("30 draws with a weight count as %.1f", ess)
	}
}
