// Vectors that differ from lane to lane: matrices with a row a lane.

package pass

import (
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// isVector reports whether a type is vector or row_vector.
func isVector(t types.Type) bool { return t.Equal(types.Vector) || t.Equal(types.RowVector) }

// rows lifts a vector or row vector to the matrix whose rows it is in the lanes.
func (l *lanes) rows(x ir.Expr) (ir.Expr, bool) {
	if !isVector(x.Type()) {
		return nil, false
	}
	if !l.varies(x) {
		return l.named("rep_matrix", promote(x, types.RowVector), l.count), true
	}
	switch x := x.(type) {
	case *ir.Ref:
		return l.rowsOfLocal(x.Var, ir.IndexArg{Kind: ir.All})
	case *ir.Index:
		return l.indexRows(x)
	case *ir.Call:
		return l.applyRows(x)
	}
	return nil, false
}

// rowsOfLocal is what elements of a local vector, at positions that all lanes share, are in the lanes at work.
func (l *lanes) rowsOfLocal(v *ir.Var, at ir.IndexArg) (ir.Expr, bool) {
	m := l.local[v]
	if m == nil || !m.Type.Equal(types.Matrix) {
		return nil, false
	}
	if l.pos == nil && at.Kind == ir.All {
		return l.ref(m), true
	}
	return l.partOf(m, at), true
}

// partOf is a column, or columns, of a matrix with a row a lane, for the lanes at work.
func (l *lanes) partOf(m *ir.Var, at ir.IndexArg) *ir.Index {
	list := []ir.IndexArg{l.atRows(), at}
	return &ir.Index{Node: l.node(ir.Indexed(m.Type, list)), X: l.ref(m), Indices: list}
}

// atRows picks the lanes at work.
func (l *lanes) atRows() ir.IndexArg {
	if l.pos == nil {
		return ir.IndexArg{Kind: ir.All}
	}
	return ir.IndexArg{Kind: ir.Multi, Lo: l.ref(l.pos)}
}

// elementOfLocal is the element of a local vector at a position that all lanes share.
func (l *lanes) elementOfLocal(v *ir.Var, list []ir.IndexArg) (ir.Expr, bool) {
	if !isVector(v.Type) || len(list) != 1 || list[0].Kind != ir.Single || l.varies(list[0].Lo) {
		return nil, false
	}
	return promote(l.partOf(l.local[v], list[0]), types.ArrayOf(types.Real, 1)), true
}

// indexRows picks vectors of an array, or rows or columns of a matrix, or a range of a local vector.
func (l *lanes) indexRows(x *ir.Index) (ir.Expr, bool) {
	v, list, ok := ir.Subscripts(x)
	if !ok {
		return nil, false
	}
	if l.local[v] != nil {
		at := list[0]
		if len(list) != 1 || at.Kind != ir.Range || at.Lo != nil && l.varies(at.Lo) || at.Hi != nil && l.varies(at.Hi) {
			return nil, false
		}
		return l.rowsOfLocal(v, at)
	}
	if !v.Type.Equal(types.Matrix) {
		y, ok := l.index(x)
		if !ok || y.Type().Dims != 1 || y.Type().Base.BaseRank() != 1 {
			return nil, false
		}
		return l.named("to_matrix", promote(y, types.ArrayOf(types.RowVector, 1))), true
	}
	if list[0].Kind == ir.Single {
		return l.matrixRows(v, list, x)
	}
	if len(list) != 2 || list[0].Kind != ir.All || list[1].Kind != ir.Single {
		return nil, false
	}
	at, ok := l.position(list[1].Lo, false)
	if !ok {
		return nil, false
	}
	columns := &ir.Index{Node: ir.Node{Loc: x.Loc, T: types.Matrix}, X: l.ref(v), Indices: []ir.IndexArg{list[0], at}}
	return l.named("transpose", columns), true
}

// applyRows lifts a call whose result is a vector.
func (l *lanes) applyRows(x *ir.Call) (ir.Expr, bool) {
	fn := x.Fn.(*stdlib.Function)
	switch name := x.Fn.BuiltinName(); {
	case name == "transpose":
		return l.rows(x.Args[0])
	case name == "multiply" || name == "divide" && isVector(x.Args[0].Type()):
		return l.scaledRows(name, x.Args[0], x.Args[1])
	case len(x.Args) == 2 && (name == "add" || name == "subtract" || name == "elt_multiply" || name == "elt_divide"):
	case len(x.Args) == 1 && fn.Op != nil, name == "minus":
	default:
		return nil, false
	}
	args := make([]ir.Expr, len(x.Args))
	for i, a := range x.Args {
		args[i] = a
		if number(a.Type()) {
			if l.varies(a) {
				return nil, false
			}
			continue
		}
		var ok bool
		if args[i], ok = l.rows(a); !ok {
			return nil, false
		}
	}
	return l.matrixOf(x.Fn.BuiltinName(), x, args)
}

// matrixOf applies the overload of a function that gives a matrix.
func (l *lanes) matrixOf(name string, x ir.Expr, args []ir.Expr) (ir.Expr, bool) {
	y, ok := l.resolve(name, x.Span(), args)
	return y, ok && y.T.Equal(types.Matrix)
}

// scaledRows lifts products and quotients of a vector with a number or a matrix.
func (l *lanes) scaledRows(name string, a, b ir.Expr) (ir.Expr, bool) {
	if name == "multiply" && isVector(b.Type()) && number(a.Type()) {
		a, b = b, a
	}
	switch {
	case name == "multiply" && a.Type().Equal(types.Matrix) && !l.varies(a):
		return l.rowsTimes(b, l.named("transpose", a))
	case name == "multiply" && b.Type().Equal(types.Matrix) && !l.varies(b):
		return l.rowsTimes(a, b)
	case !number(b.Type()):
		return nil, false
	case name == "multiply" && !l.varies(a): // and b does
		s, ok := l.lift(b)
		if !ok {
			return nil, false
		}
		return l.named("multiply", promote(s, types.Vector), promote(a, types.RowVector)), true
	}
	m, ok1 := l.rows(a)
	s, ok2 := l.lift(b)
	if !ok1 || !ok2 {
		return nil, false
	}
	if !l.varies(b) {
		return l.matrixOf(name, b, []ir.Expr{m, s})
	}
	if name == "divide" {
		return nil, false
	}
	return l.named("diag_pre_multiply", promote(s, types.Vector), m), true
}

// rowsTimes is the product of the rows of a vector and a matrix.
func (l *lanes) rowsTimes(x, by ir.Expr) (ir.Expr, bool) {
	m, ok := l.rows(x)
	if !ok {
		return nil, false
	}
	return l.named("multiply", m, by), true
}

// vectors lifts a vector or row vector to the array of what it is in the lanes.
func (l *lanes) vectors(x ir.Expr, t types.Type) (ir.Expr, bool) {
	m, ok := l.rows(x)
	if !ok {
		return nil, false
	}
	return promote(l.named("to_row_vector_array", m), types.ArrayOf(t, 1)), true
}

// ownVector declares a vector that each lane has: a matrix with a row a lane, so that what the lanes have at a position lies
// together.
func (l *lanes) ownVector(s *ir.Declare) bool {
	size := s.Var.Decl.Sizes[0]
	if l.varies(size) {
		return false
	}
	m := l.frame.newVar(s.Var.Name, types.Matrix, l.at, nil)
	m.Decl.Sizes = []ir.Expr{l.total, size}
	l.out = append(l.out, &ir.Declare{At: ir.At{Loc: l.at}, Var: m})
	l.local[s.Var] = m
	return s.Init == nil || l.setVector(s.Var, nil, s.Init, s)
}

// setVector assigns to a local vector, or to its elements at a position that all lanes share.
func (l *lanes) setVector(v *ir.Var, list []ir.IndexArg, x ir.Expr, s ir.Stmt) bool {
	m := l.local[v]
	to := ir.Place{Loc: s.Span(), Var: m, T: types.Matrix, Path: []ir.Access{{Indices: []ir.IndexArg{l.atRows(), {Kind: ir.All}}}}}
	var y ir.Expr
	var ok bool
	switch {
	case list == nil && l.setElements(v, x, s):
		return true
	case list == nil:
		y, ok = l.rows(x)
	case len(list) == 1 && list[0].Kind == ir.Single && !l.varies(list[0].Lo):
		to.Path[0].Indices[1], to.T = list[0], types.Vector
		if y, ok = l.full(x, types.ArrayOf(types.Real, 1)); ok {
			y = promote(y, types.Vector)
		}
	}
	if !ok {
		return false
	}
	l.out = append(l.out, &ir.Assign{At: ir.At{Loc: s.Span()}, To: to, X: y})
	return true
}

// setElements assigns to a local vector one element after the other, each for all lanes; false where the vector itself is
// among what is assigned, or where what elementLoop asks for is not so.
func (l *lanes) setElements(v *ir.Var, x ir.Expr, s ir.Stmt) bool {
	if !l.varies(x) || mentions([]ir.Stmt{&ir.TargetAdd{X: x}}, v) {
		return false
	}
	before := l.out
	loop, ok := l.frame.elementLoop(l.maker, []ir.Expr{x, l.ref(v)}, 0, maxFused, func(at ir.Expr) (ir.Stmt, bool) {
		y, ok := l.element(x, at)
		if !ok || !number(y.Type()) {
			return nil, false
		}
		to := ir.Place{Loc: s.Span(), Var: v, T: types.Real, Path: []ir.Access{{Indices: []ir.IndexArg{{Kind: ir.Single, Lo: at}}}}}
		return &ir.Assign{At: ir.At{Loc: s.Span()}, To: to, X: promote(y, types.Real)}, true
	})
	if ok = ok && l.inner(loop); !ok {
		l.out = before
	}
	return ok
}

// assignVectors assigns to vectors of an array, or to rows or columns of a matrix.
func (l *lanes) assignVectors(s *ir.Assign, list []ir.IndexArg) bool {
	to := ir.Place{Loc: s.To.Loc, Var: s.To.Var, T: types.Matrix}
	var y ir.Expr
	var ok bool
	if !s.To.Var.Type.Equal(types.Matrix) {
		var indices []ir.IndexArg
		if indices, to.T, ok = l.indices(s.To.Var.Type, list); !ok || to.T.Dims != 1 {
			return false
		}
		to.Path = []ir.Access{{Indices: indices}}
		if y, ok = l.vectors(s.X, s.To.T); !ok {
			return false
		}
	} else {
		k := 0 // of the index that differs
		if list[0].Kind != ir.Single {
			k = 1
		}
		other := 1 - k
		if len(list) <= k || list[k].Kind != ir.Single || len(list) > other && list[other].Kind != ir.All {
			return false
		}
		at, ok := l.position(list[k].Lo, false)
		if !ok || !l.varies(list[k].Lo) {
			return false
		}
		indices := []ir.IndexArg{{Kind: ir.All}, {Kind: ir.All}}
		indices[k] = at
		to.Path = []ir.Access{{Indices: indices}}
		if y, ok = l.rows(s.X); !ok {
			return false
		}
		if k == 1 {
			y = l.named("transpose", y)
		}
	}
	l.out = append(l.out, &ir.Assign{At: s.At, To: to, X: y})
	return true
}
