// Loop fusion: which operations are done in tiles.

package autodiff

const (
	// minTiles is the least length of vectors that are worth it: shorter ones stay in the
	// processor's cache anyway.
	minTiles = 512
	// minFused is the least number of operations, and fewInner of those that are no sums.
	minFused = 3
	fewInner = 2
)

// fuseLoops returns an equal graph in which operations on long vectors are joined, and the node
// of it that stands for one that the roots are made of. Where there are none it is g itself.
// The graph is one to be compiled: no derivatives can be taken of it.
//
// Operations on vectors of one length, and sums over these, are joined if as many steps out
// of such sets lie on the way to each, at most: whatever lies between two sets has a number
// of steps in between, so that no set is made of another one that is made of it.
func (g *Graph) fuseLoops(roots []Node) (*Graph, func(Node) Node) {
	if g.does(optLoopFusion) {
		j := &loopFuser{g: g}
		if j.find(roots) {
			j.build(roots)
			return j.h, func(x Node) Node { return j.to[x] }
		}
	}
	return g, func(x Node) Node { return x }
}

// A loopFuser is at work on a graph.
type loopFuser struct {
	g, h *Graph
	live []bool
	kept []bool  // used outside of their sets
	set  []int32 // of each node, from 1
	sets []*fusionSet
	to   []Node // new nodes of the old ones
}

// A fusionSet is a set of nodes that become one.
type fusionSet struct {
	n       int
	members []Node
	ops     int // of the members, those that are no sums
	made    bool
}

// fusibleLoop reports whether a node is an operation on long vectors or a sum over one, and of
// which length.
func (g *Graph) fusibleLoop(n *node) (size int, ok bool) {
	if !n.active {
		return 0, false
	}
	switch n.kind {
	case kindMap:
		size, ok = n.len(), false
		for _, y := range n.in() {
			k := g.Len(y)
			if k != size && k != 1 {
				return 0, false
			}
			ok = ok || k == size
		}
	case kindSum, kindDot:
		size, ok = g.Len(n.few[0]), true
		for _, y := range n.in() {
			ok = ok && g.Len(y) == size
		}
	}
	return size, ok && size >= minTiles
}

// find marks what is needed, and makes the sets; false where there are none.
func (j *loopFuser) find(roots []Node) bool {
	g := j.g
	if !j.any() {
		return false
	}
	j.live = g.Ancestors(roots...)
	if g.runtimeConsts != None { // a program has them whether or not it uses them
		j.live[g.runtimeConsts] = true
	}
	j.set = make([]int32, g.Size())
	depth := make([]int32, g.Size())
	type key struct {
		size  int
		depth int32
	}
	numbers := map[key]int32{}
	j.sets = []*fusionSet{nil}
	for x := range Node(g.Size()) {
		if !j.live[x] {
			continue
		}
		n := g.at(x)
		size, ok := g.fusibleLoop(n)
		for _, y := range n.in() {
			d := depth[y]
			if j.set[y] > 0 && !(ok && g.Len(y) == size && g.at(y).kind == kindMap) {
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
		if n.kind == kindMap {
			s.ops++
		}
	}
	return j.choose()
}

// any reports whether any node is an operation on long vectors.
func (j *loopFuser) any() bool {
	for x := range Node(j.g.Size()) {
		if n := j.g.at(x); n.n >= minTiles && n.kind == kindMap && n.active {
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
func (j *loopFuser) of(x Node) *fusionSet { return j.sets[j.set[x]] }
