// The program with the missing elements as parameters.
//
// The elements of y that are missing become a parameter, and y, wherever the program reads it, the transformed parameter
// that has them in their places. A statement that gives y its distribution element by element is divided: the known
// elements are observations, and the others have it as their prior. So everything else, from annealing to
// leave-one-out, knows what is data and what is not. Where a statement cannot be divided, as a multivariate normal
// density of rows that are known in part, it is likelihood as a whole, and Completed.Undivided names it.

package missing

import (
	"slices"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/ir/graph"
	"github.com/seed-12b88e03/ppl/ir/pass"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// Known is the value of a variable that Complete made: a container of integers.
type Known struct {
	Var   *ir.Var
	Value *eval.Value
}

// A Completed program has parameters for what is missing.
type Completed struct {
	Prog      *ir.Program
	Known     []Known       // variables that have values
	Undivided []source.Span // statements that cover known and missing elements together
}

// Asks are what Complete needs to know of others.
type Asks struct {
	// Elementwise reports whether a density is a product over the elements of its arguments.
	Elementwise func(fn *stdlib.Function) bool
	// Value evaluates an expression over data; false where that fails.
	Value func(x ir.Expr) ([]float64, bool)
}

// Complete makes parameters of the missing elements, which come last. The program is a copy.
func Complete(from *ir.Program, gaps []*Gap, asks Asks) *Completed {
	p := *from
	c := &completer{Completed: Completed{Prog: &p}, asks: asks, gaps: map[*ir.Var]*Gap{}}
	var fill []ir.Stmt
	p.Parameters = slices.Clone(p.Parameters)
	for _, g := range gaps {
		c.gaps[g.Var] = g
		c.declare(g)
		p.Parameters = append(p.Parameters, g.Param)
		fill = append(fill, c.fill(g)...)
	}
	p.TransformedParameters.Body = append(fill, c.replaced(p.TransformedParameters.Body)...)
	p.Model = c.stmts(p.Model)
	p.GeneratedQuantities.Body = c.replaced(p.GeneratedQuantities.Body)
	p.Simulate = nil // it draws all elements
	return &c.Completed
}

// A completer makes the program.
type completer struct {
	Completed
	asks Asks
	gaps map[*ir.Var]*Gap
}

// newVar makes a variable of the program.
func (c *completer) newVar(v ir.Var) *ir.Var {
	v.Slot = c.Prog.Slots
	c.Prog.Slots++
	return &v
}

// declare makes the variables of a gap.
func (c *completer) declare(g *Gap) {
	t, at := types.Vector, g.Var.Loc
	if g.Var.Type.Base == types.IntBase {
		t = types.ArrayOf(types.Int, 1)
	}
	own := &ir.Shape{Type: t, Sizes: []ir.Expr{count(at, len(g.At))}}
	if from := g.Var.Decl.Constraint; from != nil {
		own.Constraint = &ir.Constraint{Loc: from.Loc, Name: from.Name, Args: g.args}
	}
	g.Param = c.newVar(ir.Var{Loc: at, Name: g.Var.Name, Kind: ir.Parameter, Type: t, Decl: own, Part: g.Names()})
	g.Whole = c.newVar(ir.Var{Loc: at, Name: g.Var.Name, Kind: ir.TransformedParameter, Type: g.Var.Type, Decl: &ir.Shape{Type: g.Var.Type, Sizes: g.Var.Decl.Sizes}})
	ranks := make([]int, product(g.Dims))
	for k, index := range g.At {
		at := 0
		for d, i := range index {
			at = at*g.Dims[d] + i
		}
		ranks[at] = k + 1
	}
	g.ranks = c.known(at, ranks, g.Dims)
}

func product(dims []int) int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return n
}

// known makes a variable of integers that are known.
func (c *completer) known(at source.Span, numbers, dims []int) *ir.Var {
	t := types.ArrayOf(types.Int, len(dims))
	x := make([]float64, len(numbers))
	for i, n := range numbers {
		x[i] = float64(n)
	}
	v := c.newVar(ir.Var{Loc: at, Name: "missing", Kind: ir.Local, Type: t})
	c.Known = append(c.Known, Known{v, eval.NewValue(t, dims, x)})
	return v
}

