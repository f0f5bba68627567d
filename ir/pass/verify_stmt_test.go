// The verifier: statements.

package pass_test

import (
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
)

func (v *verifier) stmts(body []ir.Stmt) {
	for _, s := range body {
		if v.present(s, "a statement") {
			v.stmt(s)
		}
	}
}

func (v *verifier) stmt(s ir.Stmt) {
	switch s := s.(type) {
	case *ir.Declare:
		if s.Var == nil {
			v.fail(s.Loc, "a declaration has no variable")
			return
		}
		v.shape(s.Loc, s.Var.Decl, s.Var.Type)
		if s.Init != nil {
			v.exprOf(s.Init, s.Var.Type)
		}
		v.declare(s.Var)
	case *ir.Assign:
		v.place(&s.To)
		v.exprOf(s.X, s.To.T)
	case *ir.Unpack:
		if v.expr(s.X) {
			v.unpack(s.Loc, s.To, s.X.Type())
		}
	case *ir.TargetAdd:
		if v.expr(s.X) && s.X.Type().Scalar().Base == types.BadBase {
			v.fail(s.Loc, "%s is added to the target", s.X.Type())
		}
	case *ir.Sample:
		v.sample(s)
	case *ir.Eval:
		v.expr(s.X)
	case *ir.Return:
		v.returns(s)
	case *ir.Jump:
		if v.loops == 0 {
			v.fail(s.Loc, "a jump outside a loop")
		}
	case *ir.Print:
		v.exprs(s.Args)
	default:
		v.nested(s)
	}
}

// nested checks a statement that holds others.
func (v *verifier) nested(s ir.Stmt) {
	switch s := s.(type) {
	case *ir.Block:
		v.scoped(func() { v.stmts(s.Body) })
	case *ir.If:
		v.test(s.Test)
		v.scoped(func() { v.stmts(s.Then) })
		v.scoped(func() { v.stmts(s.Else) })
	case *ir.For:
		v.exprOf(s.Lo, types.Int)
		v.exprOf(s.Hi, types.Int)
		v.loop(s.Loc, s.Var, types.Int, s.Body)
	case *ir.ForEach:
		if v.expr(s.X) {
			v.loop(s.Loc, s.Var, each(s.X.Type()), s.Body)
		}
	case *ir.While:
		v.test(s.Test)
		v.loop(s.Loc, nil, types.Void, s.Body)
	default:
		v.fail(s.Span(), "unknown statement %T", s)
	}
}

// each is the type of a ForEach's variable.
func each(t types.Type) types.Type {
	if t.Dims > 0 {
		return t.Elem()
	}
	return t.Scalar()
}

// loop checks a loop's body; x is its variable, of type t, or nil.
func (v *verifier) loop(at source.Span, x *ir.Var, t types.Type, body []ir.Stmt) {
	v.scoped(func() {
		if t.Base != types.VoidBase {
			v.declare(x)
			if x != nil {
				v.same(at, "the loop variable's", x.Type, t)
			}
		}
		v.loops++
		v.stmts(body)
		v.loops--
	})
}

// test checks a condition: an int or real number.
func (v *verifier) test(x ir.Expr) {
	if v.expr(x) && !x.Type().Equal(types.Int) && !x.Type().Equal(types.Real) {
		v.fail(x.Span(), "a condition of type %s", x.Type())
	}
}

func (v *verifier) returns(s *ir.Return) {
	switch {
	case v.fn == nil:
		v.fail(s.Loc, "a return outside a function")
	case s.X != nil:
		v.exprOf(s.X, v.fn.Result)
	case v.fn.Result.Base != types.VoidBase:
		v.fail(s.Loc, "a return without a value of %s", v.fn.Result)
	}
}

func (v *verifier) sample(s *ir.Sample) {
	if !v.exprOf(s.Density, types.Real) {
		return
	}
	switch s.Density.(type) {
	case *ir.Call, *ir.UserCall:
	default:
		v.fail(s.Loc, "a density that is a %T", s.Density)
	}
	if s.Trunc != nil {
		v.truncation(s.Loc, s.Trunc)
	}
}

// truncation checks the bounds and that the functions are there that they need.
func (v *verifier) truncation(at source.Span, t *ir.Truncation) {
	for _, x := range []ir.Expr{t.Lo, t.Hi} {
		if x != nil {
			v.expr(x)
		}
	}
	known := func(c ir.Callee) bool { return c.Builtin != nil || c.User != nil }
	if t.Hi != nil && !known(t.LCDF) || t.Lo != nil && t.Hi == nil && !known(t.LCCDF) {
		v.fail(at, "a truncation without its distribution function")
	}
}

// place checks what is assigned to.
func (v *verifier) place(p *ir.Place) {
	if p.Var == nil || p.Loc.IsZero() {
		v.fail(p.Loc, "a place without variable or position")
		return
	}
	if !v.scope[p.Var] {
		v.fail(p.Loc, "%s is assigned to out of its scope", p.Var.Name)
	}
	t := p.Var.Type
	for _, a := range p.Path {
		if a.Indices == nil {
			t = v.field(p.Loc, t, a.Field)
		} else {
			t = v.indexed(p.Loc, t, a.Indices)
		}
	}
	v.same(p.Loc, "the place's", p.T, t)
}

func (v *verifier) unpack(at source.Span, to []ir.UnpackTo, t types.Type) {
	if t.Base != types.TupleBase || t.Dims > 0 || len(t.Fields) != len(to) {
		v.fail(at, "%s is unpacked into %d places", t, len(to))
		return
	}
	for i := range to {
		if _, ok := types.Promote(t.Fields[i], to[i].T); !ok {
			v.fail(at, "%s is unpacked as %s", t.Fields[i], to[i].T)
		}
		if to[i].Place == nil {
			v.unpack(at, to[i].Nested, to[i].T)
			continue
		}
		v.place(to[i].Place)
		v.same(at, "the unpacked", to[i].T, to[i].Place.T)
	}
}
