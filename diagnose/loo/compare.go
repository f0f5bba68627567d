package loo

// This file compares fits of several models to the same observations.

import (
	"fmt"
	"sort"
)

// A Rank is the place of a fit in a comparison.
type Rank struct {
	Fit        int      // its place in the argument of Compare
	Difference Estimate // of elpd, to the best fit: at most 0
	// Stacking is the weight of the fit in the mixture of the fits' predictions with the
	// largest leave-one-out density.
	Stacking float64
	// PseudoBMA is its pseudo-BMA+ weight: as exp(elpd), made less certain of itself by the
	// Bayesian bootstrap.
	PseudoBMA float64
}

// Compare sorts fits by elpd, the best first, with the differences of LOO and their
// standard errors, and weights for a mixture of their predictions. The fits must have the
// same number of observations.
func Compare(fits []*Result) ([]Rank, error) {
	out := make([]Rank, len(fits))
	for i, r := range fits {
		if n, first := len(r.LOO.Terms), len(fits[0].LOO.Terms); n != first {
			return nil, fmt.Errorf("fits can be compared on the same observations only; number 1 has %d of them, number %d has %d", first, i+1, n)
		}
		out[i].Fit = i
	}
	sort.SliceStable(out, func(a, b int) bool { return fits[out[a].Fit].LOO.ELPD.Value > fits[out[b].Fit].LOO.ELPD.Value })
	best := fits[out[0].Fit].LOO.Terms
	for i := range out {
		if i == 0 {
			continue
		}
		own := fits[out[i].Fit].LOO.Terms
		terms := make([]Term, len(own))
		for k := range own {
			terms[k].ELPD = own[k].ELPD - best[k].ELPD
		}
		out[i].Difference = total(terms, func(t Term) float64 { return t.ELPD })
	}
	weigh(out, fits)
	return out, nil
}
