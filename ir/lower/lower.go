// Package lower turns a checked syntax tree into the IR. It decides nothing that
// the checker has not decided: names become slots, operators become calls of the
// library, conversions become explicit. It is called with programs that have no
// errors only.
package lower

import (
	"fmt"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/check"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// Program lowers a program that check.Check found no errors in.
func Program(info *check.Info, lib *stdlib.Library) *ir.Program {
	l := &lowerer{info: info, lib: lib, vars: map[*check.Symbol]*ir.Var{}, functions: map[*check.Function]*ir.Function{}}
	p := info.Program
	out := &ir.Program{}
	if p.File != nil {
		out.Name = p.File.Name
	}
	l.declareFunctions(out)
	l.frame = &out.Slots
	out.Data = l.variables(p.Data, ir.Datum)
	out.TransformedData = l.piece(p.TransformedData, ir.TransformedDatum)
	out.Parameters = l.variables(p.Parameters, ir.Parameter)
	out.TransformedParameters = l.piece(p.TransformedParameters, ir.TransformedParameter)
	if p.Model != nil {
		out.Model = l.stmts(p.Model.Body)
	}
	out.GeneratedQuantities = l.piece(p.GeneratedQuantities, ir.Generated)
	if p.Simulate != nil {
		s := l.piece(p.Simulate, ir.Local)
		out.Simulate = &s
	}
	l.defineFunctions()
	return out
}

type lowerer struct {
	info      *check.Info
	lib       *stdlib.Library
	vars      map[*check.Symbol]*ir.Var
	functions map[*check.Function]*ir.Function
	frame     *int       // counter of slots of the frame at work
	result    types.Type // of the function at work
}

// newVar makes the variable of a symbol.
func (l *lowerer) newVar(id *ast.Ident, kind ir.VarKind) *ir.Var {
	sym := l.info.Defs[id]
	v := &ir.Var{Loc: id.Loc, Name: sym.Name, Kind: kind, Type: sym.Type, Slot: *l.frame}
	*l.frame++
	l.vars[sym] = v
	return v
}

func (l *lowerer) use(id *ast.Ident) *ir.Var {
	v, ok := l.vars[l.info.Uses[id]]
	if !ok {
		panic(fmt.Sprintf("lower: %s has no variable", id.Name))
	}
	return v
}

// variables lowers a block of declarations only.
func (l *lowerer) variables(b *ast.Block, kind ir.VarKind) []*ir.Var {
	if b == nil {
		return nil
	}
	var out []*ir.Var
	for _, s := range b.Body {
		if d, ok := s.(*ast.Decl); ok {
			v := l.newVar(d.Name, kind)
			v.Decl = l.shape(d.Type)
			out = append(out, v)
		}
	}
	return out
}

// piece lowers a block of declarations and statements.
func (l *lowerer) piece(b *ast.Block, kind ir.VarKind) ir.Piece {
	var p ir.Piece
	if b == nil {
		return p
	}
	for _, s := range b.Body {
		before := len(p.Body)
		p.Body = l.add(p.Body, s, kind)
		if len(p.Body) > before {
			if d, ok := p.Body[before].(*ir.Declare); ok {
				p.Vars = append(p.Vars, d.Var)
			}
		}
	}
	return p
}

func (l *lowerer) declareFunctions(out *ir.Program) {
	for _, f := range l.info.Functions {
		fn := &ir.Function{Name: f.Name, Index: len(out.Functions), Result: f.Result,
			Target: f.Suffix == check.LP || f.Suffix == check.Jacobian, Random: f.Suffix == check.RNG}
		if f.Def != nil {
			fn.Loc = f.Def.Loc
		}
		l.functions[f] = fn
		out.Functions = append(out.Functions, fn)
	}
}

func (l *lowerer) defineFunctions() {
	for _, f := range l.info.Functions {
		if f.Def == nil || f.Def.Body == nil {
			continue
		}
		fn := l.functions[f]
		l.frame, l.result = &fn.Slots, f.Result
		for _, p := range f.Def.Params {
			fn.Params = append(fn.Params, l.newVar(p.Name, ir.Local))
		}
		fn.Body = l.stmts(f.Def.Body.Body)
	}
}

// shape lowers sizes and constraint of a declaration.
func (l *lowerer) shape(t *ast.TypeExpr) *ir.Shape {
	s := &ir.Shape{Type: l.info.Declared[t], Constraint: l.constraint(t)}
	for _, x := range t.ArraySizes {
		s.Sizes = append(s.Sizes, l.expr(x))
	}
	for _, x := range t.Sizes {
		s.Sizes = append(s.Sizes, l.expr(x))
	}
	if len(t.Sizes) == 1 && s.Type.Base.BaseRank() == 2 {
		// One size stands for both of a square matrix (corr_matrix[K]).
		s.Sizes = append(s.Sizes, l.expr(t.Sizes[0]))
	}
	for _, f := range t.Fields {
		s.Fields = append(s.Fields, l.shape(f))
	}
	return s
}

func (l *lowerer) constraint(t *ast.TypeExpr) *ir.Constraint {
	bounds := map[string]ir.Expr{}
	for _, b := range t.Bounds {
		bounds[b.Name] = l.expr(b.X)
	}
	c := &ir.Constraint{Loc: t.Loc}
	lower, upper := bounds["lower"], bounds["upper"]
	offset, multiplier := bounds["offset"], bounds["multiplier"]
	switch {
	case lower != nil && upper != nil:
		c.Name, c.Args = "lower_upper", []ir.Expr{lower, upper}
	case lower != nil:
		c.Name, c.Args = "lower", []ir.Expr{lower}
	case upper != nil:
		c.Name, c.Args = "upper", []ir.Expr{upper}
	case offset != nil || multiplier != nil:
		c.Name, c.Args = "offset_multiplier", []ir.Expr{orNumber(t.Loc, offset, 0), orNumber(t.Loc, multiplier, 1)}
	default:
		if l.lib.Transform(t.Name) == nil {
			return nil
		}
		c.Name = t.Name
	}
	return c
}

// orNumber is x or, where it is nil, a number in its place.
func orNumber(at source.Span, x ir.Expr, v float64) ir.Expr {
	if x != nil {
		return x
	}
	return &ir.Const{Node: ir.Node{Loc: at, T: types.Real}, X: v}
}
