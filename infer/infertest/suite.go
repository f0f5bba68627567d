// This file holds checks that every method, or every Markov method, must pass;
// the tests of a method call them with its own settings.

package infertest

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// Fit runs a method and fails the test on an error.
func Fit(t testing.TB, m infer.Method, model infer.Model, o infer.Options) *infer.Posterior {
	t.Helper()
	p, err := m.Run(context.Background(), model, o)
	if err != nil {
		t.Fatalf("%s: %v", m.Name(), err)
	}
	return p
}

// CheckMoments compares mean and standard deviation of a chain method's draws
// with the exact ones: at most bound Monte Carlo standard errors off, R-hat
// below rhat. With bound 5, one comparison fails by chance in 1.7 million.
func CheckMoments(t testing.TB, p *infer.Posterior, c Case, bound, rhat float64) {
	t.Helper()
	for i, name := range p.Draws.Columns() {
		x := p.Draws.Column(name)
		if r := draws.RHat(x); !(r < rhat) {
			t.Errorf("%s, %s: R-hat %.4f", c.Name, name, r)
		}
		if z := (draws.Mean(x) - c.Mean[i]) / draws.MCSEMean(x); !(math.Abs(z) < bound) {
			t.Errorf("%s, %s: mean %.4g, exactly %.4g: %.1f standard errors off", c.Name, name, draws.Mean(x), c.Mean[i], z)
		}
		if z := (draws.SD(x) - c.SD[i]) / draws.MCSESD(x); !(math.Abs(z) < bound) {
			t.Errorf("%s, %s: sd %.4g, exactly %.4g: %.1f standard errors off", c.Name, name, draws.SD(x), c.SD[i], z)
		}
	}
}

// CheckWeightedMoments does the same for a single set of independent weighted
// draws. The tolerance is bound times the error of as many draws as the
// weights' effective size says; inflate, at least 1, accounts for draws that
// depend on each other.
func CheckWeightedMoments(t testing.TB, p *infer.Posterior, c Case, bound, inflate float64) {
	t.Helper()
	n := p.Draws.Len(0)
	w := make([]float64, n)
	for i := range w {
		w[i] = 1 / float64(n)
	}
	if p.LogWeights != nil {
		infer.Weights(p.LogWeights[0], w)
	}
	var squares float64
	for _, v := range w {
		squares += v * v
	}
	for i, name := range p.Draws.Columns() {
		var mean, second, fourth float64
		x := p.Draws.Column(name)[0]
		for k, v := range x {
			d := (v - c.Mean[i]) / c.SD[i]
			mean += w[k] * d
			second += w[k] * d * d
			fourth += w[k] * d * d * d * d
		}
		tol := bound * inflate * math.Sqrt(squares)
		if math.Abs(mean) > tol {
			t.Errorf("%s, %s: mean off by %.3f sd, tolerance %.3f", c.Name, name, mean, tol)
		}
		if tol *= math.Sqrt(max(fourth-second*second, 1)); math.Abs(second-1) > tol {
			t.Errorf("%s, %s: variance %.3f of the exact one, tolerance %.3f", c.Name, name, second, tol)
		}
	}
}

// CheckRank is the test of Gandy and Scott (2020, "Unit testing for MCMC and
// other Monte Carlo methods"): put an exact draw at a random place of a
// stationary chain; its rank among the chain's states is uniform if the kernel
// leaves the target invariant. The part before the draw is run by the kernel's
// time reversal, so a wrong reversal shows as well. It returns the p-value of
// a chi-square test over that many replications.
func CheckRank(t testing.TB, c Case, k infer.Invertible, stats, replications int) float64 {
	t.Helper()
	const length = 10
	forward, reverse := k.Pair()
	r := rng.New(77, "rank test", 0, 0)
	counts := make([]float64, length)
	n := c.Model.Dim()
	s := infer.State{Q: make([]float64, n)}
	info := infer.Info{Stats: make([]float64, stats)}
	exact := make([]float64, n)
	f := func(q []float64) float64 { return q[n-1] + 0.3*q[0]*q[0] }
	for range replications {
		c.Draw(r, exact)
		at := variate.IntN(r, length)
		rank, ties := 0, 0
		for part, steps := range []int{at, length - 1 - at} {
			kernel := []infer.Kernel{reverse, forward}[part]
			copy(s.Q, exact)
			if err := kernel.Start(&s); err != nil {
				t.Fatal(err)
			}
			for range steps {
				if err := kernel.Step(r, &s, &info); err != nil {
					t.Fatal(err)
				}
				switch d := f(s.Q) - f(exact); {
				case d < 0:
					rank++
				case d == 0: // the chain has not moved, or whole numbers agree
					ties++
				}
			}
		}
		counts[rank+variate.IntN(r, ties+1)]++
	}
	var chi2 float64
	for _, x := range counts {
		e := float64(replications) / length
		chi2 += (x - e) * (x - e) / e
	}
	return (distuv.ChiSquared{K: length - 1}).Survival(chi2)
}

// CheckDeterministic runs a method with several numbers of processors and
// goroutines, two pairs of them or four with PPL_ALL, and wants the same rows, bit by bit; and others from another seed.
func CheckDeterministic(t testing.TB, m infer.Method, model infer.Model) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	first := Fit(t, m, model, infer.Options{Seed: 5})
	for _, c := range [][2]int{{1, 1}, {4, 3}, {1, 3}, {4, 1}}[:subset.Of(2, 4)] {
		procs, jobs := c[0], c[1]
		runtime.GOMAXPROCS(procs)
		again := Fit(t, m, model, infer.Options{Seed: 5, Jobs: jobs})
		if !SameDraws(first, again) {
			t.Errorf("%s: GOMAXPROCS %d and %d jobs change the draws", m.Name(), procs, jobs)
		}
		if a, b := first.LogEvidence, again.LogEvidence; a != nil && *a != *b {
			t.Errorf("%s: GOMAXPROCS %d and %d jobs change the evidence", m.Name(), procs, jobs)
		}
	}
	if SameDraws(first, Fit(t, m, model, infer.Options{Seed: 6, Jobs: 2})) {
		t.Errorf("%s: two seeds gave the same draws", m.Name())
	}
}

