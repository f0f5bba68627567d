// This file compares the swapped posterior with importance weights on the false posterior's
// draws.

package swap

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/psis"
)

// constant is the spread of a number over its size that is owed to rounding.
const constant = 1e-10

// parameterColumns are a model's parameters at the draws of p, column by column; nil where
// the model does not tell them from other quantities.
func parameterColumns(model infer.Model, p *infer.Posterior) (out [][]float64) {
	named, ok := model.(interface{ ParameterColumns() []string })
	if !ok {
		return nil
	}
	for _, name := range named.ParameterColumns() {
		x := p.Draws.Column(name)
		if x == nil {
			return nil
		}
		out = append(out, slices.Concat(x...))
	}
	return out
}

// compare fills in the report: weights on the sample beside the draws. What is compared are
// means, and mean distances from them, of the coordinates and of the parameters: weights
// that agree on the unconstrained scale may not on the other one.
func (f *falsePosterior) compare(report *infer.SwapReport, p *infer.Posterior) {
	smooth := psis.Smooth(f.logw, f.effect)
	report.ParetoK, report.Draws = smooth.K, len(f.sample)
	report.ESS, report.Share = smooth.ESS()*f.effect, smooth.Share()
	report.Beyond = f.beyond(p.Unconstrained)
	if p.Draws.Total() < 2 { // a mode has no spread to measure by: see atMode
		report.Shift, report.ShiftError = math.NaN(), math.NaN()
		return
	}
	weights := make([]float64, len(smooth.LogWeights))
	for k, lw := range smooth.LogWeights {
		weights[k] = libm.Exp(lw)
	}
	for i := range f.sample[0] { // the numbers that are only carried along, too
		old := make([]float64, len(f.sample))
		for k, q := range f.sample {
			old[k] = q[i]
		}
		note(report, old, weights, column(p.Unconstrained, i), p.LogWeights)
	}
	if names, ok := f.model.(interface{ ParameterColumns() []string }); ok {
		for i, old := range f.columns {
			note(report, old, weights, p.Draws.Column(names.ParameterColumns()[i]), p.LogWeights)
		}
	}
}

// note keeps the difference of two answers for one number if it is the largest so far: old
// with weights, and x with log weights, nil for equal ones. It is in units of the greater of
// the two standard deviations, since one of them may be 0: of an indicator, say, that hardly
// ever changes. A number that is constant in both, as the diagonal of a correlation matrix
// is, has no difference if it is the same one, and an infinite one if it is not.
func note(report *infer.SwapReport, old, weights []float64, x, logw [][]float64) {
	mean, _, _ := moments(x, logw)
	size := math.Abs(mean) // of the number, which rounding is relative to
	for _, v := range old {
		size = max(size, math.Abs(v))
	}
	away := func(v float64) float64 { return math.Abs(v - mean) }
	same := func(v float64) float64 { return v }
	for _, of := range []func(float64) float64{same, away} {
		y := make([][]float64, len(x))
		for c, chain := range x {
			for _, v := range chain {
				y[c] = append(y[c], of(v))
			}
		}
		m, sd, effective := moments(y, logw)
		weighted, square := 0.0, 0.0
		for k, v := range old {
			weighted += float64(weights[k] * of(v))
		}
		for k, v := range old {
			d := of(v) - weighted
			square += float64(weights[k] * d * d)
		}
		if sd = max(sd, math.Sqrt(square)); sd <= constant*size {
			if math.Abs(weighted-m) <= constant*size {
				continue
			}
			sd = 0
		}
		if math.IsNaN(effective) { // constant among the new draws, one in effect
			effective = 1
		}
		if d := math.Abs(weighted-m) / sd; d > report.Shift || math.IsNaN(d) {
			report.Shift, report.ShiftError = d, math.Sqrt(1/report.ESS+1/effective)
		}
	}
}

// moments are mean and sd of draws with log weights, nil for equal ones, and the
// effective number of draws.
func moments(x, logw [][]float64) (mean, sd, effective float64) {
	if logw == nil {
		return draws.Mean(x), draws.SD(x), draws.ESSMean(x)
	}
	values, logs := slices.Concat(x...), slices.Concat(logw...)
	w := make([]float64, len(logs))
	infer.Weights(logs, w)
	for i, v := range values {
		mean += float64(w[i] * v)
	}
	for i, v := range values {
		sd += float64(w[i] * (v - mean) * (v - mean))
	}
	return mean, math.Sqrt(sd), infer.ESSWeights(logs)
}

// beyond is the fraction of points further from the mean, in whitened coordinates, than
// all of the sample.
func (f *falsePosterior) beyond(points [][][]float64) float64 {
	s, z := make([]float64, len(f.coords)), make([]float64, len(f.coords))
	square := func(q []float64) (sum float64) {
		f.whiten(q, s, z)
		for _, v := range z {
			sum += float64(v * v)
		}
		return sum
	}
	most := 0.0
	for _, q := range f.sample {
		most = max(most, square(q))
	}
	far, total := 0, 0
	for _, chain := range points {
		for _, q := range chain {
			total++
			if square(q) > most {
				far++
			}
		}
	}
	return float64(far) / float64(max(total, 1))
}
