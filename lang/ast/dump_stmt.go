package ast

// This file prints statements and directives as s-expressions.

import "strconv"

func (d *dumper) stmts(list []Stmt) {
	for _, s := range list {
		d.stmt(s)
	}
}

// leaf writes a statement that fits on its line.
func (d *dumper) leaf(head string, xs ...Expr) {
	d.open(head)
	d.exprs(xs)
	d.close()
}

// nest writes a statement with others inside.
func (d *dumper) nest(head string, xs []Expr, inside ...Stmt) {
	d.open(head)
	d.exprs(xs)
	d.stmts(inside)
	d.close()
}

func (d *dumper) stmt(s Stmt) {
	switch s := s.(type) {
	case *Decl:
		d.decl(s)
	case *Assign:
		d.leaf(string(s.Op), s.LHS, s.RHS)
	case *Sample:
		d.sample(s)
	case *TargetAdd:
		if s.Jacobian {
			d.leaf("jacobian+=", s.X)
		} else {
			d.leaf("target+=", s.X)
		}
	case *CallStmt:
		d.leaf("do", s.Call)
	case *If:
		d.ifStmt(s)
	case *For:
		d.nest("for", []Expr{s.Var, s.Lo, s.Hi}, s.Body)
	case *ForEach:
		d.nest("foreach", []Expr{s.Var, s.X}, s.Body)
	case *While:
		d.nest("while", []Expr{s.Cond}, s.Body)
	case *Break:
		d.leaf("break")
	case *Continue:
		d.leaf("continue")
	case *Return:
		if s.X == nil {
			d.leaf("return")
		} else {
			d.leaf("return", s.X)
		}
	case *Print:
		d.leaf([...]string{"print", "reject", "fatal_error"}[s.Kind], s.Args...)
	case *Profile:
		d.profile(s)
	case *BlockStmt:
		d.nest("block", nil, s.Body...)
	case *Empty:
		d.leaf("empty")
	case *Bad:
		d.leaf("bad")
	}
}

func (d *dumper) decl(s *Decl) {
	d.open("declare ")
	d.ident(s.Name)
	d.WriteByte(' ')
	d.typ(s.Type)
	if s.Init != nil {
		d.exprs([]Expr{s.Init})
	}
	d.close()
}

func (d *dumper) sample(s *Sample) {
	d.open("~")
	d.exprs([]Expr{s.X})
	d.WriteByte(' ')
	d.call(&Call{Name: s.Dist, Args: s.Args})
	if s.Trunc != nil {
		d.WriteByte(' ')
		d.list("truncate", s.Trunc.Lo, s.Trunc.Hi)
	}
	d.close()
}

func (d *dumper) ifStmt(s *If) {
	if s.Else == nil {
		d.nest("if", []Expr{s.Cond}, s.Then)
		return
	}
	d.nest("if", []Expr{s.Cond}, s.Then, s.Else)
}

func (d *dumper) profile(s *Profile) {
	name := ""
	if s.Name != nil {
		name = s.Name.Value
	}
	d.nest("profile "+strconv.Quote(name), nil, s.Body...)
}

func (d *dumper) inference(b *Inference) {
	d.open("inference")
	for _, item := range b.Items {
		if item.Name == nil {
			d.open("diagnose ")
		} else {
			d.open("= " + item.Name.Name + " ")
		}
		d.method(item.Method)
		d.close()
	}
	d.close()
}

func (d *dumper) method(m *Method) {
	if m == nil {
		d.WriteString("nil")
		return
	}
	if !m.Called && m.Swap == nil {
		d.ident(m.Name)
		return
	}
	d.WriteString("(")
	d.ident(m.Name)
	for _, a := range m.Args {
		d.WriteByte(' ')
		if a.Name != nil {
			d.WriteString(a.Name.Name + "=")
		}
		d.value(a.Value)
	}
	if m.Swap != nil {
		d.depth++
		if g := m.Swap.Grid; g != nil {
			d.WriteString(" for ")
			d.ident(g.Var)
			for _, x := range g.Values {
				d.WriteByte(' ')
				d.expr(x)
			}
		}
		for _, s := range m.Swap.Priors {
			d.stmt(s)
		}
		d.depth--
	}
	d.WriteByte(')')
}

func (d *dumper) value(v Value) {
	switch v := v.(type) {
	case *StringValue:
		d.WriteString(strconv.Quote(v.Text))
	case *BoolValue:
		d.WriteString(strconv.FormatBool(v.On))
	case *ListValue:
		d.WriteString("[")
		for i, e := range v.Elems {
			if i > 0 {
				d.WriteByte(' ')
			}
			d.value(e)
		}
		d.WriteString("]")
	case *PairValue:
		d.WriteString(v.Key.Name + ":")
		d.value(v.Value)
	case *MethodValue:
		d.method(v.Method)
	case *ExprValue:
		d.expr(v.X)
	}
}
