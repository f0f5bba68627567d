// The optimisations of a model by name, each of which can be switched off.

package bind

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/ir/bind/trace"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir/pass"
	"github.com/seed-12b88e03/ppl/lang/check"
)

// Optimisations lists what Options.Without can switch off: passes over the program, techniques of the
// recorder, and optimisations of the engine.
func Optimisations() []autodiff.Optimisation {
	var all []autodiff.Optimisation
	for _, p := range pass.All() {
		all = append(all, autodiff.Optimisation{Name: p.Name, Doc: p.Doc})
	}
	return slices.Concat(all, []autodiff.Optimisation{centringOptimisation}, trace.RecorderOptimisations, autodiff.Optimisations())
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
		meant := ""
		if near := check.Nearest(name, names); near != "" {
			meant = fmt.Sprintf(" (did you mean %q?)", near)
		}
		return fmt.Errorf("there is no optimisation %q%s; there are %s", name, meant, strings.Join(names, ", "))
	}
	return nil
}

// recorder returns the options of recordings.
func (o *Options) recorder() *trace.RecorderOptions {
	return &trace.RecorderOptions{Without: o.Without, WithoutNative: o.WithoutNative, LeastIterations: o.LeastIterations}
}

// does reports whether an optimisation is on.
func (o *Options) does(name string) bool { return o.recorder().Does(name) }

// passesOff are the rewritings that are off.
func (o *Options) passesOff() []string {
	off := slices.Clone(o.Passes.Off)
	for _, p := range pass.All() {
		if slices.Contains(o.Without, p.Name) {
			off = append(off, p.Name)
		}
	}
	return off
}
