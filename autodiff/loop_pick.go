// Choices among numbers of an iteration, by what is known of its data.

package autodiff

// A choice is a placeholder for one of several numbers of the iteration.
type choice struct {
	refs  []Ref
	nodes []Node // refs as nodes of length 1, when they are known
	at    []int32
}

// Pick makes the placeholder of a number that is refs[at[t]] in iteration t, from 0.
func (r *LoopBody) Pick(refs []Ref, at []int32) Node {
	active, nonneg := false, true
	for _, ref := range refs {
		n := r.g.at(ref.Node)
		active, nonneg = active || n.active, nonneg && n.nonneg
	}
	x := r.g.placeholder(active, nonneg)
	r.picks[x] = &choice{refs: refs, at: at}
	return x
}

// Iterations is how many there are.
func (r *LoopBody) Iterations() int { return r.n }

// VectorEarly returns an element of a node in all iterations before the iteration is closed: a
// vector of their number, or a node of length 1 where it is the same in all. False where it depends
// on what iterations leave for the next, or cannot be done in many iterations at once.
func (r *LoopBody) VectorEarly(ref Ref) (v Node, ok bool) {
	if r.reach(ref.Node) == onCarries {
		return None, false
	}
	defer func() {
		switch e := recover().(type) {
		case nil:
		case bodyError:
			v, ok = None, false
		default:
			panic(e)
		}
	}()
	return r.Vector(ref), true
}

// Known returns what an element of a node is in all iterations, where that is data: one number
// where it is the same in all.
func (r *LoopBody) Known(ref Ref) ([]float64, bool) {
	ref = r.g.resolve(ref)
	x, n := ref.Node, r.g.at(ref.Node)
	switch n.kind {
	case kindConst:
		return n.data[min(int(ref.Elem), n.len()-1):][:1], true
	case kindPlaceholder:
		source, ok := r.all[x]
		if !ok || r.g.at(source).kind != kindConst {
			return nil, false
		}
		return r.g.at(source).data, true
	case kindMap:
		size, in := 1, make([][]float64, len(n.in()))
		for k, y := range n.in() {
			var ok bool
			if in[k], ok = r.Known(Ref{y, ref.Elem}); !ok {
				return nil, false
			}
			size = max(size, len(in[k]))
		}
		out := make([]float64, size)
		applyOp(n.op, out, in)
		return out, true
	}
	return nil, false
}

// picked returns what a choice is in all iterations.
func (r *LoopBody) picked(p *choice) Node {
	all, _ := r.vectors(p.nodes)
	refs := make([]Ref, r.n)
	for t, k := range p.at {
		refs[t] = Ref{Node: all[k]}
		if r.g.Len(all[k]) > 1 {
			refs[t].Elem = int32(t)
		}
	}
	return r.g.Gather(refs)
}
