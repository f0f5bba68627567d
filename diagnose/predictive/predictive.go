// This file holds the options, and the run over data sets.

package predictive

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// Options are the settings of the diagnosis.
type Options struct {
	Method       infer.Method // gives the posterior; nil for the prior
	Statistics   []Statistic
	Replications int  // data sets that the statistics of one are compared with, at least 1
	Calibration  int  // data sets from the model that are fitted and compared, too; 0 for none
	Posterior    bool // these come from the posterior given the data at hand, not from the prior
}

// A Statistic is a number that a data set has; it may depend on parameters.
type Statistic struct {
	Name, Of string // Of names a variable, where it is of one
	// At returns its value in the model bound to the data set, at a row of the model's columns. It is called from several goroutines.
	At func(m infer.Model, row []float64) (float64, error)
}

// Diagnosis implements diagnose.Diagnosis.
type Diagnosis struct{ options Options }

// New checks the options.
func New(o Options) (*Diagnosis, error) {
	switch {
	case o.Replications < 1:
		return nil, fmt.Errorf("replications must be at least 1, found %d", o.Replications)
	case o.Calibration < 0:
		return nil, fmt.Errorf("calibration must be at least 0, found %d", o.Calibration)
	}
	return &Diagnosis{o}, nil
}

// Name implements diagnose.Diagnosis.
func (d *Diagnosis) Name() string { return d.from() + "_predictive" }

func (d *Diagnosis) from() string {
	if d.options.Method == nil {
		return "prior"
	}
	return "posterior"
}

// Units implements diagnose.Diagnosis: the data at hand, and the data sets of the model's own.
func (d *Diagnosis) Units() int { return 1 + d.options.Calibration }

// Diagnose implements diagnose.Diagnosis.
func (d *Diagnosis) Diagnose(ctx context.Context, m infer.Model, o infer.Options) (*diagnose.Verdict, error) {
	s, ok := m.(infer.Simulator)
	if !ok {
		return nil, &infer.MissingError{Method: d.Name(), Needs: "a model to simulate from"}
	}
	if len(d.options.Statistics) == 0 {
		return nil, &infer.MissingError{Method: d.Name(), Needs: "observations to compare"}
	}
	units := d.Units()
	count, err := diagnose.NewCounter(o.Observer, d.Name(), o.Share.Count(units))
	if err != nil {
		return nil, err
	}
	own := o
	own.Share, own.Observer, own.SaveWarmup, own.KeepUnconstrained = infer.Share{}, nil, false, true
	run := &run{Diagnosis: d, model: s}
	if d.options.Method != nil {
		if run.fit, err = d.options.Method.Run(ctx, diagnose.Given(m), own); err != nil {
			return nil, err
		}
	}
	own.Jobs = 1
	run.options = own
	name := func(i int) string { return fmt.Sprintf("data set %d", i) }
	done, err := diagnose.Units(ctx, count, o, units, name, d.whole, run.unit)
	if err != nil {
		return nil, err
	}
	if o.Share.Divided() {
		return diagnose.Unjudged(d), nil
	}
	return d.verdict(done), nil
}

// A run simulates, fits and compares.
type run struct {
	*Diagnosis
	model   infer.Simulator
	options infer.Options
	fit     *infer.Posterior // of the data at hand; nil for the prior
}

// A unit is the comparison of one data set, the one at hand being the first.
type unit struct {
	Observed  []diagnose.Floats `json:"observed"` // by statistic: one number, or one for each simulated data set where parameters take part
	Simulated []diagnose.Floats `json:"simulated"`
	Failed    *string           `json:"failed,omitempty"`
}

// whole reports whether a unit that was kept is one of this diagnosis.
func (d *Diagnosis) whole(u unit) bool {
	if u.Failed != nil {
		return true
	}
	n := len(d.options.Statistics)
	if len(u.Observed) != n || len(u.Simulated) != n {
		return false
	}
	for i := range n {
		if k := len(u.Observed[i]); len(u.Simulated[i]) != d.options.Replications || k != 1 && k != d.options.Replications {
			return false
		}
	}
	return true
}

// unit compares the data at hand, or data set i of the model's own. Where the method fails on that, this is told.
func (r *run) unit(ctx context.Context, i int) (unit, error) {
	if i == 0 {
		return r.compare(ctx, r.model, r.fit, 0)
	}
	o := r.options
	o.Replicate = uint64(i)
	y, err := r.dataset(rng.New(o.Seed, "predictive/data set", 0, o.Replicate), i)
	if err != nil {
		return unit{}, err
	}
	m, err := r.model.Rebound(y)
	if err != nil {
		return unit{}, err
	}
	p, err := r.Diagnosis.options.Method.Run(ctx, m, o)
	if ctx.Err() != nil {
		return unit{}, ctx.Err()
	}
	if err == nil && p.Draws.Total() == 0 {
		err = errors.New("the run made no draws")
	}
	if err != nil {
		text := err.Error()
		return unit{Failed: &text}, nil
	}
	return r.compare(ctx, m.(infer.Simulator), p, o.Replicate)
}

