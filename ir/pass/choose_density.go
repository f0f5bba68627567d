// Choose: conditions on values in loops of the density, there and in the functions that these loops call.
//
//	for (n in 1:N) {                          for (n in 1:N)
//	  if (x[n] < tau) mu[n] = a;                mu[n] = choice(x[n] < tau, a, b * x[n]);
//	  else mu[n] = b * x[n];
//	}
//
// A branch that is not taken must neither reject a point nor spoil the gradient. Where it would, the reference
// interpreter decides (bind's verdicts); guards (choose_guard.go) make that rare.

package pass

import (
	"slices"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// mostPaths is how many iterations of a loop with conditions are few: their paths are recorded one by one.
const mostPaths = 5

// Chooses reports whether branches are done either way in a program's density: what it rejects may then be in one that is not taken.
func Chooses(p *ir.Program) bool {
	bodies := [][]ir.Stmt{p.TransformedParameters.Body, p.Model}
	for _, fn := range p.Functions {
		bodies = append(bodies, fn.Body)
	}
	return ir.Any(slices.Concat(bodies...), func(n any) bool {
		c, ok := n.(*ir.Call)
		return ok && c.Fn == ir.Builtin(stdlib.Choice)
	})
}

// loops rewrites the loops among statements that are run this many times.
func (c *chooser) loops(list []ir.Stmt, times int) []ir.Stmt {
	return ir.Map(list, func(s ir.Stmt) []ir.Stmt {
		n := times
		if loop, ok := s.(*ir.For); ok {
			if n = times * c.iterations(loop); n > mostPaths {
				return []ir.Stmt{c.loop(loop)}
			}
		}
		if out := ir.WithBodies(s, func(list []ir.Stmt) []ir.Stmt { return c.loops(list, n) }); out != s {
			return []ir.Stmt{out}
		}
		return c.replaced([]ir.Stmt{s})
	})
}

// loop rewrites a loop of many iterations, where no condition on values is left then: with functions written out, or with those that have no
// conditions in their place.
func (c *chooser) loop(s *ir.For) ir.Stmt {
	if !c.branching(s) {
		return s
	}
	before := c.changed
	defer func() { c.changed = c.changed || before }()
	for _, body := range [][]ir.Stmt{s.Body, c.replaced(s.Body)} {
		var out ir.Stmt
		if c.changed = c.try(func() bool {
			out = ir.WithBodies(s, func([]ir.Stmt) []ir.Stmt { return c.body(body) })
			return !c.branching(out)
		}); c.changed {
			return out
		}
	}
	return s
}

// iterations is how many iterations a loop has; where that is not known, more than mostPaths.
func (c *chooser) iterations(s *ir.For) int {
	if n, ok := c.known(s); ok {
		return max(n, 0)
	}
	return mostPaths + 1
}

// branching reports whether control flow depends on values, in a statement or in a function that it calls, other than
// where a branch only rejects.
func (c *chooser) branching(s ir.Stmt) bool {
	return ir.Any([]ir.Stmt{s}, func(n any) bool {
		if call, ok := n.(*ir.UserCall); ok {
			return c.forks(call.Fn, map[*ir.Function]bool{})
		}
		return c.decides(n)
	})
}

// decides reports whether control flow depends on values at a node, other than where a branch only rejects.
func (c *chooser) decides(n any) bool {
	switch n := n.(type) {
	case *ir.If:
		return c.turns(n.Test) && !(len(n.Else) == 0 && onlyRejects(n.Then))
	case *ir.While:
		return c.turns(n.Test)
	case *ir.Cond:
		return c.turns(n.Test)
	case *ir.Logic:
		return c.turns(n)
	}
	return false
}

// onlyRejects reports that statements do nothing but reject.
func onlyRejects(list []ir.Stmt) bool {
	return !slices.ContainsFunc(flat(list), func(s ir.Stmt) bool {
		p, ok := s.(*ir.Print)
		return !ok || p.Kind == ir.PrintOut
	})
}

// forks reports whether a function has conditions on values, or calls one that has; also where it calls itself.
func (c *chooser) forks(fn *ir.Function, known map[*ir.Function]bool) bool {
	if forks, ok := known[fn]; ok {
		return forks
	}
	known[fn] = true
	known[fn] = ir.Any(fn.Body, func(n any) bool {
		if call, ok := n.(*ir.UserCall); ok {
			return c.forks(call.Fn, known)
		}
		return c.decides(n)
	})
	return known[fn]
}

// body rewrites the body of a loop.
func (c *chooser) body(list []ir.Stmt) []ir.Stmt { return ir.Map(list, c.inLoop) }

func (c *chooser) inLoop(s ir.Stmt) []ir.Stmt {
	switch s := s.(type) {
	case *ir.Block, *ir.For:
		return []ir.Stmt{ir.WithBodies(s, c.body)}
	case *ir.If:
		if !c.turns(s.Test) {
			return []ir.Stmt{&ir.If{At: s.At, Test: s.Test, Then: c.body(s.Then), Else: c.body(s.Else)}}
		}
	case *ir.Declare, *ir.Assign, *ir.TargetAdd, *ir.Sample:
	default:
		return []ir.Stmt{s}
	}
	if written := c.writtenOut(s); written != nil {
		return c.body(written)
	}
	if branch, ok := s.(*ir.If); ok {
		if one := c.joined(branch); one != nil {
			c.changed = true
			return []ir.Stmt{one}
		}
		var out []ir.Stmt
		if c.try(func() (ok bool) { out, ok = c.conditional(branch, nil); return ok }) {
			c.changed = true
			return out
		}
		return []ir.Stmt{s}
	}
	return []ir.Stmt{c.expressions().stmt(s)}
}

// writtenOut is a statement with the functions that it calls written out; nil where these have no conditions, or it is not known how.
func (c *chooser) writtenOut(s ir.Stmt) []ir.Stmt {
	if !ir.Any([]ir.Stmt{s}, func(n any) bool {
		call, ok := n.(*ir.UserCall)
		return ok && c.forks(call.Fn, map[*ir.Function]bool{})
	}) {
		return nil
	}
	var out []ir.Stmt
	if !c.try(func() (ok bool) { out, ok = (&inliner{frame: &c.frame}).stmt(s); return ok }) {
		return nil
	}
	(&callees{chooser: c, times: map[*ir.Function]int{}}).follow(mostPaths+1, out)
	return out
}

// joined is the one statement that both branches are: an assignment to the same place, or the same density of the same data, which is
// likelihood in both. nil for others.
func (c *chooser) joined(s *ir.If) ir.Stmt {
	if !c.density || !c.harmless(s.Test) {
		return nil
	}
	then, other := c.single(s.Then), c.single(s.Else)
	if then == nil || other == nil {
		return nil
	}
	m := maker{c.lib, s.Loc}
	test := c.truth(m, s.Test)
	switch a := then.(type) {
	case *ir.Assign:
		b, ok := other.(*ir.Assign)
		if !ok || a.To.Var != b.To.Var || placeText(&a.To) != placeText(&b.To) || !c.assignable(a) || !c.assignable(b) {
			return nil
		}
		return &ir.Assign{At: a.At, To: a.To, X: c.choice(m, test, a.X, b.X)}
	case *ir.TargetAdd, *ir.Sample:
		x, y := c.densityOfData(then), c.densityOfData(other)
		if x == nil || y == nil || x.Fn != y.Fn || ir.ExprText(x.Args[0]) != ir.ExprText(y.Args[0]) {
			return nil
		}
		both := *x
		both.Args = slices.Clone(x.Args)
		for i, arg := range x.Args {
			both.Args[i] = c.x(arg)
			if ir.ExprText(arg) == ir.ExprText(y.Args[i]) {
				continue
			}
			if !number(arg.Type()) || !arg.Type().Equal(y.Args[i].Type()) || c.counts(arg.Type()) {
				return nil
			}
			both.Args[i] = c.choice(m, test, arg, y.Args[i])
		}
		return c.add(then, &both)
	}
	return nil
}

// single is the one statement that a branch is, that of a joined one where it is a condition; nil for others.
func (c *chooser) single(list []ir.Stmt) ir.Stmt {
	list = flat(list)
	if len(list) != 1 {
		return nil
	}
	if s, ok := list[0].(*ir.If); ok {
		if !c.turns(s.Test) {
			return nil
		}
		return c.joined(s)
	}
	return list[0]
}

// densityOfData is the density of data that a statement adds to the target, whether or not Jacobians are added; nil for other statements.
func (c *chooser) densityOfData(s ir.Stmt) *ir.Call {
	if add, ok := s.(*ir.TargetAdd); ok && add.Jacobian {
		return nil
	}
	x, ok := c.term(s).(*ir.Call)
	if !ok || x.Fn.(*stdlib.Function).Density == nil || !ir.ReadsAny(x.Args[0], (*ir.Var).IsData) {
		return nil
	}
	return x
}

// term is the number that a statement adds to the target; nil where it is none, or is not harmless.
func (c *chooser) term(s ir.Stmt) ir.Expr {
	var x ir.Expr
	switch s := s.(type) {
	case *ir.TargetAdd:
		x = s.X
	case *ir.Sample:
		if s.Trunc != nil {
			return nil
		}
		x = s.Density
	}
	if !c.density || x == nil || !x.Type().Equal(types.Real) || !c.harmless(x) {
		return nil
	}
	return x
}

// add adds a number to the target as a statement does.
func (c *chooser) add(as ir.Stmt, x ir.Expr) ir.Stmt {
	if s, ok := as.(*ir.TargetAdd); ok {
		return &ir.TargetAdd{At: s.At, X: x, Jacobian: s.Jacobian}
	}
	return &ir.TargetAdd{At: ir.At{Loc: as.Span()}, X: x}
}

// placeText is the text of a place.
func placeText(p *ir.Place) string {
	text := ""
	for _, a := range placeSubscripts(p) {
		text += ir.ExprText(a.Lo) + ","
	}
	return text
}
