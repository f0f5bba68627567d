package ast

// This file prints trees as s-expressions: for ppl check --dump=ast, golden files and
// tests of precedence.

import (
	"strconv"
	"strings"
)

// Dump returns the whole program, one block, declaration, statement or directive a line,
// with nested ones indented. Places and parentheses are left out.
func Dump(prog *Program) string {
	d := &dumper{}
	if f := prog.Functions; f != nil {
		d.open("functions")
		for _, fn := range f.Functions {
			d.function(fn)
		}
		d.close()
	}
	for _, b := range []*Block{prog.Data, prog.TransformedData, prog.Parameters, prog.TransformedParameters,
		prog.Model, prog.GeneratedQuantities, prog.Simulate} {
		if b != nil {
			d.open(strings.ReplaceAll(b.Kind.String(), " ", "-"))
			d.stmts(b.Body)
			d.close()
		}
	}
	if prog.Inference != nil {
		d.inference(prog.Inference)
	}
	return d.String() + "\n"
}

// DumpExpr returns one expression.
func DumpExpr(x Expr) string {
	d := &dumper{}
	d.expr(x)
	return d.String()
}

// DumpMethod returns one method expression.
func DumpMethod(m *Method) string {
	d := &dumper{}
	d.method(m)
	return d.String()
}

// A dumper writes s-expressions; lists that hold statements go over several lines.
type dumper struct {
	strings.Builder
	depth int
}

// open begins a list on a line of its own.
func (d *dumper) open(head string) {
	if d.Len() > 0 {
		d.line()
	}
	d.WriteString("(" + head)
	d.depth++
}

func (d *dumper) close() {
	d.depth--
	d.WriteByte(')')
}

func (d *dumper) line() { d.WriteString("\n" + strings.Repeat("  ", d.depth)) }

// list writes (head x y ...), with nil for what is absent.
func (d *dumper) list(head string, xs ...Expr) {
	d.WriteString("(" + head)
	d.exprs(xs)
	d.WriteByte(')')
}

func (d *dumper) exprs(xs []Expr) {
	for _, x := range xs {
		d.WriteByte(' ')
		d.expr(x)
	}
}

func (d *dumper) expr(x Expr) {
	switch x := x.(type) {
	case nil:
		d.WriteString("nil")
	case *Ident:
		d.ident(x)
	case *IntLit:
		d.WriteString(x.Text)
	case *RealLit:
		d.WriteString(x.Text)
		if x.Imag {
			d.WriteByte('i')
		}
	case *StringLit:
		d.WriteString(strconv.Quote(x.Value))
	case *Paren:
		d.expr(x.X)
	case *Unary:
		d.list(string(x.Op), x.X)
	case *Postfix:
		d.list(string(x.Op), x.X)
	case *Binary:
		d.list(string(x.Op), x.L, x.R)
	case *Ternary:
		d.list("?", x.Cond, x.Then, x.Else)
	case *Call:
		d.call(x)
	case *Index:
		d.index(x)
	case *TupleGet:
		d.list("."+strconv.Itoa(x.Field), x.X)
	case *ArrayLit:
		d.list("array", x.Elems...)
	case *RowLit:
		d.list("row", x.Elems...)
	case *TupleLit:
		d.list("tuple", x.Elems...)
	}
}

func (d *dumper) ident(x *Ident) {
	if x == nil || x.Name == "" {
		d.WriteString("nil")
		return
	}
	d.WriteString(x.Name)
}

// call writes (call f x y), with | behind the first argument where it was written.
func (d *dumper) call(x *Call) {
	d.WriteString("(call ")
	d.ident(x.Name)
	for i, a := range x.Args {
		if x.Bar && i == 1 {
			d.WriteString(" |")
		}
		d.WriteByte(' ')
		d.expr(a)
	}
	d.WriteByte(')')
}

func (d *dumper) index(x *Index) {
	d.WriteString("(index ")
	d.expr(x.X)
	for _, a := range x.Indices {
		d.WriteByte(' ')
		switch a.Kind {
		case IndexAll:
			d.WriteByte(':')
		case IndexExpr:
			d.expr(a.Lo)
		case IndexRange:
			d.list(":", a.Lo, a.Hi)
		case IndexFrom:
			d.list("from", a.Lo)
		case IndexUpTo:
			d.list("upto", a.Hi)
		}
	}
	d.WriteByte(')')
}

// typ writes the type's name, or a list of its name, bounds and sizes; an array is
// (array sizes type), with a comma for each size that is not written.
func (d *dumper) typ(t *TypeExpr) {
	if t == nil {
		d.WriteString("void")
		return
	}
	if t.IsArray {
		d.WriteString("(array")
		if len(t.ArraySizes) == 0 {
			d.WriteString(" [" + strings.Repeat(",", max(t.ArrayDims-1, 0)) + "]")
		}
		d.exprs(t.ArraySizes)
		d.WriteByte(' ')
		defer d.WriteByte(')')
	}
	if len(t.Bounds)+len(t.Sizes)+len(t.Fields) == 0 {
		d.WriteString(t.Name)
		return
	}
	d.WriteString("(" + t.Name)
	for _, b := range t.Bounds {
		d.WriteByte(' ')
		d.list(b.Name, b.X)
	}
	d.exprs(t.Sizes)
	for _, f := range t.Fields {
		d.WriteByte(' ')
		d.typ(f)
	}
	d.WriteByte(')')
}

func (d *dumper) function(f *Function) {
	d.open("function ")
	d.ident(f.Name)
	d.WriteByte(' ')
	d.typ(f.Result)
	d.WriteString(" (")
	for i, p := range f.Params {
		if i > 0 {
			d.WriteByte(' ')
		}
		d.WriteByte('(')
		d.ident(p.Name)
		d.WriteByte(' ')
		if p.DataOnly {
			d.WriteString("data ")
		}
		d.typ(p.Type)
		d.WriteByte(')')
	}
	d.WriteByte(')')
	if f.Body != nil {
		d.stmts(f.Body.Body)
	} else {
		d.WriteString(" forward")
	}
	d.close()
}
