// The log prior density of draws, and what priors expect of data.

package lang

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/diagnose/elicit"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/ir/graph"
	"github.com/seed-12b88e03/ppl/ir/pass"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/parser"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// LogPriors returns the log prior density of each draw of each chain, in the parameters as they are declared: of the
// statements in which no data take part, without the log Jacobian of the transforms. The errors
// are those of Generate, and of a model whose prior cannot be told from the likelihood.
func (m *Model) LogPriors(ctx context.Context, fit *draws.Draws, jobs int) ([][]float64, error) {
	at, err := m.parametersIn(fit)
	if err != nil {
		return nil, err
	}
	probe := m.bound.NewEvaluator()
	if s, ok := probe.(infer.Splitter); ok {
		if err := s.Splits(); err != nil {
			return nil, err
		}
	}
	if _, ok := probe.(infer.Tempered); !ok {
		return nil, fmt.Errorf("the model has no prior of its own")
	}
	out := make([][]float64, fit.Chains())
	err = m.eachChain(ctx, fit, jobs, func(chain int) error {
		parts := m.bound.NewEvaluator().(infer.Tempered)
		with, without := m.bound.Density(true, false), m.bound.Density(false, false)
		for i := range fit.Len(chain) {
			if err := ctx.Err(); err != nil {
				return context.Cause(ctx)
			}
			q, err := m.bound.UnconstrainRow(draws.Picked(fit.Row(chain, i), at))
			if err != nil {
				return atDraw(chain, i, err)
			}
			x, err := logPrior(parts, with, without, q)
			if err != nil {
				return atDraw(chain, i, err)
			}
			out[chain] = append(out[chain], x)
		}
		return nil
	})
	return out, err
}

// logPrior is the log prior without the log Jacobian, which is the difference of two densities.
func logPrior(parts infer.Tempered, with, without infer.Target, q []float64) (float64, error) {
	prior, _, err := parts.LogDensityParts(q)
	if err != nil {
		return 0, err
	}
	a, err := with.LogDensity(q)
	if err != nil {
		return 0, err
	}
	b, err := without.LogDensity(q)
	return prior - (a - b), err
}

// PriorOptions are the settings of Prior.
type PriorOptions struct {
	// Quantities are expressions over the program's variables, with plausible ranges and wanted quantiles; all observed variables where
	// there are none.
	Quantities []elicit.Quantity
	Move       []string        // parameters whose priors have the numbers that are chosen where quantiles are wanted; all where there are none
	Set        map[int]float64 // other values of the numbers in the priors, counted from 1, to look at
	Sets       int             // data sets to simulate, at least 1
	Seed       uint64
	Jobs       int // data sets at work at the same time; 0 means one
	Bind       BindOptions
}

// Prior says what the priors of a program expect of data with the sizes and covariates of in, which may lack observations, and chooses numbers in
// them by wanted quantiles (package diagnose/elicit). The error is that of Bind, or a *CompileError of an expression or of what
// the model cannot be simulated for.
func (p *Program) Prior(ctx context.Context, in *data.Set, o PriorOptions) (*diagnose.Verdict, error) {
	q, err := p.priorQuestion(ctx, in, o)
	if err != nil {
		return nil, err
	}
	return elicit.Judge(ctx, *q)
}

// PriorSliders are the numbers in the priors of a program, to be moved by hand while the quantiles of what they expect follow. Errors are those of
// Prior.
func (p *Program) PriorSliders(ctx context.Context, in *data.Set, o PriorOptions) (*elicit.Sliders, error) {
	q, err := p.priorQuestion(ctx, in, o)
	if err != nil {
		return nil, err
	}
	return elicit.NewSliders(*q), nil
}

