// Calls of users' functions with equal arguments, which a recording makes once: what a loop calls in every iteration without
// its variable, or a program writes out twice.

package eval

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/stdlib"
)

const (
	// mostRemembered bounds the calls of a function that are looked through at each call.
	mostRemembered = 8
	// mostCompared bounds the numbers of an argument that are compared one by one.
	mostCompared = 4096
)

// A memo is the last calls of each function in a recording.
type memo struct {
	rec    Recorder
	pure   map[*ir.Function]bool
	calls  map[*ir.Function][]remembered
	steady map[*ir.For][]unchanging
}

// A remembered call has its arguments and its result, which are nodes of the iteration that was traced then, if one was.
type remembered struct {
	tracer *loopTracer
	args   []*Value
	out    *Value
}

// remembers reports whether equal calls of a function are made once: where something is recorded, and the function has no effect and
// no randomness.
func (m *Machine) remembers(fn *ir.Function, drop dropping) bool {
	return m.Rec != nil && m.disc == nil && m.sim == nil && !drop.on && m.memo.isPure(fn)
}

// isPure reports whether what a function returns depends on its arguments alone, and nothing else comes of it.
func (c *memo) isPure(fn *ir.Function) bool {
	if known, ok := c.pure[fn]; ok {
		return known
	}
	if c.pure == nil {
		c.pure = map[*ir.Function]bool{}
	}
	c.pure[fn] = false // one that calls itself
	pure := !fn.Target && !fn.Random && !ir.Any(fn.Body, func(n any) bool {
		switch n := n.(type) {
		case *ir.Print:
			return n.Kind == ir.PrintOut
		case *ir.Target, *ir.TargetAdd, *ir.Sample:
			return true
		case *ir.UserCall:
			return !c.isPure(n.Fn)
		case *ir.FuncRef:
			return !c.isPure(n.Fn)
		}
		return false
	})
	c.pure[fn] = pure
	return pure
}

// once is call, or the result of an equal one that the recording has made.
func (m *Machine) once(fn *ir.Function, args []*Value, call func() *Value) *Value {
	c := &m.memo
	if c.rec != m.Rec || c.calls == nil {
		c.rec, c.calls = m.Rec, map[*ir.Function][]remembered{}
	}
	for _, k := range c.calls[fn] {
		if (k.tracer == nil || k.tracer == m.tracer) && slices.EqualFunc(k.args, args, equalValues) {
			return k.out
		}
	}
	tracer := m.tracer
	out := call()
	list := c.calls[fn]
	if len(list) == mostRemembered {
		list = list[1:]
	}
	c.calls[fn] = append(list[:len(list):len(list)], remembered{tracer, args, out})
	return out
}

// equalValues reports whether values are seen to be the same.
func equalValues(a, b *Value) bool {
	if a == b {
		return true
	}
	if a.Fields != nil || b.Fields != nil || a.Elems != nil || b.Elems != nil || a.later != nil || b.later != nil ||
		a.Fn != b.Fn || a.T.Base != b.T.Base || !slices.Equal(a.Dims, b.Dims) || a.Node != b.Node || len(a.Refs) != len(b.Refs) {
		return false
	}
	switch n := len(a.X); {
	case n == 0 || &a.X[0] == &b.X[0]:
	case n > mostCompared:
		return false
	case !slices.EqualFunc(a.X, b.X, sameBits):
		return false
	}
	return slices.Equal(a.Refs, b.Refs)
}

// sameBits reports whether numbers are the same, NaN and the sign of zero included.
func sameBits(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }

// An unchanging call is evaluated in every iteration of a loop with the same arguments, if the loops around it have iterations.
type unchanging struct {
	call   *ir.UserCall
	around []*ir.For
}

