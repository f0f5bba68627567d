// Where the numbers of a round are when it is closed.

package autodiff

// A Place is where a number of a graph is that a check looks at: a node or, of a round, an
// operation within its loop.
type Place struct {
	Node Node
	op   int32 // of the scan that Node is; -1 for the node itself
}

// At is the place of a node.
func At(x Node) Place { return Place{x, -1} }

// Place finds an element of a node of the round, in all rounds. The round must be closed;
// false where nothing of what it leaves needs the number.
func (r *Round) Place(ref Ref) (p Place, ok bool) {
	defer func() { ok = r.recovered(recover()) && ok }()
	x := r.scalar(ref)
	if r.reach(x) == onNothing {
		return At(x), true
	}
	if v, ok := r.all[x]; ok {
		return At(v), true
	}
	k, ok := r.ops[x]
	return Place{r.scan, k}, ok
}

// recovered says that nothing failed.
func (r *Round) recovered(failure any) bool {
	if _, ok := failure.(roundError); !ok && failure != nil {
		panic(failure)
	}
	return failure == nil
}

// Apart gives an element of a node in all rounds, as Vector does, where it does not depend on
// what rounds hand on or was kept; None otherwise.
func (r *Round) Apart(ref Ref) (all Node) {
	defer func() {
		if !r.recovered(recover()) {
			all = None
		}
	}()
	x := r.scalar(ref)
	if _, ok := r.all[x]; !ok && r.reach(x) == onCarries {
		return None
	}
	return r.vector(x)
}

// NaNAt says whether it shows when a number at a place is NaN.
func (s *Sight) NaNAt(p Place) bool {
	if p.op < 0 {
		return s.NaN(p.Node)
	}
	ops := s.loops[p.Node]
	return ops != nil && ops[p.op]
}

// NotFiniteAt says whether it shows when a number at a place is infinite or NaN.
func (s *Sight) NotFiniteAt(p Place) bool { return p.op < 0 && s.NotFinite(p.Node) }
