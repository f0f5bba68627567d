package check

// This file checks the values of options against their declared kinds.

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/lang/ast"
)

// value checks a value as written; nil where it is in error, which is reported.
func (c *methodChecker) value(opt *Option, v ast.Value) *Value {
	list, isList := v.(*ast.ListValue)
	if !opt.List {
		if opt.Kind == DivergenceKind && isList {
			return c.divergencePairs(list)
		}
		return c.single(opt, v)
	}
	if !isList {
		c.wrongKind(opt, v)
		return nil
	}
	out := &Value{Kind: opt.Kind, IsList: true, Loc: list.Loc}
	for _, e := range list.Elems {
		if one := c.single(opt, e); one != nil {
			out.List = append(out.List, one)
		}
	}
	return out
}

// single checks a value that is no list.
func (c *methodChecker) single(opt *Option, v ast.Value) *Value {
	out := &Value{Kind: opt.Kind, Loc: v.Span()}
	ok := false
	switch opt.Kind {
	case IntKind, RealKind:
		return c.number(opt, v)
	case BoolKind:
		var b *ast.BoolValue
		if b, ok = v.(*ast.BoolValue); ok {
			out.Bool = b.On
		}
	case StringKind, EnumKind:
		var s *ast.StringValue
		if s, ok = v.(*ast.StringValue); ok {
			out.Text = s.Text
			return c.choice(opt, out)
		}
	case MethodKind:
		var m *ast.MethodValue
		if m, ok = v.(*ast.MethodValue); ok {
			out.Method = c.method(m.Method, asMethod)
		}
	case NameKind:
		return c.parameterName(opt, v)
	case ExprKind:
		if out.Expr, ok = asExpr(v); ok && !c.modelExpr(out.Expr, opt.Name) {
			return nil
		}
	case DivergenceKind:
		out.Term, ok = c.term(opt, "divergence", c.methods.Divergences, v)
	case LossKind:
		return c.loss(opt, v)
	}
	if !ok {
		c.wrongKind(opt, v)
		return nil
	}
	return out
}

// asExpr reads a value as an expression, false where it is none.
func asExpr(v ast.Value) (ast.Expr, bool) {
	switch v := v.(type) {
	case *ast.ExprValue:
		return v.X, true
	case *ast.MethodValue:
		return v.Expr, v.Expr != nil
	}
	return nil, false
}

// wrongKind reports a value of another kind than the option's.
func (c *methodChecker) wrongKind(opt *Option, v ast.Value) {
	found := valueText(v)
	if _, quoted := v.(*ast.StringValue); quoted && (opt.Kind == NameKind || opt.Kind == ExprKind) {
		found += ", which must stand without quotes"
	}
	c.errorf(v.Span(), msgOptionType, opt.Name, opt.kindText(), found)
}

var kindTexts = [...]string{"a whole number", "a number", "true or false", "a text in quotes", "a text in quotes", "a method",
	"an expression", "the name of a parameter", "a divergence", "a loss"}

func (o *Option) kindText() string {
	if o.List {
		return "a list [...], each element " + kindTexts[o.Kind]
	}
	return kindTexts[o.Kind]
}

func valueText(v ast.Value) string {
	switch v := v.(type) {
	case *ast.StringValue:
		return strconv.Quote(v.Text)
	case *ast.ListValue:
		return "a list"
	case *ast.PairValue:
		return "a pair \"" + v.Key.Name + ": ...\""
	}
	if text := v.Span().Text(); text != "" && !strings.Contains(text, "\n") {
		return text
	}
	return "something else"
}

// number checks a numeric option: a literal with or without a sign.
func (c *methodChecker) number(opt *Option, v ast.Value) *Value {
	x, _ := asExpr(v)
	n, ok := constant(x)
	whole := n == math.Trunc(n) && math.Abs(n) < 1<<53
	if !ok || opt.Kind == IntKind && !whole {
		c.wrongKind(opt, v)
		return nil
	}
	if !opt.inRange(n) {
		c.errorf(v.Span(), msgOptionRange, opt.Name, opt.rangeText(), formatNumber(n))
		return nil
	}
	return opt.numberValue(n, v)
}

func (o *Option) numberValue(n float64, v ast.Value) *Value {
	out := &Value{Kind: o.Kind, Real: n}
	if o.Kind == IntKind {
		out.Int = int(n)
	}
	if v != nil {
		out.Loc = v.Span()
	}
	return out
}

