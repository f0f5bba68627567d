package infertest_test

// This file has the rows of the methods that approximate.

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/cavi"
	"github.com/seed-12b88e03/ppl/infer/laplace"
	"github.com/seed-12b88e03/ppl/infer/optimize"
	"github.com/seed-12b88e03/ppl/infer/pathfinder"
	"github.com/seed-12b88e03/ppl/infer/vi"
)

func newADVI(family string) func(t testing.TB) infer.Method {
	return func(t testing.TB) infer.Method {
		o := vi.DefaultOptions()
		o.Family, o.Draws = family, 2000
		m, err := vi.New(o)
		return build(t, m, err)
	}
}

func newLaplace(t testing.TB) infer.Method {
	o := laplace.DefaultOptions()
	o.Draws = 2000
	m, err := laplace.New(o)
	return build(t, m, err)
}

func newPathfinder(t testing.TB) infer.Method {
	m, err := pathfinder.New(pathfinder.DefaultOptions())
	return build(t, m, err)
}

func newMAP(t testing.TB) infer.Method {
	o := optimize.DefaultOptions()
	o.Jacobian = true
	m, err := optimize.New(o)
	return build(t, m, err)
}

func newCAVI(nonconjugate string) func(t testing.TB) infer.Method {
	return func(t testing.TB) infer.Method {
		o := cavi.DefaultOptions()
		o.Nonconjugate, o.Draws = nonconjugate, 2000
		m, err := cavi.New(o)
		return build(t, m, err)
	}
}

// What the approximations may be off by is what normals of their kind are off
// by, rounded up: 2000 draws add up to 0.1.
func approximationRows() []row {
	none := math.Inf(1)
	return []row{
		{name: "laplace", method: newLaplace, kind: approximation, off: map[string][2]float64{
			"regression": {0.1, 0.1}, "bounded": {0.2, 0.2}, "simplex": {0.3, 0.3}}},
		{name: "pathfinder", method: newPathfinder, kind: approximation, off: map[string][2]float64{
			"regression": {0.2, 0.3}, "bounded": {0.2, 0.2}, "simplex": {0.3, 0.3}}},
		{name: "advi", method: newADVI(vi.MeanField), kind: approximation, off: map[string][2]float64{
			"regression": {0.2, 0.6}, "bounded": {0.2, 0.2}, "simplex": {0.3, 0.3}, "ordered": {0.5, 0.5}, "funnel": {0.5, 0.6}}},
		{name: "advi", variant: "full rank", method: newADVI(vi.FullRank), kind: approximation, off: map[string][2]float64{
			"regression": {0.15, 0.15}, "bounded": {0.2, 0.2}, "simplex": {0.3, 0.3}, "ordered": {0.5, 0.5}, "funnel": {0.5, 0.6}}},
		{name: "advi", variant: "low rank", method: newADVI(vi.LowRank), kind: approximation, off: map[string][2]float64{
			"regression": {0.15, 0.3}, "bounded": {0.2, 0.2}, "simplex": {0.3, 0.3}, "ordered": {0.5, 0.5}, "funnel": {0.5, 0.6}}},
		// One number is exact; with several the variances are those of the full conditionals.
		{name: "cavi", method: newCAVI(cavi.Quadrature), kind: approximation, off: map[string][2]float64{
			"regression": {0.1, 0.6}, "bounded": {0.1, 0.1}, "funnel": {0.2, 0.3}}},
		{name: "cavi", variant: "laplace", method: newCAVI(cavi.Laplace), kind: approximation, off: map[string][2]float64{
			"regression": {0.1, 0.6}, "bounded": {0.2, 0.2}, "funnel": {0.2, 0.3}}},
		{name: "map", method: newMAP, kind: approximation, off: map[string][2]float64{
			"regression": {0.01, none}, "bounded": {0.2, none}}},
	}
}
