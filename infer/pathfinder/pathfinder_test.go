package pathfinder_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/optimize"
	"github.com/seed-12b88e03/ppl/infer/pathfinder"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

func method(t *testing.T, change func(*pathfinder.Options)) *pathfinder.Method {
	t.Helper()
	o := pathfinder.DefaultOptions()
	if change != nil {
		change(&o)
	}
	m, err := pathfinder.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// On a quadratic the end of the path has mean and covariance, up to what a
// search that stops has not seen of the directions (5 % allowed).
func TestQuadratic(t *testing.T) {
	cov := mat.NewSymDense(4, []float64{4, 1, 0.5, 0, 1, 2, -0.3, 0.2, 0.5, -0.3, 1, 0.1, 0, 0.2, 0.1, 0.5})
	c := infertest.Gaussian("four", []float64{1, -2, 3, 0}, cov)
	s := optimize.Settings{MaxIterations: 100, History: 12, TolGrad: 1e-10}
	p, err := pathfinder.Follow(c.Model.NewEvaluator(), rng.New(1, "test", 0, 0), make([]float64, 4), s, 200)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]float64, 16)
	p.Normal.Covariance(got)
	for i := range 4 {
		for j := range 4 {
			if math.Abs(got[i*4+j]-cov.At(i, j)) > 0.05*math.Sqrt(cov.At(i, i)*cov.At(j, j)) {
				t.Errorf("covariance %d,%d is %.5g, exactly %.5g", i, j, got[i*4+j], cov.At(i, j))
			}
		}
		if math.Abs(p.Normal.Mean()[i]-c.Mean[i]) > 0.05*c.SD[i] {
			t.Errorf("mean %d is %.5g, exactly %.5g", i, p.Normal.Mean()[i], c.Mean[i])
		}
	}
	var chol mat.Cholesky
	chol.Factorize(cov)
	if evidence := 2*math.Log(2*math.Pi) + chol.LogDet()/2; math.Abs(p.ELBO.Value-evidence) > 0.02 {
		t.Errorf("evidence lower bound %.4f, the evidence is %.4f", p.ELBO.Value, evidence)
	}
}

// TestMoments: draws after Pareto smoothed resampling on targets where the
// approximation is good: independent draws up to the loss of resampling, which
// is allowed for by a factor of two. 20 comparisons at 5 standard errors, a
// false alarm in 80,000 seeds.
func TestMoments(t *testing.T) {
	for _, c := range []infertest.Case{infertest.Correlated(0), infertest.Correlated(0.9), infertest.LogGamma(), infertest.Logistic()} {
		p := infertest.Fit(t, method(t, nil), c.Model, infer.Options{Seed: 4, Jobs: 2})
		infertest.CheckWeightedMoments(t, p, c, 5, 2)
		if !(p.Fit.ParetoK < 0.7) || !p.Fit.Converged || p.Draws.Total() != 1000 {
			t.Errorf("%s: k = %.2f, %s, %d draws", c.Name, p.Fit.ParetoK, p.Fit.Stop, p.Draws.Total())
		}
	}
}

// A ridge: the best approximation is not at the end, and k says that it is poor.
func TestBananaIsMeasured(t *testing.T) {
	p := infertest.Fit(t, method(t, nil), infertest.Banana(3).Model, infer.Options{Seed: 4})
	if !(p.Fit.ParetoK > 0.5) {
		t.Errorf("k = %.2f", p.Fit.ParetoK)
	}
	best := math.Inf(-1)
	for _, x := range p.Fit.Trace {
		best = max(best, x.Objective)
	}
	if math.IsInf(best, 0) || len(p.Fit.Trace) < 5 {
		t.Errorf("trace %v", p.Fit.Trace)
	}
}

// A funnel's density has no upper bound, so every path runs off; the best
// approximation lies before the end and has finite draws.
func TestFunnel(t *testing.T) {
	const n = 9
	m := infertest.FromFunc(n+1, func(q, grad []float64) (float64, error) {
		v := q[0]
		lp := -v*v/18 - n*v/2
		var s float64
		for _, x := range q[1:] {
			s += x * x
		}
		e := math.Exp(-v)
		if grad != nil {
			grad[0] = -v/9 - n/2.0 + s*e/2
			for i := range q[1:] {
				grad[i+1] = -q[i+1] * e
			}
		}
		return lp - s*e/2, nil
	})
	p := infertest.Fit(t, method(t, nil), m, infer.Options{Seed: 6})
	if v := mean(p, "q.1"); math.Abs(v) > 6 || math.IsNaN(v) {
		t.Errorf("mean of the log scale %g, exactly 0 with sd 3", v)
	}
}

func mean(p *infer.Posterior, column string) float64 {
	var sum float64
	x := p.Draws.Column(column)[0]
	for _, v := range x {
		sum += v / float64(len(x))
	}
	return sum
}

