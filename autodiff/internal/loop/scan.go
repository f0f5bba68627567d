// Scans: loops with loop-carried variables, as one node.

package loop

import (
	"fmt"
	"sync"

	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
)

// A Scan is the function of a loop. Its inputs are numbers that all iterations share, what
// the carries are before the first iteration, and vectors with an element for each iteration. Its
// output has, one after the other, the history of each carry (what it is before the first
// iteration, if iterations go forward, and after each), and for each operation that is kept its
// results in all iterations.
//
// The derivative is nodes again (scan_reverse.go): of those only what adjoints need of
// the iteration after is a loop, too.
type Scan struct {
	Iterations int
	Backward   bool
	Consts     []float64
	Shared     int
	Carries    int
	Streams    int
	Kept       int // numbers that an iteration keeps at most
	Bodies     []Body
	VariantOf  []uint8     // body of each iteration; nil where there is one
	masks      [][]float64 // of a merged one: the last of its streams
	Off        graph.Switches

	making sync.Once
	plan   *Plan
}

// A Body is what iterations of a variant do.
type Body struct {
	Carries []Argument // what an iteration leaves
	Ops     []BodyOp
	Kept    []int32 // operations; another body may have more, of which there is nothing in these iterations
}

// A BodyOp is an operation of an iteration on single numbers.
type BodyOp struct {
	Op *graph.Op
	In [3]Argument
}

// An Argument is what an operation is applied to.
type Argument struct {
	From origin
	K    int32
}

type origin uint8

const (
	FromOp     origin = iota // the result of operation k
	FromConst                // a constant
	FromShared               // input k
	FromCarry                // what the iteration before has left
	FromStream               // the iteration's element
)

// Args are the arguments in use.
func (o *BodyOp) Args() []Argument { return o.In[:o.Op.Arity()] }

// History is where the output has carry i, and how many numbers of it.
func (s *Scan) History(i int) (off, n int) { return i * (s.Iterations + 1), s.Iterations + 1 }

// Before and after are where the output has a carry before and after each iteration.
func (s *Scan) Before(i int) (off int) {
	off, _ = s.History(i)
	if s.Backward {
		off++
	}
	return off
}

func (s *Scan) After(i int) (off int) {
	off, _ = s.History(i)
	if !s.Backward {
		off++
	}
	return off
}

// Initial is where the output has a carry before the first iteration.
func (s *Scan) Initial(i int) int {
	off, n := s.History(i)
	if s.Backward {
		off += n - 1
	}
	return off
}

// Result is where the output has kept operation k.
func (s *Scan) Result(k int) (off int) { return s.Carries*(s.Iterations+1) + k*s.Iterations }

// Size is the length of the output.
func (s *Scan) Size() int { return s.Result(s.Kept) }

// Body returns the body of iteration t.
func (s *Scan) Body(t int) int {
	if s.VariantOf == nil {
		return 0
	}
	return int(s.VariantOf[t])
}

// RunLength is how many iterations from t on have the same body, in the order in which they are
// run.
func (s *Scan) RunLength(t int) int {
	switch {
	case s.VariantOf == nil && s.Backward:
		return t + 1
	case s.VariantOf == nil:
		return s.Iterations - t
	}
	n, step := 1, 1
	if s.Backward {
		step = -1
	}
	for u := t + step; u >= 0 && u < s.Iterations && s.VariantOf[u] == s.VariantOf[t]; u += step {
		n++
	}
	return n
}

// ScanOf returns the scan that a node is.
func ScanOf(n *graph.NodeDef) (*Scan, bool) {
	if n.Kind != graph.KindOpaque {
		return nil, false
	}
	s, ok := n.Fn.(*Scan)
	return s, ok
}

// String names the function in dumps.
func (s *Scan) String() string {
	ops := 0
	for i := range s.Bodies {
		ops += len(s.Bodies[i].Ops)
	}
	text := fmt.Sprintf("scan of %d iterations, %d carries, %d operations, %d kept", s.Iterations, s.Carries, ops, s.Kept)
	if len(s.Bodies) > 1 {
		text += fmt.Sprintf(", %d variants", len(s.Bodies))
	}
	return text
}

// Work counts the operations of all iterations.
func (s *Scan) Work() int {
	if s.VariantOf == nil {
		return s.Iterations * len(s.Bodies[0].Ops)
	}
	n := 0
	for _, k := range s.VariantOf {
		n += len(s.Bodies[k].Ops)
	}
	return n
}

// Fused reports that there is no fused form.
func (s *Scan) Fused([]bool) (graph.Opaque, bool) { return nil, false }
