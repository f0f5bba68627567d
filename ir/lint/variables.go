// Variables that are never read, and variables that are read before anything is
// assigned to them.

package lint

import (
	"maps"

	"github.com/seed-12b88e03/ppl/ir"
)

// unused warns of variables that nothing reads. Transformed parameters and generated
// quantities are output, arguments of functions may be there for a signature's sake,
// and loop variables count: none of these is meant.
func (l *linter) unused() {
	read := map[*ir.Var]bool{}
	declared := append(append([]*ir.Var{}, l.program.Data...), l.program.Parameters...)
	l.inspect(func(n any) bool {
		switch n := n.(type) {
		case *ir.Ref:
			read[n.Var] = true
		case *ir.Declare:
			if k := n.Var.Kind; k == ir.Local || k == ir.TransformedDatum {
				declared = append(declared, n.Var)
			}
		}
		return true
	})
	if l.program.Simulate != nil {
		for _, v := range l.program.Simulate.Vars {
			read[v] = true
		}
	}
	for _, v := range declared {
		if read[v] {
			continue
		}
		kind := v.Kind.String()
		if v.Kind != ir.Parameter {
			kind += " variable"
		}
		l.warn(v.Loc, msgUnused, "remove it, or use it where it was meant to be used", kind, v.Name)
	}
}

// unassigned warns of reads that no assignment can have come before, and of outputs
// that get no value at all.
func (l *linter) unassigned() {
	reported := map[*ir.Var]bool{}
	for _, body := range l.bodies() {
		f := &flow{l: l, empty: map[*ir.Var]bool{}, reported: reported}
		f.stmts(body)
	}
	p := l.program
	for _, piece := range []ir.Piece{p.TransformedData, p.TransformedParameters, p.GeneratedQuantities} {
		assigned := map[*ir.Var]bool{}
		eachAssigned(piece.Body, func(v *ir.Var) { assigned[v] = true })
		for _, v := range piece.Vars {
			if !reported[v] && !isEmpty(v.Decl) && !assigned[v] {
				l.warn(v.Loc, msgNeverAssigned, "assign to it, or remove it: its value is not a number", v.Kind, v.Name)
			}
		}
	}
}

// isEmpty reports whether a shape has no elements, as far as can be seen.
func isEmpty(s *ir.Shape) bool {
	for _, x := range s.Sizes {
		if v, ok := constant(x); ok && v == 0 {
			return true
		}
	}
	return false
}

// eachAssigned visits the variables that statements assign to.
func eachAssigned(body []ir.Stmt, visit func(*ir.Var)) {
	ir.Inspect(body, func(n any) bool {
		switch n := n.(type) {
		case *ir.Declare:
			if n.Init != nil {
				visit(n.Var)
			}
		case *ir.Assign:
			visit(n.To.Var)
		case *ir.Unpack:
			ir.Places(n.To, func(p *ir.Place) { visit(p.Var) })
		}
		return true
	})
}

// A flow follows statements in order. A variable is in empty from its declaration to
// the first assignment on any path; a loop's assignments count for all of its body.
type flow struct {
	l        *linter
	empty    map[*ir.Var]bool
	reported map[*ir.Var]bool
}

func (f *flow) assigned(v *ir.Var) { delete(f.empty, v) }

func (f *flow) stmts(body []ir.Stmt) {
	for _, s := range body {
		f.stmt(s)
	}
}

func (f *flow) stmt(s ir.Stmt) {
	switch s := s.(type) {
	case *ir.Declare:
		f.reads(s.Init)
		if s.Init == nil && !isEmpty(s.Var.Decl) {
			f.empty[s.Var] = true
		}
	case *ir.Block:
		f.stmts(s.Body)
	case *ir.If:
		f.reads(s.Test)
		before := maps.Clone(f.empty)
		f.stmts(s.Then)
		after := f.empty
		f.empty = before
		f.stmts(s.Else)
		for v := range f.empty { // empty only where it is so on both ways
			if !after[v] {
				f.assigned(v)
			}
		}
	case *ir.For:
		f.reads(s.Lo)
		f.reads(s.Hi)
		f.loop(s.Body)
	case *ir.ForEach:
		f.reads(s.X)
		f.loop(s.Body)
	case *ir.While:
		eachAssigned(s.Body, f.assigned)
		f.reads(s.Test)
		f.loop(s.Body)
	default:
		ir.Inspect([]ir.Stmt{s}, f.visit)
		eachAssigned([]ir.Stmt{s}, f.assigned)
	}
}

func (f *flow) loop(body []ir.Stmt) {
	outer := maps.Clone(f.empty)
	eachAssigned(body, f.assigned)
	f.stmts(body)
	for v := range f.empty { // what the body declares is gone
		if !outer[v] {
			f.assigned(v)
		}
	}
}

func (f *flow) reads(x ir.Expr) { ir.InspectExpr(x, f.visit) }

// visit reports a read of a variable without a value, once.
func (f *flow) visit(n any) bool {
	switch n := n.(type) {
	case *ir.Call:
		return !sizes[n.Fn.BuiltinName()]
	case *ir.Ref:
		if f.empty[n.Var] {
			f.l.warn(n.Loc, msgUnassigned, "assign to it first", n.Var.Name)
			f.reported[n.Var] = true
			f.assigned(n.Var)
		}
	}
	return true
}
