// This file finds the optimum of a loss that is not convex. A robust loss is flat far from the
// data that it takes for outliers, so that where a fit begins decides where it ends, and
// Pathfinder's normal for the usual posterior is where outliers have drawn that. So the fit
// is made again along losses of orders that grow from the likelihood's, 1, to the one that is
// asked for (graduated non-convexity: Blake and Zisserman, "Visual reconstruction", 1987), and
// once more from the point that init gives, if any; the least objective counts.

package gvi

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/normal"
)

const (
	grades   = 12  // orders on the way
	gradient = 4.0 // by which the distance of an order from 1 grows from one to the next
	givenSD  = 0.1 // standard deviations about a point that init gives
)

// graduated are the losses on the way to a robust one: nil for others.
func (m *Method) graduated() []func(r *run) (energy, error) {
	if m.options.Loss.Own != nil {
		return []func(r *run) (energy, error){m.energy}
	}
	if m.options.Loss.Name == "nll" {
		return nil
	}
	var out []func(r *run) (energy, error)
	for k := grades; k >= 0; k-- {
		o := m.options
		o.Loss.Order = 1 + float64((o.Loss.Order-1)*libm.Pow(gradient, -float64(k)))
		if o.Loss.Order != 1 {
			out = append(out, (&Method{o}).energy)
		}
	}
	return out
}

// least makes the fit along a way, whose last energy is the fit's own, and from the given
// point, and returns the one with the least objective.
func (r *run) least(rec *infer.Recorder, first *fitter, failed error, start *normal.Normal, way []func(r *run) (energy, error)) (*fitter, error) {
	var on []energy
	for _, make := range way {
		e, err := make(r)
		if err != nil {
			return first, err
		}
		on = append(on, e)
	}
	last := len(on) - 1
	starts := []*normal.Normal{start}
	if points := r.fit.Init.Points; len(points) > 0 && len(points[0]) == start.Dim() {
		starts = append(starts, normal.NewDiagonal(append([]float64(nil), points[0]...), same(start.Dim(), givenSD)))
	}
	best, err := first, failed
	for i, from := range starts {
		if i == 0 && last == 0 {
			continue // the same fit again
		}
		f, problem := r.fitter(rec, on[last], from, &infer.FitReport{ParetoK: math.NaN()})
		if problem != nil {
			return best, problem
		}
		if i == 0 {
			f.way = on[:last]
		}
		problem = f.run()
		if infer.IsInterrupted(problem) {
			return best, problem
		}
		if problem == nil && (err != nil || best.best == nil || f.value < best.value || math.IsNaN(best.value)) {
			best, err = f, nil
		}
	}
	return best, err
}

func same(n int, v float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = v
	}
	return out
}
