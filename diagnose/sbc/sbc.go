// This file holds the options and the run over replications.

package sbc

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// Options are the settings of the diagnosis.
type Options struct {
	Method infer.Method
	// Posterior reports that true parameters come from the posterior given the data at hand, and
	// that each fit is of these and the simulated data together.
	Posterior    bool
	Replications int      // simulated data sets, at least 1
	Draws        int      // L, the draws that a rank is taken among, at least 1
	Doublings    int      // how often, at most, a run is made again with twice the draws where it has too few in effect, at least 0
	Columns      []string // of the model, quantities that are ranked; nil: all
	// Named is how many quantities, the last ones, were asked for by name.
	Named        int
	Statistics   []Statistic
	Bins         int     // of the chi-square test and the histogram, at least 2
	Bad, Warning float64 // adjusted p-values below which the verdict is that
}

// A Statistic is a quantity that is not among the model's columns. It may depend on the
// data: m is the model bound to the simulated ones.
type Statistic struct {
	Name string
	// At returns its value at a row of the model's columns. It is called from several goroutines.
	At func(m infer.Model, row []float64) (float64, error)
}

// DefaultOptions are the documented defaults of the language, around a method.
func DefaultOptions(m infer.Method) Options {
	return Options{Method: m, Replications: 200, Draws: 99, Doublings: 5, Bins: 20, Bad: 0.001, Warning: 0.01}
}

// LeastReplications is the number below which there is no verdict.
const LeastReplications = 100

// Diagnosis implements diagnose.Diagnosis.
type Diagnosis struct{ options Options }

// New checks the options.
func New(o Options) (*Diagnosis, error) {
	switch {
	case o.Method == nil:
		return nil, errors.New("sbc: there is no method to judge")
	case o.Replications < 1:
		return nil, fmt.Errorf("sbc: replications must be at least 1, found %d", o.Replications)
	case o.Draws < 1:
		return nil, fmt.Errorf("sbc: draws must be at least 1, found %d", o.Draws)
	case o.Doublings < 0:
		return nil, fmt.Errorf("sbc: doublings must be at least 0, found %d", o.Doublings)
	case o.Bins < 2 || o.Bins > o.Draws+1:
		return nil, fmt.Errorf("sbc: bins must be from 2 to draws + 1 = %d, found %d", o.Draws+1, o.Bins)
	case !(o.Bad > 0 && o.Bad < 1 && o.Warning > 0 && o.Warning < 1):
		return nil, fmt.Errorf("sbc: bad and warning must lie between 0 and 1, found %g and %g", o.Bad, o.Warning)
	}
	return &Diagnosis{o}, nil
}

// Name implements diagnose.Diagnosis.
func (d *Diagnosis) Name() string { return "sbc" }

// Units implements diagnose.Diagnosis: replications.
func (d *Diagnosis) Units() int { return d.options.Replications }

// Diagnose implements diagnose.Diagnosis.
func (d *Diagnosis) Diagnose(ctx context.Context, m infer.Model, o infer.Options) (*diagnose.Verdict, error) {
	from, err := d.origin(ctx, m, o)
	if err != nil {
		return nil, err
	}
	columns, err := d.columns(m)
	if err != nil {
		return nil, err
	}
	count, err := diagnose.NewCounter(o.Observer, d.Name(), o.Share.Count(d.options.Replications))
	if err != nil {
		return nil, err
	}
	own := o
	own.Share = infer.Share{}
	own.Observer, own.SaveWarmup, own.KeepUnconstrained, own.Jobs = nil, false, len(d.options.Statistics) > 0, 1
	name := func(i int) string { return fmt.Sprintf("replication %d", i+1) }
	runs, err := diagnose.Units(ctx, count, o, d.Units(), name, d.whole(len(columns)), func(ctx context.Context, i int) (kept, error) {
		r, err := d.replicate(ctx, from, own, i, columns)
		if err != nil {
			return kept{}, err
		}
		return r.keep(), nil
	})
	if err != nil {
		return nil, err
	}
	if o.Share.Divided() {
		return diagnose.Unjudged(d), nil
	}
	var done []*replication
	for _, k := range runs {
		if k != nil {
			done = append(done, k.replication())
		}
	}
	return d.verdict(from, d.names(m, columns), done), nil
}

// columns are the places of the quantities among the model's columns.
func (d *Diagnosis) columns(m infer.Model) ([]int, error) {
	at := map[string]int{}
	var out []int
	for i, name := range m.Columns() {
		at[name] = i
		if d.options.Columns == nil {
			out = append(out, i)
		}
	}
	for _, name := range d.options.Columns {
		i, ok := at[name]
		if !ok {
			return nil, fmt.Errorf("sbc: the model has no quantity %s", name)
		}
		out = append(out, i)
	}
	return out, nil
}

