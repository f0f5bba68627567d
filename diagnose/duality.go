// This file holds the findings that come with coordinate ascent.

package diagnose

import (
	"fmt"
	"math"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// muchInformation is the mutual information, in nats, from which on a factor is noticeably
// narrower than the marginal: that of two normals with correlation 0.8.
const muchInformation = 0.5

// duality states how far factors can be from the posterior's marginals, and how much
// the blocks know of each other, which is what a product of factors leaves out.
//
// The lower bound of the paper's Corollary 6.1(b) on a factor's divergence is left out:
// it is 0 whatever the factors are.
func duality(d *infer.Duality) []Finding {
	if d == nil || len(d.Factors) == 0 {
		return nil
	}
	worst, informed := d.Factors[0], infer.FactorReport{Information: infer.Estimate{Value: math.NaN()}}
	for _, f := range d.Factors {
		if f.Bound.Value > worst.Bound.Value {
			worst = f
		}
		if x := f.Information.Value; !math.IsNaN(x) && !(x <= informed.Information.Value) {
			informed = f
		}
	}
	how := "by quadrature"
	if !d.Exact {
		how = fmt.Sprintf("from importance weights, standard error %.2g", d.LogEvidence.Error)
	}
	out := []Finding{{
		Name: "factors", Severity: Good, Quantity: "bound -log R of a factor's KL divergence from the posterior's marginal, in nats",
		Value: draws.Number(worst.Bound.Value),
		Meaning: fmt.Sprintf("Each factor's KL divergence from the posterior's marginal is at most %.3g nats (squashing constant R = %.6g); the log evidence is %.6g, %s.",
			worst.Bound.Value, worst.Squashing.Value, d.LogEvidence.Value, how),
	}}
	if math.IsNaN(worst.Bound.Value) || math.IsInf(worst.Bound.Value, 0) {
		out[0].Severity = None
		out[0].Meaning = "The evidence could not be estimated, so nothing bounds the factors' divergences."
	}
	if math.IsNaN(informed.Information.Value) {
		return out
	}
	f := Finding{
		Name: "mutual_information", Severity: Good, Quantity: "mutual information of " + informed.Name + " with the other blocks, in nats",
		Value: draws.Number(informed.Information.Value), Threshold: muchInformation,
		Meaning: "The blocks know little of each other under the posterior: a product of factors leaves little out.",
	}
	if informed.Information.Value > muchInformation {
		f.Severity = Warning
		f.Meaning = fmt.Sprintf("Under the posterior, %s depends on the other blocks; its factor is too narrow.", informed.Name)
		f.Remedy = "Put what is jointly normal into one factor (blocks = \"joint\"), or sample with gibbs or nuts."
	}
	return append(out, f)
}
