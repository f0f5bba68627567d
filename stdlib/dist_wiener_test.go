// This file tests the distributions that the table of points does not cover: the
// Wiener passage times and the ones with vector parameters.

package stdlib

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/univariate"
)

// gradientAgainstDifferences checks ValueGrad of a row in every real argument.
func gradientAgainstDifferences(t *testing.T, row *catalogue.Function, in []catalogue.Tensor, real []bool, rel float64) {
	t.Helper()
	k := row.Kernel
	var work []float64
	if k.Work != nil {
		work = make([]float64, k.Work(in))
	}
	din := make([][]float64, len(in))
	for j := range in {
		if real[j] {
			din[j] = make([]float64, len(in[j].X))
		}
	}
	value, err := k.ValueGrad(in, din, work)
	if err != nil {
		t.Fatal(err)
	}
	for j := range in {
		for i := range din[j] {
			f := func(x, _ []float64) float64 {
				moved := append([]catalogue.Tensor(nil), in...)
				moved[j].X = append([]float64(nil), in[j].X...)
				moved[j].X[i] = x[0]
				var out [1]float64
				if err := k.Value(moved, out[:], work); err != nil {
					return math.NaN()
				}
				return out[0]
			}
			want := difference(f, []float64{in[j].X[i]}, 0)
			if g := din[j][i]; !close1(g, want, rel) && math.Abs(g-want) > 1e-8*(1+math.Abs(value)) {
				t.Errorf("%s(%v): derivative %d[%d] is %v, differences give %v", row.Name, in, j, i, g, want)
			}
		}
	}
}

// wienerRow finds the row of wiener_lpdf with so many arguments.
func wienerRow(arguments int) *catalogue.Function {
	for _, d := range univariate.Distributions() {
		if d.Name != "wiener" {
			continue
		}
		for _, f := range univariate.DensityFunctions(d) {
			if f.Name == "wiener_lpdf" && f.Density != nil && len(catalogue.ParseArgs(f.Density.Args)) == arguments {
				return f
			}
		}
	}
	return nil
}

var wienerPoints = [][]float64{
	{0.9, 1.2, 0.2, 0.4, 0.7}, {2.5, 1.1, 0.3, 0.8, -1.2}, {0.31, 2, 0.25, 0.3, 2}, {4, 0.8, 0.1, 0.05, 0.3},
}

func TestWienerGradients(t *testing.T) {
	all := []bool{true, true, true, true, true, true, true, true}
	for _, p := range wienerPoints {
		gradientAgainstDifferences(t, wienerRow(5), scalars(p...), all, 1e-6)
		gradientAgainstDifferences(t, wienerRow(6), scalars(append(p[:5:5], 0.6)...), all, 1e-6)
		// The last range reaches beyond y at some of the points.
		gradientAgainstDifferences(t, wienerRow(8), scalars(append(p[:5:5], 0.6, 0.08, 0.15)...), all, 1e-6)
		for _, name := range []string{"wiener_lcdf_unnorm", "wiener_lccdf_unnorm"} {
			gradientAgainstDifferences(t, densityRow(name), scalars(p...), all, 1e-6)
		}
	}
}

// TestWienerLimits: no variability is the plain density, and the two cumulative
// functions add up to the chance of meeting the upper boundary first,
// (1 - exp(-2 v a w)) / (1 - exp(-2 v a)).
func TestWienerLimits(t *testing.T) {
	value := func(row *catalogue.Function, x ...float64) float64 {
		var out [1]float64
		in := scalars(x...)
		if err := row.Kernel.Value(in, out[:], make([]float64, row.Kernel.Work(in))); err != nil {
			t.Fatal(err)
		}
		return out[0]
	}
	for _, p := range wienerPoints {
		plain := value(wienerRow(5), p...)
		for n, x := range map[int][]float64{6: append(p[:5:5], 0), 8: append(p[:5:5], 0, 0, 0)} {
			if v := value(wienerRow(n), x...); !close1(v, plain, 1e-12) {
				t.Errorf("wiener_lpdf of %d arguments at %v is %v, want %v", n, x, v, plain)
			}
		}
		wide := value(wienerRow(8), append(p[:5:5], 0, 1e-4, 1e-4)...)
		if !close1(wide, plain, 1e-2) {
			t.Errorf("wiener_lpdf with little variability at %v is %v, want about %v", p, wide, plain)
		}
		a, w, v := p[1], p[3], p[4]
		meets := math.Expm1(-2*v*a*w) / math.Expm1(-2*v*a)
		sum := math.Exp(value(densityRow("wiener_lcdf_unnorm"), p...)) + math.Exp(value(densityRow("wiener_lccdf_unnorm"), p...))
		if !close1(sum, meets, 1e-10) {
			t.Errorf("wiener at %v: both sides of y add up to %v, want %v", p, sum, meets)
		}
	}
}

func TestVectorParameterGradients(t *testing.T) {
	vector := func(x ...float64) catalogue.Tensor { return catalogue.Tensor{Dims: []int{len(x)}, X: x} }
	array := catalogue.Tensor{Dims: []int{2, 3}, X: []float64{-1, 0.3, 1.1, -2, -0.5, 0.7}, Rank: catalogue.Rank{Array: 1}}
	y := vector(1, 3, 2, 3)
	gradientAgainstDifferences(t, densityRow("categorical_logit_lpmf"), []catalogue.Tensor{y, vector(0.1, -2, 1.4)}, []bool{false, true}, 1e-7)
	for _, name := range []string{"ordered_logistic_lpmf", "ordered_probit_lpmf"} {
		row, real := densityRow(name), []bool{false, true, true}
		gradientAgainstDifferences(t, row, []catalogue.Tensor{y, scalars(0.3)[0], vector(-1, 1.2)}, real, 1e-7)
		gradientAgainstDifferences(t, row, []catalogue.Tensor{y, vector(0.3, -1, 4, -5), vector(-1, 1.2)}, real, 1e-7)
		gradientAgainstDifferences(t, row, []catalogue.Tensor{vector(4, 2), vector(0.3, -1), array}, real, 1e-7)
		gradientAgainstDifferences(t, row, []catalogue.Tensor{scalars(1)[0], scalars(0.3)[0], array}, real, 1e-7)
	}
}
