package check

// This file holds the typing rules of the operators.

import (
	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// binaryType returns the type of (l op r); false where the operator does not take
// these types. The rules are those of the functions that the manual names for each
// operator (add, subtract, multiply, ...):
//
//   - -          numbers; containers of one kind and size; a container and a number
//   - numbers; a container and a number; the products of linear algebra
//     /            numbers (int/int is int); a container and a number; A / B for a matrix B
//     \            A \ B for a matrix A
//     % %/%        ints
//     .* ./        containers of one kind and size; a container and a number; numbers
//     ^ .^         numbers (int^int is real), containers and arrays elementwise
//     comparisons  numbers, giving int; complex ones by == and != only
//     && ||        int or real, giving int
func binaryType(op ast.Op, l, r types.Type) (types.Type, bool) {
	if l.Base == types.BadBase || r.Base == types.BadBase {
		return types.Bad, true
	}
	switch op {
	case "^", ".^":
		return powType(l, r)
	case "%", "%/%":
		return types.Int, isInt(l) && isInt(r)
	case "==", "!=":
		return types.Int, l.IsScalar() && r.IsScalar()
	case "<", "<=", ">", ">=", "&&", "||":
		return types.Int, isIntOrReal(l) && isIntOrReal(r)
	}
	if !isNumeric(l) || !isNumeric(r) {
		return types.Bad, false
	}
	t, ok := shapeRule(op, l.AsReal(), r.AsReal())
	switch {
	case !ok:
		return types.Bad, false
	case l.Base.IsComplex() || r.Base.IsComplex():
		return t.AsComplex(), op != `\`
	case isInt(l) && isInt(r):
		return types.Int, true
	}
	return t, true
}

// shapeRule returns the shape of a result from shapes, all with real numbers.
func shapeRule(op ast.Op, l, r types.Type) (types.Type, bool) {
	lScalar, rScalar := l.IsScalar(), r.IsScalar()
	switch {
	case lScalar && rScalar:
		return types.Real, op != `\`
	case op == "+" || op == "-" || op == ".*" || op == "./":
		if lScalar {
			return r, true
		}
		return l, rScalar || l.Equal(r)
	case (op == "*" || op == "/") && lScalar:
		return r, true
	case rScalar:
		return l, op == "*" || op == "/"
	case op == "*":
		return productType(l.Base, r.Base)
	case op == "/":
		return l, r.Base == types.MatrixBase && (l.Base == types.MatrixBase || l.Base == types.RowVectorBase)
	case op == `\`:
		return r, l.Base == types.MatrixBase && (r.Base == types.MatrixBase || r.Base == types.VectorBase)
	}
	return types.Bad, false
}

// productType is the type of the products of linear algebra.
func productType(l, r types.Base) (types.Type, bool) {
	switch {
	case l == types.RowVectorBase && r == types.VectorBase:
		return types.Real, true
	case l == types.VectorBase && r == types.RowVectorBase, l == types.MatrixBase && r == types.MatrixBase:
		return types.Matrix, true
	case l == types.MatrixBase && r == types.VectorBase:
		return types.Vector, true
	case l == types.RowVectorBase && r == types.MatrixBase:
		return types.RowVector, true
	}
	return types.Bad, false
}

// powType is the type of an elementwise power; arrays are allowed.
func powType(l, r types.Type) (types.Type, bool) {
	if !isNumericOrArray(l) || !isNumericOrArray(r) {
		return types.Bad, false
	}
	t := l.AsReal()
	switch {
	case l.IsScalar():
		t = r.AsReal()
	case !r.IsScalar() && !t.Equal(r.AsReal()):
		return types.Bad, false
	}
	if l.Base.IsComplex() || r.Base.IsComplex() {
		t = t.AsComplex()
	}
	return t, true
}

// unaryType returns the type of a prefix operator or of a transposition.
func unaryType(op ast.Op, x types.Type) (types.Type, bool) {
	if x.Base == types.BadBase {
		return types.Bad, true
	}
	switch op {
	case "!":
		return types.Int, isIntOrReal(x)
	case "'":
		return transposedType(x)
	}
	return x, isNumericOrArray(x)
}

func transposedType(x types.Type) (types.Type, bool) {
	if x.Dims > 0 {
		return types.Bad, false
	}
	switch x.Base {
	case types.VectorBase:
		return types.RowVector, true
	case types.RowVectorBase:
		return types.Vector, true
	case types.ComplexVectorBase:
		return types.ComplexRowVector, true
	case types.ComplexRowVectorBase:
		return types.ComplexVector, true
	case types.MatrixBase, types.ComplexMatrixBase:
		return x, true
	}
	return types.Bad, false
}

func isInt(t types.Type) bool { return t.Base == types.IntBase && t.Dims == 0 }

func isIntOrReal(t types.Type) bool {
	return t.Dims == 0 && (t.Base == types.IntBase || t.Base == types.RealBase)
}

// isNumeric reports whether t is a number, a vector or a matrix.
func isNumeric(t types.Type) bool { return t.Dims == 0 && isNumericOrArray(t) }

// isNumericOrArray reports whether t is a number, a vector, a matrix or an array of one.
func isNumericOrArray(t types.Type) bool {
	return t.Base >= types.IntBase && t.Base <= types.ComplexMatrixBase
}
