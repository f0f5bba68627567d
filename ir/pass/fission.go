// Loop fission: which statements of a body leave the loop, and what links the pieces.

package pass

import (
	"slices"

	"math"
	"strings"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A fission takes one loop apart.
type fission struct {
	frame *frame
	body  *body
	loop  *ir.For
	maker
	once    []ir.Stmt               // declarations of scalars that are the same in all iterations
	scalars map[*ir.Var]*ir.Declare // of the body: the declarations of what may become arrays
	order   []*ir.Var               // they as they are declared
	arrays  map[*ir.Var]*ir.Var     // their arrays
	pieces  []piece
}

// A piece is what became of one group of statements.
type piece struct {
	stays []ir.Stmt // in a loop; nil for a piece that is written for all iterations
	lanes []ir.Stmt
}

func newFission(f *frame, b *body) *fission {
	x := &fission{frame: f, loop: b.loops[0], maker: maker{f.lib, b.loops[0].Loc}, scalars: map[*ir.Var]*ir.Declare{}, arrays: map[*ir.Var]*ir.Var{}}
	var list []ir.Stmt
	sets, same := map[*ir.Var]bool{}, map[*ir.Var]bool{}
	ir.Assignments(b.stmts, func(to *ir.Place, _ ir.Expr) { sets[to.Var] = true })
	varies := func(v *ir.Var) bool { return b.changed[v] && !same[v] }
	for _, s := range b.stmts {
		d, ok := s.(*ir.Declare)
		if !ok || !number(d.Var.Type) || inShapes(b.stmts, d.Var) {
			list = append(list, s)
			continue
		}
		if d.Init != nil && !sets[d.Var] && steady(d.Init, varies) {
			x.once, same[d.Var] = append(x.once, d), true
			continue
		}
		x.scalars[d.Var] = d
		x.order = append(x.order, d.Var)
		x.arrays[d.Var] = f.newVar(d.Var.Name, types.ArrayOf(d.Var.Type, 1), d.Var.Loc, x.rounds(x.loop))
		if d.Init != nil {
			list = append(list, &ir.Assign{At: d.At, To: ir.Place{Loc: d.Loc, Var: d.Var, T: d.Var.Type}, X: d.Init})
		}
	}
	x.body = newBody(b.loops, list)
	for v := range x.scalars {
		x.body.private[v], x.body.changed[v] = true, true
	}
	return x
}

// inShapes reports whether a variable occurs in the sizes of a declaration.
func inShapes(list []ir.Stmt, v *ir.Var) bool {
	found := false
	ir.Inspect(list, func(n any) bool {
		d, ok := n.(*ir.Declare)
		if !ok {
			return !found
		}
		sizes := *d
		sizes.Init = nil
		for _, a := range accesses(&sizes) {
			found = found || a.v == v && !a.write
		}
		return !found
	})
	return found
}

// run returns the pieces in order; nil where all statements stay.
func (x *fission) run() []ir.Stmt {
	d := x.body.dependences()
	x.tieContainers(d)
	left := false
	for _, g := range d.groups() {
		p := x.piece(d, g)
		left = left || p.stays == nil
		if k := len(x.pieces) - 1; k >= 0 && p.stays != nil && x.pieces[k].stays != nil {
			x.pieces[k].stays = append(x.pieces[k].stays, p.stays...)
			continue
		}
		x.pieces = append(x.pieces, p)
	}
	if !left {
		return nil
	}
	return nonEmpty(x.maker, x.body.loops, append(x.once, x.write()...))
}

// tieContainers keeps what uses a container that each iteration declares in one loop.
func (x *fission) tieContainers(d *dependences) {
	for i, s := range x.body.stmts {
		decl, ok := s.(*ir.Declare)
		if !ok {
			continue
		}
		d.carried[i] = true
		for j, t := range x.body.stmts {
			if uses(t, decl.Var) {
				d.tie(i, j)
			}
		}
	}
}

// uses reports whether a statement reads or writes a variable.
func uses(s ir.Stmt, v *ir.Var) bool {
	return slices.ContainsFunc(accesses(s), func(a access) bool { return a.v == v })
}

// piece writes a group of statements for all iterations, if that can be done.
func (x *fission) piece(d *dependences, group []int) piece {
	var stays []ir.Stmt
	for _, i := range group {
		stays = append(stays, x.body.stmts[i])
	}
	p := piece{stays: stays}
	switch {
	case len(group) > 1:
		return p
	case d.carried[group[0]]:
		x.frame.try(func() (ok bool) {
			p.lanes, ok = x.counted(stays[0])
			return ok
		})
		if p.lanes != nil {
			p.stays = nil
		}
		return p
	}
	s := stays[0]
	x.frame.try(func() bool {
		inner, ok := x.inElements(s).(*ir.For)
		if rounds, known := x.frame.known(x.loop); !ok && known && rounds < minLanes {
			inner, ok = x.elements(x.inElements(s))
		}
		if !ok {
			return false
		}
		nest := x.frame.nest(&ir.For{At: x.loop.At, Var: x.loop.Var, Lo: x.loop.Lo, Hi: x.loop.Hi, Body: []ir.Stmt{inner}})
		if nest != nil {
			p = piece{lanes: nest}
		}
		return nest != nil
	})
	if p.stays == nil {
		return p
	}
	x.frame.try(func() bool {
		l := newLanes(x.frame, x.body, x.arrays)
		if !l.stmt(s) {
			return false
		}
		p = piece{lanes: l.out}
		return true
	})
	return p
}

// counted writes a statement that adds whole numbers to a variable that nothing else in the loop uses: their sum, in
// whatever order, is the same number.
func (x *fission) counted(s ir.Stmt) ([]ir.Stmt, bool) {
	a, ok := s.(*ir.Assign)
	if !ok || len(a.To.Path) > 0 || x.body.private[a.To.Var] {
		return nil, false
	}
	sum, ok := a.X.(*ir.Call)
	if !ok || sum.Fn.BuiltinName() != "add" || !isRef(sum.Args[0], a.To.Var) || !counts(sum.Args[1]) {
		return nil, false
	}
	for _, other := range x.body.stmts {
		if other != s && uses(other, a.To.Var) {
			return nil, false
		}
	}
	l := newLanes(x.frame, x.body, x.arrays)
	y, ok := l.full(sum.Args[1], types.ArrayOf(sum.Args[1].Type(), 1))
	if !ok || ir.Reads(sum.Args[1], a.To.Var) {
		return nil, false
	}
	return append(l.out, &ir.Assign{At: a.At, To: a.To, X: l.named("add", sum.Args[0], l.named("sum", y))}), true
}

// mostCounted is the greatest term of a count: sums of one for each iteration are exact then.
const mostCounted = 1000

// counts reports whether an expression is a whole number up to mostCounted: a constant, a truth value, or a choice of such.
func counts(x ir.Expr) bool {
	switch x := x.(type) {
	case *ir.Const:
		return number(x.T) && x.X == math.Trunc(x.X) && math.Abs(x.X) <= mostCounted
	case *ir.Promote:
		return counts(x.X)
	case *ir.Call:
		name := x.Fn.BuiltinName()
		return strings.HasPrefix(name, "logical_") || name == stdlib.Choice.Name && counts(x.Args[1]) && counts(x.Args[2])
	}
	return false
}

// inElements is a statement with scalars of the body as elements of their arrays.
func (x *fission) inElements(s ir.Stmt) ir.Stmt {
	element := func() []ir.IndexArg {
		return []ir.IndexArg{{Kind: ir.Single, Lo: x.plus(x.minus(x.ref(x.loop.Var), x.loop.Lo), 1)}}
	}
	r := rewriter{expr: func(e ir.Expr) ir.Expr {
		ref, ok := e.(*ir.Ref)
		if !ok || x.arrays[ref.Var] == nil {
			return nil
		}
		return &ir.Index{Node: ref.Node, X: x.ref(x.arrays[ref.Var]), Indices: element()}
	}, place: func(p *ir.Place) {
		if a := x.arrays[p.Var]; a != nil {
			p.Var, p.Path = a, []ir.Access{{Indices: element()}}
		}
	}}
	return r.stmt(s)
}

// write puts the pieces together.
func (x *fission) write() []ir.Stmt {
	x.keepScalars()
	var out []ir.Stmt
	for _, v := range x.ordered() {
		a := x.arrays[v]
		out = append(out, &ir.Declare{At: ir.At{Loc: a.Loc}, Var: a})
	}
	for _, p := range x.pieces {
		if p.stays == nil {
			out = append(out, p.lanes...)
			continue
		}
		body := make([]ir.Stmt, len(p.stays))
		for i, s := range p.stays {
			body[i] = x.inElements(s)
		}
		body = append(x.declarations(p), body...)
		out = append(out, &ir.For{At: x.loop.At, Var: x.loop.Var, Lo: x.loop.Lo, Hi: x.loop.Hi, Body: x.frame.staying(body)})
	}
	return out
}

// keepScalars forgets the arrays of scalars that only one loop uses, or none.
func (x *fission) keepScalars() {
	for v, a := range x.arrays {
		loops, pieces := 0, 0
		for _, p := range x.pieces {
			switch {
			case p.stays != nil && anyUses(p.stays, v):
				loops++
				pieces++
			case p.stays == nil && anyUses(p.lanes, a):
				pieces++
			}
		}
		if pieces == 0 || pieces == 1 && loops == 1 {
			delete(x.arrays, v)
		}
	}
}

func anyUses(list []ir.Stmt, v *ir.Var) bool {
	return slices.ContainsFunc(list, func(s ir.Stmt) bool { return uses(s, v) })
}

// ordered lists the scalars that have arrays as the body declares them.
func (x *fission) ordered() []*ir.Var {
	var out []*ir.Var
	for _, v := range x.order {
		if x.arrays[v] != nil {
			out = append(out, v)
		}
	}
	return out
}

// declarations are those of the scalars that a loop has to itself.
func (x *fission) declarations(p piece) []ir.Stmt {
	var out []ir.Stmt
	for _, v := range x.order {
		if x.arrays[v] == nil && anyUses(p.stays, v) {
			d := x.scalars[v]
			out = append(out, &ir.Declare{At: d.At, Var: d.Var})
		}
	}
	return out
}
