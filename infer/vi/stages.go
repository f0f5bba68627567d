// This file runs the stages of a fit and judges their results.

package vi

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/approx"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// errLost reports that the fit found no place to stand.
var errLost = errors.New("advi: the log density is rejected nearly everywhere around the approximation, however narrow; other starting values or tighter priors may help")

// traceEvery is the number of steps that a point of the trace averages.
const traceEvery = 50

// fitter takes a stepper through its stages.
type fitter struct {
	*stepper
	full       infer.Target // for comparisons, without minibatches
	polishes   bool         // means are polished: not with minibatches
	tolerance  float64
	iterations int                        // at most
	compare    func(stage int) *rand.Rand // the draws that results are compared on
	onStep     func()
	report     *infer.FitReport

	done    int // steps made
	stage   int
	average []float64
	bounds  []float64 // of the later half of a stage
	window  []float64 // of the trace's next point
	best    *normal.Normal
	kept    [][]float64 // noise that results of stage keptOf are compared on
	keptOf  int
}

// judged is a stage's result.
type judged struct {
	q      *normal.Normal
	params []float64
	bound  infer.Estimate // over the stage's later half
}

// run makes stages until the result stands still or the steps are used up. On
// an error, interruption included, best is what there is.
func (f *fitter) run() error {
	f.average = make([]float64, len(f.fam.params()))
	f.best = f.fam.normal()
	length := max(f.iterations/50, min(100, f.iterations))
	if f.polishes {
		if err := f.polish(f.pairs); err != nil {
			return err
		}
		f.best = f.fam.normal()
	}
	var last *judged
	for {
		left := f.iterations - f.done
		if n := length; left-n < n+n/2 {
			length = left // what is left would make no stage of its own
		}
		now, err := f.oneStage(length)
		if err != nil {
			f.report.Stop = "interrupted"
			return err
		}
		f.best = now.q
		if last != nil {
			if f.report.Converged, err = f.converged(last, now); err != nil {
				f.report.Stop = "interrupted"
				return err
			}
		}
		if f.report.Converged {
			f.report.Stop = "bound and approximation stand still"
			return nil
		}
		if f.done >= f.iterations {
			f.report.Stop = "the iteration limit was reached"
			return nil
		}
		if last != nil && now.bound.Value-last.bound.Value < 2*libm.Hypot(now.bound.Error, last.bound.Error) {
			f.limit /= 2
		}
		last = now
		length += length / 2
	}
}

// converged compares the results of two stages.
func (f *fitter) converged(a, b *judged) (bool, error) {
	change := math.Abs(b.bound.Value - a.bound.Value)
	moved := math.Sqrt((normal.KL(a.q, b.q) + normal.KL(b.q, a.q)) / float64(b.q.Dim()))
	if change > float64(f.tolerance*max(1, math.Abs(b.bound.Value)))+2*libm.Hypot(a.bound.Error, b.bound.Error) || moved > 5*f.tolerance {
		return false, nil
	}
	if moved <= 2*f.tolerance {
		return true, nil
	}
	// A flat top: it moves, but gains nothing by it.
	gain, err := f.gain(a.params, b.params)
	return err == nil && math.Abs(gain.Value)+2*gain.Error <= f.tolerance, err
}

// gain is by how much the bound at b is larger than at a, on the same draws.
func (f *fitter) gain(a, b []float64) (infer.Estimate, error) {
	old, err := f.ratios(a)
	if err != nil {
		return infer.Estimate{}, err
	}
	now, err := f.ratios(b)
	if err != nil {
		return infer.Estimate{}, err
	}
	floats.Sub(now, old)
	return *approx.Bound(now), nil
}

// oneStage makes n steps and leaves the family at the better of the average
// over the later half and the last point. Minibatches are anchored at its mean.
func (f *fitter) oneStage(n int) (*judged, error) {
	if f.sub != nil {
		var err error
		if f.anchor, err = newAnchor(f.sub, f.terms, f.fam.params()[:f.full.Dim()]); err != nil {
			return nil, err
		}
		f.evaluations++
	}
	clear(f.average)
	f.bounds = f.bounds[:0]
	averaged := 0
	for i := range n {
		bound, err := f.step()
		if err != nil {
			return nil, err
		}
		if f.lost > 200 {
			return nil, errLost
		}
		f.done++
		f.report.Iterations, f.report.Evaluations = f.done, f.evaluations
		f.trace(bound)
		f.onStep()
		if i >= n/2 {
			averaged++
			vec.AddVV.Map(f.average, f.average, f.fam.params())
			if !math.IsNaN(bound) {
				f.bounds = append(f.bounds, bound)
			}
		}
	}
	f.stage++
	floats.Scale(1/float64(averaged), f.average)
	if err := f.choose(n); err != nil {
		return nil, err
	}
	return &judged{q: f.fam.normal(), params: slices.Clone(f.fam.params()), bound: batchMean(f.bounds)}, nil
}

