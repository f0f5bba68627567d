// Scheduling: the order in which a program's nodes run, in runs of equal scalar
// operations.

package codegen

import (
	"container/heap"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
)

// A run is a set of nodes that one instruction computes: a single node, or several
// scalar Map nodes with the same op that do not depend on each other.
type run []graph.Node

// schedule orders the live nodes.
//
// Anything that is not a scalar operation runs as soon as it can. Among scalar
// operations the one on the longest path to the end goes first, and takes along what
// is ready of the same operation: all of it where that is much, otherwise only what
// is nearly as urgent. What can wait, waits, and so comes in longer runs: the terms
// of a recurrence that lead nowhere but into a sum are computed together at the end.
func (c *Compiler) schedule() []run {
	users, waiting, order := c.dependencies()
	s := &scheduler{c: c, height: c.heights(users, order), buckets: map[*graph.Op]*bucket{}}
	for x := range graph.Node(c.g.Size()) {
		if c.live[x] && waiting[x] == 0 {
			s.ready(graph.Node(x))
		}
	}
	var out []run
	for {
		next := s.take()
		if next == nil {
			return out
		}
		out = append(out, next)
		for _, x := range next {
			for _, u := range users.of(x) {
				if waiting[u]--; waiting[u] == 0 {
					s.ready(u)
				}
			}
		}
	}
}

// adjacency lists the users of each node in one array.
type adjacency struct {
	start []int32
	list  []graph.Node
}

func (a *adjacency) of(x graph.Node) []graph.Node { return a.list[a.start[x]:a.start[x+1]] }

// dependencies returns the live users of each node, how many inputs each node waits
// for, and a topological order.
func (c *Compiler) dependencies() (users adjacency, waiting []int32, order []graph.Node) {
	n := c.g.Size()
	users.start = make([]int32, n+1)
	waiting = make([]int32, n)
	total := 0
	for x := range n {
		if !c.live[x] {
			continue
		}
		for _, in := range c.inputs(graph.Node(x)) {
			users.start[in+1]++
			waiting[x]++
			total++
		}
	}
	for x := range n {
		users.start[x+1] += users.start[x]
	}
	users.list = make([]graph.Node, total)
	fill := append([]int32(nil), users.start...)
	for x := range n {
		if !c.live[x] {
			continue
		}
		for _, in := range c.inputs(graph.Node(x)) {
			users.list[fill[in]] = graph.Node(x)
			fill[in]++
		}
	}
	left := append([]int32(nil), waiting...)
	for x := range n {
		if c.live[x] && left[x] == 0 {
			order = append(order, graph.Node(x))
		}
	}
	for i := 0; i < len(order); i++ {
		for _, u := range users.of(order[i]) {
			if left[u]--; left[u] == 0 {
				order = append(order, u)
			}
		}
	}
	return users, waiting, order
}

// heights is the length of the longest path from each node to an end.
func (c *Compiler) heights(users adjacency, order []graph.Node) []int32 {
	h := make([]int32, c.g.Size())
	for i := len(order) - 1; i >= 0; i-- {
		x := order[i]
		for _, u := range users.of(x) {
			h[x] = max(h[x], h[u]+1)
		}
	}
	return h
}

const (
	// bulk is the number of ready operations of a kind that run together whatever
	// their urgency.
	bulk = 24
	// window is by how much an operation of a shorter run may be less urgent than the
	// most urgent one.
	window = 3
)

// A bucket holds the ready operations of one kind, the most urgent on top.
type bucket struct {
	s     *scheduler
	nodes []graph.Node
}

func (b *bucket) Len() int { return len(b.nodes) }
func (b *bucket) Less(i, j int) bool {
	x, y := b.nodes[i], b.nodes[j]
	if b.s.height[x] != b.s.height[y] {
		return b.s.height[x] > b.s.height[y]
	}
	return x < y
}
func (b *bucket) Swap(i, j int) { b.nodes[i], b.nodes[j] = b.nodes[j], b.nodes[i] }
func (b *bucket) Push(x any)    { b.nodes = append(b.nodes, x.(graph.Node)) }
func (b *bucket) Pop() any {
	x := b.nodes[len(b.nodes)-1]
	b.nodes = b.nodes[:len(b.nodes)-1]
	return x
}

type scheduler struct {
	c       *Compiler
	height  []int32
	single  []graph.Node // ready and not groupable; a queue
	head    int
	ops     []*graph.Op // keys of buckets in order of appearance, for determinism
	buckets map[*graph.Op]*bucket
}

func (s *scheduler) ready(x graph.Node) {
	n := s.c.at(x)
	if n.Kind != graph.KindMap || n.N != 1 {
		s.single = append(s.single, x)
		return
	}
	b, ok := s.buckets[n.Op]
	if !ok {
		s.ops = append(s.ops, n.Op)
		b = &bucket{s: s}
		s.buckets[n.Op] = b
	}
	heap.Push(b, x)
}

// take removes the next run; nil when nothing is left.
func (s *scheduler) take() run {
	if s.head < len(s.single) {
		s.head++
		return run{s.single[s.head-1]}
	}
	best := s.urgent()
	if best == nil {
		return nil
	}
	var r run
	if len(best.nodes) >= bulk {
		r, best.nodes = best.nodes, nil
	} else {
		least := s.height[best.nodes[0]] - window
		for len(best.nodes) > 0 && s.height[best.nodes[0]] >= least {
			r = append(r, heap.Pop(best).(graph.Node))
		}
	}
	slices.Sort(r) // neighbours in the source become neighbours in memory
	return r
}

// urgent is the bucket with the most urgent operation; nil when all are empty.
func (s *scheduler) urgent() *bucket {
	var best *bucket
	for _, op := range s.ops {
		b := s.buckets[op]
		if len(b.nodes) > 0 && (best == nil || s.height[b.nodes[0]] > s.height[best.nodes[0]]) {
			best = b
		}
	}
	return best
}