// priorQuestion is what is asked of the priors.
func (p *Program) priorQuestion(ctx context.Context, in *data.Set, o PriorOptions) (*elicit.Options, error) {
	e := &elicitation{in: in}
	own, err := e.withQuantities(p, o.Quantities)
	if err != nil {
		return nil, err
	}
	block := own.IR.Simulate
	own.IR.Simulate = nil                       // the numbers are those of the model block
	o.Bind.Unobserved, o.Bind.Print = true, nil // the quantities would be printed
	m, err := own.generative(ctx, in, o.Bind)
	if e.block = err != nil && block != nil; e.block { // what the model block does not say; its numbers stay
		own.IR.Simulate = block
		m, err = own.generative(ctx, in, o.Bind)
	}
	if err != nil {
		return nil, err
	}
	if len(o.Quantities) == 0 {
		columns, _ := m.Observed()
		for _, name := range draws.Bases(columns) {
			o.Quantities = append(o.Quantities, elicit.Quantity{Name: name})
		}
		if len(o.Quantities) == 0 {
			return nil, errors.New("the model with these data observes nothing, so that its priors expect nothing of data: name what to look at, such as a parameter")
		}
	}
	e.PriorOptions, e.program = o, own
	if err := e.find(m); err != nil {
		return nil, err
	}
	options := &elicit.Options{Quantities: o.Quantities, Fixed: e.fixed, Set: o.Set, Sets: o.Sets, Seed: o.Seed, Simulate: e.simulate}
	for _, n := range e.numbers {
		options.Numbers = append(options.Numbers, n.Number)
	}
	for _, i := range slices.Sorted(maps.Keys(o.Set)) {
		if err := elicit.Check(options.Numbers, i, o.Set[i]); err != nil {
			return nil, err
		}
	}
	return options, nil
}

// generative binds a program that can be simulated from.
func (p *Program) generative(ctx context.Context, in *data.Set, o BindOptions) (*Model, error) {
	m, err := p.BindContext(ctx, in, o)
	if err != nil {
		return nil, err
	}
	ok, problems, err := m.Generative()
	if !ok && err == nil {
		err = Refusal(problems)
	}
	return m, err
}

// An elicitation simulates with other numbers in the priors.
type elicitation struct {
	PriorOptions
	program *Program
	in      *data.Set
	numbers []priorNumber
	fixed   []bool
	exprs   []ir.Expr // of the quantities
	direct  []bool    // which are observed variables

	generated bool // whether one is of generated quantities
	block     bool // data are those of the simulate block, in which no number is moved
}

// A priorNumber is where a number stands: once as a literal, or wherever a variable of the data does.
type priorNumber struct {
	elicit.Number
	at   []ir.Expr
	data *ir.Var // nil for a literal
	of   *ir.Var // the first parameter whose prior it is in
}

// withQuantities is a program of one's own, in which the quantities are printed at the end of the generated quantities: there
// they have types, and the variables of the program. The error is a *CompileError.
func (e *elicitation) withQuantities(p *Program, quantities []elicit.Quantity) (*Program, error) {
	if err := p.broken(); err != nil {
		return nil, err
	}
	own := *p
	for _, q := range quantities {
		tree, found := parser.ParseExpr(source.NewFile("quantity", q.Name))
		if found.HasErrors() {
			return nil, &CompileError{found}
		}
		x, err := own.expression(*own.AST, q.Name, tree)
		if err != nil {
			return nil, err
		}
		own = *x.program
	}
	program := *own.IR
	own.IR = &program
	body := program.GeneratedQuantities.Body
	for _, s := range body[len(body)-len(quantities):] {
		x := s.(*ir.Print).Args[0]
		e.exprs = append(e.exprs, x)
		ir.InspectExpr(x, func(n any) bool {
			if r, ok := n.(*ir.Ref); ok && r.Var.Kind == ir.Generated {
				e.generated = true
			}
			return true
		})
	}
	return &own, nil
}

