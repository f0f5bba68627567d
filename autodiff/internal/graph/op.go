package graph

// An Op is a real function of one to three real numbers, applied elementwise with
// scalars broadcast. Exactly one of F1, F2, F3 is set, and the matching D field
// gives its partial derivatives at a point from the arguments and the value f (so
// that exp need not be computed twice). A nil D field says that the derivative is
// zero wherever it exists (floor, comparisons); results of such an Op do not carry
// derivatives.
//
// Ops are immutable. The ones that the machine knows by heart are variables of this
// package (Add, Exp, ...); package stdlib adds others.
type Op struct {
	Name string

	F1 func(x float64) float64
	D1 func(x, f float64) float64

	// Adjoint, where it is set, is the adjoint of x where that of f is a: D1 may underflow where this does not.
	Adjoint func(a, x, f float64) float64

	// Slope, where it is set, writes the derivative of F1 at x, where it is f, as nodes.
	Slope func(g *Graph, x, f Node) Node

	// Vector, where it is set, does F1 on the elements of x, with the same bits; dst may
	// be x.
	Vector func(dst, x []float64)

	F2 func(x, y float64) float64
	D2 func(x, y, f float64) (dx, dy float64)

	// Slopes does what Slope does, by argument k of F2.
	Slopes func(g *Graph, k int, x, y, f Node) Node

	// Vector2 does for F2 what Vector does for F1. An x or y of one element is used for all of
	// dst, and dst may be the other one.
	Vector2 func(dst, x, y []float64)

	// Partials2, where it is set, does D2 on vectors, with the same bits; an x or y of one
	// element is meant for all.
	Partials2 func(dx, dy, x, y, f []float64)

	F3 func(x, y, z float64) float64
	D3 func(x, y, z, f float64) (dx, dy, dz float64)

	Code Opcode // of a core operation; 0 otherwise
}

// Arity is the number of arguments.
func (op *Op) Arity() int {
	switch {
	case op.F1 != nil:
		return 1
	case op.F2 != nil:
		return 2
	}
	return 3
}

// Back1 is the adjoint of x where f = op(x) has the adjoint a.
func (op *Op) Back1(a, x, f float64) float64 {
	if op.Adjoint != nil {
		return op.Adjoint(a, x, f)
	}
	return a * op.D1(x, f)
}

// Back2 is likewise of two arguments.
func (op *Op) Back2(a, x, y, f float64) (dx, dy float64) {
	if op == Div {
		return a / y, -(a * f) / y
	}
	dx, dy = op.D2(x, y, f)
	return a * dx, a * dy
}

// Differentiable reports whether the op has derivatives that are not all zero.
func (op *Op) Differentiable() bool { return op.D1 != nil || op.D2 != nil || op.D3 != nil }
