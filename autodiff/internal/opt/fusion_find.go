// Loop fusion: which operations are done in tiles.

package opt

import "github.com/seed-12b88e03/ppl/autodiff/internal/graph"

const (
	// MinTiles is the least length of vectors that are worth it: shorter ones stay in the
	// processor's cache anyway.
	MinTiles = 512
	// minFused is the least number of operations, and fewInner of those that are no sums.
	minFused = 3
	fewInner = 2
)

// FuseLoops returns an equal graph in which operations on long vectors are fused into loops, and for each
// node that the roots are made of the node that replaces it. The graph is g itself where there are none.
// It can be compiled, not differentiated.
//
// Operations on vectors of one length, and sums over these, are fused into one loop if the longest way to
// each of them leaves such sets equally often. A way from one loop to another leaves at least once, so
// that no loop depends on one that depends on it.
func FuseLoops(g *graph.Graph, roots []graph.Node) (*graph.Graph, func(graph.Node) graph.Node) {
	if g.Does(graph.OptLoopFusion) {
		j := &loopFuser{g: g}
		if j.find(roots) {
			j.build(roots)
			return j.h, func(x graph.Node) graph.Node { return j.to[x] }
		}
	}
	return g, func(x graph.Node) graph.Node { return x }
}

// A loopFuser fuses the loops of one graph.
type loopFuser struct {
	g, h *graph.Graph
	live []bool
	kept []bool  // used outside of their sets
	set  []int32 // of each node, from 1
	sets []*fusionSet
	to   []graph.Node // new nodes of the old ones
}

// A fusionSet is a set of nodes that become one.
type fusionSet struct {
	n       int
	members []graph.Node
	ops     int // of the members, those that are no sums
	made    bool
}

// fusibleLoop reports whether a node is an operation on long vectors or a sum over one, and of
// which length.
func fusibleLoop(g *graph.Graph, n *graph.NodeDef) (size int, ok bool) {
	if !n.Active {
		return 0, false
	}
	switch n.Kind {
	case graph.KindMap:
		size, ok = n.Len(), false
		for _, y := range n.In() {
			k := g.Len(y)
			if k != size && k != 1 {
				return 0, false
			}
			ok = ok || k == size
		}
	case graph.KindSum, graph.KindDot:
		size, ok = g.Len(n.Few[0]), true
		for _, y := range n.In() {
			ok = ok && g.Len(y) == size
		}
	}
	return size, ok && size >= MinTiles
}

// find marks what is needed, and makes the sets; false where there are none.
func (j *loopFuser) find(roots []graph.Node) bool {
	g := j.g
	if !j.any() {
		return false
	}
	j.live = g.Ancestors(roots...)
	if g.RuntimeConsts != graph.None { // a program has them whether or not it uses them
		j.live[g.RuntimeConsts] = true
	}
	j.set = make([]int32, g.Size())
	depth := make([]int32, g.Size())
	type key struct {
		size  int
		depth int32
	}
	numbers := map[key]int32{}
	j.sets = []*fusionSet{nil}
	for x := range graph.Node(g.Size()) {
		if !j.live[x] {
			continue
		}
		n := g.At(x)
		size, ok := fusibleLoop(g, n)
		for _, y := range n.In() {
			d := depth[y]
			if j.set[y] > 0 && !(ok && g.Len(y) == size && g.At(y).Kind == graph.KindMap) {
				d++
			}
			depth[x] = max(depth[x], d)
		}
		if !ok {
			continue
		}
		k := key{size, depth[x]}
		if numbers[k] == 0 {
			numbers[k] = int32(len(j.sets))
			j.sets = append(j.sets, &fusionSet{n: size})
		}
		j.set[x] = numbers[k]
		s := j.sets[j.set[x]]
		s.members = append(s.members, x)
		if n.Kind == graph.KindMap {
			s.ops++
		}
	}
	return j.choose()
}

// any reports whether any node is an operation on long vectors.
func (j *loopFuser) any() bool {
	for x := range graph.Node(j.g.Size()) {
		if n := j.g.At(x); n.N >= MinTiles && n.Kind == graph.KindMap && n.Active {
			return true
		}
	}
	return false
}

// choose drops sets that are too small, and reports whether any are left.
func (j *loopFuser) choose() bool {
	left := false
	for k, s := range j.sets {
		if s != nil && (s.ops < fewInner || len(s.members) < minFused) {
			j.sets[k] = nil
		}
		left = left || j.sets[k] != nil
	}
	return left
}

// of is the set that a node is in; nil where it is in none.
func (j *loopFuser) of(x graph.Node) *fusionSet { return j.sets[j.set[x]] }
