// This file holds a closed form that was found by values at draws against the log density
// where the new priors move it.

package swap

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/infer"
)

// checkedDraws is how many of the new draws the log density is evaluated at.
const checkedDraws = 40

// check fills in the error of the form at the new draws: what a regression leaves open,
// and how far it is from the log density at some of them. Draws under the old priors cannot
// show that the log density is cut off or another one elsewhere.
func (f *falsePosterior) check(report *infer.SwapReport, p *infer.Posterior) error {
	if f.target == nil {
		return nil
	}
	all := slices.Concat(p.Unconstrained...)
	if found, ok := f.density.(*form); ok {
		for _, q := range all {
			report.FormError = max(report.FormError, found.errorAt(q))
		}
	}
	constant, err := f.over(f.sample[0])
	for _, q := range thinned(all, checkedDraws) {
		if err != nil {
			return err
		}
		var d float64
		d, err = f.over(q)
		report.FormError = max(report.FormError, math.Abs(d-constant))
	}
	return err
}

// over is the log density at q less that of the closed form.
func (f *falsePosterior) over(q []float64) (float64, error) {
	lp, err := infer.FiniteLogDensity(f.target, q)
	return lp - f.density.LogDensity(q), err
}