// find finds the quantities and the numbers.
func (e *elicitation) find(m *Model) error {
	observed, _ := m.bound.Data()
	for _, q := range e.Quantities {
		e.direct = append(e.direct, slices.ContainsFunc(observed, func(o bind.Named) bool { return o.Var.Name == q.Name }))
	}
	if !e.block {
		e.findNumbers(m)
	}
	for _, name := range e.Move {
		if !slices.ContainsFunc(e.numbers, func(n priorNumber) bool { return n.of.Name == name }) {
			return &MismatchError{Variable: name, Text: fmt.Sprintf("no prior of %s has a number in it that could be moved", name)}
		}
	}
	return nil
}

// findNumbers finds literals, and variables of the data, that are arguments of the densities of parameters.
func (e *elicitation) findNumbers(m *Model) {
	roles, observed := graph.NewRoles(e.program.IR), graph.Observed(e.program.IR)
	_, constant := m.bound.Data()
	known := map[*ir.Var]float64{}
	for _, c := range constant {
		if c.Var.Type.Equal(types.Real) && !observed[c.Var] {
			known[c.Var] = c.Value.X[0]
		}
	}
	ir.Inspect(e.program.IR.Model, func(n any) bool {
		switch s := n.(type) {
		case *ir.Sample:
			if !roles.Likelihood(s) {
				e.findIn(s.Loc, s.Density, known)
			}
		case *ir.TargetAdd:
			if !roles.Likelihood(s) {
				e.findIn(s.Loc, s.X, known)
			}
		}
		return true
	})
	steps := m.priorSpreads(e.Seed)
	for i := range e.numbers {
		n := &e.numbers[i]
		n.Step = steps[n.of]
		e.fixed = append(e.fixed, len(e.Move) > 0 && !slices.Contains(e.Move, n.of.Name))
	}
}

// findIn finds the numbers in a density of parameters.
func (e *elicitation) findIn(at source.Span, density ir.Expr, known map[*ir.Var]float64) {
	call, ok := density.(*ir.Call)
	if !ok {
		return
	}
	fn, ok := call.Fn.(*stdlib.Function)
	if !ok || fn.Density == nil {
		return
	}
	var of *ir.Var
	ir.InspectExpr(call.Args[0], func(n any) bool {
		if r, ok := n.(*ir.Ref); ok && r.Var.Kind == ir.Parameter && of == nil {
			of = r.Var
		}
		return true
	})
	for i, arg := range call.Args {
		x, v, ok := numberIn(arg, known)
		half := x == 0 && of != nil && of.Decl.Constraint != nil && strings.HasPrefix(of.Decl.Constraint.Name, "lower") // of a distribution that is cut in the middle
		if of == nil || i == 0 || half || !ok || !arg.Type().Equal(types.Real) || i >= len(fn.Density.Requires) {
			continue
		}
		if k := slices.IndexFunc(e.numbers, func(n priorNumber) bool { return v != nil && n.data == v }); k >= 0 {
			e.numbers[k].at = append(e.numbers[k].at, arg)
			continue
		}
		n := priorNumber{at: []ir.Expr{arg}, data: v, of: of, Number: elicit.Number{
			Line: at.Position().Line, Statement: oneLine(at.Text()), Name: arg.Span().Text(), Value: x, Low: math.Inf(-1), High: math.Inf(1), At: -1}}
		if before := at.Text()[:arg.Span().Start-at.Start]; v == nil {
			n.At = len(oneLine(before+"|")) - 1
		}
		if r := fn.Density.Requires[i]; r.Low >= 0 {
			n.Low = 0
			if r.High <= 1 {
				n.High = 1
			}
		}
		e.numbers = append(e.numbers, n)
	}
}

