// This file tests arguments at and beyond the edges of the support, and messages.

package stdlib

import (
	"math"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

var inf = math.Inf(1)

// TestSupportEdges: outside the support the density is 0 (or the call is an error,
// as Stan has it), at its ends what the formula says.
func TestSupportEdges(t *testing.T) {
	for _, c := range []struct {
		fn   string
		x    []float64
		want float64
	}{
		{"gamma_lpdf", []float64{0, 1, 3}, math.Log(3)},
		{"gamma_lpdf", []float64{0, 2, 3}, -inf},
		{"gamma_lpdf", []float64{0, 0.5, 3}, inf},
		{"gamma_lpdf", []float64{inf, 2, 3}, -inf},
		{"inv_gamma_lpdf", []float64{0, 2, 3}, -inf},
		{"inv_gamma_lpdf", []float64{-1, 2, 3}, -inf},
		{"exponential_lpdf", []float64{0, 3}, math.Log(3)},
		{"weibull_lpdf", []float64{0, 1, 2}, -math.Ln2},
		{"weibull_lpdf", []float64{-0.1, 1, 2}, -inf},
		{"beta_lpdf", []float64{0, 1, 3}, math.Log(3)},
		{"beta_lpdf", []float64{1, 3, 1}, math.Log(3)},
		{"beta_lpdf", []float64{1, 3, 2}, -inf},
		{"uniform_lpdf", []float64{2, 2, 4}, -math.Ln2},
		{"uniform_lpdf", []float64{4.0001, 2, 4}, -inf},
		{"pareto_lpdf", []float64{2, 2, 1}, -math.Ln2},
		{"pareto_lpdf", []float64{1.9, 2, 1}, -inf},
		{"lognormal_lpdf", []float64{0, 0, 1}, -inf},
		{"normal_lpdf", []float64{inf, 0, 1}, -inf},
		{"cauchy_lpdf", []float64{1e200, 0, 1}, -math.Log(math.Pi) - 400*math.Ln10},
		{"student_t_lpdf", []float64{1e200, 1, 0, 1}, -math.Log(math.Pi) - 400*math.Ln10},
		{"poisson_lpmf", []float64{0, 0}, 0},
		{"poisson_lpmf", []float64{3, 0}, -inf},
		{"poisson_log_lpmf", []float64{0, -inf}, 0},
		{"bernoulli_lpmf", []float64{0, 0}, 0},
		{"bernoulli_lpmf", []float64{1, 0}, -inf},
		{"binomial_lpmf", []float64{0, 0, 0.3}, 0},
		{"binomial_lpmf", []float64{5, 5, 1}, 0},
		{"binomial_lpmf", []float64{4, 5, 1}, -inf},
		{"binomial_lpmf", []float64{0, 5, 0}, 0},
		{"neg_binomial_2_lpmf", []float64{0, 2, 3}, -3 * math.Log(5.0/3)},
		{"normal_cdf", []float64{-inf, 0, 1}, 0},
		{"normal_lcdf", []float64{-40, 0, 1}, -804.608442013754},
		{"normal_lccdf", []float64{inf, 0, 1}, -inf},
		{"gamma_cdf", []float64{0, 2, 3}, 0},
		{"gamma_lccdf", []float64{inf, 2, 3}, -inf},
		{"exponential_cdf", []float64{inf, 3}, 1},
		{"binomial_lcdf", []float64{5, 5, 0.2}, 0},
		{"binomial_cdf", []float64{2, 5, 0}, 1},
		{"binomial_cdf", []float64{2, 5, 1}, 0},
		{"poisson_cdf", []float64{-1, 2}, 0},
		{"poisson_lccdf", []float64{2, 0}, -inf},
		{"von_mises_lcdf", []float64{-math.Pi, 0, 1}, -inf},
		{"discrete_range_lpmf", []float64{3, 3, 3}, 0},
	} {
		got := callScalar(t, c.fn, c.x...)
		if !close1(got, c.want, 1e-12) && math.Abs(got-c.want) > 1e-13 {
			t.Errorf("%s(%v) is %v, want %v", c.fn, c.x, got, c.want)
		}
	}
}

func TestDensityErrors(t *testing.T) {
	vector := func(x ...float64) catalogue.Tensor { return catalogue.Tensor{Dims: []int{len(x)}, X: x} }
	for _, c := range []struct {
		fn   string
		in   []catalogue.Tensor
		want string
	}{
		{"normal_lpdf", scalars(0, 0, -1), "normal_lpdf: sigma is -1, but must be positive and finite"},
		{"normal_lpdf", []catalogue.Tensor{vector(1, math.NaN()), scalars(0)[0], scalars(1)[0]}, "normal_lpdf: y[2] is nan, but must be a number"},
		{"gamma_lpdf", []catalogue.Tensor{vector(1, 2, -3), scalars(1)[0], scalars(1)[0]}, "gamma_lpdf: y[3] is -3, but must be at least 0"},
		{"beta_lpdf", scalars(1.5, 1, 1), "beta_lpdf: theta is 1.5, but must be in the interval [0, 1]"},
		{"binomial_lpmf", []catalogue.Tensor{vector(2, 7), scalars(5)[0], scalars(0.5)[0]}, "binomial_lpmf: n[2] is 7, but must be in the interval [0, 5]"},
		{"uniform_lpdf", scalars(0, 2, 2), "uniform_lpdf: beta is 2, but must be greater than alpha, which is 2"},
		{"categorical_lpmf", []catalogue.Tensor{scalars(4)[0], vector(0.5, 0.25, 0.25)}, "categorical_lpmf: y is 4, but must be in the interval [1, 3]"},
		{"categorical_lpmf", []catalogue.Tensor{scalars(1)[0], vector(0.5, 0.25)}, "categorical_lpmf: theta has sum 0.75, but must be a simplex (sum 1)"},
		{"ordered_logistic_lpmf", []catalogue.Tensor{scalars(1)[0], scalars(0)[0], vector(1, 1)}, "ordered_logistic_lpmf: c[2] is 1, but must be greater than the cut point before it, which is 1"},
		{"von_mises_cdf", scalars(4, 0, 1), "von_mises_cdf: y is 4, but must be in the interval [-pi, pi]"},
	} {
		k := densityRow(c.fn).Kernel
		work := 0
		if k.Work != nil {
			work = k.Work(c.in)
		}
		_, err := k.ValueGrad(c.in, make([][]float64, len(c.in)), make([]float64, work))
		if err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

func TestSizes(t *testing.T) {
	k := densityRow("normal_lpdf").Kernel
	vector := func(n int) catalogue.Tensor { return catalogue.Tensor{Dims: []int{n}, X: make([]float64, n)} }
	one := catalogue.Tensor{X: []float64{1}}
	_, err := k.Dims([]catalogue.Tensor{vector(3), vector(2), one})
	if err == nil || !strings.Contains(err.Error(), "y has 3 elements and mu has 2") {
		t.Errorf("sizes 3 and 2: %v", err)
	}
	for name, want := range map[string]float64{"normal_lpdf": 0, "normal_cdf": 1} {
		k := densityRow(name).Kernel
		in := []catalogue.Tensor{vector(0), one, one}
		din := [][]float64{{}, {0}, {0}}
		v, err := k.ValueGrad(in, din, make([]float64, k.Work(in)))
		if v != want || err != nil || din[1][0] != 0 || din[2][0] != 0 {
			t.Errorf("%s of nothing is %v, %v, gradient %v", name, v, err, din)
		}
	}
}
