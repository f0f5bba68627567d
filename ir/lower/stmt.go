// Lowering of statements.

package lower

import (
	"fmt"
	"strings"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/types"
)

func (l *lowerer) stmts(in []ast.Stmt) []ir.Stmt {
	var out []ir.Stmt
	for _, s := range in {
		out = l.add(out, s, ir.Local)
	}
	return out
}

// add appends a statement, lowered. A variable is visible in its own initial value, as in
// Stan: such a declaration becomes one without a value, and an assignment.
func (l *lowerer) add(out []ir.Stmt, s ast.Stmt, kind ir.VarKind) []ir.Stmt {
	lowered := l.stmt(s, kind)
	if lowered == nil {
		return out
	}
	out = append(out, lowered)
	if d, ok := lowered.(*ir.Declare); ok && ir.Reads(d.Init, d.Var) {
		out = append(out, &ir.Assign{At: d.At, To: ir.Place{Loc: d.Var.Loc, Var: d.Var, T: d.Var.Type}, X: d.Init})
		d.Init = nil
	}
	return out
}

// body lowers the statement of a loop or branch as a list.
func (l *lowerer) body(s ast.Stmt) []ir.Stmt {
	if b, ok := s.(*ast.BlockStmt); ok {
		return l.stmts(b.Body)
	}
	return l.stmts([]ast.Stmt{s})
}

// stmt lowers one statement; kind is what a declaration in it declares.
func (l *lowerer) stmt(s ast.Stmt, kind ir.VarKind) ir.Stmt {
	at := ir.At{Loc: s.Span()}
	switch s := s.(type) {
	case *ast.Decl:
		return l.decl(s, at, kind)
	case *ast.Assign:
		return l.assign(s, at)
	case *ast.Sample:
		return l.sample(s, at)
	case *ast.TargetAdd:
		return &ir.TargetAdd{At: at, X: l.expr(s.X), Jacobian: s.Jacobian}
	case *ast.CallStmt:
		return &ir.Eval{At: at, X: l.expr(s.Call)}
	case *ast.If:
		out := &ir.If{At: at, Test: l.expr(s.Cond), Then: l.body(s.Then)}
		if s.Else != nil {
			out.Else = l.body(s.Else)
		}
		return out
	case *ast.For:
		lo, hi := l.expr(s.Lo), l.expr(s.Hi)
		return &ir.For{At: at, Var: l.newVar(s.Var, ir.Local), Lo: lo, Hi: hi, Body: l.body(s.Body)}
	case *ast.ForEach:
		x := l.expr(s.X)
		return &ir.ForEach{At: at, Var: l.newVar(s.Var, ir.Local), X: x, Body: l.body(s.Body)}
	case *ast.While:
		return &ir.While{At: at, Test: l.expr(s.Cond), Body: l.body(s.Body)}
	case *ast.Break:
		return &ir.Jump{At: at, Break: true}
	case *ast.Continue:
		return &ir.Jump{At: at}
	case *ast.Return:
		return l.returns(s, at)
	case *ast.Print:
		return &ir.Print{At: at, Kind: ir.PrintKind(s.Kind), Args: l.exprs(s.Args)}
	case *ast.Profile:
		return &ir.Block{At: at, Body: l.stmts(s.Body), Profile: s.Name.Value}
	case *ast.BlockStmt:
		return &ir.Block{At: at, Body: l.stmts(s.Body)}
	case *ast.Empty:
		return nil
	}
	panic(fmt.Sprintf("lower: unknown statement %T", s))
}

func (l *lowerer) decl(s *ast.Decl, at ir.At, kind ir.VarKind) ir.Stmt {
	shape := l.shape(s.Type)
	v := l.newVar(s.Name, kind)
	v.Decl = shape
	var init ir.Expr
	if s.Init != nil {
		init = l.exprAs(s.Init, shape.Type)
	}
	return &ir.Declare{At: at, Var: v, Init: init}
}

func (l *lowerer) assign(s *ast.Assign, at ir.At) ir.Stmt {
	if t, ok := s.LHS.(*ast.TupleLit); ok {
		x := l.expr(s.RHS)
		return &ir.Unpack{At: at, To: l.unpack(t, x.Type()), X: x}
	}
	to := l.place(s.LHS)
	if s.Op == "=" {
		return &ir.Assign{At: at, To: to, X: l.exprAs(s.RHS, to.T)}
	}
	op := ast.Op(strings.TrimSuffix(string(s.Op), "="))
	return &ir.Assign{At: at, To: to, X: l.compound(op, at.Loc, l.expr(s.LHS), l.expr(s.RHS), l.info.Compound[s])}
}

func (l *lowerer) unpack(t *ast.TupleLit, from types.Type) []ir.UnpackTo {
	out := make([]ir.UnpackTo, len(t.Elems))
	for i, e := range t.Elems {
		if nested, ok := e.(*ast.TupleLit); ok {
			out[i] = ir.UnpackTo{Nested: l.unpack(nested, from.Fields[i]), T: from.Fields[i]}
			continue
		}
		p := l.place(e)
		out[i] = ir.UnpackTo{Place: &p, T: p.T}
	}
	return out
}

// place lowers a left-hand side.
func (l *lowerer) place(x ast.Expr) ir.Place {
	switch x := x.(type) {
	case *ast.Paren:
		return l.place(x.X)
	case *ast.Ident:
		return ir.Place{Loc: x.Loc, Var: l.use(x), T: l.info.Types[x]}
	case *ast.Index:
		p := l.place(x.X)
		p.Path = append(p.Path, ir.Access{Indices: l.indices(x.Indices)})
		p.Loc, p.T = x.Loc, l.info.Types[x]
		return p
	case *ast.TupleGet:
		p := l.place(x.X)
		p.Path = append(p.Path, ir.Access{Field: x.Field - 1})
		p.Loc, p.T = x.Loc, l.info.Types[x]
		return p
	}
	panic(fmt.Sprintf("lower: %T cannot be assigned to", x))
}

func (l *lowerer) returns(s *ast.Return, at ir.At) ir.Stmt {
	if s.X == nil {
		return &ir.Return{At: at}
	}
	return &ir.Return{At: at, X: l.exprAs(s.X, l.result)}
}

func (l *lowerer) sample(s *ast.Sample, at ir.At) ir.Stmt {
	c := l.info.Samples[s]
	args := l.args(c, append([]ast.Expr{s.X}, s.Args...))
	n := ir.Node{Loc: at.Loc, T: types.Real}
	out := &ir.Sample{At: at, Density: l.apply(c, n, args)}
	if s.Trunc == nil {
		return out
	}
	out.Trunc = &ir.Truncation{Discrete: strings.HasSuffix(c.Name, "_lpmf"), LCDF: l.callee(c.Lcdf), LCCDF: l.callee(c.Lccdf)}
	if s.Trunc.Lo != nil {
		out.Trunc.Lo = l.expr(s.Trunc.Lo)
	}
	if s.Trunc.Hi != nil {
		out.Trunc.Hi = l.expr(s.Trunc.Hi)
	}
	return out
}
