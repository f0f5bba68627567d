// Promotion: which types may stand where another is asked for.

package types

// Promote reports whether a value of type from may stand where to is asked for, and in
// how many steps: int becomes real in one, complex in two, real becomes complex in
// one; vectors and matrices become complex in one. Arrays and tuples promote as
// their elements do (the steps of a tuple's fields add up). Bad fits everywhere.
func Promote(from, to Type) (steps int, ok bool) {
	if from.Base == BadBase || to.Base == BadBase {
		return 0, true
	}
	if from.Dims != to.Dims {
		return 0, false
	}
	if from.Base == TupleBase && to.Base == TupleBase && len(from.Fields) == len(to.Fields) {
		for i := range from.Fields {
			n, ok := Promote(from.Fields[i], to.Fields[i])
			if !ok {
				return 0, false
			}
			steps += n
		}
		return steps, true
	}
	if from.Equal(to) {
		return 0, true
	}
	switch {
	case from.Base == IntBase && to.Base == RealBase:
		return 1, true
	case from.Base == IntBase && to.Base == ComplexBase:
		return 2, true
	case !from.Base.IsComplex() && to.Base.IsComplex() && to.Base == from.Base.complexBase():
		return 1, true
	}
	return 0, false
}

// complexBase is the base type with complex numbers in place of int or real; of
// anything else the base itself.
func (b Base) complexBase() Base {
	switch b {
	case IntBase, RealBase:
		return ComplexBase
	case VectorBase:
		return ComplexVectorBase
	case RowVectorBase:
		return ComplexRowVectorBase
	case MatrixBase:
		return ComplexMatrixBase
	}
	return b
}

// realBase is the base type with real numbers in place of int or complex; of
// anything else the base itself.
func (b Base) realBase() Base {
	switch b {
	case IntBase, ComplexBase:
		return RealBase
	case ComplexVectorBase:
		return VectorBase
	case ComplexRowVectorBase:
		return RowVectorBase
	case ComplexMatrixBase:
		return MatrixBase
	}
	return b
}

// AsComplex is t with complex numbers; tuples and functions stay as they are.
func (t Type) AsComplex() Type {
	t.Base = t.Base.complexBase()
	return t
}

// AsReal is t with real numbers in place of int or complex; tuples and functions
// stay as they are.
func (t Type) AsReal() Type {
	t.Base = t.Base.realBase()
	return t
}

// Common returns the least type to which both types promote; false where there is
// none.
func Common(a, b Type) (Type, bool) {
	if a.Base == BadBase {
		return b, true
	}
	if _, ok := Promote(a, b); ok {
		return b, true
	}
	if _, ok := Promote(b, a); ok {
		return a, true
	}
	if a.Base != TupleBase || b.Base != TupleBase || a.Dims != b.Dims || len(a.Fields) != len(b.Fields) {
		return Bad, false
	}
	fields := make([]Type, len(a.Fields))
	for i := range fields {
		f, ok := Common(a.Fields[i], b.Fields[i])
		if !ok {
			return Bad, false
		}
		fields[i] = f
	}
	return ArrayOf(TupleOf(fields...), a.Dims), true
}
