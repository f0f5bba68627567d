// This file holds the checks of a fit: what every run's draws are asked.

package diagnose

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// The bounds of the checks. Those that separate good from the rest are the
// ones that Vehtari et al. (2021) and the Stan documentation recommend; those
// beyond which a fit is bad are ours.
const (
	RHatBound      = 1.01
	rHatBad        = 1.05
	ESSPerChain    = 100 // bound on bulk and tail ESS, per chain
	essBadFraction = 0.25
	EBFMIBound     = 0.3
	eBFMIBad       = 0.2
	divergencesBad = 0.01 // share of draws
	leastEnergies  = 10   // distinct energies in a chain
)

// Fit checks the draws of a fit, by their kind. The plan tells the largest tree depth;
// rows are the summaries of the draws (nil: they are computed). Checks that do not
// apply to the method are left out, passed ones are reported as good.
func Fit(d *draws.Draws, plan draws.Plan, rows []draws.Summary) []Finding {
	if rows == nil {
		rows = d.Summaries()
	}
	var out []Finding
	judged, broken := judgeable(rows)
	if plan.Method == stochasticGradient {
		judged = slices.DeleteFunc(judged, func(s draws.Summary) bool { return s.Name == draws.LogDensityColumn })
	}
	switch d.Kind() {
	case draws.Chains:
		out = chains(d, plan, judged)
	case draws.Weighted:
		out = []Finding{weights(d)}
		if f, ok := rare(d, judged); ok && out[0].Severity == Good {
			out = append(out, f)
		} else if f, ok := spreadByFew(d, judged); ok && out[0].Severity == Good {
			out = append(out, f)
		}
	case draws.Particles:
		out = sizes(judged, 1)
		if f, ok := spreadByFew(d, judged); ok {
			out = append(out, f)
		}
	}
	if len(broken) > 0 {
		out = append(out, notFinite(broken))
	}
	if len(judged) == 0 && constant(rows, d) {
		for i := range out {
			switch out[i].Name {
			case "rhat", "ess_bulk", "ess_tail":
				out[i].Meaning = "No quantity differs between draws, so there is no " + measured[out[i].Name] + " to measure."
			}
		}
	}
	return out
}

// measured names what a check of convergence measures.
var measured = map[string]string{"rhat": "R-hat", "ess_bulk": "effective sample size", "ess_tail": "effective sample size"}

// constant reports whether all quantities have one value in all draws, of which there are
// several: a model without parameters.
func constant(rows []draws.Summary, d *draws.Draws) bool {
	for _, s := range rows {
		if s.SD != 0 {
			return false
		}
	}
	return len(rows) > 0 && d.Total() > 1
}

// chains checks Markov chains.
func chains(d *draws.Draws, plan draws.Plan, judged []draws.Summary) []Finding {
	var out []Finding
	if d.Index("divergent__") >= 0 {
		out = append(out, divergences(d))
	}
	if limit, ok := maxDepth(plan); ok && d.Index("treedepth__") >= 0 {
		out = append(out, treeDepth(d, limit))
	}
	if d.Index("energy__") >= 0 {
		out = append(out, energy(d))
	}
	out = append(out, rHat(judged, d.Total()))
	return append(out, sizes(judged, float64(d.Balanced().Chains()))...)
}

// sizes checks the effective sample sizes of dependent draws.
func sizes(judged []draws.Summary, chains float64) []Finding {
	return []Finding{
		ess(judged, "ess_bulk", "bulk ESS", chains, func(s draws.Summary) float64 { return s.ESSBulk }),
		ess(judged, "ess_tail", "tail ESS", chains, func(s draws.Summary) float64 { return s.ESSTail }),
	}
}

