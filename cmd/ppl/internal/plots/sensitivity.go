// This file shows how far a fit depends on its priors.

package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/diagnose/sensitivity"
)

// mostSensitive is how many variables are shown.
const mostSensitive = 12

// sensitivityFigures show the variables that the priors move most: with half and with twice the priors' weight, and their sensitivities.
func sensitivityFigures(f *sensitivity.Figures) []*Figure {
	vars := slices.Clone(f.Variables)
	slices.SortStableFunc(vars, func(a, b sensitivity.VariableFigure) int {
		return cmp.Compare(b.Prior.Sensitivity, a.Prior.Sensitivity)
	})
	vars = vars[:min(len(vars), mostSensitive)]
	if len(vars) == 0 {
		return nil
	}
	fig := &Figure{
		Name: "sensitivity", Title: "Weight of the priors",
		Note: "Mean and one standard deviation to either side with half, with the stated and with twice the weight of the priors, in standard deviations of the fit. " +
			"A variable beyond the dashed line depends on its prior, or on the likelihood.",
	}
	moved := &Panel{Title: "with other weights", X: Axis{Label: "shift (sds)"}, Height: 62 + 1.6*rowHeight*float64(len(vars))}
	how := &Panel{Title: "sensitivity", X: Axis{Label: "distance for a doubling"}, Height: moved.Height}
	powers := slices.Clone(f.Powers)
	powers = slices.Insert(powers, min(1, len(powers)), sensitivity.PowerFigure{Power: 1})
	for i, p := range powers {
		label := fmt.Sprintf("%g times", float64(p.Power))
		if p.Refit {
			label += " (a fit)"
		}
		fig.Legend = append(fig.Legend, Key{label, Series(i), DotShape})
		var x, y []float64
		for row, v := range vars {
			m := sensitivity.MomentFigure{Mean: v.Mean, SD: v.SD}
			if p.Power != 1 {
				m = p.Variables[v.Name]
			}
			at, mid := float64(row)+0.25*float64(i-1), float64((m.Mean-v.Mean)/v.SD)
			if sd := float64(m.SD / v.SD); finite(mid) && finite(sd) {
				moved.add(line{[]float64{mid - sd, mid + sd}, []float64{at, at}, stroke{color: Series(i), width: 1.6}})
				x, y = append(x, mid), append(y, at)
			}
		}
		moved.add(dots{x: x, y: y, radius: 2.8, color: Series(i)})
	}
	for i, of := range []func(sensitivity.VariableFigure) float64{
		func(v sensitivity.VariableFigure) float64 { return float64(v.Prior.Sensitivity) },
		func(v sensitivity.VariableFigure) float64 { return float64(v.Likelihood.Sensitivity) },
	} {
		fig.Legend = append(fig.Legend, Key{[]string{"to the priors", "to the likelihood"}[i], Series(3 + i), DotShape})
		var x, y []float64
		for row, v := range vars {
			if s := of(v); finite(s) {
				x, y = append(x, s), append(y, float64(row))
			}
		}
		how.add(dots{x: x, y: y, radius: 3.2, color: Series(3 + i)})
	}
	edge := float64(f.Threshold)
	how.add(line{[]float64{edge, edge}, []float64{-0.5, float64(len(vars)) - 0.5}, stroke{color: Faint, width: 1, dash: true}})
	for _, p := range []*Panel{moved, how} {
		for _, v := range vars {
			p.Y.Names = append(p.Y.Names, v.Name)
		}
	}
	how.X.Range = []float64{0, math.Max(2*edge, most(how))}
	fig.Panels = []*Panel{moved, how}
	if n := len(f.Variables); n > len(vars) {
		fig.Note += fmt.Sprintf(" Shown are the %d most sensitive of %d variables.", len(vars), n)
	}
	return []*Figure{fig}
}

// most is the greatest coordinate of a panel's marks.
func most(p *Panel) float64 {
	x, y := nothing, nothing
	for _, m := range p.marks {
		m.extend(&x, &y)
	}
	return x.hi
}
