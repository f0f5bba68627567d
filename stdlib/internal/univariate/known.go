// This file has the densities of counts that are data: what depends on these alone is computed once.

package univariate

import (
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// known is the density as a function that has been given the data in in[0].
func (v *Variates) known(in []catalogue.Tensor, active []int) (*catalogue.Function, catalogue.Tensor, bool) {
	if len(in[0].Dims) == 0 || len(in[0].X) < 2 {
		return nil, catalogue.Tensor{}, false
	}
	of, ok := v.Dist.Known(in, active)
	if !ok {
		return nil, catalogue.Tensor{}, false
	}
	dist, w := *v.Dist, *v
	dist.Bulk, w.Dist = of, &dist
	return &catalogue.Function{Name: v.Fn, Kernel: w.sumKernel(), Density: v.Dist}, in[0], true
}

func poissonKnown(in []catalogue.Tensor, _ []int) (catalogue.Bulk, bool) {
	return withFactorials(in[0], poissonTerms)
}

func poissonLogKnown(in []catalogue.Tensor, _ []int) (catalogue.Bulk, bool) {
	return withFactorials(in[0], poissonLogTerms)
}

// withFactorials gives terms the log factorials of counts.
func withFactorials(y catalogue.Tensor, terms func(int, []catalogue.Tensor, float64, [][]float64, float64) (float64, bool)) (catalogue.Bulk, bool) {
	if !vec.Within(y.X, 0, ManyCounts) {
		return nil, false
	}
	factorials := LogFactorialSum(len(y.X), y)
	return func(n int, in []catalogue.Tensor, adj float64, din [][]float64) (float64, bool) {
		return terms(n, in, adj, din, factorials)
	}, true
}

func binomialKnown(in []catalogue.Tensor, active []int) (catalogue.Bulk, bool) {
	return withChoices(in, active, binomialTerms)
}

func binomialLogitKnown(in []catalogue.Tensor, active []int) (catalogue.Bulk, bool) {
	return withChoices(in, active, binomialLogitTerms)
}

// withChoices gives terms the log binomial coefficients.
func withChoices(in []catalogue.Tensor, active []int, terms func(int, []catalogue.Tensor, float64, [][]float64, float64) (float64, bool)) (catalogue.Bulk, bool) {
	if slices.Contains(active, 1) {
		return nil, false
	}
	choices, ok := LogChooses(len(in[0].X), ColumnOf(in[0]), ColumnOf(in[1]))
	return func(n int, in []catalogue.Tensor, adj float64, din [][]float64) (float64, bool) {
		return terms(n, in, adj, din, choices)
	}, ok
}

func negBinomial2LogKnown(in []catalogue.Tensor, _ []int) (catalogue.Bulk, bool) {
	y := &Tally{}
	return func(n int, in []catalogue.Tensor, adj float64, din [][]float64) (float64, bool) {
		return negBinomial2LogTerms(n, in, adj, din, y)
	}, y.Count(len(in[0].X), in[0])
}

func negBinomial2Known(in []catalogue.Tensor, _ []int) (catalogue.Bulk, bool) {
	y := &Tally{}
	return func(n int, in []catalogue.Tensor, adj float64, din [][]float64) (float64, bool) {
		return negBinomial2Terms(n, in, adj, din, y)
	}, y.Count(len(in[0].X), in[0])
}

// A Tally says how often each small count occurs.
type Tally struct {
	most, kinds int
	counts      [mostTabled + 1]uint8 // that occur, ascending
	times       [mostTabled + 1]float64
}

// Count counts n variates, which may be one number; false where a table of all counts up to the greatest does not pay.
func (t *Tally) Count(n int, y catalogue.Tensor) bool {
	if !vec.Within(y.X, 0, mostTabled) {
		return false
	}
	for _, k := range y.X {
		t.times[uint8(k)]++
	}
	for k, times := range t.times {
		if times > 0 {
			t.most, t.counts[t.kinds] = k, uint8(k)
			t.kinds++
		}
	}
	if len(y.X) < n {
		t.times[t.most] = float64(n)
	}
	return t.most <= 8*n
}
