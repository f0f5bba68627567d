// The old priors, taken out of a program.

package swap

import (
	"fmt"
	"slices"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/graph"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A target is what a new prior is for.
type target struct {
	at       ir.Stmt       // the new prior, or the first of several
	places   []ir.IndexArg // of elements, single ones and ranges; empty: all
	elements []int         // the places where they are written as numbers, ascending; else nil
}

// targets returns the parameters, and where they are meant the elements of them, that new
// priors are of.
func targets(new []ir.Stmt) (map[*ir.Var]*target, error) {
	out := map[*ir.Var]*target{}
	var joint []ir.Stmt
	for _, s := range new {
		if _, ok := s.(*ir.TargetAdd); ok {
			joint = append(joint, s)
			continue
		}
		x := variateOf(s.(*ir.Sample).Density)
		v, places := whole(x), []ir.IndexArg(nil)
		if v == nil {
			v, places = elementsOf(x)
		}
		elements, known := numbers(places)
		switch {
		case v == nil || v.Kind != ir.Parameter:
			return nil, &Error{Span: s.Span(), Text: "a new prior can be given to whole parameters, and to elements and ranges of vectors and arrays at places that do not depend on parameters",
				Help: "give one to all elements, with vectors of arguments where they differ"}
		}
		t := out[v]
		if t == nil {
			out[v] = &target{at: s, places: places, elements: elements}
			continue
		}
		if len(t.places) == 0 || len(places) == 0 {
			return nil, &Error{Span: s.Span(), Text: fmt.Sprintf("%s has two new priors: of all elements and of some", v.Name)}
		}
		for _, k := range elements {
			if slices.Contains(t.elements, k) {
				return nil, &Error{Span: s.Span(), Text: fmt.Sprintf("%s[%d] has two new priors", v.Name, k)}
			}
		}
		t.places = append(t.places, places...)
		if t.elements = append(t.elements, elements...); !known || len(t.elements) == len(elements) {
			t.elements = nil // some place is not written as a number
		}
		slices.Sort(t.elements)
	}
	return out, joined(joint, out)
}

// joined adds the parameters of joint priors, all elements of each.
func joined(priors []ir.Stmt, out map[*ir.Var]*target) (err error) {
	for _, s := range priors {
		ir.ReadsAny(s.(*ir.TargetAdd).X, func(v *ir.Var) bool {
			switch {
			case v.Kind == ir.TransformedParameter:
				err = &Error{Span: s.Span(), Text: fmt.Sprintf("a joint prior is of parameters, and %s is computed from them", v.Name), Help: "write it in terms of the parameters, with the Jacobian if it is a density of a computed quantity"}
			case v.Kind != ir.Parameter:
			case out[v] == nil:
				out[v] = &target{at: s}
			case len(out[v].places) > 0:
				err = &Error{Span: s.Span(), Text: fmt.Sprintf("%s has two new priors: of all elements and of some", v.Name)}
			}
			return err != nil
		})
		if err != nil {
			return err
		}
	}
	if len(out) == 0 {
		return &Error{Span: priors[0].Span(), Text: "this joint prior has no parameter in it"}
	}
	return nil
}

// elementsOf is the vector or array that an expression is an element or a range of, and
// the places, which depend on data at most; nil where it is anything else.
func elementsOf(x ir.Expr) (*ir.Var, []ir.IndexArg) {
	if p, ok := x.(*ir.Promote); ok {
		return elementsOf(p.X)
	}
	at, ok := x.(*ir.Index)
	if !ok || len(at.Indices) != 1 {
		return nil, nil
	}
	ref, ok := at.X.(*ir.Ref)
	k := at.Indices[0]
	if !ok || k.Kind != ir.Single && k.Kind != ir.Range || !fixed(k.Lo) || !fixed(k.Hi) {
		return nil, nil
	}
	return ref.Var, at.Indices
}

// fixed reports whether an expression, which may be nil, depends on no parameter.
func fixed(x ir.Expr) bool {
	return !ir.ReadsAny(x, func(v *ir.Var) bool { return !v.IsData() })
}

// numbers are the places that are written as numbers; known is false where some are not.
func numbers(places []ir.IndexArg) (out []int, known bool) {
	for _, p := range places {
		lo, ok := p.Lo.(*ir.Const)
		hi := lo
		if ok && p.Kind == ir.Range {
			hi, ok = p.Hi.(*ir.Const)
		}
		if !ok {
			return nil, false
		}
		for k := int(lo.X); k <= int(hi.X); k++ {
			out = append(out, k)
		}
	}
	return out, true
}

// A cutter separates the statements that are priors of some parameters from the rest.
type cutter struct {
	swapped map[*ir.Var]*target
	depend  map[*ir.Var]bool // what is computed from the swapped parameters, and these
	roles   *graph.Roles
	lib     *stdlib.Library
	slots   int // taken by variables outside functions
	err     error
}

func newCutter(p *ir.Program, lib *stdlib.Library, swapped map[*ir.Var]*target) *cutter {
	c := &cutter{swapped: swapped, depend: map[*ir.Var]bool{}, roles: graph.NewRoles(p), lib: lib, slots: p.Slots}
	for v := range swapped {
		c.depend[v] = true
	}
	graph.Dependents(p, c.depend)
	return c
}

func (c *cutter) fail(e *Error) {
	if c.err == nil {
		c.err = e
	}
}

// A piece is a density, where it counts (nil means everywhere), and what counts the
// elements that it is of (nil for no loop).
type piece struct {
	density ir.Expr
	where   ir.Expr
	loop    *ir.For
}

// divide separates the old prior in a density from the rest. Without an old prior, old is
// empty.
func (c *cutter) divide(density ir.Expr) (old, rest []piece) {
	all := []piece{{density: density}}
	x := variateOf(density)
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
		c.fail(&Error{Span: density.Span(), Text: "this statement is the prior of swapped parameters and of others; write one for each"})
		return all, nil
	case len(c.swapped[v].places) == 0:
		return all, nil
	}
	return c.divideElements(density, v, c.swapped[v])
}

