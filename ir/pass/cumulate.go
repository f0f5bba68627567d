// Sums over the first or the last elements of a vector, which are longer or shorter from iteration to iteration: all of them
// are made first, each from the one before.

package pass

import (
	"slices"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// cumulated takes sum and log_sum_exp of parts of vectors, one end of which stays, out of a loop: what must run before the
// loop, and the loop without them; nil where there are none.
func (f *frame) cumulated(s *ir.For) ([]ir.Stmt, *ir.For) {
	if f.few(s) {
		return nil, nil
	}
	c := &cumulator{maker: maker{f.lib, s.Loc}, frame: f, body: newBody([]*ir.For{s}, s.Body)}
	if !c.body.separable() {
		return nil, nil
	}
	body := c.loops(Replace(s.Body, c.replace))
	if len(c.out) == 0 {
		return nil, nil
	}
	return c.out, &ir.For{At: s.At, Var: s.Var, Lo: s.Lo, Hi: s.Hi, Body: body}
}

// A cumulator collects the statements that make the sums.
type cumulator struct {
	maker
	frame *frame
	body  *body
	out   []ir.Stmt
}

// replace returns the element that a sum is; nil for all other expressions.
func (c *cumulator) replace(x ir.Expr) ir.Expr {
	call, ok := x.(*ir.Call)
	if !ok || !call.T.Equal(types.Real) || len(call.Args) != 1 {
		return nil
	}
	name := call.Fn.BuiltinName()
	if name != "sum" && name != "log_sum_exp" {
		return nil
	}
	p := &stretch{cumulator: c}
	elem := p.element(call.Args[0])
	if elem == nil || p.lo == nil || p.hi == nil {
		return nil
	}
	stays := func(x ir.Expr) bool { return steady(x, c.body.variant) }
	switch {
	case stays(p.lo) && !stays(p.hi) && c.ofInts(p.hi):
		return c.sums(name, p, elem, c.minus(p.size, c.minus(p.lo, c.int(1))), p.upward)
	case stays(p.hi) && !stays(p.lo) && c.ofInts(p.lo):
		return c.sums(name, p, elem, p.hi, p.downward)
	}
	return nil
}

// loops replaces loops inside that do nothing but add up, from or to where the iteration is.
func (c *cumulator) loops(list []ir.Stmt) []ir.Stmt {
	return ir.Map(list, func(s ir.Stmt) []ir.Stmt {
		switch s := s.(type) {
		case *ir.Block, *ir.If:
			return []ir.Stmt{ir.WithBodies(s, c.loops)}
		case *ir.For:
			if sums := c.addition(s); sums != nil {
				return sums
			}
		}
		return []ir.Stmt{s}
	})
}

// addition returns what a loop becomes that adds what depends on its variable alone to local numbers; nil for others.
func (c *cumulator) addition(s *ir.For) []ir.Stmt {
	outer := c.body.loops[0]
	end := func(x ir.Expr, at ir.Expr) ir.Expr { // a bound in the outer loop's first or last iteration
		if _, ok := offsetOf(x, outer.Var, c.body.variant); !ok {
			return nil
		}
		return substitute(x, map[*ir.Var]ir.Expr{outer.Var: at})
	}
	p := &stretch{cumulator: c, lo: s.Lo, hi: s.Hi}
	n, position := ir.Expr(nil), p.upward
	switch stays := func(x ir.Expr) bool { return steady(x, c.body.variant) }; {
	case stays(s.Lo):
		if last := end(s.Hi, outer.Hi); last != nil {
			n = c.plus(c.minus(last, s.Lo), 1)
		}
	case stays(s.Hi):
		if first := end(s.Lo, outer.Lo); first != nil {
			n, position = c.plus(c.minus(s.Hi, first), 1), p.downward
		}
	}
	if n == nil {
		return nil
	}
	slots, before := c.frame.slots, len(c.out)
	var out []ir.Stmt
	for _, x := range flat(s.Body) {
		a, ok := x.(*ir.Assign)
		if !ok {
			break
		}
		elem, ok := c.summand(a, s.Var)
		if !ok {
			break
		}
		sum := c.sums("sum", p, func(at ir.Expr) ir.Expr { return substitute(elem, map[*ir.Var]ir.Expr{s.Var: at}) }, n, position)
		out = append(out, &ir.Assign{At: a.At, To: a.To, X: c.named("add", &ir.Ref{Node: ir.Node{Loc: a.Loc, T: types.Real}, Var: a.To.Var}, sum)})
	}
	if len(out) < len(flat(s.Body)) {
		c.frame.slots, c.out = slots, c.out[:before]
		return nil
	}
	return out
}

// summand returns what is added to a local number, if it depends on nothing that the loop changes but the variable k.
func (c *cumulator) summand(a *ir.Assign, k *ir.Var) (ir.Expr, bool) {
	sum, ok := a.X.(*ir.Call)
	if !ok || len(a.To.Path) > 0 || !a.To.T.Equal(types.Real) || sum.Fn.BuiltinName() != "add" || !isRef(sum.Args[0], a.To.Var) {
		return nil, false
	}
	x := sum.Args[1]
	return promote(x, types.Real), steady(x, func(v *ir.Var) bool { return c.body.variant(v) && v != k })
}

// ofInts reports that an index is made of ints that the loop does not change, and of its variable.
func (c *cumulator) ofInts(x ir.Expr) bool {
	return steady(x, func(v *ir.Var) bool { return c.body.variant(v) && v != c.body.loops[0].Var })
}

// sums declares the sums of no element, of one, ... and of n, the elements being those at the positions of their numbers, and
// returns the one that is wanted.
func (c *cumulator) sums(name string, p *stretch, elem func(at ir.Expr) ir.Expr, n ir.Expr, position func(k ir.Expr) ir.Expr) ir.Expr {
	at := ir.At{Loc: c.at}
	all := c.frame.newVar(name, types.ArrayOf(types.Real, 1), c.at, c.plus(n, 1))
	k := &ir.Var{Loc: c.at, Name: "k", Type: types.Int, Slot: c.frame.slots}
	c.frame.slots++
	place := func(i ir.Expr) ir.Place {
		return ir.Place{Loc: c.at, Var: all, T: types.Real, Path: []ir.Access{{Indices: []ir.IndexArg{{Kind: ir.Single, Lo: i}}}}}
	}
	read := func(i ir.Expr) ir.Expr {
		return &ir.Index{Node: c.node(types.Real), X: c.ref(all), Indices: []ir.IndexArg{{Kind: ir.Single, Lo: i}}}
	}
	join, none := "add", ir.Expr(&ir.Const{Node: c.node(types.Real)})
	if name == "log_sum_exp" {
		join, none = name, c.named("negative_infinity")
	}
	next := c.named(join, read(c.ref(k)), elem(position(c.ref(k))))
	c.out = append(c.out, &ir.Declare{At: at, Var: all}, &ir.Assign{At: at, To: place(c.int(1)), X: none},
		&ir.For{At: at, Var: k, Lo: c.int(1), Hi: n, Body: []ir.Stmt{&ir.Assign{At: at, To: place(c.plus(c.ref(k), 1)), X: next}}})
	return read(c.plus(c.minus(p.hi, p.lo), 2))
}

// A stretch is the part of vectors that a sum goes over.
type stretch struct {
	*cumulator
	lo, hi, size ir.Expr
}

// upward is the position of element k of a stretch whose beginning stays.
func (p *stretch) upward(k ir.Expr) ir.Expr { return p.plus(p.named("add", p.lo, k), -1) }

// downward is that of element k, from the end, of one whose end stays.
func (p *stretch) downward(k ir.Expr) ir.Expr { return p.plus(p.named("subtract", p.hi, k), 1) }

// element returns how to make an element of an expression at a position of the vectors; nil where it is not made element by
// element of one stretch of them.
func (p *stretch) element(x ir.Expr) func(at ir.Expr) ir.Expr {
	switch x := x.(type) {
	case *ir.Index:
		return p.part(x)
	case *ir.Call:
		fn, ok := x.Fn.(*stdlib.Function)
		if y := p.end(x); ok && y != nil {
			return p.part(y)
		}
		if !ok || fn.Op == nil || len(x.Args) == 0 || len(x.Args) > 2 {
			return nil
		}
		elems := make([]func(at ir.Expr) ir.Expr, len(x.Args))
		for i, a := range x.Args {
			switch {
			case number(a.Type()) && steady(a, p.body.variant) && plain(a):
				elems[i] = func(ir.Expr) ir.Expr { return a }
			case !number(a.Type()):
				elems[i] = p.element(a)
			}
		}
		if slices.ContainsFunc(elems, func(e func(at ir.Expr) ir.Expr) bool { return e == nil }) {
			return nil
		}
		return func(at ir.Expr) ir.Expr {
			args := make([]ir.Expr, len(elems))
			for i, e := range elems {
				args[i] = e(at)
			}
			return p.named(fn.Name, args...)
		}
	}
	return nil
}

// end writes head and tail as stretches; nil for other calls.
func (p *stretch) end(x *ir.Call) *ir.Index {
	name := x.Fn.BuiltinName()
	if name != "head" && name != "tail" || len(x.Args) != 2 {
		return nil
	}
	r := ir.IndexArg{Kind: ir.Range, Lo: p.int(1), Hi: x.Args[1]}
	if size := p.named("size", x.Args[0]); name == "tail" {
		r.Lo, r.Hi = p.plus(p.minus(size, x.Args[1]), 1), size
	}
	return &ir.Index{Node: x.Node, X: x.Args[0], Indices: []ir.IndexArg{r}}
}

// part is element for v[lo:hi]; one stretch only.
func (p *stretch) part(x *ir.Index) func(at ir.Expr) ir.Expr {
	r, ok := x.X.(*ir.Ref)
	if !ok || len(x.Indices) != 1 || x.Indices[0].Kind != ir.Range || p.lo != nil || p.body.variant(r.Var) || !(isVector(r.Var.Type) || r.Var.Type.Equal(types.ArrayOf(types.Real, 1))) {
		return nil
	}
	p.lo, p.hi, p.size = x.Indices[0].Lo, x.Indices[0].Hi, p.named("size", r)
	if p.lo == nil {
		p.lo = p.int(1)
	}
	if p.hi == nil {
		p.hi = p.size
	}
	return func(at ir.Expr) ir.Expr {
		return &ir.Index{Node: ir.Node{Loc: x.Loc, T: types.Real}, X: r, Indices: []ir.IndexArg{{Kind: ir.Single, Lo: at}}}
	}
}
