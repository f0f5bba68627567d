package check

// This file walks over expressions.

import "github.com/seed-12b88e03/ppl/lang/ast"

// eachIdent calls f for every use of a name as a value inside x, names of called
// functions left out. A nil x has none.
func eachIdent(x ast.Expr, f func(*ast.Ident)) {
	if id, ok := x.(*ast.Ident); ok && id != nil {
		f(id)
	}
	for _, y := range operands(x) {
		eachIdent(y, f)
	}
}

// eachCall calls f for every call inside x. A nil x has none.
func eachCall(x ast.Expr, f func(*ast.Call)) {
	if call, ok := x.(*ast.Call); ok {
		f(call)
	}
	for _, y := range operands(x) {
		eachCall(y, f)
	}
}

// operands returns the direct parts of an expression.
func operands(x ast.Expr) []ast.Expr {
	switch x := x.(type) {
	case *ast.Unary:
		return []ast.Expr{x.X}
	case *ast.Postfix:
		return []ast.Expr{x.X}
	case *ast.Binary:
		return []ast.Expr{x.L, x.R}
	case *ast.Ternary:
		return []ast.Expr{x.Cond, x.Then, x.Else}
	case *ast.Call:
		return x.Args
	case *ast.Index:
		out := []ast.Expr{x.X}
		for _, arg := range x.Indices {
			for _, e := range []ast.Expr{arg.Lo, arg.Hi} {
				if e != nil {
					out = append(out, e)
				}
			}
		}
		return out
	case *ast.TupleGet:
		return []ast.Expr{x.X}
	case *ast.ArrayLit:
		return x.Elems
	case *ast.RowLit:
		return x.Elems
	case *ast.TupleLit:
		return x.Elems
	case *ast.Paren:
		return []ast.Expr{x.X}
	}
	return nil
}
