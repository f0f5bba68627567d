package infertest_test

// This file has the rows of generalised variational inference. With its own
// defaults it is ordinary variational inference; another divergence changes what
// is approximated, so there it is judged where that is known.

import (
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/divergence"
	"github.com/seed-12b88e03/ppl/infer/gvi"
)

func newGVI(family string) func(t testing.TB) infer.Method {
	return func(t testing.TB) infer.Method {
		o := gvi.DefaultOptions()
		o.Family, o.Draws = family, 2000
		m, err := gvi.New(o)
		return build(t, m, err)
	}
}

func newFVI(family string, order float64) func(t testing.TB) infer.Method {
	return func(t testing.TB) infer.Method {
		o := gvi.DefaultComparatorOptions()
		o.Family, o.Draws, o.Divergence, o.Order = family, 2000, divergence.Renyi, order
		m, err := gvi.NewComparator(o)
		return build(t, m, err)
	}
}

func newScore(t testing.TB) infer.Method {
	o := gvi.DefaultOptions()
	o.Estimator, o.Draws, o.Iterations = gvi.VRBBVI, 2000, 2500
	m, err := gvi.New(o)
	return build(t, m, err)
}

// What the normals of each family are off by is as for advi; those of fvi are wider.
func generalisedRows() []row {
	return []row{
		{name: "gvi", method: newGVI(gvi.MeanField), kind: approximation, off: map[string][2]float64{
			"regression": {0.2, 0.6}, "bounded": {0.2, 0.2}, "simplex": {0.3, 0.3}, "ordered": {0.5, 0.5}, "funnel": {0.5, 0.6}}},
		{name: "gvi", variant: "full rank", method: newGVI(gvi.FullRank), kind: approximation, off: map[string][2]float64{
			"regression": {0.15, 0.15}, "bounded": {0.2, 0.2}, "simplex": {0.3, 0.3}, "ordered": {0.5, 0.5}, "funnel": {0.5, 0.6}}},
		{name: "gvi", variant: "low rank", method: newGVI(gvi.LowRank), kind: approximation, off: map[string][2]float64{
			"regression": {0.15, 0.3}, "bounded": {0.2, 0.2}, "simplex": {0.3, 0.3}, "ordered": {0.5, 0.5}, "funnel": {0.5, 0.6}}},
		{name: "gvi", variant: "mixture", method: newGVI(gvi.Mixture), kind: approximation, off: map[string][2]float64{
			"regression": {0.2, 0.6}, "bounded": {0.2, 0.2}, "simplex": {0.3, 0.3}, "ordered": {0.5, 0.5}, "funnel": {0.5, 0.6}}},
		{name: "gvi", variant: "score", method: newScore, kind: approximation, off: map[string][2]float64{
			"regression": {0.2, 0.6}, "bounded": {0.2, 0.2}, "simplex": {0.3, 0.3}, "ordered": {0.5, 0.5}, "funnel": {0.5, 0.6}}},
		{name: "fvi", method: newFVI(gvi.MeanField, 0.5), kind: approximation, off: map[string][2]float64{
			"regression": {0.2, 0.6}, "bounded": {0.2, 0.2}, "simplex": {0.3, 0.3}, "ordered": {0.5, 0.8}, "funnel": {0.5, 0.6}}},
		{name: "fvi", variant: "full rank", method: newFVI(gvi.FullRank, 0.5), kind: approximation, off: map[string][2]float64{
			"regression": {0.15, 0.15}, "bounded": {0.2, 0.2}, "simplex": {0.3, 0.3}, "ordered": {0.5, 0.8}, "funnel": {0.5, 0.6}}},
	}
}
