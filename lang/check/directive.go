package check

// This file checks the directives of the inference block, and method expressions
// that come from elsewhere.

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/problem"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// A role is what a method expression stands for where it is written.
type role int

const (
	asMethod role = iota // it must give draws
	asDiagnosis
)

// A methodChecker checks method expressions, with what the checker knows of the program.
type methodChecker struct {
	*checker
	methods  Methods
	bindings map[string]*CheckedMethod // names bound so far in the inference block
	later    map[string]bool           // all names that it binds
}

func newMethodChecker(c *checker, methods Methods) *methodChecker {
	return &methodChecker{c, methods, map[string]*CheckedMethod{}, map[string]bool{}}
}

// CheckMethod checks a method expression that is not in the program: of a command
// line or of the Go API. With diagnose set it must be a diagnosis. Names that the
// program's inference block binds may be used. info is left alone; the second result
// has the tables (Types, Levels, Uses, Calls, Samples) for the expressions in m, and
// shares the rest with info. The method is nil where the list holds errors.
func CheckMethod(m *ast.Method, diagnose bool, info *Info, methods Methods) (*CheckedMethod, *Info, *problem.List) {
	c := newMethodChecker(newChecker(info.Program, info.lib), methods)
	c.info.Functions, c.info.Globals, c.info.Directives, c.info.Observed = info.Functions, info.Globals, info.Directives, info.Observed
	for _, f := range info.Functions {
		c.funcs[f.Name] = append(c.funcs[f.Name], f)
	}
	c.push()
	for k := ast.DataKind; k <= ast.TransformedParametersKind; k++ {
		for _, sym := range info.Globals[k] {
			c.scope.names[sym.Name] = sym
		}
	}
	c.block = ast.InferenceKind
	for _, d := range info.Directives {
		if d.Name != "" {
			c.bindings[d.Name] = d.Method
		}
	}
	as := asMethod
	if diagnose {
		as = asDiagnosis
	}
	checked := c.method(m, as)
	if c.problems.HasErrors() {
		return nil, c.info, c.problems
	}
	return checked, c.info, c.problems
}

// inference checks the block's items in order.
func (c *methodChecker) inference(b *ast.Inference) {
	if b == nil {
		return
	}
	c.block = ast.InferenceKind
	for _, item := range b.Items {
		for _, id := range gridNames(item) {
			c.later[id.Name] = true
		}
	}
	for _, item := range b.Items {
		if item.Name == nil {
			c.info.Directives = append(c.info.Directives, &Directive{Loc: item.Loc, Method: c.method(item.Method, asDiagnosis)})
		}
		for k, id := range gridNames(item) {
			d := &Directive{Loc: item.Loc, Name: id.Name}
			if d.Method = c.method(gridPoint(item.Method, k), asMethod); d.Method != nil && d.Method.Binding == "" {
				d.Method.Binding = d.Name
			}
			if m := d.Method; m != nil && m.Grid != nil {
				m.Grid.Of = item.Name.Name
				if m.Inner != nil && m.Inner.Binding == "" {
					m.Inner.Binding = m.Grid.Of // so that it is run once
				}
			}
			c.bind(id, d.Method)
			c.info.Directives = append(c.info.Directives, d)
		}
	}
}

// gridNames are the names that an item binds: its own, or of a grid s the names s_1, s_2, ...; none of a diagnosis.
func gridNames(item ast.Directive) []*ast.Ident {
	switch {
	case item.Name == nil:
		return nil
	case item.Method == nil || item.Method.Swap == nil || item.Method.Swap.Grid == nil:
		return []*ast.Ident{item.Name}
	}
	var out []*ast.Ident
	for k := range item.Method.Swap.Grid.Values {
		out = append(out, &ast.Ident{Loc: item.Name.Loc, Name: fmt.Sprintf("%s_%d", item.Name.Name, k+1)})
	}
	return out
}

// gridPoint is a method with value k of its grid alone, if it has one.
func gridPoint(m *ast.Method, k int) *ast.Method {
	if m == nil || m.Swap == nil || m.Swap.Grid == nil {
		return m
	}
	out, swap, grid := *m, *m.Swap, *m.Swap.Grid
	grid.Values = grid.Values[k : k+1]
	if len(grid.Blocks) > 0 {
		grid.Blocks = grid.Blocks[k : k+1]
	}
	swap.Grid, out.Swap = &grid, &swap
	return &out
}

