// This file recycles the points and vectors of trajectories.

package nuts

import (
	"slices"

	"github.com/seed-12b88e03/ppl/infer/hmc"
)

// node is a point of a trajectory; refs counts the trees that hold it.
type node struct {
	hmc.Point
	refs int
}

// pool hands out nodes and vectors. What a transition has not given back by
// its end is taken back by reset, so an abandoned tree needs no care.
type pool struct {
	dim   int
	nodes stack[*node]
	sums  stack[[]float64]
}

// stack holds everything ever made; the first free of them are free.
type stack[T any] struct {
	all  []T // every item made
	free []T // those not in use
}

func (s *stack[T]) reset() { s.free = append(s.free[:0], s.all...) }

func (s *stack[T]) take(create func() T) T {
	if n := len(s.free); n > 0 {
		x := s.free[n-1]
		s.free = s.free[:n-1]
		return x
	}
	x := create()
	s.all = append(s.all, x)
	s.free = slices.Grow(s.free, len(s.all)+1) // it is empty, and may hold all of them
	return x
}

func newPool(dim int) *pool { return &pool{dim: dim} }

func (p *pool) reset() {
	p.nodes.reset()
	p.sums.reset()
}

// node returns a node that nobody holds yet.
func (p *pool) node() *node {
	n := p.nodes.take(func() *node { return &node{Point: hmc.NewPoint(p.dim)} })
	n.refs = 0
	return n
}

// release returns back one reference. The node is written to the stack whether it is free or
// not, and stays there by the count alone: whether it does cannot be foreseen.
func (p *pool) release(n *node) {
	n.refs--
	free := len(p.nodes.free)
	room := p.nodes.free[:free+1]
	room[free] = n
	if n.refs == 0 {
		free++
	}
	p.nodes.free = room[:free]
}

func (p *pool) sum() []float64 {
	return p.sums.take(func() []float64 { return make([]float64, p.dim) })
}

func (p *pool) releaseSum(v []float64) { p.sums.free = append(p.sums.free, v) }
