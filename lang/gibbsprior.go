package lang

// This file builds gibbs_prior, as a method and as a diagnosis.

import (
	"context"
	"slices"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/diagnose/gibbsprior"
	"github.com/seed-12b88e03/ppl/diagnose/sbc"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/lang/check"
)

func (b *builder) gibbsPrior(c *check.CheckedMethod) (infer.Method, error) {
	o, err := b.gibbsOptions(c)
	if err != nil {
		return nil, err
	}
	m, err := gibbsprior.New(o)
	if err != nil {
		return nil, err
	}
	return onForm{m, samplesDiscrete(c.Inner)}, nil
}

func (b *builder) judgeGibbsPrior(c *check.CheckedMethod, m *Model) (diagnose.Diagnosis, infer.Model, error) {
	o, err := b.gibbsOptions(c)
	if err != nil {
		return nil, nil, err
	}
	o.Parameters = quantities(m.parameterColumns(), nil)
	if list := c.Args["statistics"]; list != nil {
		columns, stats, err := b.statistics(m, list)
		if err != nil {
			return nil, nil, err
		}
		o.Quantities, o.Statistics = quantities(columns, stats), len(columns)+len(stats)
	} else {
		o.Quantities = o.Parameters
	}
	d, err := gibbsprior.NewDiagnosis(o)
	if samplesDiscrete(c.Inner) {
		return d, m.bound.Joint(), err
	}
	return d, m.bound, err
}

// gibbsOptions reads what both share. The method is run anew on each data set, so that
// nothing is shared; of its draws one is used, so that it makes no more of them than that
// takes.
func (b *builder) gibbsOptions(c *check.CheckedMethod) (gibbsprior.Options, error) {
	inner := c.Inner.Clone()
	if !inner.Row.Wrapper {
		option := "draws"
		if inner.Gives&check.GivesDensity == 0 {
			option = "chains"
		}
		if v := inner.Args[option]; v != nil {
			one := *v
			one.Int, one.Real = 1, 1
			inner.Args[option] = &one
		}
	}
	build := func(points [][]float64) (infer.Method, error) {
		alone := &builder{points: points, program: b.program, info: b.info}
		return alone.inner(inner)
	}
	method, err := build(nil)
	o := gibbsprior.DefaultOptions(method)
	o.Steps, o.Chains, o.Bad, o.Warning = c.Int("steps"), c.Int("chains"), c.Real("bad"), c.Real("warning")
	o.Data = c.Bool("data")
	if c.Has("spread") {
		o.Spread = c.Real("spread")
	}
	if c.Bool("warm_start") {
		o.Restart = func(q []float64) (infer.Method, error) { return build([][]float64{q}) }
	}
	return o, err
}

// samplesDiscrete reports whether a method's points have the discrete parameters: those of
// a density inside a wrapper never do.
func samplesDiscrete(c *check.CheckedMethod) bool {
	alone := c.Inner == nil
	for c.Inner != nil {
		c = c.Inner
	}
	return c.Row.Discrete && (alone || c.Row.Gives&check.GivesKernel != 0)
}

// onForm runs a method on the joint form of the model where that is wanted.
type onForm struct {
	infer.Method
	joint bool
}

// Run implements infer.Method.
func (f onForm) Run(ctx context.Context, m infer.Model, o infer.Options) (*infer.Posterior, error) {
	if j, ok := m.(interface{ Joint() infer.Model }); ok && f.joint {
		m = j.Joint()
	}
	return f.Method.Run(ctx, m, o)
}

// quantities are the values of columns and of expressions.
func quantities(columns []string, stats []sbc.Statistic) func(infer.Model) ([]string, func(q, out []float64) error, error) {
	return func(model infer.Model) ([]string, func(q, out []float64) error, error) {
		names := slices.Clone(columns)
		var places []int
		for _, name := range columns {
			places = append(places, slices.Index(model.Columns(), name))
		}
		for _, s := range stats {
			names = append(names, s.Name)
		}
		e, row := model.NewEvaluator(), make([]float64, len(model.Columns()))
		r := rng.New(0, rng.Quantities, 0, 0)
		return names, func(q, out []float64) error {
			err := e.Write(q, r, row)
			for k, i := range places {
				out[k] = row[i]
			}
			for k, s := range stats {
				x, failed := s.At(model, row)
				if failed != nil {
					return failed
				}
				out[len(places)+k] = x
			}
			return err
		}, nil
	}
}
