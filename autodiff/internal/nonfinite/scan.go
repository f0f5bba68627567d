// The flow of numbers that are not finite through loops: NaN in one iteration shows where it is carried to the last.

package nonfinite

import (
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/internal/loop"
)

// A scanFlow looks through one scan.
type scanFlow struct {
	s       *NonFiniteFlow
	x       graph.Node // of the scan
	loop    *loop.Scan
	carries []bool     // whose NaN after any iteration shows
	bodies  []bodyFlow // of each
}

// A bodyFlow looks through a body of a scan.
type bodyFlow struct {
	body   *loop.Body
	loop   *loop.Scan
	ops    []bool // whose NaN in any iteration of the body shows
	inputs []bool // of the scan
}

func (s *NonFiniteFlow) visitScan(x graph.Node, n *graph.NodeDef, scan *loop.Scan) {
	v := &scanFlow{s: s, x: x, loop: scan, carries: make([]bool, scan.Carries)}
	for k := range scan.Bodies {
		v.bodies = append(v.bodies, nonFiniteFlow(scan, k))
	}
	v.findCarries()
	var ops []bool
	for k := range v.bodies {
		b := &v.bodies[k]
		for i, yes := range v.carries {
			if yes {
				b.follow(b.body.Carries[i])
			}
		}
		for i, j := range b.body.Kept {
			if v.all(k, scan.Result(i)) {
				b.follow(loop.Argument{From: loop.FromOp, K: j})
			}
		}
		ops = append(ops, b.ops...)
	}
	s.loops[x] = ops
	for k, y := range n.In() {
		v.mark(k, y)
	}
}

// nonFiniteFlow begins to look through body k.
func nonFiniteFlow(s *loop.Scan, k int) bodyFlow {
	b := &s.Bodies[k]
	return bodyFlow{body: b, loop: s, ops: make([]bool, len(b.Ops)), inputs: make([]bool, s.Shared+s.Carries+s.Streams)}
}

// mark marks input k of the scan where it shows: what all iterations share in any of them, what a
// carry is at first in the first one, and a stream in iterations of the variants that show it.
func (v *scanFlow) mark(k int, y graph.Node) {
	in := func(b bodyFlow) bool { return b.inputs[k] }
	scan, some := v.loop, slices.ContainsFunc(v.bodies, in)
	switch i := k - scan.Shared; {
	case !some:
	case i < 0 || len(v.bodies) == 1:
		v.s.mark(y, NanReachesRoot)
	case i < scan.Carries:
		first := 0
		if scan.Backward {
			first = scan.Iterations - 1
		}
		if in(v.bodies[scan.Body(first)]) {
			v.s.mark(y, NanReachesRoot)
		}
	default:
		for t := range scan.Iterations {
			if in(v.bodies[scan.Body(t)]) {
				v.s.markOne(y, t, NanReachesRoot)
			}
		}
	}
}

// all reports whether NaN shows of the numbers of all iterations of body k, which are in the output
// from off on.
func (v *scanFlow) all(k, off int) bool {
	for t := range v.loop.Iterations {
		if v.loop.Body(t) == k && v.s.Of(v.x, off+t)&NanReachesRoot == 0 {
			return false
		}
	}
	return true
}

// findCarries finds the carries whose history shows, and those of which the last iteration shows
// and what any other leaves goes on to such a carry in the iteration after, of whatever variant.
func (v *scanFlow) findCarries() {
	scan := v.loop
	always, last := make([]bool, scan.Carries), make([]bool, scan.Carries)
	for i := range always {
		off := scan.After(i) + scan.Iterations - 1
		if scan.Backward {
			off = scan.After(i)
		}
		always[i] = true
		for k := range v.bodies {
			always[i] = always[i] && v.all(k, scan.After(i))
		}
		last[i] = v.s.Of(v.x, off)&NanReachesRoot != 0
		v.carries[i] = always[i] || last[i]
	}
	heirs := heirs(scan)
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
func heirs(s *loop.Scan) [][][]int {
	out := make([][][]int, len(s.Bodies))
	for k := range out {
		out[k] = make([][]int, s.Carries)
		for i, next := range s.Bodies[k].Carries {
			probe := nonFiniteFlow(s, k)
			probe.follow(next)
			for j := range s.Carries {
				if probe.inputs[s.Shared+j] {
					out[k][j] = append(out[k][j], i)
				}
			}
		}
	}
	return out
}

// follow marks the inputs and operations that make an argument NaN where they are NaN. The
// carries before the first iteration stand for those before every iteration.
func (v *bodyFlow) follow(a loop.Argument) {
	switch a.From {
	case loop.FromShared:
		v.inputs[a.K] = true
	case loop.FromCarry:
		v.inputs[v.loop.Shared+int(a.K)] = true
	case loop.FromStream:
		v.inputs[v.loop.Shared+v.loop.Carries+int(a.K)] = true
	case loop.FromOp:
		if v.ops[a.K] {
			return
		}
		v.ops[a.K] = true
		o := &v.body.Ops[a.K]
		for k, b := range o.Args() {
			if passes(o.Op, k)&NanReachesRoot != 0 {
				v.follow(b)
			}
		}
	}
}