func count(at source.Span, n int) ir.Expr {
	return &ir.Const{Node: ir.Node{Loc: at, T: types.Int}, X: float64(n)}
}

func ref(at source.Span, v *ir.Var) ir.Expr {
	return &ir.Ref{Node: ir.Node{Loc: at, T: v.Type}, Var: v}
}

// element is one number of a container.
func element(at source.Span, v *ir.Var, indices ...ir.Expr) ir.Expr {
	if len(indices) == 0 {
		return ref(at, v)
	}
	return &ir.Index{Node: ir.Node{Loc: at, T: v.Type.Scalar()}, X: ref(at, v), Indices: singles(indices)}
}

func singles(indices []ir.Expr) []ir.IndexArg {
	out := make([]ir.IndexArg, len(indices))
	for i, x := range indices {
		out[i] = ir.IndexArg{Kind: ir.Single, Lo: x}
	}
	return out
}

// fill assembles the variable from its known and its missing elements.
func (c *completer) fill(g *Gap) []ir.Stmt {
	at := g.Var.Loc
	place := ir.At{Loc: at}
	out := []ir.Stmt{&ir.Declare{At: place, Var: g.Whole, Init: ref(at, g.Var)}}
	if len(g.Dims) == 0 {
		return append(out, &ir.Assign{At: place, To: ir.Place{Loc: at, Var: g.Whole, T: g.Whole.Type}, X: element(at, g.Param, count(at, 1))})
	}
	k := c.newVar(ir.Var{Loc: at, Name: "missing", Kind: ir.Local, Type: types.Int})
	var indices []ir.Expr
	for d := range g.Dims {
		column := make([]int, len(g.At))
		for i, index := range g.At {
			column[i] = index[d] + 1
		}
		indices = append(indices, element(at, c.known(at, column, []int{len(column)}), ref(at, k)))
	}
	to := ir.Place{Loc: at, Var: g.Whole, Path: []ir.Access{{Indices: singles(indices)}}, T: g.Whole.Type.Scalar()}
	return append(out, &ir.For{At: place, Var: k, Lo: count(at, 1), Hi: count(at, len(g.At)),
		Body: []ir.Stmt{&ir.Assign{At: place, To: to, X: element(at, g.Param, ref(at, k))}}})
}

// x puts the whole in the place of the variable; sizes are those of the variable itself.
func (c *completer) x(x ir.Expr) ir.Expr {
	if r, ok := x.(*ir.Ref); ok && c.gaps[r.Var] != nil {
		return &ir.Ref{Node: r.Node, Var: c.gaps[r.Var].Whole}
	}
	return nil
}

func (c *completer) replaced(body []ir.Stmt) []ir.Stmt { return pass.Replace(body, c.x) }

// stmts are statements of the model block.
func (c *completer) stmts(body []ir.Stmt) []ir.Stmt {
	return ir.Map(body, c.stmt)
}

func (c *completer) stmt(s ir.Stmt) []ir.Stmt {
	in := func(x ir.Expr) ir.Expr { return pass.ReplaceIn(x, c.x) }
	switch s := s.(type) {
	case *ir.Block:
		return []ir.Stmt{&ir.Block{At: s.At, Body: c.stmts(s.Body), Profile: s.Profile}}
	case *ir.If:
		return []ir.Stmt{&ir.If{At: s.At, Test: in(s.Test), Then: c.stmts(s.Then), Else: c.stmts(s.Else)}}
	case *ir.For:
		return []ir.Stmt{&ir.For{At: s.At, Var: s.Var, Lo: in(s.Lo), Hi: in(s.Hi), Body: c.stmts(s.Body)}}
	case *ir.ForEach:
		return []ir.Stmt{&ir.ForEach{At: s.At, Var: s.Var, X: in(s.X), Body: c.stmts(s.Body)}}
	case *ir.While:
		return []ir.Stmt{&ir.While{At: s.At, Test: in(s.Test), Body: c.stmts(s.Body)}}
	case *ir.Sample:
		return c.density(s, s.Density)
	case *ir.TargetAdd:
		if densities, rest := graph.Terms(s.X); !s.Jacobian && len(densities) == 1 && len(rest) == 0 {
			return c.density(s, densities[0])
		}
		c.touches(s)
	case *ir.Eval:
		c.touches(s)
	}
	return c.replaced([]ir.Stmt{s})
}

