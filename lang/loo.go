package lang

// This file estimates leave-one-out prediction, by draws that are moved and fits without the observation where weights do not hold, and says where
// observations lie among their predictions.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/diagnose/loo"
	"github.com/seed-12b88e03/ppl/diagnose/sbc"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/psis"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/ir/bind"
)

// RefitOptions are the settings of Refit and Folds.
type RefitOptions struct {
	Seed     uint64
	Jobs     int // chains at work at the same time; 0 means one
	Observer infer.Observer
	// Elsewhere has Without called in other processes, and gives what came of it in the order of its argument; nil: here.
	Elsewhere func(ctx context.Context, all []LeftOut) ([]Prediction, error)
}

// A Pointwise is a fit with leave-one-out prediction by weights.
type Pointwise struct {
	Fit    *draws.Draws // with the parameters
	LogLik *draws.Draws // with the log density of each observation: Fit itself, or that of LogLik
	Name   string       // of the variable in LogLik
	Result *loo.Result
}

// Refit replaces the terms of a result that cannot be believed: by draws that are moved to where they would be without the observation
// (loo.Match), and where that does not hold, at most so many, by fits without it, those that move the posterior
// farthest first. It returns how many were fitted. The terms must be the factors of the
// model's likelihood in their order; the error says where they are not, or is that of the first fit that failed.
func (m *Model) Refit(ctx context.Context, p *Pointwise, most int, o RefitOptions) (int, error) {
	bad := p.Result.Bad()
	if len(bad) == 0 {
		return 0, nil
	}
	if err := m.sameFactors(p); err != nil {
		return 0, err
	}
	if err := m.match(ctx, p, bad, o); err != nil {
		return 0, err
	}
	bad = p.Result.Bad()
	done, failed := 0, error(nil)
	slices.SortStableFunc(bad, func(a, b int) int { // those that move the posterior farthest first
		return cmp.Compare(p.Result.LOO.Terms[a].Share, p.Result.LOO.Terms[b].Share)
	})
	var all []LeftOut
	for _, i := range bad[:min(len(bad), most)] {
		all = append(all, LeftOut{Observations: []int{i}, Unweighed: true})
	}
	err := m.leaveOut(ctx, p, all, o, func(err error) bool {
		if failed = cmp.Or(failed, err); err == nil {
			done++
		}
		return ctx.Err() == nil
	})
	return done, cmp.Or(err, failed)
}

// mostMatched is how many draws are moved.
const mostMatched = 4000

// match moves draws to where they would be without each of some observations, and takes the terms that hold then. The error is that of the
// context.
func (m *Model) match(ctx context.Context, p *Pointwise, bad []int, o RefitOptions) error {
	fit := p.Fit.Balanced().AtHand(mostMatched)
	at, err := m.parametersIn(fit)
	if err != nil || fit.LogWeights() != nil || len(p.Result.LOO.Terms) <= loo.Few {
		return nil
	}
	var q [][]float64
	for chain := range fit.Chains() {
		for i := range fit.Len(chain) {
			x, err := m.bound.UnconstrainRow(draws.Picked(fit.Row(chain, i), at))
			if err != nil {
				return nil
			}
			q = append(q, x)
		}
	}
	terms := make([]*loo.Matched, len(bad))
	defer m.bound.TrackRun(ctx)()
	err = infer.Each(ctx, o.Jobs, len(bad), func(ctx context.Context, k int) error {
		place, err := m.place(bad[k])
		if err != nil {
			return nil
		}
		stopped := func(q []float64) (float64, float64, error) {
			if ctx.Err() != nil {
				return 0, 0, context.Cause(ctx)
			}
			return place(q)
		}
		if got, err := loo.Match(q, stopped, p.Result.LOO.Terms[bad[k]].Efficiency); err == nil && got.Holds() {
			terms[k] = &got
		}
		return nil
	})
	for k, t := range terms {
		if t != nil && ctx.Err() == nil {
			p.Result.Move(bad[k], t.ELPD)
		}
	}
	return cmp.Or(err, context.Cause(ctx))
}