// bind enters a binding.
func (c *methodChecker) bind(id *ast.Ident, m *CheckedMethod) {
	switch _, twice := c.bindings[id.Name]; {
	case id.Name == "diagnose":
		c.errorf(id.Loc, msgBindingName, id.Name, "keyword")
	case c.methods.Row(id.Name) != nil:
		c.errorf(id.Loc, msgBindingName, id.Name, "method")
	case twice:
		c.errorf(id.Loc, msgBindingTwice, id.Name)
	}
	c.bindings[id.Name] = m
}

// Row finds a method, wrapper or diagnosis by name, nil where there is none.
func (ms Methods) Row(name string) *MethodRow {
	for _, r := range ms.Rows {
		if r.Name == name {
			return r
		}
	}
	return nil
}

// Option finds an option by name, nil where there is none.
func (r *MethodRow) Option(name string) *Option {
	for _, o := range r.Options {
		if o.Name == name {
			return o
		}
	}
	return nil
}

// method checks a method expression; nil where it is in error, which is reported.
func (c *methodChecker) method(m *ast.Method, as role) *CheckedMethod {
	if m == nil || m.Name == nil {
		return nil
	}
	name := m.Name.Name
	if bound, ok := c.bindings[name]; ok {
		if m.Called || m.Swap != nil {
			c.errorf(m.Loc, msgBindingCalled, name)
		}
		if as == asDiagnosis {
			c.errorf(m.Name.Loc, msgNotDiagnosis, name)
		}
		return bound
	}
	row := c.methods.Row(name)
	if row == nil {
		c.unknownMethod(m.Name, as)
		return nil
	}
	switch {
	case as == asDiagnosis && !row.Diagnose:
		c.errorf(m.Name.Loc, msgNotDiagnosis, name)
	case as == asMethod && row.Gives == 0:
		c.errorf(m.Name.Loc, msgNotMethod, name)
	}
	return c.ofRow(row, m)
}

// ofRow checks what a method of the table is given.
func (c *methodChecker) ofRow(row *MethodRow, m *ast.Method) *CheckedMethod {
	out := &CheckedMethod{Row: row, Args: map[string]*Value{}, Gives: row.Gives, Loc: m.Loc}
	args := c.inner(out, m)
	c.options(out, m, args)
	c.swap(out, m)
	return out
}

func (c *methodChecker) unknownMethod(id *ast.Ident, as role) {
	if c.later[id.Name] {
		c.errorf(id.Loc, msgBindingLater, id.Name)
		return
	}
	var names []string
	for _, r := range c.methods.Rows {
		if as == asMethod && r.Gives != 0 || as == asDiagnosis && r.Diagnose {
			names = append(names, r.Name)
		}
	}
	msg := msgUnknownDiag
	if as == asMethod {
		msg = msgUnknownMethod
		for name := range c.bindings {
			names = append(names, name)
		}
		sort.Strings(names)
	}
	p := c.errorf(id.Loc, msg, id.Name)
	p.Help = cmp.Or(didYouMean(nearest(id.Name, names)), "there are "+strings.Join(names, ", "))
}

// inner takes the wrapped method off the arguments and checks it.
func (c *methodChecker) inner(out *CheckedMethod, m *ast.Method) []*ast.Argument {
	row := out.Row
	if !row.Wrapper {
		return m.Args
	}
	args := m.Args
	switch {
	case len(args) > 0 && args[0].Name == nil:
		v, ok := args[0].Value.(*ast.MethodValue)
		if !ok {
			c.errorf(args[0].Loc, msgNoInner, row.Name)
			return args[1:]
		}
		out.Inner = c.method(v.Method, asMethod)
		args = args[1:]
		c.combination(out, v.Loc)
	case row.InnerDefault != "":
		out.Inner = c.defaultMethod(row.InnerDefault, m.Loc)
	default:
		c.errorf(m.Loc, msgNoInner, row.Name)
	}
	if out.Inner != nil {
		out.Gives |= out.Inner.Gives & row.Passes
	}
	return args
}

// combination reports methods that have no meaning inside a wrapper.
func (c *methodChecker) combination(out *CheckedMethod, at source.Span) {
	in := out.Inner
	if in == nil {
		return
	}
	name := in.Row.Name
	if why, ok := out.Row.Refuses[name]; ok {
		c.errorf(at, msgCombination, out.Row.Name, name, why)
	} else if out.Row.Needs != 0 && in.Gives&out.Row.Needs == 0 {
		c.errorf(at, msgCombination, out.Row.Name, name, "it gives no "+out.Row.Needs.String())
	} else if out.Row.UsesPart && in.Binding == "" {
		c.withoutEffect(out.Row, in)
	}
}

