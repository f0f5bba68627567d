// Vectors that differ from lane to lane: matrices with a column a lane.

package pass

import (
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// isVector reports whether a type is vector or row_vector.
func isVector(t types.Type) bool { return t.Equal(types.Vector) || t.Equal(types.RowVector) }

// columns lifts a vector or row vector to the matrix whose columns it is in the lanes.
func (l *lanes) columns(x ir.Expr) (ir.Expr, bool) {
	if !isVector(x.Type()) {
		return nil, false
	}
	if !l.varies(x) {
		return l.named("rep_matrix", promote(x, types.Vector), l.count), true
	}
	switch x := x.(type) {
	case *ir.Ref:
		return l.vectorVariable(x.Var)
	case *ir.Index:
		return l.indexColumns(x)
	case *ir.Call:
		return l.applyColumns(x)
	}
	return nil, false
}

// vectorVariable is what a local vector is in the lanes at work.
func (l *lanes) vectorVariable(v *ir.Var) (ir.Expr, bool) {
	m := l.local[v]
	if m == nil || !m.Type.Equal(types.Matrix) {
		return nil, false
	}
	if l.pos == nil {
		return l.ref(m), true
	}
	atWork := []ir.IndexArg{{Kind: ir.All}, {Kind: ir.Multi, Lo: l.ref(l.pos)}}
	return &ir.Index{Node: l.node(types.Matrix), X: l.ref(m), Indices: atWork}, true
}

// elementOfLocal is the element of a local vector at a position that all lanes share.
func (l *lanes) elementOfLocal(v *ir.Var, list []ir.IndexArg) (ir.Expr, bool) {
	m := l.local[v]
	if !isVector(v.Type) || len(list) != 1 || list[0].Kind != ir.Single || l.varies(list[0].Lo) {
		return nil, false
	}
	lanes := ir.IndexArg{Kind: ir.All}
	if l.pos != nil {
		lanes = ir.IndexArg{Kind: ir.Multi, Lo: l.ref(l.pos)}
	}
	row := &ir.Index{Node: l.node(types.RowVector), X: l.ref(m), Indices: []ir.IndexArg{list[0], lanes}}
	return promote(row, types.ArrayOf(types.Real, 1)), true
}

// indexColumns picks vectors of an array, or rows or columns of a matrix.
func (l *lanes) indexColumns(x *ir.Index) (ir.Expr, bool) {
	v, list, ok := ir.Subscripts(x)
	if !ok || l.local[v] != nil {
		return nil, false
	}
	if !v.Type.Equal(types.Matrix) {
		y, ok := l.index(x)
		if !ok || y.Type().Dims != 1 || y.Type().Base.BaseRank() != 1 {
			return nil, false
		}
		return l.named("to_matrix", promote(y, types.ArrayOf(types.Vector, 1))), true
	}
	if list[0].Kind == ir.Single {
		rows, ok := l.matrixRows(v, list, x)
		if !ok {
			return nil, false
		}
		return l.named("transpose", rows), true
	}
	if len(list) != 2 || list[0].Kind != ir.All || list[1].Kind != ir.Single {
		return nil, false
	}
	at, ok := l.position(list[1].Lo, false)
	return &ir.Index{Node: ir.Node{Loc: x.Loc, T: types.Matrix}, X: l.ref(v), Indices: []ir.IndexArg{list[0], at}}, ok
}

// applyColumns lifts a call whose result is a vector.
func (l *lanes) applyColumns(x *ir.Call) (ir.Expr, bool) {
	fn := x.Fn.(*stdlib.Function)
	switch name := x.Fn.BuiltinName(); {
	case name == "transpose":
		return l.columns(x.Args[0])
	case name == "multiply" || name == "divide" && isVector(x.Args[0].Type()):
		return l.scaledColumns(name, x.Args[0], x.Args[1])
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
		if args[i], ok = l.columns(a); !ok {
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

// scaledColumns lifts products and quotients of a vector with a number or a matrix.
func (l *lanes) scaledColumns(name string, a, b ir.Expr) (ir.Expr, bool) {
	if name == "multiply" && isVector(b.Type()) && number(a.Type()) {
		a, b = b, a
	}
	switch {
	case name == "multiply" && a.Type().Equal(types.Matrix) && !l.varies(a):
		m, ok := l.columns(b)
		return l.product2(a, m, ok)
	case name == "multiply" && b.Type().Equal(types.Matrix) && !l.varies(b):
		m, ok := l.columns(a)
		return l.product2(l.named("transpose", b), m, ok)
	case !number(b.Type()):
		return nil, false
	case name == "multiply" && !l.varies(a): // and b does
		s, ok := l.lift(b)
		if !ok {
			return nil, false
		}
		return l.named("multiply", promote(a, types.Vector), l.named("to_row_vector", promote(s, types.ArrayOf(types.Real, 1)))), true
	}
	m, ok1 := l.columns(a)
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
	return l.named("diag_post_multiply", m, promote(s, types.Vector)), true
}

// product2 is the product of two matrices, if there is the second.
func (l *lanes) product2(a, b ir.Expr, ok bool) (ir.Expr, bool) {
	if !ok {
		return nil, false
	}
	return l.named("multiply", a, b), true
}

// vectors lifts a vector or row vector to the array of what it is in the lanes.
func (l *lanes) vectors(x ir.Expr, t types.Type) (ir.Expr, bool) {
	m, ok := l.columns(x)
	if !ok {
		return nil, false
	}
	return promote(l.named("to_vector_array", m), types.ArrayOf(t, 1)), true
}

// ownVector declares a vector that each lane has.
func (l *lanes) ownVector(s *ir.Declare) bool {
	size := s.Var.Decl.Sizes[0]
	if l.varies(size) {
		return false
	}
	m := l.frame.newVar(s.Var.Name, types.Matrix, l.at, nil)
	m.Decl.Sizes = []ir.Expr{size, l.total}
	l.out = append(l.out, &ir.Declare{At: ir.At{Loc: l.at}, Var: m})
	l.local[s.Var] = m
	return s.Init == nil || l.setVector(s.Var, nil, s.Init, s)
}

// setVector assigns to a local vector, or to its elements at a position that all lanes share.
func (l *lanes) setVector(v *ir.Var, list []ir.IndexArg, x ir.Expr, s ir.Stmt) bool {
	m := l.local[v]
	to := ir.Place{Loc: s.Span(), Var: m, T: types.Matrix, Path: []ir.Access{{Indices: []ir.IndexArg{{Kind: ir.All}, {Kind: ir.All}}}}}
	at := to.Path[0].Indices
	if l.pos != nil {
		at[1] = ir.IndexArg{Kind: ir.Multi, Lo: l.ref(l.pos)}
	}
	var y ir.Expr
	var ok bool
	switch {
	case list == nil:
		y, ok = l.columns(x)
	case len(list) == 1 && list[0].Kind == ir.Single && !l.varies(list[0].Lo):
		at[0], to.T = list[0], types.RowVector
		if y, ok = l.full(x, types.ArrayOf(types.Real, 1)); ok {
			y = promote(y, types.RowVector)
		}
	}
	if !ok {
		return false
	}
	l.out = append(l.out, &ir.Assign{At: ir.At{Loc: s.Span()}, To: to, X: y})
	return true
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
		if y, ok = l.columns(s.X); !ok {
			return false
		}
		if k == 0 {
			y = l.named("transpose", y)
		}
	}
	l.out = append(l.out, &ir.Assign{At: s.At, To: to, X: y})
	return true
}
