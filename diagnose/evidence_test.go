package diagnose_test

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

func TestEvidence(t *testing.T) {
	for noise, want := range map[float64]diagnose.Severity{
		0: diagnose.Good, 0.5: diagnose.Good, 0.6: diagnose.Warning, 2.5: diagnose.Bad, math.Inf(1): diagnose.Bad, math.NaN(): diagnose.None,
	} {
		d := draws.New(1, []string{draws.LogWeightColumn}, []string{"x"})
		for i := range 100 {
			d.Append(draws.Row{Stats: []float64{0}, Values: []float64{math.Sin(float64(i * i))}})
		}
		found := diagnose.Posterior(&infer.Posterior{Draws: d, LogEvidence: &infer.Estimate{Error: noise}}, nil)
		last := found[len(found)-1]
		if last.Name != "log_evidence" || last.Severity != want || (last.Remedy == "") != (want == diagnose.Good || want == diagnose.None) {
			t.Errorf("error %v: %+v", noise, last)
		}
		for _, f := range found {
			if f.Name == "rhat" {
				t.Error("a population was checked for R-hat")
			}
		}
	}
}

// Of a few draws there is no tail to judge, but one may outweigh the others.
func TestFewWeights(t *testing.T) {
	for top, want := range map[float64]diagnose.Severity{0.1: diagnose.None, 9: diagnose.Warning} {
		d := draws.New(1, []string{draws.LogWeightColumn}, []string{"x"})
		for i := range 20 {
			d.Append(draws.Row{Stats: []float64{top * float64(i/19)}, Values: []float64{0}})
		}
		found := diagnose.Posterior(&infer.Posterior{Draws: d}, nil)
		if len(found) != 1 || found[0].Name != "weights" || found[0].Severity != want {
			t.Errorf("%+v", found)
		}
	}
}

// Weights exp(k e) of exponential e have a Pareto tail of shape k.
func TestWeights(t *testing.T) {
	for k, want := range map[float64]diagnose.Severity{0.1: diagnose.Good, 0.85: diagnose.Warning, 1.4: diagnose.Bad} {
		d := draws.New(1, []string{draws.LogWeightColumn}, []string{"x"})
		for i := range 2000 {
			e := -math.Log((float64(i) + 0.5) / 2000)
			d.Append(draws.Row{Stats: []float64{k*e + 1}, Values: []float64{float64(i % 17)}})
		}
		found := diagnose.Posterior(&infer.Posterior{Draws: d}, nil)
		if len(found) != 1 || found[0].Name != "weights" || found[0].Severity != want || math.Abs(float64(found[0].Value)-k) > 0.1 {
			t.Errorf("shape %v: %+v", k, found)
		}
	}
}

// Of 4000 weights 22 are not 0, with a tail of shape 0.55: that is judged by the threshold of 22 draws, which is 0.26.
func TestWeightsOfFew(t *testing.T) {
	d := draws.New(1, []string{draws.LogWeightColumn}, []string{"x"})
	for i := range 4000 {
		w := math.Inf(-1)
		if i < 22 {
			w = -0.6 * math.Log((float64(i)+0.5)/22)
		}
		d.Append(draws.Row{Stats: []float64{w}, Values: []float64{float64(i)}})
	}
	if found := diagnose.Posterior(&infer.Posterior{Draws: d}, nil); found[0].Name != "weights" || found[0].Severity != diagnose.Warning || float64(found[0].Value) > 0.65 {
		t.Errorf("%+v", found[0])
	}
}