// names are those of all quantities.
func (d *Diagnosis) names(m infer.Model, columns []int) []string {
	var out []string
	for _, c := range columns {
		out = append(out, m.Columns()[c])
	}
	for _, s := range d.options.Statistics {
		out = append(out, s.Name)
	}
	return out
}

// A replication is one simulated data set.
type replication struct {
	truth      []float64 // of the quantities
	rank       []int     // of each; -1: there is none
	divergence float64   // see Divergence; NaN: there is none
	failed     error     // the method's, if it failed
	short      bool      // fewer effective draws than were wanted
	redrawn    int       // draws from the prior given which no data could be drawn
}

// kept is a replication as it is kept for resuming.
type kept struct {
	Truth      diagnose.Floats `json:"truth"`
	Rank       []int           `json:"rank"`
	Divergence diagnose.Floats `json:"divergence"` // one number
	Failed     *string         `json:"failed,omitempty"`
	Short      bool            `json:"short,omitempty"`
	Redrawn    int             `json:"redrawn,omitempty"`
}

func (r *replication) keep() kept {
	k := kept{Truth: r.truth, Rank: r.rank, Divergence: diagnose.Floats{r.divergence}, Short: r.short, Redrawn: r.redrawn}
	if r.failed != nil {
		text := r.failed.Error()
		k.Failed = &text
	}
	return k
}

// whole reports whether a replication that was kept is one of so many columns.
func (d *Diagnosis) whole(columns int) func(kept) bool {
	n := columns + len(d.options.Statistics)
	return func(k kept) bool {
		for _, r := range k.Rank {
			if r < -1 || r > d.options.Draws {
				return false
			}
		}
		return len(k.Truth) == n && len(k.Rank) == n && len(k.Divergence) == 1 && k.Redrawn >= 0
	}
}

func (k kept) replication() *replication {
	r := &replication{truth: k.Truth, rank: k.Rank, divergence: k.Divergence[0], short: k.Short, redrawn: k.Redrawn}
	if k.Failed != nil {
		r.failed = errors.New(*k.Failed)
	}
	return r
}

// replicate simulates data set i, runs the method and takes ranks. An error is the
// simulator's, or the context's; the method's own is part of the result.
func (d *Diagnosis) replicate(ctx context.Context, from origin, o infer.Options, i int, columns []int) (*replication, error) {
	o.Replicate = uint64(i) + 1
	r := rng.New(o.Seed, "sbc/simulate", 0, o.Replicate)
	s, err := from.simulate(r, i)
	if err != nil {
		return nil, err
	}
	q, model := s.truth, s.model
	row := make([]float64, len(model.Columns()))
	for k := range row {
		row[k] = math.NaN()
	}
	if err := model.NewEvaluator().Write(q, r, row); err != nil && !infer.IsReject(err) {
		return nil, err
	}
	out := &replication{divergence: math.NaN(), redrawn: s.redrawn}
	for _, c := range columns {
		out.truth = append(out.truth, row[c])
	}
	for _, t := range d.options.Statistics {
		x, err := t.At(model, row)
		if err != nil && !infer.IsReject(err) {
			return nil, fmt.Errorf("sbc: %s: %w", t.Name, err)
		}
		if err != nil {
			x = math.NaN()
		}
		out.truth = append(out.truth, x)
	}
	out.rank = slices.Repeat([]int{-1}, len(out.truth))
	sample, err := d.run(ctx, s, o, columns, out)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if out.failed = err; err != nil {
		return out, nil
	}
	ties := rng.New(o.Seed, "sbc/ties", 0, o.Replicate)
	for k := range out.rank {
		out.rank[k] = rank(out.truth[k], sample[k], ties)
	}
	return out, nil
}

// run runs the method on a simulated data set, gives L draws of each quantity, and fills in
// divergence and short. An error is the method's.
func (d *Diagnosis) run(ctx context.Context, s *simulated, o infer.Options, columns []int, out *replication) (sample [][]float64, err error) {
	p, err := d.options.Method.Run(ctx, s.model, o)
	if err != nil {
		return nil, err
	}
	if out.divergence, err = d.divergence(p, s.model, s.truth, rng.New(o.Seed, "sbc/divergence", 0, o.Replicate)); err != nil {
		return nil, err
	}
	at, short, err := d.sample(ctx, s.model, p, o, columns, d.options.Draws)
	if err != nil {
		return nil, err
	}
	out.short = short
	return d.tabulate(s.model, at, columns)
}

var _ diagnose.Diagnosis = (*Diagnosis)(nil)
