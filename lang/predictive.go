package lang

// This file compares the data at hand with data sets simulated from a posterior or the prior, and builds the diagnoses that do.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/diagnose/predictive"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/graph"
	"github.com/seed-12b88e03/ppl/lang/check"
)

// PredictiveChecks compares statistics of the observed variables with those of n data sets
// simulated from the posterior, or where from is "prior" from the prior. Where the model cannot
// be simulated from, variables y_rep or yrep of the generated quantities serve for y. The error
// is that of ctx, or a *NotPredictable.
func (m *Model) PredictiveChecks(ctx context.Context, p *infer.Posterior, from string, n int, o RunOptions) ([]diagnose.PredictiveCheck, error) {
	defer m.bound.TrackRun(ctx)()
	columns, x := m.Known()
	replicated, err := m.simulated(ctx, p, from, n, o, len(columns))
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	if err != nil {
		constant, y := m.Constant()
		columns, x = append(columns, constant...), append(x, y...)
		var found bool
		if replicated, found = namedReplicates(p.Draws, columns); !found || from == "prior" {
			return nil, notPredictable(err)
		}
	}
	observed := draws.ByVariable(columns, x)
	var out []diagnose.PredictiveCheck
	for _, name := range draws.Bases(columns) {
		if len(replicated[name]) > 0 {
			out = append(out, diagnose.ComparePredictive(name, observed[name], replicated[name])...)
		}
	}
	if len(out) == 0 {
		return nil, &NotPredictable{"the model has no observations to compare"}
	}
	return out, nil
}

// simulated draws n data sets; the model has so many observations.
func (m *Model) simulated(ctx context.Context, p *infer.Posterior, from string, n int, o RunOptions, observations int) (map[string][][]float64, error) {
	switch {
	case observations == 0:
		return nil, &NotPredictable{"no data stand in a distribution that can be simulated from"}
	case from == "prior":
		return replicate(ctx, n, o.Jobs, func(i int) (map[string][]float64, error) { return numbersOf(m.SimulateNumber(o.Seed, i)) })
	case p.Draws.Kind() == draws.Mode:
		return nil, &NotPredictable{"a mode is no distribution to simulate from"}
	case p.Draws.Total() == 0:
		return nil, &NotPredictable{"there are no draws"}
	}
	chosen := diagnose.Spread(p, n)
	return replicate(ctx, n, o.Jobs, func(i int) (map[string][]float64, error) {
		return numbersOf(m.PredictOne(p.Draws, chosen[i].Chain, chosen[i].Draw, o.Seed+uint64(i/max(p.Draws.Total(), 1))))
	})
}