// place evaluates the density and a factor of it.
func (m *Model) place(i int) (loo.Place, error) {
	factors, err := m.bound.NewObservations(0)
	if err != nil {
		return nil, err
	}
	l, k := make([]float64, factors.Len()), i
	if some := factors.(infer.Selected).Select([]int{i}); some != nil {
		factors, l, k = some, l[:1], 0
	}
	density := m.bound.NewEvaluator()
	return func(q []float64) (float64, float64, error) {
		all, err := density.LogDensity(q)
		if err == nil {
			err = factors.LogTerms(q, l, nil)
		}
		return all, l[k], err
	}, nil
}

// Folds makes the terms of a result those of fits that leave out whole groups of observations: the group of
// each. It is leave-group-out and K-fold cross-validation. The errors are those of Refit.
func (m *Model) Folds(ctx context.Context, p *Pointwise, group []int, o RefitOptions) error {
	if n := len(p.Result.LOO.Terms); len(group) != n {
		return fmt.Errorf("there are groups for %d observations, and %d observations", len(group), n)
	}
	if err := m.sameFactors(p); err != nil {
		return err
	}
	members := map[int][]int{}
	for i, g := range group {
		members[g] = append(members[g], i)
	}
	var order []int
	for g := range members {
		order = append(order, g)
	}
	slices.Sort(order)
	var all []LeftOut
	for _, g := range order {
		all = append(all, LeftOut{Observations: members[g]})
	}
	var failed error
	err := m.leaveOut(ctx, p, all, o, func(err error) bool {
		failed = err
		return err == nil
	})
	return cmp.Or(err, failed)
}

// A LeftOut is observations that fits are made without.
type LeftOut struct {
	Observations []int `json:"observations"` // of the likelihood's factors, from 0, in ascending order
	Unweighed    bool  `json:"unweighed"`    // weights are known not to hold: the ladder begins with fits
}

// A Prediction is what fits without observations say of these: their log predictive densities, in nats, up to one for which Err
// says why there is none.
type Prediction struct {
	ELPD []float64
	Err  error
}

// leaveOut replaces the terms of observations by those of fits without, here or elsewhere. each is told how every group fared, in
// order, until it returns false. The error is that of elsewhere.
func (m *Model) leaveOut(ctx context.Context, p *Pointwise, all []LeftOut, o RefitOptions, each func(error) bool) error {
	one := func(k int) Prediction { return m.Without(ctx, all[k], o) }
	if o.Elsewhere != nil {
		out, err := o.Elsewhere(ctx, all)
		if err != nil {
			return err
		}
		one = func(k int) Prediction { return out[k] }
	}
	for k, g := range all {
		out := one(k)
		for n, elpd := range out.ELPD {
			p.Result.Replace(g.Observations[n], elpd)
		}
		if out.Err != nil {
			out.Err = fmt.Errorf("%s: %w", p.Result.LOO.Terms[g.Observations[len(out.ELPD)]].Name, out.Err)
		}
		if !each(out.Err) {
			break
		}
	}
	return nil
}

// Without makes fits without observations, and predicts these by them.
func (m *Model) Without(ctx context.Context, g LeftOut, o RefitOptions) (out Prediction) {
	logs := func(int) []float64 { return nil }
	if !g.Unweighed {
		if logs, out.Err = m.without(ctx, g.Observations, g.Observations[0], 0, o); out.Err != nil {
			return out
		}
	}
	for _, i := range g.Observations {
		elpd, err := loo.Ladder(logs(i), func(power float64) ([]float64, error) { return m.rung(ctx, g.Observations, i, power, o) })
		if err != nil {
			out.Err = err
			return out
		}
		out.ELPD = append(out.ELPD, elpd)
	}
	return out
}

