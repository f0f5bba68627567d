// Copies of trees with some of their expressions replaced.

package pass

import "github.com/seed-12b88e03/ppl/ir"

// A rewriter copies trees. expr is asked for each expression, outermost first, and returns
// what to put in its place, or nil to go on inside; place, which may be nil, changes what
// is assigned to, after its indices were rewritten.
type rewriter struct {
	expr    func(ir.Expr) ir.Expr
	place   func(*ir.Place)
	declare func(*ir.Var) *ir.Var // what is declared instead; may be nil
}

// X rewrites an expression; nil stays nil.
func (r *rewriter) x(x ir.Expr) ir.Expr {
	if x == nil {
		return nil
	}
	if y := r.expr(x); y != nil {
		return y
	}
	switch x := x.(type) {
	case *ir.Call:
		y := *x
		y.Args = r.xs(x.Args)
		return &y
	case *ir.UserCall:
		y := *x
		y.Args = r.xs(x.Args)
		return &y
	case *ir.Promote:
		return &ir.Promote{Node: x.Node, X: r.x(x.X)}
	case *ir.Index:
		return &ir.Index{Node: x.Node, X: r.x(x.X), Indices: r.indices(x.Indices)}
	case *ir.Field:
		return &ir.Field{Node: x.Node, X: r.x(x.X), I: x.I}
	case *ir.Array:
		return &ir.Array{Node: x.Node, Elems: r.xs(x.Elems)}
	case *ir.Row:
		return &ir.Row{Node: x.Node, Elems: r.xs(x.Elems)}
	case *ir.Tuple:
		return &ir.Tuple{Node: x.Node, Elems: r.xs(x.Elems)}
	case *ir.Cond:
		return &ir.Cond{Node: x.Node, Test: r.x(x.Test), Then: r.x(x.Then), Else: r.x(x.Else)}
	case *ir.Logic:
		return &ir.Logic{Node: x.Node, Or: x.Or, L: r.x(x.L), R: r.x(x.R)}
	}
	return x
}

func (r *rewriter) xs(list []ir.Expr) []ir.Expr {
	out := make([]ir.Expr, len(list))
	for i, x := range list {
		out[i] = r.x(x)
	}
	return out
}

func (r *rewriter) indices(list []ir.IndexArg) []ir.IndexArg {
	if list == nil {
		return nil
	}
	out := make([]ir.IndexArg, len(list))
	for i, a := range list {
		out[i] = ir.IndexArg{Kind: a.Kind, Lo: r.x(a.Lo), Hi: r.x(a.Hi)}
	}
	return out
}

func (r *rewriter) to(p ir.Place) ir.Place {
	path := make([]ir.Access, len(p.Path))
	for i, a := range p.Path {
		path[i] = ir.Access{Indices: r.indices(a.Indices), Field: a.Field}
	}
	p.Path = path
	if r.place != nil {
		r.place(&p)
	}
	return p
}

func (r *rewriter) unpack(to []ir.UnpackTo) []ir.UnpackTo {
	out := make([]ir.UnpackTo, len(to))
	for i, u := range to {
		out[i] = ir.UnpackTo{Nested: r.unpack(u.Nested), T: u.T}
		if u.Place != nil {
			p := r.to(*u.Place)
			out[i].Place = &p
		}
	}
	return out
}

func (r *rewriter) stmts(body []ir.Stmt) []ir.Stmt {
	out := make([]ir.Stmt, len(body))
	for i, s := range body {
		out[i] = r.stmt(s)
	}
	return out
}

// stmt rewrites a statement. Sizes in declarations stay as they are but where declare changes them: what is replaced
// must not occur there.
func (r *rewriter) stmt(s ir.Stmt) ir.Stmt {
	switch s := s.(type) {
	case *ir.Declare:
		v := s.Var
		if r.declare != nil {
			v = r.declare(v)
		}
		return &ir.Declare{At: s.At, Var: v, Init: r.x(s.Init)}
	case *ir.Assign:
		return &ir.Assign{At: s.At, To: r.to(s.To), X: r.x(s.X)}
	case *ir.Unpack:
		return &ir.Unpack{At: s.At, To: r.unpack(s.To), X: r.x(s.X)}
	case *ir.TargetAdd:
		return &ir.TargetAdd{At: s.At, X: r.x(s.X), Jacobian: s.Jacobian}
	case *ir.Sample:
		return r.sample(s)
	case *ir.Eval:
		return &ir.Eval{At: s.At, X: r.x(s.X)}
	case *ir.Block:
		return &ir.Block{At: s.At, Body: r.stmts(s.Body), Profile: s.Profile}
	case *ir.If:
		return &ir.If{At: s.At, Test: r.x(s.Test), Then: r.stmts(s.Then), Else: r.stmts(s.Else)}
	case *ir.For:
		return &ir.For{At: s.At, Var: s.Var, Lo: r.x(s.Lo), Hi: r.x(s.Hi), Body: r.stmts(s.Body)}
	case *ir.ForEach:
		return &ir.ForEach{At: s.At, Var: s.Var, X: r.x(s.X), Body: r.stmts(s.Body)}
	case *ir.While:
		return &ir.While{At: s.At, Test: r.x(s.Test), Body: r.stmts(s.Body)}
	case *ir.Return:
		return &ir.Return{At: s.At, X: r.x(s.X)}
	case *ir.Print:
		return &ir.Print{At: s.At, Kind: s.Kind, Args: r.xs(s.Args)}
	}
	return s
}

func (r *rewriter) sample(s *ir.Sample) ir.Stmt {
	out := &ir.Sample{At: s.At, Density: r.x(s.Density)}
	if s.Trunc != nil {
		t := *s.Trunc
		t.Lo, t.Hi = r.x(t.Lo), r.x(t.Hi)
		out.Trunc = &t
	}
	return out
}

// Replace copies statements with what expr gives for an expression in its place, and goes on inside where that is nil.
// Sizes in declarations stay as they are.
func Replace(body []ir.Stmt, expr func(ir.Expr) ir.Expr) []ir.Stmt {
	return (&rewriter{expr: expr}).stmts(body)
}

// ReplaceIn is Replace for an expression; nil stays nil.
func ReplaceIn(x ir.Expr, expr func(ir.Expr) ir.Expr) ir.Expr { return (&rewriter{expr: expr}).x(x) }

// substitute replaces variables by expressions.
func substitute(x ir.Expr, by map[*ir.Var]ir.Expr) ir.Expr {
	r := rewriter{expr: func(x ir.Expr) ir.Expr {
		if ref, ok := x.(*ir.Ref); ok {
			return by[ref.Var]
		}
		return nil
	}}
	return r.x(x)
}