// touches notes a statement that may give a variable with a gap its distribution in a form that is not divided.
func (c *completer) touches(s ir.Stmt) {
	for v := range c.gaps {
		if !readIn(v, []ir.Stmt{s}).IsZero() {
			c.Undivided = append(c.Undivided, s.Span())
			return
		}
	}
}

// density divides a statement that adds a density to the target, where it is one of a variable with a gap.
func (c *completer) density(s ir.Stmt, density ir.Expr) []ir.Stmt {
	args := ir.Arguments(density)
	if len(args) == 0 {
		return c.replaced([]ir.Stmt{s})
	}
	g, indices, all := c.variate(args[0])
	switch {
	case g == nil:
	case all && len(indices) == len(g.Dims): // of a single element
		return c.elementDensity(s, density, g, indices)
	case c.univariate(density) && len(g.Dims) == 1:
		if list, ok := c.listed(g, indices); ok {
			return c.listDensity(s, density, g, list)
		}
	}
	if slices.ContainsFunc(graph.Parts(args[0]), func(v *ir.Var) bool { return c.gaps[v] != nil }) {
		c.Undivided = append(c.Undivided, s.Span())
	}
	return c.replaced([]ir.Stmt{s})
}

// univariate reports whether a density is a product over the elements of its arguments.
func (c *completer) univariate(density ir.Expr) bool {
	d, ok := density.(*ir.Call)
	if !ok {
		return false
	}
	fn, ok := d.Fn.(*stdlib.Function)
	return ok && c.asks.Elementwise(fn) && !slices.ContainsFunc(d.Args, func(x ir.Expr) bool { return x.Type().Rank() > 1 })
}

// variate returns the gap whose variable, or a selection of it, is the variate of a density; all reports
// that each index selects one element.
func (c *completer) variate(x ir.Expr) (g *Gap, indices []ir.IndexArg, all bool) {
	switch x := x.(type) {
	case *ir.Promote:
		return c.variate(x.X)
	case *ir.Ref:
		return c.gaps[x.Var], nil, true
	case *ir.Index:
		g, indices, all = c.variate(x.X)
		if !all { // indices of a slice count within it
			return nil, nil, false
		}
		for _, i := range x.Indices {
			all = all && i.Kind == ir.Single
		}
		return g, slices.Concat(indices, x.Indices), all
	}
	return nil, nil, false
}

// elementDensity asks at each run whether the element is missing.
func (c *completer) elementDensity(s ir.Stmt, density ir.Expr, g *Gap, indices []ir.IndexArg) []ir.Stmt {
	at := s.Span()
	var index []ir.Expr
	for _, i := range indices {
		index = append(index, pass.ReplaceIn(i.Lo, c.x))
	}
	same := func(x ir.Expr) ir.Expr { return x }
	rank := element(at, g.ranks, index...)
	missing := c.with(s, density, element(at, g.Param, rank), same)
	if len(g.Dims) == 0 {
		return []ir.Stmt{c.with(s, density, element(at, g.Param, count(at, 1)), same)}
	}
	return []ir.Stmt{&ir.If{At: ir.At{Loc: at}, Test: rank, Then: []ir.Stmt{missing}, Else: []ir.Stmt{c.with(s, density, element(at, g.Var, index...), same)}}}
}

// listed are the positions, from 1, that a slice picks of a variable with one dimension; false where they are not known.
func (c *completer) listed(g *Gap, indices []ir.IndexArg) ([]int, bool) {
	n := g.Dims[0]
	if len(indices) == 0 || indices[0].Kind == ir.All {
		return from(1, n), true
	}
	lo, ok := c.positions(indices[0].Lo, 1, n)
	if indices[0].Kind == ir.Multi || !ok {
		return lo, ok
	}
	hi, ok := c.positions(indices[0].Hi, n, n)
	if !ok || hi[0] < lo[0] {
		return nil, false
	}
	return from(lo[0], hi[0]), true
}

