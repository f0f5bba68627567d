package check

// This file finds the types of indexed expressions.

import (
	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/types"
)

func (c *checker) index(x *ast.Index) operand {
	return c.indexed(x, c.expr(x.X))
}

// indexed applies the indices of x to a value.
func (c *checker) indexed(x *ast.Index, of operand) operand {
	all := []operand{of}
	multi, ok := c.indices(x, &all)
	if of.bad() || !ok {
		return badOperand
	}
	t, ok := indexedType(of.t, multi)
	if !ok {
		c.errorf(x.Loc, msgIndexCount, of.t, of.t.Rank(), len(multi))
		return badOperand
	}
	return combine(t, all...)
}

// indices checks the indices and says of each whether it picks several elements;
// what they are is appended to used. It is false where one is in error.
func (c *checker) indices(x *ast.Index, used *[]operand) (multi []bool, ok bool) {
	ok = true
	for _, arg := range x.Indices {
		many := arg.Kind != ast.IndexExpr
		for _, e := range []ast.Expr{arg.Lo, arg.Hi} {
			if e == nil {
				continue
			}
			o := c.expr(e)
			*used = append(*used, o)
			switch {
			case o.bad():
				ok = false
			case arg.Kind != ast.IndexExpr && !isInt(o.t):
				c.errorf(e.Span(), msgRangeBound, "the bound of a range", o.t)
				ok = false
			case o.t.Base != types.IntBase || o.t.Dims > 1:
				c.errorf(e.Span(), msgIndexType, o.t)
				ok = false
			case o.t.Dims == 1:
				many = true
			}
		}
		multi = append(multi, many)
	}
	if len(x.Indices) == 0 {
		multi = []bool{true}
	}
	return multi, ok
}

// indexedType returns the type after indices are applied, each of which picks one
// element or many; false where there are too many of them.
func indexedType(t types.Type, multi []bool) (types.Type, bool) {
	if len(multi) == 0 {
		return t, true
	}
	if t.Dims > 0 {
		inner, ok := indexedType(t.Elem(), multi[1:])
		if multi[0] {
			inner.Dims++
		}
		return inner, ok
	}
	if len(multi) > t.Base.BaseRank() {
		return types.Bad, false
	}
	if t.Base.BaseRank() == 1 {
		if multi[0] {
			return t, true
		}
		return t.Scalar(), true
	}
	pick := types.Matrix
	switch {
	case multi[0] && (len(multi) == 1 || multi[1]):
	case !multi[0] && (len(multi) == 1 || multi[1]):
		pick = types.RowVector
	case multi[0]:
		pick = types.Vector
	default:
		pick = types.Real
	}
	if t.Base.IsComplex() {
		pick = pick.AsComplex()
	}
	return pick, true
}
