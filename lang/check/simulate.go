package check

// This file checks that the simulate block assigns everything it must.

import (
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// observe notes the data variable that stands left of "~": it is an observation.
// Rearrangements and slices of a variable count as the variable.
func (c *checker) observe(x ast.Expr) {
	if c.fn != nil || c.block != ast.ModelKind {
		return
	}
	switch y := x.(type) {
	case *ast.Call:
		for _, a := range y.Args {
			c.observe(a)
		}
	case *ast.Postfix:
		c.observe(y.X)
	case *ast.ArrayLit:
		for _, e := range y.Elems {
			c.observe(e)
		}
	default:
		if sym := c.root(x); sym != nil && sym.Kind == DataVar {
			c.info.Observed[sym] = true
		}
	}
}

// observeTerm notes the observations in target += D_lpdf(y | ...).
func (c *checker) observeTerm(x ast.Expr) {
	switch y := x.(type) {
	case *ast.Paren:
		c.observeTerm(y.X)
	case *ast.Binary:
		c.observeTerm(y.L)
		c.observeTerm(y.R)
	case *ast.Call:
		if s := suffixOf(normalized(y.Name.Name)); (s == LPDF || s == LPMF) && len(y.Args) > 0 {
			c.observe(y.Args[0])
		}
	}
}

// assignedInSimulate notes an assignment to data or a parameter.
func (c *checker) assignedInSimulate(sym *Symbol) {
	if c.simulates == nil {
		c.simulates = map[*Symbol]bool{}
	}
	c.simulates[sym] = true
}

// readTransformed checks a transformed parameter read in the simulate block: it has
// its value once all parameters have theirs.
func (c *checker) readTransformed(x *ast.Ident) {
	for _, p := range c.info.Globals[ast.ParametersKind] {
		if !c.simulates[p] {
			c.errorf(x.Loc, msgStale, x.Name, p.Name)
			return
		}
	}
}

// simulateBlock checks the block; where it has no errors, also that it is complete.
func (c *checker) simulateBlock(b *ast.Block) {
	before := c.problems.Len()
	c.nestedBlock(b)
	if c.problems.Len() == before {
		c.simulated(b)
	}
}

// simulated checks that every parameter and every observation was assigned.
func (c *checker) simulated(b *ast.Block) {
	if b == nil {
		return
	}
	at := b.Loc
	if at.File != nil {
		at = source.Span{File: at.File, Start: at.Start, End: min(at.End, at.Start+len("simulate"))}
	}
	var missing []string
	for _, p := range c.info.Globals[ast.ParametersKind] {
		if !c.simulates[p] {
			missing = append(missing, strconv.Quote(p.Name))
		}
	}
	for _, d := range c.info.Globals[ast.DataKind] {
		if c.info.Observed[d] && !c.simulates[d] {
			missing = append(missing, strconv.Quote(d.Name))
		}
	}
	if len(missing) > 0 {
		c.errorf(at, msgUnassigned, strings.Join(missing, ", "))
	}
}
