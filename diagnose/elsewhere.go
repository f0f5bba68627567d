// This file is what a population that was annealed to the posterior says of a fit.

package diagnose

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// The bounds of the comparison with a population, in units of a wrong answer: a mean off by
// 0.35 standard deviations, or a standard deviation by a factor of 1.43. They are ours.
const (
	populationGood = 0.8
	populationBad  = 2
	mostNoise      = 0.6  // standard error up to which an answer counts as confirmed
	missedMass     = 0.05 // share of the population beyond that of the fit from which on a region is named
)

// EvidenceDistance is what two estimates of log p(y) may differ by beyond four standard errors, in nats.
const EvidenceDistance = 0.5

// LeastAncestors is how many independent starting points the errors of a population can be
// estimated from, and surelyAncestors from how many they are good enough to refute an answer.
const (
	LeastAncestors  = 10
	surelyAncestors = 20
)

// populationCheck is the name of the finding.
const populationCheck = "population"

// mostUnsure is how far, in units of a wrong answer, the largest difference may be from 0
// with two standard errors for a population to confirm an answer that other checks doubt.
const mostUnsure = 1

// MostUnsureWeights is the same where importance weights doubt an approximation: they doubt all of
// it, and 0.62 of a wrong answer is 0.22 standard deviations or a factor of 1.25.
const MostUnsureWeights = 0.62

// confirmed reports whether a population has the fit's means and standard deviations, surely
// enough to overrule a check that knows them by their tails only.
func confirmed(p *infer.Posterior) bool { return within(p, mostUnsure) }

// closely reports whether it has them surely enough to overrule importance weights.
func closely(p *infer.Posterior) bool { return within(p, MostUnsureWeights) }

// Doubted reports whether importance weights doubt an approximation, or do not confirm a swapped posterior.
func Doubted(p *infer.Posterior) bool {
	if p.Swap != nil {
		s := swapped(p.Swap).Severity
		return s == Warning || s == Bad
	}
	if p.Fit == nil || p.Fit.Elsewhere || p.Draws.Total() == 0 || p.Density == nil && p.Fit.ELBO == nil {
		return false
	}
	if k := paretoK(p).Severity; k == Warning || k == Bad {
		return true
	}
	f, ok := weightedMoments(p)
	return ok && f.Severity == Warning
}

// within reports whether the largest difference from a population is surely within a bound.
func within(p *infer.Posterior, bound float64) bool {
	r := p.Population
	if r == nil || r.Failed != "" || r.Beta < 1 || r.Compared == 0 || r.Unsure != nil || len(r.Exchanged) > 0 || r.Ancestors < LeastAncestors || p.Draws.Kind() == draws.Mode {
		return false
	}
	value, err := r.Largest.Difference()
	return value+float64(2*err) <= bound
}

// overrules reports whether means and standard deviations are confirmed in spite of a check
// that does not look at them: at the tails of importance ratios, or at how a method works. Of
// a swap, importance weights from the posterior under the old priors confirm them, too; and where they
// cannot, a population that was annealed under the new priors is the comparison that is asked for.
func overrules(p *infer.Posterior, check string) bool {
	switch check {
	case "pareto_k":
		return p.Fit != nil && p.Fit.Excluded == 0 && closely(p)
	case "finite_step":
		return confirmed(p)
	case "prior_swap":
		return p.Swap != nil && swapped(p.Swap).Severity == Warning && closely(p)
	case "weights":
		return p.Swap != nil && (confirmed(p) || swapped(p.Swap).Severity == Good)
	}
	return false
}

// eases reports whether means and standard deviations are confirmed although the chains disagree, meet what they cannot follow, or
// are few draws in effect, or importance ratios have too long a tail, or what stands for a swapped posterior
// is no distribution: that is no longer bad, and not good either.
func eases(p *infer.Posterior, check string) bool {
	switch check {
	case "pareto_k":
		return p.Fit != nil && p.Fit.Excluded == 0 && confirmed(p)
	case "prior_swap":
		return p.Swap != nil && closely(p)
	}
	return slices.Contains([]string{"rhat", "ess_bulk", "ess_tail", "divergences", "e_bfmi"}, check) && confirmed(p)
}

// eased makes a bad finding a warning.
func eased(f Finding) Finding {
	f.Severity = Warning
	f.Meaning += " But taken together the draws have the means and standard deviations of draws that were made in another way."
	return f
}

