package stdlib_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/stdlib"
)

// drawCase is an _rng call with known means (and second moments) of the elements of its
// result.
type drawCase struct {
	fn     string
	args   []stdlib.Tensor
	mean   []float64
	square []float64 // mean of the squares; nil where it is not checked
}

func tensor(dims []int, x ...float64) stdlib.Tensor { return stdlib.Tensor{Dims: dims, X: x} }

func drawCases() []drawCase {
	num := func(x float64) stdlib.Tensor { return stdlib.Tensor{X: []float64{x}} }
	vec := func(x ...float64) stdlib.Tensor { return tensor([]int{len(x)}, x...) }
	sigma := tensor([]int{2, 2}, 2, 0.6, 0.6, 1)
	l := tensor([]int{2, 2}, math.Sqrt2, 0.6/math.Sqrt2, 0, math.Sqrt(1-0.18))
	sequence := stdlib.Tensor{Rank: stdlib.Rank{Array: 1}, Dims: []int{2, 2}, X: []float64{1, -1, 3, 0}}
	w := []float64{2 * 5, 0.6 * 5, 0.6 * 5, 5} // nu Sigma
	inv := []float64{2. / 4, 0.6 / 4, 0.6 / 4, 1. / 4}
	gamma := tensor([]int{2, 2}, 0.8, 0.3, 0.2, 0.7)
	logs := tensor([]int{2, 3}, 0, -0.5, -1, 0, 0.5, 0)
	// States 1 and 2 in each step: mean 1 + the probability of state 2.
	states := hmmMeans(logs.X, gamma.X, []float64{0.4, 0.6})
	return []drawCase{
		{fn: "multi_normal_rng", args: []stdlib.Tensor{vec(1, -1), sigma}, mean: []float64{1, -1}, square: []float64{3, 2}},
		{fn: "multi_normal_rng", args: []stdlib.Tensor{sequence, sigma}, mean: []float64{1, -1, 3, 0}, square: []float64{3, 2, 11, 1}},
		{fn: "multi_normal_cholesky_rng", args: []stdlib.Tensor{vec(1, -1), l}, mean: []float64{1, -1}, square: []float64{3, 2}},
		{fn: "multi_student_t_rng", args: []stdlib.Tensor{num(10), vec(1, -1), sigma}, mean: []float64{1, -1}, square: []float64{1 + 2*1.25, 1 + 1.25}},
		{fn: "multi_student_t_cholesky_rng", args: []stdlib.Tensor{num(10), vec(0, 0), l}, mean: []float64{0, 0}, square: []float64{2 * 1.25, 1.25}},
		{fn: "dirichlet_rng", args: []stdlib.Tensor{vec(2, 1, 0.5)}, mean: []float64{2 / 3.5, 1 / 3.5, 0.5 / 3.5},
			square: []float64{2 * 3 / (3.5 * 4.5), 1 * 2 / (3.5 * 4.5), 0.5 * 1.5 / (3.5 * 4.5)}},
		{fn: "multinomial_rng", args: []stdlib.Tensor{vec(0.5, 0.2, 0.3), num(10)}, mean: []float64{5, 2, 3}, square: []float64{27.5, 5.6, 11.1}},
		{fn: "multinomial_logit_rng", args: []stdlib.Tensor{vec(math.Log(5), math.Log(2), math.Log(3)), num(10)}, mean: []float64{5, 2, 3}, square: []float64{27.5, 5.6, 11.1}},
		{fn: "dirichlet_multinomial_rng", args: []stdlib.Tensor{vec(2, 3), num(6)}, mean: []float64{2.4, 3.6}, square: nil},
		{fn: "lkj_corr_rng", args: []stdlib.Tensor{num(3), num(1.5)}, mean: []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}, square: lkjSquares(3, 1.5)},
		{fn: "lkj_corr_cholesky_rng", args: []stdlib.Tensor{num(2), num(2)}, mean: nil, square: []float64{1, 0.2, 0, 0.8}},
		{fn: "wishart_rng", args: []stdlib.Tensor{num(5), sigma}, mean: w, square: []float64{w[0]*w[0] + 5*8, w[1]*w[1] + 5*2.36, w[1]*w[1] + 5*2.36, 25 + 5*2}},
		{fn: "inv_wishart_rng", args: []stdlib.Tensor{num(7), sigma}, mean: inv, square: nil},
		{fn: "wishart_cholesky_rng", args: []stdlib.Tensor{num(5), l}, mean: nil, square: []float64{10, math.NaN(), 0, math.NaN()}},
		{fn: "inv_wishart_cholesky_rng", args: []stdlib.Tensor{num(7), l}, mean: nil, square: []float64{0.5, math.NaN(), 0, math.NaN()}},
		{fn: "hmm_latent_rng", args: []stdlib.Tensor{logs, gamma, vec(0.4, 0.6)}, mean: states, square: nil},
		{fn: "bernoulli_logit_glm_rng", args: []stdlib.Tensor{tensor([]int{2, 1}, 1, -2), vec(0.5, 0), vec(0.7)},
			mean: []float64{1 / (1 + math.Exp(-1.2)), 1 / (1 + math.Exp(1.4))}, square: nil},
	}
}

