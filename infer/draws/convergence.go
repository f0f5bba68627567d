// This file measures convergence: R-hat, effective sample size, and the Monte
// Carlo errors that follow from it.
//
// Everything here takes one column, a slice for each chain. What compares chains is taken
// over beginnings of one length (see Draws.Balanced). Where a statistic has no meaning it is NaN: for
// constant columns, for columns with NaN or infinite values, for too few draws.

package draws

import (
	"cmp"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// RHat is the rank-normalised split R-hat: the larger of that of the draws and
// that of their distances from the median (Vehtari et al. 2021, section 4.1).
func RHat(x [][]float64) float64 {
	return largerRHat(rhat(zScale(split(x))), rhat(zScale(split(fold(x)))))
}

func largerRHat(bulk, folded float64) float64 {
	// Not math.Max: a column whose distances are constant has no folded R-hat,
	// and then none at all.
	if math.IsNaN(bulk) || math.IsNaN(folded) {
		return math.NaN()
	}
	return max(bulk, folded)
}

// ESSBulk is the effective sample size of the rank-normalised draws: how well
// the centre of the distribution is known.
func ESSBulk(x [][]float64) float64 { return ess(zScale(split(x))) }

// ESSTail is the smaller effective sample size of the 5 % and 95 % quantiles.
func ESSTail(x [][]float64) float64 { return essTail(x, Sorted(x)) }

func essTail(x [][]float64, sorted []float64) float64 {
	return math.Min(essQuantile(x, sorted, 0.05), essQuantile(x, sorted, 0.95))
}

// ESSMean is the effective sample size of the mean.
func ESSMean(x [][]float64) float64 { return ess(split(x)) }

// ESSSD is the effective sample size of the standard deviation, taken as that
// of the distance from the mean.
func ESSSD(x [][]float64) float64 {
	mean := Mean(x)
	return ess(split(apply(x, func(v float64) float64 { return math.Abs(v - mean) })))
}

// essQuantile is the effective sample size of a quantile, 0 < p < 1, of sorted draws.
func essQuantile(x [][]float64, sorted []float64, p float64) float64 {
	if !usable(x) {
		return math.NaN()
	}
	q := Quantile(sorted, p)
	return ess(split(apply(x, func(v float64) float64 {
		if v <= q {
			return 1
		}
		return 0
	})))
}

// MCSEMean is the Monte Carlo standard error of the mean.
func MCSEMean(x [][]float64) float64 { return SD(x) / math.Sqrt(ESSMean(x)) }

// MCSESD is the Monte Carlo standard error of the standard deviation, from the
// fourth moment (Kenney and Keeping 1951, p. 141); it assumes no normality.
func MCSESD(x [][]float64) float64 {
	mean := Mean(x)
	square := apply(x, func(v float64) float64 { return (v - mean) * (v - mean) })
	fourth := apply(square, func(v float64) float64 { return v * v })
	variance := Mean(square)
	varVariance := (Mean(fourth) - variance*variance) / ess(split(square))
	return math.Sqrt(varVariance / variance / 4)
}

// rhat is the classical R-hat over chains.
func rhat(x [][]float64) float64 {
	if !usable(x) {
		return math.NaN()
	}
	means, variances := make([]float64, len(x)), make([]float64, len(x))
	for i, c := range x {
		means[i] = Mean([][]float64{c})
		sd := SD([][]float64{c})
		variances[i] = float64(sd * sd)
	}
	return rhatOf(len(x[0]), means, variances)
}

// rhatOf is R-hat of chains of a length by their means and variances.
func rhatOf(length int, means, variances []float64) float64 {
	n := float64(length)
	var within float64
	for _, v := range variances {
		within += v
	}
	within /= float64(len(variances))
	sd := SD([][]float64{means})
	between := n * sd * sd
	return math.Sqrt((between/within + n - 1) / n)
}

// ess is the effective sample size of the mean over chains: autocovariances
// averaged over the chains, cut off by Geyer's initial monotone sequence. The
// indices follow Vehtari et al. 2021, section 3.2, as posterior has them.
func ess(x [][]float64) float64 {
	if len(x) == 0 || len(x[0]) < 3 || !usable(x) {
		return math.NaN()
	}
	n := len(x[0])
	means := make([]float64, len(x))
	for i, c := range x {
		means[i] = Mean([][]float64{c})
	}
	return essOf(n, means, newAutocovariances(x, means).at)
}

// essOf is the effective sample size of chains of length n by their means and average autocovariances.
func essOf(n int, means []float64, acov func(lag int) float64) float64 {
	meanVar := acov(0) * float64(n) / float64(n-1)
	varPlus := acov(0)
	if len(means) > 1 {
		sd := SD([][]float64{means})
		varPlus += float64(sd * sd)
	}
	rho := func(lag int) float64 { return 1 - (meanVar-acov(lag))/varPlus }
	tau := integratedTime(n, rho)
	total := float64(len(means) * n)
	// Antithetic chains may do better than independent ones, within reason.
	return total / math.Max(tau, 1/libm.Log10(total))
}

// integratedTime sums autocorrelations in pairs of lags while the pairs are
// positive, each capped by the one before.
func integratedTime(n int, rho func(lag int) float64) float64 {
	even, odd := 1.0, rho(1)
	r := []float64{even, odd}
	t := 0
	for t < n-5 && even+odd > 0 {
		t += 2
		r = append(r, 0, 0)
		even, odd = rho(t), rho(t+1)
		if even+odd >= 0 {
			r[t], r[t+1] = even, odd
		}
	}
	if even > 0 {
		r[t] = even
	}
	for i := 2; i <= t-2; i += 2 {
		if pair := r[i-2] + r[i-1]; r[i]+r[i+1] > pair {
			r[i], r[i+1] = pair/2, pair/2
		}
	}
	sum := 0.0
	for _, v := range r[:max(t, 1)] {
		sum += v
	}
	return -1 + 2*sum + r[t]
}

// usable reports whether all values are finite and not all of them the same.
func usable(x [][]float64) bool {
	lo, hi, wrong := math.Inf(1), math.Inf(-1), 0.0
	for _, c := range x {
		for _, v := range c {
			if v < lo {
				lo = v
			}
			if v > hi {
				hi = v
			}
			wrong += v - v // NaN unless v is finite
		}
	}
	if wrong != 0 {
		return false
	}
	return varied(lo, hi)
}

// varied reports whether numbers in a range can differ by more than the rounding of one of them.
func varied(lo, hi float64) bool {
	const epsilon = 0x1p-52
	return hi-lo > epsilon*max(math.Abs(lo), math.Abs(hi))
}

// split cuts each chain in halves of one length; the middle draw of an odd number drops out.
func split(x [][]float64) [][]float64 {
	x = balanced(x)
	if len(x) == 0 || len(x[0]) < 2 {
		return x
	}
	n := len(x[0])
	out := make([][]float64, 0, 2*len(x))
	for _, c := range x {
		out = append(out, c[:n/2])
	}
	for _, c := range x {
		out = append(out, c[n-n/2:])
	}
	return out
}

// fold replaces draws by their distance from the median.
func fold(x [][]float64) [][]float64 {
	median := Quantile(Sorted(x), 0.5)
	return apply(x, func(v float64) float64 { return math.Abs(v - median) })
}

// zScale replaces draws by normal scores of their ranks among all draws, ties
// sharing their average rank, with Blom's offset 3/8. Columns that are not
// finite stay as they are.
func zScale(x [][]float64) [][]float64 {
	all := slices.Concat(x...)
	if slices.ContainsFunc(all, math.IsNaN) {
		return x
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(all[i], all[j]) })
	z := make([]float64, len(all))
	for i := 0; i < len(order); {
		j := i + 1
		for j < len(order) && all[order[j]] == all[order[i]] {
			j++
		}
		score := normalScore(i+j+1, len(all)) // mean of the ranks i+1 .. j
		for _, k := range order[i:j] {
			z[k] = score
		}
		i = j
	}
	out := make([][]float64, len(x))
	for i, c := range x {
		out[i], z = z[:len(c)], z[len(c):]
	}
	return out
}

func apply(x [][]float64, f func(float64) float64) [][]float64 {
	out := make([][]float64, len(x))
	for i, c := range x {
		out[i] = make([]float64, len(c))
		for j, v := range c {
			out[i][j] = f(v)
		}
	}
	return out
}
