// Loops along the diagonal of a matrix, as programs for Gaussian processes have them:
//
//	for (n in 1:N) {
//	  K[n, n] = K[n, n] + x;      K = add_diag(K, x)
//	}
//
// As single elements these would make a list of all numbers of the matrix.

package pass

import (
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// diagonal writes a loop that adds to the elements of a diagonal what is the same in all
// iterations; test reports whether the loop runs over a whole diagonal. nil where the loop is
// another one.
func (f *frame) diagonal(s *ir.For) (test ir.Expr, sum ir.Stmt) {
	list := flat(s.Body)
	if len(list) != 1 {
		return nil, nil
	}
	a, ok := list[0].(*ir.Assign)
	if !ok || !a.To.Var.Type.Equal(types.Matrix) || !onDiagonal(placeSubscripts(&a.To), s.Var) {
		return nil, nil
	}
	v := a.To.Var
	x := addedTo(a.X, v, s.Var)
	if x == nil || !number(x.Type()) || !steady(x, func(w *ir.Var) bool { return w == v || w == s.Var }) {
		return nil, nil
	}
	m := maker{f.lib, s.Loc}
	whole := func(x, y ir.Expr) ir.Expr { return &ir.Logic{Node: m.node(types.Int), L: x, R: y} }
	equal := func(x, y ir.Expr) ir.Expr { return m.named("logical_eq", x, y) }
	test = whole(equal(s.Lo, m.int(1)), whole(equal(s.Hi, m.named("rows", m.ref(v))), equal(s.Hi, m.named("cols", m.ref(v)))))
	sum = &ir.Assign{At: a.At, To: ir.Place{Loc: a.To.Loc, Var: v, T: v.Type}, X: m.named("add_diag", m.ref(v), promote(x, types.Real))}
	return test, sum
}

// onDiagonal reports whether indices are [n, n].
func onDiagonal(list []ir.IndexArg, n *ir.Var) bool {
	if len(list) != 2 || !ir.AllSingle(list) {
		return false
	}
	for _, a := range list {
		if r, ok := a.Lo.(*ir.Ref); !ok || r.Var != n {
			return false
		}
	}
	return true
}

// addedTo returns what a sum adds to v[n, n]; nil where the expression is none.
func addedTo(x ir.Expr, v, n *ir.Var) ir.Expr {
	c, ok := x.(*ir.Call)
	if !ok || c.Fn.BuiltinName() != "add" || len(c.Args) != 2 {
		return nil
	}
	for k, arg := range c.Args {
		if i, ok := arg.(*ir.Index); ok {
			if w, list, ok := ir.Subscripts(i); ok && w == v && onDiagonal(list, n) {
				return c.Args[1-k]
			}
		}
	}
	return nil
}
