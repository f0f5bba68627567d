package check

// This file checks calls: which function is meant, and whether it may be called here.

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/problem"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// call checks a call whose value is used.
func (c *checker) call(x *ast.Call) operand {
	if x.Name.Name == "target" {
		return c.targetCall(x)
	}
	callee, args := c.callee(x)
	if callee == nil {
		return badOperand
	}
	if callee.Result.Base == types.VoidBase {
		c.errorf(x.Loc, msgNoValue, x.Name.Name)
		return badOperand
	}
	o := combine(callee.Result, args...)
	if suffixOf(x.Name.Name) == RNG {
		o.level |= Random
	}
	return o
}

// callStmt checks a call that stands alone.
func (c *checker) callStmt(s *ast.CallStmt) {
	if s.Call.Name.Name == "target" {
		c.targetCall(s.Call)
		c.errorf(s.Loc, msgUnusedResult, "target")
		return
	}
	callee, _ := c.callee(s.Call)
	c.info.Types[s.Call] = types.Void
	c.info.Levels[s.Call] = Data
	if callee != nil && callee.Result.Base != types.VoidBase && callee.Result.Base != types.BadBase {
		c.errorf(s.Loc, msgUnusedResult, s.Call.Name.Name)
	}
}

// targetCall checks target(), the log density so far.
func (c *checker) targetCall(x *ast.Call) operand {
	for _, a := range x.Args {
		c.expr(a)
	}
	if len(x.Args) > 0 {
		c.errorf(x.Loc, msgTargetArgs)
	}
	c.lpPlace(x.Loc, "target()")
	c.info.Calls[x] = &Callee{Name: "target", Sig: &types.Signature{Name: "target", Result: types.Param{Type: types.Real}}, Result: types.Real}
	return operand{types.Real, Parameter}
}

// callee resolves a call; nil where that failed, which is reported.
func (c *checker) callee(x *ast.Call) (*Callee, []operand) {
	args, given := c.arguments(x.Args)
	name := normalized(x.Name.Name)
	forms := c.forms(name)
	if len(forms) == 0 {
		c.unknownFunction(x.Name)
		return nil, nil
	}
	if sym := c.lookup(x.Name.Name); sym != nil && len(c.funcs[name]) == len(forms) {
		p := c.errorf(x.Name.Loc, msgVariableAsFunc, x.Name.Name, sym.Kind)
		p.Notes = append(p.Notes, problem.Note{Span: sym.Def.Loc, Message: "it is declared here"})
		return nil, nil
	}
	match, mis := types.Resolve(forms, given)
	c.callAllowed(x)
	if mis != nil {
		c.mismatch(x.Loc, msgNoForm, x.Name.Name, x.Bar, given, mis)
		return nil, nil
	}
	if sliced[name] && (given[1].Type.Base.IsComplex() || given[1].Type.Base == types.TupleBase) {
		c.errorf(x.Args[1].Span(), msgSliceType, name, given[1].Type)
		return nil, nil
	}
	callee := c.newCallee(name, match, given)
	callee.Unnormalized = IsUnnormalized(x.Name.Name)
	if callee.User != nil {
		c.info.Uses[x.Name] = callee.User.Symbol
	}
	c.recordFunctionArgs(x.Args, callee)
	c.info.Calls[x] = callee
	return callee, args
}

// sliced are the functions that divide their second argument into slices.
var sliced = map[string]bool{"reduce_sum": true, "reduce_sum_static": true}

// newCallee makes the record of a resolved call.
func (c *checker) newCallee(name string, m types.Match, given []types.Arg) *Callee {
	out := &Callee{Name: name, Sig: m.Sig, Params: m.Params, Result: m.Result, User: c.userFunction(m.Sig)}
	for i, k := range m.Funcs {
		if k < 0 {
			continue
		}
		if out.Funcs == nil {
			out.Funcs = make([]*Function, len(m.Params))
		}
		out.Funcs[i] = c.userFunction(given[i].Funcs[k])
	}
	return out
}

// arguments checks the arguments of a call. A bare name of a user's function that no
// variable hides stands for the function.
func (c *checker) arguments(xs []ast.Expr) ([]operand, []types.Arg) {
	ops := make([]operand, len(xs))
	args := make([]types.Arg, len(xs))
	for i, x := range xs {
		if id, ok := x.(*ast.Ident); ok && c.lookup(id.Name) == nil && len(c.funcs[normalized(id.Name)]) > 0 {
			args[i] = c.functionArg(id)
			ops[i] = operand{t: args[i].Type}
		} else {
			ops[i] = c.expr(x)
			args[i] = c.arg(x, ops[i])
		}
	}
	return ops, args
}

