package infertest

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

func targets() []EvidenceCase { return append(Targets(), EvidenceCases()...) }

// Gradients of prior + beta*likelihood against central differences.
func TestTemperedGradients(t *testing.T) {
	r := rng.New(3, "tempered gradient", 0, 0)
	for _, c := range targets() {
		ev := c.Model.NewEvaluator().(infer.Tempered)
		q, grad := make([]float64, ev.Dim()), make([]float64, ev.Dim())
		for _, beta := range []float64{0, 0.4, 1} {
			c.Draw(r, q)
			if _, _, err := ev.LogDensityPartsGrad(q, beta, grad); err != nil {
				t.Fatal(err)
			}
			at := func(i int, h float64) float64 {
				old := q[i]
				q[i] += h
				prior, lik, _ := ev.LogDensityParts(q)
				q[i] = old
				return prior + beta*lik
			}
			for i := range q {
				const h = 1e-5
				if d := (at(i, h) - at(i, -h)) / (2 * h); math.Abs(d-grad[i]) > 1e-5*(1+math.Abs(d)) {
					t.Errorf("%s at beta %g: gradient %d is %g, differences give %g", c.Name, beta, i, grad[i], d)
				}
			}
		}
	}
}

// Exact draws against the stated moments of the columns, and the evidence
// against importance sampling from the prior; 5 errors each, about 50
// comparisons: a false alarm in about 30,000 seeds.
func TestTargetsAreExact(t *testing.T) {
	const n = 100000
	r := rng.New(4, "targets", 0, 0)
	for _, c := range targets() {
		ev := c.Model.NewEvaluator()
		q, x := make([]float64, ev.Dim()), make([]float64, len(c.Mean))
		sum, square, fourth := make([]float64, len(x)), make([]float64, len(x)), make([]float64, len(x))
		logw := make([]float64, n)
		for k := range n {
			c.Draw(r, q)
			if err := ev.Write(q, r, x); err != nil {
				t.Fatal(err)
			}
			for i := range x {
				d := (x[i] - c.Mean[i]) / c.SD[i]
				sum[i] += d / n
				square[i] += d * d / n
				fourth[i] += d * d * d * d / n
			}
			if err := ev.(infer.PriorSampler).DrawPrior(r, q); err != nil {
				t.Fatal(err)
			}
			_, logw[k], _ = ev.(infer.Tempered).LogDensityParts(q)
		}
		for i := range x {
			if math.Abs(sum[i]) > 5/math.Sqrt(n) || math.Abs(square[i]-1) > 5*math.Sqrt((fourth[i]-1)/n) {
				t.Errorf("%s: column %d has mean off by %.4f sd and variance %.4f of the stated", c.Name, i, sum[i], square[i])
			}
		}
		if ev.Dim() > 3 {
			continue // the prior is too far from the posterior
		}
		if e := infer.LogMean(logw); math.Abs(e.Value-c.LogEvidence) > 5*e.Error {
			t.Errorf("%s: log evidence %.4f, importance sampling gives %.4f with error %.4f", c.Name, c.LogEvidence, e.Value, e.Error)
		}
	}
}