// numberIn is the value of an argument that is a literal, or a variable of the data.
func numberIn(x ir.Expr, known map[*ir.Var]float64) (value float64, v *ir.Var, ok bool) {
	switch x := x.(type) {
	case *ir.Promote:
		return numberIn(x.X, known)
	case *ir.Const:
		return x.X, nil, true
	case *ir.Ref:
		value, ok = known[x.Var]
		return value, x.Var, ok
	case *ir.Call:
		if x.Fn.BuiltinName() == "minus" && len(x.Args) == 1 {
			value, v, ok = numberIn(x.Args[0], known)
			return -value, nil, ok && v == nil
		}
	}
	return 0, nil, false
}

// priorSpreads are about the standard deviations of the parameters under the prior, from their quartiles.
func (m *Model) priorSpreads(seed uint64) map[*ir.Var]float64 {
	const sets, quartiles = 200, 1.349
	x, out := map[*ir.Var][]float64{}, map[*ir.Var]float64{}
	for i := range sets {
		if s, err := m.SimulateNumber(seed, i); err == nil {
			for _, p := range s.Drawn.Parameters {
				x[p.Var] = append(x[p.Var], bind.NumbersOf(p)...)
			}
		}
	}
	for v, values := range x {
		sorted := draws.Sorted([][]float64{values})
		if out[v] = (draws.Quantile(sorted, 0.75) - draws.Quantile(sorted, 0.25)) / quartiles; !(out[v] > 0) {
			out[v] = 1
		}
	}
	return out
}

// simulate draws data sets with other numbers in the priors.
func (e *elicitation) simulate(ctx context.Context, values []float64, n int, seed uint64) (elicit.Sets, int, error) {
	by := map[ir.Expr]float64{}
	for i, number := range e.numbers {
		for _, at := range number.at {
			by[at] = values[i]
		}
	}
	own := *e.program
	own.IR = new(ir.Program)
	*own.IR = *e.program.IR
	own.IR.Model = pass.Replace(e.program.IR.Model, func(x ir.Expr) ir.Expr {
		if v, ok := by[x]; ok {
			return &ir.Const{Node: ir.Node{Loc: x.Span(), T: types.Real}, X: v}
		}
		return nil
	})
	m, err := own.BindContext(ctx, e.in, e.Bind)
	if err != nil {
		return nil, 0, err
	}
	drawn, err := replicate(ctx, n, e.Jobs, func(i int) (map[string][]float64, error) { return e.quantities(m, seed, i) })
	if err != nil {
		return nil, 0, err
	}
	out, undrawn := make(elicit.Sets, len(e.Quantities)), n
	for k, q := range e.Quantities {
		out[k] = drawn[q.Name]
		undrawn = min(undrawn, n-len(out[k]))
	}
	return out, undrawn, nil
}

// quantities are the numbers of data set i; none where it cannot be drawn.
func (e *elicitation) quantities(m *Model, seed uint64, i int) (map[string][]float64, error) {
	s, err := m.SimulateNumber(seed, i)
	var not *graph.NotGenerative
	switch {
	case errors.As(err, &not):
		return nil, err
	case infer.IsUndrawable(err), infer.IsReject(err):
		return nil, nil
	case err != nil:
		return nil, err
	}
	out := map[string][]float64{}
	var scope *eval.Machine
	for k, q := range e.Quantities {
		if e.direct[k] {
			at := slices.IndexFunc(s.Drawn.Observations, func(o bind.Named) bool { return o.Var.Name == q.Name })
			out[q.Name] = bind.NumbersOf(s.Drawn.Observations[at])
			continue
		}
		if scope == nil {
			other, err := m.bound.Rebind(s.Drawn.Observations)
			if err != nil {
				return nil, err
			}
			_, values := bind.Numbers(s.Drawn.Parameters)
			if scope, err = other.Scope(rng.New(seed, "prior quantities", 0, uint64(i)), values, e.generated); err != nil {
				return nil, err
			}
		}
		v, err := scope.Eval(e.exprs[k])
		if err != nil && !infer.IsReject(err) {
			return nil, err
		}
		if err == nil {
			out[q.Name] = bind.NumbersOf(bind.Named{Value: v})
		}
	}
	return out, nil
}
