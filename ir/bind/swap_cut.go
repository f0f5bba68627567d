// The old priors, taken out of a program.

package bind

import (
	"fmt"
	"slices"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/graph"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// withoutSwap is the help where priors cannot be swapped.
const withoutSwap = "write the model with the new prior, and run the method on that"

// A target is what a new prior is for.
type target struct {
	at       ir.Stmt // the new prior, or the first of several
	elements []int   // ascending; empty: all
}

// targets gives the parameters, and where they are meant the elements of them, that new
// priors are of.
func targets(new []ir.Stmt) (map[*ir.Var]*target, error) {
	out := map[*ir.Var]*target{}
	for _, s := range new {
		x := variate(s.(*ir.Sample).Density)
		v, elements := whole(x), []int(nil)
		if v == nil {
			v, elements = elementsOf(x)
		}
		switch {
		case v == nil || v.Kind != ir.Parameter:
			return nil, &SwapError{Span: s.Span(), Text: "a new prior can be given to whole parameters, and to elements whose places are written as numbers",
				Help: "give one to all elements, with vectors of arguments where they differ"}
		case v.Type.HasInts():
			return nil, &SwapError{Span: s.Span(), Text: fmt.Sprintf("%s is discrete, and priors of continuous parameters only can be swapped", v.Name), Help: withoutSwap}
		}
		t := out[v]
		if t == nil {
			out[v] = &target{at: s, elements: elements}
			continue
		}
		if len(t.elements) == 0 || len(elements) == 0 {
			return nil, &SwapError{Span: s.Span(), Text: fmt.Sprintf("%s has two new priors: of all elements and of some", v.Name)}
		}
		for _, k := range elements {
			if slices.Contains(t.elements, k) {
				return nil, &SwapError{Span: s.Span(), Text: fmt.Sprintf("%s[%d] has two new priors", v.Name, k)}
			}
		}
		t.elements = append(t.elements, elements...)
		slices.Sort(t.elements)
	}
	return out, nil
}

// elementsOf is the vector or array whose elements, at places that are written as numbers,
// an expression is; nil where it is anything else.
func elementsOf(x ir.Expr) (*ir.Var, []int) {
	if p, ok := x.(*ir.Promote); ok {
		return elementsOf(p.X)
	}
	at, ok := x.(*ir.Index)
	if !ok || len(at.Indices) != 1 {
		return nil, nil
	}
	ref, ok := at.X.(*ir.Ref)
	lo, number := at.Indices[0].Lo.(*ir.Const)
	if !ok || !number {
		return nil, nil
	}
	switch at.Indices[0].Kind {
	case ir.Single:
		return ref.Var, []int{int(lo.X)}
	case ir.Range:
		hi, ok := at.Indices[0].Hi.(*ir.Const)
		if !ok || hi.X < lo.X {
			return nil, nil
		}
		var out []int
		for k := int(lo.X); k <= int(hi.X); k++ {
			out = append(out, k)
		}
		return ref.Var, out
	}
	return nil, nil
}

// A cutter separates the statements that are priors of some parameters from the rest.
type cutter struct {
	swapped map[*ir.Var]*target
	lib     *stdlib.Library
	err     error
}

func (c *cutter) fail(e *SwapError) {
	if c.err == nil {
		c.err = e
	}
}

// A piece is a density, and where it counts: nil means everywhere.
type piece struct {
	density ir.Expr
	where   ir.Expr
}

// divide separates the old prior in a density from the rest. Without an old prior, old is
// empty.
func (c *cutter) divide(density ir.Expr) (old, rest []piece) {
	all := []piece{{density: density}}
	x := variate(density)
	if x == nil {
		return nil, all
	}
	parts := graph.Parts(x)
	var v *ir.Var
	every := len(parts) > 0
	for _, p := range parts {
		if c.swapped[p] != nil {
			v = p
		} else {
			every = false
		}
	}
	switch {
	case v == nil:
		return nil, all
	case !every:
		c.fail(&SwapError{Span: density.Span(), Text: "this statement is the prior of swapped parameters and of others; write one for each"})
		return all, nil
	case len(c.swapped[v].elements) == 0:
		return all, nil
	}
	return c.divideElements(density, v, c.swapped[v])
}

// without leaves the old priors out.
func (c *cutter) without(body []ir.Stmt) []ir.Stmt {
	return sieve(body, func(s ir.Stmt) []ir.Stmt {
		switch s := s.(type) {
		case *ir.Sample:
			if old, rest := c.divide(s.Density); len(old) > 0 {
				return samples(s, rest)
			}
		case *ir.TargetAdd:
			densities, others := graph.Terms(s.X)
			var kept []ir.Stmt
			removed := false
			for _, d := range densities {
				old, rest := c.divide(d)
				removed = removed || len(old) > 0
				kept = append(kept, additions(s, rest)...)
			}
			for _, x := range others {
				c.unclear(x)
				kept = append(kept, &ir.TargetAdd{At: s.At, X: x, Jacobian: s.Jacobian})
			}
			if removed {
				return kept
			}
		case *ir.Eval:
			c.unclear(s.X)
		}
		return []ir.Stmt{s}
	})
}

// unclear refuses what adds to the target in a form that does not tell whether it is
// the prior of a swapped parameter.
func (c *cutter) unclear(x ir.Expr) {
	mentions, observed := false, false
	ir.InspectExpr(x, func(n any) bool {
		if r, ok := n.(*ir.Ref); ok {
			mentions = mentions || c.swapped[r.Var] != nil
			observed = observed || r.Var.Kind == ir.Datum || r.Var.Kind == ir.TransformedDatum
		}
		return true
	})
	if mentions && !observed {
		c.fail(&SwapError{Span: x.Span(), Text: "it cannot be told whether this is the old prior of a swapped parameter; write that with \"~\" or as a density"})
	}
}

// only keeps the old priors, and what computes something that they may use.
func (c *cutter) only(body []ir.Stmt) []ir.Stmt {
	return sieve(body, func(s ir.Stmt) []ir.Stmt {
		switch s := s.(type) {
		case *ir.Sample:
			old, _ := c.divide(s.Density)
			return samples(s, old)
		case *ir.TargetAdd:
			var out []ir.Stmt
			densities, _ := graph.Terms(s.X)
			for _, d := range densities {
				old, _ := c.divide(d)
				out = append(out, additions(&ir.TargetAdd{At: s.At}, old)...)
			}
			return out
		case *ir.Eval, *ir.Print:
			return nil
		}
		return []ir.Stmt{s}
	})
}

// samples makes statements of pieces of a statement.
func samples(s *ir.Sample, pieces []piece) []ir.Stmt {
	var out []ir.Stmt
	for _, p := range pieces {
		out = append(out, p.guard(&ir.Sample{At: s.At, Density: p.density, Trunc: s.Trunc}))
	}
	return out
}

func additions(s *ir.TargetAdd, pieces []piece) []ir.Stmt {
	var out []ir.Stmt
	for _, p := range pieces {
		out = append(out, p.guard(&ir.TargetAdd{At: s.At, X: p.density, Jacobian: s.Jacobian}))
	}
	return out
}

// guard has a statement run where the piece counts.
func (p piece) guard(s ir.Stmt) ir.Stmt {
	if p.where == nil {
		return s
	}
	return &ir.If{At: ir.At{Loc: s.Span()}, Test: p.where, Then: []ir.Stmt{s}}
}
