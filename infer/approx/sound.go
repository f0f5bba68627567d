// This file keeps a fit that ran away or collapsed from being called converged.

package approx

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/infer"
)

// An approximation that estimates some coordinates by a point says which.
type pointed interface{ Fixed() []int }

const (
	// narrowest is the least curvature of the log density over a standard deviation of the
	// approximation: a thousandth of the posterior's scale, squared. The best normal has
	// about 1, and one that collapses to a point has 0.
	narrowest = 1e-6
	// rounding is the least standard deviation over the mean: beyond it numbers have no digits.
	rounding = 1e-12
	// mostLooked is how many coordinates are looked at, the narrowest first.
	mostLooked = 20
	// furthest is how far an objective may fall below where it began, in units of its size
	// there, before it counts as falling without bound.
	furthest = 1e8
)

// Sound takes the word from a fit that its optimiser calls converged where the objective
// fell without bound or a scale has gone to zero: no objective whose optimum is a density
// does either. points are draws from a.
func Sound(t infer.Target, a infer.Approximation, points [][]float64, report *infer.FitReport) {
	if !report.Converged {
		return
	}
	if fallen(report) {
		report.Converged = false
		report.Stop += ", but the objective fell without bound: loss and divergence have no minimum together, or it was not reached"
		return
	}
	if j, ratio := collapsed(t, a, points); j >= 0 {
		report.Converged = false
		report.Stop += fmt.Sprintf(", but the approximation has collapsed: in coordinate %d it is %.2g times as wide as the posterior is there; "+
			"the divergence does not keep it from being a point", j+1, ratio)
	}
}

// fallen looks at the objective, which is minimised.
func fallen(report *infer.FitReport) bool {
	o := report.Objective
	if o == nil {
		return false
	}
	if math.IsNaN(o.Value) || math.IsInf(o.Value, 0) {
		return true
	}
	for _, t := range report.Trace {
		if !math.IsNaN(t.Objective) && !math.IsInf(t.Objective, 0) {
			return o.Value < t.Objective-float64(furthest*max(1, math.Abs(t.Objective)))
		}
	}
	return false
}

// collapsed finds a coordinate along which the log density hardly bends over a standard
// deviation of the draws, -1 where there is none; ratio is the root of the bend. A
// coordinate where the density cannot be evaluated is passed over.
func collapsed(t infer.Target, a infer.Approximation, points [][]float64) (coordinate int, ratio float64) {
	if len(points) < 2 {
		return -1, 0
	}
	mean, sd := spread(points)
	continuous := len(mean)
	if m, ok := infer.Capability[infer.Mixed](t); ok {
		continuous -= len(m.Whole())
	}
	at := make([]int, 0, continuous)
	for j := range continuous {
		at = append(at, j)
	}
	if p, ok := a.(pointed); ok {
		at = slices.DeleteFunc(at, func(j int) bool { return slices.Contains(p.Fixed(), j) })
	}
	slices.SortStableFunc(at, func(i, j int) int {
		if sd[i] < sd[j] {
			return -1
		}
		return 1
	})
	middle, err := t.LogDensity(mean)
	if err != nil {
		return -1, 0
	}
	for _, j := range at[:min(len(at), mostLooked)] {
		if sd[j] <= rounding*math.Abs(mean[j]) {
			return j, 0
		}
		bend := 2 * middle
		for _, side := range []float64{-1, 1} {
			before := mean[j]
			mean[j] += float64(side * sd[j])
			lp, err := t.LogDensity(mean)
			mean[j] = before
			if err != nil {
				lp = math.NaN()
			}
			bend -= lp
		}
		if math.Abs(bend) < narrowest {
			return j, math.Sqrt(math.Abs(bend))
		}
	}
	return -1, 0
}

func spread(points [][]float64) (mean, sd []float64) {
	n := float64(len(points))
	mean, sd = make([]float64, len(points[0])), make([]float64, len(points[0]))
	for i, q := range points {
		for j, x := range q {
			d := x - mean[j]
			mean[j] += d / float64(i+1)
			sd[j] += d * (x - mean[j]) / (n - 1)
		}
	}
	for j, v := range sd {
		sd[j] = math.Sqrt(v)
	}
	return mean, sd
}
