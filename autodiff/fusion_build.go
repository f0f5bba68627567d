// Sets of operations on long vectors become one node each.

package autodiff

import "slices"

// build makes the new graph.
func (j *loopFuser) build(roots []Node) {
	g := j.g
	j.h = NewGraph(g.dims)
	j.h.off = g.off
	j.to, j.kept = make([]Node, g.Size()), make([]bool, g.Size())
	for _, x := range roots {
		j.kept[x] = true
	}
	for x := range Node(g.Size()) {
		j.to[x] = None
		if !j.live[x] {
			continue
		}
		for _, y := range g.at(x).in() {
			j.kept[y] = j.kept[y] || j.of(y) != j.of(x)
		}
	}
	r := rebuilder{made: func(x Node) bool { return j.done(x) }, needs: j.needs, finish: j.finish}
	for x := range Node(g.Size()) {
		if j.live[x] {
			r.make(x)
		}
	}
	for x, f := range g.fused {
		if j.live[x] && j.live[f] {
			j.h.fused[j.to[x]] = j.to[f]
		}
	}
}

func (j *loopFuser) done(x Node) bool {
	if s := j.of(x); s != nil {
		return s.made
	}
	return j.to[x] != None
}

// needs names what must be made before x.
func (j *loopFuser) needs(x Node, visit func(Node)) {
	s := j.of(x)
	members := []Node{x}
	if s != nil {
		members = s.members
	}
	for _, m := range members {
		for _, y := range j.g.at(m).in() {
			if s == nil || j.of(y) != s {
				visit(y)
			}
		}
	}
}

// finish makes what stands for x, of what is made.
func (j *loopFuser) finish(x Node) {
	n := j.g.at(x)
	if s := j.of(x); s != nil {
		j.join(s)
		return
	}
	in := make([]Node, len(n.in()))
	for k, y := range n.in() {
		in[k] = j.to[y]
	}
	switch n.kind {
	case kindInput:
		j.to[x] = j.h.input
	case kindRuntimeConst:
		j.to[x] = j.h.RuntimeConstants(n.data)
	case kindConst:
		j.to[x] = j.h.Const(n.data)
	case kindView:
		j.to[x] = j.h.View(in[0], int(n.off), n.len())
	default:
		j.to[x] = j.h.add(n.withAll(in))
	}
}

// join makes the node of a set.
func (j *loopFuser) join(s *fusionSet) {
	fn := &fusedLoop{n: s.n, off: j.g.off}
	place := make(map[Node]argument, len(s.members))
	var shared, streams []Node
	argue := func(y Node) argument {
		a, ok := place[y]
		switch {
		case ok:
			return a
		case j.g.Len(y) == 1:
			a = argument{fromShared, int32(len(shared))}
			shared = append(shared, j.to[y])
		default:
			a = argument{fromStream, int32(len(streams))}
			streams = append(streams, j.to[y])
		}
		place[y] = a
		return a
	}
	for _, x := range s.members {
		n := j.g.at(x)
		if n.kind != kindMap {
			fn.sums = append(fn.sums, tileSum{x: argue(n.few[0]), y: argue(n.few[n.count-1]), dot: n.kind == kindDot})
			continue
		}
		o := bodyOp{op: n.op}
		for k, y := range n.in() {
			o.in[k] = argue(y)
		}
		place[x] = argument{fromOp, int32(len(fn.ops))}
		if j.kept[x] {
			fn.kept = append(fn.kept, int32(len(fn.ops)))
		}
		fn.ops = append(fn.ops, o)
	}
	fn.shared, fn.streams = len(shared), len(streams)
	out := j.h.Opaque(fn, fn.size(), slices.Concat(shared, streams)...)
	off, sums := 0, len(fn.kept)*s.n
	for _, x := range s.members {
		switch n := j.g.at(x); {
		case n.kind != kindMap:
			j.to[x] = j.h.View(out, sums, 1)
			sums++
		case j.kept[x]:
			j.to[x] = j.h.View(out, off, s.n)
			off += s.n
		}
	}
	s.made = true
}