// withoutEffect warns of options of a method written in place of which only a part is
// used. Those of a binding have their effect where it is run by itself.
func (c *methodChecker) withoutEffect(row *MethodRow, in *CheckedMethod) {
	part, idle := "density", []string{"draws"}
	if in.Gives&GivesKernel != 0 {
		part, idle = "kernel", []string{"warmup", "draws", "chains", "thin", "init", "seed"}
	}
	for _, name := range idle {
		if in.Given(name) {
			c.warnf(in.Args[name].Loc, msgNoEffect, row.Name, part, in.Row.Name, name)
		}
	}
}

// String names what is in the set, joined by "or".
func (g Gives) String() string {
	s := ""
	for i, name := range []string{"draws", "density", "Markov kernel", "estimate of the evidence"} {
		if g&(1<<i) == 0 {
			continue
		}
		if s != "" {
			s += " or "
		}
		s += name
	}
	return s
}

// options checks the named arguments and fills in defaults.
func (c *methodChecker) options(out *CheckedMethod, m *ast.Method, args []*ast.Argument) {
	row := out.Row
	for _, a := range args {
		if a.Name == nil {
			c.errorf(a.Loc, msgUnnamed, row.Name).Help = optionsHelp(row)
			continue
		}
		opt := row.Option(a.Name.Name)
		switch {
		case opt == nil:
			c.unknownOption(row, a.Name)
			continue
		case out.Args[opt.Name] != nil:
			c.errorf(a.Loc, msgOptionTwice, opt.Name)
		}
		v := c.value(opt, a.Value)
		if v == nil {
			v = &Value{Kind: opt.Kind, IsList: opt.List, Loc: a.Loc}
		} else if need := opt.EnumNeeds[v.Text]; need != 0 && out.Inner != nil && out.Inner.Gives&need == 0 {
			c.errorf(a.Loc, msgCombination, fmt.Sprintf("%s(%s = %q)", row.Name, opt.Name, v.Text), out.Inner.Row.Name, "it gives no "+need.String())
		}
		v.Given = true
		out.Args[opt.Name] = v
	}
	for _, opt := range row.Options {
		switch {
		case out.Args[opt.Name] != nil:
		case opt.Required:
			c.errorf(m.Loc, msgOptionMissing, row.Name, opt.Name, opt.Doc)
		case opt.Default != "":
			out.Args[opt.Name] = c.defaultValue(opt, m.Loc)
		}
	}
}

func (c *methodChecker) unknownOption(row *MethodRow, id *ast.Ident) {
	var names []string
	for _, o := range row.Options {
		names = append(names, o.Name)
	}
	p := c.errorf(id.Loc, msgUnknownOption, row.Name, id.Name)
	if p.Help = didYouMean(nearest(id.Name, names)); p.Help == "" {
		p.Help = optionsHelp(row)
	}
}

// optionsHelp lists a method's options.
func optionsHelp(row *MethodRow) string {
	if len(row.Options) == 0 {
		return "it has no options"
	}
	s := "its options are "
	for i, o := range row.Options {
		if i > 0 {
			s += ", "
		}
		s += o.Name
	}
	return s
}

// swap checks the block of new priors.
func (c *methodChecker) swap(out *CheckedMethod, m *ast.Method) {
	switch {
	case m.Swap == nil && out.Row.Swap:
		c.errorf(m.Loc, msgSwapMissing, out.Row.Name)
	case m.Swap != nil && !out.Row.Swap:
		c.errorf(m.Swap.Loc, msgSwapExtra, out.Row.Name)
	case m.Swap != nil && len(m.Swap.Priors) == 0:
		c.errorf(m.Swap.Loc, msgSwapMissing, out.Row.Name)
	case m.Swap != nil && m.Swap.Grid != nil && len(m.Swap.Grid.Blocks) != 1:
		c.errorf(m.Swap.Grid.Loc, msgSwapGrid, len(m.Swap.Grid.Blocks))
	case m.Swap != nil:
		out.Swap = m.Swap.Priors
		if g := m.Swap.Grid; g != nil {
			c.gridVariable(g.Var, m.Swap.Priors)
			out.Swap, out.Grid = g.Blocks[0], &GridPoint{Variable: g.Var.Name, Value: g.Values[0].Span().Text()}
		}
		seen := map[string]bool{}
		out.Swap = slices.Clone(out.Swap)
		for i, s := range out.Swap {
			if s, ok := s.(*ast.Sample); ok && s.File() != nil {
				prior, ok := c.drawnPrior(out, s, seen)
				if out.Swap[i] = prior; !ok {
					continue
				}
			}
			c.swapPrior(out.Swap[i], seen)
		}
	}
}

