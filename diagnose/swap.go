package diagnose

// This file holds the check of prior swapping.

import (
	"fmt"
	"math"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/psis"
)

// The bounds on a swapped posterior; they are ours.
const (
	swapShift  = 0.2  // difference between the two answers, in sds
	swapBeyond = 0.05 // share of draws beyond all of the first posterior's
	beyondBad  = 0.5
	swapNoise  = 0.1  // standard error of that difference
	swapForm   = 0.05 // error of the closed form, in nats
	swapLost   = 0.01 // probability of a step to where the old priors are zero
	lostBad    = 0.05
	// swapVariance is the Pareto k up to which weights have a variance, so that their error
	// can be believed: between this and 0.7 answers off by 0.3 to 0.6 sds passed for good.
	swapVariance = 0.5
	swapWidened  = 0.1 // share by which smoothing widens a spread
	fewPairs     = 100 // draws of a prior and of a posterior that are multiplied, in effect
)

// swapped judges a swapped posterior and the swaps that it is made from: the answer is as
// good as the worst of them.
func swapped(r *infer.SwapReport) Finding {
	worst := oneSwap(r)
	for r = r.Inner; r != nil; r = r.Inner {
		f := oneSwap(r)
		switch worse := Worse(worst.Severity, f.Severity) != worst.Severity; {
		case r.From == "multiplied" && (worse || f.Severity == worst.Severity): // a part of the swap itself, which knows more
			worst = f
		case worse:
			worst = f
			worst.Meaning = "In the prior_swap inside: " + f.Meaning
		}
	}
	return worst
}

// oneSwap compares a swapped posterior with importance weights on the draws of the first
// one.
func oneSwap(r *infer.SwapReport) Finding {
	limit := min(psis.Threshold(r.Draws), swapVariance)
	if r.Share >= psis.Even { // the shape of a tail of such even weights means nothing
		limit = math.Inf(1)
	}
	f := Finding{
		Name: "prior_swap", Severity: Measure{Value: r.Shift, Values: r.Draws}.AtMost(swapShift, math.Inf(1)), Quantity: "difference from importance weights, in sds", Value: draws.Number(r.Shift), Threshold: swapShift,
		Meaning: fmt.Sprintf("Importance weights on the draws under the old priors give the same answer (Pareto k %.2f).", r.ParetoK),
	}
	if r.From == "multiplied" {
		return multiplied(r)
	}
	const sample = "Run the method on the model with the new priors, to compare."
	if r.From == "draws" && r.Lost <= swapLost {
		return weightedDraws(r, limit, f)
	}
	disagree := r.Shift > swapShift && r.Shift > 3*r.ShiftError
	switch {
	case r.Improper && !(r.Mode && r.Shift <= swapShift):
		f.Severity = Bad
		f.Quantity, f.Value, f.Threshold = "growth of the swapped density far out", draws.Number(math.Inf(1)), 0
		f.Meaning = "What stands for the posterior under the old priors, times the new priors over the old ones, grows without bound: it is no distribution. Its tails are lighter than those of the old priors that are divided out."
		f.Remedy = "Use new priors with tails no heavier than the old ones, or wider old ones. " + sample
		if !r.Mode && r.Shift <= swapShift && r.ParetoK <= limit && r.Draws >= leastWeighted && r.Lost <= swapLost {
			f.Severity = Warning
			f.Meaning += fmt.Sprintf(" The draws have kept away from there: importance weights on the draws under the old priors give the same answer (Pareto k %.2f).", r.ParetoK)
		}
	case r.Lost > swapLost:
		f.Severity = Warning
		if r.Lost > lostBad {
			f.Severity = Bad
		}
		f.Quantity, f.Value, f.Threshold = "probability of a step to where the old priors are zero", draws.Number(r.Lost), swapLost
		f.Meaning = "The old priors are zero where the new ones are not, and part of the posterior under the new ones lies there: the answer is cut off."
		f.Remedy = "Swap from a prior whose support is that of the new one, or run the method on the model with the new priors."
	case r.From == "exact" && r.FormError <= swapForm && (r.Mode || !(disagree && r.ParetoK <= limit) && !math.IsNaN(r.Shift)):
		f.Severity = Measure{Value: r.FormError, Values: r.Draws}.AtMost(swapForm, swapForm)
		f.Quantity, f.Value, f.Threshold = "error of the closed form of the log density, in nats", draws.Number(r.FormError), swapForm
		f.Meaning = "The posterior under the old priors is known in closed form, and holds at the draws under the new ones."
	case r.From == "exact" && r.FormError > swapForm:
		f.Severity = Bad
		f.Quantity, f.Value, f.Threshold = "error of the closed form of the log density, in nats", draws.Number(r.FormError), swapForm
		f.Meaning = "The closed form that the log densities of the draws under the old priors have does not hold where the new priors move the posterior."
		f.Remedy = sample
	case r.Beyond > swapBeyond:
		f.Severity = Warning
		if r.Beyond > beyondBad {
			f.Severity = Bad
		}
		f.Quantity, f.Value, f.Threshold = "share of draws beyond all draws under the old priors", draws.Number(r.Beyond), swapBeyond
		f.Meaning = "The new priors move the posterior to where there are no draws under the old ones: the answer rests on the assumed form of the tails."
		f.Remedy = sample
	case r.Mode:
		return swappedMode(r, f)
	case math.IsNaN(r.ParetoK) || f.Severity == None:
		f.Severity, f.Meaning = None, "There are too few draws to compare with importance weights."
	case r.ParetoK > limit:
		f.Severity = Warning
		f.Quantity, f.Value, f.Threshold = "Pareto k of the importance weights", draws.Number(r.ParetoK), draws.Number(limit)
		f.Meaning = "The new priors move the posterior so far that importance weights cannot confirm the answer: it rests on the form assumed for the posterior under the old priors."
		f.Remedy = sample
	case disagree:
		if f.Severity = Warning; r.Shift-float64(3*r.ShiftError) > wrongMean {
			f.Severity = Bad
		}
		f.Meaning = "Importance weights on the draws under the old priors give another answer: the form assumed for the posterior does not fit."
		f.Remedy = "Use from = \"draws\", which takes these weights, from = \"semiparametric\", or a richer approximation. " + sample
	case r.ShiftError > swapNoise:
		f.Severity = Warning
		f.Quantity, f.Value, f.Threshold = "error of that comparison, in sds", draws.Number(r.ShiftError), swapNoise
		f.Meaning = "Importance weights on the draws under the old priors are too uneven to confirm the answer: it rests on the form assumed for the posterior under the old priors."
		f.Remedy = "Make more draws. " + sample
	case f.Severity == Warning: // no more than chance
		f.Severity = None
		f.Meaning = "Importance weights on the draws under the old priors neither confirm nor contradict the answer."
		f.Remedy = "Make more draws. " + sample
	}
	return f
}