// sameFactors reports where the columns of a fit are not the factors of the likelihood, in their order.
func (m *Model) sameFactors(p *Pointwise) error {
	n := len(p.Result.LOO.Terms)
	own, err := m.LogLik(context.Background(), p.Fit.First(1), 1)
	if err != nil {
		return err
	}
	if len(m.Imputed()) > 0 && len(own.Columns()) > n {
		return fmt.Errorf("elements of the data are missing, and %s is not of all that were observed", p.Name)
	}
	if len(own.Columns()) != n {
		return fmt.Errorf("%s has %d numbers, and the likelihood has %d factors", p.Name, n, len(own.Columns()))
	}
	k := 0
	for _, column := range p.LogLik.Columns() {
		if draws.Base(column) != p.Name {
			continue
		}
		a, b := p.LogLik.Column(column)[0][0], own.Column(own.Columns()[k])[0][0]
		if !(math.Abs(a-b) <= 1e-4*(1+math.Abs(b))) {
			return fmt.Errorf("%s is not the factor of the likelihood that stands in its place: %.6g and %.6g at the first draw", column, a, b)
		}
		k++
	}
	return nil
}

// ObservedLogLik takes out of a fit the columns of a variable with the log density of each observation that are those of missing
// elements, which nobody observed: those that are no factor of the likelihood at the first draws. It returns
// the others, and which were taken out: none where nothing was missing, or where the fit has no such variable. The error says
// why the factors are not known.
func (m *Model) ObservedLogLik(fit *draws.Draws, name string) (kept *draws.Draws, out []string, err error) {
	if len(m.Imputed()) == 0 || !slices.ContainsFunc(fit.Columns(), func(column string) bool { return draws.Base(column) == name }) {
		return fit, nil, nil
	}
	const compared = 3 // draws at which a density that is no factor would have to be equal to one
	first := fit.First(compared)
	factors, err := m.LogLik(context.Background(), first, 1)
	if err != nil {
		return nil, nil, err
	}
	equal := func(a, b [][]float64) bool {
		for i := range a {
			if !slices.EqualFunc(a[i], b[i], func(x, y float64) bool { return math.Abs(x-y) <= 1e-4*(1+math.Abs(y)) }) {
				return false
			}
		}
		return true
	}
	var names []string
	for _, column := range first.Columns() {
		if draws.Base(column) != name {
			continue
		}
		x := first.Column(column)
		if slices.ContainsFunc(factors.Columns(), func(f string) bool { return equal(x, factors.Column(f)) }) {
			names = append(names, column)
		} else {
			out = append(out, column)
		}
	}
	if len(names) == 0 {
		return nil, nil, fmt.Errorf("none of the numbers of %s is a factor of the likelihood", name)
	}
	kept, err = fit.Only(names)
	return kept, out, err
}

// rung is the log density of an observation at draws of the model without a group, but with the observation's factor raised to a power.
func (m *Model) rung(ctx context.Context, group []int, i int, power float64, o RefitOptions) ([]float64, error) {
	logs, err := m.without(ctx, group, i, power, o)
	if err != nil {
		return nil, err
	}
	return logs(i), nil
}

