// Scans of several variants without a jump: each iteration does what all variants do, and picks.

package autodiff

import "math"

// mostMerged is the greatest number of operations of an iteration that does what all variants do.
// Jumps that nobody foresees take as long as some forty of them.
const mostMerged = 64

// pickBySign is its first argument where the third has a minus sign, and otherwise the second. Plans
// have it, for iterations of several variants: graphs do not, since a choice has no bearing on
// derivatives.
var pickBySign = &Op{Name: "pick", code: codePick, F3: func(x, y, sign float64) float64 {
	if math.Signbit(sign) {
		return x
	}
	return y
}}

// A merger makes one body of several.
type merger struct {
	s      *scan
	out    *scan
	consts map[uint64]int32 // by their bits
	known  map[bodyOp]int32
}

// mergeBodies returns the scan whose iterations do the operations of all bodies, as they were
// planned, and keep the results of those that they are of. What the others make of numbers that are
// not theirs, NaN perhaps, goes nowhere. False where that does not pay, or there is one body.
func mergeBodies(s *scan, planners []*planner) (*scan, bool) {
	if s.variantOf == nil {
		return nil, false
	}
	m := &merger{s: s, consts: map[uint64]int32{}, known: map[bodyOp]int32{}, out: &scan{iterations: s.iterations, backward: s.backward, consts: s.consts,
		shared: s.shared, carries: s.carries, streams: s.streams + len(s.bodies) - 1, kept: s.kept, bodies: make([]body, 1), off: s.off}}
	var carries, kept [][]argument // of each body
	for _, b := range planners {
		of, ok := m.add(b)
		if !ok {
			return nil, false
		}
		var list []argument
		for _, a := range b.body.carries {
			list = append(list, m.argument(a, of))
		}
		carries, list = append(carries, list), nil
		for _, j := range b.body.kept {
			list = append(list, of[j])
		}
		kept = append(kept, list)
	}
	one := &m.out.bodies[0]
	for i := range s.carries {
		one.carries = append(one.carries, m.pick(carries, i))
	}
	for k := range s.kept {
		one.kept = append(one.kept, m.pick(kept, k).k)
	}
	for k := 1; k < len(s.bodies); k++ {
		m.out.masks = append(m.out.masks, s.mask(k))
	}
	return m.out, len(one.ops) <= mostMerged
}

// mask has a minus sign in the iterations of body k.
func (s *scan) mask(k int) []float64 {
	out := make([]float64, s.iterations)
	for t, kind := range s.variantOf {
		if out[t] = 1; int(kind) == k {
			out[t] = -1
		}
	}
	return out
}

// add adds the operations of a body and gives their results; false where one is a call.
func (m *merger) add(b *planner) (of []argument, ok bool) {
	of = make([]argument, len(b.ops))
	for i := range b.ops {
		o := &b.ops[i]
		if b.done(i) {
			continue
		}
		if o.called() || len(m.out.bodies[0].ops) > mostMerged {
			return nil, false
		}
		all := bodyOp{op: o.op}
		for k, a := range o.args() {
			all.in[k] = m.argument(a, of)
		}
		of[i] = m.do(all)
	}
	return of, true
}

// argument is what an argument of a body is, whose operations have the results of.
func (m *merger) argument(a argument, of []argument) argument {
	switch a.from {
	case fromOp:
		return of[a.k]
	case fromConst:
		bits := math.Float64bits(m.s.consts[a.k])
		if k, ok := m.consts[bits]; ok {
			a.k = k
		}
		m.consts[bits] = a.k
	}
	return a
}

// do returns the result of an operation, which may be there already.
func (m *merger) do(o bodyOp) argument {
	one := &m.out.bodies[0]
	k, ok := m.known[o]
	if !ok {
		k = int32(len(one.ops))
		m.known[o], one.ops = k, append(one.ops, o)
	}
	return argument{fromOp, k}
}

// pick chooses number i of the lists of the bodies, in the iterations of each that has one.
func (m *merger) pick(lists [][]argument, i int) (x argument) {
	some := false
	for k, list := range lists {
		switch {
		case i >= len(list):
		case !some:
			x, some = list[i], true
		case list[i] != x:
			x = m.do(bodyOp{op: pickBySign, in: [3]argument{list[i], x, {fromStream, int32(m.s.streams + k - 1)}}})
		}
	}
	return x
}
