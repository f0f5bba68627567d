// This file has the arithmetic of log weights.

package infer

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// LogSumExp is log(sum(exp(x))) without overflow; -Inf for no terms.
func LogSumExp(x []float64) float64 {
	top := math.Inf(-1)
	for _, v := range x {
		if v > top || math.IsNaN(v) {
			top = v
		}
	}
	if math.IsInf(top, 0) || math.IsNaN(top) {
		return top
	}
	var sum float64
	for _, v := range x {
		sum += libm.Exp(v - top)
	}
	return top + libm.Log(sum)
}

// Weights writes to w the weights that belong to log weights, scaled to sum 1.
// Where no weight is positive all become equal.
func Weights(logw, w []float64) {
	total := LogSumExp(logw)
	for i, v := range logw {
		w[i] = libm.Exp(v - total)
		if math.IsInf(total, -1) {
			w[i] = 1 / float64(len(logw))
		}
	}
}

// ESSWeights is the effective number of draws with log weights: the squared
// sum of the weights over the sum of their squares (Kong 1992).
func ESSWeights(logw []float64) float64 {
	total := LogSumExp(logw)
	if math.IsInf(total, 0) || math.IsNaN(total) {
		return 0
	}
	var squares float64
	for _, v := range logw {
		w := libm.Exp(v - total)
		squares += float64(w * w)
	}
	return 1 / squares
}

// LogMean estimates the log of the mean weight of independent draws, with its
// standard error by the delta method: the relative error of the mean.
func LogMean(logw []float64) Estimate {
	n := float64(len(logw))
	total := LogSumExp(logw)
	e := Estimate{Value: total - libm.Log(n), Error: math.NaN()}
	if math.IsInf(total, 0) || math.IsNaN(total) || n < 2 {
		return e
	}
	var squares float64
	for _, v := range logw {
		d := float64(n*libm.Exp(v-total)) - 1 // weight over mean weight, minus 1
		squares += float64(d * d)
	}
	e.Error = math.Sqrt(squares / (n - 1) / n)
	return e
}

// ResampleSystematic fills parent with indices such that index i comes up n*w[i]
// times on average, rounded down or up; n = len(parent), the weights sum to 1.
// Indices ascend. One uniform number is used (Kitagawa 1996).
func ResampleSystematic(r *rand.Rand, w []float64, parent []int) {
	u := r.Float64()
	n := float64(len(parent))
	var sum float64
	i := -1
	for k := range parent {
		at := (float64(k) + float64(u)) / n
		for i < 0 || sum <= at && i < len(w)-1 {
			i++
			sum += w[i]
		}
		parent[k] = i
	}
	// Rounding may leave the sum below the last point; an index without weight
	// is never taken.
	for k := range parent {
		for parent[k] > 0 && w[parent[k]] == 0 {
			parent[k]--
		}
	}
}

// Resampled turns weighted draws into equally weighted ones: for each chain a
// list of indices, as many as it has draws. Without weights it is nil.
func (p *Posterior) Resampled(r *rand.Rand) [][]int {
	if p.LogWeights == nil {
		return nil
	}
	out := make([][]int, len(p.LogWeights))
	for c, logw := range p.LogWeights {
		w := make([]float64, len(logw))
		Weights(logw, w)
		out[c] = make([]int, len(logw))
		ResampleSystematic(r, w, out[c])
	}
	return out
}
