package diagnose

// This file says how draws were taken to other data.

import (
	"fmt"

	"github.com/seed-12b88e03/ppl/infer/draws"
)

// updateNoise is the standard error of log p(new data) - log p(old data), in nats, up to which particles are
// good: of 80 updates to data up to 30 standard deviations away, with errors up to 1, none was off in mean or standard
// deviation by more than chance.
const updateNoise = 1

// updateShare is the least share of draws in effect at which weights are taken for the answer.
const updateShare = 0.5

// updated judges the way from the old data to the new ones.
func updated(r *draws.UpdateRun) Finding {
	share := float64(r.ESS) / float64(r.Draws)
	f := Finding{Name: "updated", Quantity: "share of the fit's draws in effect", Value: draws.Number(share), Threshold: updateShare}
	ratio := fmt.Sprintf("log p(new data) - log p(old data) is %.2f.", float64(r.LogRatio.Value))
	switch r.By {
	case "weights":
		f.Severity = Measure{Value: share, Values: r.Draws, Least: leastWeighted}.AtLeast(updateShare, updateShare)
		f.Meaning = fmt.Sprintf("Weights take the fit's draws to the new data (Pareto k %.2f): %.0f of %d are in effect. %s", float64(r.ParetoK), float64(r.ESS), r.Draws, ratio)
	case "particles":
		f.Quantity, f.Value, f.Threshold = "standard error of log p(new data) - log p(old data)", r.LogRatio.Error, updateNoise
		f.Severity = Measure{Value: float64(r.LogRatio.Error), Values: r.Draws, Least: leastWeighted}.AtMost(updateNoise, 2*updateNoise)
		f.Meaning = fmt.Sprintf("Weights on the fit's draws would not do (Pareto k %.2f, %.0f of %d in effect), so particles have moved from the old posterior to the new one in %d steps. %s", float64(r.ParetoK), float64(r.ESS), r.Draws, r.Steps, ratio)
	default:
		f.Severity = None
		f.Meaning = "The fit's draws do not reach the posterior given the new data, so the model was fitted anew."
	}
	return f
}
