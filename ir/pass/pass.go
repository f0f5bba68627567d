// Package pass rewrites programs: IR in, equal IR out, one pass a file. A pass keeps
// what a program means, rejections included: its log density may differ by rounding,
// and the order in which terms are added up is free. Whatever a pass cannot prove it
// leaves as it was.
//
// Passes do not change the program that they are given: they share with it what stays
// the same, variables among them, and may be called from several goroutines.
package pass

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A Pass is one rewriting.
type Pass struct {
	Name string // by which it is switched off
	Doc  string // one line: what it does
	run  func(*ir.Program, *stdlib.Library, Options) *ir.Program
}

// Scan is the name of the pass that marks recurrences, and changes nothing else.
const Scan = "scan"

// passes in the order in which they run.
var passes = []Pass{
	{"calls", "calls of functions that return nothing become the statements of these functions", writeCalls},
	{"count", "while loops that count, and loops over elements, become loops over ranges", count},
	{"sizes", "sizes of elements, in loops over all of them, become those of the declaration", sizes},
	{"propagate", "ints that are set once, from data and the variables of loops, become what they are set to", propagate},
	{"choose", "conditions on values, in generated quantities and in loops of the density, become choices between values", choose},
	{"vectorize", "loops whose iterations do not depend on each other become vector operations", vectorize},
	{"products", "loops that add up columns of data become products of matrices and vectors", byColumns},
	{Scan, "loops whose iterations do the same operations are recorded once", scan},
}

// All lists the passes in the order in which they run.
func All() []Pass { return slices.Clone(passes) }

// Options of Run.
type Options struct {
	Off []string // names of passes that are not to run
	// Value returns the value of an int expression of data where it is known. It may decide what pays, not
	// what is valid. May be nil.
	Value func(ir.Expr) (int, bool)
	// After is shown the program after each pass; an error ends the run. May be nil.
	After func(Pass, *ir.Program) error
}

// Check reports whether the options name passes that there are.
func (o Options) Check() error {
	for _, name := range o.Off {
		if !slices.ContainsFunc(passes, func(p Pass) bool { return p.Name == name }) {
			return fmt.Errorf("there is no pass %q; there are %s", name, strings.Join(names(), ", "))
		}
	}
	return nil
}

func names() []string {
	var out []string
	for _, p := range passes {
		out = append(out, p.Name)
	}
	return out
}

// Run applies all passes that are not switched off. The result computes transformed
// parameters, the log density, its constants included, and generated quantities as the program does; it is not meant for simulation
// or for reading how the data came about. Programs with discrete parameters are left
// alone, since summing these out goes by the statements as they were written.
func Run(p *ir.Program, lib *stdlib.Library, o Options) (*ir.Program, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	for _, v := range p.Parameters {
		if v.Type.HasInts() {
			return p, nil
		}
	}
	for _, pass := range passes {
		if slices.Contains(o.Off, pass.Name) {
			continue
		}
		p = pass.run(p, lib, o)
		if o.After == nil {
			continue
		}
		if err := o.After(pass, p); err != nil {
			return nil, fmt.Errorf("after %s: %w", pass.Name, err)
		}
	}
	return p, nil
}
