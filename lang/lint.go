package lang

// This file gives the warnings that are off unless asked for.

import (
	"github.com/seed-12b88e03/ppl/ir/lint"
	"github.com/seed-12b88e03/ppl/lang/problem"
)

// Lint returns warnings about what is allowed and likely to be a mistake: a parameter
// without prior, a prior outside the declared constraint, a missing Jacobian and the
// like. A program with errors has none.
func (p *Program) Lint() *problem.List {
	if p.IR == nil {
		return &problem.List{}
	}
	return lint.Check(p.IR, Library())
}

// WithoutPrior returns the names of the parameters that no term of the density is a prior of,
// those included whose bounds make a flat density proper, in the order of their declaration.
func (p *Program) WithoutPrior() []string {
	if p.IR == nil {
		return nil
	}
	var names []string
	for _, v := range lint.WithoutPrior(p.IR, Library()) {
		names = append(names, v.Name)
	}
	return names
}
