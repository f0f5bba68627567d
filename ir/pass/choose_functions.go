// Choose: conditions on values in functions that the density calls, which become functions of their own.

package pass

import (
	"slices"

	"github.com/seed-12b88e03/ppl/ir"
)

// functions makes those that the density calls with conditions on values anew, without these conditions, behind the program's.
func (c *chooser) functions(p *ir.Program) (all []*ir.Function) {
	k := &callees{chooser: c, times: map[*ir.Function]int{}}
	k.follow(1, p.TransformedParameters.Body, p.Model)
	all, c.made = slices.Clip(p.Functions), map[*ir.Function]*ir.Function{}
	for _, fn := range k.order {
		if one := c.without(fn, k.times[fn]); one != nil {
			one.Index = len(all)
			all = append(all, one)
			c.made[fn] = one
		}
	}
	return all
}

// callees are the functions that statements call.
type callees struct {
	*chooser
	times map[*ir.Function]int // how often each runs in one evaluation, up to more than mostPaths
	order []*ir.Function       // those that are called before those that call them
	seen  map[*ir.Function]int // times of the calls that were followed in this round
}

// follow notes of statements that run this many times what they call, which variables depend on more than data, those of functions
// included, and which change from one iteration of a loop to the next.
func (k *callees) follow(times int, lists ...[]ir.Stmt) {
	for known := -1; known < len(k.drawn)+len(k.moving); {
		known, k.seen = len(k.drawn)+len(k.moving), map[*ir.Function]int{}
		for _, list := range lists {
			k.mark(list)
			k.visit(list, surroundings{times: times, declared: map[*ir.Var]bool{}})
		}
	}
}

// Surroundings are what a statement stands in.
type surroundings struct {
	times    int              // that the statement runs
	declared map[*ir.Var]bool // variables that are declared in the innermost loop, or function
	moved    bool             // whether the statement runs depends on the iteration
}

func (k *callees) visit(list []ir.Stmt, in surroundings) {
	for _, s := range list {
		head := ir.WithBodies(s, func([]ir.Stmt) []ir.Stmt { return nil })
		ir.Inspect([]ir.Stmt{head}, func(n any) bool {
			if call, ok := n.(*ir.UserCall); ok {
				k.call(call, in.times)
			}
			return true
		})
		within := in
		loop := func(v *ir.Var, times int) {
			within.times, within.declared = min(times, mostPaths+1), map[*ir.Var]bool{}
			if v != nil && within.times > mostPaths {
				k.moving[v] = true
			}
		}
		switch s := s.(type) {
		case *ir.Declare:
			in.declared[s.Var] = true
			if in.times > mostPaths && (s.Init != nil && k.moves(s.Init)) {
				k.moving[s.Var] = true
			}
		case *ir.Assign:
			if in.times > mostPaths && (in.moved || !in.declared[s.To.Var] || k.moves(s.X)) {
				k.moving[s.To.Var] = true
			}
		case *ir.Unpack:
			ir.Places(s.To, func(p *ir.Place) {
				if in.times > mostPaths {
					k.moving[p.Var] = true
				}
			})
		case *ir.If:
			within.moved = in.moved || k.moves(s.Test)
		case *ir.For:
			loop(s.Var, in.times*k.iterations(s))
		case *ir.ForEach:
			loop(s.Var, mostPaths+1)
		case *ir.While:
			loop(nil, mostPaths+1)
		}
		ir.WithBodies(s, func(list []ir.Stmt) []ir.Stmt { k.visit(list, within); return list })
	}
}

func (k *callees) call(call *ir.UserCall, times int) {
	fn := call.Fn
	for i, v := range fn.Params {
		if k.varies(call.Args[i]) {
			k.drawn[v] = true
		}
		if times > mostPaths && k.moves(call.Args[i]) {
			k.moving[v] = true
		}
	}
	k.times[fn] = max(k.times[fn], times)
	if k.seen[fn] >= times {
		return
	}
	k.seen[fn] = times
	k.mark(fn.Body)
	k.visit(fn.Body, surroundings{times: times, declared: map[*ir.Var]bool{}})
	if !slices.Contains(k.order, fn) {
		k.order = append(k.order, fn)
	}
}

// without is a function without conditions on values in what runs many times; nil where it has none there, or it is not known how.
func (c *chooser) without(fn *ir.Function, times int) *ir.Function {
	if fn.Random || fn.Target || !c.forks(fn, map[*ir.Function]bool{}) {
		return nil
	}
	own := &chooser{frame: frame{lib: c.lib, slots: fn.Slots, value: c.value}, drawn: c.drawn, moving: c.moving, density: true, made: c.made}
	out := *fn
	if times <= mostPaths {
		out.Body = own.loops(fn.Body, 1)
	} else {
		body, ok := own.oneReturn(fn)
		if !ok {
			return nil
		}
		out.Body = own.body(own.replaced(body))
		if slices.ContainsFunc(out.Body, own.branching) {
			return nil
		}
	}
	if !own.changed {
		return nil
	}
	out.Slots = own.slots
	return &out
}

// oneReturn is the body of a function with its one return at its end.
func (c *chooser) oneReturn(fn *ir.Function) ([]ir.Stmt, bool) {
	list := flat(fn.Body)
	if n := len(list) - 1; n >= 0 && !found[*ir.Return](list[:n]...) {
		return list, true
	}
	if !number(fn.Result) {
		return nil, false
	}
	m := maker{c.lib, fn.Loc}
	v := c.newVar("result", fn.Result, fn.Loc, nil)
	c.drawn[v], c.moving[v] = true, true
	body, ok := returning(list, func(x ir.Expr) ir.Stmt {
		return &ir.Assign{At: ir.At{Loc: x.Span()}, To: ir.Place{Loc: x.Span(), Var: v, T: v.Type}, X: x}
	})
	at := ir.At{Loc: fn.Loc}
	return slices.Concat([]ir.Stmt{&ir.Declare{At: at, Var: v}}, body, []ir.Stmt{&ir.Return{At: at, X: m.ref(v)}}), ok
}

// replaced are statements that call the functions without conditions.
func (c *chooser) replaced(list []ir.Stmt) []ir.Stmt {
	if len(c.made) == 0 {
		return list
	}
	var r *rewriter
	r = &rewriter{expr: func(x ir.Expr) ir.Expr {
		call, ok := x.(*ir.UserCall)
		if !ok || c.made[call.Fn] == nil {
			return nil
		}
		c.changed = true
		y := *call
		y.Fn, y.Args = c.made[call.Fn], r.xs(call.Args)
		return &y
	}}
	return r.stmts(list)
}