// constant returns the value of a number as written.
func constant(x ast.Expr) (float64, bool) {
	switch x := x.(type) {
	case *ast.IntLit:
		return parseNumber(x.Text)
	case *ast.RealLit:
		n, ok := parseNumber(x.Text)
		return n, ok && !x.Imag
	case *ast.Paren:
		return constant(x.X)
	case *ast.Unary:
		n, ok := constant(x.X)
		switch x.Op {
		case "-":
			return -n, ok
		case "+":
			return n, ok
		}
	}
	return 0, false
}

func parseNumber(text string) (float64, bool) {
	n, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
	return n, err == nil
}

func formatNumber(n float64) string { return strconv.FormatFloat(n, 'g', -1, 64) }

func (o *Option) hasRange() bool { return o.Min != 0 || o.Max != 0 }

func (o *Option) inRange(n float64) bool {
	if math.IsNaN(n) {
		return false
	}
	if !o.hasRange() {
		return true
	}
	return n >= o.Min && n <= o.Max && !(o.OpenMin && n == o.Min) && !(o.OpenMax && n == o.Max)
}

// rangeText words a range: "at least 1", "more than 0 and less than 1".
func (o *Option) rangeText() string {
	var parts []string
	if !math.IsInf(o.Min, -1) {
		word := "at least "
		if o.OpenMin {
			word = "more than "
		}
		parts = append(parts, word+limitText(o.Min))
	}
	if !math.IsInf(o.Max, 1) {
		word := "at most "
		if o.OpenMax {
			word = "less than "
		}
		parts = append(parts, word+limitText(o.Max))
	}
	if len(parts) == 0 {
		return "finite"
	}
	return strings.Join(parts, " and ")
}

// limitText writes a limit; whole numbers, such as the largest seed, in full.
func limitText(n float64) string {
	if n == math.Trunc(n) && math.Abs(n) < 1<<53 {
		return strconv.FormatInt(int64(n), 10)
	}
	return formatNumber(n)
}

// choice checks a text against the option's choices.
func (c *methodChecker) choice(opt *Option, v *Value) *Value {
	if opt.Kind == StringKind {
		return v
	}
	if slices.Contains(opt.Enum, v.Text) {
		return v
	}
	if opt.Groups && c.groups(opt, v) {
		return v
	}
	if opt.Groups {
		return nil
	}
	p := c.errorf(v.Loc, msgOptionChoice, opt.Name, quotedList(opt.Enum), v.Text)
	p.Help = cmp.Or(didYouMean(nearest(v.Text, opt.Enum)), p.Help)
	return nil
}

func quotedList(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = strconv.Quote(w)
	}
	return strings.Join(out, ", ")
}

// parameterName checks an option that names a parameter.
func (c *methodChecker) parameterName(opt *Option, v ast.Value) *Value {
	x, _ := asExpr(v)
	id, ok := x.(*ast.Ident)
	if !ok {
		c.wrongKind(opt, v)
		return nil
	}
	sym := c.parameterNamed(id)
	if sym == nil {
		return nil
	}
	return &Value{Kind: NameKind, Text: id.Name, Sym: sym, Loc: v.Span()}
}

// parameterNamed finds a parameter; nil where there is none, which is reported.
func (c *methodChecker) parameterNamed(id *ast.Ident) *Symbol {
	sym := c.lookup(id.Name)
	if sym != nil && sym.Kind == ParameterVar {
		c.info.Uses[id] = sym
		c.info.Types[id] = sym.Type
		c.info.Levels[id] = sym.Level
		return sym
	}
	var names []string
	for _, p := range c.info.Globals[ast.ParametersKind] {
		names = append(names, p.Name)
	}
	p := c.errorf(id.Loc, msgPairKey, id.Name)
	p.Help = cmp.Or(didYouMean(nearest(id.Name, names)), p.Help)
	return nil
}

// Describe words an option for help texts: its kind, range and unit.
func (o *Option) Describe() string {
	s := o.kindText()
	if o.Kind == EnumKind {
		s = "one of " + quotedList(o.Enum)
		if o.Groups {
			s += ", or groups of parameters, as in \"x, y; z\""
		}
		if o.List {
			s = "a list [...] of " + quotedList(o.Enum)
		}
	}
	if (o.Kind == IntKind || o.Kind == RealKind) && o.hasRange() {
		s += ", " + o.rangeText()
	}
	if o.Unit != "" {
		s += fmt.Sprintf(" (%s)", o.Unit)
	}
	return s
}
