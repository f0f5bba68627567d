package hmc

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/infertest"
)

// Of a normal target gradients and positions are one, whatever the scales and however few
// positions there are; of one whose scale is itself random they are not: with log scale v
// and x of scale e^v, the gradient of x is -x/e^2v.
func TestMisfitTellsBentTargets(t *testing.T) {
	r := rand.New(rand.NewChaCha8([32]byte{3}))
	for _, bent := range []bool{false, true} {
		var q, g [][]float64
		for range 80 {
			v, x := 1.5*r.NormFloat64(), r.NormFloat64()
			if bent {
				s := math.Exp(v)
				q, g = append(q, []float64{v, s * x}), append(g, []float64{-v/2.25 - 1 + x*x, -x / s})
				continue
			}
			a, b := v, 0.9*v+0.1*x // correlated, of precision [[1/2.25 + 81, -90], [-90, 100]]
			q, g = append(q, []float64{a, b}), append(g, []float64{-(1/2.25+81)*a + 90*b, 90*a - 100*b})
		}
		scale2 := []float64{1, 1}
		_, _, misfit := estimateLowRank(q, g, scale2)
		if bent != (misfit > mostMisfit) || !bent && misfit > 0.01 {
			t.Errorf("bent %v: misfit %.3g, bound %g", bent, misfit, mostMisfit)
		}
	}
}

// pair is a normal target of two coordinates with unit variances and correlation rho.
func pair(rho float64) infer.Target {
	return infertest.FromFunc(2, func(q, grad []float64) (float64, error) {
		c := 1 / (1 - rho*rho)
		grad[0], grad[1] = -c*(q[0]-rho*q[1]), -c*(q[1]-rho*q[0])
		return 0.5 * (q[0]*grad[0] + q[1]*grad[1]), nil
	}).NewEvaluator()
}

// warm tunes with draws of the pair itself from iteration from on, and says after which
// iterations directions were looked for.
func warm(t *testing.T, tu *Tuner, target infer.Target, rho float64, from, until int) (searches []int) {
	t.Helper()
	s := infer.State{Q: make([]float64, 2), Grad: make([]float64, 2)}
	for i := from; i < until; i++ {
		r := rand.New(rand.NewPCG(uint64(i), 5))
		s.Q[0] = r.NormFloat64()
		s.Q[1] = rho*s.Q[0] + math.Sqrt(1-rho*rho)*r.NormFloat64()
		s.LogDensity, _ = target.LogDensityGrad(s.Q, s.Grad)
		next := tu.rolling.next
		if err := tu.Update(r, i, &s, &infer.Info{AcceptStat: 0.8}); err != nil {
			t.Fatal(err)
		}
		if tu.rolling.next != next {
			searches = append(searches, i)
		}
	}
	return searches
}

func newLowRankTuner(t *testing.T, target infer.Target) *Tuner {
	t.Helper()
	settings := DefaultTuning()
	settings.Metric = draws.MetricLowRank
	_, tu, err := settings.New(target, 1000)
	if err != nil {
		t.Fatal(err)
	}
	return tu
}

// Independent coordinates have no directions, and are searched a few times; correlated ones
// are searched at most changes of windows. Either way the last search is that of the final
// part.
func TestDirectionsAreLookedForWhereThereAreAny(t *testing.T) {
	for _, c := range []struct {
		rho         float64
		least, most int
	}{{0, 3, 6}, {0.95, 12, 30}} {
		target := pair(c.rho)
		tu := newLowRankTuner(t, target)
		searches := warm(t, tu, target, c.rho, 0, 1000)
		if n := len(searches); n < c.least || n > c.most || searches[n-1] != tu.rolling.final()-1 {
			t.Errorf("correlation %v: searches after %v", c.rho, searches)
		}
		if found := len(tu.h.Metric.low.stretch) > 0; found != (c.rho > 0) {
			t.Errorf("correlation %v: directions found %v", c.rho, found)
		}
	}
}

// A warm-up that was put aside goes on as it would have.
func TestLowRankWarmupIsResumed(t *testing.T) {
	for _, rho := range []float64{0, 0.95} {
		for _, at := range []int{7, 133, 320, 505} {
			target := pair(rho)
			whole, first, second := newLowRankTuner(t, target), newLowRankTuner(t, target), newLowRankTuner(t, target)
			want := warm(t, whole, target, rho, 0, 1000)
			got := warm(t, first, target, rho, 0, at)
			if err := second.Restore(first.Snapshot()); err != nil {
				t.Fatal(err)
			}
			got = append(got, warm(t, second, target, rho, at, 1000)...)
			if !slices.Equal(got, want) || !slices.Equal(second.Snapshot(), whole.Snapshot()) {
				t.Errorf("correlation %v, put aside at %d: searches after %v, want %v", rho, at, got, want)
			}
		}
	}
}
