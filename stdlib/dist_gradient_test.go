// This file holds the functions of distributions to each other: gradients against
// finite differences, cdf against density, tight loops against single variates.

package stdlib

import (
	"math"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/univariate"
)

// A namedFunction is a function of one variate, with its suffix.
type namedFunction struct {
	suffix string
	f      func(x, dx []float64) float64
}

// functionsOf are the functions of one variate of a row.
func functionsOf(d *catalogue.Distribution) []namedFunction {
	var fs []namedFunction
	for _, f := range []namedFunction{{univariate.DensitySuffix(d), d.Log}, {"_cdf", d.CDF}, {"_lcdf", d.LogCDF}, {"_lccdf", d.LogCCDF}} {
		if f.f != nil {
			fs = append(fs, f)
		}
	}
	return fs
}

// difference is a fourth-order central difference of f in argument j.
func difference(f func(x, d []float64) float64, x []float64, j int) float64 {
	h := 1e-3 * math.Max(math.Abs(x[j]), 1e-2)
	at := func(k float64) float64 {
		y := append([]float64(nil), x...)
		y[j] += k * h
		return f(y, nil)
	}
	return (8*(at(1)-at(-1)) - (at(2) - at(-2))) / (12 * h)
}

func TestDistributionGradients(t *testing.T) {
	r := testRand(2)
	eachPoint(t, func(t *testing.T, d *catalogue.Distribution, params []float64) {
		args := catalogue.ParseArgs(d.Args)
		for range 5 {
			x := append([]float64{d.Draw(r, params)}, params...)
			for _, nf := range functionsOf(d) {
				suffix, f := nf.suffix, nf.f
				dx := make([]float64, len(x))
				v := f(x, dx)
				if w := f(x, nil); w != v {
					t.Errorf("%s%s(%v): %v with and %v without derivatives", d.Name, suffix, x, v, w)
				}
				for j, a := range args {
					if a.Type == "ints" || math.IsInf(v, -1) || atKink(d, x, j) {
						continue
					}
					want := difference(f, x, j)
					if math.IsNaN(want) || math.IsInf(want, 0) {
						continue // the difference left the support
					}
					// The difference itself is wrong by rounding over the step.
					slack := 1e-11 * (1 + math.Abs(v)) / math.Max(math.Abs(x[j]), 1e-2) / 1e-3
					if !close1(dx[j], want, 2e-5) && math.Abs(dx[j]-want) > slack {
						t.Errorf("%s%s(%v): derivative in %s is %v, differences give %v", d.Name, suffix, x, a.Name, dx[j], want)
					}
				}
			}
		}
	})
}

// atKink reports whether a finite difference at x would step over an end of the support
// or a corner of the density.
func atKink(d *catalogue.Distribution, x []float64, j int) bool {
	step := 2.5e-3 * math.Max(math.Abs(x[j]), 1e-2)
	near := func(a, b float64) bool { return math.Abs(a-b) < 4*step }
	switch d.Name {
	case "uniform":
		return near(x[0], x[1]) || near(x[0], x[2])
	case "double_exponential", "skew_double_exponential", "pareto", "pareto_type_2":
		return near(x[0], x[1])
	case "beta", "beta_proportion":
		return j == 0 && (near(x[0], 0) || near(x[0], 1)) || x[0] == 0 || x[0] == 1
	case "von_mises":
		return near(math.Abs(x[0]), math.Pi) || j == 1
	}
	return false
}

// TestCumulativeAgainstDensity: the cdf functions agree with each other, the slope of
// a continuous cdf is the density, the step of a discrete one the mass.
func TestCumulativeAgainstDensity(t *testing.T) {
	r := testRand(3)
	eachPoint(t, func(t *testing.T, d *catalogue.Distribution, params []float64) {
		if d.LogCDF == nil {
			return
		}
		for range 8 {
			x := append([]float64{d.Draw(r, params)}, params...)
			lo, up := d.LogCDF(x, nil), d.LogCCDF(x, nil)
			if s := math.Exp(lo) + math.Exp(up); math.Abs(s-1) > 1e-12 {
				t.Errorf("%s(%v): the tails sum to %v", d.Name, x, s)
			}
			p := math.Exp(lo)
			if d.CDF != nil && !close1(d.CDF(x, nil), p, 1e-11) {
				t.Errorf("%s(%v): cdf %v, exp(lcdf) %v", d.Name, x, d.CDF(x, nil), p)
			}
			density := math.Exp(d.Log(x, nil))
			dx := make([]float64, len(x))
			slope := d.LogCDF(x, dx)
			slope = dx[0] * math.Exp(slope)
			if d.Discrete {
				before := append([]float64{x[0] - 1}, params...)
				slope = p - math.Exp(d.LogCDF(before, nil))
			}
			if math.Abs(slope-density) > 1e-9*density+1e-12 && !math.IsInf(density, 1) {
				t.Errorf("%s(%v): cdf steps by %v, density %v", d.Name, x, slope, density)
			}
		}
	})
}

