// This file turns comparisons into a verdict.

package predictive

import (
	"fmt"

	"github.com/seed-12b88e03/ppl/diagnose"
)

// verdict judges the data at hand.
func (d *Diagnosis) verdict(done []*unit) *diagnose.Verdict {
	if len(done) == 0 || done[0] == nil {
		return &diagnose.Verdict{Kind: d.Name(), Severity: diagnose.None, Summary: "The run was cut short before the data were compared.", Incomplete: true}
	}
	checks := make([]diagnose.PredictiveCheck, len(d.options.Statistics))
	references := make([][]float64, len(checks))
	failed, incomplete, cause := 0, len(done) < d.Units(), ""
	for i, u := range done {
		if u == nil {
			incomplete = true
			continue
		}
		if u.Failed != nil {
			if failed++; failed == 1 {
				cause = *u.Failed
			}
			continue
		}
		for k, s := range d.options.Statistics {
			c := diagnose.NewPredictiveCheck(s.Of, s.Name, u.Observed[k], u.Simulated[k])
			if i == 0 {
				checks[k] = c
			} else {
				references[k] = append(references[k], float64(c.Distance))
			}
		}
	}
	if d.options.Calibration > 0 {
		for k := range checks {
			checks[k].Calibrate(references[k])
		}
	}
	for k := range checks {
		checks[k].Keep(done[0].Simulated[k], references[k])
	}
	v := diagnose.Predictive(d.from(), checks)
	v.Incomplete = incomplete
	v.Notes = d.notes()
	if failed > 0 {
		v.Notes = append(v.Notes, fmt.Sprintf("The method failed on %d of the %d data sets that it was calibrated by, which were left out; the first time: %s.", failed, d.options.Calibration, cause))
	}
	return v
}

// notes say what the p-values are.
func (d *Diagnosis) notes() []string {
	switch {
	case d.options.Method == nil:
		return nil
	case d.options.Calibration == 0:
		return []string{"The p-values are not calibrated: the data are used for the fit, too, so that they lie nearer to 1/2 than uniform ones would."}
	}
	from := "the prior"
	if d.options.Posterior {
		from = "the posterior given the data at hand"
	}
	return []string{fmt.Sprintf("Calibrated p-values compare the distance of the data with those of %d data sets from %s, each of which was fitted, too.", d.options.Calibration, from)}
}
