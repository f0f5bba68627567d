package diagnose_test

import (
	"math"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/normal"
)

// Each state of a report gets the severity that its bounds say: k by the
// table of the paper at 1000 draws (0.67 and 1).
func TestApproximation(t *testing.T) {
	for name, c := range map[string]struct {
		report   infer.FitReport
		evidence *infer.Estimate
		check    string
		severity diagnose.Severity
	}{
		"converged":      {infer.FitReport{Converged: true, Evaluations: 10, ParetoK: 0.2}, nil, "optimiser", diagnose.Good},
		"cut off":        {infer.FitReport{ParetoK: 0.2}, nil, "optimiser", diagnose.Warning},
		"close":          {infer.FitReport{ParetoK: 0.66}, nil, "pareto_k", diagnose.Good},
		"off":            {infer.FitReport{ParetoK: 0.68}, nil, "pareto_k", diagnose.Warning},
		"far":            {infer.FitReport{ParetoK: 1.01}, nil, "pareto_k", diagnose.Bad},
		"even":           {infer.FitReport{ParetoK: 1.7, WeightShare: 0.96}, nil, "pareto_k", diagnose.Good},
		"uneven":         {infer.FitReport{ParetoK: 1.7, WeightShare: 0.94}, nil, "pareto_k", diagnose.Bad},
		"too few":        {infer.FitReport{ParetoK: math.Inf(1)}, nil, "pareto_k", diagnose.None},
		"one weighs":     {infer.FitReport{ParetoK: math.Inf(1), WeightShare: 0.001}, nil, "pareto_k", diagnose.Bad},
		"some weigh":     {infer.FitReport{ParetoK: math.Inf(1), WeightShare: 0.5}, nil, "pareto_k", diagnose.None},
		"exact":          {infer.FitReport{ParetoK: math.Inf(-1)}, nil, "pareto_k", diagnose.Good},
		"bound":          {infer.FitReport{ELBO: &infer.Estimate{Value: -3, Error: 0.01}}, &infer.Estimate{Value: -2.98, Error: 0.01}, "elbo", diagnose.Good},
		"bound, noisy":   {infer.FitReport{ELBO: &infer.Estimate{Value: -3, Error: 0.1}}, &infer.Estimate{Value: -2.98, Error: 0.1}, "elbo", diagnose.None},
		"bound alone":    {infer.FitReport{ELBO: &infer.Estimate{Value: -2e153}}, nil, "elbo", diagnose.None},
		"above evidence": {infer.FitReport{ELBO: &infer.Estimate{Value: -3, Error: 0.1}}, &infer.Estimate{Value: -4, Error: 0.1}, "elbo", diagnose.Bad},
		"independent":    {infer.FitReport{Understated: &infer.Understatement{Ratio: 1.9}}, nil, "understated_sd", diagnose.Good},
		"correlated":     {infer.FitReport{Understated: &infer.Understatement{Ratio: 2.1, Name: "b"}}, nil, "understated_sd", diagnose.Warning},
		"a ridge":        {infer.FitReport{Understated: &infer.Understatement{Ratio: 50}}, nil, "understated_sd", diagnose.Bad},
		"no density":     {infer.FitReport{ELBO: &infer.Estimate{Value: math.Inf(-1)}}, nil, "elbo", diagnose.Warning},
	} {
		d := draws.New(1, nil, []string{"x"})
		for i := range 1000 {
			d.Append(draws.Row{Values: []float64{float64(i)}})
		}
		p := &infer.Posterior{Draws: d, Density: normal.NewDiagonal([]float64{0}, []float64{1}), Fit: &c.report, LogEvidence: c.evidence}
		found := false
		for _, f := range diagnose.Posterior(p, nil) {
			if f.Name == "rhat" || f.Name == "bulk_ess" {
				t.Errorf("%s: independent draws were checked for %s", name, f.Name)
			}
			if f.Name != c.check {
				continue
			}
			found = true
			if f.Severity != c.severity || f.Meaning == "" || (f.Remedy == "") != (f.Severity == diagnose.Good || f.Name == "elbo" && f.Severity == diagnose.None) {
				t.Errorf("%s: %+v", name, f)
			}
		}
		if !found {
			t.Errorf("%s: no finding %s", name, c.check)
		}
	}
}

// TestObjectiveIsShown states what was minimised, and judges nothing by it.
func TestObjectiveIsShown(t *testing.T) {
	for name, c := range map[string]struct {
		value float64
		want  diagnose.Severity
	}{"finite": {13.6097, diagnose.None}, "infinite": {math.Inf(1), diagnose.Warning}, "none": {math.NaN(), diagnose.Warning}} {
		d := draws.New(1, nil, []string{"x"})
		for i := range 10 {
			d.Append(draws.Row{Iteration: i, Values: []float64{float64(i)}})
		}
		p := &infer.Posterior{Draws: d, Fit: &infer.FitReport{Converged: true, Objective: &infer.Estimate{Value: c.value}}}
		found := false
		for _, f := range diagnose.Posterior(p, nil) {
			if f.Name != "objective" {
				continue
			}
			found = true
			if f.Severity != c.want || c.want == diagnose.None && (float64(f.Value) != c.value || !strings.Contains(f.Meaning, "13.6097")) {
				t.Errorf("%s: %+v", name, f)
			}
		}
		if !found {
			t.Errorf("%s: there is no finding", name)
		}
	}
}
