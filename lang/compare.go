package lang

// This file compares models of the same observations, by evidence and by prediction.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/diagnose/compare"
	"github.com/seed-12b88e03/ppl/diagnose/loo"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// A Compared is a fit with its model, and what to call it.
type Compared struct {
	Name  string
	Model *Model
	Draws *draws.Draws
}

// CompareOptions are the settings of Compare.
type CompareOptions struct {
	Seed     uint64
	Jobs     int    // chains at work at the same time; 0 means one
	LogLik   string // variable with the log density of each observation; empty: log_lik, or else the factors of the likelihood
	Observer infer.Observer
	// Annealed has the models annealed elsewhere, each as by Model.Annealed; nil: here. Its error is that of Compare.
	Annealed func(ctx context.Context, fits []Compared) ([]compare.Evidence, error)
}

// A DifferentDataError says that two fits are not of the same observations.
type DifferentDataError struct{ A, B, Reason string }

// Error names the fits.
func (e *DifferentDataError) Error() string {
	return fmt.Sprintf("%s and %s are not fits of the same observations: %s", e.A, e.B, e.Reason)
}

// Compare compares models that have been fitted to the same observations: by their evidence,
// estimated from the draws by bridge sampling and anew by annealing from the prior, and by
// leave-one-out prediction (package diagnose/compare). What cannot be had of a model is told with the
// reason, and is no error; a *DifferentDataError is one.
func Compare(ctx context.Context, fits []Compared, o CompareOptions) (*diagnose.Verdict, error) {
	for _, f := range fits[1:] {
		if err := sameObservations(fits[0], f); err != nil {
			return nil, err
		}
	}
	models := make([]compare.Model, len(fits))
	var elsewhere []compare.Evidence
	if o.Annealed != nil {
		var err error
		if elsewhere, err = o.Annealed(ctx, fits); err != nil {
			return nil, err
		}
	}
	for i, f := range fits {
		models[i].Name = f.Name
		models[i].Bridge = f.evidence(ctx, "bridge(fit)", o)
		if elsewhere != nil {
			models[i].Annealed = elsewhere[i]
		} else {
			models[i].Annealed = f.Model.annealed(ctx, o)
		}
		models[i].LOO, models[i].NoLOO = f.predict(ctx, o)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	return compare.Of(models)
}

// Annealed estimates log p(y) as Compare does by annealing from the prior: it depends on the model and the seed alone.
func (m *Model) Annealed(ctx context.Context, seed uint64, jobs int) compare.Evidence {
	return m.annealed(ctx, CompareOptions{Seed: seed, Jobs: jobs})
}

func (m *Model) annealed(ctx context.Context, o CompareOptions) compare.Evidence {
	return Compared{Model: m}.evidence(ctx, "smc(nuts())", o)
}

// sameObservations compares the values that have a distribution, whatever the variables are called. Where it cannot be seen
// which these are, all data that both models declare must be the same.
func sameObservations(a, b Compared) error {
	x, y := a.Model.known(), b.Model.known()
	if len(x) == 0 || len(y) == 0 {
		return sameData(a, b)
	}
	if len(x) != len(y) {
		return &DifferentDataError{a.Name, b.Name, fmt.Sprintf("one has %d numbers with a distribution, the other %d", len(x), len(y))}
	}
	slices.Sort(x)
	slices.Sort(y)
	for i := range x {
		if x[i] != y[i] {
			return &DifferentDataError{a.Name, b.Name, fmt.Sprintf("%v stands in one of them only; densities of transformed data cannot be compared with those of the data", x[i])}
		}
	}
	return nil
}

// known are the numbers with a distribution that are not missing.
func (m *Model) known() []float64 {
	missing := map[string]bool{}
	for _, element := range m.Imputed() {
		missing[draws.Dotted(element)] = true
	}
	var out []float64
	names, x := m.Observed()
	for i, name := range names {
		if !missing[name] {
			out = append(out, x[i])
		}
	}
	return out
}

// sameData compares the data that both models declare.
func sameData(a, b Compared) error {
	x, y := a.Model.dataByName(), b.Model.dataByName()
	common := 0
	for name, v := range x {
		w, both := y[name]
		if both && v != w && !(math.IsNaN(v) && math.IsNaN(w)) {
			return &DifferentDataError{a.Name, b.Name, fmt.Sprintf("%s is %v in one of them and %v in the other", name, v, w)}
		}
		if both {
			common++
		}
	}
	if common == 0 {
		return &DifferentDataError{a.Name, b.Name, "they have no data of one name"}
	}
	return nil
}

// DataColumn returns the numbers of a variable of the data, in the order of its columns; none where there is no such variable.
func (m *Model) DataColumn(name string) []float64 {
	var out []float64
	for _, part := range []func() ([]string, []float64){m.Observed, m.Constant} {
		names, x := part()
		for i, column := range names {
			if draws.Base(column) == name {
				out = append(out, x[i])
			}
		}
	}
	return out
}

func (m *Model) dataByName() map[string]float64 {
	out := map[string]float64{}
	add := func(names []string, x []float64) {
		for i, name := range names {
			out[name] = x[i]
		}
	}
	add(m.Observed())
	add(m.Constant())
	return out
}

// evidence is log p(y) by a method.
func (f Compared) evidence(ctx context.Context, expr string, o CompareOptions) compare.Evidence {
	method, err := f.Model.Program.MethodOn(&Earlier{Draws: f.Draws}, expr)
	if err == nil {
		err = f.proper()
	}
	if err == nil {
		err = f.Model.Supports(method)
	}
	if err != nil {
		return compare.Evidence{Missing: oneSentence(err)}
	}
	b := &builder{outermost: method.checked, program: f.Model.Program, info: method.info, earlier: method.earlier}
	run, err := b.build(method.checked)
	if err != nil {
		return compare.Evidence{Missing: oneSentence(err)}
	}
	defer f.Model.bound.TrackRun(ctx)()
	post, err := run.Run(ctx, f.Model.bound, infer.Options{Seed: o.Seed, Jobs: o.Jobs, Observer: o.Observer})
	switch {
	case err != nil:
		return compare.Evidence{Missing: oneSentence(err)}
	case post.NoEvidence != nil:
		return compare.Evidence{Missing: oneSentence(post.NoEvidence)}
	case post.LogEvidence == nil:
		return compare.Evidence{Missing: "the method was cut short"}
	}
	return compare.Evidence{Value: post.LogEvidence.Value, Error: post.LogEvidence.Error}
}

// proper reports a prior that is not: the evidence then has a factor that is arbitrary.
func (f Compared) proper() error {
	smc, err := f.Model.Program.Method("smc(nuts())")
	if err != nil {
		return err
	}
	var misfit *MethodError
	if err := f.Model.Supports(smc); errors.As(err, &misfit) {
		return errors.New("the prior is improper or cannot be drawn from, so that p(y) is not known to be that of a distribution")
	}
	return nil
}

// mostRefits bounds the fits without an observation that a comparison makes for one model.
const mostRefits = 20

// predict estimates leave-one-out prediction, or says why it cannot.
func (f Compared) predict(ctx context.Context, o CompareOptions) (*loo.Result, string) {
	name := o.LogLik
	if name == "" {
		name = "log_lik"
	}
	fit, _, err := f.Model.ObservedLogLik(f.Draws, name)
	if err != nil {
		return nil, oneSentence(err)
	}
	r, err := loo.Of(fit, name)
	var missing *loo.MissingError
	if errors.As(err, &missing) && o.LogLik == "" {
		if fit, err = f.Model.LogLik(ctx, f.Draws, o.Jobs); err == nil {
			r, err = loo.Of(fit, name)
		}
	}
	if err != nil {
		return nil, oneSentence(err)
	}
	if len(r.Bad()) > 0 { // where it fails the terms stay as they are, and are counted
		_, _ = f.Model.Refit(ctx, &Pointwise{Fit: f.Draws, LogLik: fit, Name: name, Result: r}, mostRefits, RefitOptions{Seed: o.Seed, Jobs: o.Jobs, Observer: o.Observer})
	}
	return r, ""
}

// LogLik evaluates the log density of each observation at each draw of a fit, of a long fit at those that package loo would use: the factors of the likelihood,
// in columns log_lik.1, log_lik.2 and so on, beside the fit's sampler columns. The error is that
// of Generate, or says which statement is no product over observations.
func (m *Model) LogLik(ctx context.Context, fit *draws.Draws, jobs int) (*draws.Draws, error) {
	fit = fit.AtHand(loo.MostDraws)
	at, err := m.parametersIn(fit)
	if err != nil {
		return nil, err
	}
	probe, err := m.bound.NewObservations(0)
	if err != nil {
		return nil, fmt.Errorf("there is no variable log_lik, and the likelihood is not one factor an observation: %w", err)
	}
	names := make([]string, probe.Len())
	for i := range names {
		names[i] = fmt.Sprintf("log_lik.%d", i+1)
	}
	out := draws.New(fit.Chains(), fit.Stats(), names)
	err = m.eachChain(ctx, fit, jobs, func(chain int) error {
		factors, err := m.bound.NewObservations(0)
		if err != nil {
			return err
		}
		row := make([]float64, len(names))
		for i := range fit.Len(chain) {
			if err := ctx.Err(); err != nil {
				return context.Cause(ctx)
			}
			drawn := fit.Row(chain, i)
			q, err := m.bound.UnconstrainRow(draws.Picked(drawn, at))
			if err == nil {
				err = factors.LogTerms(q, row, nil)
			}
			if err != nil {
				return atDraw(chain, i, err)
			}
			out.Append(draws.Row{Chain: chain, LogDensity: math.NaN(), Stats: drawn[1 : 1+len(fit.Stats())], Values: row})
		}
		return nil
	})
	return out, err
}

// oneSentence is what an error says, in a table's cell.
func oneSentence(err error) string { return oneLine(err.Error()) }
