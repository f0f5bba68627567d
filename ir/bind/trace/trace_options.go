// What a recorder and the engine do only because programs are faster with it.

package trace

import (
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
)

// The optimisations of a recorder.
const (
	optExpand     = "expand"
	optStatistics = "statistics"
	optPredictor  = "predictor"
	optBulk       = "bulk"
	optRepeats    = "repeats"
	OptSlices     = "slices"
	OptSteps      = "steps"
)

// RecorderOptimisations are they in order, with one line each.
var RecorderOptimisations = []autodiff.Optimisation{
	{Name: optExpand, Doc: "common functions and densities are expanded, to be simplified with what is around them"},
	{Name: optStatistics, Doc: "normal regressions on data are computed from sufficient statistics"},
	{Name: optPredictor, Doc: "a density of a linear predictor goes over the matrix once"},
	{Name: optRepeats, Doc: "rows of a density that repeat are counted once"},
	{Name: optBulk, Doc: "densities of many numbers run in tight loops, with logarithms of products"},
	{Name: OptSlices, Doc: "very large calls of reduce_sum and map_rect are divided into parts, which idle cores take over"},
	{Name: OptSteps, Doc: "a step of an explicit Runge-Kutta solver is one program"},
}

// RecorderOptions are the options of recordings.
type RecorderOptions struct {
	Without         []string // optimisations that are off
	WithoutNative   bool     // no machine code is made
	LeastIterations int      // of a loop that is recorded as one; 0 for what pays
}

// Does reports whether an optimisation is on.
func (o *RecorderOptions) Does(name string) bool { return !slices.Contains(o.Without, name) }

// Does reports whether an optimisation is on.
func (r *Recorder) Does(name string) bool { return r.opts.Does(name) }

// engineOff are the engine's optimisations that are off.
func (o *RecorderOptions) engineOff() []string {
	var off []string
	for _, e := range autodiff.Optimisations() {
		if !o.Does(e.Name) || o.WithoutNative && e.Name == "native" {
			off = append(off, e.Name)
		}
	}
	return off
}
