// The order in which a generative program runs: what reads a variable comes after what
// gives it its value.

package graph

import (
	"container/heap"
	"slices"

	"github.com/seed-12b88e03/ppl/ir"
)

// inOrder sorts the statements of a block, and those of the loops in it, so that
// parameters and observations are drawn before they are read. Assignments keep their
// order among each other. Where statements wait for each other in a circle, as whole
// containers seen, they stay as they were written; element by element the circle may
// not exist.
func inOrder(body []ir.Stmt, drawn func(*ir.Var) bool) []ir.Stmt {
	if jumps(body) {
		return body
	}
	o := &orderer{drawn: drawn}
	return o.sort(body, nil)
}

type orderer struct {
	drawn func(*ir.Var) bool // parameters and observations
}

// effects are the variables that a statement deals with.
type effects struct {
	reads, writes, draws map[*ir.Var]bool
}

func (o *orderer) sort(body []ir.Stmt, loop *ir.Var) []ir.Stmt {
	out := make([]ir.Stmt, len(body))
	all := make([]effects, len(body))
	for i, s := range body {
		out[i] = o.inside(s)
		all[i] = o.effects(s, loop)
	}
	waits := make([]int, len(body)) // how many others must come before
	next := following(all)
	for _, list := range next {
		for _, j := range list {
			waits[j]++
		}
	}
	var ready indices // that wait for nothing
	for i, n := range waits {
		if n == 0 {
			ready = append(ready, i) // in order, so it is a heap
		}
	}
	done, first := make([]bool, len(body)), 0
	sorted := make([]ir.Stmt, 0, len(body))
	for range body {
		for first < len(body) && done[first] {
			first++
		}
		k := first // of a cycle
		if len(ready) > 0 {
			k = heap.Pop(&ready).(int)
		}
		done[k] = true
		sorted = append(sorted, out[k])
		for _, j := range next[k] {
			if waits[j]--; waits[j] == 0 && !done[j] {
				heap.Push(&ready, j)
			}
		}
	}
	return sorted
}

// indices are a heap.
type indices []int

func (x indices) Len() int           { return len(x) }
func (x indices) Less(i, j int) bool { return x[i] < x[j] }
func (x indices) Swap(i, j int)      { x[i], x[j] = x[j], x[i] }
func (x *indices) Push(i any)        { *x = append(*x, i.(int)) }
func (x *indices) Pop() any {
	last := len(*x) - 1
	i := (*x)[last]
	*x = (*x)[:last]
	return i
}

// following lists the statements that must come after each: what reads what it draws, wherever that is written, and
// of those below, what reads or assigns what it assigns, or assigns what it reads.
func following(all []effects) [][]int {
	readers, writers := map[*ir.Var][]int{}, map[*ir.Var][]int{}
	for i := range all {
		for v := range all[i].reads {
			readers[v] = append(readers[v], i)
		}
		for v := range all[i].writes {
			writers[v] = append(writers[v], i)
		}
	}
	next, noted := make([][]int, len(all)), make([]int, len(all))
	for i, e := range all {
		note := func(list []int, from int) {
			for _, j := range list {
				if j >= from && j != i && noted[j] != i+1 {
					noted[j] = i + 1
					next[i] = append(next[i], j)
				}
			}
		}
		for v := range e.draws {
			note(readers[v], 0)
		}
		for v := range e.writes {
			note(readers[v], i)
			note(writers[v], i)
		}
		for v := range e.reads {
			note(writers[v], i)
		}
	}
	return next
}

// inside sorts the bodies of a loop or block.
func (o *orderer) inside(s ir.Stmt) ir.Stmt {
	var loop *ir.Var
	switch s := s.(type) {
	case *ir.While:
		return s
	case *ir.For:
		loop = s.Var
	case *ir.ForEach:
		loop = s.Var
	}
	changed := false
	c := ir.WithBodies(s, func(body []ir.Stmt) []ir.Stmt {
		if jumps(body) {
			return body
		}
		changed = true
		return o.sort(body, loop)
	})
	if !changed {
		return s
	}
	return c
}

// jumps reports whether statements leave a loop, on which their order depends.
func jumps(body []ir.Stmt) bool {
	found := false
	ir.Inspect(body, func(n any) bool {
		switch n.(type) {
		case *ir.Jump, *ir.Return:
			found = true
		case *ir.For, *ir.ForEach, *ir.While:
			return false
		}
		return !found
	})
	return found
}

// effects collects what a statement reads, assigns and draws. Elements of earlier
// iterations of a loop, such as y[t - 1], do not count as read.
func (o *orderer) effects(s ir.Stmt, loop *ir.Var) effects {
	c := &collector{orderer: o, loop: loop, e: effects{map[*ir.Var]bool{}, map[*ir.Var]bool{}, map[*ir.Var]bool{}}}
	ir.Inspect([]ir.Stmt{s}, c.visit)
	for v := range c.e.draws {
		delete(c.e.reads, v) // a statement does not wait for itself
	}
	return c.e
}

