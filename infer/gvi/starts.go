// This file finds the optimum of a loss that is not convex. A robust loss is flat far from the
// data that it takes for outliers, so that where a fit begins decides where it ends, and
// Pathfinder's normal for the usual posterior is where outliers have drawn that. So the fit
// is made again along losses of orders that grow from the likelihood's, 1, to the one that is
// asked for (graduated non-convexity: Blake and Zisserman, "Visual reconstruction", 1987). Whatever the
// loss, it is made once more from the point that init gives, if any; the least objective counts. With
// Starts there are that many fits: at each point that init gives, then from Pathfinder's normals for
// random points.

package gvi

import (
	"errors"
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/approx"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/rng"
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
	given, _, err := r.given(0)
	if err != nil {
		return first, err
	}
	if given != nil {
		starts = append(starts, given)
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

// given is a narrow normal at the point that init gives for a start, and the point; nil where there is none.
func (r *run) given(k int) (*normal.Normal, []float64, error) {
	if k >= len(r.fit.Init.Points) {
		return nil, nil, nil
	}
	state := infer.State{Q: make([]float64, r.ev.Dim())}
	if err := r.fit.Init.Start(r.src.stopping, k, rng.New(r.options.Seed, rng.Init, uint64(k), r.options.Replicate), &state); err != nil {
		return nil, nil, err
	}
	return normal.NewDiagonal(state.Q, same(len(state.Q), givenSD)), state.Q, nil
}

// severally makes the fit from each of Starts starts and returns the one with the least objective. The
// report of the run has the objectives of all, NaN of one that got nowhere.
func (r *run) severally(rec *infer.Recorder, e energy, way []func(r *run) (energy, error)) (best *fitter, err error) {
	p := rec.Posterior()
	var trace []infer.TracePoint
	iterations, failed := 0, error(nil)
	for k := range r.fit.Starts {
		f, from, problem := r.from(rec, e, k, way)
		if problem == nil || f != nil && infer.IsInterrupted(problem) {
			for _, t := range f.report.Trace {
				t.Path = k
				trace = append(trace, t)
			}
			iterations += f.report.Iterations
			p.Fit.Starts = append(p.Fit.Starts, r.objective(f))
			if best == nil || f.better(best) {
				best, p.Chains[0].Init = f, from
			}
		} else if errors.Is(problem, errNowhere) {
			p.Fit.Starts, failed = append(p.Fit.Starts, math.NaN()), problem
		} else {
			return best, problem
		}
		if infer.IsInterrupted(problem) {
			err = problem
			break
		}
	}
	if best == nil {
		return nil, failed
	}
	best.report.Trace, best.report.Iterations, best.report.Starts = trace, iterations, p.Fit.Starts
	return best, err
}

// objective is what a fit has ended at: NaN where it says that it has converged, and has run away or collapsed,
// which its report says then.
func (r *run) objective(f *fitter) float64 {
	said := f.report.Converged
	if g, ok := f.energy.(*generalised); ok {
		r.finite(g, f.best, f.report)
	}
	stream, points := r.stream("/sound"), make([][]float64, 100)
	for i := range points {
		points[i] = make([]float64, f.best.Dim())
		f.best.Draw(stream, points[i])
	}
	f.report.Objective = &infer.Estimate{Value: f.value}
	if approx.Sound(r.ev, f.best, points, f.report); said && !f.report.Converged {
		return math.NaN()
	}
	return f.value
}

// better reports whether a fit comes before another: one that has converged before one that has not,
// whose objective need not be one, else the one with less.
func (f *fitter) better(g *fitter) bool {
	if f.report.Converged != g.report.Converged {
		return f.report.Converged
	}
	return f.value < g.value || math.IsNaN(g.value)
}

// from makes the fit from start k, which is returned with it.
func (r *run) from(rec *infer.Recorder, e energy, k int, way []func(r *run) (energy, error)) (*fitter, []float64, error) {
	r.began = k
	n, from, err := r.given(k)
	r.obeyed = n != nil
	if err == nil && n == nil {
		n, _, from, err = r.path(r.place(k))
	}
	if n == nil || err != nil {
		return nil, from, err
	}
	f, err := r.fitter(rec, e, n, &infer.FitReport{ParetoK: math.NaN()})
	if err != nil {
		return nil, from, err
	}
	if err = f.run(); k == 0 && !r.obeyed && len(way) > 0 && !infer.IsInterrupted(err) {
		f, err = r.least(rec, f, err, n, way)
	}
	return f, from, err
}

func same(n int, v float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = v
	}
	return out
}