// choose sets the family to the average, unless the average with its mean
// polished or the last point has a larger bound on the same draws by more than
// chance: twice the standard error of the difference.
func (f *fitter) choose(length int) error {
	last := slices.Clone(f.fam.params())
	polished := slices.Clone(f.average)
	if f.polishes {
		f.fam.set(polished)
		if err := f.polish(max(f.pairs, length*f.pairs/50)); err != nil {
			return err
		}
		copy(polished, f.fam.params())
	}
	best := f.average
	top, err := f.ratios(best)
	if err != nil {
		return err
	}
	for _, p := range [][]float64{polished, last} {
		r, err := f.ratios(p)
		if err != nil {
			return err
		}
		if better(r, top) {
			best, top = p, r
		}
	}
	f.fam.set(best)
	return nil
}

// better compares two sets of log ratios on the same draws. Ratios of -Inf in
// b alone decide for a, in a against it.
func better(a, b []float64) bool {
	d := make([]float64, len(a))
	for i := range d {
		switch {
		case math.IsInf(a[i], -1):
			return false
		case math.IsInf(b[i], -1):
			return true
		}
		d[i] = a[i] - b[i]
	}
	e := approx.Bound(d)
	return e.Value > 2*e.Error
}

// comparisons is on how many draws results are compared, and keepNoise the greatest number
// of numbers of noise that are kept for it.
const (
	comparisons = 500
	keepNoise   = 1 << 20
)

// ratios are log p - log q over the stage's draws for some parameters.
func (f *fitter) ratios(params []float64) ([]float64, error) {
	f.fam.set(params)
	draw := f.stageNoise()
	out := make([]float64, 0, comparisons)
	for len(out) < comparisons {
		n := min(f.pairs, comparisons-len(out))
		noise := draw(len(out), n)
		f.fam.place(noise, f.points.Q[:n])
		f.points.Densities(f.full, n)
		f.evaluations += n
		for k, e := range noise {
			lp, err := f.points.Finite(k)
			if err != nil {
				return nil, err
			}
			out = append(out, lp-f.fam.logDensity(e))
		}
	}
	return out, nil
}

// stageNoise returns the noise of the stage's draws: n from one on.
func (f *fitter) stageNoise() func(from, n int) [][]float64 {
	draw := func(r *rand.Rand, noise [][]float64) [][]float64 {
		for _, e := range noise {
			for i := range e {
				e[i] = variate.Normal(r)
			}
		}
		return noise
	}
	if size := f.fam.noise(); comparisons*size > keepNoise {
		r := f.compare(f.stage)
		return func(_, n int) [][]float64 { return draw(r, f.noise[:n]) }
	}
	if f.kept == nil || f.keptOf != f.stage {
		if f.kept == nil {
			f.kept = make([][]float64, comparisons)
			for k := range f.kept {
				f.kept[k] = make([]float64, f.fam.noise())
			}
		}
		draw(f.compare(f.stage), f.kept)
		f.keptOf = f.stage
	}
	return func(from, n int) [][]float64 { return f.kept[from : from+n] }
}

// trace keeps the averages of successive bounds.
func (f *fitter) trace(bound float64) {
	if !math.IsNaN(bound) {
		f.window = append(f.window, bound)
	}
	if f.done%traceEvery != 0 || len(f.window) == 0 {
		return
	}
	e := approx.Bound(f.window)
	f.report.Trace = append(f.report.Trace, infer.TracePoint{Iteration: f.done - traceEvery, Objective: e.Value, Error: e.Error})
	f.window = f.window[:0]
}

// batchMean is the mean of a series with the standard error that the means of
// ten stretches of it have, so that slow movement counts.
func batchMean(x []float64) infer.Estimate {
	const stretches = 10
	if len(x) < 2*stretches {
		if e := approx.Bound(x); e != nil {
			return *e
		}
		return infer.Estimate{Value: math.Inf(-1)}
	}
	means := make([]float64, stretches)
	n := len(x) / stretches
	for i := range means {
		means[i] = vec.Sum(x[i*n:(i+1)*n]) / float64(n)
	}
	return *approx.Bound(means)
}

// describe is how the end of a fit reads in a report.
func (f *fitter) describe() string {
	return fmt.Sprintf("%s after %d steps in %d stages", f.report.Stop, f.done, f.stage)
}