func from(lo, hi int) []int {
	out := make([]int, 0, hi-lo+1)
	for i := lo; i <= hi; i++ {
		out = append(out, i)
	}
	return out
}

// positions are the values of an index that depends on known data alone, from 1 to n.
func (c *completer) positions(x ir.Expr, otherwise, n int) ([]int, bool) {
	if x == nil {
		return []int{otherwise}, true
	}
	if ir.ReadsAny(x, func(v *ir.Var) bool { return !v.IsData() || c.gaps[v] != nil }) {
		return nil, false
	}
	v, fixed := c.asks.Value(x)
	out := make([]int, len(v))
	for i, x := range v {
		out[i] = int(x)
		fixed = fixed && out[i] >= 1 && out[i] <= n
	}
	return out, fixed
}

// listDensity makes a statement of the known elements of a list, and one of those that are missing.
func (c *completer) listDensity(s ir.Stmt, density ir.Expr, g *Gap, list []int) []ir.Stmt {
	at := s.Span()
	var out []ir.Stmt
	half := func(of *ir.Var, take func(rank int) bool, element func(position, rank int) int) {
		var chosen, members []int // of the variate, and of the list
		for k, i := range list {
			rank := 1 + slices.Index(g.Pos, i-1)
			if take(rank) {
				chosen, members = append(chosen, element(i, rank)), append(members, k+1)
			}
		}
		if len(chosen) == 0 {
			return
		}
		pick := func(x ir.Expr) ir.Expr {
			if x.Type().Rank() == 0 || len(members) == len(list) {
				return x
			}
			return c.picked(x, members)
		}
		out = append(out, c.with(s, density, c.picked(ref(at, of), chosen), pick))
	}
	half(g.Var, func(rank int) bool { return rank == 0 }, func(i, _ int) int { return i })
	half(g.Param, func(rank int) bool { return rank > 0 }, func(_, rank int) int { return rank })
	return out
}

// picked are the members of a container with one dimension, by their positions from 1.
func (c *completer) picked(x ir.Expr, positions []int) ir.Expr {
	at := x.Span()
	which := c.known(at, positions, []int{len(positions)})
	return &ir.Index{Node: ir.Node{Loc: at, T: x.Type()}, X: x, Indices: []ir.IndexArg{{Kind: ir.Multi, Lo: ref(at, which)}}}
}

// with is the statement for another variate, with what pick makes of the other arguments.
func (c *completer) with(s ir.Stmt, density, variate ir.Expr, pick func(ir.Expr) ir.Expr) ir.Stmt {
	args := slices.Clone(ir.Arguments(density))
	if p, ok := args[0].(*ir.Promote); ok && p.T.Base == types.RealBase && variate.Type().Base == types.IntBase {
		t := variate.Type()
		t.Base = types.RealBase
		variate = &ir.Promote{Node: ir.Node{Loc: p.Loc, T: t}, X: variate}
	}
	args[0] = variate
	for i := range args[1:] {
		args[i+1] = pick(pass.ReplaceIn(args[i+1], c.x))
	}
	switch d := density.(type) {
	case *ir.Call:
		n := *d
		n.Args, density = args, &n
	case *ir.UserCall:
		n := *d
		n.Args, density = args, &n
	}
	sample, ok := s.(*ir.Sample)
	if !ok {
		return &ir.TargetAdd{At: ir.At{Loc: s.Span()}, X: density}
	}
	out := &ir.Sample{At: sample.At, Density: density}
	if t := sample.Trunc; t != nil {
		cut := *t
		for _, b := range []*ir.Expr{&cut.Lo, &cut.Hi} {
			if *b != nil {
				*b = pick(pass.ReplaceIn(*b, c.x))
			}
		}
		out.Trunc = &cut
	}
	return out
}
