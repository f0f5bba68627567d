// Programs as text, for "ppl check --dump=ir" and golden tests.

package ir

import (
	"fmt"
	"math"
	"strings"
)

// Dump writes a program in a readable and stable form. Variables are written with
// their slot, as in mu#3; what is computed has its type behind it, as in
// add(mu#3, 1.0):real; conversions are calls of promote. Positions are left out.
func Dump(p *Program) string {
	d := &dumper{recurrences: p.Recurrences}
	d.line("program %s, %d slots", p.Name, p.Slots)
	d.functions(p.Functions)
	d.vars("data", p.Data)
	d.piece("transformed data", &p.TransformedData)
	d.vars("parameters", p.Parameters)
	d.piece("transformed parameters", &p.TransformedParameters)
	if len(p.Model) > 0 {
		d.line("model")
		d.body(p.Model)
	}
	d.piece("generated quantities", &p.GeneratedQuantities)
	if p.Simulate != nil {
		d.line("simulate")
		d.body(p.Simulate.Body)
	}
	return d.out.String()
}

// A dumper writes indented lines.
type dumper struct {
	out         strings.Builder
	indent      int
	recurrences map[*For]*Recurrence
}

func (d *dumper) line(format string, args ...any) {
	d.out.WriteString(strings.Repeat("  ", d.indent))
	fmt.Fprintf(&d.out, format, args...)
	d.out.WriteByte('\n')
}

func (d *dumper) functions(fs []*Function) {
	for _, f := range fs {
		params := make([]string, len(f.Params))
		for i, v := range f.Params {
			params[i] = name(v) + ": " + v.Type.String()
		}
		marks := ""
		if f.Target {
			marks += ", target"
		}
		if f.Random {
			marks += ", random"
		}
		d.line("function %s(%s): %s, %d slots%s", f.Name, strings.Join(params, ", "), f.Result, f.Slots, marks)
		d.body(f.Body)
	}
}

func (d *dumper) vars(title string, vs []*Var) {
	if len(vs) == 0 {
		return
	}
	d.line("%s", title)
	d.indent++
	for _, v := range vs {
		d.line("%s", declared(v))
	}
	d.indent--
}

func (d *dumper) piece(title string, p *Piece) {
	if len(p.Body) == 0 {
		return
	}
	names := make([]string, len(p.Vars))
	for i, v := range p.Vars {
		names[i] = name(v)
	}
	d.line("%s: %s", title, strings.Join(names, ", "))
	d.body(p.Body)
}

func (d *dumper) body(body []Stmt) {
	d.indent++
	for _, s := range body {
		d.stmt(s)
	}
	d.indent--
}

func (d *dumper) stmt(s Stmt) {
	switch s := s.(type) {
	case *Declare:
		text := "declare " + declared(s.Var)
		if s.Init != nil {
			text += " = " + ExprText(s.Init)
		}
		d.line("%s", text)
	case *Assign:
		d.line("%s = %s", place(&s.To), ExprText(s.X))
	case *Unpack:
		d.line("unpack %s = %s", unpacked(s.To), ExprText(s.X))
	case *TargetAdd:
		to := "target"
		if s.Jacobian {
			to = "jacobian"
		}
		d.line("%s += %s", to, ExprText(s.X))
	case *Sample:
		d.line("sample %s%s", ExprText(s.Density), truncation(s.Trunc))
	case *Eval:
		d.line("eval %s", ExprText(s.X))
	case *Return:
		if s.X == nil {
			d.line("return")
			return
		}
		d.line("return %s", ExprText(s.X))
	case *Jump:
		d.line("%s", map[bool]string{true: "break", false: "continue"}[s.Break])
	case *Print:
		d.line("%s(%s)", [...]string{PrintOut: "print", Reject: "reject", Fatal: "fatal_error"}[s.Kind], list(s.Args))
	default:
		d.nested(s)
	}
}

// nested writes a statement that holds others.
func (d *dumper) nested(s Stmt) {
	switch s := s.(type) {
	case *Block:
		head := "block"
		if s.Profile != "" {
			head = fmt.Sprintf("profile %q", s.Profile)
		}
		d.line("%s", head)
		d.body(s.Body)
	case *If:
		d.line("if %s", ExprText(s.Test))
		d.body(s.Then)
		if len(s.Else) > 0 {
			d.line("else")
			d.body(s.Else)
		}
	case *For:
		d.line("for %s in %s to %s%s", name(s.Var), ExprText(s.Lo), ExprText(s.Hi), d.recurrences[s].text())
		d.body(s.Body)
	case *ForEach:
		d.line("for %s: %s in each %s", name(s.Var), s.Var.Type, ExprText(s.X))
		d.body(s.Body)
	case *While:
		d.line("while %s", ExprText(s.Test))
		d.body(s.Body)
	default:
		d.line("unknown statement %T", s)
	}
}

func name(v *Var) string { return fmt.Sprintf("%s#%d", v.Name, v.Slot) }

// declared writes a variable with its shape.
func declared(v *Var) string {
	if v.Decl == nil {
		return name(v) + ": " + v.Type.String()
	}
	return name(v) + ": " + shape(v.Decl)
}

