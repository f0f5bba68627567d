// Where the numbers of an iteration are when it is closed.

package loop

import "github.com/seed-12b88e03/ppl/autodiff/internal/graph"

// A Place is where a number of a graph is that a check looks at: a node or, of an iteration, an
// operation within its loop.
type Place struct {
	Node graph.Node
	Op   int32 // of the scan that Node is, counted over its bodies; -1 for the node itself
}

// At is the place of a node.
func At(x graph.Node) Place { return Place{x, -1} }

// Place finds an element of a node of the iteration, in all iterations. The iteration must be
// closed; false where nothing of what it leaves needs the number.
func (r *LoopBody) Place(ref graph.Ref) (p Place, ok bool) {
	defer func() { ok = r.recovered(recover()) && ok }()
	x := r.scalar(ref)
	if r.reach(x) == onNothing {
		return At(x), true
	}
	if v, ok := r.All[x]; ok {
		return At(v), true
	}
	k, ok := r.ops[x]
	return Place{r.Loop.scan, k}, ok
}

// recovered reports that nothing failed.
func (r *LoopBody) recovered(failure any) bool {
	if _, ok := failure.(bodyError); !ok && failure != nil {
		panic(failure)
	}
	return failure == nil
}

// maxRecomputed is how many operations VectorOutside does again outside of a loop.
const maxRecomputed = 16

// VectorOutside returns an element of a node in all iterations, as Vector does, where it does not
// depend on carries, was kept or is not far from what was kept; None otherwise.
func (r *LoopBody) VectorOutside(ref graph.Ref) (all graph.Node) {
	defer func() {
		if !r.recovered(recover()) {
			all = graph.None
		}
	}()
	x := r.scalar(ref)
	if left := maxRecomputed; !r.nearOutside(x, &left) {
		return graph.None
	}
	return r.vector(x)
}

// nearOutside reports whether a node is made by few operations of what is known in all iterations.
func (r *LoopBody) nearOutside(x graph.Node, left *int) bool {
	if _, ok := r.All[x]; ok || r.reach(x) != onCarries {
		return true
	}
	n := r.g.At(x)
	if *left--; *left < 0 || n.Kind != graph.KindMap {
		return false
	}
	for _, y := range n.In() {
		if !r.nearOutside(y, left) {
			return false
		}
	}
	return true
}
