// Package heldout scores what a method predicts of rows of the data that it was not given.
//
// In each of several splits some of the rows, drawn at random, are left out; the method runs on the others,
// and two scores are taken of those left out, in the units of the data: the mean over rows of the log
// predictive density,
//
//	log (1/K) sum over draws k of p(y_i | theta_k),
//
// and the root mean square error of the mean prediction. The splits depend on the seed alone, so that the
// scores of two methods with the same seed compare pair by pair.
package heldout

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// Options are the settings of the diagnosis.
type Options struct {
	Method infer.Method
	Rows   int     // of the data, at least 2
	Splits int     // at least 1
	Share  float64 // of the rows that are held out, above 0 and below 1
	// Part is the model with some of the rows, which are ascending. It is called from several goroutines.
	Part func(ctx context.Context, rows []int) (Part, error)
}

// A Part is a model with some of the rows.
type Part interface {
	Model() infer.Model
	// Score scores draws of a fit to the other rows on the model's own.
	Score(ctx context.Context, others Part, p *infer.Posterior, seed uint64) (Score, error)
}

// A Score is that of a set of rows.
type Score struct {
	LogDensity float64 // mean over rows of the log predictive density, in nats
	RMSE       float64 // of the mean prediction, in units of the data; NaN where there is none
	Why        string  // there is none; empty where there is one
}

// Diagnosis implements diagnose.Diagnosis.
type Diagnosis struct{ options Options }

// New checks the options.
func New(o Options) (*Diagnosis, error) {
	switch {
	case o.Splits < 1:
		return nil, fmt.Errorf("splits must be at least 1, found %d", o.Splits)
	case !(o.Share > 0 && o.Share < 1):
		return nil, fmt.Errorf("share must be between 0 and 1, found %g", o.Share)
	case o.Rows < 2:
		return nil, fmt.Errorf("the data have %d rows; at least 2 are needed to leave some out", o.Rows)
	}
	return &Diagnosis{o}, nil
}

// Name implements diagnose.Diagnosis.
func (d *Diagnosis) Name() string { return "held_out" }

// Units implements diagnose.Diagnosis.
func (d *Diagnosis) Units() int { return d.options.Splits }

// A unit is the score of one split.
type unit struct {
	Scores diagnose.Floats `json:"scores"` // log density, root mean square error
	Why    string          `json:"why,omitempty"`
	Failed *string         `json:"failed,omitempty"`
}

// held is how many rows are held out: at least one, and not all.
func (d *Diagnosis) held() int {
	n := d.options.Rows
	return min(max(int(math.Round(d.options.Share*float64(n))), 1), n-1)
}

// Diagnose implements diagnose.Diagnosis. Where the method fails on a split this is told.
func (d *Diagnosis) Diagnose(ctx context.Context, _ infer.Model, o infer.Options) (*diagnose.Verdict, error) {
	count, err := diagnose.NewCounter(o.Observer, d.Name(), o.Share.Count(d.Units()))
	if err != nil {
		return nil, err
	}
	name := func(i int) string { return fmt.Sprintf("split %d", i) }
	whole := func(u unit) bool { return u.Failed != nil || len(u.Scores) == 2 }
	done, err := diagnose.Units(ctx, count, o, d.Units(), name, whole, func(ctx context.Context, i int) (unit, error) {
		own := o
		own.Share, own.Observer, own.SaveWarmup, own.Jobs, own.Replicate = infer.Share{}, nil, false, 1, uint64(i)
		return d.split(ctx, i, own)
	})
	if err != nil {
		return nil, err
	}
	if o.Share.Divided() {
		return diagnose.Unjudged(d), nil
	}
	return d.verdict(done), nil
}

// rows are those that split i leaves out, and the others, ascending.
func (d *Diagnosis) rows(i int, seed uint64) (test, train []int) {
	order := make([]int, d.options.Rows)
	for k := range order {
		order[k] = k
	}
	variate.Shuffle(rng.New(seed, "held out/split", 0, uint64(i)), len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
	test, train = order[:d.held()], order[d.held():]
	slices.Sort(test)
	slices.Sort(train)
	return test, train
}

// split fits and scores split i.
func (d *Diagnosis) split(ctx context.Context, i int, o infer.Options) (unit, error) {
	test, train := d.rows(i, o.Seed)
	given, err := d.options.Part(ctx, train)
	if err != nil {
		return unit{}, err
	}
	other, err := d.options.Part(ctx, test)
	if err != nil {
		return unit{}, err
	}
	p, err := d.options.Method.Run(ctx, given.Model(), o)
	switch {
	case ctx.Err() != nil:
		return unit{}, ctx.Err()
	case errors.As(err, new(*infer.MissingError)):
		return unit{}, err // it is the same in every split
	}
	if err == nil && p.Draws.Total() == 0 {
		err = errors.New("the run made no draws")
	}
	if err != nil {
		text := err.Error()
		return unit{Failed: &text}, nil
	}
	s, err := other.Score(ctx, given, p, o.Seed)
	if err != nil {
		return unit{}, err
	}
	return unit{Scores: diagnose.Floats{s.LogDensity, s.RMSE}, Why: s.Why}, nil
}

var _ diagnose.Diagnosis = (*Diagnosis)(nil)
