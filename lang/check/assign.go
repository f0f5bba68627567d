package check

// This file checks assignments and what may stand on their left.

import (
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/types"
)

func (c *checker) assign(s *ast.Assign) {
	if tuple, ok := s.LHS.(*ast.TupleLit); ok {
		c.unpack(s, tuple)
		return
	}
	lhs := c.lvalue(s.LHS)
	c.readsTarget(s.LHS, map[string]ast.Expr{"": s.LHS})
	rhs := c.expr(s.RHS)
	if s.Op != "=" {
		c.compound(s, lhs.t, rhs.t)
	} else {
		c.assignable(s.RHS, rhs.t, lhs.t)
	}
	c.raise(c.root(s.LHS), rhs.level|lhs.level)
}

// compound checks x op= y, which stands for x = x op y with a result of x's type.
func (c *checker) compound(s *ast.Assign, l, r types.Type) {
	op := s.Op[:len(s.Op)-1]
	t, ok := binaryType(op, l, r)
	c.info.Compound[s] = t
	switch {
	case !ok:
		c.errorf(s.Loc, msgBinary, l, op, r)
	case t.Base == types.BadBase || l.Base == types.BadBase:
	case !t.Equal(l):
		c.errorf(s.Loc, msgAssignOp, l, op, r, l)
	case (op == ".*" || op == "./") && l.IsScalar():
		c.errorf(s.Loc, msgBinary, l, s.Op, r).Help = "for numbers it is " + string(op[1:]) + "="
	}
}

// assignable reports a value that does not fit where it is assigned to.
func (c *checker) assignable(value ast.Expr, from, to types.Type) {
	if _, ok := types.Promote(from, to); ok || from.Base == types.VoidBase {
		return
	}
	p := c.errorf(value.Span(), msgAssignType, from, to)
	switch {
	case to.Dims == 0 && from.Dims == 0 && to.Base == types.VectorBase && from.Base == types.RowVectorBase,
		to.Dims == 0 && from.Dims == 0 && to.Base == types.RowVectorBase && from.Base == types.VectorBase:
		p.Help = "x' is the transpose of x"
	case isInt(to) && from.Equal(types.Real):
		p.Help = "to_int(x) makes an int of a real that is data"
	case to.Equal(types.Vector) && from.Dims == 1:
		p.Help = "to_vector(x) makes a vector of an array"
	}
}

// raise notes that something of this level is assigned to a variable. It matters for
// integers, which are data until a discrete parameter gets into them.
func (c *checker) raise(sym *Symbol, level Level) {
	if sym == nil || sym.ReadOnly {
		return
	}
	if sym.Type.Base == types.IntBase {
		sym.Level |= (level | c.control) & Parameter
	}
}

// root is the variable at the bottom of a left-hand side, nil where there is none.
func (c *checker) root(x ast.Expr) *Symbol {
	if id := rootIdent(x); id != nil {
		return c.info.Uses[id]
	}
	return nil
}

func rootIdent(x ast.Expr) *ast.Ident {
	for {
		switch y := x.(type) {
		case *ast.Ident:
			return y
		case *ast.Index:
			x = y.X
		case *ast.TupleGet:
			x = y.X
		case *ast.Paren:
			x = y.X
		default:
			return nil
		}
	}
}

// lvalue checks what stands on the left of an assignment and records its parts.
func (c *checker) lvalue(x ast.Expr) operand {
	o, _ := c.lvalueOf(x)
	return o
}

// lvalueOf also reports whether x picks several elements by its last indices.
func (c *checker) lvalueOf(x ast.Expr) (o operand, many bool) {
	defer func() {
		c.info.Types[x] = o.t
		c.info.Levels[x] = o.level
	}()
	switch x := x.(type) {
	case *ast.Ident:
		return c.target(x), false
	case *ast.Index:
		of, slice := c.lvalueOf(x.X)
		if slice && !of.bad() {
			c.errorf(x.Loc, msgMultiIndex)
			return badOperand, false
		}
		return c.indexed(x, of), c.picksMany(x)
	case *ast.TupleGet:
		of, slice := c.lvalueOf(x.X)
		return c.slot(x, of), slice
	}
	return badOperand, false // the parser lets nothing else through
}

func (c *checker) picksMany(x *ast.Index) bool {
	for _, arg := range x.Indices {
		if arg.Kind != ast.IndexExpr || c.info.Types[arg.Lo].Dims > 0 {
			return true
		}
	}
	return len(x.Indices) == 0
}

