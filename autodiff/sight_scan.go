// Sight through loops: NaN in one round shows where it is handed on to the last.

package autodiff

import "slices"

// A scanSight looks through one scan.
type scanSight struct {
	s       *Sight
	x       Node // of the scan
	loop    *scan
	carries []bool // whose NaN after any round shows
	ops     []bool // whose NaN in any round shows
	inputs  []bool // of the scan
}

func (s *Sight) visitScan(x Node, n *node, loop *scan) {
	v := &scanSight{s: s, x: x, loop: loop, carries: make([]bool, len(loop.carries)), ops: make([]bool, len(loop.ops)), inputs: make([]bool, len(n.in()))}
	v.findCarries()
	for i, yes := range v.carries {
		if yes {
			v.follow(loop.carries[i])
		}
	}
	for k, j := range loop.kept {
		if v.all(loop.result(k)) {
			v.follow(argument{fromOp, j})
		}
	}
	s.loops[x] = v.ops
	for k, yes := range v.inputs {
		if yes {
			s.mark(n.in()[k], nanShows)
		}
	}
}

// all says whether NaN shows of the numbers of all rounds, which are in the output from off on.
func (v *scanSight) all(off int) bool {
	for t := range v.loop.rounds {
		if v.s.of(v.x, off+t)&nanShows == 0 {
			return false
		}
	}
	return true
}

// findCarries finds the carries whose history shows, and those of which the last round shows
// and what any other leaves goes on to such a carry in the round after.
func (v *scanSight) findCarries() {
	loop := v.loop
	last := make([]bool, len(loop.carries))
	heirs := make([][]int, len(loop.carries)) // the carries that are made of one
	for i, next := range loop.carries {
		off := loop.after(i) + loop.rounds - 1
		if loop.backward {
			off = loop.after(i)
		}
		v.carries[i] = v.all(loop.after(i))
		last[i] = v.s.of(v.x, off)&nanShows != 0
		probe := &scanSight{loop: loop, ops: make([]bool, len(loop.ops)), inputs: make([]bool, loop.shared+len(loop.carries)+loop.streams)}
		probe.follow(next)
		for j := range loop.carries {
			if probe.inputs[loop.shared+j] {
				heirs[j] = append(heirs[j], i)
			}
		}
	}
	always := slices.Clone(v.carries)
	for i := range v.carries {
		v.carries[i] = always[i] || last[i]
	}
	for again := true; again; {
		again = false
		for i, yes := range v.carries {
			if yes && !always[i] && !slices.ContainsFunc(heirs[i], func(j int) bool { return v.carries[j] }) {
				v.carries[i], again = false, true
			}
		}
	}
}

// follow marks what makes an argument NaN when it is. The first round's carries stand for
// those of all.
func (v *scanSight) follow(a argument) {
	switch a.from {
	case fromShared:
		v.inputs[a.k] = true
	case fromCarry:
		v.inputs[v.loop.shared+int(a.k)] = true
	case fromStream:
		v.inputs[v.loop.shared+len(v.loop.carries)+int(a.k)] = true
	case fromOp:
		if v.ops[a.k] {
			return
		}
		v.ops[a.k] = true
		o := &v.loop.ops[a.k]
		for k, b := range o.args() {
			if passes(o.op, k)&nanShows != 0 {
				v.follow(b)
			}
		}
	}
}
