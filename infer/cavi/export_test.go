package cavi

// This file lets tests evaluate factorisations.

import (
	"context"
	"math"

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

// Plates compares, after every update of a few cycles from q, what plates and the sum over all
// terms give of each block's natural parameters and of the expected log density. It returns the
// greatest difference, in units of the greatest magnitude of the block's.
func Plates(f *infer.Factorisation, q []float64) (worst float64, err error) {
	a, err := newAscent(f, false)
	if err != nil {
		return 0, err
	}
	if err := a.start(q); err != nil {
		return 0, err
	}
	differ := func(got, want []float64) {
		size := 1e-300
		for _, x := range want {
			if abs(x) <= math.MaxFloat64 {
				size = max(size, abs(x))
			}
		}
		for k := range want {
			if got[k] != want[k] { // infinities are equal
				if d := abs(got[k]-want[k]) / size; d > worst || d != d {
					worst = d
				}
			}
		}
	}
	for range 3 {
		for i := range a.factors {
			if _, err := a.update(i); err != nil {
				return 0, err
			}
			for j, natural := range a.natural {
				want, got := make([]float64, len(natural)), make([]float64, len(natural))
				a.naturalParameters(j, a.expect, want)
				a.plates.naturalParameters(j, got)
				differ(got, want)
			}
			var s sum
			a.plates.addTo(&s)
			differ([]float64{s.value()}, []float64{a.logJoint(a.expect)})
		}
	}
	return worst, nil
}

// Alike fits from 0.3 everywhere and returns how many factors there are, and the bound.
func Alike(f *infer.Factorisation) (factors int, bound float64, err error) {
	a, err := newAscent(f, false)
	if err != nil {
		return 0, 0, err
	}
	q := make([]float64, len(f.Blocks)+1)
	for i := range q {
		q[i] = 0.3 * float64(i)
	}
	if err := a.start(q); err != nil {
		return 0, 0, err
	}
	o := DefaultOptions()
	if _, err := a.run(context.Background(), &o, &infer.FitReport{}, func() {}); err != nil {
		return 0, 0, err
	}
	of := map[factor]bool{}
	for _, f := range a.factors {
		of[f] = true
	}
	return len(of), a.bound(), nil
}
