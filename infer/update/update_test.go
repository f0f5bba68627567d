package update

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// normals are independent normal distributions, not normalised.
type normals struct{ mean, sd float64 }

func (n normals) Dim() int                      { return 2 }
func (n normals) Columns() []string             { return []string{"x.1", "x.2"} }
func (n normals) NewEvaluator() infer.Evaluator { return n }

func (n normals) LogDensity(q []float64) (float64, error) {
	return n.LogDensityGrad(q, make([]float64, 2))
}

func (n normals) LogDensityGrad(q, grad []float64) (float64, error) {
	sum := 0.0
	for i, x := range q {
		z := (x - n.mean) / n.sd
		sum -= z * z / 2
		grad[i] = -z / n.sd
	}
	return sum, nil
}

func (n normals) Write(q []float64, _ *rand.Rand, out []float64) error {
	copy(out, q)
	return nil
}

// TestBridge: the ends of the way are the two densities, gradients are those of differences, and draws
// come as often as they weigh. The bound on the counts is five standard errors: one of a million runs fails.
func TestBridge(t *testing.T) {
	old, now := normals{0, 1}, normals{2, 0.5}
	points := [][]float64{{0.5, -1}, {1, 1}, {0, 2}}
	b := newBridge(Method{Options{Old: old, Points: points, LogWeights: []float64{math.Log(1), math.Log(2), math.Log(5)}}}, now)
	if want := 64.0 / 30; math.Abs(b.effective-want) > 1e-12 {
		t.Errorf("%g points in effect, want %g", b.effective, want)
	}
	e := b.NewEvaluator().(*bridgeEvaluator)
	q, grad := []float64{0.3, 1.7}, make([]float64, 2)
	for _, beta := range []float64{0, 0.3, 1} {
		prior, likelihood, err := e.LogDensityPartsGrad(q, beta, grad)
		before, _ := old.LogDensity(q)
		after, _ := now.LogDensity(q)
		if err != nil || prior != before || math.Abs(prior+likelihood-after) > 1e-12 {
			t.Errorf("parts %g and %g, want %g and %g; %v", prior, likelihood, before, after-before, err)
		}
		for i := range q {
			const h = 1e-4
			at := func(d float64) float64 {
				x := []float64{q[0], q[1]}
				x[i] += d
				p, l, _ := e.LogDensityParts(x)
				return p + beta*l
			}
			if want := (at(h) - at(-h)) / (2 * h); math.Abs(grad[i]-want) > 1e-6 {
				t.Errorf("beta %g: derivative %d is %g, want %g", beta, i, grad[i], want)
			}
		}
	}
	r, counts := rng.New(1, "bridge", 0, 0), map[float64]float64{}
	const n = 8000
	for range n {
		if err := e.DrawPrior(r, q); err != nil {
			t.Fatal(err)
		}
		counts[q[0]]++
	}
	for i, w := range []float64{1. / 8, 2. / 8, 5. / 8} {
		if z := (counts[points[i][0]] - n*w) / math.Sqrt(n*w*(1-w)); math.Abs(z) > 5 || b.picked.Load() != n {
			t.Errorf("point %d was drawn %g times of %d", i+1, counts[points[i][0]], b.picked.Load())
		}
	}
}
