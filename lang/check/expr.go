package check

// This file finds the types and levels of expressions.

import (
	"slices"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// An operand is what is known of an expression.
type operand struct {
	t     types.Type
	level Level
}

var badOperand = operand{t: types.Bad}

func (o operand) bad() bool { return o.t.Base == types.BadBase }

// combine makes the operand of type t that is computed from others. Integers take on
// the dependence of integers only: what is counted or compared is data, as in Stan,
// unless a discrete parameter is in it; but see Computed.
func combine(t types.Type, from ...operand) operand {
	out := operand{t: t}
	for _, o := range from {
		switch {
		case t.Base == types.IntBase && o.t.Base != types.IntBase && o.level.DependsOnParameters():
			out.level |= o.level&^Parameter | Computed
		case t.Base != types.IntBase && o.level&Computed != 0:
			out.level |= o.level&^Computed | Parameter
		default:
			out.level |= o.level
		}
	}
	return out
}

// expr checks an expression and records what it is.
func (c *checker) expr(x ast.Expr) operand {
	o := c.exprOf(x)
	c.info.Types[x] = o.t
	c.info.Levels[x] = o.level
	return o
}

func (c *checker) exprOf(x ast.Expr) operand {
	switch x := x.(type) {
	case *ast.Ident:
		return c.variable(x)
	case *ast.IntLit:
		return c.intLiteral(x)
	case *ast.RealLit:
		if x.Imag {
			return operand{t: types.Complex}
		}
		return operand{t: types.Real}
	case *ast.Unary:
		return c.unary(x, x.Op, x.X)
	case *ast.Postfix:
		return c.unary(x, x.Op, x.X)
	case *ast.Binary:
		return c.binary(x)
	case *ast.Ternary:
		return c.ternary(x)
	case *ast.Call:
		return c.call(x)
	case *ast.Index:
		return c.index(x)
	case *ast.TupleGet:
		return c.slot(x, c.expr(x.X))
	case *ast.ArrayLit:
		return c.arrayLiteral(x)
	case *ast.RowLit:
		return c.rowLiteral(x)
	case *ast.TupleLit:
		return c.tupleLiteral(x)
	case *ast.Paren:
		return c.expr(x.X)
	}
	return badOperand
}

// variable checks a name that stands for a value.
func (c *checker) variable(x *ast.Ident) operand {
	sym := c.lookup(x.Name)
	if sym == nil {
		if len(c.funcs[x.Name]) > 0 || len(c.lib.Signatures(normalized(x.Name))) > 0 {
			c.errorf(x.Loc, msgFuncAsValue, x.Name)
		} else {
			c.undeclared(x)
		}
		return badOperand
	}
	c.info.Uses[x] = sym
	sym.Used = true
	sym.Sizes = sym.Sizes || c.sizing
	if c.sizing && (sym.Kind == ParameterVar || sym.Kind == TransformedParameterVar || sym.Kind == GeneratedVar) {
		c.errorf(x.Loc, msgSizeNotData, x.Name, sym.Kind)
		return badOperand
	}
	if c.block == ast.SimulateKind && sym.Kind == TransformedParameterVar {
		c.readTransformed(x)
	}
	return operand{sym.Type, sym.Level}
}

func (c *checker) intLiteral(x *ast.IntLit) operand {
	if _, err := strconv.ParseInt(strings.ReplaceAll(x.Text, "_", ""), 10, 32); err != nil {
		c.errorf(x.Loc, msgIntLiteral, x.Text).Help = "write it as a real: " + x.Text + ".0"
	}
	return operand{t: types.Int}
}

func (c *checker) unary(x ast.Expr, op ast.Op, arg ast.Expr) operand {
	o := c.expr(arg)
	t, ok := unaryType(op, o.t)
	if !ok {
		name := map[ast.Op]string{"-": "the negative", "+": "the positive", "!": "the logical negation", "'": "the transpose"}[op]
		c.errorf(x.Span(), msgUnary, name, o.t)
		return badOperand
	}
	return combine(t, o)
}

func (c *checker) binary(x *ast.Binary) operand {
	l, r := c.expr(x.L), c.expr(x.R)
	t, ok := binaryType(x.Op, l.t, r.t)
	if !ok {
		c.errorf(x.Loc, msgBinary, l.t, x.Op, r.t).Help = operatorHelp(x.Op, l.t, r.t)
		return badOperand
	}
	return combine(t, l, r)
}

// operatorHelp reports what was probably meant.
func operatorHelp(op ast.Op, l, r types.Type) string {
	both := !l.IsScalar() && !r.IsScalar()
	switch {
	case op == "*" && both && l.Equal(r):
		return "the elementwise product is .*"
	case op == "*" && both && l.Equal(types.Vector) && r.Equal(types.Matrix):
		return "the matrix stands before the vector, as in A * x; x' * A is a row vector"
	case op == "/" && l.IsScalar() || op == "/" && both && l.Equal(r):
		return "the elementwise quotient is ./"
	case both && l.Dims == 0 && r.Dims == 0 && l.Base.BaseRank() == 1 && r.Base.BaseRank() == 1 && (op == "+" || op == "-"):
		return "x' is the transpose of x"
	case l.Dims > 0 || r.Dims > 0:
		return "arrays take no arithmetic; to_vector makes a vector of one"
	case op == "%" || op == "%/%":
		return "it takes ints only; the remainder of reals is fmod(x, y)"
	case slices.Contains([]ast.Op{"==", "!=", "<", "<=", ">", ">=", "&&", "||"}, op) && !(l.IsScalar() && r.IsScalar()):
		return "compare single elements, in a loop"
	}
	return "convert one of the two"
}

func (c *checker) ternary(x *ast.Ternary) operand {
	cond := c.condition(x.Cond)
	a, b := c.expr(x.Then), c.expr(x.Else)
	t, ok := types.Common(a.t, b.t)
	if !ok {
		c.errorf(x.Loc, msgBranches, a.t, b.t)
		return badOperand
	}
	return combine(t, cond, a, b)
}

// condition checks an expression that decides something.
func (c *checker) condition(x ast.Expr) operand {
	o := c.expr(x)
	if !o.bad() && !isInt(o.t) {
		p := c.errorf(x.Span(), msgCondition, o.t)
		if o.t.Equal(types.Real) {
			p.Help = "compare it with something, for example != 0"
		}
	}
	return o
}

func (c *checker) arrayLiteral(x *ast.ArrayLit) operand {
	elems := make([]operand, len(x.Elems))
	common := types.Bad
	for i, e := range x.Elems {
		elems[i] = c.expr(e)
		t, ok := types.Common(common, elems[i].t)
		if elems[i].bad() {
			continue
		}
		if !ok {
			c.errorf(e.Span(), msgElements, elems[i].t, common)
			return badOperand
		}
		common = t
	}
	if common.Base == types.BadBase {
		return badOperand
	}
	return combine(types.ArrayOf(common, 1), elems...)
}

func (c *checker) rowLiteral(x *ast.RowLit) operand {
	elems := make([]operand, len(x.Elems))
	scalar, row, complexNumbers := false, false, false
	for i, e := range x.Elems {
		o := c.expr(e)
		elems[i] = o
		isRow := o.t.Dims == 0 && o.t.AsReal().Base == types.RowVectorBase
		switch {
		case o.bad():
		case isRow && !scalar:
			row = true
		case o.t.IsScalar() && !row:
			scalar = true
		default:
			after := "the start"
			if i > 0 {
				after = elems[i-1].t.String()
			}
			c.errorf(e.Span(), msgRowElements, o.t, after)
			return badOperand
		}
		complexNumbers = complexNumbers || o.t.Base.IsComplex()
	}
	t := types.RowVector
	if row {
		t = types.Matrix
	}
	if complexNumbers {
		t = t.AsComplex()
	}
	return combine(t, elems...)
}

func (c *checker) tupleLiteral(x *ast.TupleLit) operand {
	elems := make([]operand, len(x.Elems))
	fields := make([]types.Type, len(x.Elems))
	for i, e := range x.Elems {
		elems[i] = c.expr(e)
		fields[i] = elems[i].t
		if elems[i].bad() {
			return badOperand
		}
	}
	return combine(types.TupleOf(fields...), elems...)
}

// slot returns the type of x.n.
func (c *checker) slot(x *ast.TupleGet, of operand) operand {
	switch {
	case of.bad():
		return badOperand
	case of.t.Base != types.TupleBase || of.t.Dims > 0:
		c.errorf(x.Loc, msgNotTuple, of.t)
		return badOperand
	case x.Field < 1 || x.Field > len(of.t.Fields):
		c.errorf(x.Loc, msgTupleSlot, len(of.t.Fields), x.Field)
		return badOperand
	}
	return combine(of.t.Fields[x.Field-1], of)
}