// callSteady makes the calls that are the same in all iterations of a loop which may be traced, and has iterations. In the traced iteration their own
// loops could not be.
func (f *frame) callSteady(s *ir.For) {
	m := f.m
	if m.Rec == nil || m.tracer != nil {
		return
	}
	list, known := m.memo.steady[s]
	if !known {
		list = (&steadiness{memo: &m.memo, changed: changedIn(s)}).stmts(s.Body, nil)
		if m.memo.steady == nil {
			m.memo.steady = map[*ir.For][]unchanging{}
		}
		m.memo.steady[s] = list
	}
	for _, u := range list {
		if m.remembers(u.call.Fn, f.called(u.call.Fn, u.call.Args, u.call.Unnormalized)) && !slices.ContainsFunc(u.around, func(s *ir.For) bool { return !f.repeats(s) }) {
			f.expr(u.call)
		}
	}
}

// repeats reports whether a loop is known to have iterations.
func (f *frame) repeats(s *ir.For) bool {
	lo, ok1 := f.plain(s.Lo)
	hi, ok2 := f.plain(s.Hi)
	return ok1 && ok2 && lo <= hi
}

// changedIn are the variables that a loop changes.
func changedIn(s *ir.For) map[*ir.Var]bool {
	out := map[*ir.Var]bool{s.Var: true}
	ir.Inspect(s.Body, func(n any) bool {
		switch n := n.(type) {
		case *ir.Declare:
			out[n.Var] = true
		case *ir.For:
			out[n.Var] = true
		case *ir.ForEach:
			out[n.Var] = true
		}
		return true
	})
	ir.Assignments(s.Body, func(to *ir.Place, _ ir.Expr) { out[to.Var] = true })
	return out
}

// A steadiness looks for unchanging calls.
type steadiness struct {
	memo    *memo
	changed map[*ir.Var]bool
	ends    bool // an iteration may have ended
}

// stmts lists the unchanging calls of statements that every iteration reaches.
func (c *steadiness) stmts(list []ir.Stmt, around []*ir.For) (out []unchanging) {
	exprs := func(xs ...ir.Expr) {
		for _, x := range xs {
			for _, call := range c.calls(x) {
				out = append(out, unchanging{call, around})
			}
		}
	}
	for _, s := range list {
		if c.ends {
			break
		}
		switch s := s.(type) {
		case *ir.Declare:
			exprs(s.Init)
		case *ir.Assign:
			exprs(s.X)
		case *ir.TargetAdd:
			exprs(s.X)
		case *ir.Sample:
			exprs(s.Density)
		case *ir.Block:
			out = append(out, c.stmts(s.Body, around)...)
		case *ir.If:
			exprs(s.Test)
		case *ir.For:
			if !ir.ReadsAny(s.Lo, c.varies) && !ir.ReadsAny(s.Hi, c.varies) {
				out = append(out, c.stmts(s.Body, append(slices.Clone(around), s))...)
			}
		}
		c.ends = c.ends || ir.Any([]ir.Stmt{s}, func(n any) bool {
			switch n := n.(type) {
			case *ir.Jump, *ir.Return:
				return true
			case *ir.Print:
				return n.Kind != ir.PrintOut
			}
			return false
		})
	}
	return out
}

func (c *steadiness) varies(v *ir.Var) bool { return c.changed[v] }

// is reports whether an expression is the same in all iterations, and has no effects.
func (c *steadiness) is(x ir.Expr) bool {
	return !ir.ReadsAny(x, c.varies) && !ir.AnyIn(x, func(n any) bool {
		switch n := n.(type) {
		case *ir.UserCall:
			return !c.memo.isPure(n.Fn)
		case *ir.FuncRef:
			return !c.memo.isPure(n.Fn)
		case *ir.Target:
			return true
		case *ir.Call:
			fn, ok := n.Fn.(*stdlib.Function)
			return !ok || fn.Draw != nil || fn.Jacobian != nil
		}
		return false
	})
}

// calls lists the unchanging calls that an expression is certain to evaluate.
func (c *steadiness) calls(x ir.Expr) (out []*ir.UserCall) {
	ir.InspectExpr(x, func(n any) bool {
		switch n := n.(type) {
		case *ir.UserCall:
			if c.is(n) {
				out = append(out, n)
				return false
			}
		case *ir.Cond:
			out = append(out, c.calls(n.Test)...)
			return false
		case *ir.Logic:
			out = append(out, c.calls(n.L)...)
			return false
		}
		return true
	})
	return out
}
