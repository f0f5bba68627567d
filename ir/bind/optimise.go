// The optimisations of a model by name, each of which can be switched off.

package bind

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir/pass"
)

// Those of the recorder.
const (
	optExpand     = "expand"
	optStatistics = "statistics"
	optPredictor  = "predictor"
	optBulk       = "bulk"
	optSlices     = "slices"
)

var recorderOptimisations = []autodiff.Optimisation{
	{Name: optExpand, Doc: "common functions and densities are expanded, to be simplified with what is around them"},
	{Name: optStatistics, Doc: "normal regressions on data go by sufficient statistics"},
	{Name: optPredictor, Doc: "a density of a linear predictor goes over the matrix once"},
	{Name: optBulk, Doc: "densities of many numbers run in tight loops, with logarithms of products"},
	{Name: optSlices, Doc: "very large calls of reduce_sum and map_rect are parts that idle cores take over"},
}

// Optimisations lists what Options.Without can switch off: rewritings of the program, what
// the recorder does, and what the engine does.
func Optimisations() []autodiff.Optimisation {
	var all []autodiff.Optimisation
	for _, p := range pass.All() {
		all = append(all, autodiff.Optimisation{Name: p.Name, Doc: p.Doc})
	}
	return slices.Concat(all, recorderOptimisations, autodiff.Optimisations())
}

func named(list []autodiff.Optimisation, name string) bool {
	return slices.ContainsFunc(list, func(o autodiff.Optimisation) bool { return o.Name == name })
}

// checkWithout fails where the options name an optimisation that there is not.
func (o *Options) checkWithout() error {
	all := Optimisations()
	for _, name := range o.Without {
		if named(all, name) {
			continue
		}
		var names []string
		for _, known := range all {
			names = append(names, known.Name)
		}
		return fmt.Errorf("there is no optimisation %q; there are %s", name, strings.Join(names, ", "))
	}
	return nil
}

// does reports whether an optimisation is on.
func (o *Options) does(name string) bool { return !slices.Contains(o.Without, name) }

// passesOff are the rewritings that are off.
func (o *Options) passesOff() []string {
	off := slices.Clone(o.Passes.Off)
	for _, p := range pass.All() {
		if !o.does(p.Name) {
			off = append(off, p.Name)
		}
	}
	return off
}

// engineOff are the engine's optimisations that are off.
func (o *Options) engineOff() []string {
	var off []string
	for _, e := range autodiff.Optimisations() {
		if !o.does(e.Name) || o.WithoutNative && e.Name == "native" {
			off = append(off, e.Name)
		}
	}
	return off
}
