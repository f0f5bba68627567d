// This file looks for values that too few draws have: of an event that one draw in a hundred shows, the
// probability is not known.

package diagnose

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

// rareCheck is the name of the finding.
const rareCheck = "rare_values"

// The mean of an indicator may be off by a wrong answer's share of its standard deviation with a
// probability of rareChance at most.
const (
	wrongMean   = 0.35
	wrongFactor = 1.43 // of a standard deviation
	rareChance  = 0.025
)

// rare reports columns that have one value in nearly all of few weighted draws; ok is false where there are none.
func rare(d *draws.Draws, judged []draws.Summary) (f Finding, ok bool) {
	logw := slices.Concat(d.Column(draws.LogWeightColumn)...)
	w := make([]float64, len(logw))
	infer.Weights(logw, w)
	n := infer.ESSWeights(logw)
	chance, name, least := rareChance, "", 0.0
	for _, s := range judged {
		share := unusual(slices.Concat(d.Column(s.Name)...), w)
		if p := rarer(share, n); share > 0 && p > chance {
			chance, name, least = p, s.Name, share*n
		}
	}
	if name == "" {
		return f, false
	}
	return Finding{
		Name: rareCheck, Severity: None, Value: draws.Number(chance), Threshold: rareChance,
		Quantity: "chance to see so many draws of a value that is so much rarer that the mean is wrong, of " + name,
		Meaning:  fmt.Sprintf("Of %.0f draws that count, %.1f have another value of %s than the rest: how rare these values are is not known from so few, and its mean may be off by a third of its standard deviation.", n, least, name),
		Remedy:   "Make more draws; ais makes one a chain.",
	}, true
}

// spreadByFew reports a column whose standard deviation depends on few draws that count; ok is false where there is
// none. Of columns with two values the mean has it all.
func spreadByFew(d *draws.Draws, judged []draws.Summary) (f Finding, ok bool) {
	var w []float64
	n := float64(d.Total())
	if d.Kind() == draws.Weighted {
		w = make([]float64, d.Total())
		infer.Weights(slices.Concat(d.Column(draws.LogWeightColumn)...), w)
	}
	var worst Tail
	name := ""
	for _, s := range judged {
		x := slices.Concat(d.Column(s.Name)...)
		if s.Name == draws.LogDensityColumn || Distinct(3, x) < 3 {
			continue
		}
		if t := Farthest(x, w, nil); t.Chance > worst.Chance {
			worst, name = t, s.Name
		}
	}
	if !worst.Unknown() {
		return f, false
	}
	return Finding{
		Name: rareCheck, Severity: None, Value: draws.Number(worst.Chance), Threshold: rareChance,
		Quantity: "chance to see so many draws in a tail whose probability is another one, so that the standard deviation is wrong, of " + name,
		Meaning: fmt.Sprintf("Of %.0f draws, those farthest from the mean of %s, which count as %.1f, have %.0f %% of its variance: how probable they are is not known from so few, and its standard deviation may be off by a factor of %g.",
			n, name, worst.Draws, 100*worst.Share, wrongFactor),
		Remedy: "Make more draws, or report quantiles.",
	}, true
}

// Unknown reports whether the draws do not tell the standard deviation.
func (t Tail) Unknown() bool { return t.Chance > rareChance }

// unusual is the weight of the draws that do not have the most frequent value, where that has
// more than half of the weight; 0 otherwise.
func unusual(x, w []float64) float64 {
	at := make([]int, len(x))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(i, j int) int { return cmp.Compare(x[i], x[j]) })
	most, usual, run := 0.0, 0.0, 0.0
	for k, i := range at {
		if k > 0 && x[i] != x[at[k-1]] {
			run = 0
		}
		if run += w[i]; run > most {
			most, usual = run, x[i]
		}
	}
	if most <= 0.5 {
		return 0
	}
	others := 0.0
	for i, v := range x {
		if v != usual {
			others += w[i]
		}
	}
	return others
}

// A Tail is the part of a quantity's draws that its standard deviation depends on.
type Tail struct {
	Chance float64 // see rare; 0 where no few draws matter
	Draws  float64 // effective number of draws there
	Share  float64 // of the variance, that is theirs
}

