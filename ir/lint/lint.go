// Package lint finds what is allowed and yet likely to be a mistake: the pedantic
// warnings, off unless asked for. It reads the IR only, so that a program without
// errors is enough, and it says nothing about data that it has not seen.
//
// A warning is a problem with a code of the catalogue in messages.go, a place, and a
// help that says what to do. Rules are kept where a false alarm is rare; what they
// cannot decide they pass over. Programs and the library are read and never written,
// so that several may be looked at concurrently.
package lint

import (
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/problem"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// WithoutPrior returns the parameters that no term of the density is a prior of, in order. A
// flat density over a bounded range counts as none.
func WithoutPrior(p *ir.Program, lib *stdlib.Library) []*ir.Var {
	l := newLinter(p, lib)
	return l.withoutPrior()
}

func newLinter(p *ir.Program, lib *stdlib.Library) *linter {
	l := &linter{program: p, lib: lib, problems: &problem.List{}}
	l.depends = newDepends(p)
	l.factors = l.collectFactors()
	return l
}

// Check returns all warnings about a verified program. The list is never nil.
func Check(p *ir.Program, lib *stdlib.Library) *problem.List {
	l := newLinter(p, lib)
	l.unused()
	l.unassigned()
	l.priors()
	l.hardBounds()
	for _, f := range l.factors {
		l.factor(f)
	}
	l.repeatedPriors()
	l.branches()
	l.calls()
	return l.problems
}

// A linter is one run over a program.
type linter struct {
	program  *ir.Program
	lib      *stdlib.Library
	depends  *depends
	factors  []*factor
	problems *problem.List
}

// warn reports an entry of the catalogue.
func (l *linter) warn(at source.Span, m message, help string, args ...any) {
	p := l.problems.Warnf(m.code, at, m.text, args...)
	p.Help = help
}

// bodies returns the statements of all blocks in order, functions last.
func (l *linter) bodies() [][]ir.Stmt {
	p := l.program
	out := [][]ir.Stmt{p.TransformedData.Body, p.TransformedParameters.Body, p.Model, p.GeneratedQuantities.Body}
	if p.Simulate != nil {
		out = append(out, p.Simulate.Body)
	}
	for _, f := range p.Functions {
		out = append(out, f.Body)
	}
	return out
}

// inspect visits every node of the program, the declarations of data and parameters
// included.
func (l *linter) inspect(visit func(any) bool) {
	for _, vars := range [][]*ir.Var{l.program.Data, l.program.Parameters} {
		for _, v := range vars {
			ir.InspectShape(v.Decl, visit)
		}
	}
	for _, body := range l.bodies() {
		ir.Inspect(body, visit)
	}
}
