// Densities of vectors and sums of vectors in each iteration of a loop: one element after the other, each for all iterations.

package pass

import (
	"slices"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

const (
	// maxElements is how long vectors are, at most, that are taken apart: longer ones are worth a call in each iteration.
	maxElements = 64
	// maxFused is the same for normal densities that are added to the target, which are arithmetic alone: shorter ones become one
	// loop of machine code with what makes their arguments.
	maxFused = 32
)

// elementwise are the operators of vectors that work element by element, where none of their arguments is a matrix.
var elementwise = []string{"add", "subtract", "multiply", "divide", "elt_multiply", "elt_divide", "minus"}

// eachElement writes, for all lanes, what body makes of each position in the vectors among arguments; false where the lanes are
// fewer than the positions, or where what elementLoop asks for is not so.
func (l *lanes) eachElement(args []ir.Expr, least int, body func(at ir.Expr) (ir.Stmt, bool)) bool {
	rounds, ok := l.frame.known(l.body.loops[0])
	if !ok || !slices.ContainsFunc(args, func(a ir.Expr) bool { return !number(a.Type()) && l.varies(a) }) {
		return false
	}
	s, ok := l.frame.elementLoop(l.maker, args, least, rounds, body)
	if before := l.out; ok && !l.inner(s) {
		l.out, ok = before, false // whoever asked may know another way
	}
	return ok
}

// elementLoop is the loop over what body makes of each position in the vectors among arguments; false where their sizes are
// not the same by the text of the program, or not between least and most, or very large.
func (f *frame) elementLoop(m maker, args []ir.Expr, least, most int, body func(at ir.Expr) (ir.Stmt, bool)) (*ir.For, bool) {
	size, ok := commonSize(args)
	if !ok || f.value == nil {
		return nil, false
	}
	n, ok := f.value(size)
	if !ok || n < least || n > min(maxElements, most) {
		return nil, false
	}
	k := &ir.Var{Loc: m.at, Name: "k", Type: types.Int, Slot: f.slots}
	f.slots++
	s, ok := body(m.ref(k))
	return &ir.For{At: ir.At{Loc: m.at}, Var: k, Lo: m.int(1), Hi: size, Body: []ir.Stmt{s}}, ok
}

// leastOf is the least size of vectors whose density is taken apart where it is added to the target.
func leastOf(x *ir.Call) int {
	switch x.Fn.(*stdlib.Function).Name {
	case "normal_lpdf":
		if !number(x.Args[2].Type()) { // sums of logarithms and of squares, at any size
			return maxElements + 1
		}
		return maxFused + 1
	case "std_normal_lpdf":
		return maxFused + 1
	}
	return 0
}

// elements is a statement that adds a log density of vectors as the loop over their elements; false for other statements, and
// where something is computed that is the same in all iterations of the body.
func (x *fission) elements(s ir.Stmt) (*ir.For, bool) {
	var density ir.Expr
	var add func(*ir.Call) ir.Stmt
	switch s := s.(type) {
	case *ir.Sample:
		if s.Trunc != nil {
			return nil, false
		}
		density, add = s.Density, func(y *ir.Call) ir.Stmt { return &ir.Sample{At: s.At, Density: y} }
	case *ir.TargetAdd:
		density, add = s.X, func(y *ir.Call) ir.Stmt { return &ir.TargetAdd{At: s.At, X: y, Jacobian: s.Jacobian} }
	}
	c, ok := density.(*ir.Call)
	if !ok || !univariate(c.Fn.(*stdlib.Function)) || slices.ContainsFunc(c.Args, x.sameWork) {
		return nil, false
	}
	return x.frame.elementLoop(x.maker, c.Args, leastOf(c), maxElements, func(at ir.Expr) (ir.Stmt, bool) {
		y, ok := x.elementCall(c, at)
		if !ok {
			return nil, false
		}
		return add(y), true
	})
}

// sameWork reports whether a part of an expression is computed from vectors that are the same in all iterations.
func (x *fission) sameWork(e ir.Expr) bool {
	return ir.AnyIn(e, func(n any) bool {
		c, ok := n.(*ir.Call)
		return ok && !number(c.T) && steady(c, x.body.variant)
	})
}

// elementCall is a call with the elements at a position for the vectors among its arguments.
func (m maker) elementCall(x *ir.Call, at ir.Expr) (*ir.Call, bool) {
	args, ok := m.elementsOf(x.Args, at)
	if !ok {
		return nil, false
	}
	y, ok := m.resolve(x.Fn.(*stdlib.Function).Name, x.Loc, args)
	if !ok || !number(y.T) {
		return nil, false
	}
	y.Unnormalized = x.Unnormalized
	return y, true
}

// densityByElements adds the log density of vectors, element by element.
func (l *lanes) densityByElements(x *ir.Call, add func(*ir.Call) ir.Stmt) bool {
	return univariate(x.Fn.(*stdlib.Function)) && l.eachElement(x.Args, leastOf(x), func(at ir.Expr) (ir.Stmt, bool) {
		y, ok := l.elementCall(x, at)
		if !ok {
			return nil, false
		}
		return add(y), true
	})
}

// sumByElements lifts a log density of vectors, or the sum of one, to what it is in each lane.
func (l *lanes) sumByElements(x *ir.Call) (ir.Expr, bool) {
	fn := x.Fn.(*stdlib.Function)
	var sumOf func(at ir.Expr) (ir.Expr, bool)
	switch {
	case fn.Density != nil && univariate(fn):
		sumOf = func(at ir.Expr) (ir.Expr, bool) { return l.elementCall(x, at) }
	case fn.BuiltinName() == "sum":
		sumOf = func(at ir.Expr) (ir.Expr, bool) { return l.element(x.Args[0], at) }
	default:
		return nil, false
	}
	v := l.frame.newVar("sum", types.Real, l.at, nil)
	l.expand(v)
	set := func(y ir.Expr) *ir.Assign {
		return &ir.Assign{At: ir.At{Loc: x.Loc}, To: ir.Place{Loc: x.Loc, Var: v, T: types.Real}, X: promote(y, types.Real)}
	}
	ok := l.assign(set(l.int(0))) && l.eachElement(x.Args, 0, func(at ir.Expr) (ir.Stmt, bool) {
		y, ok := sumOf(at)
		if !ok {
			return nil, false
		}
		return set(l.named("add", l.ref(v), promote(y, types.Real))), true
	})
	return l.variable(v), ok
}

// commonSize is the size of the vectors among expressions, of which there must be one.
func commonSize(list []ir.Expr) (ir.Expr, bool) {
	var size ir.Expr
	for _, x := range list {
		if number(x.Type()) {
			continue
		}
		n, ok := sizeOf(x)
		if !ok || size != nil && ir.ExprText(n) != ir.ExprText(size) {
			return nil, false
		}
		size = n
	}
	return size, size != nil
}

// sizeOf is the size of a vector, a row vector or an array of numbers, as its declaration says.
func sizeOf(x ir.Expr) (ir.Expr, bool) {
	if x.Type().Rank() != 1 {
		return nil, false
	}
	switch x := x.(type) {
	case *ir.Ref:
		return declaredSize(x.Var, nil)
	case *ir.Index:
		v, list, ok := ir.Subscripts(x)
		if !ok {
			return nil, false
		}
		return declaredSize(v, list)
	case *ir.Promote:
		return sizeOf(x.X)
	case *ir.Call:
		if x.Fn.BuiltinName() == "multiply" && len(x.Args) == 2 {
			return sizeOfProduct(x.Args[0], x.Args[1])
		}
		return commonSize(x.Args)
	}
	return nil, false
}

// sizeOfProduct is the size of the product of a matrix, or of a number, and a vector.
func sizeOfProduct(a, b ir.Expr) (ir.Expr, bool) {
	switch {
	case a.Type().Equal(types.Matrix):
		return side(a, 0)
	case b.Type().Equal(types.Matrix):
		return side(b, 1)
	}
	return commonSize([]ir.Expr{a, b})
}

// side is the number of rows (0) or columns (1) of a matrix that has a name.
func side(x ir.Expr, k int) (ir.Expr, bool) {
	r, ok := x.(*ir.Ref)
	if !ok || r.Var.Decl == nil || len(r.Var.Decl.Sizes) != 2 {
		return nil, false
	}
	n := r.Var.Decl.Sizes[k]
	return n, ofData(n)
}

// declaredSize is the size of what indices leave of a variable: all of one dimension.
func declaredSize(v *ir.Var, list []ir.IndexArg) (ir.Expr, bool) {
	if v.Decl == nil || len(v.Decl.Sizes) != v.Type.Rank() || v.Type.Base == types.TupleBase {
		return nil, false
	}
	var left []ir.Expr
	for k, n := range v.Decl.Sizes {
		switch {
		case k >= len(list) || list[k].Kind == ir.All:
			left = append(left, n)
		case list[k].Kind != ir.Single:
			return nil, false
		}
	}
	return left[0], len(left) == 1 && ofData(left[0])
}

// elementsOf are arguments with the elements at a position for the vectors.
func (m maker) elementsOf(args []ir.Expr, at ir.Expr) ([]ir.Expr, bool) {
	out := make([]ir.Expr, len(args))
	for i, a := range args {
		out[i] = a
		if number(a.Type()) {
			continue
		}
		var ok bool
		if out[i], ok = m.element(a, at); !ok {
			return nil, false
		}
	}
	return out, true
}

// element is the element of a vector, a row vector or an array of numbers at a position.
func (m maker) element(x ir.Expr, at ir.Expr) (ir.Expr, bool) {
	single := ir.IndexArg{Kind: ir.Single, Lo: at}
	switch x := x.(type) {
	case *ir.Ref:
		list := []ir.IndexArg{single}
		return &ir.Index{Node: ir.Node{Loc: x.Loc, T: ir.Indexed(x.T, list)}, X: x, Indices: list}, x.T.Rank() == 1
	case *ir.Index:
		v, list, ok := ir.Subscripts(x)
		if !ok || x.T.Rank() != 1 {
			return nil, false
		}
		return m.elementOf(v, list, single, x)
	case *ir.Promote:
		return m.realElement(x.X, at, !x.T.HasInts())
	case *ir.Call:
		return m.elementOfCall(x, at)
	}
	return nil, false
}

// realElement is the element as a real number, if that is asked for.
func (m maker) realElement(x ir.Expr, at ir.Expr, isReal bool) (ir.Expr, bool) {
	y, ok := m.element(x, at)
	if !ok || !number(y.Type()) {
		return nil, false
	}
	if isReal {
		y = promote(y, types.Real)
	}
	return y, true
}

// elementOf puts a position where indices leave all of a dimension.
func (m maker) elementOf(v *ir.Var, list []ir.IndexArg, at ir.IndexArg, x ir.Expr) (ir.Expr, bool) {
	out := make([]ir.IndexArg, v.Type.Rank())
	for k := range out {
		out[k] = at
		if k < len(list) && list[k].Kind == ir.Single {
			out[k] = list[k]
		}
	}
	return &ir.Index{Node: ir.Node{Loc: x.Span(), T: ir.Indexed(v.Type, out)}, X: m.ref(v), Indices: out}, true
}

// elementOfCall is the element of a call that works element by element, or of a product with a matrix.
func (m maker) elementOfCall(x *ir.Call, at ir.Expr) (ir.Expr, bool) {
	fn := x.Fn.(*stdlib.Function)
	switch name := x.Fn.BuiltinName(); {
	case name == "transpose" || name == "to_vector" || name == "to_row_vector":
		return m.realElement(x.Args[0], at, true) // of ints, too: quotients differ
	case name == "multiply" && x.Args[0].Type().Equal(types.Matrix):
		return m.rowTimes(x.Args[0], 0, x.Args[1], at)
	case name == "multiply" && x.Args[1].Type().Equal(types.Matrix):
		return m.rowTimes(x.Args[1], 1, x.Args[0], at)
	case !slices.Contains(elementwise, name) && fn.Op == nil || fn.Draw != nil || len(x.Args) == 0:
		return nil, false
	}
	y, ok := m.elementCall(x, at)
	return y, ok
}

// rowTimes is the product of a row (0) or column (1) of a matrix that has a name and a vector.
func (m maker) rowTimes(x ir.Expr, k int, v, at ir.Expr) (ir.Expr, bool) {
	list := []ir.IndexArg{{Kind: ir.All}, {Kind: ir.All}}
	list[k] = ir.IndexArg{Kind: ir.Single, Lo: at}
	t := []types.Type{types.RowVector, types.Vector}[k]
	return m.named("dot_product", &ir.Index{Node: m.node(t), X: x, Indices: list}, v), isVector(v.Type())
}
