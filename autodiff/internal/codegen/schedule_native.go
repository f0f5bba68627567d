// Scheduling for machine code: the order in which a program's nodes run as blocks of
// arithmetic with calls between them.

package codegen

import (
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
)

// An isoClass says how a program with machine code carries a node out.
type isoClass uint8

const (
	classCall  isoClass = iota // an instruction of the interpreter: a kernel, a function, a gather
	classFree                  // no code: the node's numbers are where others are
	classBlock                 // arithmetic in a block
)

// ShortVector is the greatest length of a vector whose arithmetic is unrolled; from
// some hundred elements on the loops of package vec are as fast.
const ShortVector = 128

// longSum is the greatest number of scalars that are added within a block. Where they are
// more, many of them would wait for the last.
const longSum = 32

// manyCopies is the greatest number of elements that a gather or an accumulation within a
// block has.
const manyCopies = 4096

// classify finds the class of every live node, and which gathers need not be made since
// sums alone use them.
func (c *Compiler) classify() {
	c.class = make([]isoClass, c.g.Size())
	for x := range graph.Node(c.g.Size()) {
		if c.live[x] {
			c.class[x] = c.classOf(graph.Node(x))
		}
	}
	for x := range graph.Node(c.g.Size()) {
		if c.live[x] && c.at(x).Kind == graph.KindGather && c.onlySummed(graph.Node(x)) {
			c.class[x] = classFree
		}
	}
}

func (c *Compiler) classOf(x graph.Node) isoClass {
	n := c.at(x)
	if _, ok := c.alias[x]; ok {
		return classFree
	}
	switch n.Kind {
	case graph.KindConst, graph.KindInput, graph.KindRuntimeConst, graph.KindView:
		return classFree
	case graph.KindSum, graph.KindDot:
		if c.summable(n) {
			return classBlock
		}
	case graph.KindGather, graph.KindAccumulate:
		if n.N > 1 && c.copyable(n) {
			return classBlock
		}
	case graph.KindMap:
		if _, ok := BlockOp(n.Op); ok && n.N >= 1 && n.N <= ShortVector && c.conform(n) {
			return classBlock
		}
	}
	return classCall
}

// conform reports whether the inputs of a Map lie in the arena and have its length or are
// scalars.
func (c *Compiler) conform(n *graph.NodeDef) bool {
	for _, y := range n.In() {
		v := c.at(y)
		if v.N != n.N && v.N != 1 || v.Kind == graph.KindConst && isOutside(v) {
			return false
		}
	}
	return true
}

// copyable reports whether a gather or accumulation is short enough for a block, takes
// nothing from outside of the arena, and has no segments, which the interpreter adds up
// in the order of vec.Sum.
func (c *Compiler) copyable(n *graph.NodeDef) bool {
	for _, p := range c.parts(n) {
		if p.Places != nil {
			return false
		}
	}
	size := len(n.Refs)
	for k := range n.Parts {
		p := &n.Parts[k]
		size += max(len(p.At), c.at(n.In()[p.Src]).Len())
	}
	for _, y := range n.In() {
		if v := c.at(y); v.Kind == graph.KindConst && isOutside(v) {
			return false
		}
	}
	return size <= manyCopies
}

// summable reports whether a sum or dot product is short enough for a block, and within the
// arena.
func (c *Compiler) summable(n *graph.NodeDef) bool {
	for _, y := range n.In() {
		in := c.at(y)
		if in.Kind == graph.KindConst && isOutside(in) {
			return false
		}
		if in.N > ShortVector && (in.N > longSum || !c.ofScalars(in)) {
			return false
		}
	}
	return true
}

// ofScalars reports whether a node is a gather of numbers that were computed one by one.
func (c *Compiler) ofScalars(n *graph.NodeDef) bool {
	if n.Kind != graph.KindGather {
		return false
	}
	for _, y := range n.In() {
		if v := c.at(y); v.N != 1 || v.Kind != graph.KindMap {
			return false
		}
	}
	return true
}

// onlySummed reports whether a gather is used by nothing but sums within blocks.
func (c *Compiler) onlySummed(x graph.Node) bool {
	if c.root[x] {
		return false
	}
	for _, y := range c.at(x).In() {
		if v := c.at(y); v.Kind == graph.KindConst && isOutside(v) || v.Kind == graph.KindGather {
			return false
		}
	}
	for _, u := range c.users.of(x) {
		k := c.at(u).Kind
		if c.class[u] != classBlock || k != graph.KindSum && k != graph.KindDot {
			return false
		}
	}
	return true
}

// scheduleNative orders the live nodes. What arithmetic can be done is done, depth
// first, so that a number is used soon after it was computed. When nothing is left but
// calls, those of the kind that the longest chain of calls waits for run next, all that
// are ready: calls that nothing waits for gather until they are many. A run is a single
// call, calls of the same operation on scalars, or nodes without calls.
func (c *Compiler) scheduleNative() []run {
	var waiting []int32
	var order []graph.Node
	c.users, waiting, order = c.dependencies()
	c.classify()
	s := &nativeScheduler{scheduler: scheduler{c: c, height: c.callHeights(order), buckets: map[*graph.Op]*bucket{}}}
	for x := c.g.Size() - 1; x >= 0; x-- {
		if c.live[x] && waiting[x] == 0 {
			s.arrive(graph.Node(x))
		}
	}
	var out []run
	for {
		next := s.next()
		if next == nil {
			return out
		}
		out = append(out, next)
		if c.class[next[0]] == classCall {
			for _, x := range next {
				s.release(x, waiting)
			}
			continue
		}
		for i := 0; i < len(next); i++ {
			s.release(next[i], waiting)
			next = append(next, s.arithmetic()...)
		}
		out[len(out)-1] = next
	}
}

// callHeights is the greatest number of calls on a path from each node to an end.
func (c *Compiler) callHeights(order []graph.Node) []int32 {
	h := make([]int32, c.g.Size())
	for _, x := range slices.Backward(order) {
		for _, u := range c.users.of(x) {
			k := h[u]
			if c.class[u] == classCall {
				k++
			}
			h[x] = max(h[x], k)
		}
	}
	return h
}

type nativeScheduler struct {
	scheduler
	stack []graph.Node // ready nodes without calls
}

func (s *nativeScheduler) arrive(x graph.Node) {
	if s.c.class[x] == classCall {
		s.ready(x)
		return
	}
	s.stack = append(s.stack, x)
}

// release makes the users of a node that has been scheduled ready.
func (s *nativeScheduler) release(x graph.Node, waiting []int32) {
	for _, u := range slices.Backward(s.c.users.of(x)) {
		if waiting[u]--; waiting[u] == 0 {
			s.arrive(u)
		}
	}
}

// arithmetic removes the node without a call that became ready last.
func (s *nativeScheduler) arithmetic() run {
	k := len(s.stack) - 1
	if k < 0 {
		return nil
	}
	x := s.stack[k]
	s.stack = s.stack[:k]
	return run{x}
}

// next starts a run; nil when nothing is left.
func (s *nativeScheduler) next() run {
	if r := s.arithmetic(); r != nil {
		return r
	}
	best := s.urgent()
	if s.head < len(s.single) {
		x := s.single[s.head]
		if best == nil || s.height[x] >= s.height[best.nodes[0]] {
			s.head++
			return run{x}
		}
	}
	if best == nil {
		return nil
	}
	r := run(best.nodes)
	best.nodes = nil
	slices.Sort(r)
	return r
}
