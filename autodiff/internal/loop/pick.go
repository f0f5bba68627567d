// Choices among numbers of an iteration, by what is known of its data.

package loop

import "github.com/seed-12b88e03/ppl/autodiff/internal/graph"

// A choice is a placeholder for one of several numbers of the iteration.
type choice struct {
	refs  []graph.Ref
	nodes []graph.Node // refs as nodes of length 1, when they are known
	at    []int32
}

// Pick makes the placeholder of a number that is refs[at[t]] in iteration t, from 0.
func (r *LoopBody) Pick(refs []graph.Ref, at []int32) graph.Node {
	active, nonneg := false, true
	for _, ref := range refs {
		n := r.g.At(ref.Node)
		active, nonneg = active || n.Active, nonneg && n.Nonneg
	}
	x := placeholder(r.g, active, nonneg)
	r.picks[x] = &choice{refs: refs, at: at}
	return x
}

// Iterations is how many there are.
func (r *LoopBody) Iterations() int { return r.N }

// VectorEarly returns an element of a node in all iterations before the iteration is closed: a
// vector of their number, or a node of length 1 where it is the same in all. False where it depends
// on what iterations leave for the next, or cannot be done in many iterations at once.
func (r *LoopBody) VectorEarly(ref graph.Ref) (v graph.Node, ok bool) {
	if r.reach(ref.Node) == onCarries {
		return graph.None, false
	}
	defer func() {
		switch e := recover().(type) {
		case nil:
		case bodyError:
			v, ok = graph.None, false
		default:
			panic(e)
		}
	}()
	return r.Vector(ref), true
}

// Known returns what an element of a node is in all iterations, where that is data: one number
// where it is the same in all.
func (r *LoopBody) Known(ref graph.Ref) ([]float64, bool) {
	ref = r.g.Resolve(ref)
	x, n := ref.Node, r.g.At(ref.Node)
	switch n.Kind {
	case graph.KindConst:
		return n.Data[min(int(ref.Elem), n.Len()-1):][:1], true
	case graph.KindPlaceholder:
		source, ok := r.All[x]
		if !ok || r.g.At(source).Kind != graph.KindConst {
			return nil, false
		}
		return r.g.At(source).Data, true
	case graph.KindMap:
		size, in := 1, make([][]float64, len(n.In()))
		for k, y := range n.In() {
			var ok bool
			if in[k], ok = r.Known(graph.Ref{Node: y, Elem: ref.Elem}); !ok {
				return nil, false
			}
			size = max(size, len(in[k]))
		}
		out := make([]float64, size)
		graph.ApplyOp(n.Op, out, in)
		return out, true
	}
	return nil, false
}

// picked returns what a choice is in all iterations.
func (r *LoopBody) picked(p *choice) graph.Node {
	all, _ := r.vectors(p.nodes)
	refs := make([]graph.Ref, r.N)
	for t, k := range p.at {
		refs[t] = graph.Ref{Node: all[k]}
		if r.g.Len(all[k]) > 1 {
			refs[t].Elem = int32(t)
		}
	}
	return r.g.Gather(refs)
}
