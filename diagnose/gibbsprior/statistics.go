// This file compares quantities one by one, and the spread of all of them.

package gibbsprior

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// column is one quantity of all chains.
func column(x [][][]float64, k int) [][]float64 {
	out := make([][]float64, len(x))
	for c, chain := range x {
		for _, row := range chain {
			out[c] = append(out[c], row[k])
		}
	}
	return out
}

// varying are the quantities that do not have one and the same value in all rows, as an element of
// a factor that is fixed by its type does.
func varying(rows [][]float64) []int {
	var out []int
	for k, first := range rows[0] {
		if slices.ContainsFunc(rows, func(row []float64) bool { return row[k] != first }) {
			out = append(out, k)
		}
	}
	return out
}

// rowsOf are the values of a quantity in all chains, as rows of one.
func rowsOf(x [][]float64) [][]float64 {
	var out [][]float64
	for _, v := range slices.Concat(x...) {
		out = append(out, []float64{v})
	}
	return out
}

// only takes some elements.
func only[T any](x []T, at []int) []T {
	out := make([]T, len(at))
	for i, k := range at {
		out[i] = x[k]
	}
	return out
}

// statistics fills in the comparison of each quantity and gives the adjusted p-values.
func (f *Figures) statistics(names []string, gibbs [][][]float64, prior [][]float64) []float64 {
	rhat, ess, lag := 1.0, math.Inf(1), 0.0
	var ps []float64
	for k, name := range names {
		g, p := column(gibbs, k), column([][][]float64{prior}, k)
		st := Statistic{Name: name,
			Prior:     Moments{draws.Number(draws.Mean(p)), draws.Number(draws.SD(p))},
			Gibbs:     Moments{draws.Number(draws.Mean(g)), draws.Number(draws.SD(g))},
			Quantiles: Quantiles{Prior: quantilesOf(p), Gibbs: quantilesOf(g)}}
		st.Shift = st.Gibbs.Mean - st.Prior.Mean
		st.Error = draws.Number(libm.Hypot(draws.MCSEMean(g), float64(st.Prior.SD)/math.Sqrt(float64(len(prior)))))
		mean, spread := shifts(g, p)
		ps = append(ps, mean, spread)
		if len(varying(rowsOf(g))) > 0 { // of one that is the same in all chains there is nothing to tell
			rhat, ess = math.Max(rhat, draws.RHat(g)), math.Min(ess, draws.ESSBulk(g))
		}
		lag = max(lag, autocorrelation(g, 1))
		f.Statistics = append(f.Statistics, st)
	}
	ps = diagnose.Holm(ps)
	for k := range f.Statistics {
		f.Statistics[k].P = draws.Number(math.Min(ps[2*k], ps[2*k+1]))
	}
	f.RHat, f.ESS, f.Autocorrelation = draws.Number(rhat), draws.Number(ess), draws.Number(lag)
	f.Compactness.Prior, f.Entropy.Prior = size(prior)
	f.Compactness.Gibbs, f.Entropy.Gibbs = size(slices.Concat(gibbs...))
	return ps
}

// size is the Frobenius norm of the covariance of some rows, and the entropy of the normal
// with that covariance: -Inf where it is singular.
func size(rows [][]float64) (norm, entropy draws.Number) {
	d := len(rows[0])
	x := mat.NewDense(len(rows), d, nil)
	for i, row := range rows {
		x.SetRow(i, row)
	}
	var cov mat.SymDense
	cov.Covariance(x)
	entropy = draws.Number(math.Inf(-1))
	var chol mat.Cholesky
	if chol.Factorize(&cov) {
		entropy = draws.Number((float64(float64(d)*libm.Log(2*math.Pi*math.E)) + chol.LogDet()) / 2)
	}
	return draws.Number(cov.Frobenius()), entropy
}
