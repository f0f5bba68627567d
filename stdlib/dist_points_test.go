// This file lists parameter values at which all univariate distributions are tested.

package stdlib

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/univariate"
)

// distributionPoints returns parameters for each distribution with scalar parameters:
// ordinary ones, and ones that take the other branches of the code.
var distributionPoints = map[string][][]float64{
	"normal":                  {{0.3, 1.7}, {-5, 0.2}},
	"std_normal":              {{}},
	"lognormal":               {{0.2, 0.6}, {-1, 2}},
	"cauchy":                  {{0.5, 2}},
	"double_exponential":      {{-0.4, 1.3}},
	"logistic":                {{0.7, 0.4}},
	"student_t":               {{3.5, 0.2, 1.1}, {0.4, 0, 1}, {75, 1, 2}, {25000, -1, 0.5}},
	"gamma":                   {{2.5, 1.3}, {0.3, 2}, {45, 3}, {5000, 0.1}},
	"inv_gamma":               {{2.5, 1.3}, {0.6, 2}, {45, 3}},
	"chi_square":              {{3.3}, {0.7}, {80}},
	"inv_chi_square":          {{3.3}, {80}},
	"scaled_inv_chi_square":   {{4.1, 1.7}, {90, 0.2}},
	"exponential":             {{0.8}},
	"weibull":                 {{1.6, 2.2}, {0.7, 1}},
	"frechet":                 {{2.3, 1.4}},
	"rayleigh":                {{1.9}},
	"loglogistic":             {{1.2, 2.7}},
	"beta":                    {{400, 300}, {2.2, 3.1}, {0.4, 0.7}, {30, 50}, {200, 0.5}, {3, 4000}},
	"beta_proportion":         {{0.3, 5}, {0.6, 200}},
	"uniform":                 {{-1.5, 2.5}},
	"gumbel":                  {{0.4, 1.8}},
	"skew_double_exponential": {{0.3, 1.2, 0.7}},
	"exp_mod_normal":          {{0.3, 1.1, 0.8}, {0, 0.2, 15}, {1, 2, 0.01}},
	"skew_normal":             {{0.2, 1.4, 2.5}, {0, 1, -8}, {0, 1, 0.3}},
	"pareto":                  {{1.3, 2.4}},
	"pareto_type_2":           {{0.3, 1.3, 2.4}},
	"von_mises":               {{0.5, 1.4}, {-2, 40}, {3, 0.01}, {0, 2000}},
	"bernoulli":               {{0.3}},
	"bernoulli_logit":         {{-0.8}},
	"binomial":                {{3000, 0.2}, {12, 0.3}, {400, 0.7}, {40, 0.02}},
	"binomial_logit":          {{3000, 0.7}, {12, -0.6}, {700, 0.4}},
	"beta_binomial":           {{15, 2.1, 1.3}, {40, 0.4, 0.6}, {30, 80, 50}, {700, 300, 40}},
	"hypergeometric":          {{8, 12, 20}, {300, 400, 900}},
	"discrete_range":          {{-3, 6}},
	"poisson":                 {{2.7}, {45}, {2000}},
	"poisson_log":             {{0.7}, {4.5}},
	"neg_binomial":            {{2.3, 0.6}, {40, 3}},
	"neg_binomial_2":          {{4.2, 1.7}, {60, 30}, {3, 1e4}, {700, 12}},
	"neg_binomial_2_log":      {{1.1, 2.3}, {4, 50}},
	"beta_neg_binomial":       {{3.1, 4.2, 2.5}, {20, 15, 8}},
	"yule_simon":              {{2.4}, {6}},
}

// scalarDistributions are the rows that the table of points must cover.
func scalarDistributions() []*catalogue.Distribution {
	var rows []*catalogue.Distribution
	for _, d := range univariate.Distributions() {
		if d.Rows == nil {
			rows = append(rows, d)
		}
	}
	return rows
}

func TestEveryDistributionHasPoints(t *testing.T) {
	for _, d := range scalarDistributions() {
		if len(distributionPoints[d.Name]) == 0 {
			t.Errorf("no parameters to test %s with", d.Name)
		}
		if len(d.Requires) != len(catalogue.ParseArgs(d.Args)) {
			t.Errorf("%s: %d requirements for arguments %q", d.Name, len(d.Requires), d.Args)
		}
		if d.Doc == "" || d.Section == "" {
			t.Errorf("%s: no documentation", d.Name)
		}
	}
}

// eachPoint calls f with every distribution and its parameters.
func eachPoint(t *testing.T, f func(t *testing.T, d *catalogue.Distribution, params []float64)) {
	for _, d := range scalarDistributions() {
		t.Run(d.Name, func(t *testing.T) {
			for _, p := range distributionPoints[d.Name] {
				f(t, d, p)
			}
		})
	}
}

// scalars makes scalar arguments.
func scalars(x ...float64) []catalogue.Tensor {
	in := make([]catalogue.Tensor, len(x))
	for i := range x {
		in[i] = catalogue.Tensor{X: x[i : i+1]}
	}
	return in
}

// callScalar evaluates a function of distributions at scalars.
func callScalar(t *testing.T, name string, x ...float64) float64 {
	t.Helper()
	k := densityRow(name).Kernel
	in := scalars(x...)
	var out [1]float64
	if err := k.Value(in, out[:], make([]float64, k.Work(in))); err != nil {
		t.Fatal(err)
	}
	return out[0]
}

// testRand is the random stream of a test.
func testRand(seed byte) *rand.Rand { return rand.New(rand.NewChaCha8([32]byte{seed})) }

// close1 compares with a relative tolerance.
func close1(got, want, rel float64) bool {
	return got == want || math.Abs(got-want) <= rel*math.Max(math.Abs(want), math.Abs(got))
}
