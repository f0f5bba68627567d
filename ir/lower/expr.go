// Lowering of expressions.

package lower

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/check"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// operators maps an infix operator to the library function that it means.
var operators = map[ast.Op]string{
	"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "%": "modulus", "%/%": "int_divide",
	"\\": "mdivide_left", ".*": "elt_multiply", "./": "elt_divide", "^": "pow", ".^": "elt_pow",
	"==": "logical_eq", "!=": "logical_neq", "<": "logical_lt", "<=": "logical_lte", ">": "logical_gt", ">=": "logical_gte",
}

var prefixes = map[ast.Op]string{"-": "minus", "+": "plus", "!": "logical_negation"}

func (l *lowerer) exprs(xs []ast.Expr) []ir.Expr {
	out := make([]ir.Expr, len(xs))
	for i, x := range xs {
		out[i] = l.expr(x)
	}
	return out
}

// exprAs lowers x and converts it to type t.
func (l *lowerer) exprAs(x ast.Expr, t types.Type) ir.Expr { return promote(l.expr(x), t) }

func (l *lowerer) exprsAs(xs []ast.Expr, ts []types.Type) []ir.Expr {
	out := make([]ir.Expr, len(xs))
	for i, x := range xs {
		out[i] = l.expr(x)
		if i < len(ts) {
			out[i] = promote(out[i], ts[i])
		}
	}
	return out
}

// promote makes a conversion explicit where there is one.
func promote(x ir.Expr, t types.Type) ir.Expr {
	from := x.Type()
	if from.Equal(t) || t.Base == types.BadBase || t.Base == types.FuncBase || from.Base == types.FuncBase {
		return x
	}
	if c, ok := x.(*ir.Const); ok {
		return &ir.Const{Node: ir.Node{Loc: c.Loc, T: t}, X: c.X, Im: c.Im}
	}
	return &ir.Promote{Node: ir.Node{Loc: x.Span(), T: t}, X: x}
}

func (l *lowerer) expr(x ast.Expr) ir.Expr {
	n := ir.Node{Loc: x.Span(), T: l.info.Types[x]}
	switch x := x.(type) {
	case *ast.Paren:
		return l.expr(x.X)
	case *ast.IntLit:
		return &ir.Const{Node: n, X: number(x.Text)}
	case *ast.RealLit:
		if x.Imag {
			return &ir.Const{Node: n, Im: number(x.Text)}
		}
		return &ir.Const{Node: n, X: number(x.Text)}
	case *ast.StringLit:
		n.T = types.String
		return &ir.Text{Node: n, S: x.Value}
	case *ast.Ident:
		if sym := l.info.Uses[x]; sym != nil && sym.Kind == check.FunctionName {
			return &ir.FuncRef{Node: n, Fn: l.functions[sym.Func], Unnormalized: check.IsUnnormalized(x.Name)}
		}
		return &ir.Ref{Node: n, Var: l.use(x)}
	case *ast.Unary:
		return l.operator(prefixes[x.Op], n, l.expr(x.X))
	case *ast.Postfix:
		return l.operator("transpose", n, l.expr(x.X))
	case *ast.Binary:
		return l.binary(x, n)
	case *ast.Ternary:
		return &ir.Cond{Node: n, Test: l.expr(x.Cond), Then: l.exprAs(x.Then, n.T), Else: l.exprAs(x.Else, n.T)}
	case *ast.Call:
		return l.call(x, n)
	case *ast.Index:
		return &ir.Index{Node: n, X: l.expr(x.X), Indices: l.indices(x.Indices)}
	case *ast.TupleGet:
		return &ir.Field{Node: n, X: l.expr(x.X), I: x.Field - 1}
	case *ast.ArrayLit:
		elem := n.T.Elem()
		return &ir.Array{Node: n, Elems: l.all(x.Elems, elem)}
	case *ast.RowLit:
		return &ir.Row{Node: n, Elems: l.rowElems(x.Elems, n.T)}
	case *ast.TupleLit:
		return &ir.Tuple{Node: n, Elems: l.exprsAs(x.Elems, n.T.Fields)}
	}
	panic(fmt.Sprintf("lower: unknown expression %T", x))
}

func (l *lowerer) all(xs []ast.Expr, t types.Type) []ir.Expr {
	out := make([]ir.Expr, len(xs))
	for i, x := range xs {
		out[i] = l.exprAs(x, t)
	}
	return out
}

// rowElems converts the elements of [a, b] to what the literal's type holds.
func (l *lowerer) rowElems(xs []ast.Expr, t types.Type) []ir.Expr {
	elem := types.Real
	switch t.Base {
	case types.MatrixBase:
		elem = types.RowVector
	case types.ComplexRowVectorBase:
		elem = types.Complex
	case types.ComplexMatrixBase:
		elem = types.ComplexRowVector
	}
	return l.all(xs, elem)
}

func number(text string) float64 {
	v, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
	if err != nil && v == 0 {
		panic(fmt.Sprintf("lower: number %q: %v", text, err))
	}
	return v
}

