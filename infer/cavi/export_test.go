package cavi

// This file lets tests evaluate factorisations.

import (
	"context"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// LogJoint is the log density, log Jacobian included, that a factorisation stands for.
func LogJoint(f *infer.Factorisation, q []float64) (float64, error) {
	a, err := newAscent(f, false)
	if err != nil {
		return 0, err
	}
	statistics, logJ, err := a.statisticsAt(q)
	if err != nil {
		return 0, err
	}
	return a.logJoint(statistics) + logJ, nil
}

// Exactly integrates the marginals of a fit of two blocks.
func Exactly(ctx context.Context, f *infer.Factorisation, q []float64) (*infer.Duality, error) {
	a, err := newAscent(f, false)
	if err != nil {
		return nil, err
	}
	if err := a.start(q); err != nil {
		return nil, err
	}
	o, report := DefaultOptions(), &infer.FitReport{}
	if _, err := a.run(context.Background(), &o, report, func() {}); err != nil {
		return nil, err
	}
	d := &infer.Duality{Factors: make([]infer.FactorReport, len(f.Blocks))}
	return d, a.exactly(ctx, d, rng.New(1, "exactly", 0, 0))
}
