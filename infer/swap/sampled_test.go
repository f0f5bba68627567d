package swap_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/nuts"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/infer/swap"
)

// bell is a normal distribution of one number, as a model and as a target.
type bell struct{ mean, variance float64 }

func (b bell) Dim() int                      { return 1 }
func (b bell) Columns() []string             { return []string{"t"} }
func (b bell) NewEvaluator() infer.Evaluator { return b }

func (b bell) LogDensity(q []float64) (float64, error) {
	return b.LogDensityGrad(q, make([]float64, 1))
}

func (b bell) LogDensityGrad(q, grad []float64) (float64, error) {
	d := q[0] - b.mean
	grad[0] = -d / b.variance
	return -d * d / b.variance / 2, nil
}

func (b bell) Write(q []float64, _ *rand.Rand, out []float64) error {
	copy(out, q)
	return nil
}

// TestSampledPrior: with normal laws all of Algorithm 5 is in closed form. The product of
// two kernel estimates of width h (in units of the posterior's sd) is that of normals
// with variances larger by h^2, and dividing by the old prior takes its precision away.
// The draws agree with that to 5 errors and what moments of 2000 draws of each factor are
// off by, 0.1 sd and 15 %; how far that is from the answer without smoothing is printed.
func TestSampledPrior(t *testing.T) {
	const n = 2000
	posterior, old, new := bell{1, 0.2}, bell{0, 1}, bell{0.5, 0.25}
	r := rng.New(3, "test", 0, 0)
	prior := make([][]float64, n)
	for i := range prior {
		prior[i] = []float64{new.mean + math.Sqrt(new.variance)*r.NormFloat64()}
	}
	sampler, err := nuts.New(nuts.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	m, err := swap.NewSampled(swap.SampledOptions{Inner: sampler, With: sampler, Prior: prior, Old: func(infer.Model) infer.Target { return old }})
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Run(context.Background(), posterior, infer.Options{Seed: 1, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	var logw []float64
	for _, l := range p.LogWeights {
		logw = append(logw, l...)
	}
	w := make([]float64, len(logw))
	infer.Weights(logw, w)
	var x []float64
	for _, c := range p.Draws.Column("t") {
		x = append(x, c...)
	}
	s := draws.SummarizeWeighted("t", x, w)
	limit := func(h2 float64) bell {
		v, u := posterior.variance+h2, new.variance+h2
		precision := 1/v + 1/u - 1/old.variance
		return bell{(posterior.mean/v + new.mean/u) / precision, 1 / precision}
	}
	h := math.Pow(n, -1.0/5)
	want, exact := limit(h*h*posterior.variance), limit(0)
	sd := math.Sqrt(want.variance)
	shift, ratio := math.Abs(float64(s.Mean)-want.mean)/sd, math.Abs(float64(s.SD)/sd-1)
	t.Logf("mean off its limit by %.3f sd, sd by %.3f; the limit is off the answer by %.3f sd and %.3f", shift, ratio,
		math.Abs(want.mean-exact.mean)/math.Sqrt(exact.variance), math.Abs(sd/math.Sqrt(exact.variance)-1))
	if shift > 5/math.Sqrt(infer.ESSWeights(logw))+0.1 || ratio > 0.15 {
		t.Errorf("mean %.3f, sd %.3f; the limit is %.3f, %.3f", s.Mean, s.SD, want.mean, sd)
	}
}

// TestSampledPriorRefuses: draws of other coordinates.
func TestSampledPriorRefuses(t *testing.T) {
	sampler, err := nuts.New(nuts.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	old := func(infer.Model) infer.Target { return bell{0, 1} }
	if _, err := swap.NewSampled(swap.SampledOptions{Inner: sampler, With: sampler, Old: old}); err == nil {
		t.Error("no draws of the prior are no error")
	}
	m, err := swap.NewSampled(swap.SampledOptions{Inner: sampler, With: sampler, Prior: [][]float64{{1, 2}}, Old: old})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Run(context.Background(), bell{0, 1}, infer.Options{Seed: 1}); err == nil {
		t.Error("a prior of two coordinates for a model of one is no error")
	}
}