// overruled takes a doubt back.
func overruled(f Finding) Finding {
	f.Severity, f.Remedy = None, ""
	f.Meaning += " But draws that were made in another way have the same means and standard deviations; what lies further out in the tails is not confirmed."
	return f
}

// elsewhere judges a fit by a population.
func elsewhere(p *infer.Posterior) Finding {
	r := p.Population
	f := Finding{Name: populationCheck, Severity: None, Value: draws.Number(math.NaN()), Threshold: populationGood,
		Quantity: "largest difference from the population, in units of a wrong answer"}
	switch {
	case r.Improper:
		f.Severity = Warning
		f.Meaning = fmt.Sprintf("No end to the posterior was found, which may be improper: %s.", r.Failed)
		f.Remedy = "Give every parameter a proper prior, and look whether its draws keep within bounds."
		return f
	case r.Failed != "":
		f.Meaning = fmt.Sprintf("It was not checked whether there is posterior mass elsewhere: %s.", r.Failed)
		f.Remedy = "Run more chains from wider starts (init), and compare."
		return f
	case r.Beta < 1:
		f.Meaning = fmt.Sprintf("It is not settled whether there is posterior mass elsewhere: after %d evaluations of the density a population from the %s had gone %.0f %% of the way in inverse temperature.", r.Evaluations, r.From, 100*float64(r.Beta))
		f.Remedy = longer(p)
		return f
	case r.Compared == 0:
		f.Meaning = "No parameter varies and is finite, so that nothing could be compared with a population."
		return f
	case p.Draws.Kind() == draws.Mode:
		return highest(f, r)
	case len(r.Exchanged) > 0:
		return exchanged(f, r)
	}
	f = compared(f, p)
	if r.Widened != nil && (f.Severity == Good || f.Severity == None) {
		return reachesFurther(f, r.Widened, p.Fit != nil)
	}
	return f
}

// moreParticles is what to do beside smc, which made its draws as the population was made.
const moreParticles = "Run smc with ten times as many particles, and nuts() with chains from wide starts (init), and compare the three."

// longer is what settles more.
func longer(p *infer.Posterior) string {
	switch {
	case p.Population.Full && p.Plan.Method == "smc":
		return moreParticles
	case p.Population.Full:
		return "Compare with smc(nuts()) and more particles than it has by default, or with chains from wider starts (init)."
	}
	return `Use check = "full", which takes longer.`
}

// reachesFurther reports what wider draws have and the fit has not.
func reachesFurther(f Finding, c *draws.Compared, approximate bool) Finding {
	value, _ := c.Difference()
	f.Severity, f.Value, f.Quantity = Warning, draws.Number(value), "largest difference from these, in units of a wrong answer"
	f.Meaning = fmt.Sprintf("Draws that reach further than the fit's, weighted by the density of the posterior, have another answer: %s.", differs(*c))
	if f.Remedy = "Make more draws: few have been where most of this variance comes from."; approximate {
		f.Remedy = "Use a richer approximation, or sample with nuts."
	}
	return f
}

