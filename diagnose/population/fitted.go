// This file reads what a fit has of each quantity.

package population

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// mostValues is how many draws shares are taken from.
const mostValues = 2000

// mostDraws is how many draws of a long fit are compared.
const mostDraws = 1 << 17

// fittedColumns are the columns of draws that are finite, with the elements of a group in
// order; nil for none.
func fittedColumns(names []string, d *draws.Draws, g *group) map[string]fitted {
	var weights []float64
	switch d.Kind() {
	case draws.Weighted:
		logs := slices.Concat(d.Column(draws.LogWeightColumn)...)
		weights = make([]float64, len(logs))
		infer.Weights(logs, weights)
	default:
		d = d.Balanced()
	}
	columns := make([][][]float64, len(names))
	for j, name := range names {
		columns[j] = d.Column(name)
	}
	if g != nil {
		columns = g.orderedColumns(columns)
	}
	out := map[string]fitted{}
	for j, name := range names {
		if f, ok := fittedOf(columns[j], weights, d.Kind()); ok {
			out[name] = f
		}
	}
	return out
}

// parameters are the fit's parameters, computed once.
func (c *check) parameters() map[string]fitted {
	if c.fitted == nil {
		c.fitted = fittedColumns(c.model.ParameterColumns(), c.draws, nil)
	}
	return c.fitted
}

// orderedColumns is ordered for columns, chain by chain.
func (g *group) orderedColumns(columns [][][]float64) [][][]float64 {
	out := make([][][]float64, len(columns))
	for j, x := range columns {
		if x == nil {
			return columns
		}
		out[j] = make([][]float64, len(x))
	}
	for chain := range columns[0] {
		rows := make([][]float64, len(columns[0][chain]))
		for i := range rows {
			rows[i] = make([]float64, len(columns))
			for j := range columns {
				rows[i][j] = columns[j][chain][i]
			}
		}
		for _, row := range g.ordered(rows) {
			for j := range columns {
				out[j][chain] = append(out[j][chain], row[j])
			}
		}
	}
	return out
}

// fittedOf reads one column. A mode has a place and no spread.
func fittedOf(x [][]float64, weights []float64, kind draws.Kind) (f fitted, ok bool) {
	all := slices.Concat(x...)
	if len(all) == 0 || slices.ContainsFunc(all, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
		return f, false
	}
	if kind == draws.Mode {
		return fitted{values: all, weights: []float64{1}, mean: all[0], sd: math.NaN()}, true
	}
	if weights != nil {
		return fittedWeighted(all, weights), true
	}
	step := max(1, len(all)/mostValues)
	for i := 0; i < len(all); i += step {
		f.values = append(f.values, all[i])
	}
	slices.Sort(f.values)
	for range f.values {
		f.weights = append(f.weights, 1/float64(len(f.values)))
	}
	f.mean, f.sd = draws.Mean(x), draws.SD(x)
	n := float64(len(all))
	f.n = n
	if kind == draws.Chains || kind == draws.Particles {
		f.chains = x
		if n = draws.ESSMean(x); math.IsNaN(n) {
			n = 1
		}
	}
	f.meanError, f.sdError = f.sd/math.Sqrt(n), logSDError(all, nil, f.mean, f.sd, n)
	return f, true
}

func fittedWeighted(x, weights []float64) (f fitted) {
	f.values, f.weights = sortedWith(x, weights)
	square := 0.0
	for i, v := range f.values {
		f.mean += float64(f.weights[i] * v)
		square += float64(f.weights[i] * f.weights[i])
	}
	for i, v := range f.values {
		f.sd += float64(f.weights[i] * (v - f.mean) * (v - f.mean))
	}
	f.sd, f.n = math.Sqrt(f.sd/(1-square)), 1/square
	f.meanError, f.sdError = f.sd*math.Sqrt(square), logSDError(f.values, f.weights, f.mean, f.sd, 1/square)
	return f
}

// logSDError is the standard error of the log of a standard deviation over n independent
// draws, by the fourth moment.
func logSDError(x, w []float64, mean, sd, n float64) float64 {
	if !(sd > 0) {
		return 0
	}
	fourth := 0.0
	for i, v := range x {
		z := (v - mean) / sd
		p := 1 / float64(len(x))
		if w != nil {
			p = w[i]
		}
		fourth += float64(p * z * z * z * z)
	}
	return math.Sqrt(max(fourth-1, 0)/n) / 2
}
