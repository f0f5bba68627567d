package lang

// This file looks for methods that a program cannot be run with before anything is run:
// options that do not go together, discrete parameters that cannot be summed out.

import (
	"errors"

	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/check"
	"github.com/seed-12b88e03/ppl/lang/problem"
)

// summable fails where a method needs the discrete parameters summed out and a table over
// them would be too large.
func (m *Model) summable(c *check.CheckedMethod) error {
	if usesEarlier(c) || samplesDiscrete(c) {
		return nil
	}
	err := m.bound.Summable()
	var table *eval.Error
	if !errors.As(err, &table) {
		return err
	}
	p := problem.Problem{Code: "discrete-table", Span: table.Span, Message: table.Text, Help: table.Help}
	for in := c; in != nil; in = in.Inner {
		c = in // the method that asks is the innermost
	}
	p.Notes = append(p.Notes, problem.Note{Span: c.Loc, Message: c.Row.Name + " does not sample discrete parameters: it needs them summed out"})
	for _, v := range m.Program.IR.Parameters {
		if v.Type.HasInts() {
			p.Notes = append(p.Notes, problem.Note{Span: v.Loc, Message: v.Name + " is declared here"})
		}
	}
	return &MethodError{Problem: p, Err: err}
}

// CheckMethods looks for methods of the inference block, or the default one, that cannot
// be run on the model, as far as that is known without data. The error is a *MethodError.
func (p *Program) CheckMethods() error {
	if p.IR == nil {
		return nil
	}
	if err := p.eachChecked(p.options); err != nil || !p.discrete() {
		return err
	}
	bound, err := bind.Bind(p.IR, Library(), nil, bind.Options{Specimens: true})
	if err != nil {
		return nil // sizes come from the data
	}
	return p.eachChecked((&Model{Program: p, bound: bound}).summable)
}

// options finds options that do not go together, with each other or with the program.
func (p *Program) options(c *check.CheckedMethod) error {
	for in := c; in != nil; in = in.Inner {
		if err := p.checkPoints(in); err != nil {
			return err
		}
	}
	b := &builder{program: p}
	if c.Row.Gives == 0 { // a diagnosis
		return b.options(c)
	}
	_, err := b.build(c)
	return err
}

// CheckMethods is that of Program with everything that the data tell. The error is a
// *MethodError.
func (m *Model) CheckMethods() error {
	if err := m.Program.eachChecked(m.Program.options); err != nil {
		return err
	}
	return m.Program.eachChecked(func(c *check.CheckedMethod) error {
		if list := c.Args["statistics"]; list != nil {
			if _, _, err := (&builder{program: m.Program}).statistics(m, list); err != nil {
				return err
			}
		}
		return m.summable(c)
	})
}

// eachChecked goes through the methods and diagnoses of the inference block.
func (p *Program) eachChecked(look func(*check.CheckedMethod) error) error {
	methods, err := p.Methods()
	if err != nil {
		return err
	}
	for _, method := range methods {
		if err := look(method.checked); err != nil {
			return err
		}
	}
	for _, d := range p.Info.Directives {
		if d.Name == "" && d.Method != nil {
			if err := look(d.Method); err != nil {
				return err
			}
		}
	}
	return nil
}

// discrete reports whether there are discrete parameters.
func (p *Program) discrete() bool {
	for _, v := range p.IR.Parameters {
		if v.Type.HasInts() {
			return true
		}
	}
	return false
}

// usesEarlier reports whether a method wraps an earlier fit.
func usesEarlier(c *check.CheckedMethod) bool {
	for c.Inner != nil {
		c = c.Inner
	}
	return c.Row.Name == fitName
}
