// Calls: calls of users' functions for their effects become the statements of these functions.
//
//	prior_lp(a, s);                           a ~ normal(0, s); s ~ exponential(1);
//
// What follows sees then what is a loop over data, whichever way a program is divided into functions. Calls that return a
// value are inlined where a loop becomes a vector by that (inline.go).

package pass

import (
	"slices"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// maxWritten is how many calls of a program are written out: functions that call several others each are many calls.
const maxWritten = 1000

// writeCalls is the pass.
func writeCalls(p *ir.Program, lib *stdlib.Library, o Options) *ir.Program {
	w := &writer{frame: &frame{lib: lib, slots: p.Slots, value: o.Value}}
	out := *p
	out.TransformedParameters.Body = w.stmts(p.TransformedParameters.Body)
	out.Model = w.stmts(p.Model)
	out.GeneratedQuantities.Body = w.stmts(p.GeneratedQuantities.Body)
	if !w.changed {
		return p
	}
	out.Slots = w.slots
	return &out
}

// A writer writes out calls of functions that return nothing.
type writer struct {
	*frame
	open    []*ir.Function // functions whose bodies are being written, outermost first
	written int            // calls
}

func (w *writer) stmts(list []ir.Stmt) []ir.Stmt { return ir.Map(list, w.stmt) }

func (w *writer) stmt(s ir.Stmt) []ir.Stmt {
	if call, ok := s.(*ir.Eval); ok {
		if c, ok := call.X.(*ir.UserCall); ok {
			if body := w.body(c); body != nil {
				w.changed = true
				return []ir.Stmt{&ir.Block{At: call.At, Body: body}}
			}
		}
	}
	return []ir.Stmt{ir.WithBodies(s, w.stmts)}
}

// body returns the statements that a call stands for; nil where the call stays: of a function that calls itself, that has no
// loop, whose arguments cannot be held in variables, or that returns from within a loop.
func (w *writer) body(c *ir.UserCall) []ir.Stmt {
	if !c.Fn.Result.Equal(types.Void) || slices.Contains(w.open, c.Fn) || len(w.open) >= maxInline || w.written >= maxWritten || !w.loops(c.Fn, map[*ir.Function]bool{}) {
		return nil
	}
	var out []ir.Stmt
	w.try(func() bool {
		copied := &instance{frame: w.frame, vars: map[*ir.Var]*ir.Var{}, by: map[*ir.Var]ir.Expr{}}
		for i, p := range c.Fn.Params {
			if !copied.bind(p, c.Args[i], nil) {
				return false
			}
		}
		body, ok := copied.stmts(c.Fn.Body)
		if ok && found[*ir.Return](body...) {
			body, ok = returning(body, nil)
		}
		if !ok {
			return false
		}
		out = append(copied.out, body...)
		w.written++
		return true
	})
	w.open = append(w.open, c.Fn)
	defer func() { w.open = w.open[:len(w.open)-1] }()
	return w.stmts(out)
}

// loops reports whether a function has loops, or calls one that has; of a function that was seen before it is false.
func (w *writer) loops(fn *ir.Function, seen map[*ir.Function]bool) bool {
	if seen[fn] {
		return false
	}
	seen[fn] = true
	return anyLoop(fn.Body) || ir.Any(fn.Body, func(n any) bool {
		c, ok := n.(*ir.UserCall)
		return ok && w.loops(c.Fn, seen)
	})
}