// Posterior checks what a method returned: its draws, how they were found, and what
// went wrong while they were made.
func Posterior(p *infer.Posterior, rows []draws.Summary) []Finding {
	var out []Finding
	if p.Fit != nil {
		out = approximation(p, rows)
	} else {
		out = Fit(p.Draws, p.Plan, rows)
	}
	for i, f := range out {
		if names := p.Stopping.AsWritten(); f.Name == "divergences" && f.Severity != Good && len(names) > 0 {
			out[i].Remedy = fmt.Sprintf("Leave warmup out, so that it is learned how far %s should be centred; otherwise: ", strings.Join(names, ", ")) + f.Remedy
		}
	}
	if p.Plan.Method == stochasticGradient && p.Draws.Index("stepsize__") >= 0 {
		out = append(out, finiteStep(p))
	}
	if p.LogEvidence != nil {
		out = append(out, evidence(*p.LogEvidence, p.Draws.Total()))
	}
	if p.NoEvidence != nil {
		out = append(out, noEvidence(p.NoEvidence))
	}
	if p.Update != nil {
		out = append(out, updated(p.Update))
	}
	if p.Swap != nil {
		out = append(out, swapped(p.Swap))
		if p.Swap.Carried > 0 {
			out = append(out, carried(p.Swap))
		}
	}
	for i, f := range out {
		switch {
		case f.Severity == Bad && eases(p, f.Name): // what is bad stays a warning: a population may have missed the same
			out[i] = eased(f)
		case (f.Severity == Warning || f.Severity == Bad) && overrules(p, f.Name):
			out[i] = overruled(f)
		}
	}
	out = append(out, withinMode(p, duality(p))...)
	out = append(out, rejections(p)...)
	if s := p.Stopping; s != nil && len(s.Replaced) > 0 {
		out = append(out, replaced(s.Replaced))
	}
	if p.Population != nil {
		out = append(out, elsewhere(p))
		if f, ok := otherEvidence(p); ok {
			out = append(out, f)
		}
	}
	errors := 0
	var first error
	for _, c := range p.Chains {
		errors += c.QuantityErrors
		if first == nil {
			first = c.QuantityError
		}
	}
	if errors > 0 {
		out = append(out, Finding{
			Name: "generated_quantities", Severity: Warning, Quantity: "draws without generated quantities", Value: draws.Number(errors),
			Meaning: fmt.Sprintf("In some draws the generated quantities could not be computed and are NaN; the first time: %v.", first),
			Remedy:  "Guard the generated quantities against such values, or exclude these draws.",
		})
	}
	if p.Incomplete {
		f := Finding{
			Name: "incomplete", Severity: Warning, Quantity: "draws made", Value: draws.Number(p.Draws.Total()),
			Threshold: draws.Number(p.Plan.Draws * p.Plan.Chains),
			Meaning:   "The run was cut short, so there are fewer draws than were asked for.",
			Remedy:    "Run it again, or resume it.",
		}
		if all, kept := p.Draws.Chains(), p.Draws.Balanced().Chains(); kept < all {
			f.Meaning += fmt.Sprintf(" R-hat and effective sample sizes leave out %d of %d chains, which have less than half the draws of the longest.", all-kept, all)
		}
		switch {
		case p.Population != nil:
			f.Meaning = "The run was cut short after the last draw: all draws are there, but not the search for other answers that they are judged by."
		case f.Value >= f.Threshold: // they were all made, from what the fit had come to
			f.Meaning = "The run was cut short before the fit was finished: the draws are from what it had come to."
		}
		out = append(out, f)
	}
	return out
}

// replaced tells of chains that did not stay where they began. There is no verdict on it: the
// check for mass elsewhere and R-hat are the ones that give it.
func replaced(chains []int) Finding {
	var names []string
	for _, c := range chains {
		names = append(names, strconv.Itoa(c))
	}
	return Finding{
		Name: "replaced", Severity: None, Quantity: "chains that warm-up moved to where others were", Value: draws.Number(len(chains)),
		Meaning: fmt.Sprintf("Warm-up found chain %s where there is next to no posterior mass beside the other chains, and had it go on from where one of these was.", strings.Join(names, ", ")),
		Remedy:  "Another seed, or starting points by init, show whether the place matters; warmup = N keeps chains where they are.",
	}
}

