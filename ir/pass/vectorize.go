// Vectorize: loops over observations as vector operations.
//
// A loop is taken apart into its statements (loop fission). Statements that depend on
// each other from iteration to iteration share a loop that stays; each of the others is written
// for all iterations at once:
//
//	for (n in 1:N) {
//	  real eta = a[g[n]] + b * x[n];           eta[1:N] = a[g[1:N]] + b * x[1:N]
//	  y[n] ~ normal(eta, sigma);               y[1:N] ~ normal(eta, sigma)
//	  h[n + 1] = phi * h[n] + eta;             for (n in 1:N) h[n + 1] = phi * h[n] + eta[n]
//	}
//
// A scalar that an iteration declares becomes an array with an element an iteration. Elements at
// loop variable + constant become slices, others gathers by arrays of positions.
// A loop that adds to the diagonal of a matrix is one call (diagonal.go). Conditions on data
// choose the iterations that a statement is written for. Loops around
// nothing but a loop whose iterations are independent, too, become one, and so do loops inside whose bounds differ from
// iteration to iteration (ragged.go); other inner loops with the same bounds in all iterations become the outer ones.
// What is inside loops that stay is treated in the same way.
//
// A statement that would read outside of a container or of a domain does so either way,
// so that what is rejected stays rejected; whoever runs the result must not rely on which
// statement is at fault, though, nor on the order of terms.

package pass

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// vectorize is the pass.
func vectorize(p *ir.Program, lib *stdlib.Library, o Options) *ir.Program {
	f := &frame{lib: lib, slots: p.Slots, value: o.Value}
	out := *p
	out.TransformedParameters.Body = f.stmts(p.TransformedParameters.Body)
	out.Model = f.stmts(f.summed(p.Model))
	out.GeneratedQuantities.Body = f.stmts(p.GeneratedQuantities.Body)
	if !f.changed {
		return p
	}
	out.Slots = f.slots
	return &out
}

// summed is accumulated of statements that may be left as they are.
func (f *frame) summed(list []ir.Stmt) []ir.Stmt {
	before := f.sums
	out := f.accumulated(list)
	if f.sums == before {
		return list
	}
	f.changed = true
	return out
}

// A frame is the variables that statements at work have.
type frame struct {
	lib     *stdlib.Library
	value   func(ir.Expr) (int, bool) // of an int expression; may be nil
	slots   int
	changed bool // a loop was
	sums    int  // that were added to the target
	within  int  // how many loops that stay are around the current statement
}

// minIterations is how many iterations of a loop are too few to be vectors where there are very
// many of them: single numbers share common subexpressions, short vectors do not.
const minIterations = 16

// few reports whether a loop is known to have few iterations.
func (f *frame) few(s *ir.For) bool {
	n, ok := f.known(s)
	return ok && n < minIterations
}

// known returns how many iterations a loop has, where that follows from data.
func (f *frame) known(s *ir.For) (int, bool) {
	if f.value == nil || !ofData(s.Lo) || !ofData(s.Hi) {
		return 0, false
	}
	lo, ok1 := f.value(s.Lo)
	hi, ok2 := f.value(s.Hi)
	return hi - lo + 1, ok1 && ok2
}

// ofData reports that an expression is made of data alone.
func ofData(x ir.Expr) bool {
	return steady(x, func(v *ir.Var) bool { return !v.IsData() })
}

// newVar makes a local variable: an array of n numbers, or of a scalar type.
func (f *frame) newVar(name string, t types.Type, at source.Span, n ir.Expr) *ir.Var {
	v := &ir.Var{Loc: at, Name: name, Type: t, Slot: f.slots, Decl: &ir.Shape{Type: t}}
	if n != nil {
		v.Decl.Sizes = []ir.Expr{n}
	}
	f.slots++
	return v
}

// try runs body and gives back the variables that it made where it did not succeed.
func (f *frame) try(body func() bool) bool {
	slots := f.slots
	if body() {
		return true
	}
	f.slots = slots
	return false
}

func (f *frame) stmts(list []ir.Stmt) []ir.Stmt { return ir.Map(list, f.stmt) }

// stmt returns what a statement becomes.
func (f *frame) stmt(s ir.Stmt) []ir.Stmt {
	if out := f.inlined(s); out != nil {
		return out
	}
	switch s := s.(type) {
	case *ir.ForEach, *ir.While:
		return []ir.Stmt{ir.WithBodies(s, f.staying)}
	case *ir.For:
		return f.loop(s)
	}
	return []ir.Stmt{ir.WithBodies(s, f.stmts)}
}

// loop returns what a loop becomes.
func (f *frame) loop(s *ir.For) []ir.Stmt {
	if before, rest := f.cumulated(s); before != nil {
		f.changed = true
		return nonEmpty(maker{f.lib, s.Loc}, []*ir.For{s}, append(before, f.loop(rest)...))
	}
	if test, sum := f.diagonal(s); sum != nil {
		f.changed = true
		return []ir.Stmt{&ir.If{At: s.At, Test: test, Then: []ir.Stmt{sum}, Else: f.byElements(s)}}
	}
	return f.byElements(s)
}

// byElements returns what a loop over single elements becomes.
func (f *frame) byElements(s *ir.For) []ir.Stmt {
	for _, rewrite := range []func(*ir.For) []ir.Stmt{f.nest, f.fission} {
		if f.within > 0 && f.few(s) {
			break
		}
		if out := rewrite(s); out != nil {
			f.changed = true
			return out
		}
	}
	return []ir.Stmt{&ir.For{At: s.At, Var: s.Var, Lo: s.Lo, Hi: s.Hi, Body: f.staying(s.Body)}}
}

