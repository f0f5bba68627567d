// This file holds the statistics that pictures show: densities, bins, autocorrelation.

package plots

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// gridPoints is how many points a density curve has.
const gridPoints = 120

// smooth is the density of a sample on a grid from lo to hi: a Gaussian kernel of
// Silverman's width (Density Estimation, 1986, equation 3.31), reflected at the ends of
// the range, so that a density that ends at a bound does not fade out beyond it.
func smooth(x []float64, lo, hi float64) (at, density []float64) {
	at, density = make([]float64, gridPoints), make([]float64, gridPoints)
	h := bandwidth(x)
	if !(hi > lo) || h == 0 {
		return nil, nil
	}
	h = math.Max(h, (hi-lo)/gridPoints)
	for i := range at {
		at[i] = lo + (hi-lo)*float64(i)/(gridPoints-1)
	}
	kernel := func(d float64) float64 { return libm.Exp(-d * d / (2 * h * h)) }
	reach, step := 5*h, (hi-lo)/(gridPoints-1)
	for _, v := range x {
		for _, place := range []float64{v, 2*lo - v, 2*hi - v} {
			from, to := math.Ceil((place-reach-lo)/step), math.Floor((place+reach-lo)/step)
			for i := max(0, int(from)); i <= min(gridPoints-1, int(to)); i++ {
				density[i] += kernel(at[i] - place)
			}
		}
	}
	for i := range density {
		density[i] /= float64(len(x)) * h * math.Sqrt(2*math.Pi)
	}
	return at, density
}

func bandwidth(x []float64) float64 {
	sorted := slices.Sorted(slices.Values(x))
	if len(sorted) < 2 {
		return 0
	}
	sd := draws.SD([][]float64{x})
	if iqr := (draws.Quantile(sorted, 0.75) - draws.Quantile(sorted, 0.25)) / 1.349; iqr > 0 {
		sd = math.Min(sd, iqr)
	}
	return 0.9 * sd * libm.Pow(float64(len(x)), -0.2)
}

// reach is the range in which the densities of samples are shown: all of each, but for
// the tails that would leave no room for the rest.
func reach(samples ...[]float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, x := range samples {
		sorted := slices.DeleteFunc(slices.Sorted(slices.Values(x)), func(v float64) bool { return !finite(v) })
		if len(sorted) == 0 {
			continue
		}
		q1, q3 := draws.Quantile(sorted, 0.25), draws.Quantile(sorted, 0.75)
		far := 5 * (q3 - q1)
		if far == 0 {
			far = math.Inf(1)
		}
		lo = math.Min(lo, math.Max(sorted[0], q1-far))
		hi = math.Max(hi, math.Min(sorted[len(sorted)-1], q3+far))
	}
	return lo, hi
}

// crowded is the share of a sample within a kernel's width of its end, from which on the
// end is taken for a bound of the quantity. Of a normal distribution it is below 1 %.
const crowded = 0.03

// ends is the range of the density curve of a sample: up to a bound of the quantity, as
// all samples of it together show, or else beyond the extremes by as much as a kernel
// reaches.
func ends(x []float64, all ...[]float64) (lo, hi float64) {
	pooled := slices.Concat(append(all, x)...)
	from, to := reach(pooled)
	h, n := bandwidth(pooled), float64(len(pooled))
	lowBound := float64(len(within(pooled, from, from+h))) >= crowded*n
	highBound := float64(len(within(pooled, to-h, to))) >= crowded*n
	lo, hi = reach(x)
	own := 3 * bandwidth(within(x, lo, hi))
	lo, hi = lo-own, hi+own
	if lowBound {
		lo = math.Max(lo, from)
	}
	if highBound {
		hi = math.Min(hi, to)
	}
	return lo, hi
}

// within are the elements in a range.
func within(x []float64, lo, hi float64) []float64 {
	var out []float64
	for _, v := range x {
		if v >= lo && v <= hi {
			out = append(out, v)
		}
	}
	return out
}

// counted reports whether a sample is of whole numbers that can be shown one by one, and returns
// the smallest and the largest.
func counted(samples ...[]float64) (lo, hi int, ok bool) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, x := range samples {
		for _, v := range x {
			if v != math.Trunc(v) || math.IsInf(v, 0) {
				return 0, 0, false
			}
			low, high = math.Min(low, v), math.Max(high, v)
		}
	}
	if !(high-low <= 60) {
		return 0, 0, false
	}
	return int(low), int(high), true
}

// shares are those of the whole numbers lo to hi in a sample.
func shares(x []float64, lo, hi int) []float64 {
	out := make([]float64, hi-lo+1)
	for _, v := range x {
		if k := int(v) - lo; k >= 0 && k < len(out) {
			out[k] += 1 / float64(len(x))
		}
	}
	return out
}

// autocorrelation of a chain up to a lag, by its biased estimate.
func autocorrelation(x []float64, lags int) []float64 {
	mean := draws.Mean([][]float64{x})
	out := make([]float64, lags+1)
	for lag := range out {
		for i := lag; i < len(x); i++ {
			out[lag] += (x[i] - mean) * (x[i-lag] - mean)
		}
	}
	for lag := len(out) - 1; lag >= 0; lag-- {
		out[lag] /= out[0]
	}
	return out
}

// ranks are those of draws among the draws of all chains, from 0; ties share their mean.
func ranks(x [][]float64) [][]float64 {
	sorted := slices.Sorted(slices.Values(slices.Concat(x...)))
	out := make([][]float64, len(x))
	for c, chain := range x {
		for _, v := range chain {
			lo, _ := slices.BinarySearch(sorted, v)
			hi, _ := slices.BinarySearch(sorted, math.Nextafter(v, math.Inf(1)))
			out[c] = append(out[c], float64(lo+hi-1)/2)
		}
	}
	return out
}

// thinned are at most most elements, evenly spaced.
func thinned[T any](x []T, most int) []T {
	if len(x) <= most {
		return x
	}
	out := make([]T, most)
	for i := range out {
		out[i] = x[i*len(x)/most]
	}
	return out
}

func float(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = float64(i)
	}
	return out
}
