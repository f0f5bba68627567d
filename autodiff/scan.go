// Scans: loops in which a round needs what the round before has left, as one node.

package autodiff

import (
	"fmt"
	"sync"
)

// A scan is the function of a loop. Its inputs are numbers that all rounds share, what
// the carries are before the first round, and vectors with an element for each round. Its
// output has, one after the other, the history of each carry (what it is before the first
// round, if rounds go forward, and after each), and for each operation that is kept its
// results in all rounds.
//
// The derivative is nodes again (scan_reverse.go): of those only what adjoints need of
// the round after is a loop, too.
type scan struct {
	rounds   int
	backward bool
	consts   []float64
	shared   int
	carries  int
	streams  int
	kept     int // numbers that a round keeps at most
	bodies   []body
	which    []uint8     // body of each round; nil where there is one
	masks    [][]float64 // of a merged one: the last of its streams
	off      switches

	making  sync.Once
	plan    *plan
	adjoint sync.Once
	reverse *Program
}

// A body is what rounds of a kind do.
type body struct {
	carries []argument // what a round leaves
	ops     []bodyOp
	kept    []int32 // operations; another body may have more, of which there is nothing in these rounds
}

// A bodyOp is an operation of a round on single numbers.
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
	fromCarry                // what the round before has left
	fromStream               // the round's element
)

// args are the arguments in use.
func (o *bodyOp) args() []argument { return o.in[:o.op.Arity()] }

// history is where the output has carry i, and how many numbers of it.
func (s *scan) history(i int) (off, n int) { return i * (s.rounds + 1), s.rounds + 1 }

// before and after are where the output has a carry before and after each round.
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

// initial is where the output has a carry before the first round.
func (s *scan) initial(i int) int {
	off, n := s.history(i)
	if s.backward {
		off += n - 1
	}
	return off
}

// result is where the output has kept operation k.
func (s *scan) result(k int) (off int) { return s.carries*(s.rounds+1) + k*s.rounds }

// size is the length of the output.
func (s *scan) size() int { return s.result(s.kept) }

// body gives the body of round t.
func (s *scan) body(t int) int {
	if s.which == nil {
		return 0
	}
	return int(s.which[t])
}

// alike is how many rounds from t on have the same body, in the order in which they are run.
func (s *scan) alike(t int) int {
	switch {
	case s.which == nil && s.backward:
		return t + 1
	case s.which == nil:
		return s.rounds - t
	}
	n, step := 1, 1
	if s.backward {
		step = -1
	}
	for u := t + step; u >= 0 && u < s.rounds && s.which[u] == s.which[t]; u += step {
		n++
	}
	return n
}

// scan gives the scan that a node is.
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
	text := fmt.Sprintf("scan of %d rounds, %d carries, %d operations, %d kept", s.rounds, s.carries, ops, s.kept)
	if len(s.bodies) > 1 {
		text += fmt.Sprintf(", %d kinds", len(s.bodies))
	}
	return text
}

// Work counts the operations of all rounds.
func (s *scan) Work() int {
	if s.which == nil {
		return s.rounds * len(s.bodies[0].ops)
	}
	n := 0
	for _, k := range s.which {
		n += len(s.bodies[k].ops)
	}
	return n
}

// Fused says that there is no fused form.
func (s *scan) Fused([]bool) (Opaque, bool) { return nil, false }