// notPredictable is the reason for a simulation that failed.
func notPredictable(err error) error {
	if known, ok := errors.AsType[*NotPredictable](err); ok {
		return known
	}
	var not *graph.NotGenerative
	if errors.As(err, &not) && len(not.Problems) > 0 {
		return &NotPredictable{fmt.Sprintf("the model cannot be simulated from (%s)", strings.TrimSuffix(not.Problems[0].Text, "."))}
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return &NotPredictable{"a simulation failed: " + strings.TrimSuffix(first, ".")}
}

// NotPredictable says why there is no predictive check.
type NotPredictable struct{ Why string }

// Error is the reason.
func (e *NotPredictable) Error() string { return e.Why }

// numbersOf are the observations of a simulation, by variable.
func numbersOf(s *Simulation, err error) (map[string][]float64, error) {
	if err != nil {
		return nil, err
	}
	return draws.ByVariable(s.Known()), nil
}

// replicate draws n data sets, side by side. Data set i does not depend on how many are drawn
// at a time.
func replicate(ctx context.Context, n, jobs int, draw func(i int) (map[string][]float64, error)) (map[string][][]float64, error) {
	sets, errs := make([]map[string][]float64, n), make([]error, n)
	jobs = max(jobs, 1)
	var wg sync.WaitGroup
	for k := range jobs {
		wg.Go(func() {
			for i := k; i < n && ctx.Err() == nil; i += jobs {
				if errs[i] = infer.Guarded(func() (err error) { sets[i], err = draw(i); return err }); errs[i] != nil {
					return
				}
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	out := map[string][][]float64{}
	for i := range sets {
		if errs[i] != nil {
			return nil, errs[i]
		}
		for name, x := range sets[i] {
			out[name] = append(out[name], x)
		}
	}
	return out, nil
}

// namedReplicates takes the columns y_rep or yrep for replications of an observed variable y.
func namedReplicates(d *draws.Draws, observed []string) (map[string][][]float64, bool) {
	out := map[string][][]float64{}
	for _, name := range draws.Bases(observed) {
		for _, rep := range []string{name + "_rep", name + "rep"} {
			at := make([]int, 0, len(observed))
			for _, c := range observed {
				if draws.Base(c) != name {
					continue
				}
				if i := d.Index(rep + strings.TrimPrefix(c, name)); i >= 0 {
					at = append(at, i)
				}
			}
			if len(at) == 0 {
				continue
			}
			for chain := range d.Chains() {
				for i := range d.Len(chain) {
					out[name] = append(out[name], draws.Picked(d.Row(chain, i), at))
				}
			}
		}
	}
	return out, len(out) > 0
}

// predictiveOptions reads the options that need no data, and checks them.
func (b *builder) predictiveOptions(c *check.CheckedMethod) (o predictive.Options, err error) {
	o.Replications = c.Int("replications")
	if c.Inner != nil {
		o.Calibration, o.Posterior = c.Int("calibration"), fromPosterior(c)
		if o.Calibration == 0 { // with others beside it the fit to the data at hand must be made as they are
			b = b.ofFit(c.Inner)
		}
		if o.Method, err = b.build(c.Inner); err != nil {
			return o, err
		}
	}
	if list := c.Args["statistics"]; list != nil {
		for _, v := range list.List {
			x := b.statistic(v.Expr)
			if t := x.Type(); !t.IsScalar() {
				return o, methodError(v.Expr.Span(), "method-option", "a statistic must be one number, found %s, which is a %s", v.Expr.Span().Text(), t)
			}
			o.Statistics = append(o.Statistics, predictive.Statistic{Name: v.Expr.Span().Text(), At: valueOf(x)})
		}
	}
	_, err = predictive.New(o)
	return o, err
}

// valueOf evaluates an expression of one number in a model, at a row of its columns.
func valueOf(x ir.Expr) func(m infer.Model, row []float64) (float64, error) {
	return func(m infer.Model, row []float64) (float64, error) {
		e, ok := m.(interface {
			Evaluate(exprs []ir.Expr, row []float64) ([][]float64, error)
		})
		if !ok {
			return 0, fmt.Errorf("expressions cannot be evaluated in a %T", m)
		}
		values, err := e.Evaluate([]ir.Expr{x}, row)
		if err != nil {
			return 0, err
		}
		return values[0][0], nil
	}
}

func (b *builder) predictive(c *check.CheckedMethod, m *Model) (diagnose.Diagnosis, infer.Model, error) {
	o, err := b.predictiveOptions(c)
	if err != nil {
		return nil, nil, err
	}
	if o.Statistics == nil {
		o.Statistics = m.predictiveStatistics()
	}
	from, err := b.generator(c, m)
	if err != nil {
		return nil, nil, err
	}
	d, err := predictive.New(o)
	return d, stated(m.bound, from), err
}

// predictiveStatistics are those of each observed variable.
func (m *Model) predictiveStatistics() (out []predictive.Statistic) {
	columns, x := m.Known()
	gaps := len(m.Imputed()) > 0
	sizes := draws.ByVariable(columns, x)
	for _, name := range draws.Bases(columns) {
		for _, s := range diagnose.Statistics(len(sizes[name])) {
			out = append(out, predictive.Statistic{Name: s.Name, Of: name, At: func(to infer.Model, _ []float64) (float64, error) {
				o, ok := to.(interface {
					Data() (observed, constant []bind.Named)
				})
				if !ok {
					return 0, fmt.Errorf("a %T does not tell its observations", to)
				}
				observed, _ := o.Data()
				i := slices.IndexFunc(observed, func(v bind.Named) bool { return v.Var.Name == name })
				if !gaps {
					return s.At(bind.NumbersOf(observed[i])), nil
				}
				_, x := bind.KnownNumbers(m.bound, observed[i:i+1])
				return s.At(x), nil
			}})
		}
	}
	return out
}
