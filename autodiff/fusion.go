// Loop fusion: elementwise operations on long vectors, done for a tile of the vectors at a time.

package autodiff

import (
	"fmt"
	"sync"

	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

// tile is how many elements are done at a time. What an operation leaves for the next is
// then still in the processor's first cache, and room for it is used again. Longer tiles
// were not faster. It is part of what a program means: sums are added up by tiles.
const tile = 256

// stride is how far apart buffers are: neighbours in tiles of different buffers then are in
// different sets of the cache.
const stride = tile + 24

// A fusedLoop is the function of operations on vectors of one length, and sums over these.
// Its inputs are numbers that are used for all elements, then vectors. Its output has, one
// after the other, the results that are kept, and the sums.
type fusedLoop struct {
	n       int
	shared  int
	streams int
	ops     []bodyOp // in an order in which they can be done
	kept    []int32  // operations
	sums    []tileSum
	off     switches

	planned sync.Once
	plan    *tilePlan
}

// A tileSum is the sum of a vector, or of the products of two.
type tileSum struct {
	x, y argument
	dot  bool
}

// args are the vectors that are added up, or multiplied.
func (t *tileSum) args() []argument {
	if t.dot {
		return []argument{t.x, t.y}
	}
	return []argument{t.x}
}

// String names the function in dumps.
func (s *fusedLoop) String() string {
	return fmt.Sprintf("fused loop of %d elements, %d operations, %d kept, %d sums", s.n, len(s.ops), len(s.kept), len(s.sums))
}

// size is the length of the output.
func (s *fusedLoop) size() int { return len(s.kept)*s.n + len(s.sums) }

// Fused reports that there is no fused form.
func (s *fusedLoop) Fused([]bool) (Opaque, bool) { return nil, false }

// Instance makes the state of a machine.
func (s *fusedLoop) Instance() Instance {
	s.planned.Do(func() { s.plan = newTilePlan(s) })
	p := s.plan
	return &fusedLoopInstance{s: s, plan: p, vectors: make([][]float64, p.vectors), starts: make([]*float64, s.streams+len(s.kept)),
		buffers: make([]float64, p.buffers*stride), arena: append([]float64(nil), p.arena...)}
}

// A fusedLoopInstance is a fusedLoop at work in one machine.
type fusedLoopInstance struct {
	s       *fusedLoop
	plan    *tilePlan
	vectors [][]float64 // of the tile at hand: shared numbers, streams, what is kept, buffers
	starts  []*float64  // of streams, and of what is kept
	buffers []float64
	arena   []float64 // of machine code: the shared numbers, each four times
}

// Value computes all tiles.
func (m *fusedLoopInstance) Value(in [][]float64, out []float64) error {
	s, p := m.s, m.plan
	copy(m.vectors, in[:s.shared])
	if p.code[0] != nil {
		for k, x := range in[:s.shared] {
			four := m.arena[lanes*k:][:lanes]
			four[0], four[1], four[2], four[3] = x[0], x[0], x[0], x[0]
		}
	}
	sums := out[len(s.kept)*s.n:]
	clear(sums)
	for lo := 0; lo < s.n; lo += tile {
		n := min(tile, s.n-lo)
		list := m.vectors[s.shared:]
		for k, x := range in[s.shared:] {
			list[k] = x[lo : lo+n]
		}
		list = list[s.streams:]
		for k := range s.kept {
			list[k] = out[k*s.n+lo:][:n]
		}
		list = list[len(s.kept):]
		for k := range list {
			list[k] = m.buffers[k*stride:][:n]
		}
		for k := range p.steps {
			m.step(&p.steps[k], n, sums)
		}
	}
	return nil
}

// step does a step for the n elements of the tile at hand.
func (m *fusedLoopInstance) step(t *tileStep, n int, sums []float64) {
	switch {
	case t.loop >= 0:
		m.loop(t.loop, n)
	case t.sum >= 0 && len(t.in) == 2:
		sums[t.sum] += vec.Dot(m.vectors[t.in[0]], m.vectors[t.in[1]])
	case t.sum >= 0:
		sums[t.sum] += vec.Sum(m.vectors[t.in[0]])
	case len(t.in) == 1:
		mapUnary(t.op, m.vectors[t.out], m.vectors[t.in[0]])
	case len(t.in) == 2:
		mapBinary(t.op, m.vectors[t.out], m.vectors[t.in[0]], m.vectors[t.in[1]])
	default:
		mapTernary(t.op, m.vectors[t.out], m.vectors[t.in[0]], m.vectors[t.in[1]], m.vectors[t.in[2]])
	}
}

// loop runs machine code: four elements at a time, then one.
func (m *fusedLoopInstance) loop(k, n int) {
	for j := range m.starts {
		m.starts[j] = &m.vectors[m.s.shared+j][0]
	}
	whole := n &^ (lanes - 1)
	m.plan.code[0].Loop(k, m.arena, m.starts, m.buffers, 0, whole/lanes)
	m.plan.code[1].Loop(k, m.arena, m.starts, m.buffers, whole, n-whole)
}

// VJP is not called: fused loops are made of finished programs.
func (m *fusedLoopInstance) VJP(_ [][]float64, _, _ []float64, _ [][]float64) {
	panic("autodiff: a fused loop has no derivative")
}
