// This file has the bound that leaves out the worst chains.
//
// The expectation behind the bound may be infinite because of a few chains: where the prior
// of a scale has mass near zero, E[log p(y|theta)] under it is often minus infinity, the
// first step pays for that whatever follows, and chains that start there hardly move with a
// step size that suits the others. Let A be an event of the forward chain and
// q_A the law of the last state given A. Conditioned on A, the log density of the chain
// grows by -log P(A), so that as in the proof of the bound itself
//
//	KL(q_A || p) <= E[log p(y) - logR | A] - log P(A).
//
// A is here that the chain's value is not among the worst hundredth. The reverse half of
// the bound, on KL(p || q), stays as it is.

package bread

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// leftOut is the share of forward chains that the trimmed bound leaves out, at most.
const leftOut = 0.01

// Trimmed bounds KL(p||q) + KL(q_A||p), where q_A is the law of the last state of a
// forward chain that is not among the worst.
type Trimmed struct {
	Share draws.Number `json:"share"` // of forward chains that were left out
	Bound draws.Number `json:"bound"`
	Error draws.Number `json:"error"` // standard error, data sets as units
	// Starts are medians of the log likelihood (on a path from an approximation: of the
	// log weight) where chains started: those that were left out, and the others.
	Starts [2]draws.Number `json:"starts"`
}

// trim makes the trimmed bound of a rung. Chains are compared by their distance from the
// mean reverse value of their data set.
func trim(sets []*dataset, rung int) Trimmed {
	type chain struct{ set, index int }
	var all []chain
	gap := func(c chain) float64 { return mean(sets[c.set].reverse[rung]) - sets[c.set].forward[rung][c.index] }
	for s := range sets {
		for i := range sets[s].forward[rung] {
			all = append(all, chain{s, i})
		}
	}
	n := len(all)
	if n == 0 {
		return noTrim
	}
	slices.SortStableFunc(all, func(a, b chain) int { return cmp.Compare(gap(b), gap(a)) })
	out := int(leftOut * float64(n))
	share := float64(out) / float64(n)

	begins := make([]draws.Number, n)
	for i, c := range all {
		begins[i] = draws.Number(sets[c.set].begins[rung][c.index])
	}
	rest := make([][]float64, len(sets))
	for _, c := range all[out:] {
		rest[c.set] = append(rest[c.set], gap(c))
	}
	kept := slices.Concat(rest...)
	t := Trimmed{Share: draws.Number(share), Bound: draws.Number(mean(kept) - libm.Log1p(-share)), Starts: [2]draws.Number{quartiles(begins[:out])[1], quartiles(begins[out:])[1]}}
	if len(sets) == 1 {
		t.Error = draws.Number(draws.SD(rest) / math.Sqrt(float64(len(kept))))
		return t
	}
	var whole []*dataset
	means := map[*dataset]float64{}
	for i, s := range sets {
		if len(rest[i]) > 0 {
			whole, means[s] = append(whole, s), mean(rest[i])
		}
	}
	t.Error = draws.Number(meanOf(whole, func(s *dataset) float64 { return means[s] }).Error)
	return t
}

// carriedByFew says whether the bound is bad only because of the chains that the trimmed
// one leaves out.
func (d *Diagnosis) carriedByFew(f Figures) bool {
	return !(float64(f.Jeffreys.Bound) <= d.options.Bad) && float64(f.Trimmed.Bound) <= d.options.Bad
}

// ofFew is the summary of such a bound.
func (d *Diagnosis) ofFew(f Figures, steps int) string {
	t := f.Trimmed
	verdict := "."
	if float64(t.Bound) > d.options.Warning {
		verdict = ": near, but not there."
	}
	return fmt.Sprintf("All but %s %% of annealed chains of %d steps end within %s nats of the posterior in Jeffreys divergence, but the bound for all of them is %s nats, because of those few%s",
		short(100*float64(t.Share)), steps, withError(Bound{Bound: t.Bound, Error: t.Error}), short(float64(f.Jeffreys.Bound)), verdict)
}

// startsNote says where the few chains started.
func (d *Diagnosis) startsNote(t Trimmed) string {
	what, start := "log likelihood", "prior"
	if d.options.From != nil {
		what, start = "log weight", "approximation"
	}
	return fmt.Sprintf("Those few started where the %s is %s, the others where it is %s (medians): draws of the %s that make the data all but impossible, as a scale near zero does. From there a kernel with frozen tuning hardly moves, and the mean of forward values may not exist. More steps help, or a %s without such values.",
		what, short(float64(t.Starts[0])), short(float64(t.Starts[1])), start, start)
}

// judgeBound holds the bound against the options. A bound that is not a number, or
// infinite, is bad: a chain found no way to the posterior at all. What only a few chains
// make bad is a warning.
func (d *Diagnosis) judgeBound(f Figures) diagnose.Severity {
	bound := diagnose.Measure{Value: float64(f.Jeffreys.Bound), Values: len(f.Ladder[len(f.Ladder)-1].Forward)}
	switch s := bound.AtMost(d.options.Warning, d.options.Bad); {
	case s == diagnose.Good || s == diagnose.Warning:
		return s
	case d.carriedByFew(f):
		return diagnose.Warning
	}
	return diagnose.Bad
}