// without leaves the old priors out.
func (c *cutter) without(body []ir.Stmt) []ir.Stmt {
	return sieve(body, func(s ir.Stmt) []ir.Stmt {
		c.calls(s)
		prior := !c.roles.Likelihood(s)
		switch s := s.(type) {
		case *ir.Sample:
			if old, rest := c.divide(s.Density); len(old) > 0 {
				return samples(s, rest)
			}
			if prior {
				c.computed(s.Density)
			}
		case *ir.TargetAdd:
			densities, others := graph.Terms(s.X)
			var kept []ir.Stmt
			removed := false
			for _, d := range densities {
				old, rest := c.divide(d)
				if prior && len(old) == 0 {
					c.computed(d)
				}
				removed = removed || len(old) > 0
				kept = append(kept, additions(s, rest)...)
			}
			for _, x := range others {
				if prior {
					c.unclear(x)
				}
				kept = append(kept, &ir.TargetAdd{At: s.At, X: x, Jacobian: s.Jacobian})
			}
			if removed {
				return kept
			}
		}
		return []ir.Stmt{s}
	})
}

// computed refuses the prior of a quantity that is computed from swapped parameters. The prior of a
// parameter itself passes: it is that of another parameter.
func (c *cutter) computed(density ir.Expr) {
	x := variateOf(density)
	if x == nil {
		return
	}
	parts := graph.Parts(x)
	for _, v := range parts {
		if v.Kind != ir.Parameter {
			c.unclear(x)
		}
	}
	if len(parts) == 0 {
		c.unclear(x)
	}
}

// calls refuses calls of functions that add priors to the target.
func (c *cutter) calls(s ir.Stmt) {
	ir.Inspect([]ir.Stmt{s}, func(n any) bool {
		if n, ok := n.(*ir.UserCall); ok && n.Fn.Target && c.roles.Within(n).Priors() {
			c.unclear(n)
		}
		return true
	})
}

// unclear refuses what is no likelihood and depends on a swapped parameter, in a form that
// does not tell whether it is its prior.
func (c *cutter) unclear(x ir.Expr) {
	if ir.ReadsAny(x, func(v *ir.Var) bool { return c.depend[v] }) {
		c.fail(&Error{Span: x.Span(), Text: "it cannot be told whether this is the old prior of a swapped parameter; write that with \"~\" or as a density"})
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
	if p.where != nil {
		s = &ir.If{At: ir.At{Loc: s.Span()}, Test: p.where, Then: []ir.Stmt{s}}
	}
	if p.loop != nil {
		loop := *p.loop
		loop.Body = []ir.Stmt{s}
		s = &loop
	}
	return s
}