// gridVariable checks that a grid's variable is a name of its own, and is used.
func (c *methodChecker) gridVariable(id *ast.Ident, priors []ast.Stmt) {
	if c.lookup(id.Name) != nil {
		c.errorf(id.Loc, msgSwapGridName, id.Name)
	}
	used := false
	for _, s := range priors {
		for _, x := range argumentsOf(s) {
			eachIdent(x, func(x *ast.Ident) { used = used || x.Name == id.Name })
		}
	}
	if !used {
		c.errorf(id.Loc, msgSwapGridIdle, id.Name)
	}
}

// argumentsOf are the expressions of a prior but for what it is of.
func argumentsOf(prior ast.Stmt) []ast.Expr {
	s, ok := prior.(*ast.Sample)
	if !ok {
		return []ast.Expr{prior.(*ast.TargetAdd).X}
	}
	used := s.Args
	if s.Trunc != nil {
		used = append(append([]ast.Expr{}, used...), s.Trunc.Lo, s.Trunc.Hi)
	}
	return used
}

// swapPrior checks one new prior; it may use data, constants and other parameters.
func (c *methodChecker) swapPrior(prior ast.Stmt, seen map[string]bool) {
	before := c.block
	c.block = ast.ModelKind
	switch s := prior.(type) {
	case *ast.TargetAdd:
		c.targetAdd(s)
	case *ast.Sample:
		c.sampleMeans(s)
		c.swapTarget(s, seen)
	}
	c.block = before
	for _, x := range argumentsOf(prior) {
		eachIdent(x, func(id *ast.Ident) {
			if sym := c.info.Uses[id]; sym != nil && c.info.Observed[sym] {
				c.errorf(id.Loc, msgSwapObserved, id.Name)
			}
		})
	}
}

// drawnPrior checks a prior that is known by draws. What stands for it in the model is a statement that names the
// parameter and adds nothing: the density is left to what multiplies draws.
func (c *methodChecker) drawnPrior(out *CheckedMethod, s *ast.Sample, seen map[string]bool) (prior ast.Stmt, ok bool) {
	file := s.File()
	id, whole := s.X.(*ast.Ident)
	var sym *Symbol
	if whole {
		sym = c.lookup(id.Name)
	}
	ok = true
	fail := func(at source.Span, m message, args ...any) {
		c.errorf(at, m, args...)
		ok = false
	}
	switch {
	case !whole || sym != nil && (sym.Type.Dims > 0 || sym.Type.Base == types.IntBase || sym.Type.Base.IsComplex()):
		fail(s.X.Span(), msgSwapDrawn, s.X.Span().Text())
	case out.Drawn != nil && out.Drawn.Path != file.Value:
		fail(file.Loc, msgSwapFiles, out.Drawn.Path, file.Value)
	case out.Given("from"):
		fail(out.Args["from"].Loc, msgSwapFrom, "from")
	case out.Given("check") && out.Text("check") != "none":
		fail(out.Args["check"].Loc, msgSwapFrom, "check")
	}
	out.Drawn = &Drawn{Path: file.Value, Loc: file.Loc}
	out.Args["check"] = &Value{Kind: EnumKind, Text: "none", Loc: file.Loc}
	if whole && ok {
		c.expr(id)
		c.swapTarget(&ast.Sample{X: id}, seen)
	}
	zero := &ast.IntLit{Loc: s.Loc, Text: "0"}
	return &ast.TargetAdd{Loc: s.Loc, X: &ast.Binary{Loc: s.X.Span(), Op: "*", OpLoc: s.Loc, L: zero, R: s.X}}, ok
}

// swapTarget checks what a new prior is of.
func (c *methodChecker) swapTarget(s *ast.Sample, seen map[string]bool) {
	x := s.X
	if call, ok := x.(*ast.Call); ok && len(call.Args) == 1 { // to_vector and the like: whole parameters
		x = call.Args[0]
	}
	if id := rootIdent(x); id != nil {
		if sym := c.info.Uses[id]; sym != nil && sym.Kind != ParameterVar {
			c.errorf(id.Loc, msgSwapTarget, id.Name)
		}
		if _, whole := x.(*ast.Ident); seen[id.Name] && whole {
			c.errorf(id.Loc, msgSwapTwice, id.Name)
		}
		seen[id.Name] = true
	}
}

// modelExpr checks an expression over the model's variables.
func (c *methodChecker) modelExpr(x ast.Expr, what string) bool {
	o := c.expr(x)
	if !o.bad() && !isNumericOrArray(o.t) {
		c.errorf(x.Span(), msgOptionType, what, "a number or a container of numbers", types.Type.String(o.t))
		return false
	}
	return !o.bad()
}
