// This file looks for values that too few draws have: of an event that one draw in a hundred shows, the
// probability is not known.

package diagnose

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

// rareCheck is the name of the finding.
const rareCheck = "rare_values"

// The mean of an indicator may be off by a wrong answer's share of its standard deviation with a
// probability of rareChance at most.
const (
	wrongMean  = 0.35
	rareChance = 0.025
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

// rarer is the probability that an event is seen in a share of n draws or in more, if its own
// probability is as far below the share as wrongMean of its standard deviation: p + wrongMean sqrt(p) = share,
// and counts are Poisson.
func rarer(share, n float64) float64 {
	root := (math.Sqrt(float64(wrongMean*wrongMean)+float64(4*share)) - wrongMean) / 2
	return special.IncGamma(float64(share*n), float64(n*root*root)).P
}
