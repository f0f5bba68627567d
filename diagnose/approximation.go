// This file holds the checks of methods that optimise: whether the fit
// converged, and how far its approximation is from the posterior.

package diagnose

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/psis"
)

// kBad is the Pareto shape beyond which importance ratios have no mean.
const kBad = 1

// smallGap is the divergence of the posterior from the approximation, in nats, up to which
// no mean is off by more than a third of a standard deviation.
const smallGap = 0.05

// approximation checks a fit by its report. The draws are independent, so that
// R-hat and effective sample size do not apply.
func approximation(p *infer.Posterior, rows []draws.Summary) []Finding {
	out := []Finding{optimiser(p)}
	if (p.Density != nil || p.Fit.ELBO != nil) && p.Draws.Total() > 0 { // read from files, the density is gone
		out = append(out, paretoK(p))
	}
	if f, ok := weightedMoments(p); ok {
		if out[0].Severity == Good && f.Severity != Good {
			out[0].Meaning = strings.TrimSuffix(out[0].Meaning, ".") + ", which is about its search alone."
		}
		out = append(out, f)
	}
	if b := p.Fit.ELBO; b != nil {
		out = append(out, bound(p, *b))
	}
	if o := p.Fit.Objective; o != nil {
		out = append(out, objective(p, *o))
	}
	if len(p.Fit.Starts) > 1 {
		out = append(out, starts(p))
	}
	if u := p.Fit.Understated; u != nil {
		out = append(out, understated(u, p.Draws.Total()))
	}
	if rows == nil {
		rows = p.Draws.Summaries()
	}
	if _, broken := judgeable(rows); len(broken) > 0 {
		out = append(out, notFinite(broken))
	}
	return out
}

func optimiser(p *infer.Posterior) Finding {
	f := Finding{
		Name: "optimiser", Severity: Warning, Quantity: "steps of the optimiser", Value: draws.Number(p.Fit.Iterations),
		Meaning: fmt.Sprintf("The optimiser converged: %s.", p.Fit.Stop),
	}
	if p.Fit.Mode != nil {
		return mode(f, p)
	}
	if p.Fit.Converged { // by a rule other than the limit on its steps
		f.Severity = Measure{Value: float64(p.Fit.Iterations), Values: 1 + max(p.Fit.Iterations, p.Fit.Evaluations)}.AtMost(math.MaxInt, math.MaxInt)
		return f
	}
	f.Meaning = fmt.Sprintf("The optimiser did not converge: %s.", p.Fit.Stop)
	f.Remedy = "Allow more iterations, or try other starting points (another seed, or init); without convergence in spite of that, the density may have no finite mode or the model may not be identified."
	return f
}

// The bounds on the rise that Newton's method still expects at a mode, in nats; they are
// ours. A point that is a tenth of a standard deviation away has 0.005.
const (
	decrementGood = 0.005
	decrementBad  = 0.5
)

// mode judges the end of a search for one: by a measure that is free of scales, and not by
// the rule that ended it.
func mode(f Finding, p *infer.Posterior) Finding {
	m := p.Fit.Mode
	f.Quantity, f.Value, f.Threshold = "rise of the log density that Newton's method expects, in nats", m.Decrement, decrementGood
	f.Severity = Measure{Value: float64(m.Decrement), Values: 1 + p.Fit.Evaluations}.AtMost(decrementGood, decrementBad)
	switch o := m.Open; {
	case o != nil && o.Unbounded:
		f.Severity = Bad
		f.Meaning = fmt.Sprintf("The log density grows without bound as %s: there is no mode. The search ended because %s.", runs(o, p), p.Fit.Stop)
		f.Remedy = "Give this parameter a prior that keeps it from there, or sample (nuts): a density without a mode may have means."
	case o != nil && o.Rises:
		f.Severity = Worse(f.Severity, Warning)
		f.Meaning = fmt.Sprintf("The point is no mode: the log density still rises, mostly as %s. The search ended because %s.", runs(o, p), p.Fit.Stop)
		f.Remedy = "Try other starting points (another seed, or init), or scale the parameters alike; if the parameter goes on to an end of its range, the density may have no mode there (scales of hierarchies do that), and sampling (nuts) is what serves."
	case o != nil:
		f.Severity = Warning
		f.Meaning = fmt.Sprintf("The density does not fall as %s: the point is at the edge of the support or on a ridge, and no mode inside.", runs(o, p))
		f.Remedy = "Look at the posterior by sampling (nuts); a mode at an edge says little about what lies inside."
	case f.Severity == Good:
	default:
		f.Severity = Worse(f.Severity, Warning)
		f.Meaning = fmt.Sprintf("The point is no mode: there the log density still rises. The search ended because %s.", p.Fit.Stop)
		f.Remedy = "Allow more iterations, or try other starting points (another seed, or init); without convergence in spite of that, the density may have no finite mode or the model may not be identified."
	}
	return f
}

