// Walking over trees.

package ir

// Inspect calls visit for every statement and expression below, parents first; what
// visit returns false for is not entered. Functions called are not followed.
func Inspect(body []Stmt, visit func(any) bool) {
	w := walker(visit)
	w.stmts(body)
}

// InspectExpr is Inspect for an expression; a nil one has nothing to visit.
func InspectExpr(x Expr, visit func(any) bool) { walker(visit).expr(x) }

// InspectShape is Inspect for the sizes and bounds of a declaration; a nil one has none.
func InspectShape(s *Shape, visit func(any) bool) { walker(visit).shape(s) }

// Any reports whether a statement or expression below satisfies test, which is not asked again once
// one does.
func Any(body []Stmt, test func(any) bool) bool {
	found := false
	Inspect(body, func(n any) bool {
		found = found || test(n)
		return !found
	})
	return found
}

// AnyIn is Any for an expression, which may be nil.
func AnyIn(x Expr, test func(any) bool) bool {
	found := false
	InspectExpr(x, func(n any) bool {
		found = found || test(n)
		return !found
	})
	return found
}

// ReadsAny reports whether an expression, which may be nil, reads a variable that satisfies test.
func ReadsAny(x Expr, test func(*Var) bool) bool {
	return AnyIn(x, func(n any) bool {
		r, ok := n.(*Ref)
		return ok && test(r.Var)
	})
}

// Reads reports whether an expression, which may be nil, reads a variable.
func Reads(x Expr, v *Var) bool { return ReadsAny(x, func(w *Var) bool { return w == v }) }

// Places visits the targets of an Unpack.
func Places(to []UnpackTo, visit func(*Place)) {
	for i := range to {
		if to[i].Place != nil {
			visit(to[i].Place)
		}
		Places(to[i].Nested, visit)
	}
}

// Assignments visits the places that statements assign to, with the expressions that their values come from.
func Assignments(body []Stmt, visit func(to *Place, x Expr)) {
	Inspect(body, func(n any) bool {
		switch s := n.(type) {
		case *Assign:
			visit(&s.To, s.X)
		case *Unpack:
			Places(s.To, func(p *Place) { visit(p, s.X) })
		}
		return true
	})
}

// Map returns what f makes of each statement of a list, one after the other; nil for nil.
func Map(list []Stmt, f func(Stmt) []Stmt) []Stmt {
	if list == nil {
		return nil
	}
	out := make([]Stmt, 0, len(list))
	for _, s := range list {
		out = append(out, f(s)...)
	}
	return out
}

// WithBodies returns a copy of a statement with what f makes of each list of statements inside it. A
// statement that has none inside is returned itself.
func WithBodies(s Stmt, f func([]Stmt) []Stmt) Stmt {
	switch s := s.(type) {
	case *Block:
		c := *s
		c.Body = f(s.Body)
		return &c
	case *If:
		c := *s
		c.Then, c.Else = f(s.Then), f(s.Else)
		return &c
	case *For:
		c := *s
		c.Body = f(s.Body)
		return &c
	case *ForEach:
		c := *s
		c.Body = f(s.Body)
		return &c
	case *While:
		c := *s
		c.Body = f(s.Body)
		return &c
	}
	return s
}

type walker func(any) bool

func (w walker) stmts(body []Stmt) {
	for _, s := range body {
		w.stmt(s)
	}
}

func (w walker) stmt(s Stmt) {
	if !w(s) {
		return
	}
	switch s := s.(type) {
	case *Declare:
		w.shape(s.Var.Decl)
		w.expr(s.Init)
	case *Assign:
		w.place(&s.To)
		w.expr(s.X)
	case *Unpack:
		w.unpack(s.To)
		w.expr(s.X)
	case *TargetAdd:
		w.expr(s.X)
	case *Sample:
		w.expr(s.Density)
		if s.Trunc != nil {
			w.exprs(s.Trunc.Lo, s.Trunc.Hi)
		}
	case *Eval:
		w.expr(s.X)
	case *Block:
		w.stmts(s.Body)
	case *If:
		w.expr(s.Test)
		w.stmts(s.Then)
		w.stmts(s.Else)
	case *For:
		w.exprs(s.Lo, s.Hi)
		w.stmts(s.Body)
	case *ForEach:
		w.expr(s.X)
		w.stmts(s.Body)
	case *While:
		w.expr(s.Test)
		w.stmts(s.Body)
	case *Return:
		w.expr(s.X)
	case *Print:
		w.exprs(s.Args...)
	}
}

func (w walker) unpack(to []UnpackTo) {
	for i := range to {
		if to[i].Place != nil {
			w.place(to[i].Place)
		}
		w.unpack(to[i].Nested)
	}
}

func (w walker) place(p *Place) {
	for _, a := range p.Path {
		w.indices(a.Indices)
	}
}

func (w walker) shape(s *Shape) {
	if s == nil {
		return
	}
	w.exprs(s.Sizes...)
	if s.Constraint != nil {
		w.exprs(s.Constraint.Args...)
	}
	for _, f := range s.Fields {
		w.shape(f)
	}
}

func (w walker) indices(list []IndexArg) {
	for i := range list {
		w.exprs(list[i].Lo, list[i].Hi)
	}
}

func (w walker) exprs(xs ...Expr) {
	for _, x := range xs {
		w.expr(x)
	}
}

func (w walker) expr(x Expr) {
	if x == nil || !w(x) {
		return
	}
	switch x := x.(type) {
	case *Call:
		w.exprs(x.Args...)
	case *UserCall:
		w.exprs(x.Args...)
	case *Promote:
		w.expr(x.X)
	case *Index:
		w.expr(x.X)
		w.indices(x.Indices)
	case *Field:
		w.expr(x.X)
	case *Array:
		w.exprs(x.Elems...)
	case *Row:
		w.exprs(x.Elems...)
	case *Tuple:
		w.exprs(x.Elems...)
	case *Cond:
		w.exprs(x.Test, x.Then, x.Else)
	case *Logic:
		w.exprs(x.L, x.R)
	}
}
