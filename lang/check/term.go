package check

// This file checks losses and divergences against their catalogues.

import (
	"strings"

	"github.com/seed-12b88e03/ppl/lang/ast"
)

// loss checks a loss: an entry of the catalogue or an expression.
func (c *methodChecker) loss(opt *Option, v ast.Value) *Value {
	out := &Value{Kind: LossKind, Loc: v.Span()}
	if m, ok := v.(*ast.MethodValue); ok && findTerm(c.methods.Losses, m.Method.Name.Name) != nil {
		if out.Term, ok = c.term(opt, "loss", c.methods.Losses, v); ok {
			return out
		}
		return nil
	}
	x, ok := asExpr(v)
	switch {
	case !ok:
		p := c.errorf(v.Span(), msgOptionType, opt.Name, opt.kindText(), valueText(v))
		p.Help = "there are " + strings.Join(termNames(c.methods.Losses), ", ") + ", and expressions over the model's variables"
	case c.modelExpr(x, opt.Name):
		out.Expr = x
		return out
	}
	return nil
}

// termNames are the names of a catalogue.
func termNames(terms []*Term) []string {
	var names []string
	for _, t := range terms {
		names = append(names, t.Name)
	}
	return names
}

func findTerm(terms []*Term, name string) *Term {
	for _, t := range terms {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// term checks a use of a catalogue entry, or sum(...) of several. It is false for a
// value that cannot be one; other mistakes are reported and give an empty use.
func (c *methodChecker) term(opt *Option, what string, catalogue []*Term, v ast.Value) (*TermValue, bool) {
	mv, ok := v.(*ast.MethodValue)
	if !ok || mv.Method.Swap != nil {
		return nil, false
	}
	m := mv.Method
	if m.Name.Name == "sum" && what == "divergence" {
		return c.sum(opt, what, catalogue, m), true
	}
	t := findTerm(catalogue, m.Name.Name)
	if t == nil {
		names := termNames(catalogue)
		p := c.errorf(m.Name.Loc, msgUnknownTerm, what, m.Name.Name)
		if p.Help = didYouMean(nearest(m.Name.Name, names)); p.Help == "" {
			p.Help = "there are " + strings.Join(names, ", ")
		}
		return &TermValue{}, true
	}
	return c.termArgs(t, m), true
}

func (c *methodChecker) sum(opt *Option, what string, catalogue []*Term, m *ast.Method) *TermValue {
	out := &TermValue{}
	for _, a := range m.Args {
		one, ok := c.term(opt, what, catalogue, a.Value)
		if !ok || a.Name != nil {
			c.wrongKind(opt, a.Value)
			continue
		}
		out.Sum = append(out.Sum, one)
	}
	if len(m.Args) == 0 {
		c.errorf(m.Loc, msgTermArgs, "sum", "at least 1 argument", 0)
	}
	return out
}

// termArgs checks the numbers in a use of a catalogue entry; they may be given in
// order or by name, and those with a default may be left out.
func (c *methodChecker) termArgs(t *Term, m *ast.Method) *TermValue {
	out := &TermValue{Term: t, Args: make([]float64, len(t.Args))}
	given := make([]bool, len(t.Args))
	valid := t.Valid != nil
	for i, a := range m.Args {
		k := i
		if a.Name != nil {
			for k = 0; k < len(t.Args) && t.Args[k].Name != a.Name.Name; k++ {
			}
		}
		if k >= len(t.Args) || given[k] {
			c.errorf(m.Loc, msgTermArgs, t.Name, count(len(t.Args), "argument"), len(m.Args))
			return out
		}
		given[k] = true
		if v := c.number(t.Args[k], a.Value); v != nil {
			out.Args[k] = v.Real
		} else {
			valid = false
		}
	}
	for k, opt := range t.Args {
		if given[k] {
			continue
		}
		n, ok := parseNumber(opt.Default)
		if !ok {
			c.errorf(m.Loc, msgTermArgs, t.Name, count(len(t.Args), "argument"), len(m.Args))
			return out
		}
		out.Args[k] = n
	}
	if valid {
		if err := t.Valid(out.Args); err != nil {
			c.errorf(m.Loc, msgTermOrders, err)
		}
	}
	return out
}

// divergencePairs checks [theta: kl(1), sigma: renyi(0.5)].
func (c *methodChecker) divergencePairs(list *ast.ListValue) *Value {
	out := &Value{Kind: DivergenceKind, Loc: list.Loc}
	opt := &Option{Name: "divergence", Kind: DivergenceKind}
	seen := map[string]bool{}
	for _, e := range list.Elems {
		pair, ok := e.(*ast.PairValue)
		if !ok {
			c.errorf(e.Span(), msgOptionType, "an element of the list", "a pair \"parameter: divergence\"", valueText(e))
			continue
		}
		sym := c.parameterNamed(pair.Key)
		if seen[pair.Key.Name] {
			c.errorf(pair.Key.Loc, msgPairTwice, pair.Key.Name)
		}
		seen[pair.Key.Name] = true
		t, ok := c.term(opt, "divergence", c.methods.Divergences, pair.Value)
		if !ok {
			c.wrongKind(opt, pair.Value)
			continue
		}
		out.Pairs = append(out.Pairs, Pair{Name: pair.Key.Name, Sym: sym, Term: t})
	}
	return out
}
