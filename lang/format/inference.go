package format

// This file lays out the directives of the inference block.

import (
	"strconv"

	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/source"
)

func (f *formatter) inference(b *ast.Inference) doc {
	return seq{text("inference "), braced(items(f, b.Items,
		func(d ast.Directive) source.Span { return d.Loc }, f.directive, b.Loc.End))}
}

func (f *formatter) directive(d ast.Directive) doc {
	head := doc(text("diagnose "))
	if d.Name != nil {
		head = seq{f.expr(d.Name), text(" = ")}
	}
	if d.Method.Swap != nil {
		return seq{head, f.method(d.Method)}
	}
	return seq{head, f.method(d.Method), text(";")}
}

func (f *formatter) method(m *ast.Method) doc {
	out := seq{f.expr(m.Name)}
	if m.Called {
		args := make([]element, len(m.Args))
		for i, a := range m.Args {
			args[i] = element{a.Loc.Start, func() doc { return f.argument(a) }}
		}
		out = append(out, f.list("(", args, ")"))
	}
	if m.Swap == nil {
		return out
	}
	priors := items(f, m.Swap.Priors, ast.Stmt.Span, f.stmt, m.Swap.Loc.End)
	if g := m.Swap.Grid; g != nil {
		values := make([]element, len(g.Values))
		for i, x := range g.Values {
			values[i] = element{x.Span().Start, func() doc { return f.expr(x) }}
		}
		out = append(out, text(" for "), f.expr(g.Var), text(" in "), f.list("[", values, "]"))
	}
	return append(out, text(" "), braced(priors))
}

func (f *formatter) argument(a *ast.Argument) doc {
	if a.Name == nil {
		return f.value(a.Value)
	}
	return seq{f.expr(a.Name), text(" = "), f.value(a.Value)}
}

func (f *formatter) value(v ast.Value) doc {
	lead := f.ahead(v.Span().Start)
	switch v := v.(type) {
	case *ast.StringValue:
		return seq{lead, text(`"` + v.Text + `"`)}
	case *ast.BoolValue:
		return seq{lead, text(strconv.FormatBool(v.On))}
	case *ast.ListValue:
		elems := make([]element, len(v.Elems))
		for i, e := range v.Elems {
			elems[i] = element{e.Span().Start, func() doc { return f.value(e) }}
		}
		return seq{lead, f.list("[", elems, "]")}
	case *ast.PairValue:
		return seq{lead, f.expr(v.Key), text(": "), f.value(v.Value)}
	case *ast.MethodValue:
		if v.Method == nil {
			return seq{lead, f.expr(v.Expr)}
		}
		return seq{lead, f.method(v.Method)}
	case *ast.ExprValue:
		return seq{lead, f.expr(v.X)}
	}
	return lead
}
