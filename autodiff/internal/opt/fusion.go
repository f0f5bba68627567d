// Loop fusion: elementwise operations on long vectors, done for a tile of the vectors at a time.

package opt

import (
	"fmt"
	"sync"

	"github.com/seed-12b88e03/ppl/autodiff/internal/codegen"
	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/internal/loop"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

// Tile is how many elements are done at a time. What an operation leaves for the next is
// then still in the processor's first cache, and room for it is used again. Longer tiles
// were not faster. It is part of what a program means: sums are added up by tiles.
const Tile = 256

// stride is how far apart buffers are: neighbours in tiles of different buffers then are in
// different sets of the cache.
const stride = Tile + 24

// A FusedLoop is the function of operations on vectors of one length, and sums over these.
// Its inputs are numbers that are used for all elements, then vectors. Its output has, one
// after the other, the results that are kept, and the sums.
type FusedLoop struct {
	N       int
	shared  int
	streams int
	Ops     []loop.BodyOp // in an order in which they can be done
	kept    []int32       // operations
	sums    []tileSum
	off     graph.Switches

	planned sync.Once
	plan    *tilePlan
}

// A tileSum is the sum of a vector, or of the products of two.
type tileSum struct {
	x, y loop.Argument
	dot  bool
}

// args are the vectors that are added up, or multiplied.
func (t *tileSum) args() []loop.Argument {
	if t.dot {
		return []loop.Argument{t.x, t.y}
	}
	return []loop.Argument{t.x}
}

// String names the function in dumps.
func (s *FusedLoop) String() string {
	return fmt.Sprintf("fused loop of %d elements, %d operations, %d kept, %d sums", s.N, len(s.Ops), len(s.kept), len(s.sums))
}

// size is the length of the output.
func (s *FusedLoop) size() int { return len(s.kept)*s.N + len(s.sums) }

// Fused reports that there is no fused form.
func (s *FusedLoop) Fused([]bool) (graph.Opaque, bool) { return nil, false }

// Instance makes the state of a machine.
func (s *FusedLoop) Instance() graph.Instance {
	s.planned.Do(func() { s.plan = newTilePlan(s) })
	p := s.plan
	return &fusedLoopInstance{s: s, plan: p, vectors: make([][]float64, p.vectors), starts: make([]*float64, s.streams+len(s.kept)),
		buffers: make([]float64, p.buffers*stride), arena: append([]float64(nil), p.arena...)}
}

// A fusedLoopInstance is the state of a fusedLoop in one machine.
type fusedLoopInstance struct {
	s       *FusedLoop
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
			four := m.arena[codegen.Lanes*k:][:codegen.Lanes]
			four[0], four[1], four[2], four[3] = x[0], x[0], x[0], x[0]
		}
	}
	sums := out[len(s.kept)*s.N:]
	clear(sums)
	for lo := 0; lo < s.N; lo += Tile {
		n := min(Tile, s.N-lo)
		list := m.vectors[s.shared:]
		for k, x := range in[s.shared:] {
			list[k] = x[lo : lo+n]
		}
		list = list[s.streams:]
		for k := range s.kept {
			list[k] = out[k*s.N+lo:][:n]
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
		codegen.MapUnary(t.op, m.vectors[t.out], m.vectors[t.in[0]])
	case len(t.in) == 2:
		codegen.MapBinary(t.op, m.vectors[t.out], m.vectors[t.in[0]], m.vectors[t.in[1]])
	default:
		codegen.MapTernary(t.op, m.vectors[t.out], m.vectors[t.in[0]], m.vectors[t.in[1]], m.vectors[t.in[2]])
	}
}

// loop runs machine code: four elements at a time, then one.
func (m *fusedLoopInstance) loop(k, n int) {
	for j := range m.starts {
		m.starts[j] = &m.vectors[m.s.shared+j][0]
	}
	whole := n &^ (codegen.Lanes - 1)
	m.plan.code[0].Loop(k, m.arena, m.starts, m.buffers, 0, whole/codegen.Lanes)
	m.plan.code[1].Loop(k, m.arena, m.starts, m.buffers, whole, n-whole)
}

// VJP is not called: fused loops are made of finished programs.
func (m *fusedLoopInstance) VJP(_ [][]float64, _, _ []float64, _ [][]float64) {
	panic("autodiff: a fused loop has no derivative")
}
