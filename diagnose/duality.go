// This file holds the findings that come with methods of full conditionals.

package diagnose

import (
	"fmt"
	"math"
	"strings"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// muchInformation is the mutual information, in nats, from which on a factor is noticeably
// narrower than the marginal: that of two normals with correlation 0.8.
const muchInformation = 0.5

// weightsHold is the Pareto shape up to which importance weights are evidence (Vehtari,
// Simpson, Gelman, Yao and Gabry 2024).
const weightsHold = 0.7

// duality states how far factors can be from the posterior's marginals, where there are
// factors, and how much the blocks know of each other: what a product of factors leaves
// out, and what makes a Gibbs sampler slow.
//
// The lower bound of the paper's Corollary 6.1(b) on a factor's divergence is left out:
// it is 0 whatever the factors are.
//
// Without quadrature all of it rests on importance weights, which cannot see what the
// approximation lacks: where their Pareto shape is high they are no evidence.
func duality(p *infer.Posterior) []Finding {
	d := p.Duality
	if d == nil || len(d.Factors) == 0 {
		return nil
	}
	if d.Improper != "" {
		return []Finding{{
			Name: "improper", Severity: Bad, Quantity: "log evidence", Value: draws.Number(math.Inf(1)), Threshold: draws.Number(math.NaN()),
			Meaning: fmt.Sprintf("The posterior's marginal of %s has no finite integral, as far as quadrature can tell: the posterior is improper, and the answer means nothing.", d.Improper),
			Remedy:  "Give the parameters proper priors.",
		}}
	}
	if d.Unresolved != "" {
		return []Finding{{
			Name: "improper", Severity: Warning, Quantity: "log evidence", Value: draws.Number(math.NaN()), Threshold: draws.Number(math.NaN()),
			Meaning: fmt.Sprintf("The posterior's marginal of %s is so much wider than its full conditional that rounding errors decide whether its integral is finite: the posterior may be improper, and nothing is known of the log evidence.", d.Unresolved),
			Remedy:  "Give the parameters proper priors, or narrower ones.",
		}}
	}
	if f := p.Fit; f != nil && !d.Exact && !(f.ParetoK <= weightsHold) {
		return []Finding{{
			Name: "factors", Severity: None, Quantity: "Pareto shape k of the importance weights", Value: draws.Number(f.ParetoK), Threshold: weightsHold,
			Meaning: "How far the factors are from the posterior's marginals, and the log evidence, are not known: the importance weights that would tell cannot be used.",
			Remedy:  remedyOfFactors(d),
		}}
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
	var out []Finding
	if !math.IsNaN(d.LogEvidence.Value) {
		out = append(out, farthest(d, worst))
	}
	if !math.IsNaN(informed.Information.Value) {
		out = append(out, mostInformed(d, informed))
	}
	return out
}

// farthest is about the factor whose divergence can be the greatest. None is below 0: what is there is the error of an integral or of weights.
func farthest(d *infer.Duality, worst infer.FactorReport) Finding {
	how := "by quadrature"
	if !d.Exact {
		how = fmt.Sprintf("from importance weights, standard error %.2g", d.LogEvidence.Error)
	}
	return Finding{
		Name: "factors", Severity: None, Quantity: "bound -log R of a factor's KL divergence from the posterior's marginal, in nats",
		Value: draws.Number(worst.Bound.Value), Threshold: draws.Number(math.NaN()),
		Meaning: fmt.Sprintf("Each factor's KL divergence from the posterior's marginal is at most %.3g nats (squashing constant R = %.6g); the log evidence is %s, %s.",
			max(0, settled(worst.Bound.Value)), min(1, worst.Squashing.Value), inNats(d.LogEvidence.Value), how),
	}
}

// remedyOfFactors is what helps where independent factors do not do.
func remedyOfFactors(d *infer.Duality) string {
	if d.Joinable {
		return "Put what is jointly normal into one factor (blocks = \"joint\"), or sample with gibbs or nuts."
	}
	return "Sample with gibbs or nuts."
}

// resolvedNats is what sums of log densities resolve at best: they cancel to their rounding
// errors, which are not shown.
const resolvedNats = 1e-9

// settled is 0 for what rounding errors alone may be.
func settled(nats float64) float64 {
	if math.Abs(nats) < resolvedNats {
		return 0
	}
	return nats
}

// inNats is a log density or a difference of two.
func inNats(x float64) string { return fmt.Sprintf("%.6g", settled(x)) }

// mostInformed is about the block that knows most of the others.
func mostInformed(d *infer.Duality, informed infer.FactorReport) Finding {
	blocks, factors := len(d.Factors), !math.IsNaN(d.LogEvidence.Value)
	f := Finding{
		Name: "mutual_information", Severity: None, Quantity: "mutual information of " + informed.Name + " with the other blocks, in nats",
		Value: draws.Number(informed.Information.Value), Threshold: muchInformation,
	}
	how := "by quadrature"
	if e := informed.Information.Error; e > 0 {
		how = fmt.Sprintf("standard error %.2g", e)
	}
	f.Meaning = fmt.Sprintf("The blocks know little of each other under the posterior (%s).", how)
	measured := Measure{Value: informed.Information.Value, Error: informed.Information.Error, Values: blocks}
	switch {
	case blocks < 2:
		f.Meaning = "There is one block, and so no others that it could depend on."
	case informed.Information.Value <= muchInformation:
		f.Severity = measured.AtMost(muchInformation, 2*muchInformation)
	case factors:
		f.Severity = Warning
		f.Meaning = fmt.Sprintf("Under the posterior, %s depends on the other blocks (%s); its factor is too narrow.", informed.Name, how)
		f.Remedy = remedyOfFactors(d)
	default:
		f.Meaning = fmt.Sprintf("Under the posterior, %s depends on the other blocks (%s), so that the sampler moves in small steps; R-hat and the effective sample sizes show whether it matters.", informed.Name, how)
	}
	return f
}

// withinMode says of findings on factors and blocks that they are about one mode, where a
// population has found that there are others: what they rest on has not been there.
func withinMode(p *infer.Posterior, findings []Finding) []Finding {
	if p.Population == nil || len(p.Population.Exchanged) == 0 && elsewhere(p).Severity != Bad {
		return findings
	}
	for i := range findings {
		f := &findings[i]
		if f.Severity != Bad && f.Severity != Warning {
			f.Severity = None
		}
		f.Meaning = "Within this mode alone, which is not all of the posterior: " + strings.ToLower(f.Meaning[:1]) + f.Meaning[1:]
	}
	return findings
}
