package format

// This file lays out expressions.

import (
	"strconv"

	"github.com/seed-12b88e03/ppl/lang/ast"
)

// expr returns an expression with the comments before it.
func (f *formatter) expr(x ast.Expr) doc {
	if at := x.Span(); at.File != f.file {
		f.foreign = at
	}
	lead := f.ahead(x.Span().Start)
	return seq{lead, f.bare(x)}
}

func (f *formatter) bare(x ast.Expr) doc {
	switch x := x.(type) {
	case *ast.Ident:
		return text(x.Name)
	case *ast.IntLit:
		return text(x.Text)
	case *ast.RealLit:
		if x.Imag {
			return text(x.Text + "i")
		}
		return text(x.Text)
	case *ast.StringLit:
		return text(`"` + x.Value + `"`)
	case *ast.Paren:
		return seq{text("("), f.expr(x.X), text(")")}
	case *ast.Unary:
		return seq{text(string(x.Op)), f.expr(x.X)}
	case *ast.Postfix:
		return seq{f.expr(x.X), text(string(x.Op))}
	case *ast.Binary:
		return f.binary(x)
	case *ast.Ternary:
		return group{seq{f.expr(x.Cond), nest{seq{f.between(x.Then.Span().Start), line{}, text("? "), f.expr(x.Then),
			f.between(x.Else.Span().Start), line{}, text(": "), f.expr(x.Else)}}}}
	case *ast.Call:
		return f.call(x)
	case *ast.Index:
		return f.index(x)
	case *ast.TupleGet:
		field := "." + strconv.Itoa(x.Field)
		switch x.X.(type) {
		case *ast.IntLit, *ast.RealLit:
			field = " " + field // or it would be part of the number
		}
		return seq{f.expr(x.X), text(field)}
	case *ast.ArrayLit:
		return f.literal("{", x.Elems, "}")
	case *ast.RowLit:
		return f.literal("[", x.Elems, "]")
	case *ast.TupleLit:
		return f.tuple(x)
	}
	return nil
}

// binary returns a chain of operators of one strength, with breaks before operators where
// the line is full. Chains are as long as their programs, so they are not recursed into.
func (f *formatter) binary(x *ast.Binary) doc {
	chain := []*ast.Binary{x}
	for {
		l, ok := chain[len(chain)-1].L.(*ast.Binary)
		if !ok || strength(l.Op) != strength(x.Op) {
			break
		}
		chain = append(chain, l)
	}
	out := fill{f.expr(chain[len(chain)-1].L)}
	for i := len(chain) - 1; i >= 0; i-- {
		b := chain[i]
		out = append(out, nest{seq{f.between(b.R.Span().Start), line{}}}, nest{seq{text(string(b.Op) + " "), f.expr(b.R)}})
	}
	return out
}

// strength ranks the classes of operators that are chained on one level.
func strength(op ast.Op) int {
	switch op {
	case "||":
		return 1
	case "&&":
		return 2
	case "==", "!=":
		return 3
	case "<", "<=", ">", ">=":
		return 4
	case "+", "-":
		return 5
	case "^", ".^":
		return 7
	}
	return 6
}

func (f *formatter) call(x *ast.Call) doc {
	args := f.elements(x.Args)
	if x.Bar {
		return seq{f.expr(x.Name), f.list("(", args, ")", "|")}
	}
	return seq{f.expr(x.Name), f.list("(", args, ")")}
}

func (f *formatter) args(args []ast.Expr) doc {
	return f.list("(", f.elements(args), ")")
}

// An element is a part of a list, and what writes it.
type element struct {
	start int
	write func() doc
}

func (f *formatter) elements(xs []ast.Expr) []element {
	out := make([]element, len(xs))
	for i, x := range xs {
		out[i] = element{x.Span().Start, func() doc { return f.expr(x) }}
	}
	return out
}

// list returns elements between brackets, all on one line or each on its own. The first
// separator may be another than a comma.
func (f *formatter) list(open string, elems []element, closing string, first ...string) doc {
	if len(elems) == 0 {
		return text(open + closing)
	}
	var inside seq
	for i, e := range elems {
		switch {
		case i == 0:
			inside = append(inside, f.between(e.start), soft{})
		case i == 1 && len(first) > 0:
			inside = append(inside, text(" "+first[0]), f.between(e.start), line{})
		default:
			inside = append(inside, text(","), f.between(e.start), line{})
		}
		inside = append(inside, e.write())
	}
	return group{seq{text(open), nest{inside}, soft{}, text(closing)}}
}

// literal returns the elements of an array or a row, as many on a line as fit.
func (f *formatter) literal(open string, elems []ast.Expr, closing string) doc {
	if len(elems) == 0 {
		return text(open + closing)
	}
	var out fill
	for i, x := range elems {
		if i > 0 {
			out = append(out, seq{f.between(x.Span().Start), line{}})
		}
		d := f.expr(x)
		if i < len(elems)-1 {
			d = seq{d, text(",")}
		}
		out = append(out, d)
	}
	return seq{text(open), nest{out}, text(closing)}
}

func (f *formatter) tuple(x *ast.TupleLit) doc {
	if len(x.Elems) == 1 {
		return seq{text("("), f.expr(x.Elems[0]), text(",)")}
	}
	return f.list("(", f.elements(x.Elems), ")")
}

// sizes returns the sizes of a declaration, as many on a line as fit.
func (f *formatter) sizes(xs []ast.Expr) doc {
	var out fill
	for i, x := range xs {
		if i > 0 {
			out = append(out, line{})
		}
		d := f.expr(x)
		if i < len(xs)-1 {
			d = seq{d, text(",")}
		}
		out = append(out, d)
	}
	return nest{out}
}

func (f *formatter) index(x *ast.Index) doc {
	out := seq{f.expr(x.X), text("[")}
	for i, a := range x.Indices {
		if i > 0 {
			out = append(out, text(", "))
		}
		switch a.Kind {
		case ast.IndexExpr:
			out = append(out, f.expr(a.Lo))
		case ast.IndexAll:
			if a.Loc.Text() == ":" {
				out = append(out, text(":"))
			}
		default:
			out = append(out, f.rangeOf(a.Lo, a.Hi))
		}
	}
	return append(out, text("]"))
}

// rangeOf returns lo:hi, with spaces around the colon where a side has an operator. Either
// side may be nil.
func (f *formatter) rangeOf(lo, hi ast.Expr) doc {
	_, a := lo.(*ast.Binary)
	_, b := hi.(*ast.Binary)
	var out seq
	if lo != nil {
		out = append(out, f.expr(lo))
	}
	if a || b {
		out = append(out, text(" : "))
	} else {
		out = append(out, text(":"))
	}
	if hi != nil {
		out = append(out, f.expr(hi))
	}
	return out
}
