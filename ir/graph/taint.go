// What values depend on: parameters, observations, and the data they come from.

package graph

import "github.com/seed-12b88e03/ppl/ir"

// origin says what goes into a value.
type origin uint8

const (
	fromParameter origin = 1 << iota
	fromObserved
)

func (o origin) has(what origin) bool { return o&what != 0 }

// taint knows what each variable outside functions depends on, over all its
// assignments.
type taint struct {
	origins  map[*ir.Var]origin
	observer map[*ir.Var]bool
	// sources are the variables whose values go into those of transformed data; indices,
	// sizes and conditions do not count.
	sources map[*ir.Var]map[*ir.Var]bool
}

func newTaint(p *ir.Program, observations map[*ir.Var]bool) *taint {
	t := &taint{origins: map[*ir.Var]origin{}, observer: observations, sources: map[*ir.Var]map[*ir.Var]bool{}}
	for _, v := range p.Parameters {
		t.origins[v] = fromParameter
	}
	for v := range observations {
		t.origins[v] = fromObserved
	}
	for t.pass(p.TransformedData.Body, 0) {
	}
	for t.pass(p.TransformedParameters.Body, 0) || t.pass(p.Model, 0) {
	}
	for t.collect(p.TransformedData.Body) {
	}
	return t
}

func (t *taint) ofVar(v *ir.Var) origin { return t.origins[v] }

// of is what an expression depends on.
func (t *taint) of(x ir.Expr) origin {
	var o origin
	ir.InspectExpr(x, func(n any) bool {
		if r, ok := n.(*ir.Ref); ok {
			o |= t.origins[r.Var]
		}
		return true
	})
	return o
}

// observed says whether an observation goes into an expression.
func (t *taint) observed(x ir.Expr) bool { return t.of(x).has(fromObserved) }

// pass spreads origins through assignments once, and says whether anything changed;
// under is what the conditions around depend on.
func (t *taint) pass(body []ir.Stmt, under origin) bool {
	changed := false
	add := func(v *ir.Var, o origin) {
		if o |= under; t.origins[v]|o != t.origins[v] {
			t.origins[v] |= o
			changed = true
		}
	}
	for _, s := range body {
		switch s := s.(type) {
		case *ir.Declare:
			add(s.Var, t.of(s.Init))
		case *ir.Assign:
			add(s.To.Var, t.of(s.X))
		case *ir.Unpack:
			o := t.of(s.X)
			places(s.To, func(p *ir.Place) { add(p.Var, o) })
		case *ir.Block:
			changed = t.pass(s.Body, under) || changed
		case *ir.If:
			o := under | t.of(s.Test)
			changed = t.pass(s.Then, o) || changed
			changed = t.pass(s.Else, o) || changed
		case *ir.For:
			changed = t.pass(s.Body, under|t.of(s.Lo)|t.of(s.Hi)) || changed
		case *ir.ForEach:
			add(s.Var, t.of(s.X))
			changed = t.pass(s.Body, under) || changed
		case *ir.While:
			changed = t.pass(s.Body, under|t.of(s.Test)) || changed
		}
	}
	return changed
}

// collect spreads sources through the assignments of transformed data once.
func (t *taint) collect(body []ir.Stmt) bool {
	changed := false
	add := func(v *ir.Var, x ir.Expr) {
		if t.sources[v] == nil {
			t.sources[v] = map[*ir.Var]bool{}
		}
		values(x, func(w *ir.Var) {
			for _, u := range append(keys(t.sources[w]), w) {
				if u != v && !t.sources[v][u] {
					t.sources[v][u] = true
					changed = true
				}
			}
		})
	}
	ir.Inspect(body, func(n any) bool {
		switch s := n.(type) {
		case *ir.Declare:
			add(s.Var, s.Init)
		case *ir.Assign:
			add(s.To.Var, s.X)
		case *ir.Unpack:
			places(s.To, func(p *ir.Place) { add(p.Var, s.X) })
		case *ir.ForEach:
			add(s.Var, s.X)
		}
		return true
	})
	return changed
}

func keys(m map[*ir.Var]bool) []*ir.Var {
	out := make([]*ir.Var, 0, len(m))
	for v := range m {
		out = append(out, v)
	}
	return out
}

// values visits the variables whose numbers go into an expression; those in indices,
// and arguments that are sizes, only say which.
func values(x ir.Expr, visit func(*ir.Var)) {
	ir.InspectExpr(x, func(n any) bool {
		switch n := n.(type) {
		case *ir.Index:
			values(n.X, visit)
			return false
		case *ir.Call:
			switch n.Fn.BuiltinName() {
			case "size", "num_elements", "rows", "cols", "dims":
				return false
			}
			if k := rearranged(n); k > 0 {
				for _, a := range n.Args[:k] {
					values(a, visit)
				}
				return false
			}
		case *ir.Cond:
			values(n.Then, visit)
			values(n.Else, visit)
			return false
		case *ir.Ref:
			visit(n.Var)
		}
		return true
	})
}