func maxDepth(plan draws.Plan) (int, bool) {
	switch v, _ := draws.Find(plan.Config, "max_depth"); v := v.(type) {
	case int:
		return v, true
	case string: // read from a file
		n, err := strconv.Atoi(v)
		return n, err == nil
	}
	return 0, false
}

func divergences(d *draws.Draws) Finding {
	count := 0
	d.Each("divergent__", func(_ int, x []float64) {
		for _, v := range x {
			if v != 0 {
				count++
			}
		}
	})
	f := Finding{
		Name: "divergences", Severity: Measure{Value: float64(count), Values: d.Total()}.AtMost(0, divergencesBad*float64(d.Total())),
		Quantity: "divergent transitions after warm-up", Value: draws.Number(count), Meaning: "No trajectory diverged.",
	}
	if count > 0 {
		f.Meaning = fmt.Sprintf("%d of %d transitions diverged: there are regions of high curvature that the sampler could not follow, so the draws may miss a part of the posterior.", count, d.Total())
		f.Remedy = "Raise delta towards 1, for example delta = 0.95; if divergences remain, use walnuts(), or reparameterise the model (for hierarchies: the non-centred form) or tighten vague priors."
	}
	return f
}

func treeDepth(d *draws.Draws, limit int) Finding {
	count := 0
	d.Each("treedepth__", func(_ int, x []float64) {
		for _, v := range x {
			if int(v) >= limit {
				count++
			}
		}
	})
	f := Finding{
		Name: "tree_depth", Severity: Measure{Value: float64(count), Values: d.Total()}.AtMost(0, math.Inf(1)),
		Quantity: fmt.Sprintf("transitions at the largest tree depth, %d", limit), Value: draws.Number(count),
		Meaning: "No trajectory was cut off at the largest tree depth.",
	}
	if count > 0 {
		f.Meaning = fmt.Sprintf("%d of %d trajectories were cut off before they turned: the draws are valid, but each costs more and moves less than it could.", count, d.Total())
		f.Remedy = fmt.Sprintf("Scale the parameters alike or remove strong correlations (metric = \"low_rank\" may do it); or raise max_depth above %d.", limit)
	}
	return f
}

func energy(d *draws.Draws) Finding {
	f := Finding{
		Name: "e_bfmi", Severity: None, Quantity: "E-BFMI", Value: draws.Number(math.NaN()), Threshold: EBFMIBound,
		Meaning: "There are too few draws to measure E-BFMI.",
	}
	worst, at, distinct := math.Inf(1), -1, 0
	d.Each("energy__", func(chain int, x []float64) {
		if v := draws.EBFMI(x); v < worst {
			worst, at, distinct = v, chain, Distinct(leastEnergies, x)
		}
	})
	if at < 0 || distinct < leastEnergies {
		return f
	}
	f.Quantity, f.Value = fmt.Sprintf("smallest E-BFMI, in chain %d", at+1), draws.Number(worst)
	f.Severity, f.Meaning = Measure{Value: worst, Values: distinct}.AtLeast(EBFMIBound, eBFMIBad), "The momentum draws move the energy well enough."
	if worst < EBFMIBound {
		f.Meaning = "From draw to draw the energy changes little compared with its spread: the chains go through the tails slowly and may miss them."
		f.Remedy = "Reparameterise so that the tails are lighter (for hierarchies: the non-centred form), tighten priors of scales, or run longer."
	}
	if f.Severity == Bad && explored(d.Column("energy__")) {
		f.Severity = Warning
		f.Meaning += " But they have gone through their energies often, and agree on them."
	}
	return f
}