// dataset draws data set i that is fitted, too.
func (r *run) dataset(stream *rand.Rand, i int) (infer.Dataset, error) {
	if r.Diagnosis.options.Posterior {
		at := diagnose.Spread(r.fit, r.Diagnosis.options.Calibration)[i-1]
		q, row := point(r.fit, at)
		return draw(r.model, stream, q, row)
	}
	y, _, err := diagnose.Simulate(r.model, stream, make([]float64, r.model.Dim()))
	return y, err
}

// point is a draw of a fit, on the unconstrained scale and as a row of the model's columns.
func point(p *infer.Posterior, at diagnose.Place) (q, row []float64) {
	first := len(p.Draws.Names()) - len(p.Draws.Columns())
	return p.Unconstrained[at.Chain][at.Draw], p.Draws.Row(at.Chain, at.Draw)[first:]
}

// draw draws data given parameters, discrete ones included.
func draw(m infer.Simulator, r *rand.Rand, q, row []float64) (infer.Dataset, error) {
	if c, ok := m.(infer.Completed); ok {
		return c.Whole().DrawData(r, c.Complete(q, row))
	}
	return m.DrawData(r, q)
}

// compare takes the statistics of the observations of a model, and of as many data sets as are wanted, simulated from a fit, or the prior
// where there is none.
func (r *run) compare(ctx context.Context, m infer.Simulator, p *infer.Posterior, replicate uint64) (unit, error) {
	n := r.Diagnosis.options.Replications
	var at []diagnose.Place
	if p != nil {
		at = diagnose.Spread(p, n)
	}
	out := unit{Observed: make([]diagnose.Floats, len(r.Diagnosis.options.Statistics)), Simulated: make([]diagnose.Floats, len(r.Diagnosis.options.Statistics))}
	for i := range n {
		if ctx.Err() != nil {
			return unit{}, ctx.Err()
		}
		stream := rng.New(r.options.Seed, "predictive/replication", replicate, uint64(i))
		var row []float64
		var y infer.Dataset
		var err error
		if p == nil {
			row, y, err = joint(m, stream)
		} else {
			var q []float64
			q, row = point(p, at[i])
			y, err = draw(m, stream, q, row)
		}
		if err != nil {
			return unit{}, err
		}
		other, err := m.Rebound(y)
		if err != nil {
			return unit{}, err
		}
		if err := r.add(&out, m, other, row); err != nil {
			return unit{}, err
		}
	}
	for k, x := range out.Observed {
		if !varies(x) {
			out.Observed[k] = x[:1]
		}
	}
	return out, nil
}

// joint draws parameters from the prior, as a row, and data.
func joint(m infer.Simulator, r *rand.Rand) (row []float64, y infer.Dataset, err error) {
	if c, ok := m.(infer.Completed); ok {
		m = c.Whole()
	}
	q := make([]float64, m.Dim())
	if y, _, err = diagnose.Simulate(m, r, q); err != nil {
		return nil, nil, err
	}
	row = make([]float64, len(m.Columns()))
	for i := range row {
		row[i] = math.NaN()
	}
	if err = m.NewEvaluator().Write(q, r, row); infer.IsReject(err) {
		err = nil
	}
	return row, y, err
}

// add takes the statistics of both data sets at one draw.
func (r *run) add(out *unit, observed, simulated infer.Model, row []float64) error {
	value := func(s Statistic, m infer.Model) (float64, error) {
		x, err := s.At(m, row)
		switch {
		case infer.IsReject(err):
			return math.NaN(), nil
		case err != nil:
			return 0, fmt.Errorf("%s: %w", s.Name, err)
		}
		return x, nil
	}
	for k, s := range r.Diagnosis.options.Statistics {
		x, err := value(s, observed)
		if err != nil {
			return err
		}
		y, err := value(s, simulated)
		if err != nil {
			return err
		}
		out.Observed[k], out.Simulated[k] = append(out.Observed[k], x), append(out.Simulated[k], y)
	}
	return nil
}

func varies(x []float64) bool {
	for _, v := range x {
		if v != x[0] {
			return true
		}
	}
	return false
}

var _ diagnose.Diagnosis = (*Diagnosis)(nil)