// SameDraws reports whether two posteriors hold the same rows and weights.
func SameDraws(a, b *infer.Posterior) bool {
	if a.Draws.Chains() != b.Draws.Chains() || len(a.LogWeights) != len(b.LogWeights) {
		return false
	}
	for c := range a.Draws.Chains() {
		if a.Draws.Len(c) != b.Draws.Len(c) {
			return false
		}
		for i := range a.Draws.Len(c) {
			if !slices.EqualFunc(a.Draws.Row(c, i), b.Draws.Row(c, i), sameBits) {
				return false
			}
		}
	}
	for c := range a.LogWeights {
		if !slices.Equal(a.LogWeights[c], b.LogWeights[c]) {
			return false
		}
	}
	return true
}

func sameBits(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }

// CheckAllocations wants transitions without allocations once under way.
func CheckAllocations(t testing.TB, m infer.Markov, model infer.Model) {
	t.Helper()
	k, tuner, err := m.NewKernel(model.NewEvaluator(), 0)
	if err != nil {
		t.Fatal(err)
	}
	s := infer.State{Q: make([]float64, model.Dim())}
	info := infer.Info{Stats: make([]float64, len(m.Stats()))}
	r := rng.New(1, "alloc", 0, 0)
	if err := errors.Join(k.Start(&s), tuner.Begin(r, &s), tuner.End()); err != nil {
		t.Fatal(err)
	}
	step := func() {
		if err := k.Step(r, &s, &info); err != nil {
			t.Fatal(err)
		}
	}
	for range 20 {
		step()
	}
	if a := testing.AllocsPerRun(50, step); a != 0 {
		t.Errorf("%s: %g allocations per transition", m.Name(), a)
	}
}

// failing is a standard normal whose density calls fail on more than half of
// the line, the mode included, so that optimisers meet it as well.
func failing(fail func() error) *Model {
	m := FromParts(1, func(q []float64, _ float64, grad []float64) (float64, float64, error) {
		if q[0] > -0.1 {
			return 0, 0, fail()
		}
		if grad != nil {
			grad[0] = -q[0]
		}
		return -q[0]*q[0]/2 - logRoot2Pi, 0, nil
	})
	m.Prior = func(r *rand.Rand, q []float64) error {
		q[0] = variate.Normal(r)
		return nil
	}
	return m
}

// CheckFatal wants an error of the model that is no rejection to stop the run
// and to come back as it was.
func CheckFatal(t testing.TB, m infer.Method) {
	t.Helper()
	broken := errors.New("line 7: fatal")
	_, err := m.Run(context.Background(), failing(func() error { return broken }), infer.Options{Seed: 1, Jobs: 2})
	if !errors.Is(err, broken) || infer.IsReject(err) {
		t.Errorf("%s: a fatal error came back as %v", m.Name(), err)
	}
}

// CheckPanic wants a panic in the model to come back as an *infer.PanicError.
func CheckPanic(t testing.TB, m infer.Method) {
	t.Helper()
	_, err := m.Run(context.Background(), failing(func() error { panic("out of order") }), infer.Options{Seed: 1, Jobs: 2})
	if _, ok := errors.AsType[*infer.PanicError](err); !ok {
		t.Errorf("%s: a panic came back as %v", m.Name(), err)
	}
}

// CheckCancelled cancels a run after some evaluations of the density and wants
// an incomplete posterior without an error.
func CheckCancelled(t testing.TB, m infer.Method, model *Model, evaluations int) *infer.Posterior {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	counter := make(chan struct{}, evaluations)
	slow := model.withTap(func() {
		select {
		case counter <- struct{}{}:
		default:
			cancel()
		}
	})
	p, err := m.Run(ctx, slow, infer.Options{Seed: 1, Jobs: 2})
	if err != nil {
		t.Fatalf("%s: a cancelled run gave the error %v", m.Name(), err)
	}
	if !p.Incomplete || !errors.Is(p.Cause, context.Canceled) {
		t.Errorf("%s: a cancelled run is marked incomplete %v, cause %v", m.Name(), p.Incomplete, p.Cause)
	}
	return p
}

// CheckNoParameters runs a method on a model that has only generated
// quantities: standard normals in column y.
func CheckNoParameters(t testing.TB, m infer.Method) *infer.Posterior {
	t.Helper()
	model := FromParts(0, func([]float64, float64, []float64) (float64, float64, error) { return 0, -3, nil })
	model.Names = []string{"y"}
	model.Writer = func(_ []float64, r *rand.Rand, out []float64) error {
		out[0] = variate.Normal(r)
		return nil
	}
	model.Prior = func(*rand.Rand, []float64) error { return nil }
	p := Fit(t, m, model, infer.Options{Seed: 1})
	x := p.Draws.Column("y")
	n := float64(p.Draws.Total())
	if n == 0 || math.Abs(draws.Mean(x)) > 5/math.Sqrt(n) || math.Abs(draws.SD(x)-1) > 5/math.Sqrt(2*n) {
		t.Errorf("%s: %g draws of standard normals have mean %.3f, sd %.3f", m.Name(), n, draws.Mean(x), draws.SD(x))
	}
	return p
}
