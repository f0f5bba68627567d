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
	"strings"

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

// carriedByFew reports whether the bound is bad only because of the chains that the trimmed
// one leaves out.
func (d *Diagnosis) carriedByFew(f Figures) bool {
	return !(float64(f.Jeffreys.Bound) <= d.options.Bad) && float64(f.Trimmed.Bound) <= d.options.Bad
}

// ofFew is the summary of such a bound.
func (d *Diagnosis) ofFew(f Figures, steps int) string {
	t := f.Trimmed
	return fmt.Sprintf("All but %s %% of annealed chains of %d steps end within %s nats of the posterior in Jeffreys divergence, but the bound for all of them is %s nats, because of those few.",
		short(100*float64(t.Share)), steps, withError(Bound{Bound: t.Bound, Error: t.Error}), short(float64(f.Jeffreys.Bound)))
}

// startsNote reports where the few chains started.
func (d *Diagnosis) startsNote(t Trimmed) string {
	what, start := "log likelihood", "prior"
	if d.options.From != nil {
		what, start = "log weight", "approximation"
	}
	return fmt.Sprintf("Those few started where the %s is %s, the others where it is %s (medians): draws of the %s that make the data all but impossible, as a scale near zero does. From there a kernel with frozen tuning hardly moves, and the mean of forward values may not exist. More steps help, or a %s without such values.",
		what, short(float64(t.Starts[0])), short(float64(t.Starts[1])), start, start)
}

// judgeBound holds the bound against the options. Beyond them it depends on whether more
// steps bring the chains nearer: then these were too few to tell, which is no verdict on
// the method; else the chains do not get there. Without an exact start of the reverse
// chains, both directions may miss the same part, and nothing is good.
func (d *Diagnosis) judgeBound(f Figures) (diagnose.Severity, string) {
	top := f.Ladder[len(f.Ladder)-1]
	bound := diagnose.Measure{Value: float64(f.Jeffreys.Bound), Error: float64(f.Jeffreys.Error), Values: min(len(top.Forward), f.Datasets*d.options.Chains)}
	text := d.sandwich(f)
	exact := d.options.Data != Given || len(d.options.Start) > 0
	switch s := bound.AtMost(d.options.Warning, d.options.Bad); {
	case bound.Values < 2:
		return diagnose.None, text + ". One pair of chains is too few for a verdict: its error is not known."
	case s == diagnose.Good && !exact:
		return diagnose.None, text + ", as they also do where both miss the same part of the posterior: without an exact draw that is no bound, and no verdict."
	case s == diagnose.Good:
		return s, text + "."
	case s == diagnose.None && float64(f.Jeffreys.Bound) <= d.options.Warning:
		return s, text + ". Its error is too large to tell; take more chains or data sets."
	}
	if need := d.stepsToTell(f); need > 0 {
		if d.carriedByFew(f) {
			text = d.ofFew(f, top.Steps)
		}
		return diagnose.None, fmt.Sprintf("%s. These steps are too few to tell: the distance still shrinks with their number; steps = %d would, about.", strings.TrimSuffix(text, "."), need)
	}
	if d.carriedByFew(f) {
		return diagnose.Warning, d.ofFew(f, top.Steps)
	}
	if float64(f.Jeffreys.Bound) <= d.options.Bad {
		return diagnose.Warning, text + ": near, but not there, and more steps bring them no nearer."
	}
	return diagnose.Bad, text + ": too far to rely on, and more steps bring them no nearer."
}

// typical is the median distance of a rung's forward values from the mean reverse value of
// their data set, which a few lost chains do not move.
func typical(r Rung, datasets int) float64 {
	if len(r.Forward) == 0 || datasets == 0 {
		return math.NaN()
	}
	nf, nr := len(r.Forward)/datasets, len(r.Reverse)/datasets
	var gaps []draws.Number
	for i, f := range r.Forward {
		set := i / max(1, nf)
		gaps = append(gaps, meanNumber(r.Reverse[set*nr:(set+1)*nr])-f)
	}
	return float64(quartiles(gaps)[1])
}

// The steps that would tell are looked for by extrapolation: the typical gap falls like a
// power of the number of steps, between the last two lengths.
const (
	falls        = 0.8     // a gap that is no smaller than this share of the one before has stopped falling
	mostSteps    = 1 << 20 // beyond which nobody would go
	leastGrowth  = 2.0
	aloneLonger  = 10 // factor where there is one length only
	slowestPower = 0.2
	leastLost    = 10 // chains that are lost at two lengths together
)

// stepsToTell is about how many steps would bring the bound to where it is judged good; 0
// where more steps do not help.
func (d *Diagnosis) stepsToTell(f Figures) int {
	n := len(f.Ladder)
	last := f.Ladder[n-1]
	now := typical(last, f.Datasets)
	if n < 2 || len(f.Ladder[n-2].Forward) == 0 {
		return aloneLonger * last.Steps
	}
	before := f.Ladder[n-2]
	was := typical(before, f.Datasets)
	if now <= d.options.Warning { // all but few are there: do these become fewer?
		a, b := d.lost(last, f.Datasets), d.lost(before, f.Datasets)
		chains := float64(len(last.Forward))
		if a == 0 {
			return grown(last.Steps, before.Steps, float64(last.Gap), float64(before.Gap), d.options.Warning)
		}
		if a+b < leastLost { // too few to see whether they do
			return aloneLonger * last.Steps
		}
		for i := n - 2; i >= 0 && len(f.Ladder[i].Forward) > 0; i-- { // the shortest span over which it is seen
			if b := d.lost(f.Ladder[i], f.Datasets); b-a >= 2*math.Sqrt(a+b) {
				return grown(last.Steps, f.Ladder[i].Steps, a/chains, b/chains, leftOut/2)
			}
		}
		return 0
	}
	return grown(last.Steps, before.Steps, now, was, d.options.Warning)
}

// grown extrapolates what has fallen to now at n steps from was at m to a goal; 0 where it
// hardly falls.
func grown(n, m int, now, was, goal float64) int {
	if !(now < falls*was) {
		return 0
	}
	power := libm.Log(was/now) / libm.Log(float64(n)/float64(m))
	if power < slowestPower {
		return 0
	}
	factor := max(leastGrowth, libm.Pow(now/goal, 1/power))
	return int(min(mostSteps, math.Ceil(factor*float64(n)/100)*100))
}

// lost is how many forward chains have a value further from the mean reverse value of their data set than what is bad.
func (d *Diagnosis) lost(r Rung, datasets int) float64 {
	nf, nr := len(r.Forward)/datasets, len(r.Reverse)/datasets
	n := 0
	for i, f := range r.Forward {
		set := i / max(1, nf)
		if !(float64(meanNumber(r.Reverse[set*nr:(set+1)*nr])-f) <= d.options.Bad) {
			n++
		}
	}
	return float64(n)
}