// explored reports whether chains agree on the distribution of their energies and have enough effective draws of it, which is
// what a low E-BFMI makes doubtful: of heavy tails energies vary so much that no step goes through many of them.
func explored(x [][]float64) bool {
	return draws.RHat(x) <= RHatBound && min(draws.ESSBulk(x), draws.ESSTail(x)) >= float64(ESSPerChain*len(x))
}

// judgeable separates the summaries that convergence can be judged by from
// those with values that are not finite. Constant columns are in neither.
func judgeable(rows []draws.Summary) (judged, broken []draws.Summary) {
	for _, s := range rows {
		switch {
		case math.IsNaN(s.Mean) || math.IsInf(s.Mean, 0):
			broken = append(broken, s)
		case !math.IsNaN(s.RHat) || !math.IsNaN(s.ESSBulk):
			judged = append(judged, s)
		}
	}
	return judged, broken
}

func rHat(rows []draws.Summary, total int) Finding {
	f := Finding{
		Name: "rhat", Severity: None, Quantity: "R-hat", Value: draws.Number(math.NaN()), Threshold: RHatBound,
		Meaning: "There are too few draws to measure R-hat.",
	}
	worst, over, name := 0.0, 0, ""
	for _, s := range rows {
		if s.RHat > worst {
			worst, name = s.RHat, s.Name
		}
		if s.RHat > RHatBound {
			over++
		}
	}
	if name == "" {
		return f
	}
	f.Quantity, f.Value = "largest R-hat, of "+name, draws.Number(worst)
	f.Severity, f.Meaning = Measure{Value: worst, Values: total}.AtMost(RHatBound, rHatBad), "The chains agree with one another."
	if over > 0 {
		if math.IsInf(worst, 1) { // no chain moves
			f.Severity = Bad
		}
		f.Meaning = fmt.Sprintf("The chains do not agree in %d of %d quantities: they have not mixed, and the draws do not yet stand for the posterior.", over, len(rows))
		f.Remedy = "Run longer (warmup and draws); if it stays, look for several modes, parameters that the data do not identify, or a better parameterisation."
	}
	return f
}

func ess(rows []draws.Summary, name, title string, chains float64, of func(draws.Summary) float64) Finding {
	bound := ESSPerChain * chains
	f := Finding{
		Name: name, Severity: None, Quantity: title, Value: draws.Number(math.NaN()), Threshold: draws.Number(bound),
		Meaning: "There are too few draws to measure the effective sample size.",
	}
	worst, under, at := math.Inf(1), 0, ""
	for _, s := range rows {
		v := of(s)
		if v < worst {
			worst, at = v, s.Name
		}
		if v < bound {
			under++
		}
	}
	if at == "" {
		return f
	}
	f.Quantity, f.Value = fmt.Sprintf("smallest %s, of %s", title, at), draws.Number(worst)
	f.Severity, f.Meaning = Measure{Value: worst, Values: int(worst)}.AtLeast(bound, essBadFraction*bound), "The effective sample size suffices for stable estimates."
	if under > 0 {
		per := " for each chain"
		if chains == 1 {
			per = ""
		}
		part := "means and medians"
		if name == "ess_tail" {
			part = "variances and tail quantiles"
		}
		f.Meaning = fmt.Sprintf("In %d of %d quantities there are fewer than %g effective draws%s: %s are not reliable.", under, len(rows), float64(ESSPerChain), per, part)
		f.Remedy = "Make more draws; if the chains are slow to mix, reparameterise the model."
	}
	return f
}

func notFinite(rows []draws.Summary) Finding {
	return Finding{
		Name: "not_finite", Severity: Warning, Quantity: "columns with NaN or infinite values, the first " + rows[0].Name, Value: draws.Number(len(rows)),
		Meaning: "Some quantities have draws that are not finite numbers; their summaries and convergence cannot be judged.",
		Remedy:  "Check that these quantities are assigned in every element, and for overflow and division by zero.",
	}
}
