// The optimisations of a model by name, each of which can be switched off, and the program after the passes.

package bind

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
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

// rewrite applies the passes. It fails where the options name passes that there are not.
func (m *Model) rewrite() error {
	m.fast = m.prog
	em := m.machine()
	o := m.opts.Passes
	o.Off = m.opts.passesOff()
	if o.Value == nil {
		o.Value = func(x ir.Expr) (int, bool) {
			v, err := em.Eval(x)
			if err != nil || len(v.X) != 1 {
				return 0, false
			}
			return int(v.X[0]), true
		}
	}
	fast, err := pass.Run(m.prog, m.lib, o)
	if err != nil {
		return err
	}
	m.fast, m.chooses = fast, pass.Chooses(fast)
	m.fastRoles, _ = m.roles.Carried(fast)
	if m.opts.Divide {
		m.rowSums = map[*ir.Program]map[ir.Stmt]*ir.RowSum{m.prog: pass.RowSums(m.prog, m.lib), fast: pass.RowSums(fast, m.lib)}
	}
	m.marked = m.prog
	if !slices.Contains(o.Off, pass.Scan) {
		m.marked = pass.Mark(m.prog)
	}
	return nil
}

// fastest records from the program after the passes or, where that fails, from the
// program as it was written, so that the statement at fault is named. What is printed is
// printed once.
func (m *Model) fastest(record func(prog *ir.Program, print func(string)) error) error {
	return recordFirst(m, m.fast, record)
}

// fastestParts is fastest where prior and likelihood are told apart.
func (m densityRecorder) fastestParts(record func(prog *ir.Program, print func(string)) error) error {
	if m.fastRoles == nil || m.fast == m.prog {
		return recordFirst(m.Model, m.marked, record)
	}
	return recordFirst(m.Model, m.fast, record)
}

func recordFirst(m *Model, prog *ir.Program, record func(prog *ir.Program, print func(string)) error) error {
	if prog == m.prog {
		return record(m.prog, m.opts.Print)
	}
	var printed []string
	switch err := record(prog, func(text string) { printed = append(printed, text) }); {
	case infer.IsInterrupted(err):
		return err
	case err != nil:
		return record(m.prog, m.opts.Print)
	}
	if m.opts.Print != nil {
		for _, text := range printed {
			m.opts.Print(text)
		}
	}
	return nil
}