// Two modes, one of them with 1/20 of the mass: the mixture gives the lesser
// one a lesser weight however many paths ended there.
func TestTwoModes(t *testing.T) {
	a := normal.NewDiagonal([]float64{-6, 0}, []float64{1, 1})
	b := normal.NewDiagonal([]float64{6, 0}, []float64{1, 1})
	target := normal.NewMixture([]*normal.Normal{a, b}, []float64{0.95, 0.05})
	m := infertest.FromFunc(2, func(q, grad []float64) (float64, error) {
		if grad == nil {
			return target.LogDensity(q), nil
		}
		return target.LogDensityGrad(q, grad), nil
	})
	p := infertest.Fit(t, method(t, func(o *pathfinder.Options) { o.Paths = 8 }), m, infer.Options{Seed: 1})
	right := 0
	for _, x := range p.Draws.Column("q.1")[0] {
		if x > 0 {
			right++
		}
	}
	mix := p.Density.(*normal.Mixture)
	var share float64
	for i, w := range mix.Weights() {
		if mix.Parts()[i].Mean()[0] > 0 {
			share += w
		}
	}
	// 8 paths: the weights count modes by paths, so the share is 1/20 only up
	// to the odds of the starting points
	if share == 0 || share > 0.3 || math.Abs(float64(right)/1000-share) > 0.01 {
		t.Errorf("the lesser mode has weight %.3f and %d draws of 1000", share, right)
	}
}

func TestSinglePathIsNotResampled(t *testing.T) {
	p := infertest.Fit(t, method(t, func(o *pathfinder.Options) { o.Paths = 1 }), infertest.Banana(0.7).Model, infer.Options{Seed: 3, KeepUnconstrained: true})
	a, ok := p.Approximation()
	if !ok {
		t.Fatal("no approximation")
	}
	seen := map[float64]bool{}
	for i, q := range p.Unconstrained[0] {
		if row := p.Draws.Row(0, i); row[1] != a.LogDensity(q) || row[2] != 1 || seen[q[0]] {
			t.Fatalf("draw %d: %v", i, row)
		}
		seen[q[0]] = true
	}
}

func TestContract(t *testing.T) {
	m := method(t, nil)
	infertest.CheckDeterministic(t, m, infertest.Banana(0.7).Model)
	infertest.CheckFatal(t, m)
	infertest.CheckPanic(t, m)
	infertest.CheckNoParameters(t, m)
	for _, n := range []int{2, 50, 300} {
		p := infertest.CheckCancelled(t, m, infertest.Banana(0.7).Model, n)
		if n == 300 && (p.Density == nil || p.Draws.Total() == 0) {
			t.Errorf("cancelled after %d evaluations: %d draws", n, p.Draws.Total())
		}
	}
}

func TestCancelledBeforeTheStart(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p, err := method(t, nil).Run(ctx, infertest.Banana(1).Model, infer.Options{})
	if err != nil || !p.Incomplete || p.Draws.Total() != 0 {
		t.Errorf("error %v", err)
	}
}

func TestOptionRanges(t *testing.T) {
	for text, change := range map[string]func(*pathfinder.Options){
		"paths":      func(o *pathfinder.Options) { o.Paths = 0 },
		"draws":      func(o *pathfinder.Options) { o.Draws = 0 },
		"samples":    func(o *pathfinder.Options) { o.Samples = 0 },
		"iterations": func(o *pathfinder.Options) { o.MaxIterations = 0 },
	} {
		o := pathfinder.DefaultOptions()
		change(&o)
		if _, err := pathfinder.New(o); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestCandidates: each iterate is seen once, in order, and the best of them is the path's.
func TestCandidates(t *testing.T) {
	c := infertest.Gaussian("two", []float64{1, -2}, mat.NewSymDense(2, []float64{4, 1, 1, 2}))
	start := []float64{3, 3}
	var seen []pathfinder.Candidate
	s := optimize.Settings{MaxIterations: 100, History: 12, TolGrad: 1e-10}
	p, err := pathfinder.FollowEach(c.Model.NewEvaluator(), rng.New(1, "test", 0, 0), start, s, 100, func(c pathfinder.Candidate) {
		seen = append(seen, c)
	})
	if err != nil {
		t.Fatal(err)
	}
	best := seen[1]
	for i, c := range seen {
		if c.Point.Iteration != i || (c.Normal == nil) != (i == 0) || c.Pairs > i {
			t.Errorf("candidate %d: %+v", i, c)
		}
		if i > 0 && c.ELBO.Value > best.ELBO.Value {
			best = c
		}
	}
	if len(seen) != p.Search.Iteration+1 || best.Normal != p.Normal || best.ELBO != p.ELBO {
		t.Errorf("%d candidates of %d iterations; the best is %v, the path's %v", len(seen), p.Search.Iteration, best.ELBO, p.ELBO)
	}
}