// compared judges the quantity that differs most. An approximation has no noise of chains that
// would excuse a difference which is sure.
func compared(f Finding, p *infer.Posterior) Finding {
	r, approximate := p.Population, p.Fit != nil
	value, err := r.Largest.Difference()
	m := Measure{Value: value, Error: err, Values: int(r.Ancestors), Least: LeastAncestors}
	if r.Ancestors < LeastAncestors {
		m.Void = "it comes from too few independent starts"
	}
	if value <= populationGood && err > mostNoise {
		m.Void = "its points are too few"
	}
	if value > populationGood && r.Ancestors < surelyAncestors {
		m.Void = "what differs comes from too few independent starts"
	}
	if higherEvidence(p) > 0 && value > populationGood {
		m.Void = "what differs is no matter, as the log evidence is surely greater here than by the population, which has missed the greater part of the posterior"
	}
	if t := r.Tail; t != nil && value <= populationGood {
		m.Void = fmt.Sprintf("points of %.1f starts have %.0f %% of the variance of %s, and from so few the probability of this tail is not known", float64(t.Starts), 100*float64(t.Share), t.Name)
	}
	if u := r.Unsure; u != nil && value <= populationGood {
		m.Void = fmt.Sprintf("%s, while its shares on either side of any value agree, so that these moments depend on a few draws far out, or do not exist", differs(*u))
	}
	f.Value, f.Severity = draws.Number(value), m.AtMost(populationGood, populationBad)
	start := fmt.Sprintf("A population annealed from the %s (%d points of %.0f independent starts)", r.From, r.Points, float64(r.Ancestors))
	if r.From == draws.SummedStart {
		start = fmt.Sprintf("The posterior itself, of which the %s gives independent draws (%d),", r.From, r.Points)
	}
	switch {
	case f.Severity == Good && r.Far != nil:
		return farAway(f, r.Far)
	case f.Severity == Good && approximate && r.Ancestors >= surelyAncestors && value-float64(2*err) > MostUnsureWeights:
		f.Severity = Warning
		f.Meaning = fmt.Sprintf("%s has an answer nearby: %s.", start, differs(r.Largest))
		f.Remedy = "Use a richer approximation, or sample with nuts."
	case f.Severity == Good:
		f.Meaning = start + " found no other answer."
	case f.Severity == None:
		f.Meaning = fmt.Sprintf("%s does not settle whether there is posterior mass elsewhere: %s.", start, m.Missing())
		if f.Remedy = longer(p); r.Unsure != nil {
			f.Remedy = fmt.Sprintf("Report quantiles of %s, and not its mean and standard deviation.", r.Unsure.Name)
		}
	case !Conclusive(value, err, float64(r.Ancestors)):
		f.Severity = Warning
		f.Meaning = fmt.Sprintf("%s does not confirm the answer, nor does it refute it: %s.", start, found(r))
		f.Remedy = longer(p)
	default:
		f.Meaning = fmt.Sprintf("%s has another answer: %s.", start, found(r))
		f.Remedy = "Run smc(nuts()), which includes it, and compare."
		switch {
		case p.Plan.Method == "smc":
			f.Remedy = moreParticles
		case r.From == draws.SummedStart:
			f.Remedy = "Run nuts(), which draws the discrete parameters from the posterior itself."
		case r.From != draws.PriorStart:
			f.Remedy = "Run more chains from wider starts (init), or give the parameters proper priors and run smc(nuts())."
		}
	}
	return f
}

// farAway reports a mode of little mass that moments depend on.
func farAway(f Finding, r *draws.FarRun) Finding {
	value, _ := r.Compared.Difference()
	f.Severity, f.Value = Warning, draws.Number(value)
	f.Meaning = fmt.Sprintf("Far out, with a mode around %s = %s, there is about %s of the mass, too little for draws or a population to have points there. Quantiles do not change by it, but moments do: with it %s.",
		r.Compared.Name, short(r.At), short(r.Share), differs(r.Compared))
	f.Remedy = "Report quantiles and not moments, or run smc(nuts()) with many more particles; and ask whether the model means that mode."
	return f
}

// mostRise is how much higher, in nats, another mode may be: a normal density has fallen by as
// much at 0.2 standard deviations.
const mostRise = 0.02

// highest judges a mode by what it aims at: whether another one is higher.
func highest(f Finding, r *draws.PopulationRun) Finding {
	rise := 0.0
	if r.Higher != nil {
		rise = float64(r.Higher.Rise)
	}
	f.Value, f.Threshold, f.Quantity = draws.Number(rise), mostRise, "rise of the log density elsewhere, in nats"
	f.Severity = Measure{Value: rise, Values: r.Points}.AtMost(mostRise, math.Inf(1))
	f.Meaning = fmt.Sprintf("Climbs from the highest of %d points of the posterior found no higher mode.", r.Points)
	if h := r.Higher; h != nil {
		f.Meaning = fmt.Sprintf("The density is higher elsewhere: with %s at %s, and not %s, its log is greater by %s.", h.Name, placed(h.There, h.There-h.Here), placed(h.Here, h.There-h.Here), short(h.Rise))
		f.Remedy = "Start there (init), or try other seeds, and compare lp__; if it rises without bound the density has no highest mode, and sampling (nuts) is what serves."
	}
	if value, err := r.Largest.Difference(); Conclusive(value, err, float64(r.Ancestors)) {
		f.Meaning += fmt.Sprintf(" The mode is no summary of the posterior: of %s it is %s, where the posterior has mean %s and standard deviation %s.",
			r.Largest.Name, placed(r.Largest.Fit.Mean, r.Largest.Population.SD), placed(r.Largest.Population.Mean, r.Largest.Population.SD), short(r.Largest.Population.SD))
	}
	return f
}

// Conclusive reports whether a difference, in units of a wrong answer, is surely one.
func Conclusive(value, err, ancestors float64) bool {
	return value > 1 && value-float64(4*err) > 0.4 && ancestors >= surelyAncestors
}

