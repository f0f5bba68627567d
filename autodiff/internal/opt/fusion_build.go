// Sets of operations on long vectors become one node each.

package opt

import (
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/internal/loop"
)

// build makes the new graph.
func (j *loopFuser) build(roots []graph.Node) {
	g := j.g
	j.h = graph.NewGraph(g.Dims)
	j.h.Off = g.Off
	j.to, j.kept = make([]graph.Node, g.Size()), make([]bool, g.Size())
	for _, x := range roots {
		j.kept[x] = true
	}
	for x := range graph.Node(g.Size()) {
		j.to[x] = graph.None
		if !j.live[x] {
			continue
		}
		for _, y := range g.At(x).In() {
			j.kept[y] = j.kept[y] || j.of(y) != j.of(x)
		}
	}
	r := graph.Rebuilder{Made: func(x graph.Node) bool { return j.done(x) }, Needs: j.needs, Finish: j.finish}
	for x := range graph.Node(g.Size()) {
		if j.live[x] {
			r.Make(x)
		}
	}
	for x, f := range g.Fused {
		if j.live[x] && j.live[f] {
			j.h.Fused[j.to[x]] = j.to[f]
		}
	}
}

func (j *loopFuser) done(x graph.Node) bool {
	if s := j.of(x); s != nil {
		return s.made
	}
	return j.to[x] != graph.None
}

// needs names what must be made before x.
func (j *loopFuser) needs(x graph.Node, visit func(graph.Node)) {
	s := j.of(x)
	members := []graph.Node{x}
	if s != nil {
		members = s.members
	}
	for _, m := range members {
		for _, y := range j.g.At(m).In() {
			if s == nil || j.of(y) != s {
				visit(y)
			}
		}
	}
}

// finish makes what stands for x, of what is made.
func (j *loopFuser) finish(x graph.Node) {
	n := j.g.At(x)
	if s := j.of(x); s != nil {
		j.join(s)
		return
	}
	in := make([]graph.Node, len(n.In()))
	for k, y := range n.In() {
		in[k] = j.to[y]
	}
	switch n.Kind {
	case graph.KindInput:
		j.to[x] = j.h.InputNode
	case graph.KindRuntimeConst:
		j.to[x] = j.h.RuntimeConstants(n.Data)
	case graph.KindConst:
		j.to[x] = j.h.Const(n.Data)
	case graph.KindView:
		j.to[x] = j.h.View(in[0], int(n.Off), n.Len())
	default:
		j.to[x] = j.h.Add(n.WithAll(in))
	}
}

// join makes the node of a set.
func (j *loopFuser) join(s *fusionSet) {
	fn := &FusedLoop{N: s.n, off: j.g.Off}
	place := make(map[graph.Node]loop.Argument, len(s.members))
	var shared, streams []graph.Node
	argue := func(y graph.Node) loop.Argument {
		a, ok := place[y]
		switch {
		case ok:
			return a
		case j.g.Len(y) == 1:
			a = loop.Argument{From: loop.FromShared, K: int32(len(shared))}
			shared = append(shared, j.to[y])
		default:
			a = loop.Argument{From: loop.FromStream, K: int32(len(streams))}
			streams = append(streams, j.to[y])
		}
		place[y] = a
		return a
	}
	for _, x := range s.members {
		n := j.g.At(x)
		if n.Kind != graph.KindMap {
			fn.sums = append(fn.sums, tileSum{x: argue(n.Few[0]), y: argue(n.Few[n.Count-1]), dot: n.Kind == graph.KindDot})
			continue
		}
		o := loop.BodyOp{Op: n.Op}
		for k, y := range n.In() {
			o.In[k] = argue(y)
		}
		place[x] = loop.Argument{From: loop.FromOp, K: int32(len(fn.Ops))}
		if j.kept[x] {
			fn.kept = append(fn.kept, int32(len(fn.Ops)))
		}
		fn.Ops = append(fn.Ops, o)
	}
	fn.shared, fn.streams = len(shared), len(streams)
	out := j.h.Opaque(fn, fn.size(), slices.Concat(shared, streams)...)
	off, sums := 0, len(fn.kept)*s.n
	for _, x := range s.members {
		switch n := j.g.At(x); {
		case n.Kind != graph.KindMap:
			j.to[x] = j.h.View(out, sums, 1)
			sums++
		case j.kept[x]:
			j.to[x] = j.h.View(out, off, s.n)
			off += s.n
		}
	}
	s.made = true
}
