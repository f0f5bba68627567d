// Scans of several variants without a jump: each iteration does what all variants do, and picks.

package loop

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
)

// mostMerged is the greatest number of operations of an iteration that does what all variants do.
// Jumps that nobody foresees take as long as some forty of them.
const mostMerged = 64

// A merger makes one body of several.
type merger struct {
	s      *Scan
	out    *Scan
	consts map[uint64]int32 // by their bits
	known  map[BodyOp]int32
}

// mergeBodies returns the scan whose iterations do the operations of all bodies, as they were
// planned, and keep the results of those that they are of. What the others make of numbers that are
// not theirs, NaN perhaps, goes nowhere. False where that does not pay, or there is one body.
func mergeBodies(s *Scan, planners []*planner) (*Scan, bool) {
	if s.VariantOf == nil {
		return nil, false
	}
	m := &merger{s: s, consts: map[uint64]int32{}, known: map[BodyOp]int32{}, out: &Scan{Iterations: s.Iterations, Backward: s.Backward, Consts: s.Consts,
		Shared: s.Shared, Carries: s.Carries, Streams: s.Streams + len(s.Bodies) - 1, Kept: s.Kept, Bodies: make([]Body, 1), Off: s.Off}}
	var carries, kept [][]Argument // of each body
	for _, b := range planners {
		of, ok := m.add(b)
		if !ok {
			return nil, false
		}
		var list []Argument
		for _, a := range b.body.Carries {
			list = append(list, m.argument(a, of))
		}
		carries, list = append(carries, list), nil
		for _, j := range b.body.Kept {
			list = append(list, of[j])
		}
		kept = append(kept, list)
	}
	one := &m.out.Bodies[0]
	for i := range s.Carries {
		one.Carries = append(one.Carries, m.pick(carries, i))
	}
	for k := range s.Kept {
		one.Kept = append(one.Kept, m.pick(kept, k).K)
	}
	for k := 1; k < len(s.Bodies); k++ {
		m.out.masks = append(m.out.masks, s.mask(k))
	}
	return m.out, len(one.Ops) <= mostMerged
}

// mask has a minus sign in the iterations of body k.
func (s *Scan) mask(k int) []float64 {
	out := make([]float64, s.Iterations)
	for t, kind := range s.VariantOf {
		if out[t] = 1; int(kind) == k {
			out[t] = -1
		}
	}
	return out
}

// add adds the operations of a body and gives their results; false where one is a call.
func (m *merger) add(b *planner) (of []Argument, ok bool) {
	of = make([]Argument, len(b.ops))
	for i := range b.ops {
		o := &b.ops[i]
		if b.done(i) {
			continue
		}
		if o.Called() || len(m.out.Bodies[0].Ops) > mostMerged {
			return nil, false
		}
		all := BodyOp{Op: o.Op}
		for k, a := range o.Args() {
			all.In[k] = m.argument(a, of)
		}
		of[i] = m.do(all)
	}
	return of, true
}

// argument is what an argument of a body is, whose operations have the results of.
func (m *merger) argument(a Argument, of []Argument) Argument {
	switch a.From {
	case FromOp:
		return of[a.K]
	case FromConst:
		bits := math.Float64bits(m.s.Consts[a.K])
		if k, ok := m.consts[bits]; ok {
			a.K = k
		}
		m.consts[bits] = a.K
	}
	return a
}

// do returns the result of an operation, which may be there already.
func (m *merger) do(o BodyOp) Argument {
	one := &m.out.Bodies[0]
	k, ok := m.known[o]
	if !ok {
		k = int32(len(one.Ops))
		m.known[o], one.Ops = k, append(one.Ops, o)
	}
	return Argument{FromOp, k}
}

// pick chooses number i of the lists of the bodies, in the iterations of each that has one.
func (m *merger) pick(lists [][]Argument, i int) (x Argument) {
	some := false
	for k, list := range lists {
		switch {
		case i >= len(list):
		case !some:
			x, some = list[i], true
		case list[i] != x:
			x = m.do(BodyOp{Op: graph.PickBySign, In: [3]Argument{list[i], x, {FromStream, int32(m.s.Streams + k - 1)}}})
		}
	}
	return x
}
