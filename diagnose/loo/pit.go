package loo

// This file says where observations lie among their leave-one-out predictions.

import "github.com/seed-12b88e03/ppl/autodiff/libm"

// A PIT is the probability integral transform of each observation, P(y < y_i) + u P(y = y_i) by its predictive distribution given the others,
// with u uniform: uniform where predictions are calibrated. Gneiting, Balabdaoui and Raftery (2007), Probabilistic forecasts,
// calibration and sharpness, JRSS B 69; Czado, Gneiting and Held (2009) for whole numbers.
type PIT struct {
	Names  []string
	Values []float64
	Left   int // observations that it is not known of: all simulated data have the same number there
	// P is the p-value of a test for uniformity, Shape what the values look like in words, Picture their histogram.
	P              float64
	Shape, Picture string
}

// Transform is that of one observation: its place among numbers simulated at draws with log weights, u breaking ties.
func Transform(y float64, simulated, logWeights []float64, u float64) float64 {
	below, all := 0.0, 0.0
	for i, x := range simulated {
		w := libm.Exp(logWeights[i])
		all += w
		switch {
		case x < y:
			below += w
		case x == y:
			below += float64(u * w)
		}
	}
	return below / all
}