// staying rewrites the body of a loop that stays.
func (f *frame) staying(list []ir.Stmt) []ir.Stmt {
	f.within++
	defer func() { f.within-- }()
	return f.stmts(list)
}

// nest writes loops around nothing but loops, or around a body without loops that has vectors of its own, as one vector
// operation; nil where that cannot be done.
func (f *frame) nest(s *ir.For) []ir.Stmt {
	loops := []*ir.For{s}
	list := flat(s.Body)
	for len(list) == 1 {
		inner, ok := list[0].(*ir.For)
		if !ok {
			break
		}
		loops = append(loops, inner)
		list = flat(inner.Body)
	}
	b := newBody(loops, list)
	if len(loops) < 2 && (!declaresVector(list) || anyLoop(list)) || !b.separable() {
		return nil
	}
	if !b.dependences().inOrder() {
		return nil
	}
	least := minLanes
	if ofVectors(list) {
		least = minIterations
	}
	for _, least := range []int{least, math.MaxInt} {
		if out := f.written(loops, list, least); out != nil {
			return out
		}
	}
	return nil
}

// ofVectors reports whether an element of a container of vectors is an argument in statements, which all loops as lanes would gather
// for each of their iterations.
func ofVectors(list []ir.Stmt) bool {
	return ir.Any(list, func(n any) bool {
		c, ok := n.(*ir.Call)
		return ok && slices.ContainsFunc(c.Args, func(a ir.Expr) bool {
			i, ok := a.(*ir.Index)
			return ok && isVector(i.T)
		})
	})
}

// written writes the longest loop of a nest as lanes, if it has least iterations, and else all loops; nil where that cannot be done.
func (f *frame) written(loops []*ir.For, list []ir.Stmt, least int) (out []ir.Stmt) {
	lanes, staying := f.lanesOf(loops, least)
	f.try(func() bool {
		l := newLanes(f, newBody(lanes, list), nil)
		if !l.stmts(list) {
			return false
		}
		out = nonEmpty(l.maker, lanes, l.out)
		for _, s := range slices.Backward(staying) {
			out = []ir.Stmt{&ir.For{At: s.At, Var: s.Var, Lo: s.Lo, Hi: s.Hi, Body: out}}
		}
		return true
	})
	return out
}

const (
	// maxStaying is how many iterations loops may have together that stay around the longest one of a nest.
	maxStaying = 64
	// minLanes is how many iterations that one has, at least, where the body is of numbers: a vector operation in each iteration of the others is then
	// less than gathering, for all iterations of the nest, what is the same in many.
	minLanes = 256
)

// lanesOf returns the loops of a nest, in whose order its iterations may run, that become lanes: the longest where it has
// least iterations and the others are known to be short, and else all. The others stay.
func (f *frame) lanesOf(loops []*ir.For, least int) (lanes, staying []*ir.For) {
	longest, most, all := 0, 0, 1
	for i, s := range loops {
		n, ok := f.known(s)
		if !ok {
			return loops, nil
		}
		if all *= max(n, 1); n > most {
			longest, most = i, n
		}
	}
	if most < least || all/most > maxStaying {
		return loops, nil
	}
	return loops[longest : longest+1], slices.Concat(loops[:longest], loops[longest+1:])
}

// declaresVector reports whether statements declare a vector.
func declaresVector(list []ir.Stmt) bool {
	return slices.ContainsFunc(list, func(s ir.Stmt) bool {
		d, ok := s.(*ir.Declare)
		return ok && isVector(d.Var.Type)
	})
}

// nonEmpty guards statements by the condition that loops have iterations.
func nonEmpty(m maker, loops []*ir.For, list []ir.Stmt) []ir.Stmt {
	for _, s := range slices.Backward(loops) {
		lo, ok1 := s.Lo.(*ir.Const)
		hi, ok2 := s.Hi.(*ir.Const)
		if !ok1 || !ok2 || lo.X > hi.X {
			list = []ir.Stmt{&ir.If{At: s.At, Test: m.named("logical_lte", s.Lo, s.Hi), Then: list}}
		}
	}
	return list
}

// flat takes the blocks out of a list of statements.
func flat(list []ir.Stmt) []ir.Stmt {
	var out []ir.Stmt
	for _, s := range list {
		if b, ok := s.(*ir.Block); ok && b.Profile == "" {
			out = append(out, flat(b.Body)...)
			continue
		}
		out = append(out, s)
	}
	return out
}

// separable reports whether the iterations of the loops are known before they run and nothing
// but the variables' values makes them depend on each other.
func (b *body) separable() bool {
	for _, l := range b.loops {
		if !steady(l.Lo, b.variant) || !steady(l.Hi, b.variant) {
			return false
		}
	}
	return !ir.Any(b.stmts, func(n any) bool {
		switch n := n.(type) {
		case *ir.Jump, *ir.Return, *ir.Target:
			return true
		case *ir.UserCall:
			return n.Fn.Target
		case *ir.Call:
			_, known := n.Fn.(*stdlib.Function)
			return !known
		}
		return false
	})
}

// fission takes a loop apart; nil where nothing comes of it.
func (f *frame) fission(s *ir.For) []ir.Stmt {
	b := newBody([]*ir.For{s}, flat(s.Body))
	if !b.separable() {
		return nil
	}
	var out []ir.Stmt
	f.try(func() bool {
		out = newFission(f, b).run()
		return out != nil
	})
	return out
}
