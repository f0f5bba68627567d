// This file compares quantities one by one, and the spread of all of them.

package gibbsprior

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
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
	var z [][2][][]float64
	for k, name := range names {
		g, p := column(gibbs, k), column([][][]float64{prior}, k)
		st := Statistic{Name: name,
			Prior:     Moments{draws.Number(draws.Mean(p)), draws.Number(draws.SD(p))},
			Gibbs:     Moments{draws.Number(draws.Mean(g)), draws.Number(draws.SD(g))},
			Quantiles: Quantiles{Prior: quantilesOf(p), Gibbs: quantilesOf(g)}}
		st.Shift = st.Gibbs.Mean - st.Prior.Mean
		st.Error = draws.Number(libm.Hypot(draws.MCSEMean(g), float64(st.Prior.SD)/math.Sqrt(float64(len(prior)))))
		s := scores(g, p)
		z = append(z, [2][][]float64{s[0], s[1]})
		mean, spread := shifts(s[0], s[1])
		ps = append(ps, mean, spread)
		if len(varying(rowsOf(g))) > 0 { // of one that is the same in all chains there is nothing to tell
			rhat, ess = math.Max(rhat, draws.RHat(g)), math.Min(ess, draws.ESSBulk(g))
		}
		lag = max(lag, autocorrelation(g, 1))
		f.Statistics = append(f.Statistics, st)
	}
	ps = diagnose.Holm(append(ps, f.dependences(z)...))
	for k := range f.Statistics {
		f.Statistics[k].P = draws.Number(math.Min(ps[2*k], ps[2*k+1]))
	}
	for k := range f.Dependences {
		f.Dependences[k].P = draws.Number(ps[2*len(f.Statistics)+k])
	}
	f.RHat, f.ESS, f.Autocorrelation = draws.Number(rhat), draws.Number(ess), draws.Number(lag)
	return ps
}

// sizes fills in how far the two priors of the parameters spread, whatever quantities are compared.
func (d *Diagnosis) sizes(f *Figures, m infer.Model, chains []*Chain, shortest int, points [][]float64) error {
	_, values, err := valuesOf(d.options.Parameters, m)
	if err != nil {
		return err
	}
	var all [][]float64
	for _, c := range chains {
		all = append(all, c.Points[1+shortest/10:shortest+1]...)
	}
	gibbs, err := values(all)
	if err != nil {
		return err
	}
	prior, err := values(points)
	if err != nil {
		return err
	}
	none := draws.Number(math.NaN())
	f.Compactness, f.Entropy = Pair{none, none}, Pair{none, none}
	if at := varying(slices.Concat(gibbs, prior)); len(at) > 0 {
		f.Compactness.Prior, f.Entropy.Prior = size(prior, at)
		f.Compactness.Gibbs, f.Entropy.Gibbs = size(gibbs, at)
	}
	return nil
}

// size is the Frobenius norm of the covariance of some columns, and an entropy: that of the values where
// all are discrete, and otherwise of the normal with that covariance, -Inf where it is singular. There is
// none of both together.
func size(rows [][]float64, columns []int) (norm, entropy draws.Number) {
	d := len(columns)
	x := mat.NewDense(len(rows), d, nil)
	whole, counts := 0, map[string]int{}
	for _, k := range columns {
		if !slices.ContainsFunc(rows, func(row []float64) bool { return row[k] != math.Floor(row[k]) }) {
			whole++
		}
	}
	for i, row := range rows {
		x.SetRow(i, only(row, columns))
		counts[fmt.Sprint(only(row, columns))]++
	}
	var cov mat.SymDense
	cov.Covariance(x)
	norm = draws.Number(cov.Frobenius())
	var chol mat.Cholesky
	switch {
	case whole == d:
		return norm, draws.Number(entropyOf(counts, len(rows)))
	case whole > 0:
		return norm, draws.Number(math.NaN())
	case chol.Factorize(&cov):
		return norm, draws.Number((float64(float64(d)*libm.Log(2*math.Pi*math.E)) + chol.LogDet()) / 2)
	}
	return norm, draws.Number(math.Inf(-1))
}

// entropyOf is that of n values with these counts.
func entropyOf(counts map[string]int, n int) (sum float64) {
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		p := float64(counts[name]) / float64(n)
		sum -= float64(p * libm.Log(p))
	}
	return sum
}
