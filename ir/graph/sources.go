// Which data values of transformed data come from.

package graph

import "github.com/seed-12b88e03/ppl/ir"

// sourcesOf returns the variables whose values go into those of transformed data; indices,
// sizes and conditions do not count.
func sourcesOf(p *ir.Program) sources {
	t := sources{}
	for t.collect(p.TransformedData.Body) {
	}
	return t
}

// sources are the variables that go into the values of a variable.
type sources map[*ir.Var]map[*ir.Var]bool

// collect spreads sources through the assignments of transformed data once.
func (t sources) collect(body []ir.Stmt) bool {
	changed := false
	assignments(body, func(v *ir.Var, x ir.Expr) {
		if t[v] == nil {
			t[v] = map[*ir.Var]bool{}
		}
		values(x, func(w *ir.Var) {
			for _, u := range append(keys(t[w]), w) {
				if u != v && !t[v][u] {
					t[v][u] = true
					changed = true
				}
			}
		})
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
