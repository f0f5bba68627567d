// Package psis is Pareto smoothed importance sampling.
//
// Given log ratios log p(x_s) - log q(x_s) of draws x_s from q, the largest of
// the ratios are replaced by quantiles of a generalised Pareto distribution
// fitted to them:
//
//  1. The tail is the M = min(S/5, 3 sqrt(S/r)) largest of S ratios, r the
//     relative efficiency of the draws (1 if independent); where fewer draws have a
//     weight at all, those but the least of them.
//  2. A generalised Pareto distribution is fitted to the excesses of the tail
//     over the largest ratio below it (package-level Fit).
//  3. The tail becomes the expected order statistics of the fit, cut at the
//     largest raw ratio. The rest stays as it is.
//
// The shape k of the fit says how far the weights can be trusted: with k below
// min(1 - 1/log10(S), 0.7) the error of the smoothed estimate is small and its
// Monte Carlo error can be believed; above, the sample is too small for what
// it would take; above 1 the mean does not exist.
//
// Source: Vehtari, Simpson, Gelman, Yao and Gabry, "Pareto smoothed importance
// sampling", JMLR 25 (2024). The shape is drawn towards 1/2 by a prior worth
// ten tail draws, as there.
//
// Deviations: a tail with fewer than five distinct values has no fit; then the
// weights stay raw and k is +Inf, or -Inf if all ratios are equal up to rounding.
// Ratios that have few values, as those of functions of whole numbers do, are bounded
// where each value of weight is that of many draws: they stay raw, and k is -Inf.
//
// The functions are pure; they may be called from anywhere.
package psis

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// sameRatio is a spread of log ratios that is owed to rounding.
const sameRatio = 1e-8

// MinTail is the least number of tail draws that a shape is fitted to.
const MinTail = 5

// Result is a set of smoothed weights.
type Result struct {
	LogWeights []float64 // normalised: their exponentials sum to 1
	K          float64   // Pareto shape of the raw ratios' upper tail
	Tail       int       // draws in the tail
}

// ESS is the effective number of draws by the weights' second moment; 0 where there is none with a weight.
func (r Result) ESS() float64 {
	var s float64
	for _, w := range r.LogWeights {
		s += libm.Exp(2 * w)
	}
	if s == 0 { // all weights are 0
		return 0
	}
	return 1 / s
}

// Even is the least effective share of draws at which weights count as even: the shape
// of so short a tail says nothing of its length, and the weights change nothing. Where
// the ratios bend back towards their middle, many draws gather just above the tail's
// start, and the fit takes the few beyond for a long tail.
const Even = 0.95

// Share is ESS over the number of draws.
func (r Result) Share() float64 { return r.ESS() / float64(len(r.LogWeights)) }

// Trusted reports whether the weights give trustworthy estimates: by their shape, or because
// they are even.
func (r Result) Trusted() bool {
	return r.K <= Threshold(len(r.LogWeights)) || r.Share() >= Even
}

// Threshold is the largest shape at which s draws give a trustworthy estimate.
func Threshold(s int) float64 {
	return min(1-1/libm.Log10(float64(s)), 0.7)
}

// Smooth returns the smoothed, normalised weights of draws with the given log
// ratios. Ratios of -Inf are weights of zero, NaN counts as -Inf. efficiency is
// the effective number of draws over their number; 1 for independent draws.
func Smooth(logRatios []float64, efficiency float64) Result {
	lw := slices.Clone(logRatios)
	top, low := math.Inf(-1), math.Inf(1)
	weighted := 0
	for i, w := range lw {
		if math.IsNaN(w) {
			lw[i] = math.Inf(-1)
		}
		if top, low = max(top, lw[i]), min(low, lw[i]); !math.IsInf(lw[i], -1) {
			weighted++
		}
	}
	r := Result{LogWeights: lw, K: math.Inf(1)}
	if len(lw) == 0 || math.IsInf(top, 0) {
		return r
	}
	for i := range lw {
		lw[i] -= top
	}
	// A draw without weight is none of the tail: smoothing would give it some.
	r.Tail = min(tailLength(len(lw), efficiency), weighted-1)
	order := heaviest(lw, min(r.Tail+1, len(lw)))
	if top-low < sameRatio || bounded(lw, order, efficiency) {
		r.K = math.Inf(-1)
	} else if r.Tail >= MinTail {
		r.K = smoothTail(lw, order[len(order)-r.Tail:], lw[order[len(order)-r.Tail-1]])
	}
	normalise(lw)
	return r
}

// Few values are at most mostValues, and values of weight are those that hold all but missing
// of it; each must be that of enough draws.
const (
	mostValues = 50
	missing    = 0.01
	enough     = 10
)

// bounded reports whether weights have few values, of which those that hold next to all of the
// weight are each that of many draws. tail are the heaviest, by increasing weight: where these have many values, so have all.
func bounded(lw []float64, tail []int, efficiency float64) bool {
	if values(lw, tail) > mostValues {
		return false
	}
	order := heaviest(lw, len(lw))
	if values(lw, order) > mostValues {
		return false
	}
	rare, total := 0.0, 0.0
	for from := 0; from < len(order); {
		to := sameTo(lw, order, from)
		held := float64(float64(to-from) * libm.Exp(lw[order[from]]))
		if total += held; float64(float64(to-from)*efficiency) < enough {
			rare += held
		}
		from = to
	}
	return rare <= missing*total
}

