// Other ways to write the same: what a program spells out is put in the form that the
// generative reading knows.
//
//   - target += D_lpdf(x | p) - k * D_lccdf(a | p) is x ~ D(p) T[a, ], and likewise with
//     D_lcdf and with log_diff_exp of two of them.
//   - A sum of log priors that transformed parameters collect, as in lprior +=
//     D_lpdf(x | p), and that the model adds to the target, is added there term by term.

package graph

import (
	"strings"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// A rewriter makes the new statements.
type rewriter struct {
	sums   map[*ir.Var]bool   // the collecting variables
	counts map[*ir.Sample]int // how often a truncation's normaliser was subtracted
}

// rewrite returns the statements of transformed parameters and model in the known form.
func rewrite(p *ir.Program) (transformed, model []ir.Stmt, counts map[*ir.Sample]int) {
	r := &rewriter{sums: map[*ir.Var]bool{}, counts: map[*ir.Sample]int{}}
	for _, v := range p.TransformedParameters.Vars {
		if collects(p, v) {
			r.sums[v] = true
		}
	}
	return r.stmts(p.TransformedParameters.Body), r.stmts(p.Model), r.counts
}

// collects reports whether a transformed parameter starts at 0, is only ever added to, and
// is read by one statement of the model alone, which adds it to the target.
func collects(p *ir.Program, v *ir.Var) bool {
	if !v.Type.Equal(types.Real) {
		return false
	}
	reads, allowed, starts, ends, fits := 0, 0, false, 0, true
	see := func(n any) bool {
		switch n := n.(type) {
		case *ir.Ref:
			if n.Var == v {
				reads++
			}
		case *ir.Declare:
			if n.Var == v && n.Init != nil {
				x, ok := constant(n.Init)
				starts = ok && x == 0
			}
		case *ir.Assign:
			if n.To.Var == v {
				_, ok := added(n, v)
				fits = fits && ok
				allowed++
			}
		case *ir.Unpack:
			ir.Places(n.To, func(q *ir.Place) { fits = fits && q.Var != v })
		}
		return true
	}
	ir.Inspect(p.TransformedParameters.Body, see)
	ir.Inspect(p.Model, see)
	for _, s := range p.Model {
		if t, ok := s.(*ir.TargetAdd); ok && reads > 0 && only(t.X, v) && !t.Jacobian {
			ends++
		}
	}
	return starts && fits && ends == 1 && reads == allowed+1
}

// only reports whether an expression is the variable and nothing else.
func only(x ir.Expr, v *ir.Var) bool {
	if p, ok := x.(*ir.Promote); ok {
		x = p.X
	}
	return single(x) == v
}

// added returns what "v = v + x" adds.
func added(s *ir.Assign, v *ir.Var) (ir.Expr, bool) {
	x := s.X
	if p, ok := x.(*ir.Promote); ok {
		x = p.X
	}
	c, ok := x.(*ir.Call)
	if !ok || c.Fn.BuiltinName() != "add" || len(s.To.Path) > 0 || !only(c.Args[0], v) {
		return nil, false
	}
	return c.Args[1], true
}

func (r *rewriter) stmts(body []ir.Stmt) []ir.Stmt { return ir.Map(body, r.stmt) }

func (r *rewriter) stmt(s ir.Stmt) []ir.Stmt {
	switch s := s.(type) {
	case *ir.Assign:
		if r.sums[s.To.Var] {
			x, _ := added(s, s.To.Var)
			return r.target(&ir.TargetAdd{At: s.At, X: x})
		}
	case *ir.TargetAdd:
		return r.target(s)
	}
	return []ir.Stmt{ir.WithBodies(s, r.stmts)}
}

// target takes normalisers out of "target +=" and drops sums that were added before.
func (r *rewriter) target(s *ir.TargetAdd) []ir.Stmt {
	if s.Jacobian {
		return []ir.Stmt{s}
	}
	for v := range r.sums {
		if only(s.X, v) {
			return nil
		}
	}
	x, samples := r.truncations(s.X)
	out := make([]ir.Stmt, 0, len(samples)+1)
	for _, t := range samples {
		t.At = s.At
		out = append(out, t)
	}
	if x != nil {
		c := *s
		c.X = x
		out = append(out, &c)
	}
	return out
}

// truncations finds densities whose normaliser is subtracted, and returns what is left of
// the expression; nil for nothing.
func (r *rewriter) truncations(x ir.Expr) (rest ir.Expr, found []*ir.Sample) {
	c, ok := x.(*ir.Call)
	if !ok || len(c.Args) != 2 || x.Type().Rank() > 0 {
		return x, nil
	}
	switch c.Fn.BuiltinName() {
	case "add":
		a, fa := r.truncations(c.Args[0])
		b, fb := r.truncations(c.Args[1])
		found = append(fa, fb...)
		switch {
		case len(found) == 0:
			return x, nil
		case a == nil:
			return b, found
		case b == nil:
			return a, found
		}
		n := *c
		n.Args = []ir.Expr{a, b}
		return &n, found
	case "subtract":
		if s := r.truncation(c.Args[0], c.Args[1]); s != nil {
			return nil, []*ir.Sample{s}
		}
		// (others + density) - normaliser
		if sum, ok := c.Args[0].(*ir.Call); ok && sum.Fn.BuiltinName() == "add" {
			if s := r.truncation(sum.Args[1], c.Args[1]); s != nil {
				rest, found = r.truncations(sum.Args[0])
				return rest, append(found, s)
			}
		}
	}
	return x, nil
}

// truncation reads a density and a subtracted multiple of its normaliser as a
// truncated distribution; nil where they are not that.
func (r *rewriter) truncation(density, normaliser ir.Expr) *ir.Sample {
	d, ok := density.(*ir.Call)
	if !ok || !strings.HasSuffix(d.Fn.BuiltinName(), "_lpdf") {
		return nil
	}
	times := 1.0
	if c, ok := normaliser.(*ir.Call); ok && c.Fn.BuiltinName() == "multiply" {
		if k, isConst := constant(c.Args[0]); isConst {
			times, normaliser = k, c.Args[1]
		}
	}
	t := &ir.Truncation{}
	if !boundOf(d, normaliser, t) {
		c, ok := normaliser.(*ir.Call)
		if !ok || c.Fn.BuiltinName() != "log_diff_exp" {
			return nil
		}
		var below ir.Truncation
		if !boundOf(d, c.Args[0], t) || !boundOf(d, c.Args[1], &below) || t.Hi == nil || below.Hi == nil {
			return nil
		}
		t.Lo = below.Hi
	}
	s := &ir.Sample{Density: density, Trunc: t}
	r.counts[s] = int(times)
	return s
}

// boundOf reads D_lccdf(a | p) as a lower bound, D_lcdf(b | p) as an upper one, of the
// same distribution with the same parameters.
func boundOf(d *ir.Call, x ir.Expr, t *ir.Truncation) bool {
	c, ok := x.(*ir.Call)
	if !ok || len(c.Args) != len(d.Args) {
		return false
	}
	stem := strings.TrimSuffix(d.Fn.BuiltinName(), "_lpdf")
	for i := 1; i < len(c.Args); i++ {
		if !sameText(c.Args[i].Span(), d.Args[i].Span()) {
			return false
		}
	}
	switch c.Fn.BuiltinName() {
	case stem + "_lccdf":
		t.Lo = c.Args[0]
	case stem + "_lcdf":
		t.Hi = c.Args[0]
	default:
		return false
	}
	return true
}

// sameText compares expressions as they are written, blanks aside.
func sameText(a, b source.Span) bool {
	plain := func(s source.Span) string { return strings.Join(strings.Fields(s.Text()), "") }
	return !a.IsZero() && !b.IsZero() && plain(a) == plain(b)
}
