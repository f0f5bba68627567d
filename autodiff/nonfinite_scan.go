// The flow of numbers that are not finite through loops: NaN in one iteration shows where it is carried to the last.

package autodiff

import "slices"

// A scanFlow looks through one scan.
type scanFlow struct {
	s       *NonFiniteFlow
	x       Node // of the scan
	loop    *scan
	carries []bool     // whose NaN after any iteration shows
	bodies  []bodyFlow // of each
}

// A bodyFlow looks through a body of a scan.
type bodyFlow struct {
	body   *body
	loop   *scan
	ops    []bool // whose NaN in any iteration of the body shows
	inputs []bool // of the scan
}

func (s *NonFiniteFlow) visitScan(x Node, n *node, loop *scan) {
	v := &scanFlow{s: s, x: x, loop: loop, carries: make([]bool, loop.carries)}
	for k := range loop.bodies {
		v.bodies = append(v.bodies, loop.nonFiniteFlow(k))
	}
	v.findCarries()
	var ops []bool
	for k := range v.bodies {
		b := &v.bodies[k]
		for i, yes := range v.carries {
			if yes {
				b.follow(b.body.carries[i])
			}
		}
		for i, j := range b.body.kept {
			if v.all(k, loop.result(i)) {
				b.follow(argument{fromOp, j})
			}
		}
		ops = append(ops, b.ops...)
	}
	s.loops[x] = ops
	for k, y := range n.in() {
		v.mark(k, y)
	}
}

// nonFiniteFlow begins to look through body k.
func (s *scan) nonFiniteFlow(k int) bodyFlow {
	b := &s.bodies[k]
	return bodyFlow{body: b, loop: s, ops: make([]bool, len(b.ops)), inputs: make([]bool, s.shared+s.carries+s.streams)}
}

// mark marks input k of the scan where it shows: what all iterations share in any of them, what a
// carry is at first in the first one, and a stream in iterations of the variants that show it.
func (v *scanFlow) mark(k int, y Node) {
	in := func(b bodyFlow) bool { return b.inputs[k] }
	loop, some := v.loop, slices.ContainsFunc(v.bodies, in)
	switch i := k - loop.shared; {
	case !some:
	case i < 0 || len(v.bodies) == 1:
		v.s.mark(y, nanReachesRoot)
	case i < loop.carries:
		first := 0
		if loop.backward {
			first = loop.iterations - 1
		}
		if in(v.bodies[loop.body(first)]) {
			v.s.mark(y, nanReachesRoot)
		}
	default:
		for t := range loop.iterations {
			if in(v.bodies[loop.body(t)]) {
				v.s.markOne(y, t, nanReachesRoot)
			}
		}
	}
}

// all reports whether NaN shows of the numbers of all iterations of body k, which are in the output
// from off on.
func (v *scanFlow) all(k, off int) bool {
	for t := range v.loop.iterations {
		if v.loop.body(t) == k && v.s.of(v.x, off+t)&nanReachesRoot == 0 {
			return false
		}
	}
	return true
}

// findCarries finds the carries whose history shows, and those of which the last iteration shows
// and what any other leaves goes on to such a carry in the iteration after, of whatever variant.
func (v *scanFlow) findCarries() {
	loop := v.loop
	always, last := make([]bool, loop.carries), make([]bool, loop.carries)
	for i := range always {
		off := loop.after(i) + loop.iterations - 1
		if loop.backward {
			off = loop.after(i)
		}
		always[i] = true
		for k := range v.bodies {
			always[i] = always[i] && v.all(k, loop.after(i))
		}
		last[i] = v.s.of(v.x, off)&nanReachesRoot != 0
		v.carries[i] = always[i] || last[i]
	}
	heirs := loop.heirs()
	for again := true; again; {
		again = false
		for i, yes := range v.carries {
			goesOn := func(of [][]int) bool {
				return slices.ContainsFunc(of[i], func(j int) bool { return v.carries[j] })
			}
			if yes && !always[i] && slices.ContainsFunc(heirs, func(of [][]int) bool { return !goesOn(of) }) {
				v.carries[i], again = false, true
			}
		}
	}
}

// heirs returns, for each body and each carry, the carries that are made of it.
func (s *scan) heirs() [][][]int {
	out := make([][][]int, len(s.bodies))
	for k := range out {
		out[k] = make([][]int, s.carries)
		for i, next := range s.bodies[k].carries {
			probe := s.nonFiniteFlow(k)
			probe.follow(next)
			for j := range s.carries {
				if probe.inputs[s.shared+j] {
					out[k][j] = append(out[k][j], i)
				}
			}
		}
	}
	return out
}

// follow marks what makes an argument NaN when it is. The first iteration's carries stand for
// those of all.
func (v *bodyFlow) follow(a argument) {
	switch a.from {
	case fromShared:
		v.inputs[a.k] = true
	case fromCarry:
		v.inputs[v.loop.shared+int(a.k)] = true
	case fromStream:
		v.inputs[v.loop.shared+v.loop.carries+int(a.k)] = true
	case fromOp:
		if v.ops[a.k] {
			return
		}
		v.ops[a.k] = true
		o := &v.body.ops[a.k]
		for k, b := range o.args() {
			if passes(o.op, k)&nanReachesRoot != 0 {
				v.follow(b)
			}
		}
	}
}
