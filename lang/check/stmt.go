package check

// This file checks statements.

import (
	"slices"

	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/types"
)

func (c *checker) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.Decl:
		c.decl(s)
	case *ast.Assign:
		c.assign(s)
	case *ast.Sample:
		c.sample(s)
	case *ast.TargetAdd:
		c.targetAdd(s)
	case *ast.CallStmt:
		c.callStmt(s)
	case *ast.If:
		c.ifStmt(s)
	case *ast.For:
		c.forStmt(s)
	case *ast.ForEach:
		c.forEach(s)
	case *ast.While:
		cond := c.condition(s.Cond)
		c.loop(s.Body, cond.level)
	case *ast.Break:
		c.inLoop(s, "break")
	case *ast.Continue:
		c.inLoop(s, "continue")
	case *ast.Return:
		c.returnStmt(s)
	case *ast.Print:
		c.print(s)
	case *ast.Profile:
		c.info.Types[s.Name], c.info.Levels[s.Name] = types.String, Data
		c.localBlock(s.Body)
	case *ast.BlockStmt:
		c.localBlock(s.Body)
	}
}

// localBlock checks statements in a scope of their own.
func (c *checker) localBlock(body []ast.Stmt) {
	c.push()
	c.nested++
	for _, s := range body {
		c.stmt(s)
	}
	c.nested--
	c.pop()
}

// branch checks a statement that runs depending on something.
func (c *checker) branch(s ast.Stmt, on Level) {
	if s == nil {
		return
	}
	before := c.control
	c.control |= on & Parameter
	c.localBlock([]ast.Stmt{s})
	c.control = before
}

func (c *checker) ifStmt(s *ast.If) {
	cond := c.condition(s.Cond)
	on := combine(types.Int, cond).level
	c.branch(s.Then, on)
	c.branch(s.Else, on)
}

// loop checks a loop's body.
func (c *checker) loop(body ast.Stmt, on Level) {
	c.loops++
	c.branch(body, on)
	c.loops--
}

func (c *checker) forStmt(s *ast.For) {
	lo, hi := c.expr(s.Lo), c.expr(s.Hi)
	for i, o := range []operand{lo, hi} {
		if !o.bad() && !isInt(o.t) {
			c.errorf([]ast.Expr{s.Lo, s.Hi}[i].Span(), msgRangeBound, "the bound of a loop", o.t)
		}
	}
	c.loopOver(s.Var, types.Int, combine(types.Int, lo, hi), s.Body)
}

func (c *checker) forEach(s *ast.ForEach) {
	over := c.expr(s.X)
	elem := types.Bad
	switch {
	case over.bad():
	case over.t.Dims > 0:
		elem = over.t.Elem()
	case over.t.Base.BaseRank() > 0:
		elem = over.t.Scalar()
	default:
		p := c.errorf(s.X.Span(), msgForEach, over.t)
		if isInt(over.t) {
			p.Help = "a range of numbers is written 1:" + s.X.Span().Text()
		}
	}
	c.loopOver(s.Var, elem, combine(elem, over), s.Body)
}

// loopOver checks a loop's body with its variable.
func (c *checker) loopOver(v *ast.Ident, t types.Type, elem operand, body ast.Stmt) {
	c.push()
	sym := c.newVariable(v, LoopVar, t)
	sym.ReadOnly, sym.Assigned = true, true
	sym.Level |= elem.level & Parameter
	c.declare(sym)
	c.loop(body, Data)
	c.pop()
}

func (c *checker) inLoop(s ast.Stmt, word string) {
	if c.loops == 0 {
		c.errorf(s.Span(), msgOutsideLoop, word)
	}
}

func (c *checker) print(s *ast.Print) {
	for _, arg := range s.Args {
		if lit, ok := arg.(*ast.StringLit); ok {
			c.info.Types[lit] = types.String
			c.info.Levels[lit] = Data
			continue
		}
		c.expr(arg)
	}
}

func (c *checker) targetAdd(s *ast.TargetAdd) {
	o := c.expr(s.X)
	name := "target +="
	if s.Jacobian {
		name = "jacobian +="
	}
	switch {
	case s.Jacobian:
		if !c.inFunction(Jacobian) && c.block != ast.TransformedParametersKind {
			c.errorf(s.Loc, msgJacPlace, name)
		}
	case !c.inFunction(LP) && c.block != ast.ModelKind:
		c.errorf(s.Loc, msgTargetPlace, name)
	}
	if !o.bad() && (!isNumericOrArray(o.t) || o.t.Base.IsComplex()) {
		c.errorf(s.X.Span(), msgTargetType, name, o.t)
	}
	c.observeTerm(s.X)
}

// inFunction reports whether the body of a function with one of the suffixes is checked.
func (c *checker) inFunction(any ...Suffix) bool {
	if c.fn == nil {
		return false
	}
	return slices.Contains(any, c.fn.Suffix)
}

func (c *checker) returnStmt(s *ast.Return) {
	o := operand{t: types.Void}
	if s.X != nil {
		o = c.expr(s.X)
	}
	switch {
	case c.fn == nil:
		c.errorf(s.Loc, msgReturnOutside)
	case s.X == nil && c.fn.Result.Base != types.VoidBase:
		c.errorf(s.Loc, msgReturnVoid, c.fn.Name, c.fn.Result)
	case s.X != nil && c.fn.Result.Base == types.VoidBase:
		c.errorf(s.X.Span(), msgReturnValue).Help = "the function is declared void"
	case s.X != nil:
		if _, ok := types.Promote(o.t, c.fn.Result); !ok {
			c.errorf(s.X.Span(), msgReturnType, c.fn.Name, c.fn.Result, o.t)
		}
	}
}
