// Prior and likelihood: which statements of a program are what.
//
// A term of the log density is likelihood where data take part in it, and prior
// otherwise. Precisely, with the origins that values have:
//
//   - The density of a variate, D_lpdf(x | ...) or x ~ D(...), is likelihood where
//     numbers of data go into x, where x depends on no parameter ("1 ~ bernoulli(p)"), or
//     where an observation goes into another argument. Otherwise it is the prior of what
//     x is computed from: data in the other arguments are hyperparameters, covariates
//     and sizes, and take no part.
//   - Observations that other arguments have take no part where x is missing elements of data, which are parameters: their
//     distribution is their prior, given the elements that are known.
//   - A user's density of a parameter is likelihood, too, where its body has the density
//     of data.
//   - Anything else is likelihood where data take part: as numbers, as indices
//     (log(theta[y[n]])), or in a condition around it (if (y[n] == 0) ...). A single number
//     given as data is a switch or a size where it stands in a condition or an index.
//   - Where all that depends on parameters in an operation is made of priors, data
//     beside it are hyperparameters: log_mix(p0, normal_lpdf(b | 0, s0), ...) is a prior.
//
// A term that holds a prior and a likelihood can be neither; Divided splits sums.

package graph

import (
	"maps"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// An Origin is what goes into a value.
type Origin uint8

// The kinds of what goes into a value.
const (
	FromParameter   Origin = 1 << iota
	FromNumber             // a single number given as data
	FromData               // numbers of a container of data
	FromObservation        // data that some density is of, or the log density of data
	ByData                 // data choose it, as indices and conditions do
	FromLiteral            // the log density of what is neither data nor a parameter
	FromPrior              // the log density of what depends on parameters and no data
)

const (
	anyNumbers = FromNumber | FromData | FromObservation
	anyData    = anyNumbers | ByData
)

// Likelihood reports whether a term of this origin is likelihood.
func (o Origin) Likelihood() bool {
	return o&anyData != 0 || o&FromLiteral != 0 && o&FromPrior == 0
}

// Mixed reports whether a term of this origin holds a prior and a likelihood.
func (o Origin) Mixed() bool { return o&FromPrior != 0 && o.Likelihood() }

// chosen is what an index or a condition contributes to what it selects.
func (o Origin) chosen() Origin {
	out := o & (FromParameter | ByData)
	if o&(FromData|FromObservation) != 0 {
		out |= ByData
	}
	return out
}

// combined is the origin of a value computed from others.
func combined(args ...Origin) Origin {
	var all Origin
	pure := true // whatever depends on parameters is made of priors
	for _, o := range args {
		all |= o
		pure = pure && (o&FromParameter == 0 || o&FromPrior != 0 && !o.Mixed())
	}
	if pure && all&FromPrior != 0 {
		all &^= FromNumber | FromData | ByData
	}
	return all
}

// densityOf is the origin of the log density of a variate.
func densityOf(variate, others Origin) Origin {
	out := (variate | others) & FromParameter
	switch {
	case variate&anyNumbers != 0:
		return out | FromObservation
	case out == 0: // a constant
		return 0
	case variate&FromParameter == 0:
		return out | FromLiteral
	case others&FromObservation != 0:
		return out | FromObservation
	}
	return out | FromPrior
}

// Roles reports which statements are likelihood. It is not changed once made, and a nil one
// has none.
type Roles struct {
	likelihood map[ir.Stmt]bool
	calls      map[*ir.UserCall]*Roles // of the statements of functions that add to the target
	mixed      []*ir.TargetAdd
	priors     map[*ir.TargetAdd][]ir.Expr // summands of those that are priors
	origins    map[*ir.Var]Origin          // of variables outside functions, over all their assignments
}

// Likelihood reports whether what a statement adds to the log density is likelihood.
func (r *Roles) Likelihood(s ir.Stmt) bool { return r != nil && r.likelihood[s] }

// Within returns the roles of a function's statements where it is called by x.
func (r *Roles) Within(x *ir.UserCall) *Roles {
	if r == nil {
		return nil
	}
	return r.calls[x]
}

// Priors reports whether a statement is prior, in this function or one that it calls.
func (r *Roles) Priors() bool { return r.anyPrior(map[*Roles]bool{}) }

func (r *Roles) anyPrior(seen map[*Roles]bool) bool {
	if r == nil || seen[r] {
		return false
	}
	seen[r] = true
	for _, likelihood := range r.likelihood {
		if !likelihood {
			return true
		}
	}
	for _, inner := range r.calls {
		if inner.anyPrior(seen) {
			return true
		}
	}
	return false
}

// Err is nil where every term is either prior or likelihood; otherwise it names the first that is neither.
func (r *Roles) Err() *Indivisible {
	if at := r.firstMixed(map[*Roles]bool{}); at != nil {
		return &Indivisible{At: at.Loc}
	}
	return nil
}

func (r *Roles) firstMixed(seen map[*Roles]bool) *ir.TargetAdd {
	if r == nil || seen[r] {
		return nil
	}
	seen[r] = true
	var first *ir.TargetAdd
	earlier := func(s *ir.TargetAdd) {
		if s != nil && (first == nil || s.Loc.Start < first.Loc.Start) {
			first = s
		}
	}
	for _, s := range r.mixed {
		earlier(s)
	}
	for _, inner := range r.calls {
		earlier(inner.firstMixed(seen))
	}
	return first
}

// Indivisible is a term that holds a prior and a likelihood and is no sum of them.
type Indivisible struct{ At source.Span }

// Text returns the reason.
func (e *Indivisible) Text() string {
	return "this term holds the density of a parameter and that of data in a form that cannot be split into prior and likelihood"
}

// Help returns the remedy.
func (e *Indivisible) Help() string {
	return "add prior and likelihood to the target with a statement each"
}

// Error returns place, reason and remedy.
func (e *Indivisible) Error() string { return e.At.String() + ": " + e.Text() + "; " + e.Help() }

// Carried returns the roles of a program that passes made of the one of r; false where they are not known. What a pass
// makes of a statement stands at its place, so that roles are known wherever all statements at a place have the same.
func (r *Roles) Carried(to *ir.Program) (*Roles, bool) {
	if len(r.calls) > 0 {
		return nil, false
	}
	at := map[source.Span]bool{}
	for s, likelihood := range r.likelihood {
		if old, ok := at[s.Span()]; ok && old != likelihood {
			return nil, false
		}
		at[s.Span()] = likelihood
	}
	out, known := &Roles{likelihood: map[ir.Stmt]bool{}}, true
	for _, body := range [][]ir.Stmt{to.TransformedParameters.Body, to.Model} {
		ir.Inspect(body, func(n any) bool {
			switch n := n.(type) {
			case *ir.TargetAdd:
				known = known && out.carry(n, at)
			case *ir.Sample:
				known = known && out.carry(n, at)
			}
			return known
		})
	}
	return out, known
}

func (r *Roles) carry(s ir.Stmt, at map[source.Span]bool) (known bool) {
	r.likelihood[s], known = at[s.Span()]
	return known
}

// varies reports whether an expression outside functions depends on parameters or
// observations.
func (r *Roles) varies(x ir.Expr) bool {
	return ir.ReadsAny(x, func(v *ir.Var) bool { return r.origins[v]&(FromParameter|FromObservation) != 0 })
}

// NewRoles divides the terms of a program's log density.
func NewRoles(p *ir.Program) *Roles {
	return rolesOf(p, p.TransformedParameters.Body, p.Model)
}

// rolesOf is NewRoles with other statements in place of the program's.
func rolesOf(p *ir.Program, transformed, model []ir.Stmt) *Roles {
	a := &analyst{calls: map[callKey]*summary{}}
	observations := Variates(p)
	for v := range simulated(p) {
		observations[v] = true
	}
	s := a.newScope()
	for _, v := range p.Data {
		s.env[v] = given(v, observations)
	}
	s.run(p.TransformedData.Body)
	for _, v := range p.TransformedData.Vars {
		o := s.env[v]
		s.env[v] = 0
		if o != 0 || observations[v] {
			s.env[v] = given(v, observations)
		}
	}
	for _, v := range p.Parameters {
		s.env[v] = FromParameter
	}
	clear(s.roles.likelihood)
	s.all = map[*ir.Var]Origin{}
	maps.Copy(s.all, s.env)
	s.run(transformed)
	s.run(model)
	s.roles.origins = s.all
	return s.roles
}

// given is the origin of a data variable.
func given(v *ir.Var, observations map[*ir.Var]bool) Origin {
	o := FromData
	if v.Type.Rank() == 0 && len(v.Type.Fields) == 0 {
		o = FromNumber
	}
	if observations[v] {
		o |= FromObservation
	}
	return o
}

// simulated are the data that the simulate block assigns.
func simulated(p *ir.Program) map[*ir.Var]bool {
	out := map[*ir.Var]bool{}
	if p.Simulate == nil {
		return out
	}
	ir.Assignments(p.Simulate.Body, func(q *ir.Place, _ ir.Expr) {
		if q.Var.Kind == ir.Datum {
			out[q.Var] = true
		}
	})
	return out
}

// An analyst follows origins through a program.
type analyst struct {
	calls map[callKey]*summary
}

// A callKey is a function with the origins of its arguments.
type callKey struct {
	fn   *ir.Function
	args string
}

// A summary is what a function gives for arguments of certain origins.
type summary struct {
	result Origin
	roles  *Roles
}

// A scope is the state of a walk through the program's statements, or a function's.
type scope struct {
	*analyst
	env     map[*ir.Var]Origin
	all     map[*ir.Var]Origin // over all assignments; nil where nobody asks
	roles   *Roles
	mixed   map[*ir.TargetAdd]bool
	control Origin // of the conditions around
	result  Origin // of what was returned
}

func (a *analyst) newScope() *scope {
	return &scope{analyst: a, env: map[*ir.Var]Origin{}, mixed: map[*ir.TargetAdd]bool{},
		roles: &Roles{likelihood: map[ir.Stmt]bool{}, calls: map[*ir.UserCall]*Roles{}, priors: map[*ir.TargetAdd][]ir.Expr{}}}
}

func (s *scope) run(body []ir.Stmt) {
	for _, t := range body {
		s.stmt(t)
	}
}

func (s *scope) stmt(t ir.Stmt) {
	switch t := t.(type) {
	case *ir.Declare:
		s.set(t.Var, s.of(t.Init))
	case *ir.Assign:
		s.assign(&t.To, s.of(t.X))
	case *ir.Unpack:
		o := s.of(t.X)
		ir.Places(t.To, func(p *ir.Place) { s.assign(p, o) })
	case *ir.TargetAdd:
		s.term(t)
	case *ir.Sample:
		s.roles.likelihood[t] = s.of(t.Density).Likelihood()
	case *ir.Eval:
		s.of(t.X)
	case *ir.Block:
		s.run(t.Body)
	case *ir.If:
		s.conditional(t)
	case *ir.For:
		s.set(t.Var, 0)
		s.loop(s.of(t.Lo)|s.of(t.Hi), t.Body)
	case *ir.ForEach:
		s.set(t.Var, s.of(t.X))
		s.loop(0, t.Body)
	case *ir.While:
		s.loop(s.of(t.Test), t.Body)
	case *ir.Return:
		s.result |= combined(s.of(t.X), s.control)
	}
}

// term notes the role of "target +=".
func (s *scope) term(t *ir.TargetAdd) {
	o := combined(s.of(t.X), s.control)
	s.roles.likelihood[t] = o.Likelihood()
	if !o.Mixed() {
		return
	}
	if !s.mixed[t] {
		s.mixed[t] = true
		s.roles.mixed = append(s.roles.mixed, t)
	}
	s.roles.priors[t] = nil
	for _, x := range summands(t.X) {
		if o := s.of(x); o&FromPrior != 0 && !o.Mixed() && x != t.X {
			s.roles.priors[t] = append(s.roles.priors[t], x)
		}
	}
}

func (s *scope) assign(to *ir.Place, o Origin) {
	if len(to.Path) > 0 {
		o |= s.env[to.Var]
	}
	s.set(to.Var, o)
}

func (s *scope) set(v *ir.Var, o Origin) {
	o = combined(o, s.control)
	s.env[v] = o
	if s.all != nil {
		s.all[v] |= o
	}
}

// conditional walks both branches and joins what they leave. Where one leaves the loop
// or function, what follows stands under the condition, too.
func (s *scope) conditional(t *ir.If) {
	outer := s.control
	s.control |= s.of(t.Test).chosen() &^ FromParameter
	before := clone(s.env)
	s.run(t.Then)
	then := s.env
	s.env = before
	s.run(t.Else)
	s.join(then)
	if !jumps(t.Then) && !jumps(t.Else) {
		s.control = outer
	}
}

// loop walks a body until nothing changes.
func (s *scope) loop(condition Origin, body []ir.Stmt) {
	outer := s.control
	s.control |= condition.chosen() &^ FromParameter
	for {
		before := clone(s.env)
		s.run(body)
		s.join(before)
		if same(s.env, before) {
			break
		}
	}
	s.control = outer
}

func (s *scope) join(other map[*ir.Var]Origin) {
	for v, o := range other {
		s.env[v] |= o
	}
}

func clone(env map[*ir.Var]Origin) map[*ir.Var]Origin {
	out := make(map[*ir.Var]Origin, len(env))
	maps.Copy(out, env)
	return out
}

func same(a, b map[*ir.Var]Origin) bool {
	for v, o := range a {
		if b[v] != o {
			return false
		}
	}
	return true
}

// of is the origin of an expression; 0 for nil.
func (s *scope) of(x ir.Expr) Origin {
	switch x := x.(type) {
	case *ir.Ref:
		return s.env[x.Var]
	case *ir.Promote:
		return s.of(x.X)
	case *ir.Field:
		return s.of(x.X)
	case *ir.Index:
		o := s.of(x.X)
		for i := range x.Indices {
			o |= (s.of(x.Indices[i].Lo) | s.of(x.Indices[i].Hi)).chosen()
		}
		return o
	case *ir.Array:
		return combined(s.ofAll(x.Elems)...)
	case *ir.Row:
		return combined(s.ofAll(x.Elems)...)
	case *ir.Tuple:
		return combined(s.ofAll(x.Elems)...)
	case *ir.Cond:
		return combined(s.of(x.Then)|s.of(x.Else), s.of(x.Test).chosen())
	case *ir.Logic:
		return s.of(x.L) | s.of(x.R)
	case *ir.Target: // whatever was added before
		return FromParameter | FromPrior | FromObservation
	case *ir.Call:
		return s.call(x)
	case *ir.UserCall:
		return s.userCall(x)
	}
	return 0
}

func (s *scope) ofAll(xs []ir.Expr) []Origin {
	out := make([]Origin, len(xs))
	for i, x := range xs {
		out[i] = s.of(x)
	}
	return out
}

func union(list []Origin) Origin {
	var o Origin
	for _, x := range list {
		o |= x
	}
	return o
}

// IsSize reports whether a function is one of sizes, of which numbers take no part.
func IsSize(name string) bool {
	return slices.Contains([]string{"size", "num_elements", "rows", "cols", "dims"}, name)
}

// call is the origin of what a library function gives.
func (s *scope) call(x *ir.Call) Origin {
	name := x.Fn.BuiltinName()
	if strings.HasPrefix(name, "reduce_sum") {
		return s.reduceSum(x)
	}
	args := s.ofAll(x.Args)
	switch {
	case IsSize(name):
		return 0
	case IsDensity(name) && len(args) > 0:
		return densityOf(args[0], givenKnown(x.Args[0], union(args[1:])))
	case strings.HasPrefix(name, "rep_"):
		return args[0] | union(args[1:])&FromParameter
	}
	if n := rearranged(x); n > 0 {
		return combined(args[:n]...) | union(args[n:]).chosen()
	}
	return combined(args...)
}

// givenKnown is the origin of a density's other arguments as far as it counts for the variate.
func givenKnown(variate ir.Expr, others Origin) Origin {
	vars, pure := consists(variate)
	if pure && !slices.ContainsFunc(vars, func(v *ir.Var) bool { return v.Part == nil }) {
		others &^= FromObservation
	}
	return others
}

// reduceSum is that of the function that it sums, applied to a part of its first argument.
func (s *scope) reduceSum(x *ir.Call) Origin {
	f, ok := x.Args[0].(*ir.FuncRef)
	if !ok || len(x.Args) < 3 {
		return union(s.ofAll(x.Args))
	}
	args := append([]Origin{s.of(x.Args[1]), 0, 0}, s.ofAll(x.Args[3:])...)
	o, _ := s.function(f.Fn, args)
	return o
}

// userCall is the origin of what a user's function gives.
func (s *scope) userCall(x *ir.UserCall) Origin {
	o, roles := s.function(x.Fn, s.ofAll(x.Args))
	if x.Fn.Target {
		s.roles.calls[x] = roles
	}
	return o
}

// function applies a user's function. A density of its name is one, whatever its body is
// made of, unless that has a density of data.
func (s *scope) function(fn *ir.Function, args []Origin) (Origin, *Roles) {
	in := s.summary(fn, args)
	if !IsDensity(fn.Name) || len(args) == 0 {
		return in.result, in.roles
	}
	o := densityOf(args[0], union(args[1:]))
	if o&FromPrior != 0 && in.result&FromObservation != 0 {
		o = o&^FromPrior | in.result&(FromObservation|FromPrior)
	}
	return o, in.roles
}

// summary walks through a function, again where it calls itself until nothing changes.
func (a *analyst) summary(fn *ir.Function, args []Origin) *summary {
	key := callKey{fn, ""}
	for _, o := range args {
		key.args += string(rune(o))
	}
	if in := a.calls[key]; in != nil {
		return in
	}
	in := &summary{}
	a.calls[key] = in
	for {
		s := a.newScope()
		for i, v := range fn.Params {
			if i < len(args) {
				s.env[v] = args[i]
			}
		}
		s.run(fn.Body)
		known := in.result
		in.result, in.roles = known|s.result, s.roles
		if in.result == known {
			return in
		}
	}
}

// Dependents adds to a set of variables all that are computed from them in transformed
// parameters and model.
func Dependents(p *ir.Program, of map[*ir.Var]bool) {
	for dependents(p.TransformedParameters.Body, of) || dependents(p.Model, of) {
	}
}

// dependents adds those of assignments once, and reports whether there were any.
func dependents(body []ir.Stmt, of map[*ir.Var]bool) bool {
	changed := false
	assignments(body, func(v *ir.Var, x ir.Expr) {
		if !of[v] && ir.ReadsAny(x, func(w *ir.Var) bool { return of[w] }) {
			of[v], changed = true, true
		}
	})
	return changed
}