// lkjSquares are the mean squares of a correlation matrix: each correlation is a beta
// variate on (-1, 1) with both parameters eta + (k-2)/2.
func lkjSquares(k int, eta float64) []float64 {
	x := make([]float64, k*k)
	b := eta + float64(k-2)/2
	for i := range x {
		x[i] = 1 / (2*b + 1)
		if i%k == i/k {
			x[i] = 1
		}
	}
	return x
}

// hmmMeans sums over all paths of a model with two states.
func hmmMeans(logs, gamma, rho []float64) []float64 {
	n := len(logs) / 2
	mean, total := make([]float64, n), 0.0
	for path := range 1 << n {
		p, last := 1.0, 0
		for t := range n {
			s := path >> t & 1
			if t == 0 {
				p *= rho[s]
			} else {
				p *= gamma[last+2*s]
			}
			p *= math.Exp(logs[2*t+s])
			last = s
		}
		total += p
		for t := range n {
			mean[t] += p * float64(1+path>>t&1)
		}
	}
	for t := range mean {
		mean[t] /= total
	}
	return mean
}

// TestMultivariateDraws compares moments of 40,000 draws with their expectations. Each
// comparison allows 5 standard errors: with about 100 of them a false alarm has
// probability below 1e-4, and the seed is fixed.
func TestMultivariateDraws(t *testing.T) {
	const n = 40000
	lib := stdlib.New()
	for _, c := range drawCases() {
		f := lib.Function(c.fn)
		dims, err := f.Draw.Dims(c.args)
		if err != nil {
			t.Fatalf("%s: %v", c.fn, err)
		}
		x := make([]float64, product(dims))
		r := rand.New(rand.NewChaCha8([32]byte{11}))
		var sum, square, fourth = make([]float64, len(x)), make([]float64, len(x)), make([]float64, len(x))
		for range n {
			if err := f.Draw.Draw(r, c.args, x); err != nil {
				t.Fatalf("%s: %v", c.fn, err)
			}
			for i, v := range x {
				sum[i] += v / n
				square[i] += v * v / n
				fourth[i] += v * v * v * v / n
			}
		}
		for i := range x {
			if c.mean != nil {
				se := math.Sqrt((square[i]-sum[i]*sum[i])/n) + 1e-9
				if math.Abs(sum[i]-c.mean[i]) > 5*se {
					t.Errorf("%s: mean of element %d is %v, want %v (standard error %v)", c.fn, i, sum[i], c.mean[i], se)
				}
			}
			if c.square != nil && !math.IsNaN(c.square[i]) {
				se := math.Sqrt(math.Max(fourth[i]-square[i]*square[i], 0)/n) + 1e-9
				if math.Abs(square[i]-c.square[i]) > 5*se {
					t.Errorf("%s: mean square of element %d is %v, want %v (standard error %v)", c.fn, i, square[i], c.square[i], se)
				}
			}
		}
	}
}