// target checks that a variable may be assigned to here.
func (c *checker) target(x *ast.Ident) operand {
	sym := c.lookup(x.Name)
	if sym == nil {
		if len(c.funcs[x.Name]) > 0 || len(c.lib.Signatures(x.Name)) > 0 {
			c.errorf(x.Loc, msgReadOnly, x.Name, "function")
		} else {
			c.undeclared(x)
		}
		return badOperand
	}
	c.info.Uses[x] = sym
	inSimulate := c.block == ast.SimulateKind && (sym.Kind == DataVar || sym.Kind == ParameterVar)
	switch {
	case inSimulate && sym.Sizes:
		c.errorf(x.Loc, msgSizeAssigned, x.Name)
		return badOperand
	case inSimulate:
	case sym.ReadOnly:
		c.errorf(x.Loc, msgReadOnly, x.Name, sym.Kind)
		return badOperand
	case sym.Block != c.block:
		c.errorf(x.Loc, msgOtherBlock, x.Name, sym.Block)
		return badOperand
	}
	sym.Assigned = sym.Assigned || !inSimulate
	if inSimulate {
		c.assignedInSimulate(sym)
	}
	return operand{sym.Type, sym.Level}
}

// unpack checks (a, b) = tuple.
func (c *checker) unpack(s *ast.Assign, tuple *ast.TupleLit) {
	var targets []ast.Expr
	lhs := c.unpackTargets(tuple, &targets)
	rhs := c.expr(s.RHS)
	seen := map[string]ast.Expr{}
	for _, x := range targets {
		id := rootIdent(x)
		if id == nil {
			continue
		}
		key := slotPath(x)
		if overlaps(seen, key) {
			c.errorf(x.Span(), msgUnpackRepeated, id.Name)
		}
		seen[key] = x
		c.raise(c.root(x), rhs.level)
	}
	for _, x := range targets {
		c.readsTarget(x, seen)
	}
	c.unpackTypes(s, tuple, lhs, rhs.t)
}

// unpackTargets checks the left-hand sides in a tuple, nested ones included.
func (c *checker) unpackTargets(tuple *ast.TupleLit, targets *[]ast.Expr) types.Type {
	fields := make([]types.Type, len(tuple.Elems))
	for i, e := range tuple.Elems {
		if inner, ok := e.(*ast.TupleLit); ok {
			fields[i] = c.unpackTargets(inner, targets)
			continue
		}
		fields[i] = c.lvalue(e).t
		*targets = append(*targets, e)
	}
	t := types.TupleOf(fields...)
	c.info.Types[tuple] = t
	c.info.Levels[tuple] = Data
	return t
}

// unpackTypes compares the targets with the value's slots.
func (c *checker) unpackTypes(s *ast.Assign, tuple *ast.TupleLit, to, from types.Type) {
	switch {
	case from.Base == types.BadBase:
	case from.Base != types.TupleBase || from.Dims > 0 || len(from.Fields) != len(tuple.Elems):
		c.errorf(s.Loc, msgUnpackCount, len(tuple.Elems), from)
	default:
		for i, e := range tuple.Elems {
			if inner, ok := e.(*ast.TupleLit); ok {
				c.unpackTypes(s, inner, to.Fields[i], from.Fields[i])
			} else if _, ok := types.Promote(from.Fields[i], to.Fields[i]); !ok {
				c.errorf(e.Span(), msgAssignType, from.Fields[i], to.Fields[i])
			}
		}
	}
}

// slotPath names the variable and slots of a left-hand side, indices left out: two
// elements of one variable count as the same place.
func slotPath(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name + "."
	case *ast.Index:
		return slotPath(x.X)
	case *ast.TupleGet:
		return slotPath(x.X) + strconv.Itoa(x.Field) + "."
	}
	return ""
}

// overlaps reports whether one of the paths begins with another.
func overlaps(seen map[string]ast.Expr, path string) bool {
	for old := range seen {
		if strings.HasPrefix(old, path) || strings.HasPrefix(path, old) {
			return true
		}
	}
	return false
}

// readsTarget reports an index on the left that reads one of the variables assigned.
func (c *checker) readsTarget(x ast.Expr, targets map[string]ast.Expr) {
	written := map[*Symbol]bool{}
	for _, t := range targets {
		written[c.root(t)] = true
	}
	for y := x; ; {
		switch z := y.(type) {
		case *ast.Index:
			for _, arg := range z.Indices {
				c.reportReads(arg.Lo, written)
				c.reportReads(arg.Hi, written)
			}
			y = z.X
		case *ast.TupleGet:
			y = z.X
		default:
			return
		}
	}
}

// reportReads reports the variables assigned in an index x, unless it asks for their sizes
// alone.
func (c *checker) reportReads(x ast.Expr, written map[*Symbol]bool) {
	sizes := map[*ast.Ident]bool{}
	eachCall(x, func(call *ast.Call) {
		if !sizeFunctions[call.Name.Name] {
			return
		}
		for _, arg := range call.Args {
			if id, ok := arg.(*ast.Ident); ok {
				sizes[id] = true
			}
		}
	})
	eachIdent(x, func(id *ast.Ident) {
		if sym := c.info.Uses[id]; sym != nil && written[sym] && !sizes[id] {
			c.errorf(id.Loc, msgUnpackRead, id.Name)
		}
	})
}

// sizeFunctions look at the sizes of a container and at none of its elements.
var sizeFunctions = map[string]bool{"size": true, "num_elements": true, "rows": true, "cols": true, "dims": true}
