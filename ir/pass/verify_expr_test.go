// The verifier: expressions.

package pass_test

import (
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
)

func (v *verifier) exprs(xs []ir.Expr) {
	for _, x := range xs {
		v.expr(x)
	}
}

// exprOf checks an expression and its type.
func (v *verifier) exprOf(x ir.Expr, t types.Type) bool {
	if !v.expr(x) {
		return false
	}
	v.same(x.Span(), "the expression's", x.Type(), t)
	return true
}

// expr checks an expression; false where it is nil.
func (v *verifier) expr(x ir.Expr) bool {
	if !v.present(x, "an expression") {
		return false
	}
	switch x := x.(type) {
	case *ir.Const:
		if !x.T.IsScalar() {
			v.fail(x.Loc, "a number of type %s", x.T)
		}
	case *ir.Text, *ir.Target:
	case *ir.Ref:
		v.ref(x)
	case *ir.FuncRef:
		v.known(x.Loc, x.Fn)
	case *ir.Call:
		if x.Fn == nil {
			v.fail(x.Loc, "a call of nothing")
		}
		v.exprs(x.Args)
	case *ir.UserCall:
		v.userCall(x)
	default:
		v.container(x)
	}
	return true
}

// container checks the expressions that make, take apart or convert values.
func (v *verifier) container(x ir.Expr) {
	at, t := x.Span(), x.Type()
	switch x := x.(type) {
	case *ir.Promote:
		if v.expr(x.X) {
			from := x.X.Type()
			_, wider := types.Promote(from, t)
			_, same := types.Promote(row(from), row(t))
			if !wider && !same || from.Equal(t) {
				v.fail(at, "a conversion from %s to %s", x.X.Type(), t)
			}
		}
	case *ir.Index:
		if v.expr(x.X) {
			v.same(at, "the index's", t, v.indexed(at, x.X.Type(), x.Indices))
		}
	case *ir.Field:
		if v.expr(x.X) {
			v.same(at, "the field's", t, v.field(at, x.X.Type(), x.I))
		}
	case *ir.Array:
		if t.Dims == 0 {
			v.fail(at, "an array literal of type %s", t)
			return
		}
		v.all(x.Elems, t.Elem())
	case *ir.Row:
		v.row(x)
	case *ir.Tuple:
		if t.Base != types.TupleBase || t.Dims > 0 || len(t.Fields) != len(x.Elems) {
			v.fail(at, "a tuple of %d fields with type %s", len(x.Elems), t)
			return
		}
		for i, e := range x.Elems {
			v.exprOf(e, t.Fields[i])
		}
	case *ir.Cond:
		v.test(x.Test)
		v.exprOf(x.Then, t)
		v.exprOf(x.Else, t)
	case *ir.Logic:
		v.test(x.L)
		v.test(x.R)
		v.same(at, "a logical", t, types.Int)
	default:
		v.fail(at, "unknown expression %T", x)
	}
}

func (v *verifier) all(xs []ir.Expr, t types.Type) {
	for _, x := range xs {
		v.exprOf(x, t)
	}
}

func (v *verifier) ref(x *ir.Ref) {
	switch {
	case x.Var == nil:
		v.fail(x.Loc, "a reference to nothing")
	case !v.scope[x.Var]:
		v.fail(x.Loc, "%s is used out of its scope", x.Var.Name)
	default:
		v.same(x.Loc, "the reference's", x.T, x.Var.Type)
	}
}

// known checks that a function is one of the program's.
func (v *verifier) known(at source.Span, f *ir.Function) bool {
	if f == nil || f.Index < 0 || f.Index >= len(v.prog.Functions) || v.prog.Functions[f.Index] != f {
		v.fail(at, "a function that is not the program's")
		return false
	}
	return true
}

func (v *verifier) userCall(x *ir.UserCall) {
	if !v.known(x.Loc, x.Fn) {
		return
	}
	if len(x.Args) != len(x.Fn.Params) {
		v.fail(x.Loc, "%s takes %d arguments and gets %d", x.Fn.Name, len(x.Fn.Params), len(x.Args))
		return
	}
	for i, a := range x.Args {
		v.exprOf(a, x.Fn.Params[i].Type)
	}
	v.same(x.Loc, "the call's", x.T, x.Fn.Result)
}

func (v *verifier) row(x *ir.Row) {
	elem, ok := map[types.Base]types.Type{types.RowVectorBase: types.Real, types.MatrixBase: types.RowVector,
		types.ComplexRowVectorBase: types.Complex, types.ComplexMatrixBase: types.ComplexRowVector}[x.T.Base]
	if !ok || x.T.Dims > 0 {
		v.fail(x.Loc, "a row literal of type %s", x.T)
		return
	}
	v.all(x.Elems, elem)
}

// field returns the type of field i of a tuple or of an array of tuples.
func (v *verifier) field(at source.Span, t types.Type, i int) types.Type {
	if t.Base != types.TupleBase || i < 0 || i >= len(t.Fields) {
		v.fail(at, "field %d of %s", i+1, t)
		return types.Bad
	}
	return types.ArrayOf(t.Fields[i], t.Dims)
}

// row is t as an array where it is a vector or row vector, which hold their numbers in
// the same order.
func row(t types.Type) types.Type {
	if t.Base == types.VectorBase || t.Base == types.RowVectorBase {
		return types.ArrayOf(types.Real, t.Dims+1)
	}
	return t
}

// indexed checks indices and gives the type of what they pick from t.
func (v *verifier) indexed(at source.Span, t types.Type, args []ir.IndexArg) types.Type {
	if len(args) > t.Rank() {
		v.fail(at, "%d indices of %s", len(args), t)
		return types.Bad
	}
	zips, others := 0, 0
	for _, a := range args {
		v.index(at, &a)
		switch a.Kind {
		case ir.Zip:
			zips++
		case ir.Single:
		default:
			others++
		}
	}
	if zips > 0 && (others > 0 || len(args) < t.Rank()) {
		v.fail(at, "indices that run together of %s, beside others", t)
		return types.Bad
	}
	return ir.Indexed(t, args)
}

// index checks one index.
func (v *verifier) index(at source.Span, a *ir.IndexArg) {
	switch a.Kind {
	case ir.All:
	case ir.Single:
		v.exprOf(a.Lo, types.Int)
	case ir.Multi, ir.Zip:
		v.exprOf(a.Lo, types.ArrayOf(types.Int, 1))
	case ir.Range:
		for _, x := range []ir.Expr{a.Lo, a.Hi} {
			if x != nil {
				v.exprOf(x, types.Int)
			}
		}
	default:
		v.fail(at, "an index of kind %d", a.Kind)
	}
}
