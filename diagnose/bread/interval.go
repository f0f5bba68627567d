// This file has intervals by the bootstrap, and quartiles.

package bread

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// resamples is the number of them behind each interval.
const resamples = 10000

// Interval are the ends of a central 95 % interval.
type Interval [2]draws.Number

// gapInterval is the interval of the mean gap of a rung. Its units are the data sets; of a
// single one the chains, forward and reverse by themselves, which is conditional on it.
func gapInterval(sets []*dataset, rung int) Interval {
	if len(sets) == 1 {
		return bootstrap(sets[0].reverse[rung], sets[0].forward[rung])
	}
	gaps := make([]float64, len(sets))
	for i, s := range sets {
		gaps[i] = s.gap(rung)
	}
	return bootstrap(gaps)
}

// bootstrap is the percentile interval of the mean of the first list minus the sum of the
// means of the others.
func bootstrap(lists ...[]float64) Interval {
	for _, list := range lists {
		for _, x := range list {
			if math.IsInf(x, 0) || math.IsNaN(x) {
				return Interval{nan, nan}
			}
		}
	}
	r := rng.New(0, "bread/bootstrap", 0, 0)
	means := make([]float64, resamples)
	for i := range means {
		means[i] = resampledMean(r, lists[0])
		for _, list := range lists[1:] {
			means[i] -= resampledMean(r, list)
		}
	}
	slices.Sort(means)
	return Interval{draws.Number(means[resamples/40]), draws.Number(means[resamples-1-resamples/40])}
}

func resampledMean(r *rand.Rand, x []float64) float64 {
	s := 0.0
	for range x {
		s += x[variate.IntN(r, len(x))]
	}
	return s / float64(len(x))
}

// Quartiles are the lower one, the median and the upper one.
type Quartiles [3]draws.Number

// spread is the distance of the outer ones.
func (q Quartiles) spread() draws.Number { return q[2] - q[0] }

func quartiles(x []draws.Number) Quartiles {
	if len(x) == 0 {
		return Quartiles{nan, nan, nan}
	}
	sorted := slices.Sorted(slices.Values(x))
	at := func(p float64) draws.Number { return sorted[int(float64(p*float64(len(sorted)-1))+0.5)] }
	return Quartiles{at(0.25), at(0.5), at(0.75)}
}