func (l *lowerer) binary(x *ast.Binary, n ir.Node) ir.Expr {
	left, right := l.expr(x.L), l.expr(x.R)
	switch x.Op {
	case "&&", "||":
		return &ir.Logic{Node: n, Or: x.Op == "||", L: left, R: right}
	}
	return l.operator(l.operatorName(x.Op, left.Type(), right.Type()), n, left, right)
}

// operatorName finds the function of an operator; "/" has three meanings.
func (l *lowerer) operatorName(op ast.Op, left, right types.Type) string {
	if op == "/" {
		switch {
		case left.Equal(types.Int) && right.Equal(types.Int):
			return "int_divide"
		case right.Base.BaseRank() == 2 && left.Base.BaseRank() > 0:
			return "mdivide_right"
		}
	}
	return operators[op]
}

// operator makes the call that an operator stands for.
func (l *lowerer) operator(name string, n ir.Node, args ...ir.Expr) ir.Expr {
	given := make([]types.Arg, len(args))
	for i, a := range args {
		given[i] = types.Arg{Type: a.Type(), Data: true}
	}
	m, mismatch := types.Resolve(l.lib.Signatures(name), given)
	if mismatch != nil {
		panic(fmt.Sprintf("lower: %s: the library has no %s for %v", n.Loc, name, given))
	}
	for i := range args {
		args[i] = promote(args[i], m.Params[i])
	}
	n.T = m.Result
	return &ir.Call{Node: n, Fn: l.lib.Row(m.Sig), Args: args}
}

func (l *lowerer) call(x *ast.Call, n ir.Node) ir.Expr {
	c := l.info.Calls[x]
	if c.Name == "target" && c.User == nil {
		return &ir.Target{Node: n}
	}
	n.T = c.Result
	return l.apply(c, n, l.args(c, x.Args))
}

// args lowers actual arguments; names of functions become references to the
// overload meant.
func (l *lowerer) args(c *check.Callee, xs []ast.Expr) []ir.Expr {
	out := make([]ir.Expr, len(xs))
	for i, x := range xs {
		if c.Funcs != nil && c.Funcs[i] != nil {
			id, _ := x.(*ast.Ident)
			out[i] = &ir.FuncRef{Node: ir.Node{Loc: x.Span(), T: c.Params[i]}, Fn: l.functions[c.Funcs[i]],
				Unnormalized: id != nil && check.IsUnnormalized(id.Name)}
			continue
		}
		out[i] = l.exprAs(x, c.Params[i])
	}
	return out
}

func (l *lowerer) apply(c *check.Callee, n ir.Node, args []ir.Expr) ir.Expr {
	if c.User != nil {
		return &ir.UserCall{Node: n, Fn: l.functions[c.User], Args: args, Unnormalized: c.Unnormalized}
	}
	row := l.lib.Row(c.Sig)
	if i := row.Design; i > 0 && args[i].Type().Equal(types.Vector) {
		args[i] = l.column(args[i])
	}
	return &ir.Call{Node: n, Fn: row, Args: args, Unnormalized: c.Unnormalized}
}

// column makes a matrix of one column of a vector.
func (l *lowerer) column(x ir.Expr) ir.Expr {
	m, _ := types.Resolve(l.lib.Signatures("to_matrix"), []types.Arg{{Type: types.Vector}})
	return &ir.Call{Node: ir.Node{Loc: x.Span(), T: types.Matrix}, Fn: l.lib.Row(m.Sig), Args: []ir.Expr{x}}
}

func (l *lowerer) callee(c *check.Callee) ir.Callee {
	switch {
	case c == nil:
		return ir.Callee{}
	case c.User != nil:
		return ir.Callee{User: l.functions[c.User]}
	}
	return ir.Callee{Builtin: l.lib.Row(c.Sig)}
}

func (l *lowerer) indices(in []ast.IndexArg) []ir.IndexArg {
	if len(in) == 0 {
		return []ir.IndexArg{{Kind: ir.All}}
	}
	out := make([]ir.IndexArg, len(in))
	for i, a := range in {
		out[i] = l.index(a)
	}
	return out
}

func (l *lowerer) index(a ast.IndexArg) ir.IndexArg {
	var lo, hi ir.Expr
	if a.Lo != nil {
		lo = l.expr(a.Lo)
	}
	if a.Hi != nil {
		hi = l.expr(a.Hi)
	}
	switch {
	case a.Kind == ast.IndexAll:
		return ir.IndexArg{Kind: ir.All}
	case a.Kind != ast.IndexExpr:
		return ir.IndexArg{Kind: ir.Range, Lo: lo, Hi: hi}
	case lo.Type().Dims > 0:
		return ir.IndexArg{Kind: ir.Multi, Lo: lo}
	}
	return ir.IndexArg{Kind: ir.Single, Lo: lo}
}

// compound makes the right side of "to op= x".
func (l *lowerer) compound(op ast.Op, at source.Span, to, x ir.Expr, result types.Type) ir.Expr {
	name := l.operatorName(op, to.Type(), x.Type())
	return promote(l.operator(name, ir.Node{Loc: at, T: result}, to, x), to.Type())
}
