package cmdstan

// This file is method=variational. The fit is that of ppl's advi, which finds its own step
// lengths: eta and adapt are taken and have no effect, and elbo_samples and eval_elbo
// neither, since the fit has its own schedule.

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/infer/vi"
)

func (j *job) variational() (err error) {
	at := func(name string) *argument { return j.at("method", "variational", name) }
	init, err := j.init(0, 1)
	if err != nil {
		return err
	}
	o := vi.DefaultOptions()
	o.Family, o.Iterations = at("algorithm").value, j.int("method", "variational", "iter")
	o.Draws, o.Tolerance, o.Init = 1, j.real("method", "variational", "tol_rel_obj"), init
	if given := at("grad_samples"); !given.isDefault() {
		o.Samples = j.int("method", "variational", "grad_samples")
	}
	method, err := vi.New(o)
	if err != nil {
		return err
	}
	line := "------------------------------------------------------------"
	fmt.Fprintf(j.out, "%s\nEXPERIMENTAL ALGORITHM:\n  This procedure has not been thoroughly tested and may be unstable\n  or buggy. The interface is subject to change.\n%s\n\n\n", line, line)
	defer j.model.Bound().TrackRun(j.ctx)()
	clock := &stopwatch{began: time.Now()}
	post, err := method.Run(j.ctx, j.density(), infer.Options{Seed: j.seed, Replicate: uint64(j.id() - 1), Observer: clock})
	if err != nil {
		return j.started(err, false)
	}
	q, ok := post.Density.(*normal.Normal)
	if !ok {
		return errors.Join(errors.New("the fit was stopped before there was an approximation"), j.interrupted())
	}
	j.showBounds(post.Fit)
	return errors.Join(j.writeBounds(post.Fit, clock), j.writeApproximation(q))
}

// A stopwatch notes when the steps of a fit were made.
type stopwatch struct {
	infer.Ignore
	began time.Time
	steps []time.Duration // of step i at i-1
}

// Step implements infer.Observer.
func (s *stopwatch) Step(at infer.Step) {
	if at.Done > len(s.steps) {
		s.steps = append(s.steps, time.Since(s.began))
	}
}

// at is when a part of the way was done.
func (s *stopwatch) at(part float64) time.Duration {
	if len(s.steps) == 0 {
		return time.Since(s.began)
	}
	return s.steps[min(int(part*float64(len(s.steps))), len(s.steps)-1)]
}

// writeBounds writes the diagnostic file: the bound at each stage of the fit.
func (j *job) writeBounds(fit *infer.FitReport, clock *stopwatch) (err error) {
	path := j.text("output", "diagnostic_file")
	if path == "" || len(fit.Trace) == 0 {
		return nil
	}
	t, err := j.newTable(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.close()) }()
	t.header([]string{"iter", "time_in_seconds", "ELBO"})
	last := max(1, fit.Trace[len(fit.Trace)-1].Iteration)
	for _, p := range fit.Trace {
		t.row([]float64{float64(p.Iteration), clock.at(float64(p.Iteration) / float64(last)).Seconds(), p.Objective})
	}
	return t.err
}

// showBounds prints the bounds of the fit's stages.
func (j *job) showBounds(fit *infer.FitReport) {
	fmt.Fprintln(j.out, "Begin stochastic gradient ascent.")
	fmt.Fprintln(j.out, "  iter             ELBO   delta_ELBO_mean   delta_ELBO_med   notes ")
	var changes []float64
	for i, t := range fit.Trace {
		change := 1.0
		if i > 0 {
			change = math.Abs((t.Objective - fit.Trace[i-1].Objective) / t.Objective)
		}
		changes = append(changes, change)
		note := ""
		if i == len(fit.Trace)-1 && fit.Converged {
			note = "   MEAN ELBO CONVERGED"
		}
		recent := slices.Clone(changes[max(0, len(changes)-10):])
		fmt.Fprintf(j.out, "%6d  %15.3f  %16.3f %16.3f%s\n", t.Iteration, t.Objective, draws.Mean([][]float64{recent}), median(recent), note)
	}
	if !fit.Converged {
		fmt.Fprintln(j.out, "Informational Message: The maximum number of iterations is reached! The algorithm may not have converged.")
		fmt.Fprintln(j.out, "This variational approximation is not guaranteed to be meaningful.")
	}
}

func median(x []float64) float64 { return draws.Quantile(draws.Sorted([][]float64{x}), 0.5) }

// writeApproximation writes the mean, in a row with zeros, and the draws.
func (j *job) writeApproximation(q *normal.Normal) (err error) {
	n := j.int("method", "variational", "output_samples")
	fmt.Fprintf(j.out, "\nDrawing a sample of size %d from the approximate posterior... \n", n)
	t, err := j.newTable(j.text("output", "file"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.close()) }()
	t.header([]string{draws.LogDensityColumn, draws.LogTargetColumn, draws.LogApproximationColumn}, j.model.Columns())
	t.comment("Stepsize adaptation complete.\neta = " + j.text("method", "variational", "eta"))
	w := j.newRowWriter(0)
	if err := w.write(q.Mean()); err != nil {
		return err
	}
	t.row([]float64{0, 0, 0}, w.row)
	stream := rng.New(j.seed, "cmdstan/variational", 0, uint64(j.id()-1))
	point := make([]float64, q.Dim())
	for range n {
		q.Draw(stream, point)
		lp, err := infer.FiniteLogDensity(w.Evaluator, point)
		if err != nil {
			return err
		}
		if err := w.write(point); err != nil {
			return err
		}
		t.row([]float64{0, lp, q.LogDensity(point)}, w.row)
	}
	fmt.Fprintln(j.out, "COMPLETED.")
	return t.err
}
