package diagnose

// This file holds the checks of methods that weigh their draws or estimate the
// evidence.

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/psis"
)

// The bounds on the standard error of log p(y), in nats; they are ours.
const (
	EvidenceBound = 0.5
	evidenceBad   = 2
	leastErrors   = 10 // draws that an error can be estimated from
)

// weights checks draws with importance weights.
func weights(d *draws.Draws) Finding {
	logw := slices.Concat(d.Column(draws.LogWeightColumn)...)
	n := len(logw)
	smooth := psis.Smooth(logw, 1)
	positive := 0
	for _, w := range logw {
		if !math.IsInf(w, -1) {
			positive++
		}
	}
	limit := psis.Threshold(max(positive, 2)) // those of no weight are no part of the sample
	measure := Measure{Value: smooth.K, Values: distinct(d, psis.MinTail), Least: psis.MinTail}
	if math.IsInf(smooth.K, -1) { // all weights are equal
		measure.Value = 0
	}
	f := Finding{
		Name: "weights", Severity: measure.AtMost(limit, kBad), Quantity: "Pareto k of the weights", Value: draws.Number(smooth.K), Threshold: draws.Number(limit),
		Meaning: fmt.Sprintf("The weights are even enough: %d draws count as %.0f.", n, infer.ESSWeights(logw)),
	}
	switch {
	case smooth.Tail < psis.MinTail && !math.IsInf(smooth.K, -1):
		ess := infer.ESSWeights(logw)
		f.Severity = None
		if ess < float64(n)/2 {
			f.Severity = Warning
		}
		f.Meaning = fmt.Sprintf("%d draws, which count as %.1f, are too few to judge the tail of their weights by.", n, ess)
		f.Remedy = "Make at least 25 draws; ais makes one a chain."
	case math.IsInf(smooth.K, 1):
		f.Severity = Bad
		f.Meaning = fmt.Sprintf("Too few of %d weights are positive and distinct to judge their tail by: estimates, that of the evidence included, are not reliable.", n)
		f.Remedy = "Take more steps between the two densities (steps), more chains, or a kernel that mixes better."
	case f.Severity == None:
		f.Meaning = fmt.Sprintf("The %d draws repeat each other, so that their weights say nothing.", n)
		f.Remedy = "Take a kernel that mixes better."
	case f.Severity != Good:
		f.Meaning = fmt.Sprintf("A few draws carry most of the weight (%d draws count as %.1f): estimates, that of the evidence included, are not reliable.", n, infer.ESSWeights(logw))
		f.Remedy = "Take more steps between the two densities (steps), more chains, or a kernel that mixes better."
	}
	return f
}

// noEvidence reports why there is no estimate of log p(y).
func noEvidence(why error) Finding {
	return Finding{
		Name: "log_evidence", Severity: Bad, Quantity: "standard error of log p(y), in nats", Value: draws.Number(math.NaN()), Threshold: EvidenceBound,
		Meaning: fmt.Sprintf("The evidence could not be estimated from the draws, which are kept: %v.", why),
		Remedy:  "Make more draws, or anneal: smc and ais need no normal approximation to the draws, and with the kernel of gibbs or mh no sum over discrete parameters.",
	}
}

// evidence checks the error of log p(y), estimated from n draws.
func evidence(e infer.Estimate, n int) Finding {
	f := Finding{
		Name: "log_evidence", Severity: Measure{Value: e.Error, Values: n, Least: leastErrors}.AtMost(EvidenceBound, evidenceBad), Quantity: "standard error of log p(y), in nats", Value: draws.Number(e.Error), Threshold: EvidenceBound,
		Meaning: "The estimate of the evidence is precise.",
	}
	switch {
	case math.IsInf(e.Error, 1):
		f.Severity = Bad
		f.Meaning = "The draws are too far from the posterior for the evidence to be estimated from them."
		f.Remedy = "Use draws of a Markov method, as in bridge(nuts()), or anneal."
	case f.Severity == None:
		f.Meaning = "The error of the estimate of the evidence could not be measured."
		if n < leastErrors {
			f.Meaning = fmt.Sprintf("%d draws are too few to measure the error of the estimate of the evidence by.", n)
			f.Remedy = fmt.Sprintf("Make at least %d, better 100.", leastErrors)
		}
	case f.Severity != Good:
		f.Meaning = "The estimate of the evidence is too noisy to compare models by."
		f.Remedy = "Make more draws, chains or particles, or anneal in more steps."
	}
	return f
}
