package stdlib

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// The Poisson-binomial distribution against a sum over all outcomes of the trials.

// enumerated is the probability of lo to hi successes and its gradient, summed over all
// 2^n outcomes.
func enumerated(theta []float64, lo, hi int) (p float64, grad []float64) {
	grad = make([]float64, len(theta))
	for outcome := range 1 << len(theta) {
		k := 0
		for i := range theta {
			k += outcome >> i & 1
		}
		if k < lo || k > hi {
			continue
		}
		product := 1.0
		for i, v := range theta {
			product *= factor(outcome>>i&1, v)
		}
		p += product
		for i := range theta {
			rest := 1.0
			for j, v := range theta {
				if j != i {
					rest *= factor(outcome>>j&1, v)
				}
			}
			grad[i] += rest * float64(2*(outcome>>i&1)-1)
		}
	}
	return p, grad
}

func factor(success int, p float64) float64 {
	if success == 1 {
		return p
	}
	return 1 - p
}

func TestPoissonBinomial(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 14))
	lib := New()
	thetas := [][]float64{{}, {0.4}, {0}, {1}, {0, 1, 0.5}, {1e-150, 0.5, 1e-9}, {1 - 1e-12, 1 - 1e-10, 1e-13}}
	for n := range 9 {
		theta := make([]float64, n)
		for i := range theta {
			theta[i] = r.Float64()
		}
		thetas = append(thetas, theta)
	}
	for _, theta := range thetas {
		n := len(theta)
		for y := range n + 1 {
			for name, interval := range map[string][2]int{
				"poisson_binomial_lpmf": {y, y}, "poisson_binomial_lcdf": {0, y}, "poisson_binomial_lccdf": {y + 1, n}, "poisson_binomial_cdf": {0, y},
			} {
				p, grad := enumerated(theta, interval[0], interval[1])
				want := math.Log(p)
				scale := p
				if name == "poisson_binomial_cdf" {
					want, scale = p, 1
				}
				k := lib.Function(name).Kernel
				in := []catalogue.Tensor{{X: []float64{float64(y)}}, {Dims: []int{n}, X: theta}}
				if got := valueOf(t, k, in); got != want && !(math.Abs(got-want) <= 1e-12*(1+math.Abs(want))) {
					t.Errorf("%s(%d | %v) is %v, want %v", name, y, theta, got, want)
				}
				if p == 0 {
					continue
				}
				d := make([]float64, n)
				k.VJP(in, []float64{want}, []float64{1}, [][]float64{nil, d}, make([]float64, k.Work(in)))
				for i := range d {
					if w := grad[i] / scale; !(math.Abs(d[i]-w) <= 1e-11*(1+math.Abs(w))) {
						t.Errorf("%s(%d | %v): derivative %d is %v, want %v", name, y, theta, i+1, d[i], w)
					}
				}
			}
		}
	}
}

// TestPoissonBinomialTails: with equal probabilities it is the binomial distribution, where
// probabilities underflow, too; and a logarithm near 0 keeps its digits.
func TestPoissonBinomialTails(t *testing.T) {
	theta := make([]float64, 200)
	for i := range theta {
		theta[i] = 1e-5
	}
	in := func(y float64) []catalogue.Tensor {
		return []catalogue.Tensor{{X: []float64{y}}, {Dims: []int{200}, X: theta}}
	}
	lib := New()
	mass := lib.Function("binomial_lpmf").Kernel
	for _, y := range []float64{0, 1, 7, 150, 200} {
		want := valueOf(t, mass, numbers(y, 200, 1e-5))
		if got := valueOf(t, lib.Function("poisson_binomial_lpmf").Kernel, in(y)); math.Abs(got-want) > 1e-11*math.Abs(want) {
			t.Errorf("lpmf(%v) is %v, want %v", y, got, want)
		}
	}
	upper := valueOf(t, lib.Function("poisson_binomial_lccdf").Kernel, in(4))
	lower := valueOf(t, lib.Function("poisson_binomial_lcdf").Kernel, in(4))
	if want := math.Log1p(-math.Exp(upper)); !(lower < 0 && math.Abs(lower/want-1) < 1e-10) {
		t.Errorf("lcdf is %v, want %v", lower, want)
	}
}

// TestPoissonBinomialForms: several counts of one law, one of each of several laws, and
// counts that cannot be.
func TestPoissonBinomialForms(t *testing.T) {
	lib := New()
	k := lib.Function("poisson_binomial_lpmf").Kernel
	a, b := []float64{0.5, 0.2, 0.7}, []float64{0.1, 0.9, 0.3}
	one := func(y float64, theta []float64) float64 {
		return valueOf(t, k, []catalogue.Tensor{{X: []float64{y}}, {Dims: []int{3}, X: theta}})
	}
	both := catalogue.Tensor{Rank: catalogue.Rank{Array: 1}, Dims: []int{2, 3}, X: append(append([]float64(nil), a...), b...)}
	counts := catalogue.Tensor{Rank: catalogue.Rank{Array: 1}, Dims: []int{2}, X: []float64{2, 1}}
	for _, c := range []struct {
		in   []catalogue.Tensor
		want float64
	}{
		{[]catalogue.Tensor{counts, {Rank: catalogue.Rank{Array: 1}, Dims: []int{3}, X: a}}, one(2, a) + one(1, a)},
		{[]catalogue.Tensor{counts, both}, one(2, a) + one(1, b)},
		{[]catalogue.Tensor{{X: []float64{2}}, both}, one(2, a) + one(2, b)},
	} {
		if got := valueOf(t, k, c.in); math.Abs(got-c.want) > 1e-13 {
			t.Errorf("%v is %v, want %v", c.in, got, c.want)
		}
	}
	for _, in := range [][]catalogue.Tensor{
		{{X: []float64{-1}}, {Dims: []int{3}, X: a}}, {{X: []float64{4}}, {Dims: []int{3}, X: a}},
		{{X: []float64{1}}, {Dims: []int{2}, X: []float64{0.5, 1.1}}}, {{X: []float64{1}}, {Dims: []int{1}, X: []float64{math.NaN()}}},
	} {
		if err := k.Value(in, []float64{0}, make([]float64, k.Work(in))); err == nil {
			t.Errorf("%v is accepted", in)
		}
	}
	r := rand.New(rand.NewPCG(5, 6))
	draw := lib.Function("poisson_binomial_rng").Draw
	const draws = 20000
	seen := [4]float64{}
	for range draws {
		out := []float64{0}
		if err := draw.Draw(r, []catalogue.Tensor{{Dims: []int{3}, X: a}}, out); err != nil {
			t.Fatal(err)
		}
		seen[int(out[0])]++
	}
	for y, n := range seen { // 5 standard errors: a false alarm in 4e5 runs
		p := math.Exp(one(float64(y), a))
		if math.Abs(n/draws-p) > 5*math.Sqrt(p*(1-p)/draws) {
			t.Errorf("%d was drawn with frequency %v, want %v", y, n/draws, p)
		}
	}
}