// TestVectorisedAgainstSingle: every function on containers, with every choice of
// scalar and vector arguments, is the sum (product) over elements.
func TestVectorisedAgainstSingle(t *testing.T) {
	r := testRand(4)
	eachPoint(t, func(t *testing.T, d *catalogue.Distribution, params []float64) {
		for _, nf := range functionsOf(d) {
			row := densityRow(d.Name + nf.suffix)
			for shape := range 1 << (len(params) + 1) {
				checkVectorised(t, row, nf.f, shape, func() []float64 {
					return append([]float64{d.Draw(r, params)}, params...)
				})
			}
		}
	})
}

// checkVectorised makes bit j of shape report whether argument j is a vector.
func checkVectorised(t *testing.T, row *catalogue.Function, f func(x, d []float64) float64, shape int, point func() []float64) {
	const n = 3
	xs := make([][]float64, n)
	for i := range xs {
		xs[i] = point()
	}
	in, din := shaped(xs, shape)
	if shape == 0 {
		xs = xs[:1]
	}
	total, want := combined(row.Name, f, xs, shape)
	k := row.Kernel
	got, err := k.ValueGrad(in, din, make([]float64, k.Work(in)))
	if err != nil {
		t.Fatal(err)
	}
	if !close1(got, total, 1e-11) && math.Abs(got-total) > 1e-12 {
		t.Errorf("%s shape %b: %v, elements give %v", row.Name, shape, got, total)
	}
	for j := range din {
		for i := range din[j] {
			if g, w := din[j][i], want[j][i]; !close1(g, w, 1e-9) && math.Abs(g-w) > 1e-12 {
				t.Errorf("%s shape %b: derivative %d[%d] is %v, elements give %v", row.Name, shape, j, i, g, w)
			}
		}
	}
}

// shaped makes arguments of points; those that are scalars are made the same in all.
func shaped(xs [][]float64, shape int) (in []catalogue.Tensor, din [][]float64) {
	for j := range xs[0] {
		a := catalogue.Tensor{X: xs[0][j : j+1]}
		if shape>>j&1 != 0 {
			a = catalogue.Tensor{Dims: []int{len(xs)}, X: make([]float64, len(xs))}
		}
		for i := range xs {
			if len(a.Dims) > 0 {
				a.X[i] = xs[i][j]
			} else {
				xs[i][j] = xs[0][j]
			}
		}
		in, din = append(in, a), append(din, make([]float64, len(a.X)))
	}
	return in, din
}

// combined is the sum of f over the points, or the product for a _cdf, with the
// gradient in arguments of the given shape.
func combined(name string, f func(x, d []float64) float64, xs [][]float64, shape int) (total float64, grad [][]float64) {
	product := strings.HasSuffix(name, "_cdf")
	m := len(xs[0])
	grad = make([][]float64, m)
	for j := range grad {
		grad[j] = make([]float64, len(xs))
	}
	if product {
		total = 1
	}
	for i, x := range xs {
		d := make([]float64, m)
		v, weight := f(x, d), 1.0
		if product {
			total *= v
			for k := range xs {
				if k != i {
					weight *= f(xs[k], nil)
				}
			}
		} else {
			total += v
		}
		for j := range d {
			grad[j][i*(shape>>j&1)] += weight * d[j]
		}
	}
	return total, grad
}

// TestNegBinomialSlopeAtHugeMeans is about means that no number can hold: the derivative in
// phi is that of phi*log(phi) - phi*eta + log(Gamma(n+phi)/Gamma(phi)), here with n = 2.
func TestNegBinomialSlopeAtHugeMeans(t *testing.T) {
	k := densityRow("neg_binomial_2_log_lpmf").Kernel
	for _, phi := range []float64{0.3, 3, 400} {
		in, din := scalars(2, 1500, phi), [][]float64{nil, {0}, {0}}
		if _, err := k.ValueGrad(in, din, make([]float64, k.Work(in))); err != nil {
			t.Fatal(err)
		}
		want := math.Log(phi) + 1 - 1500 + 1/phi + 1/(phi+1)
		if got := din[2][0]; math.Abs(got-want) > 1e-12*math.Abs(want) || din[1][0] != -phi {
			t.Errorf("phi %v: derivatives %v, %v; want %v, %v", phi, din[1][0], got, -phi, want)
		}
	}
}
