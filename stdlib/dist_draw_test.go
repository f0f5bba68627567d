// This file holds random number generators to their own distributions.

package stdlib

import (
	"math"
	"math/rand/v2"
	"sort"
	"testing"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

// falseAlarm is the chance that one goodness-of-fit test fails by bad luck; with
// about a hundred of them (and fixed seeds) all pass with chance 0.9999.
const falseAlarm = 1e-6

// kolmogorov is the chance of a Kolmogorov-Smirnov distance above d for n draws.
func kolmogorov(d float64, n int) float64 {
	x := d * (math.Sqrt(float64(n)) + 0.12 + 0.11/math.Sqrt(float64(n)))
	return math.Min(1, 2*math.Exp(-2*x*x))
}

func TestDrawsFitDistribution(t *testing.T) {
	r := testRand(5)
	eachPoint(t, func(t *testing.T, d *catalogue.Distribution, params []float64) {
		const n = 4000
		draws := make([]float64, n)
		for i := range draws {
			draws[i] = d.Draw(r, params)
		}
		sort.Float64s(draws)
		if d.Discrete {
			mass := func(k float64) float64 { return math.Exp(d.Log(append([]float64{k}, params...), nil)) }
			fitCounts(t, d.Name, draws, mass)
			return
		}
		distance := 0.0
		for i, y := range draws {
			p := math.Exp(logCDF(d)(append([]float64{y}, params...), nil))
			distance = math.Max(distance, math.Max(p-float64(i)/n, float64(i+1)/n-p))
		}
		if p := kolmogorov(distance, n); p < falseAlarm {
			t.Errorf("%s(%v): Kolmogorov-Smirnov distance %v has chance %v", d.Name, params, distance, p)
		}
	})
}

// logCDF is the log cdf, from the plain one where only that is there.
func logCDF(d *catalogue.Distribution) func(x, dx []float64) float64 {
	if d.LogCDF != nil {
		return d.LogCDF
	}
	return func(x, dx []float64) float64 { return math.Log(d.CDF(x, dx)) }
}

// fitCounts is the chi-square test of sorted counts against a mass function; cells
// of fewer than 8 expected draws are joined with their neighbours.
func fitCounts(t *testing.T, name string, draws []float64, mass func(k float64) float64) {
	n := float64(len(draws))
	statistic, cells := 0.0, 0.0
	expected, seen, below := 0.0, 0.0, 0.0
	i := 0
	for k := draws[0]; k <= draws[len(draws)-1]; k++ {
		m := n * mass(k)
		expected += m
		below += m
		for i < len(draws) && draws[i] == k {
			seen++
			i++
		}
		if expected >= 8 && n-below >= 8 {
			statistic += (seen - expected) * (seen - expected) / expected
			cells++
			expected, seen = 0, 0
		}
	}
	// All that is left, and what was never drawn, is the last cell.
	expected += n - below
	if expected > 0 {
		statistic += (seen - expected) * (seen - expected) / expected
	}
	if cells == 0 {
		return
	}
	if p := special.IncGamma(0.5*cells, 0.5*statistic).Q; p < falseAlarm {
		t.Errorf("%s: chi-square %v for %v degrees of freedom has chance %v", name, statistic, cells, p)
	}
}

func TestVectorParameterDrawsFit(t *testing.T) {
	r := testRand(6)
	vector := func(x ...float64) catalogue.Tensor { return catalogue.Tensor{Dims: []int{len(x)}, X: x} }
	for _, c := range []struct {
		name string
		in   []catalogue.Tensor
	}{
		{"categorical", []catalogue.Tensor{vector(0.2, 0, 0.5, 0.3)}},
		{"categorical_logit", []catalogue.Tensor{vector(-1, 0.3, 0.9)}},
		{"ordered_logistic", []catalogue.Tensor{{X: []float64{0.4}}, vector(-1, 0.2, 1.5)}},
		{"ordered_probit", []catalogue.Tensor{{X: []float64{0.4}}, vector(-1, 0.2, 1.5)}},
	} {
		draw, density := densityRow(c.name+"_rng").Draw, densityRow(c.name+"_lpmf").Kernel
		draws := make([]float64, 4000)
		for i := range draws {
			if err := draw.Draw(r, c.in, draws[i:i+1]); err != nil {
				t.Fatal(err)
			}
		}
		sort.Float64s(draws)
		fitCounts(t, c.name, draws, func(k float64) float64 {
			var out [1]float64
			if err := density.Value(append(scalars(k), c.in...), out[:], nil); err != nil {
				t.Fatal(err)
			}
			return math.Exp(out[0])
		})
	}
}

// TestDrawMoments compares means and standard deviations with closed forms, to six
// standard errors of the mean (a false alarm in about 5e8 for a normal mean).
func TestDrawMoments(t *testing.T) {
	for _, c := range []struct {
		name     string
		p        []float64
		mean, sd float64
	}{
		{"normal", []float64{2, 3}, 2, 3},
		{"double_exponential", []float64{1, 2}, 1, 2 * math.Sqrt2},
		{"logistic", []float64{1, 2}, 1, 2 * math.Pi / math.Sqrt(3)},
		{"gumbel", []float64{1, 2}, 1 + 2*0.5772156649015329, 2 * math.Pi / math.Sqrt(6)},
		{"student_t", []float64{9, 1, 2}, 1, 2 * math.Sqrt(9.0/7)},
		{"skew_normal", []float64{0, 1, 3}, 3 / math.Sqrt(10) * math.Sqrt(2/math.Pi), math.Sqrt(1 - 2/math.Pi*0.9)},
		{"exp_mod_normal", []float64{1, 2, 0.5}, 3, math.Sqrt(8)},
		{"gamma", []float64{4, 2}, 2, 1},
		{"inv_gamma", []float64{8, 14}, 2, 2 / math.Sqrt(6)},
		{"exponential", []float64{4}, 0.25, 0.25},
		{"rayleigh", []float64{2}, 2 * math.Sqrt(math.Pi/2), 2 * math.Sqrt(2-math.Pi/2)},
		{"beta", []float64{2, 3}, 0.4, 0.2},
		{"uniform", []float64{0, 6}, 3, math.Sqrt(3)},
		{"binomial", []float64{100, 0.2}, 20, 4},
		{"poisson", []float64{25}, 25, 5},
		{"neg_binomial_2", []float64{10, 5}, 10, math.Sqrt(30)},
		{"hypergeometric", []float64{10, 20, 30}, 4, math.Sqrt(10 * 0.4 * 0.6 * 40.0 / 49)},
		{"beta_binomial", []float64{10, 2, 3}, 4, math.Sqrt(10 * 6.0 / 25 * 15 / 6)},
	} {
		const n = 20000
		r, d := testRand(7), New().Distribution(c.name)
		sum, squares := 0.0, 0.0
		for range n {
			y := d.Draw(r, c.p) - c.mean
			sum += y
			squares += y * y
		}
		if e := sum / n / (c.sd / math.Sqrt(n)); math.Abs(e) > 6 {
			t.Errorf("%s(%v): the mean is off by %.1f standard errors", c.name, c.p, e)
		}
		if sd := math.Sqrt(squares / n); !close1(sd, c.sd, 0.1) {
			t.Errorf("%s(%v): sd %v, want %v", c.name, c.p, sd, c.sd)
		}
	}
}

func TestDrawsOnContainers(t *testing.T) {
	row := densityRow("normal_rng")
	in := []catalogue.Tensor{{Dims: []int{3}, X: []float64{0, 100, 200}}, {X: []float64{0.001}}}
	dims, err := row.Draw.Dims(in)
	if err != nil || len(dims) != 1 || dims[0] != 3 {
		t.Fatalf("dims %v, %v", dims, err)
	}
	out := make([]float64, 3)
	r := testRand(8)
	if err := row.Draw.Draw(r, in, out); err != nil {
		t.Fatal(err)
	}
	for i, y := range out {
		if math.Abs(y-float64(100*i)) > 1 {
			t.Errorf("draw %d is %v", i, y)
		}
	}
	if a := testing.AllocsPerRun(50, func() { _ = row.Draw.Draw(r, in, out) }); a != 0 {
		t.Errorf("%v allocations", a)
	}
	if dims, _ := row.Draw.Dims(scalars(0, 1)); len(dims) != 0 {
		t.Errorf("scalars draw a result of size %v", dims)
	}
}

func TestDrawErrors(t *testing.T) {
	r := rand.New(rand.NewChaCha8([32]byte{}))
	for _, c := range []struct {
		name string
		p    []float64
		want string
	}{
		{"normal_rng", []float64{0, -1}, "normal_rng: sigma is -1, but must be positive and finite"},
		{"uniform_rng", []float64{2, 1}, "uniform_rng: beta is 1, but must be greater than alpha, which is 2"},
		{"poisson_rng", []float64{1e10}, "poisson_rng: lambda is 1e+10, but must be such that the mean of the count is below 2^29"},
		{"hypergeometric_rng", []float64{8, 2, 3}, "hypergeometric_rng: N is 8, but must be at most a + b, which is 5"},
	} {
		err := densityRow(c.name).Draw.Draw(r, scalars(c.p...), make([]float64, 1))
		if err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}
