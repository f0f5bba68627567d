// This file compares an approximation's draws with themselves, weighted by the importance
// ratios: where the weights hold, they say what the posterior's moments are.

package diagnose

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/psis"
)

// The bounds on the difference that weights make, in standard deviations for means and in the
// log for standard deviations; they are ours.
const (
	weightedGood = 0.2
	weightedBad  = 1
	// surely is how many standard errors a difference must be away from 0: of many columns
	// some are three away by chance.
	surely = 4
)

// weightedMoments compares means and standard deviations of all columns with and without the
// weights; ok is false where the draws do not say what their ratios are, the weights do
// not hold, or the approximation is one of something else than the posterior.
func weightedMoments(p *infer.Posterior) (f Finding, ok bool) {
	target, own := p.Draws.Column(draws.LogTargetColumn), p.Draws.Column(draws.LogApproximationColumn)
	if target == nil || own == nil || p.Fit != nil && p.Fit.Elsewhere {
		return f, false
	}
	ratios := slices.Concat(target...)
	for i, v := range slices.Concat(own...) {
		ratios[i] -= v
	}
	smooth := psis.Smooth(ratios, 1)
	if !smooth.Trusted() || len(ratios) < leastWeighted {
		return f, false
	}
	worst, found := difference{}, 0
	for _, name := range p.Draws.Columns() {
		d, ok := weigh(slices.Concat(p.Draws.Column(name)...), smooth.LogWeights)
		if !ok {
			continue
		}
		d.name = name
		if found++; found == 1 || d.size() > worst.size() {
			worst = d
		}
	}
	if found == 0 {
		return f, false
	}
	m := Measure{Value: worst.size(), Values: distinct(p.Draws, leastWeighted), Least: leastWeighted}
	f = Finding{
		Name: "weighted_moments", Severity: m.AtMost(weightedGood, weightedBad), Value: draws.Number(worst.size()), Threshold: weightedGood,
		Quantity: "largest difference that importance weights make, of " + worst.name,
		Meaning:  "Means and standard deviations stay as they are when the draws are weighted by the importance ratios.",
	}
	if f.Severity != Good {
		f.Meaning = fmt.Sprintf("Weighted by the importance ratios, %s has mean %.3g and standard deviation %.3g; the approximation has %.3g and %.3g.", worst.name, worst.weighted[0], worst.weighted[1], worst.plain[0], worst.plain[1])
		f.Remedy = "Use a richer approximation, or sample with nuts."
	}
	return f, true
}

// leastWeighted is how many draws there must be.
const leastWeighted = 50

// difference is what weights do to a column.
type difference struct {
	name            string
	plain, weighted [2]float64 // mean, standard deviation
	shift, factor   float64    // as far as they are surely not 0
}

func (d difference) size() float64 { return max(d.shift, d.factor) }

// weigh compares moments with normalised log weights and without; ok is false for a column
// that is constant or not finite.
func weigh(x, logw []float64) (d difference, ok bool) {
	n := float64(len(x))
	w := make([]float64, len(x))
	for i, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return d, false
		}
		w[i] = libm.Exp(logw[i])
		d.plain[0] += v / n
		d.weighted[0] += float64(w[i] * v)
	}
	for i, v := range x {
		d.plain[1] += float64((v - d.plain[0]) * (v - d.plain[0]) / (n - 1))
		d.weighted[1] += float64(w[i] * (v - d.weighted[0]) * (v - d.weighted[0]))
	}
	d.plain[1], d.weighted[1] = math.Sqrt(d.plain[1]), math.Sqrt(d.weighted[1])
	if m, s := d.weighted[0], d.weighted[1]; !(s > 1e-10*math.Abs(m)) || d.plain[1] == 0 {
		return d, false
	}
	// The errors are those of the differences: of sums of (w - 1/n) f.
	var mean, square float64
	for i, v := range x {
		z := (v - d.weighted[0]) / d.weighted[1]
		e := w[i] - 1/n
		mean += float64(e * e * z * z)
		excess := float64(z*z) - 1
		square += float64(e * e * excess * excess / 4)
	}
	d.shift = sure(math.Abs(d.plain[0]-d.weighted[0])/d.weighted[1], math.Sqrt(mean))
	d.factor = sure(math.Abs(libm.Log(d.plain[1]/d.weighted[1])), math.Sqrt(square))
	return d, true
}

// sure is a difference that is not owed to chance, and 0 otherwise.
func sure(value, err float64) float64 {
	if value > weightedGood && value < float64(surely*err) {
		return weightedGood
	}
	return value
}
