// Parts of containers: their types, and the indices that pick them.

package ir

import (
	"slices"

	"github.com/seed-12b88e03/ppl/lang/types"
)

// Indexed is the type of what a list of indices, which is not longer than it has
// dimensions, picks from a container of type t.
func Indexed(t types.Type, args []IndexArg) types.Type {
	out := t
	base := make([]bool, t.Base.BaseRank()) // which dimensions of the base type vanish
	for k, a := range args {
		switch {
		case a.Kind == Zip:
			return types.ArrayOf(t.Scalar(), 1)
		case a.Kind != Single:
		case k < t.Dims:
			out.Dims--
		default:
			base[k-t.Dims] = true
		}
	}
	out.Base = picked(t.Base, base)
	return out
}

// Subscripts returns the variable that is indexed and all its indices: x[i][j] counts as x[i, j].
func Subscripts(x *Index) (*Var, []IndexArg, bool) {
	switch inner := x.X.(type) {
	case *Ref:
		return inner.Var, x.Indices, true
	case *Index:
		v, first, ok := Subscripts(inner)
		if !ok || !AllSingle(first) {
			return nil, nil, false
		}
		return v, append(first[:len(first):len(first)], x.Indices...), true
	}
	return nil, nil, false
}

// AllSingle reports whether all indices are single positions.
func AllSingle(list []IndexArg) bool {
	return !slices.ContainsFunc(list, func(a IndexArg) bool { return a.Kind != Single })
}

// picked is the base type left of b when the dimensions marked in gone vanish.
func picked(b types.Base, gone []bool) types.Base {
	scalar, row, column := types.RealBase, types.RowVectorBase, types.VectorBase
	if b.IsComplex() {
		scalar, row, column = types.ComplexBase, types.ComplexRowVectorBase, types.ComplexVectorBase
	}
	switch {
	case len(gone) == 1 && gone[0], len(gone) == 2 && gone[0] && gone[1]:
		return scalar
	case len(gone) == 2 && gone[0]:
		return row
	case len(gone) == 2 && gone[1]:
		return column
	}
	return b
}