// arg reports what overload resolution needs of a value.
func (c *checker) arg(x ast.Expr, o operand) types.Arg {
	out := types.Arg{Type: o.t, Data: c.afterFit() || o.level.IsData()}
	if tuple, ok := x.(*ast.TupleLit); ok && !o.bad() {
		for _, e := range tuple.Elems {
			out.Fields = append(out.Fields, c.arg(e, operand{c.info.Types[e], c.info.Levels[e]}))
		}
	}
	return out
}

// functionArg checks the name of a function given as an argument.
func (c *checker) functionArg(id *ast.Ident) types.Arg {
	name := normalized(id.Name)
	switch s := suffixOf(name); s {
	case RNG, LP, Jacobian, CDF, LCDF, LCCDF:
		c.errorf(id.Loc, msgFuncSuffix, id.Name, s)
		c.info.Types[id] = types.Bad
		return types.Arg{Type: types.Bad, Data: true}
	}
	if IsUnnormalized(id.Name) {
		c.unnormalizedPlace(id.Loc, id.Name)
	}
	forms := make([]*types.Signature, len(c.funcs[name]))
	for i, f := range c.funcs[name] {
		forms[i] = f.Sig
	}
	c.info.Uses[id] = c.funcs[name][0].Symbol
	c.info.Types[id] = types.FuncOf(forms[0])
	c.info.Levels[id] = Data
	return types.Arg{Type: types.FuncOf(forms[0]), Data: true, Funcs: forms}
}

// recordFunctionArgs notes which overload a function's name stands for.
func (c *checker) recordFunctionArgs(args []ast.Expr, callee *Callee) {
	for i, f := range callee.Funcs {
		if f != nil {
			id := args[i].(*ast.Ident)
			c.info.Uses[id] = f.Symbol
			c.info.Types[id] = types.FuncOf(f.Sig)
		}
	}
}

// suffixes in the order in which names are tried; _lupdf and _lupmf are normalized
// away before.
var suffixes = []Suffix{LPDF, LPMF, LCDF, LCCDF, CDF, LP, RNG, Jacobian}

// suffixOf reports what a function is by its name.
func suffixOf(name string) Suffix {
	for _, s := range suffixes {
		if strings.HasSuffix(name, s.String()) {
			return s
		}
	}
	return NoSuffix
}

// isDensity reports whether calls are written with a bar.
func (s Suffix) isDensity() bool { return s >= LPDF && s <= LCCDF }

// callAllowed checks the bar and whether a function with such a name may be called
// at this place.
func (c *checker) callAllowed(x *ast.Call) {
	name := x.Name.Name
	suffix := suffixOf(normalized(name))
	switch {
	case suffix.isDensity() && !x.Bar && len(x.Args) > 1:
		c.errorf(x.Loc, msgBarNeeded, name, name+"(y | ...)")
	case !suffix.isDensity() && x.Bar:
		c.errorf(x.Loc, msgBarExtra, name)
	}
	switch suffix {
	case RNG:
		c.rngPlace(x)
	case LP:
		c.lpPlace(x.Loc, name)
	case Jacobian:
		if !c.inFunction(Jacobian) && c.block != ast.TransformedParametersKind {
			c.errorf(x.Loc, msgJacPlace, "\""+name+"\"")
		}
	}
	if IsUnnormalized(name) {
		c.unnormalizedPlace(x.Loc, name)
	}
}

func (c *checker) rngPlace(x *ast.Call) {
	inBlock := c.fn == nil && (c.block == ast.TransformedDataKind || c.block == ast.GeneratedQuantitiesKind || c.block == ast.SimulateKind)
	switch {
	case c.sizing:
		c.errorf(x.Loc, msgRNGSize, x.Name.Name)
	case !inBlock && !c.inFunction(RNG):
		c.errorf(x.Loc, msgRNGPlace, x.Name.Name)
	}
}

func (c *checker) lpPlace(at source.Span, name string) {
	if c.block != ast.ModelKind && c.block != ast.TransformedParametersKind && !c.inFunction(LP) {
		c.errorf(at, msgLPPlace, name)
	}
}

func (c *checker) unnormalizedPlace(at source.Span, name string) {
	if c.block != ast.ModelKind && !c.inFunction(LPDF, LPMF) {
		c.errorf(at, msgLUPDFPlace, name)
	}
}

// renamed maps names that Stan has dropped to what took their place.
var renamed = map[string]string{"fabs": "abs", "multiply_log": "lmultiply", "binomial_coefficient_log": "lchoose",
	"cov_exp_quad": "gp_exp_quad_cov", "get_lp": "target", "if_else": "c ? a : b", "increment_log_prob": "target +="}