// without fits the model without a group of observations, but with the factor of one of them raised to a power, and returns the
// log densities of observations at the draws.
func (m *Model) without(ctx context.Context, group []int, one int, power float64, o RefitOptions) (func(i int) []float64, error) {
	factors, err := m.bound.NewObservations(0)
	if err != nil {
		return nil, err
	}
	powers := slices.Repeat([]float64{1}, factors.Len())
	for _, i := range group {
		powers[i] = 0
	}
	powers[one] = power
	less, err := loo.Powered(m.bound, powers)
	if err != nil {
		return nil, err
	}
	post, err := m.refit(ctx, less, infer.Options{Seed: o.Seed, Replicate: uint64(one) + 1, Jobs: o.Jobs, KeepUnconstrained: true, Observer: o.Observer})
	if err != nil {
		return nil, err
	}
	var rows [][]float64
	for _, q := range slices.Concat(post.Unconstrained...) {
		row := make([]float64, factors.Len())
		if err := factors.LogTerms(q, row, nil); err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return func(i int) []float64 {
		out := make([]float64, len(rows))
		for k, row := range rows {
			out[k] = row[i]
		}
		return out
	}, nil
}

// refitMethods sample where weights do not hold: a short run, and a longer one where that has not converged.
var refitMethods = [...]string{"nuts(chains = 4, warmup = 300, draws = 500)", "nuts(chains = 4, warmup = 1000, draws = 1000)"}

// refit samples another density of the model's parameters, by a run that must have converged.
func (m *Model) refit(ctx context.Context, density infer.Model, o infer.Options) (post *infer.Posterior, err error) {
	defer m.bound.TrackRun(ctx)()
	for _, text := range refitMethods {
		method, err := m.Program.Method(text)
		if err != nil {
			return nil, err
		}
		run, err := (&builder{outermost: method.checked, program: m.Program, info: method.info}).build(method.checked)
		if err == nil {
			post, err = run.Run(ctx, density, o)
		}
		switch {
		case err != nil:
			return nil, err
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case worstRHat(post.Draws) < refitRHat:
			return post, nil
		}
	}
	return nil, fmt.Errorf("a fit of %s has not converged (R-hat of lp__ %.2f)", refitMethods[len(refitMethods)-1], worstRHat(post.Draws))
}

// refitRHat is the largest R-hat of lp__ at which a fit without observations is believed.
const refitRHat = 1.05

// worstRHat is that of lp__, which sees what most parameters do.
func worstRHat(d *draws.Draws) float64 { return draws.RHat(d.Column(draws.LogDensityColumn)) }

const (
	pitDraws  = 1000 // at which data are simulated
	pitOthers = 50   // data sets that tell which factor is whose
	// leastPIT is how many observations tell whether they are uniform.
	leastPIT = 10
)

// PIT compares observations with data simulated at the draws of a fit, weighted to what they would be without the observation. The error says why
// the model cannot be simulated from, or that its factors are not those of single numbers.
func (m *Model) PIT(ctx context.Context, fit *draws.Draws, o RefitOptions) (*loo.PIT, error) {
	defer m.bound.TrackRun(ctx)()
	fit = fit.Balanced().AtHand(pitDraws)
	at, err := m.parametersIn(fit)
	if err != nil {
		return nil, err
	}
	if fit.LogWeights() != nil || fit.Kind() == draws.Mode {
		return nil, errors.New("the draws are not from the posterior itself")
	}
	names, y := m.Known()
	simulated, logs := make([][]float64, fit.Total()), make([][]float64, fit.Total())
	var first []float64
	var others [][]bind.Named
	factors, err := m.bound.NewObservations(0)
	if err != nil {
		return nil, fmt.Errorf("the likelihood is not one factor an observation: %w", err)
	}
	s := 0
	for chain := range fit.Chains() {
		for i := range fit.Len(chain) {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			q, err := m.bound.UnconstrainRow(draws.Picked(fit.Row(chain, i), at))
			if err != nil {
				return nil, atDraw(chain, i, err)
			}
			one, err := m.PredictOne(fit, chain, i, o.Seed)
			if err != nil {
				return nil, notPredictable(err)
			}
			if len(others) < pitOthers {
				others = append(others, one.Drawn.Observations)
			}
			if first == nil {
				first = q
			}
			_, simulated[s] = one.Known()
			logs[s] = make([]float64, factors.Len())
			if err := factors.LogTerms(q, logs[s], nil); err != nil {
				return nil, atDraw(chain, i, err)
			}
			s++
		}
	}
	own, err := bind.OwnFactors(m.bound, first, others)
	if err != nil {
		return nil, fmt.Errorf("which factor of the likelihood is which observation's cannot be told: %w", err)
	}
	out := &loo.PIT{}
	r := rng.New(o.Seed, "loo pit", 0, 0)
	column, ratios := make([]float64, s), make([]float64, s)
	for k, i := range own {
		u := r.Float64()
		if i < 0 {
			out.Left++
			continue
		}
		for n := range s {
			column[n], ratios[n] = simulated[n][k], -logs[n][i]
		}
		out.Names = append(out.Names, names[k])
		out.Values = append(out.Values, loo.Transform(y[k], column, psis.Smooth(ratios, 1).LogWeights, u))
	}
	if len(out.Values) < leastPIT {
		return nil, fmt.Errorf("%d observations are too few to tell whether they are uniform; %d are the least", len(out.Values), leastPIT)
	}
	out.P, out.Shape, out.Picture = sbc.Uniform(out.Values)
	return out, nil
}