// multiplied judges draws of a posterior that were multiplied with draws of a prior: both are smoothed, and where they
// hardly overlap the product rests on few of them, or on the kernels' tails.
func multiplied(r *infer.SwapReport) Finding {
	f := Finding{
		Name: "prior_swap", Severity: Measure{Value: r.Widened, Values: int(r.Factors)}.AtMost(swapWidened, math.Inf(1)), Quantity: "share by which a spread is wider at most, by smoothing", Value: draws.Number(r.Widened), Threshold: swapWidened,
		Meaning: fmt.Sprintf("The new prior is known by draws: these and the posterior's were multiplied, %.0f of them in effect, each smoothed.", r.Factors),
		Remedy:  "Make more draws of both, or write the new prior as a density.",
	}
	if r.Factors < fewPairs {
		f.Severity, f.Quantity, f.Value, f.Threshold = Warning, "draws of either in pairs, in effect", draws.Number(r.Factors), fewPairs
		if r.Factors < fewPairs/10 {
			f.Severity = Bad
		}
	}
	if f.Severity == Good {
		f.Remedy = ""
	}
	return f
}

// carried judges how many draws of the first posterior the parameters that depend on the swapped ones
// rest on. Few of them make errors that R-hat and effective sample sizes of the new draws, each with
// one of these few, do not show.
func carried(r *infer.SwapReport) Finding {
	err := 1 / math.Sqrt(r.Carried)
	f := Finding{
		Name: "carried", Severity: Measure{Value: err, Values: r.Draws}.AtMost(swapNoise, math.Inf(1)),
		Quantity: "error of a mean of parameters that depend on the swapped ones, in sds", Value: draws.Number(err), Threshold: swapNoise,
		Meaning: fmt.Sprintf("Parameters that depend on those with new priors are taken from draws under the old ones: %.0f of these in effect.", r.Carried),
	}
	if f.Severity == Warning {
		f.Meaning += " Their standard errors are larger than the table has them."
		f.Remedy = "Make more draws under the old priors, or run the method on the model with the new ones."
		if err <= swapShift {
			f.Severity = None
		}
	}
	return f
}

// weightedDraws judges draws under the old priors that are weighted by new over old ones: by
// whether the weights have a variance, and how many draws they leave.
func weightedDraws(r *infer.SwapReport, limit float64, f Finding) Finding {
	f.Quantity, f.Value, f.Threshold = "error of a mean by the effective number of weighted draws, in sds", draws.Number(r.ShiftError), swapNoise
	f.Severity = Measure{Value: r.ShiftError, Values: r.Draws}.AtMost(swapNoise, math.Inf(1))
	switch {
	case r.ParetoK > limit && !math.IsInf(r.ParetoK, 1):
		f.Severity = Warning
		if r.ParetoK > 1 {
			f.Severity = Bad
		}
		f.Quantity, f.Value, f.Threshold = "Pareto k of the importance weights", draws.Number(r.ParetoK), draws.Number(limit)
		f.Meaning = "The new priors move the posterior so far that the draws under the old ones, weighted, do not stand for it."
		f.Remedy = "Run the method on the model with the new priors."
	case r.ParetoK > limit || math.IsNaN(r.ParetoK) || f.Severity == None:
		f.Severity, f.Meaning = None, "Too few draws have the weight that counts to judge by."
		f.Remedy = "Make more draws, or run the method on the model with the new priors."
	case f.Severity != Good:
		f.Meaning = "The importance weights leave too few of the draws under the old priors."
		f.Remedy = "Make more draws, or run the method on the model with the new priors."
	default:
		f.Meaning = fmt.Sprintf("The draws under the old priors, weighted by new over old priors, count as %.0f.", r.ESS)
	}
	return f
}

// swappedMode judges a mode by how far it is from that of the posterior under the new
// priors.
func swappedMode(r *infer.SwapReport, f Finding) Finding {
	f.Quantity = "distance from the mode under the new priors by the gradient there, in sds"
	f.Severity = Measure{Value: r.Shift, Values: max(r.Draws, 2)}.AtMost(swapShift, 1)
	switch f.Severity {
	case None:
		f.Meaning = "The mode is that of the swapped parameters alone, and cannot be compared with one of all."
	case Good:
		f.Meaning = "The gradient of the log posterior under the new priors is near zero at the mode."
	default:
		f.Meaning = "The gradient of the log posterior under the new priors is not zero at the mode: the form assumed for the posterior under the old priors does not fit there."
		f.Remedy = "Find the mode of the model with the new priors."
	}
	return f
}
