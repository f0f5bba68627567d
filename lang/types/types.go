// Package types describes what can be meant: types, constraints and function
// signatures. Everything in it is an immutable value, safe for concurrent use.
package types

import "strings"

// Base is the type inside all array dimensions.
type Base uint8

// The base types.
const (
	VoidBase Base = iota // no value: the result of a statement-like function
	IntBase
	RealBase
	ComplexBase
	VectorBase
	RowVectorBase
	MatrixBase
	ComplexVectorBase
	ComplexRowVectorBase
	ComplexMatrixBase
	TupleBase
	FuncBase   // a function passed to a higher-order function
	StringBase // only in print, reject, fatal_error
	BadBase    // the type of an expression in error; fits everywhere
)

var baseNames = [...]string{"void", "int", "real", "complex", "vector", "row_vector", "matrix", "complex_vector",
	"complex_row_vector", "complex_matrix", "tuple", "function", "string", "<error>"}

// A Type is a base type inside Dims array dimensions.
type Type struct {
	Base   Base
	Dims   int        // array dimensions; 0 for no array
	Fields []Type     // of a tuple
	Fn     *Signature // of a function value
}

// The types without array dimensions.
var (
	Void             = Type{Base: VoidBase}
	Int              = Type{Base: IntBase}
	Real             = Type{Base: RealBase}
	Complex          = Type{Base: ComplexBase}
	Vector           = Type{Base: VectorBase}
	RowVector        = Type{Base: RowVectorBase}
	Matrix           = Type{Base: MatrixBase}
	ComplexVector    = Type{Base: ComplexVectorBase}
	ComplexRowVector = Type{Base: ComplexRowVectorBase}
	ComplexMatrix    = Type{Base: ComplexMatrixBase}
	String           = Type{Base: StringBase}
	Bad              = Type{Base: BadBase}
)

// ArrayOf wraps a type in n further array dimensions.
func ArrayOf(t Type, n int) Type {
	t.Dims += n
	return t
}

// TupleOf makes a tuple type.
func TupleOf(fields ...Type) Type { return Type{Base: TupleBase, Fields: fields} }

// FuncOf makes the type of a function value.
func FuncOf(s *Signature) Type { return Type{Base: FuncBase, Fn: s} }

// Equal reports whether two types are the same.
func (t Type) Equal(u Type) bool {
	if t.Base != u.Base || t.Dims != u.Dims || len(t.Fields) != len(u.Fields) {
		return false
	}
	for i := range t.Fields {
		if !t.Fields[i].Equal(u.Fields[i]) {
			return false
		}
	}
	return t.Base != FuncBase || t.Fn == u.Fn
}

// BaseRank is the number of indices that the base type takes: 0 for scalars and
// tuples, 1 for vectors, 2 for matrices.
func (b Base) BaseRank() int {
	switch b {
	case VectorBase, RowVectorBase, ComplexVectorBase, ComplexRowVectorBase:
		return 1
	case MatrixBase, ComplexMatrixBase:
		return 2
	}
	return 0
}

// Rank is the number of indices that the type takes: array dimensions first, then
// the base type's own.
func (t Type) Rank() int { return t.Dims + t.Base.BaseRank() }

// IsScalar reports whether t is int, real or complex.
func (t Type) IsScalar() bool {
	return t.Dims == 0 && (t.Base == IntBase || t.Base == RealBase || t.Base == ComplexBase)
}

// IsComplex reports whether the numbers in t are complex.
func (b Base) IsComplex() bool {
	switch b {
	case ComplexBase, ComplexVectorBase, ComplexRowVectorBase, ComplexMatrixBase:
		return true
	}
	return false
}

// Scalar is the type of the numbers in t: Int, Real or Complex; Bad for tuples and
// functions.
func (t Type) Scalar() Type {
	switch {
	case t.Base == IntBase:
		return Int
	case t.Base.IsComplex():
		return Complex
	case t.Base == RealBase || t.Base.BaseRank() > 0:
		return Real
	}
	return Bad
}

// AllInts reports whether t is int, or an array or a tuple of nothing else.
func (t Type) AllInts() bool {
	if t.Base != TupleBase {
		return t.Base == IntBase
	}
	for _, f := range t.Fields {
		if !f.AllInts() {
			return false
		}
	}
	return len(t.Fields) > 0
}

// HasInts reports whether t holds integers anywhere, tuple fields included.
func (t Type) HasInts() bool {
	if t.Base == IntBase {
		return true
	}
	for _, f := range t.Fields {
		if f.HasInts() {
			return true
		}
	}
	return false
}

// Elem is the type under one array dimension; t must be an array.
func (t Type) Elem() Type {
	t.Dims--
	return t
}

// String returns the type as written in a function's head: "array[,] real",
// "tuple(int, vector)".
func (t Type) String() string {
	s := t.baseString()
	if t.Dims > 0 {
		s = "array[" + strings.Repeat(",", t.Dims-1) + "] " + s
	}
	return s
}

func (t Type) baseString() string {
	switch t.Base {
	case TupleBase:
		parts := make([]string, len(t.Fields))
		for i, f := range t.Fields {
			parts[i] = f.String()
		}
		if len(parts) == 1 {
			return "tuple(" + parts[0] + ",)"
		}
		return "tuple(" + strings.Join(parts, ", ") + ")"
	case FuncBase:
		if t.Fn != nil {
			return t.Fn.funcString()
		}
	}
	return baseNames[t.Base]
}