// unknownFunction reports a call of nothing, with what was probably meant.
func (c *checker) unknownFunction(id *ast.Ident) {
	if sym := c.lookup(id.Name); sym != nil {
		p := c.errorf(id.Loc, msgVariableAsFunc, id.Name, sym.Kind)
		p.Notes = append(p.Notes, problem.Note{Span: sym.Def.Loc, Message: "it is declared here"})
		return
	}
	p := c.errorf(id.Loc, msgUnknownFunc, id.Name)
	p.Help = cmp.Or(c.functionHelp(id.Name), p.Help)
}

func (c *checker) functionHelp(name string) string {
	if now := renamed[name]; now != "" {
		return "it is written " + now + " now"
	}
	for _, old := range []struct{ end, now string }{{"_ccdf_log", "_lccdf"}, {"_cdf_log", "_lcdf"}, {"_log", "_lpdf"},
		{"_log", "_lpmf"}, {"_lpdf", "_lpmf"}, {"_lpmf", "_lpdf"}, {"_lupdf", "_lupmf"}, {"_lupmf", "_lupdf"}} {
		stem, ok := strings.CutSuffix(name, old.end)
		if now := stem + old.now; ok && len(c.forms(normalized(now))) > 0 {
			return "it is called " + now
		}
	}
	names := make([]string, 0, len(c.funcs))
	for _, f := range c.info.Functions {
		names = append(names, f.Name)
	}
	return didYouMean(nearest(name, append(names, c.lib.Names()...)))
}

// mismatch reports a call that no signature takes, or several.
func (c *checker) mismatch(at source.Span, m message, name string, bar bool, given []types.Arg, mis *types.Mismatch) *problem.Problem {
	for _, a := range given {
		if a.Type.Base == types.BadBase {
			return nil
		}
	}
	list := argumentList(given, bar)
	if mis.Ambiguous != nil {
		p := c.errorf(at, msgAmbiguous, name, list)
		for _, sig := range mis.Ambiguous {
			p.Notes = append(p.Notes, problem.Note{Message: "it could be " + sig.String()})
		}
		return p
	}
	p := c.errorf(at, m, name, list)
	for _, cand := range mis.Closest {
		p.Notes = append(p.Notes, problem.Note{Message: cand.Sig.String() + ": " + reason(cand, given)})
	}
	if mis.More > 0 {
		p.Notes = append(p.Notes, problem.Note{Message: fmt.Sprintf("and %d more", mis.More)})
	}
	return p
}

// argumentList writes the types of actual arguments as a call has them.
func argumentList(given []types.Arg, bar bool) string {
	var b strings.Builder
	b.WriteByte('(')
	for i, a := range given {
		switch {
		case i == 1 && bar:
			b.WriteString(" | ")
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString(a.Type.String())
	}
	return b.String() + ")"
}

// reason reports what keeps a candidate from fitting.
func reason(cand types.Candidate, given []types.Arg) string {
	n := cand.Arg + 1
	switch cand.Reason {
	case types.WrongCount:
		want := len(cand.Sig.Params)
		if want > 0 && cand.Sig.Params[want-1].Pattern == types.Rest {
			return fmt.Sprintf("it takes at least %d arguments, not %d", want-1, len(given))
		}
		if cand.Sig.Bar && len(given) > 0 {
			return fmt.Sprintf("it takes %s beside %s, not %d", count(want-1, "argument"), cmp.Or(cand.Sig.Params[0].Name, "the first"), len(given)-1)
		}
		return fmt.Sprintf("it takes %s, not %d", count(want, "argument"), len(given))
	case types.NotData:
		if cand.Field > 0 {
			return fmt.Sprintf("part %d of argument %d must be data, and what is given may depend on parameters", cand.Field, n)
		}
		return fmt.Sprintf("argument %d must be data, and what is given may depend on parameters", n)
	case types.WrongContainer:
		return fmt.Sprintf("argument %d is %s beside %s: containers must be of one kind", n, given[cand.Arg].Type, cand.Want)
	}
	want := cand.Want
	if cand.Reason == types.AmbiguousFunction {
		return fmt.Sprintf("argument %d is to be %s, which several functions of the name are with equally many promotions", n, want)
	}
	if words := patternWords[want]; words != "" {
		want = words
	}
	return fmt.Sprintf("argument %d must be %s, and is %s", n, want, given[cand.Arg].Type)
}

// patternWords reports what the patterns of signatures take.
var patternWords = map[string]string{
	"ints":    "int or array[] int",
	"reals":   "real, vector, row_vector or array[] real",
	"vectors": "vector, row_vector or an array of these",
	"T":       "a number, vector or matrix that is not complex, or an array of these",
	"I":       "int or an array of int",
	"C":       "a number, vector or matrix, or an array of these",

	"tuple(...)": "a tuple (one value x is written (x,))",
}

// count writes a number with its noun.
func count(n int, noun string) string {
	switch n {
	case 0:
		return "no " + noun + "s"
	case 1:
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