// values counts the values of the weights at indices in increasing order, up to rounding; beyond mostValues it need not go on.
func values(lw []float64, order []int) (n int) {
	for from := 0; from < len(order) && n <= mostValues; from = sameTo(lw, order, from) {
		n++
	}
	return n
}

// sameTo is where the weights equal to that at a place of order end.
func sameTo(lw []float64, order []int, from int) int {
	to := from
	for to < len(order) && !(lw[order[to]]-lw[order[from]] > sameRatio) {
		to++
	}
	return to
}

func tailLength(s int, efficiency float64) int {
	n := float64(s)
	return int(math.Ceil(min(0.2*n, 3*math.Sqrt(n/efficiency))))
}

// heaviest are the indices of the n largest weights in increasing order of weight, ties by index. Of many draws only the tail
// matters, and to sort them all would take most of the time.
func heaviest(lw []float64, n int) []int {
	type draw struct {
		w float64
		i int
	}
	kept := make([]draw, 0, 2*n)
	sort := func() {
		slices.SortFunc(kept, func(a, b draw) int {
			switch {
			case a.w < b.w:
				return -1
			case a.w > b.w:
				return 1
			}
			return a.i - b.i
		})
		kept = append(kept[:0], kept[max(0, len(kept)-n):]...)
	}
	least := math.Inf(-1)
	for i, w := range lw {
		if w < least {
			continue
		}
		if kept = append(kept, draw{w, i}); len(kept) == 2*n {
			sort()
			least = kept[0].w
		}
	}
	sort()
	order := make([]int, len(kept))
	for k, d := range kept {
		order[k] = d.i
	}
	return order
}

// smoothTail replaces the weights at the tail's indices, which are in
// increasing order, and returns the shape. The largest weight is 1.
func smoothTail(lw []float64, tail []int, cut float64) float64 {
	floor := max(cut, libm.Log(math.SmallestNonzeroFloat64*libm.Pow(2, 52)))
	low := libm.Exp(floor)
	excess := make([]float64, len(tail))
	distinct := 1
	for i, t := range tail {
		excess[i] = max(libm.Exp(lw[t])-low, 0)
		if i > 0 && excess[i] > excess[i-1] {
			distinct++
		}
	}
	if distinct < MinTail {
		return math.Inf(1)
	}
	k, sigma := Fit(excess)
	if math.IsNaN(k) || math.IsInf(k, 0) {
		return math.Inf(1)
	}
	for i, t := range tail {
		p := (float64(i) + 0.5) / float64(len(tail))
		lw[t] = min(libm.Log(low+quantile(p, k, sigma)), 0)
	}
	return k
}

// quantile of the generalised Pareto distribution that starts at 0.
func quantile(p, k, sigma float64) float64 {
	if k == 0 {
		return -sigma * libm.Log1p(-p)
	}
	return sigma * libm.Expm1(-k*libm.Log1p(-p)) / k
}

// Fit returns shape and scale of a generalised Pareto distribution for excesses
// in increasing order, at least MinTail of them. It is the posterior mean under
// the profile likelihood of Zhang and Stephens, "A new and efficient estimation
// method for the generalized Pareto distribution", Technometrics 51 (2009),
// with the shape shrunk towards 1/2 by ten observations' worth.
func Fit(x []float64) (k, sigma float64) {
	const spread, prior, priorK = 3, 10, 0.5
	n := float64(len(x))
	grid := 30 + int(math.Sqrt(n))
	quartile := x[max(int(n/4+0.5)-1, 0)]
	if quartile <= 0 { // ties with the cut: take the least excess there is
		i := slices.IndexFunc(x, func(e float64) bool { return e > 0 })
		if i < 0 {
			return math.NaN(), math.NaN()
		}
		quartile = x[i]
	}
	theta, logLik := make([]float64, grid), make([]float64, grid)
	top := math.Inf(-1)
	for j := range theta {
		theta[j] = 1/x[len(x)-1] + (1-math.Sqrt(float64(grid)/(float64(j)+0.5)))/(spread*quartile)
		shape := meanLog1p(-theta[j], x)
		logLik[j] = n * (libm.Log(-theta[j]/shape) - shape - 1)
		if !math.IsNaN(logLik[j]) {
			top = max(top, logLik[j])
		}
	}
	var sum, mean float64
	for j, l := range logLik {
		if w := libm.Exp(l - top); !math.IsNaN(w) {
			sum += w
			mean += float64(w * theta[j])
		}
	}
	mean /= sum
	raw := meanLog1p(-mean, x)
	return (float64(raw*n) + priorK*prior) / (n + prior), -raw / mean
}

func meanLog1p(b float64, x []float64) float64 {
	var s float64
	for _, v := range x {
		s += libm.Log1p(b * v)
	}
	return s / float64(len(x))
}

func normalise(lw []float64) {
	top := slices.Max(lw)
	var s float64
	for _, w := range lw {
		s += libm.Exp(w - top)
	}
	s = top + libm.Log(s)
	for i := range lw {
		lw[i] -= s
	}
}
