package cavi

// This file lets tests evaluate factorisations.

import "github.com/seed-12b88e03/ppl/infer"

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
