// This file has the plain statistics of draws: mean, sd, quantiles, E-BFMI.

package draws

import (
	"math"
	"slices"
)

// Mean is the mean of all draws.
func Mean(x [][]float64) float64 {
	var sum float64
	n := 0
	for _, c := range x {
		for _, v := range c {
			sum += v
		}
		n += len(c)
	}
	mean := sum / float64(n)
	// A second pass removes most of the rounding of the first.
	var rest float64
	for _, c := range x {
		for _, v := range c {
			rest += v - mean
		}
	}
	if rest /= float64(n); !math.IsNaN(rest) {
		mean += rest
	}
	return mean
}

// SD is the standard deviation of all draws about their common mean, with
// divisor n-1. A single draw has none: NaN.
func SD(x [][]float64) float64 {
	mean := Mean(x)
	var sum float64
	n := 0
	for _, c := range x {
		for _, v := range c {
			sum += float64((v - mean) * (v - mean))
		}
		n += len(c)
	}
	if n < 2 {
		return math.NaN()
	}
	return math.Sqrt(sum / float64(n-1))
}

// Sorted pools the chains into one ascending slice. It is nil if any draw is
// NaN: then there are no quantiles.
func Sorted(x [][]float64) []float64 {
	all := slices.Concat(x...)
	if slices.ContainsFunc(all, math.IsNaN) {
		return nil
	}
	slices.Sort(all)
	return all
}

// Quantile interpolates linearly between order statistics: type 7 of Hyndman
// and Fan (1996), R's default. The slice must be ascending; the quantile of an
// empty one is NaN.
func Quantile(sorted []float64, p float64) float64 {
	return quantile(len(sorted), p, func(i int) float64 { return sorted[i] })
}

// quantile is Quantile of n draws by their order statistics, from 0.
func quantile(n int, p float64, at func(i int) float64) float64 {
	if n == 0 || !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	h := float64(float64(n-1) * p)
	lo := int(h)
	if lo == n-1 {
		return at(lo)
	}
	below, above := at(lo), at(lo+1)
	if below == above || h == float64(lo) {
		return below
	}
	return below + float64((h-float64(lo))*(above-below))
}

// EBFMI is the energy fraction of missing information of one chain, from its
// energies: the mean squared change from draw to draw over the variance
// (Betancourt 2016, arXiv:1604.00695). Low values mean that the momentum
// draws move the energy too slowly.
func EBFMI(energy []float64) float64 {
	if len(energy) < 3 {
		return math.NaN()
	}
	mean := Mean([][]float64{energy})
	var change, spread float64
	for i, e := range energy {
		spread += float64((e - mean) * (e - mean))
		if i > 0 {
			change += float64((e - energy[i-1]) * (e - energy[i-1]))
		}
	}
	if spread == 0 {
		return math.NaN()
	}
	return change / spread
}
