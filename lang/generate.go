package lang

// This file computes from the draws of an earlier fit: generated quantities, and data
// sets from the posterior and the prior predictive distribution.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// GenerateOptions are the settings of Generate and Predict.
type GenerateOptions struct {
	Seed uint64 // of the random numbers in generated quantities, or of the data sets
	Jobs int    // chains at work at the same time; 0 means one
}

// Generated are quantities computed from the draws of a fit.
type Generated struct {
	Draws   *draws.Draws // chains and draws of the fit, with its lp__ and sampler columns
	Rejects int          // draws whose quantities the model rejected: they are NaN
	Reject  error        // the reason of the first of them
}

// A MismatchError says that the draws of a fit are not of the model's parameters.
type MismatchError struct {
	Variable string // the parameter
	Text     string
	Missing  bool // the fit does not have it
	Filled   bool // it is an element that was missing in the data, and is no longer
}

// Error names the parameter, and says what is there instead.
func (e *MismatchError) Error() string { return e.Text }

// Generate computes the generated quantities for each draw of a fit, which may be that of
// another model with the same parameters. When ctx ends early the error is that of ctx.
// A *MismatchError says that the parameters are not in the fit; quantities that fail for
// another reason than a rejection are an error with the draw and the place in the program.
func (m *Model) Generate(ctx context.Context, fit *draws.Draws, o GenerateOptions) (*Generated, error) {
	at, err := m.parametersIn(fit)
	if err != nil {
		return nil, err
	}
	names := m.bound.Quantities()
	first := len(m.Columns()) - len(names)
	out := &Generated{Draws: draws.New(fit.Chains(), fit.Stats(), names)}
	// Of each chain, since chains run side by side.
	rejects, reasons := make([]int, fit.Chains()), make([]error, fit.Chains())
	err = m.eachChain(ctx, fit, o.Jobs, func(chain int) error {
		rows := newGivenRows(m.bound, o.Seed, chain)
		for i := 0; i < fit.Len(chain); {
			if err := ctx.Err(); err != nil {
				return context.Cause(ctx)
			}
			n := rows.next(fit, i, at)
			for k := range n {
				err := rows.errs[k]
				if err != nil && !infer.IsReject(err) {
					return atDraw(chain, i+k, err)
				}
				if err != nil {
					rejects[chain]++
					reasons[chain] = cmp.Or(reasons[chain], err)
				}
				drawn := fit.Row(chain, i+k)
				out.Draws.Append(draws.Row{Chain: chain, LogDensity: drawn[0], Stats: drawn[1 : 1+len(fit.Stats())], Values: rows.rows[k][first:]})
			}
			i += n
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, n := range rejects {
		out.Rejects += n
	}
	out.Reject = cmp.Or(reasons...)
	return out, nil
}

// givenRows are some rows of a model at a time, from the parameters of a fit's chain.
type givenRows struct {
	generator    *bind.Generator
	chain        int
	random       *rand.Rand
	values, rows [][]float64
	errs         []error
}

func newGivenRows(m *bind.Model, seed uint64, chain int) *givenRows {
	const n = infer.LockstepSize
	return &givenRows{
		generator: m.NewGenerator(), chain: chain, random: rng.New(seed, rng.Quantities, uint64(chain), 0),
		values: make([][]float64, n), rows: infer.NewRows(n, len(m.Columns())), errs: make([]error, n),
	}
}

// next makes the rows of draws from i on, and says how many it has made. at are the columns of
// the parameters.
func (g *givenRows) next(fit *draws.Draws, i int, at []int) int {
	n := min(len(g.rows), fit.Len(g.chain)-i)
	for k := range n {
		g.values[k] = draws.Picked(fit.Row(g.chain, i+k), at)
	}
	g.generator.Rows(g.values[:n], g.random, g.rows[:n], g.errs[:n])
	return n
}

// Predict draws a data set for each draw of a fit: from the posterior predictive
// distribution. The table has the columns of the observations. The data set of a draw
// depends on seed, chain and draw alone. The errors are those of Generate, and a
// *graph.NotGenerative.
func (m *Model) Predict(ctx context.Context, fit *draws.Draws, o GenerateOptions) (*draws.Draws, error) {
	at, err := m.parametersIn(fit)
	if err != nil {
		return nil, err
	}
	if fit.Total() == 0 {
		return nil, errors.New("the fit has no draws")
	}
	tables := make([]*draws.Draws, fit.Chains())
	err = m.eachChain(ctx, fit, o.Jobs, func(chain int) error {
		for i := range fit.Len(chain) {
			if err := ctx.Err(); err != nil {
				return context.Cause(ctx)
			}
			s, err := m.bound.SimulateGiven(predictiveStream(o.Seed, chain, i), draws.Picked(fit.Row(chain, i), at))
			if err != nil {
				return atDraw(chain, i, err)
			}
			names, x := bind.Numbers(s.Observations)
			if tables[chain] == nil {
				tables[chain] = draws.New(1, nil, names)
			}
			tables[chain].Append(draws.Row{LogDensity: math.NaN(), Values: x})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return joined(tables), nil
}

// PredictOne is the data set that Predict has for one draw: draw i of a chain, both counted
// from 0. The errors are those of Predict.
func (m *Model) PredictOne(fit *draws.Draws, chain, i int, seed uint64) (*Simulation, error) {
	at, err := m.parametersIn(fit)
	if err != nil {
		return nil, err
	}
	s, err := m.bound.SimulateGiven(predictiveStream(seed, chain, i), draws.Picked(fit.Row(chain, i), at))
	if err != nil {
		return nil, atDraw(chain, i, err)
	}
	return &Simulation{Drawn: s, model: m.bound}, nil
}

// atDraw says at which draw there was an error.
func atDraw(chain, i int, err error) error {
	if given, ok := errors.AsType[*bind.GivenError](err); ok {
		return &MismatchError{Variable: given.Name, Text: fmt.Sprintf("draw %d of chain %d: %v", i+1, chain+1, err)}
	}
	return fmt.Errorf("draw %d of chain %d: %w", i+1, chain+1, err)
}

func predictiveStream(seed uint64, chain, i int) *rand.Rand {
	return rng.New(seed, "posterior predictive", uint64(chain), uint64(i))
}

// PriorPredict draws n times from the prior predictive distribution: prior has the
// model's columns, data those of the observations, in one chain each. The first data set
// is that of Simulate. The error is a *graph.NotGenerative where the model is none.
func (m *Model) PriorPredict(ctx context.Context, n int, seed uint64) (prior, data *draws.Draws, err error) {
	defer m.bound.TrackRun(ctx)()
	prior = draws.New(1, nil, m.Columns())
	row, generator := make([]float64, len(m.Columns())), m.bound.NewGenerator()
	for i := range n {
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		s, err := m.SimulateNumber(seed, i)
		if err != nil {
			return nil, nil, err
		}
		for k := range row {
			row[k] = math.NaN()
		}
		_, values := bind.Numbers(s.Drawn.Parameters)
		err = generator.Row(values, rng.New(seed, "prior quantities", 0, uint64(i)), row)
		if err != nil && !infer.IsReject(err) {
			return nil, nil, err
		}
		prior.Append(draws.Row{LogDensity: math.NaN(), Values: row})
		names, x := bind.Numbers(s.Drawn.Observations)
		if data == nil {
			data = draws.New(1, nil, names)
		}
		data.Append(draws.Row{LogDensity: math.NaN(), Values: x})
	}
	return prior, data, nil
}

// Observed returns the data that the model has a distribution for, as columns: a name such as
// "y.2" for each number.
func (m *Model) Observed() (names []string, x []float64) {
	observed, _ := m.bound.Data()
	return bind.Numbers(observed)
}

// DensitiesOf are the names of the data that stand as the variate of a density in what a variable of the generated
// quantities is assigned, as y does for log_lik in "log_lik[n] = normal_lpdf(y[n] | mu, sigma)".
func (p *Program) DensitiesOf(variable string) map[string]bool {
	out := map[string]bool{}
	if p.IR == nil {
		return out
	}
	ir.Inspect(p.IR.GeneratedQuantities.Body, func(n any) bool {
		switch s := n.(type) {
		case *ir.Assign:
			if s.To.Var.Name == variable {
				variates(s.X, out)
			}
		case *ir.Declare:
			if s.Var.Name == variable && s.Init != nil {
				variates(s.Init, out)
			}
		}
		return true
	})
	return out
}

// variates adds the data that are first arguments of densities in an expression.
func variates(x ir.Expr, to map[string]bool) {
	ir.InspectExpr(x, func(n any) bool {
		var name string
		switch c := n.(type) {
		case *ir.Call:
			name = c.Fn.BuiltinName()
		case *ir.UserCall:
			name = c.Fn.Name
		}
		if !strings.HasSuffix(name, "_lpdf") && !strings.HasSuffix(name, "_lpmf") {
			return true
		}
		if v := rootOf(ir.Arguments(n.(ir.Expr))[0]); v != nil && v.Kind == ir.Datum {
			to[v.Name] = true
		}
		return true
	})
}

// rootOf is the variable that an expression is, or is a part of; nil for others.
func rootOf(x ir.Expr) *ir.Var {
	switch x := x.(type) {
	case *ir.Ref:
		return x.Var
	case *ir.Index:
		return rootOf(x.X)
	case *ir.Field:
		return rootOf(x.X)
	case *ir.Promote:
		return rootOf(x.X)
	}
	return nil
}

// Known is Observed without elements that are missing.
func (m *Model) Known() (names []string, x []float64) {
	observed, _ := m.bound.Data()
	return bind.KnownNumbers(m.bound, observed)
}

// Known is that of Model, of the simulated observations.
func (s *Simulation) Known() (names []string, x []float64) {
	return bind.KnownNumbers(s.model, s.Drawn.Observations)
}

// Constant returns the data that the model has no distribution for, as columns.
func (m *Model) Constant() (names []string, x []float64) {
	_, constant := m.bound.Data()
	return bind.Numbers(constant)
}

// Quantities names the columns of the generated quantities.
func (m *Model) Quantities() []string { return m.bound.Quantities() }

// WholeNumbers reports of a variable whether it is declared to hold integers.
func (p *Program) WholeNumbers(name string) bool {
	if p.IR == nil {
		return false
	}
	for _, vars := range [][]*ir.Var{
		p.IR.Data, p.IR.TransformedData.Vars, p.IR.Parameters, p.IR.TransformedParameters.Vars, p.IR.GeneratedQuantities.Vars,
	} {
		for _, v := range vars {
			if v.Name == name {
				return v.Type.Base == types.IntBase
			}
		}
	}
	return false
}

// eachChain runs f for each chain of a fit, some at the same time.
func (m *Model) eachChain(ctx context.Context, fit *draws.Draws, jobs int, f func(chain int) error) error {
	defer m.bound.TrackRun(ctx)()
	errs := make([]error, fit.Chains())
	next := make(chan int)
	var wg sync.WaitGroup
	for range max(1, min(jobs, fit.Chains())) {
		wg.Go(func() {
			for c := range next {
				errs[c] = infer.Guarded(func() error { return f(c) })
			}
		})
	}
	for c := range fit.Chains() {
		next <- c
	}
	close(next)
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// joined makes one table of the chains' tables.
func joined(tables []*draws.Draws) *draws.Draws {
	i := slices.IndexFunc(tables, func(t *draws.Draws) bool { return t != nil })
	out := draws.New(len(tables), nil, tables[i].Columns())
	for c, t := range tables {
		if t == nil {
			continue
		}
		for k := range t.Len(0) {
			row := t.Row(0, k)
			out.Append(draws.Row{Chain: c, LogDensity: row[0], Values: row[1:]})
		}
	}
	return out
}

// parametersIn finds the model's parameters among the columns of a fit.
func (m *Model) parametersIn(fit *draws.Draws) ([]int, error) {
	place := map[string]int{}
	size := map[string]int{}
	for i, name := range fit.Names() {
		place[name] = i
		if i > len(fit.Stats()) {
			size[draws.Base(name)]++
		}
	}
	want := map[string]int{}
	columns := m.bound.ParameterColumns()
	for _, name := range columns {
		want[draws.Base(name)]++
	}
	at := make([]int, len(columns))
	for i, name := range columns {
		base := draws.Base(name)
		k, ok := place[name]
		switch {
		case size[base] == 0:
			return nil, &MismatchError{Variable: base, Text: fmt.Sprintf("the fit has no parameter %s, which the model has%s", base, present(fit)), Missing: true}
		case !ok || size[base] != want[base]:
			return nil, &MismatchError{Variable: base, Text: fmt.Sprintf("the parameter %s is not the same: the model has %s, the fit %s",
				base, shapeText(columns, base), shapeText(fit.Columns(), base))}
		}
		at[i] = k
	}
	return at, nil
}

// present lists the variables of a fit.
func present(fit *draws.Draws) string {
	var names []string
	for _, c := range fit.Columns() {
		if base := draws.Base(c); !slices.Contains(names, base) {
			names = append(names, base)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "; it has " + strings.Join(names, ", ")
}

// shapeText reports of what sizes a variable is, by its columns.
func shapeText(columns []string, base string) string {
	var own []string
	for _, c := range columns {
		if draws.Base(c) == base {
			own = append(own, c)
		}
	}
	var parts []string
	for _, v := range draws.Variables(own) {
		text := "a number"
		if len(v.Dims) > 0 {
			text = strings.ReplaceAll(strings.Trim(fmt.Sprint(v.Dims), "[]"), " ", " x ") + " numbers"
		}
		if text == "1 numbers" {
			text = "1 number"
		}
		if v.Name != base {
			text = v.Name + ": " + text
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}
