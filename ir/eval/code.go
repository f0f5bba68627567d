// Statements as closures over the slots of the reference interpreter, for what is computed without
// recording: the same operations in the same order, with what can be decided once decided beforehand.

package eval

import (
	"math"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// Code is the transformed data, transformed parameters and generated quantities of a program as
// closures. Machines of several goroutines may share it.
type Code struct{ blocks map[*ir.Stmt][]stepCode }

// A stepCode is a statement, a numberCode an expression of one real number or integer, and a valueCode
// any expression; they run in a frame.
type (
	stepCode   func(f *frame) flow
	numberCode func(f *frame) float64
	valueCode  func(f *frame) *Value
)

// A coder compiles the statements of one program. Functions are compiled once, as they may be
// recursive.
type coder struct {
	functions map[*ir.Function]*[]stepCode
}

// Compile makes the code of a program.
func Compile(p *ir.Program) *Code {
	c := &coder{functions: map[*ir.Function]*[]stepCode{}}
	code := &Code{blocks: map[*ir.Stmt][]stepCode{}}
	for _, body := range [][]ir.Stmt{p.TransformedData.Body, p.TransformedParameters.Body, p.GeneratedQuantities.Body} {
		if len(body) > 0 {
			code.blocks[&body[0]] = c.steps(body)
		}
	}
	return code
}

// compiled returns the closures of a block; nil where it must be interpreted: what is recorded, simulated
// or summed over watches every step.
func (m *Machine) compiled(body []ir.Stmt) []stepCode {
	if m.Code == nil || len(body) == 0 || m.Rec != nil || m.sim != nil || m.disc != nil || m.Kept != nil || m.Defer || m.global.drop.on {
		return nil
	}
	return m.Code.blocks[&body[0]]
}

// run executes steps.
func (f *frame) run(body []stepCode) flow {
	for _, s := range body {
		if fl := s(f); fl != next {
			return fl
		}
	}
	return next
}

func (c *coder) steps(body []ir.Stmt) []stepCode {
	out := make([]stepCode, len(body))
	for i, s := range body {
		out[i] = c.step(s)
	}
	return out
}

// step compiles a statement; one that is rare in rows is left to the interpreter.
func (c *coder) step(s ir.Stmt) stepCode {
	switch s := s.(type) {
	case *ir.Declare:
		return c.declare(s)
	case *ir.Assign:
		return c.assign(s)
	case *ir.Unpack:
		x := c.container(s.X)
		return func(f *frame) flow { f.unpack(s.To, x(f)); return next }
	case *ir.Eval:
		x := c.container(s.X)
		return func(f *frame) flow { x(f); return next }
	case *ir.Block:
		if s.Profile == "" {
			body := c.steps(s.Body)
			return func(f *frame) flow { return f.run(body) }
		}
	case *ir.If:
		return c.conditional(s)
	case *ir.For:
		return c.loop(s)
	case *ir.ForEach:
		return c.each(s)
	case *ir.While:
		return c.while(s)
	case *ir.Jump:
		end := continuing
		if s.Break {
			end = breaking
		}
		return func(*frame) flow { return end }
	case *ir.Return:
		if s.X == nil {
			return func(*frame) flow { return returning }
		}
		x := c.container(s.X)
		return func(f *frame) flow { f.value = x(f); return returning }
	}
	return func(f *frame) flow { return f.stmt(s) }
}

// setNumber returns a variable of one number its value, in place where nobody else has the old one.
func (f *frame) setNumber(at int, t *types.Type, x float64) {
	s := &f.vars[at]
	if s.owned && s.v != nil && s.alt == nil && s.v.T.Base == t.Base && s.v.T.Dims == 0 && s.v.later == nil {
		s.v.X[0] = x
		return
	}
	*s = slot{v: newNumber(*t, x), owned: true}
}

func (c *coder) declare(s *ir.Declare) stepCode {
	t, at := s.Var.Decl.Type, s.Var.Slot
	switch {
	case s.Init == nil && !isNumber(t):
		return func(f *frame) flow { f.declare(s); return next }
	case s.Init == nil:
		undefined := math.NaN()
		if t.Base == types.IntBase {
			undefined = math.MinInt32
		}
		return func(f *frame) flow { f.setNumber(at, &t, undefined); return next }
	case isNumber(t) && isNumber(s.Init.Type()):
		x := c.number(s.Init)
		return func(f *frame) flow { f.setNumber(at, &t, x(f)); return next }
	}
	x := c.container(s.Init)
	return func(f *frame) flow {
		f.declareAs(s, func() *Value { return x(f) })
		return next
	}
}

func (c *coder) assign(s *ir.Assign) stepCode {
	to, at := &s.To, s.To.Var.Slot
	if !isNumber(to.T) || !isNumber(s.X.Type()) {
		x := c.container(s.X)
		return func(f *frame) flow { f.assign(to, x(f)); return next }
	}
	x := c.number(s.X)
	if len(to.Path) == 0 {
		return func(f *frame) flow { f.setNumber(at, &to.T, x(f)); return next }
	}
	var e *elementCode
	if len(to.Path) == 1 && to.Path[0].Indices != nil {
		e = c.element(to.Var.Type, []indexed{{to.Loc, to.Path[0].Indices}})
	}
	if e == nil {
		return func(f *frame) flow { f.assign(to, newNumber(s.X.Type(), x(f))); return next }
	}
	return func(f *frame) flow {
		n := x(f)
		s := &f.vars[at]
		if !s.owned {
			*s = slot{v: s.v.clone(), owned: true}
		}
		v := s.v
		v.X[e.offset(f, v)] = n
		return next
	}
}

func (c *coder) conditional(s *ir.If) stepCode {
	test, then, other := c.test(s.Test), c.steps(s.Then), c.steps(s.Else)
	return func(f *frame) flow {
		if test(f) {
			return f.run(then)
		}
		return f.run(other)
	}
}

func (c *coder) loop(s *ir.For) stepCode {
	from, to, body, at, integer := c.number(s.Lo), c.number(s.Hi), c.steps(s.Body), s.Var.Slot, types.Int
	return func(f *frame) flow {
		lo := int(from(f))
		hi := int(to(f))
		for i := lo; i <= hi; i++ {
			f.m.countIteration()
			f.setNumber(at, &integer, float64(i))
			if fl := f.run(body); fl.leaves() {
				return fl.after()
			}
		}
		return next
	}
}

func (c *coder) each(s *ir.ForEach) stepCode {
	x, body, at := c.container(s.X), c.steps(s.Body), s.Var.Slot
	return func(f *frame) flow {
		v := x(f)
		for i := range v.length() {
			f.vars[at] = slot{v: v.element(i)}
			if fl := f.run(body); fl.leaves() {
				return fl.after()
			}
		}
		return next
	}
}

func (c *coder) while(s *ir.While) stepCode {
	test, body := c.test(s.Test), c.steps(s.Body)
	return func(f *frame) flow {
		for test(f) {
			f.m.countIteration()
			if fl := f.run(body); fl.leaves() {
				return fl.after()
			}
		}
		return next
	}
}
