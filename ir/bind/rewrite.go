// The program after the passes, and the conditions under which it replaces the program as written.

package bind

import (
	"slices"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/pass"
)

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
	m.fast = fast
	m.fastRoles, _ = m.roles.Carried(fast)
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
	return m.first(m.fast, record)
}

// fastestParts is fastest where prior and likelihood are told apart.
func (m *Model) fastestParts(record func(prog *ir.Program, print func(string)) error) error {
	if m.fastRoles == nil || m.fast == m.prog {
		return m.first(m.marked, record)
	}
	return m.first(m.fast, record)
}

func (m *Model) first(prog *ir.Program, record func(prog *ir.Program, print func(string)) error) error {
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
