// Scheduling: the order in which a program's nodes run, in runs of equal scalar
// operations.

package autodiff

import "slices"

// A run is a set of nodes that one instruction computes: a single node, or several
// scalar Map nodes with the same op that do not depend on each other.
type run []Node

// schedule orders the live nodes. Guards and what they need are not special: a
// program's values are pure, and its caller checks for failure after the run.
//
// Anything that is not a scalar operation runs as soon as it can; among scalar
// operations the kind with most ready nodes goes first, transcendental ones last,
// so that their runs grow (one per dependency depth).
func (c *compiler) schedule() []run {
	users := make([][]Node, len(c.g.nodes))
	waiting := make([]int, len(c.g.nodes))
	s := &scheduler{c: c, buckets: map[*Op][]Node{}}
	for x := range c.g.nodes {
		if !c.live[x] {
			continue
		}
		for _, in := range c.inputs(Node(x)) {
			users[in] = append(users[in], Node(x))
			waiting[x]++
		}
		if waiting[x] == 0 {
			s.ready(Node(x))
		}
	}
	var order []run
	for {
		next := s.take()
		if next == nil {
			return order
		}
		order = append(order, next)
		for _, x := range next {
			for _, u := range users[x] {
				if waiting[u]--; waiting[u] == 0 {
					s.ready(u)
				}
			}
		}
	}
}

type scheduler struct {
	c       *compiler
	single  []Node // ready and not groupable; a queue
	head    int
	ops     []*Op // keys of buckets in order of appearance, for determinism
	buckets map[*Op][]Node
}

func (s *scheduler) ready(x Node) {
	n := &s.c.g.nodes[x]
	if n.kind != kindMap || n.n != 1 {
		s.single = append(s.single, x)
		return
	}
	if _, ok := s.buckets[n.op]; !ok {
		s.ops = append(s.ops, n.op)
	}
	s.buckets[n.op] = append(s.buckets[n.op], x)
}

// take removes the next run; nil when nothing is left.
func (s *scheduler) take() run {
	if s.head < len(s.single) {
		s.head++
		return run{s.single[s.head-1]}
	}
	var best *Op
	for _, op := range s.ops {
		if n := len(s.buckets[op]); n > 0 && (best == nil || cheaper(op, n, best, len(s.buckets[best]))) {
			best = op
		}
	}
	if best == nil {
		return nil
	}
	r := run(s.buckets[best])
	s.buckets[best] = nil
	slices.Sort(r) // neighbours in the source become neighbours in memory
	return r
}

// cheaper says whether a run of n times op goes before one of m times other.
func cheaper(op *Op, n int, other *Op, m int) bool {
	if a, b := op.transcendental(), other.transcendental(); a != b {
		return b
	}
	return n > m
}

// transcendental says whether op costs much more than arithmetic.
func (op *Op) transcendental() bool { return op.code == codeNone || op.code >= codeExp }