// runs names a coordinate and where it has got to.
func runs(o *draws.OpenRun, p *infer.Posterior) string {
	name := o.Name
	if name == "" {
		name = fmt.Sprintf("unconstrained coordinate %d", o.Coordinate+1)
	}
	if x := p.Draws.Column(name); len(x) > 0 && len(x[0]) > 0 {
		return fmt.Sprintf("%s, here %.3g, goes on", name, x[0][0])
	}
	return name + " goes on"
}

// Where no tail can be fitted to the ratios, because nearly all are equal, a share of effective draws below fewWeighted of at least
// manyDraws tells enough.
const (
	manyDraws   = 100
	fewWeighted = 0.1
)

// paretoK judges the ratios p/q by the bounds of Vehtari et al., "Pareto
// smoothed importance sampling" (2024).
func paretoK(p *infer.Posterior) Finding {
	k, limit := p.Fit.ParetoK, psis.Threshold(p.Draws.Total())
	measure := Measure{Value: k, Values: distinct(p.Draws, psis.MinTail), Least: psis.MinTail}
	if k > limit && p.Fit.WeightShare >= psis.Even {
		measure.Value = limit // the shape of a tail of even ratios means nothing
	}
	if math.IsInf(k, -1) { // all ratios are equal
		measure.Value = 0
	}
	f := Finding{
		Name: "pareto_k", Severity: measure.AtMost(limit, kBad), Quantity: "Pareto shape k of the importance ratios", Value: draws.Number(k), Threshold: draws.Number(limit),
		Meaning: "The approximation is close enough to the posterior that importance weights could correct what is left.",
	}
	switch {
	case p.Fit.Elsewhere:
		f.Severity, f.Threshold = None, 0
		f.Meaning = "With this loss or divergence the best answer is another one than the posterior, so importance ratios to the posterior say nothing of it."
		return f
	case p.Fit.Excluded > 0:
		if f.Severity = Bad; p.Fit.Excluded < 0.05 {
			f.Severity = Warning
		}
		f.Meaning = fmt.Sprintf("The approximation gives no probability to discrete values that have %.0f %% of it given the other parameters: where some values exclude others, independent factors settle for a part. No importance weights correct that.", 100*p.Fit.Excluded)
		f.Remedy = "Sample with gibbs, or sum the discrete parameters out (nuts)."
		return f
	case f.Severity == None && p.Draws.Total() >= manyDraws && p.Fit.WeightShare > 0 && p.Fit.WeightShare < fewWeighted:
		f.Severity = Bad
		f.Meaning = fmt.Sprintf("Of the draws %.2g in 100 have nearly all of the weight: the posterior is far higher there than the approximation, which misses a part of it.", 100*p.Fit.WeightShare)
	case f.Severity == None || p.Draws.Total() < psis.MinTail:
		f.Severity = None
		f.Meaning = "How far the approximation is from the posterior cannot be measured: too few of its draws have importance ratios that can be compared."
	case k > limit && f.Severity == Good:
		f.Meaning = fmt.Sprintf("The approximation is close to the posterior: weighted by the importance ratios, its draws would count as %.0f in 100. The shape of a tail of such even ratios means nothing.", 100*p.Fit.WeightShare)
	case f.Severity == Bad:
		f.Meaning = "The importance ratios have no mean: the approximation misses a part of the posterior, or its tails, and what it says cannot be corrected by them."
	case f.Severity == Warning:
		f.Meaning = "The approximation differs from the posterior in its tails; means may be usable, uncertainties less so."
	}
	if f.Severity != Good {
		f.Remedy = "Use a reparameterised model, or sample with nuts."
		if family, _ := draws.Find(p.Plan.Config, "family"); family == "meanfield" {
			f.Remedy = "Use a richer approximation (family = \"fullrank\") or a reparameterised model, or sample with nuts."
		}
	}
	return f
}

// Ratios of standard deviations from which on independent factors are not called good, and
// are called bad.
const (
	understatedWarning = 2
	understatedBad     = 10
)

// understated judges what independent factors leave out. Importance ratios do not show it:
// on a long ridge all draws lie where the posterior is as high.
func understated(u *infer.Understatement, n int) Finding {
	f := Finding{
		Name: "understated_sd", Severity: Measure{Value: u.Ratio, Values: n}.AtMost(understatedWarning, understatedBad), Quantity: "largest ratio of a standard deviation by the curvature of the posterior to the approximation's", Value: draws.Number(u.Ratio), Threshold: understatedWarning,
		Meaning: "By the curvature of the posterior, averaged over the approximation, independent factors understate no standard deviation by much.",
	}
	if u.Name != "" {
		f.Quantity += ", of " + u.Name
	}
	if u.Ratio <= understatedWarning {
		return f
	}
	f.Meaning = fmt.Sprintf("The parameters are correlated, and independent factors cannot say so: by the curvature of the posterior, averaged over the approximation, a standard deviation is about %.2g times as large as stated.", u.Ratio)
	f.Remedy = "Use family = \"fullrank\", or scale and centre what is correlated; means may still serve."
	return f
}

