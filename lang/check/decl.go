package check

// This file checks declarations: types as written, sizes, bounds.

import (
	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// plainType returns the base type that the name of a constrained type stands for.
func plainType(name string) types.Type {
	switch name {
	case "simplex", "unit_vector", "ordered", "positive_ordered", "sum_to_zero_vector":
		return types.Vector
	case "corr_matrix", "cov_matrix", "cholesky_factor_corr", "cholesky_factor_cov",
		"column_stochastic_matrix", "row_stochastic_matrix", "sum_to_zero_matrix":
		return types.Matrix
	}
	t, _ := types.FromName(name)
	return t
}

// isConstrained reports whether the type's name alone restricts the values.
func isConstrained(t *ast.TypeExpr) bool {
	_, plain := types.FromName(t.Name)
	return !plain && t.Name != "tuple"
}

// typeOf returns the type that a type expression stands for, without looking at its
// sizes and bounds.
func (c *checker) typeOf(x *ast.TypeExpr) types.Type {
	t := plainType(x.Name)
	if x.Name == "tuple" {
		fields := make([]types.Type, len(x.Fields))
		for i, f := range x.Fields {
			fields[i] = c.typeOf(f)
		}
		t = types.TupleOf(fields...)
	}
	t = types.ArrayOf(t, x.ArrayDims)
	c.info.Declared[x] = t
	return t
}

// variableKind is what a declaration at this place makes.
func (c *checker) variableKind() SymbolKind {
	if c.nested > 0 || c.fn != nil {
		return LocalVar
	}
	return map[ast.BlockKind]SymbolKind{ast.DataKind: DataVar, ast.TransformedDataKind: TransformedDataVar,
		ast.ParametersKind: ParameterVar, ast.TransformedParametersKind: TransformedParameterVar,
		ast.ModelKind: ModelVar, ast.GeneratedQuantitiesKind: GeneratedVar, ast.SimulateKind: SimulateVar}[c.block]
}

// decl checks a declaration. The variable is visible in its own initial value, as in
// Stan.
func (c *checker) decl(d *ast.Decl) {
	kind := c.variableKind()
	if !d.Cont {
		c.declaredType(d.Type, kind)
	}
	t := c.info.Declared[d.Type]
	sym := c.newVariable(d.Name, kind, t)
	sym.Decl = d
	sym.ReadOnly = kind == DataVar || kind == ParameterVar
	c.declare(sym)
	if kind != LocalVar {
		c.info.Globals[c.block] = append(c.info.Globals[c.block], sym)
	}
	if d.Init == nil {
		return
	}
	sym.Assigned = true
	o := c.expr(d.Init)
	c.assignable(d.Init, o.t, t)
	c.raise(sym, o.level)
}

// declaredType checks the type of a declaration once for all its declarators.
func (c *checker) declaredType(x *ast.TypeExpr, kind SymbolKind) {
	t := c.typeOf(x)
	c.sizes(x, kind)
	c.bounds(x, kind)
	switch {
	case kind == ParameterVar && t.Base == types.TupleBase && t.HasInts():
		c.errorf(x.Loc, msgIntTuple)
	case kind == ParameterVar && t.HasInts() && len(x.Bounds) < 2:
		c.errorf(x.Loc, msgIntParameter)
	case kind == TransformedParameterVar && t.HasInts():
		c.errorf(x.Loc, msgIntTransformed)
	}
}

// sizes checks the sizes in a type and its fields.
func (c *checker) sizes(x *ast.TypeExpr, kind SymbolKind) {
	topLevel := kind != LocalVar && kind != ModelVar && kind != SimulateVar
	c.sizing = topLevel
	for _, list := range [][]ast.Expr{x.ArraySizes, x.Sizes} {
		for _, e := range list {
			if o := c.expr(e); !o.bad() && !isInt(o.t) {
				c.errorf(e.Span(), msgSizeType, o.t)
			}
		}
	}
	c.sizing = false
	for _, f := range x.Fields {
		c.sizes(f, kind)
	}
}

// bounds checks the constraints in a type and its fields.
func (c *checker) bounds(x *ast.TypeExpr, kind SymbolKind) {
	for _, f := range x.Fields {
		c.bounds(f, kind)
	}
	local := kind == LocalVar || kind == ModelVar
	if local && (isConstrained(x) || len(x.Bounds) > 0) {
		c.errorf(x.Loc, msgLocalConstraint)
	}
	for _, b := range x.Bounds {
		c.bound(x, b)
	}
}

// bound checks one lower, upper, offset or multiplier: a number, or a container of
// the variable's own type.
func (c *checker) bound(x *ast.TypeExpr, b ast.Bound) {
	t := c.info.Declared[x]
	o := c.expr(b.X)
	base := types.Type{Base: t.Base}
	switch {
	case o.bad():
	case base.Base == types.TupleBase || base.Base.IsComplex():
		c.errorf(b.Loc, msgBoundOn, base, b.Name)
	case base.Base == types.IntBase && o.t.Base != types.IntBase:
		c.errorf(b.X.Span(), msgIntBound, b.Name, o.t)
	case isIntOrReal(o.t):
	default:
		if _, ok := types.Promote(o.t, t); !ok {
			c.errorf(b.X.Span(), msgBoundType, b.Name, t, o.t)
		}
	}
}