// exchanged reports that the order of elements is all that differs.
func exchanged(f Finding, r *draws.PopulationRun) Finding {
	value, _ := r.Largest.Difference()
	f.Severity, f.Value = Warning, draws.Number(value)
	f.Meaning = fmt.Sprintf("The posterior stays the same if the elements of %s are exchanged, and the draws do not go through their orders as the posterior does (label switching). Apart from the order, a population annealed from the %s has the same answer: what does not depend on the order may be used; rows of single elements, and their R-hat, may not.",
		strings.Join(r.Exchanged, ", "), r.From)
	f.Remedy = "Fix the order in the model, for example by ordered[K] in the declaration, if single elements are to be told apart."
	return f
}

// found reports what the population has and the fit has not.
func found(r *draws.PopulationRun) string {
	if mass := float64(r.Region.Share - r.Region.FitShare); mass > missedMass && mass > 3*float64(r.Region.Error) {
		return missed(r.Region) + "; " + differs(r.Largest)
	}
	return differs(r.Largest)
}

// missed reports where there is mass that the fit has not.
func missed(r draws.Region) string {
	if r.Apart && r.FitShare < r.Share/10 {
		return fmt.Sprintf("a second mode around %s = %s holds %.0f %% of the mass (standard error %.0f %%), and this answer is about the other one",
			r.Name, placed(r.Middle, r.At-r.Middle), 100*float64(r.Share), 100*float64(r.Error))
	}
	side := "below"
	if r.Above {
		side = "above"
	}
	return fmt.Sprintf("%s is %s %s with probability %.0f %% there (standard error %.0f %%), and %.0f %% here", r.Name, side, placed(r.At, r.At-r.Middle), 100*float64(r.Share), 100*float64(r.Error), 100*float64(r.FitShare))
}

// differs reports how a quantity differs.
func differs(c draws.Compared) string {
	return fmt.Sprintf("%s has mean %s and standard deviation %s there, %s and %s here", c.Name,
		placed(c.Population.Mean, c.Population.SD), short(c.Population.SD), placed(c.Fit.Mean, c.Population.SD), short(c.Fit.SD))
}

// placed writes a number with about two digits of a distance from it that matters, and three at least, such as a standard deviation: 1000.2, not 1e+03.
func placed(x, distance draws.Number) string {
	digits := 3
	if r := math.Abs(float64(x / distance)); r > 1 && !math.IsInf(r, 1) {
		digits = min(max(3, 2+int(libm.Log10(r))), 12)
	}
	return strconv.FormatFloat(float64(x), 'g', digits, 64)
}

// short writes a number with three digits.
func short(x draws.Number) string { return strconv.FormatFloat(float64(x), 'g', 3, 64) }

// higherEvidence is by how much a fit's evidence surely exceeds the population's: 0 where it does not, and negative
// where it surely is less.
func higherEvidence(p *infer.Posterior) float64 {
	e, r := p.LogEvidence, p.Population
	if e == nil || r.LogEvidence == nil || r.Beta < 1 || r.Ancestors < surelyAncestors {
		return 0
	}
	higher := e.Value - float64(r.LogEvidence.Value)
	if err := libm.Hypot(e.Error, float64(r.LogEvidence.Error)); math.IsNaN(err) || math.Abs(higher) <= EvidenceDistance+float64(4*err) {
		return 0
	}
	return higher
}

// otherEvidence compares a fit's evidence with the population's; ok is false where there is
// nothing to compare or nothing wrong.
func otherEvidence(p *infer.Posterior) (f Finding, ok bool) {
	e, r := p.LogEvidence, p.Population
	if e == nil || r.LogEvidence == nil {
		return f, false
	}
	higher, err := higherEvidence(p), libm.Hypot(e.Error, float64(r.LogEvidence.Error))
	if higher == 0 {
		return f, false
	}
	distance := math.Abs(higher)
	return Finding{
		Name: "other_evidence", Severity: Warning, Quantity: "distance of two estimates of log p(y), in nats", Value: draws.Number(distance), Threshold: draws.Number(EvidenceDistance + float64(4*err)),
		Meaning: fmt.Sprintf("The log evidence is %.6g here, and %.6g by a population annealed from the prior: one of the two has missed a part of the posterior.", e.Value, float64(r.LogEvidence.Value)),
		Remedy:  "Compare with smc(nuts()), with more particles until it stays where it is.",
	}, true
}