// The distance of objectives, in nats or relative to their size, within which starts have ended at one
// optimum. They are ours.
const (
	sameObjective = 0.01
	sameRelative  = 1e-4
)

// starts tells how many of several starts have reached the least objective. One alone may be far from the
// least there is.
func starts(p *infer.Posterior) Finding {
	all := append([]float64(nil), p.Fit.Starts...)
	slices.SortFunc(all, func(x, y float64) int { // those that got nowhere last
		if math.IsNaN(x) || math.IsNaN(y) {
			return cmp.Compare(y, x)
		}
		return cmp.Compare(x, y)
	})
	within := sameObjective + float64(sameRelative*math.Abs(all[0]))
	reached, lost, others := 0, 0, ""
	for _, v := range all {
		switch {
		case v-all[0] <= within:
			reached++
		case math.IsNaN(v):
			lost++
		default:
			others += fmt.Sprintf(", %.6g", v)
		}
	}
	f := Finding{
		Name: "starts", Severity: Measure{Value: float64(reached), Values: len(all)}.AtLeast(2, 0), Quantity: "starts that reached the least objective", Value: draws.Number(reached), Threshold: 2,
		Meaning: fmt.Sprintf("Of %d starts %d reached the least objective, %.6g, which is kept", len(all), reached, all[0]),
	}
	if others != "" {
		f.Meaning += "; others ended at " + others[2:]
	}
	if lost > 0 {
		f.Meaning += fmt.Sprintf("; %d ran away or collapsed", lost)
	}
	if f.Meaning += "."; f.Severity != Good {
		f.Remedy = "There may be a lower one: allow more starts, or begin where the answer is thought to be (init)."
	}
	return f
}

// objective states what was minimised: a number, which judges nothing.
func objective(p *infer.Posterior, o infer.Estimate) Finding {
	what := "The objective, loss plus divergence from the prior,"
	if p.Plan.Method == "fvi" {
		what = "The objective, the divergence from the posterior up to a constant,"
	}
	f := Finding{
		Name: "objective", Severity: None, Quantity: "objective at the optimum, in nats", Value: draws.Number(o.Value), Threshold: draws.Number(math.NaN()),
		Meaning: fmt.Sprintf("%s is %.6g: a number to compare fits of one model, loss and divergence by, and no verdict.", what, o.Value),
	}
	if o.Error > 0 {
		f.Meaning = fmt.Sprintf("%s is %.6g, with standard error %.2g: a number to compare fits of one model, loss and divergence by, and no verdict.", what, o.Value, o.Error)
	}
	if math.IsNaN(o.Value) || math.IsInf(o.Value, 0) {
		f.Severity, f.Meaning = Warning, what+" is not finite at the answer."
	}
	return f
}

// bound states the evidence lower bound and, where the evidence is known,
// compares: their difference is the divergence of the posterior from the
// approximation.
func bound(p *infer.Posterior, b infer.Estimate) Finding {
	f := Finding{
		Name: "elbo", Severity: None, Quantity: "evidence lower bound, in nats", Value: draws.Number(b.Value), Threshold: draws.Number(math.NaN()),
		Meaning: fmt.Sprintf("The evidence lower bound is %s, with standard error %.2g: a number to compare approximations of one model by, and no verdict.", inNats(b.Value), b.Error),
	}
	if b.Error == 0 {
		f.Meaning = fmt.Sprintf("The evidence lower bound is %s, computed without sampling: a number to compare approximations of one model by, and no verdict.", inNats(b.Value))
	}
	switch e := p.LogEvidence; {
	case math.IsInf(b.Value, 0) || math.IsNaN(b.Value):
		f.Severity = Warning
		f.Meaning = "The evidence lower bound is not finite: the approximation reaches where the posterior density is zero."
		f.Remedy = "Declare the constraints of the parameters, so that every unconstrained point has a density."
	case e != nil:
		gap := Measure{Value: e.Value - b.Value, Error: libm.Hypot(b.Error, e.Error), Values: p.Draws.Total()}
		if gap.Value <= smallGap && gap.Error <= smallGap {
			f.Severity = gap.AtMost(smallGap, math.Inf(1))
		}
		f.Threshold = draws.Number(e.Value)
		f.Meaning = fmt.Sprintf("The evidence lower bound is %s, and the log evidence %s: KL(approximation || posterior) is about %.3g.", inNats(b.Value), inNats(e.Value), settled(e.Value-b.Value))
		if b.Value-e.Value > 4*libm.Hypot(b.Error, e.Error) {
			f.Severity = Bad
			f.Meaning += " A bound above the evidence is impossible, so one of the two is wrong."
			f.Remedy = "Estimate the evidence with more particles or chains."
		}
	}
	return f
}
