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
	// quarter is how far away the posterior's means may be with so many standard errors, in standard
	// deviations, and quarterFactor is as much in the log of one.
	quarter       = 0.25
	quarterFactor = 0.223
	reaches       = 3
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
		if found++; found == 1 || d.beyond(worst) {
			worst = d
		}
	}
	if found == 0 {
		return f, false
	}
	return worst.finding(p), true
}

// finding judges the difference by what is sure of it. One that may be chance is a doubt, unless a
// population confirms the draws' moments.
func (d difference) finding(p *infer.Posterior) Finding {
	value := d.size()
	unsure := d.reach() > 1 && d.sure() <= weightedGood
	if unsure && closely(p) {
		value, unsure = min(value, weightedGood), false
	}
	m := Measure{Value: value, Values: distinct(p.Draws, leastWeighted), Least: leastWeighted}
	f := Finding{
		Name: "weighted_moments", Severity: m.AtMost(weightedGood, weightedBad), Value: draws.Number(value), Threshold: weightedGood,
		Quantity: "largest difference that importance weights make, of " + d.name,
		Meaning:  "Means and standard deviations stay as they are when the draws are weighted by the importance ratios.",
	}
	if f.Severity != Good || unsure {
		f.Meaning = fmt.Sprintf("Weighted by the importance ratios, %s has mean %.3g and standard deviation %.3g; the approximation has %.3g and %.3g.", d.name, d.weighted[0], d.weighted[1], d.plain[0], d.plain[1])
		f.Remedy = "Use a richer approximation, or sample with nuts."
	}
	if unsure {
		f.Severity = Worse(None, Warning)
		f.Meaning += " Within three standard errors the posterior's may be more than a quarter of a standard deviation away."
		f.Remedy = "Make more draws, which settle it; or use a richer approximation, or sample with nuts."
	}
	return f
}

// leastWeighted is how many draws there must be.
const leastWeighted = 50

// difference is what weights do to a column.
type difference struct {
	name            string
	plain, weighted [2]float64 // mean, standard deviation
	shift, factor   uncertain  // of the mean in standard deviations, and of the log of the standard deviation
}

// uncertain is an absolute difference, its standard error, and that of what the weighted draws say beyond the error
// that as many draws from the posterior have.
type uncertain struct{ value, err, weightedErr float64 }

// reach is how far away the posterior's moment may be.
func (u uncertain) reach() float64 { return u.value + float64(reaches*u.weightedErr) }

// sure is the value where it is not owed to chance, and 0 otherwise.
func (u uncertain) sure() float64 {
	if u.value < float64(surely*u.err) {
		return 0
	}
	return u.value
}

// reach is how far away the posterior's moments may be, in units of a quarter of a standard deviation.
func (d difference) reach() float64 {
	return max(d.shift.reach()/quarter, d.factor.reach()/quarterFactor)
}

func (d difference) size() float64 { return max(d.shift.value, d.factor.value) }

func (d difference) sure() float64 { return max(d.shift.sure(), d.factor.sure()) }

// beyond reports whether d is the greater one: by what is sure of it where that is beyond the bound.
func (d difference) beyond(e difference) bool {
	if a, b := d.sure(), e.sure(); a > weightedGood || b > weightedGood {
		return a > b
	}
	return d.reach() > e.reach()
}

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
	// The errors of the differences are those of sums of (w - 1/n) f, of the weighted moments of w f, of which
	// as many draws from the posterior itself have a part: that of 1/n f says nothing about the approximation.
	var mean, square, weightedMean, weightedSquare float64
	for i, v := range x {
		z := (v - d.weighted[0]) / d.weighted[1]
		e, excess := w[i]-1/n, (float64(z*z)-1)/2
		mean += float64(e * e * z * z)
		square += float64(e * e * excess * excess)
		uneven := float64(w[i]*w[i]) - float64(1/n/n)
		weightedMean += float64(uneven * z * z)
		weightedSquare += float64(uneven * excess * excess)
	}
	d.shift = uncertain{math.Abs(d.plain[0]-d.weighted[0]) / d.weighted[1], math.Sqrt(mean), math.Sqrt(max(weightedMean, 0))}
	d.factor = uncertain{math.Abs(libm.Log(d.plain[1] / d.weighted[1])), math.Sqrt(square), math.Sqrt(max(weightedSquare, 0))}
	return d, true
}