type collector struct {
	*orderer
	loop *ir.Var
	e    effects
}

// visit looks at a statement or expression, and reports whether to enter it.
func (c *collector) visit(n any) bool {
	switch n := n.(type) {
	case *ir.Sample:
		c.density(n.Density)
		if n.Trunc != nil {
			c.exprs(n.Trunc.Lo, n.Trunc.Hi)
		}
		return false
	case *ir.TargetAdd:
		densities, rest := Terms(n.X)
		for _, x := range densities {
			c.density(x)
		}
		c.exprs(rest...)
		return false
	case *ir.UserCall:
		if n.Fn.Target { // it may draw what it is given
			for _, a := range n.Args {
				c.variate(a)
			}
		}
	case *ir.Index:
		if r, ok := n.X.(*ir.Ref); ok && earlier(n.Indices, c.loop) && c.drawn(r.Var) {
			return false
		}
	case *ir.Ref:
		c.e.reads[n.Var] = true
	default:
		c.assigns(n)
	}
	return true
}

// assigns notes what a statement assigns.
func (c *collector) assigns(n any) {
	switch n := n.(type) {
	case *ir.Declare:
		c.e.writes[n.Var] = true
	case *ir.Assign:
		c.e.writes[n.To.Var] = true
		c.e.reads[n.To.Var] = c.e.reads[n.To.Var] || len(n.To.Path) > 0
	case *ir.Unpack:
		ir.Places(n.To, func(p *ir.Place) { c.e.writes[p.Var] = true })
	case *ir.For:
		c.e.writes[n.Var] = true
	case *ir.ForEach:
		c.e.writes[n.Var] = true
	}
}

func (c *collector) exprs(xs ...ir.Expr) {
	for _, x := range xs {
		ir.InspectExpr(x, c.visit)
	}
}

// density notes the variate as drawn, and everything else as read.
func (c *collector) density(x ir.Expr) {
	args := ir.Arguments(x)
	if len(args) == 0 {
		return
	}
	c.variate(args[0])
	indicesOf(args[0], func(x ir.Expr) { c.exprs(x) })
	c.exprs(args[1:]...)
}

func (c *collector) variate(x ir.Expr) {
	for _, v := range Parts(x) {
		if c.drawn(v) {
			c.e.draws[v] = true
		} else {
			c.e.reads[v] = true
		}
	}
}

// assignments visits the variables that statements set, each with the expression that its value
// comes from (nil where a declaration has no initial value).
func assignments(body []ir.Stmt, visit func(*ir.Var, ir.Expr)) {
	ir.Inspect(body, func(n any) bool {
		switch s := n.(type) {
		case *ir.Declare:
			visit(s.Var, s.Init)
		case *ir.Assign:
			visit(s.To.Var, s.X)
		case *ir.Unpack:
			ir.Places(s.To, func(p *ir.Place) { visit(p.Var, s.X) })
		case *ir.ForEach:
			visit(s.Var, s.X)
		}
		return true
	})
}

// earlier reports whether an index is the loop's variable minus a positive constant.
func earlier(indices []ir.IndexArg, loop *ir.Var) bool {
	return loop != nil && slices.ContainsFunc(indices, func(a ir.IndexArg) bool {
		last := a.Lo
		if a.Kind == ir.Range {
			last = a.Hi
		}
		c, ok := last.(*ir.Call)
		if !ok || c.Fn.BuiltinName() != "subtract" {
			return false
		}
		from, ok := c.Args[0].(*ir.Ref)
		by, isConst := c.Args[1].(*ir.Const)
		return ok && isConst && from.Var == loop && by.X >= 1
	})
}

// indicesOf visits the expressions inside a variate that say which part it is.
func indicesOf(x ir.Expr, visit func(ir.Expr)) {
	switch x := x.(type) {
	case *ir.Promote:
		indicesOf(x.X, visit)
	case *ir.Field:
		indicesOf(x.X, visit)
	case *ir.Index:
		indicesOf(x.X, visit)
		for _, a := range x.Indices {
			visit(a.Lo)
			visit(a.Hi)
		}
	case *ir.Array:
		for _, e := range x.Elems {
			indicesOf(e, visit)
		}
	case *ir.Row:
		for _, e := range x.Elems {
			indicesOf(e, visit)
		}
	case *ir.Call:
		n := rearranged(x)
		for i, a := range x.Args {
			if i < n {
				indicesOf(a, visit)
			} else {
				visit(a)
			}
		}
	case *ir.Ref:
	default:
		visit(x)
	}
}
