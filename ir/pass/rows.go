// Sums over rows of data: statements whose term is that of each row, added up.
//
//	y ~ normal(x * b, sigma);    is    for rows i to j:  normal_lpdf(y[i:j] | x[i:j] * b, sigma)
//
// What a row needs is found by going into the expression: variables that are computed once are
// replaced by what they are computed from, so that a part of the rows needs no number of the others.

package pass

import (
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// RowSums finds the statements of the model block that are sums over rows of data, of each of which a part of the rows needs
// its rows of data, parameters and variables that have no rows: nothing that grows with the data but they.
func RowSums(p *ir.Program, lib *stdlib.Library) map[ir.Stmt]*ir.RowSum {
	f := &rowFinder{lib: lib, known: map[*ir.Var]rowValue{}, gone: map[*ir.Var]bool{}, found: map[ir.Stmt]*ir.RowSum{}, all: map[*ir.Var]int{}, past: map[*ir.Var]int{}}
	countWrites(p.TransformedParameters.Body, f.all)
	countWrites(p.Model, f.all)
	f.body(p.TransformedParameters.Body, nil)
	clear(f.found) // which are terms of the target only as calls of _jacobian functions
	f.body(p.Model, nil)
	return f.found
}

// A rowFinder walks over the statements in their order.
type rowFinder struct {
	lib   *stdlib.Library
	known map[*ir.Var]rowValue // variables that take one value, which they keep
	gone  map[*ir.Var]bool     // variables of blocks that have ended
	found map[ir.Stmt]*ir.RowSum

	all, past map[*ir.Var]int // how many assignments there are, and were
}

// A rowValue is what a variable is computed from; size, if it is not nil, is how many elements were.
type rowValue struct{ x, size ir.Expr }

// countWrites counts the assignments to each variable.
func countWrites(body []ir.Stmt, count map[*ir.Var]int) {
	ir.Inspect(body, func(n any) bool {
		if d, ok := n.(*ir.Declare); ok && d.Init != nil {
			count[d.Var]++
		}
		return true
	})
	ir.Assignments(body, func(to *ir.Place, _ ir.Expr) { count[to.Var]++ })
}

// body looks at statements that run where a test is true; nil: always.
func (f *rowFinder) body(list []ir.Stmt, test ir.Expr) {
	for _, s := range list {
		switch s := s.(type) {
		case *ir.Block:
			f.body(s.Body, test)
			continue
		case *ir.If:
			if test == nil && len(s.Else) == 0 {
				f.body(s.Then, s.Test)
				continue
			}
		case *ir.Sample:
			if s.Trunc == nil {
				f.term(s, s.Density)
			}
		case *ir.TargetAdd:
			if !s.Jacobian {
				f.term(s, s.X)
			}
		case *ir.Declare:
			if test == nil && s.Init != nil {
				f.value(s.Var, s.Init, nil)
			}
		case *ir.Assign:
			f.assigned(s, test)
		}
		countWrites([]ir.Stmt{s}, f.past)
	}
	for _, s := range list {
		if d, ok := s.(*ir.Declare); ok && d.Var.Kind == ir.Local {
			f.gone[d.Var] = true
		}
	}
}

func isOne(x ir.Expr) bool {
	c, ok := x.(*ir.Const)
	return ok && c.X == 1
}

// assigned notes the value of a variable that is assigned to as a whole, or, if 1 <= n, from element 1 to n.
func (f *rowFinder) assigned(s *ir.Assign, test ir.Expr) {
	path := s.To.Path
	if len(path) == 0 && test == nil {
		f.value(s.To.Var, s.X, nil)
	}
	c, ok := test.(*ir.Call)
	if !ok || c.Fn.BuiltinName() != "logical_lte" || !isOne(c.Args[0]) || len(path) != 1 || len(path[0].Indices) != 1 {
		return
	}
	i := path[0].Indices[0]
	if i.Kind == ir.Range && i.Lo != nil && isOne(i.Lo) && i.Hi != nil && ir.ExprText(i.Hi) == ir.ExprText(c.Args[1]) {
		f.value(s.To.Var, s.X, i.Hi)
	}
}

// value notes what a variable is computed from, if neither it nor that is assigned to later.
func (f *rowFinder) value(v *ir.Var, x, size ir.Expr) {
	late := func(w *ir.Var) bool { return f.past[w] != f.all[w] }
	if f.all[v] == 1 && x.Type().Equal(v.Type) && !ir.ReadsAny(x, late) && !ir.ReadsAny(size, late) {
		f.known[v] = rowValue{x, size}
	}
}

// term notes a statement if its term is a sum over rows of data.
func (f *rowFinder) term(s ir.Stmt, x ir.Expr) {
	w := &rowWriter{rowFinder: f, maker: maker{f.lib, s.Span()}, ok: true, params: map[*ir.Var]*ir.Var{}}
	w.from, w.to = w.param("from", types.Int), w.param("to", types.Int)
	y := w.sum(x)
	if !w.ok || !w.data || ir.AnyIn(y, impure) {
		return
	}
	y = ReplaceIn(y, func(x ir.Expr) ir.Expr {
		r, ok := x.(*ir.Ref)
		if !ok || slices.Contains(w.fn.Params, r.Var) {
			return nil
		}
		p := w.params[r.Var]
		if p == nil {
			p = w.param(r.Var.Name, r.Var.Type)
			w.params[r.Var] = p
			w.given = append(w.given, r.Var)
		}
		return &ir.Ref{Node: r.Node, Var: p}
	})
	w.fn.Loc, w.fn.Name, w.fn.Result, w.fn.Slots = s.Span(), "rows", types.Real, len(w.fn.Params)
	w.fn.Body = []ir.Stmt{&ir.Return{At: ir.At{Loc: s.Span()}, X: y}}
	f.found[s] = &ir.RowSum{Fn: &w.fn, Given: w.given, Lengths: w.lengths}
}

// impure reports whether an expression has another value, or another effect, in a function.
func impure(n any) bool {
	switch n := n.(type) {
	case *ir.Target:
		return true
	case *ir.UserCall:
		return n.Fn.Target || n.Fn.Random
	case *ir.Call:
		fn := n.Fn.(*stdlib.Function)
		return fn.Jacobian != nil || fn.Draw != nil || fn.Higher != ""
	}
	return false
}

// A rowWriter writes an expression for some of the rows.
type rowWriter struct {
	*rowFinder
	maker
	fn       ir.Function
	from, to *ir.Var
	params   map[*ir.Var]*ir.Var // what stands for a variable of the program
	given    []*ir.Var
	lengths  []ir.RowLength
	data, ok bool // data are among what has rows; the expression can be written
}

func (w *rowWriter) param(name string, t types.Type) *ir.Var {
	v := &ir.Var{Loc: w.at, Name: name, Type: t, Slot: len(w.fn.Params)}
	w.fn.Params = append(w.fn.Params, v)
	return v
}

// refuse gives up.
func (w *rowWriter) refuse(x ir.Expr) ir.Expr {
	w.ok = false
	return x
}

// container reports whether values of a type have several elements.
func container(t types.Type) bool { return t.Dims > 0 || t.Base.BaseRank() > 0 }

// sum writes a number that is a sum over rows.
func (w *rowWriter) sum(x ir.Expr) ir.Expr {
	if container(x.Type()) {
		return w.named("sum", w.rows(x))
	}
	c, ok := x.(*ir.Call)
	if !ok {
		return w.refuse(x)
	}
	fn := c.Fn.(*stdlib.Function)
	y := *c
	switch {
	case fn.Name == "sum" && len(c.Args) == 1:
		return w.named("sum", w.rows(c.Args[0]))
	case !strings.HasSuffix(fn.Name, "_lpdf") && !strings.HasSuffix(fn.Name, "_lpmf") || !container(c.Args[0].Type()):
		return w.refuse(x)
	case linearModels[fn.Name] != 0:
		y.Args = w.linear(c.Args, linearModels[fn.Name])
	case choices[fn.Name] != 0:
		whole := choices[fn.Name]
		y.Args = append(w.each(c.Args[:whole]), c.Args[whole:]...)
		if slices.ContainsFunc(c.Args[whole:], func(a ir.Expr) bool { return a.Type().Dims > 0 }) {
			return w.refuse(x) // each row has its own
		}
	case fn.Density != nil && fn.Density.Log != nil:
		y.Args = w.each(c.Args)
	default:
		return w.refuse(x)
	}
	return &y
}

// linearModels are the densities of generalised linear models with one intercept a row, by where the matrix is.
var linearModels = map[string]int{
	"bernoulli_logit_glm_lpmf": 1, "poisson_log_glm_lpmf": 1, "neg_binomial_2_log_glm_lpmf": 1, "normal_id_glm_lpdf": 1, "binomial_logit_glm_lpmf": 2,
}

// choices are the densities whose arguments are vectors for all rows, from one on.
var choices = map[string]int{"categorical_lpmf": 1, "categorical_logit_lpmf": 1, "ordered_logistic_lpmf": 2, "ordered_probit_lpmf": 2}

// linear writes the arguments of a generalised linear model: all have rows but for the coefficients.
func (w *rowWriter) linear(args []ir.Expr, matrix int) []ir.Expr {
	if !args[matrix].Type().Equal(types.Matrix) {
		w.ok = false
		return args
	}
	out := w.each(args[:matrix+2])
	return append(append(out, args[matrix+2]), w.each(args[matrix+3:])...)
}

// each writes arguments that have an element a row, or one for all.
func (w *rowWriter) each(args []ir.Expr) []ir.Expr {
	out := make([]ir.Expr, len(args))
	for i, a := range args {
		if out[i] = a; container(a.Type()) {
			out[i] = w.rows(a)
		}
	}
	return out
}

// rows writes a container of one element a row.
func (w *rowWriter) rows(x ir.Expr) ir.Expr {
	switch x := x.(type) {
	case *ir.Ref:
		v, ok := w.known[x.Var]
		if !ok {
			return w.rowsOfData(x.Node, x, []ir.IndexArg{{Kind: ir.All}}, 0)
		}
		if ir.ReadsAny(v.x, func(v *ir.Var) bool { return w.gone[v] }) {
			return w.refuse(x)
		}
		if w.lengths = append(w.lengths, ir.RowLength{X: x}); v.size != nil {
			w.lengths = append(w.lengths, ir.RowLength{X: v.size, Number: true})
		}
		return w.rows(v.x)
	case *ir.Promote:
		return &ir.Promote{Node: x.Node, X: w.rows(x.X)}
	case *ir.Index:
		return w.picked(x)
	case *ir.Call:
		y := *x
		switch fn := x.Fn.(*stdlib.Function); {
		case fn.Op != nil, fn.ElementsOf != nil, fn.Name == "rows_dot_product" && !x.Args[0].Type().Equal(types.RowVector):
			y.Args = w.each(x.Args)
		case fn.Name == "multiply" && x.Args[0].Type().Equal(types.Matrix):
			y.Args = []ir.Expr{w.rows(x.Args[0]), x.Args[1]}
		case (fn.Name == "transpose" || fn.Name == "to_vector" || fn.Name == "to_row_vector") && x.Args[0].Type().Rank() == 1:
			y.Args = w.each(x.Args)
		default:
			return w.refuse(x)
		}
		return &y
	}
	return w.refuse(x)
}

// picked writes elements of a container, of which the first index that picks several picks one a row.
func (w *rowWriter) picked(x *ir.Index) ir.Expr {
	list := append(slices.Clone(x.Indices), ir.IndexArg{Kind: ir.All}) // which takes the next dimension, if no other does
	k := slices.IndexFunc(list, func(a ir.IndexArg) bool { return a.Kind != ir.Single })
	if k < len(x.Indices) {
		list = list[:len(x.Indices)]
	}
	switch a := list[k]; {
	case a.Kind == ir.Zip:
		for i, a := range list {
			if a.Kind == ir.Zip {
				list[i].Lo = w.rows(a.Lo)
			}
		}
	case a.Kind == ir.Multi:
		list[k].Lo = w.rows(a.Lo)
	default:
		ref, ok := x.X.(*ir.Ref)
		if !ok {
			return w.refuse(x)
		}
		if _, ok := w.known[ref.Var]; ok && len(list) == 1 && a.Kind == ir.Range && a.Lo != nil && isOne(a.Lo) && a.Hi != nil {
			w.lengths = append(w.lengths, ir.RowLength{X: a.Hi, Number: true})
			return w.rows(ref)
		}
		return w.rowsOfData(x.Node, ref, list, k)
	}
	return &ir.Index{Node: x.Node, X: x.X, Indices: list}
}

// rowsOfData writes rows of a variable, of which index k of a list picks one after the other.
func (w *rowWriter) rowsOfData(n ir.Node, x *ir.Ref, list []ir.IndexArg, k int) ir.Expr {
	a, from, to := list[k], w.ref(w.from), w.ref(w.to)
	switch {
	case !x.Var.IsData(), a.Kind == ir.Range && (a.Lo == nil || a.Hi == nil):
		return w.refuse(x)
	case a.Kind == ir.Range:
		before := w.named("subtract", a.Lo, w.int(1))
		from, to = w.named("add", before, from), w.named("add", before, to)
		w.lengths = append(w.lengths, ir.RowLength{X: w.named("subtract", a.Hi, before), Number: true})
	default:
		w.lengths = append(w.lengths, ir.RowLength{X: x, Dim: k})
	}
	w.data = true
	list[k] = ir.IndexArg{Kind: ir.Range, Lo: from, Hi: to}
	return &ir.Index{Node: n, X: x, Indices: list}
}
