// Scans: loops in which an iteration needs what the iteration before has left, as one node.

package autodiff

import (
	"fmt"
	"sync"
)

// A scan is the function of a loop. Its inputs are numbers that all iterations share, what
// the carries are before the first iteration, and vectors with an element for each iteration. Its
// output has, one after the other, the history of each carry (what it is before the first
// iteration, if iterations go forward, and after each), and for each operation that is kept its
// results in all iterations.
//
// The derivative is nodes again (scan_reverse.go): of those only what adjoints need of
// the iteration after is a loop, too.
type scan struct {
	iterations int
	backward   bool
	consts     []float64
	shared     int
	carries    int
	streams    int
	kept       int // numbers that an iteration keeps at most
	bodies     []body
	variantOf  []uint8     // body of each iteration; nil where there is one
	masks      [][]float64 // of a merged one: the last of its streams
	off        switches

	making sync.Once
	plan   *plan
}

// A body is what iterations of a variant do.
type body struct {
	carries []argument // what an iteration leaves
	ops     []bodyOp
	kept    []int32 // operations; another body may have more, of which there is nothing in these iterations
}

// A bodyOp is an operation of an iteration on single numbers.
type bodyOp struct {
	op *Op
	in [3]argument
}

// An argument is what an operation is applied to.
type argument struct {
	from origin
	k    int32
}

type origin uint8

const (
	fromOp     origin = iota // the result of operation k
	fromConst                // a constant
	fromShared               // input k
	fromCarry                // what the iteration before has left
	fromStream               // the iteration's element
)

// args are the arguments in use.
func (o *bodyOp) args() []argument { return o.in[:o.op.Arity()] }

// history is where the output has carry i, and how many numbers of it.
func (s *scan) history(i int) (off, n int) { return i * (s.iterations + 1), s.iterations + 1 }

// before and after are where the output has a carry before and after each iteration.
func (s *scan) before(i int) (off int) {
	off, _ = s.history(i)
	if s.backward {
		off++
	}
	return off
}

func (s *scan) after(i int) (off int) {
	off, _ = s.history(i)
	if !s.backward {
		off++
	}
	return off
}

// initial is where the output has a carry before the first iteration.
func (s *scan) initial(i int) int {
	off, n := s.history(i)
	if s.backward {
		off += n - 1
	}
	return off
}

// result is where the output has kept operation k.
func (s *scan) result(k int) (off int) { return s.carries*(s.iterations+1) + k*s.iterations }

// size is the length of the output.
func (s *scan) size() int { return s.result(s.kept) }

// body returns the body of iteration t.
func (s *scan) body(t int) int {
	if s.variantOf == nil {
		return 0
	}
	return int(s.variantOf[t])
}

// runLength is how many iterations from t on have the same body, in the order in which they are
// run.
func (s *scan) runLength(t int) int {
	switch {
	case s.variantOf == nil && s.backward:
		return t + 1
	case s.variantOf == nil:
		return s.iterations - t
	}
	n, step := 1, 1
	if s.backward {
		step = -1
	}
	for u := t + step; u >= 0 && u < s.iterations && s.variantOf[u] == s.variantOf[t]; u += step {
		n++
	}
	return n
}

// scan returns the scan that a node is.
func (n *node) scan() (*scan, bool) {
	if n.kind != kindOpaque {
		return nil, false
	}
	s, ok := n.fn.(*scan)
	return s, ok
}

// String names the function in dumps.
func (s *scan) String() string {
	ops := 0
	for i := range s.bodies {
		ops += len(s.bodies[i].ops)
	}
	text := fmt.Sprintf("scan of %d iterations, %d carries, %d operations, %d kept", s.iterations, s.carries, ops, s.kept)
	if len(s.bodies) > 1 {
		text += fmt.Sprintf(", %d variants", len(s.bodies))
	}
	return text
}

// Work counts the operations of all iterations.
func (s *scan) Work() int {
	if s.variantOf == nil {
		return s.iterations * len(s.bodies[0].ops)
	}
	n := 0
	for _, k := range s.variantOf {
		n += len(s.bodies[k].ops)
	}
	return n
}

// Fused reports that there is no fused form.
func (s *scan) Fused([]bool) (Opaque, bool) { return nil, false }