// shape writes a type with its constraint and sizes: vector<lower(0)>[N].
func shape(s *Shape) string {
	text := s.Type.String()
	if len(s.Fields) > 0 {
		fields := make([]string, len(s.Fields))
		for i, f := range s.Fields {
			fields[i] = shape(f)
		}
		text = strings.Repeat("array ", min(s.Type.Dims, 1)) + "tuple(" + strings.Join(fields, ", ") + ")"
	}
	if c := s.Constraint; c != nil {
		text += "<" + c.Name
		if len(c.Args) > 0 {
			text += "(" + list(c.Args) + ")"
		}
		text += ">"
	}
	if len(s.Sizes) > 0 {
		text += "[" + list(s.Sizes) + "]"
	}
	return text
}

func place(p *Place) string {
	text := name(p.Var)
	for _, a := range p.Path {
		if a.Indices == nil {
			text += fmt.Sprintf(".%d", a.Field+1)
		} else {
			text += indices(a.Indices)
		}
	}
	return text
}

func unpacked(to []UnpackTo) string {
	parts := make([]string, len(to))
	for i := range to {
		if to[i].Place != nil {
			parts[i] = place(to[i].Place)
		} else {
			parts[i] = unpacked(to[i].Nested)
		}
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

func truncation(t *Truncation) string {
	if t == nil {
		return ""
	}
	text := " within"
	if t.Discrete {
		text += " integers"
	}
	for _, b := range []struct {
		name string
		x    Expr
	}{{" from ", t.Lo}, {" to ", t.Hi}} {
		if b.x != nil {
			text += b.name + ExprText(b.x)
		}
	}
	return text + callee(" by ", &t.LCDF) + callee(" by ", &t.LCCDF)
}

func callee(before string, c *Callee) string {
	switch {
	case c.User != nil:
		return before + c.User.Name
	case c.Builtin != nil:
		return before + c.Builtin.BuiltinName()
	}
	return ""
}

func list(xs []Expr) string {
	parts := make([]string, len(xs))
	for i, x := range xs {
		parts[i] = ExprText(x)
	}
	return strings.Join(parts, ", ")
}

func indices(args []IndexArg) string {
	parts := make([]string, len(args))
	for i, a := range args {
		switch a.Kind {
		case All:
			parts[i] = ":"
		case Range:
			parts[i] = side(a.Lo) + ":" + side(a.Hi)
		case Multi:
			parts[i] = "each " + ExprText(a.Lo)
		case Zip:
			parts[i] = "zip " + ExprText(a.Lo)
		default:
			parts[i] = ExprText(a.Lo)
		}
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// side writes a bound of a range that may be open.
func side(x Expr) string {
	if x == nil {
		return ""
	}
	return ExprText(x)
}

// ExprText writes an expression as Dump does. Expressions with one text are equal.
func ExprText(x Expr) string {
	switch x := x.(type) {
	case *Const:
		return constant(x)
	case *Text:
		return fmt.Sprintf("%q", x.S)
	case *Ref:
		return name(x.Var)
	case *FuncRef:
		return "function " + x.Fn.Name
	case *Target:
		return "target()"
	case *Call:
		return typed(x, x.Fn.BuiltinName()+dropped(x.Unnormalized)+"("+list(x.Args)+")")
	case *UserCall:
		return typed(x, "call "+x.Fn.Name+dropped(x.Unnormalized)+"("+list(x.Args)+")")
	case *Promote:
		return typed(x, "promote("+ExprText(x.X)+")")
	case *Index:
		return typed(x, ExprText(x.X)+indices(x.Indices))
	case *Field:
		return typed(x, fmt.Sprintf("%s.%d", ExprText(x.X), x.I+1))
	case *Array:
		return typed(x, "{"+list(x.Elems)+"}")
	case *Row:
		return typed(x, "["+list(x.Elems)+"]")
	case *Tuple:
		return "(" + list(x.Elems) + ")"
	case *Cond:
		return typed(x, "("+ExprText(x.Test)+" ? "+ExprText(x.Then)+" : "+ExprText(x.Else)+")")
	case *Logic:
		op := " and "
		if x.Or {
			op = " or "
		}
		return "(" + ExprText(x.L) + op + ExprText(x.R) + ")"
	}
	return fmt.Sprintf("unknown expression %T", x)
}

func typed(x Expr, text string) string { return text + ":" + x.Type().String() }

// dropped marks calls whose constants may be dropped.
func dropped(unnormalized bool) string {
	if unnormalized {
		return "~"
	}
	return ""
}

// constant writes a number so that its type shows: 1 is an int, 1.0 a real.
func constant(c *Const) string {
	real := func(v float64) string {
		text := fmt.Sprint(v)
		if v == math.Trunc(v) && !strings.ContainsAny(text, "eIN") {
			text += ".0"
		}
		return text
	}
	switch {
	case c.T.Base.IsComplex():
		return real(c.X) + "+" + real(c.Im) + "i"
	case c.T.HasInts():
		return fmt.Sprintf("%.0f", c.X)
	}
	return real(c.X)
}