// mostTail is how many independent draws tell how probable the tail is that they are in.
const mostTail = 13

// tailMass is how much of the mass a tail has at most.
const tailMass = 0.2

// Farthest is the tail of which the draws say least how probable it is: the draws that are farthest
// from the mean, up to some distance; without draws where all tails are known. Weights sum to 1, and nil stands for equal ones. Draws of one group count as
// one; nil stands for groups of one.
func Farthest(x, w []float64, group []int) (worst Tail) {
	n := float64(len(x))
	weight := func(i int) float64 {
		if w == nil {
			return 1 / n
		}
		return w[i]
	}
	mean, variance := 0.0, 0.0
	at := make([]int, len(x))
	for i, v := range x {
		at[i] = i
		mean += float64(weight(i) * v)
	}
	far := func(i int) float64 { return (x[i] - mean) * (x[i] - mean) }
	for i := range x {
		variance += float64(weight(i) * far(i))
	}
	order := func(i, j int) int { return cmp.Or(cmp.Compare(far(j), far(i)), cmp.Compare(i, j)) }
	sorted := outermost(at, func(i int) bool { return far(i) > 4*variance })
	slices.SortFunc(at[:sorted], order)
	sums := map[int]float64{} // weights, by group
	total, square, part := 0.0, 0.0, 0.0
	for k := range at {
		if k+1 >= sorted && sorted < len(at) { // the next is looked at, too
			slices.SortFunc(at[sorted:], order)
			sorted = len(at)
		}
		i := at[k]
		g := i
		if group != nil {
			g = group[i]
		}
		old := sums[g]
		sums[g] = old + weight(i)
		total += weight(i)
		square += float64(sums[g]*sums[g]) - float64(old*old)
		part += float64(weight(i) * far(i))
		count := total * total / square
		if count > mostTail || total > tailMass {
			break
		}
		if k+1 < len(at) && far(at[k+1]) == far(i) || !(weight(i) > 0) {
			continue
		}
		least := max(worst.Chance, rareChance)
		if chance := tailChance(count, part/variance, least); chance > least {
			worst = Tail{chance, count, part / variance}
		}
	}
	return worst
}

// outermost puts those that are outside first, and returns how many: mostly all that a tail is made of, so that the others
// need no order.
func outermost(at []int, outside func(i int) bool) (n int) {
	for k, i := range at {
		if outside(i) {
			at[n], at[k] = i, at[n]
			n++
		}
	}
	return n
}

// tailChance is the probability to see so few draws in a tail that is so much more probable, or so many in one
// that is so much less, that the standard deviation is wrong by wrongFactor: with c times the probability the
// variance is 1 + (c-1) share of what it is. Counts are Poisson. Chances that surely are not above least are
// left out, since an incomplete gamma function takes a hundred times as long as a bound on it.
func tailChance(count, share, least float64) (chance float64) {
	more := float64(count * (1 + float64((wrongFactor*wrongFactor-1)/share)))
	if gammaBound(count+1, more) > least {
		chance = special.IncGamma(count+1, more).Q
	}
	less := float64(count * (1 - float64((1-1/float64(wrongFactor*wrongFactor))/share)))
	if less > 0 && gammaBound(count, less) > least {
		chance = max(chance, special.IncGamma(count, less).P)
	}
	return chance
}

// gammaBound bounds the probability that a gamma variate of a shape is beyond x, on the side of x that its
// mean is not on (Chernoff's bound).
func gammaBound(shape, x float64) float64 {
	return libm.Exp(shape - x + float64(shape*libm.Log(x/shape)))
}

// rarer is the probability that an event is seen in a share of n draws or in more, if its own
// probability is as far below the share as wrongMean of its standard deviation: p + wrongMean sqrt(p) = share,
// and counts are Poisson.
func rarer(share, n float64) float64 {
	root := (math.Sqrt(float64(wrongMean*wrongMean)+float64(4*share)) - wrongMean) / 2
	return special.IncGamma(float64(share*n), float64(n*root*root)).P
}
