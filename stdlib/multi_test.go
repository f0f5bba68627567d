package stdlib_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/stdlib"
)

// logSum adds numbers given by their logarithms.
func logSum(x []float64) float64 {
	top := math.Inf(-1)
	for _, v := range x {
		top = math.Max(top, v)
	}
	if math.IsInf(top, -1) {
		return top
	}
	sum := 0.0
	for _, v := range x {
		sum += math.Exp(v - top)
	}
	return top + math.Log(sum)
}

// hmmByPaths sums the density over all paths.
func hmmByPaths(k, n int, logs, gamma, rho []float64) float64 {
	paths := 1
	for range n {
		paths *= k
	}
	var terms []float64
	for path := range paths {
		l, last := 0.0, 0
		for t, rest := 0, path; t < n; t, rest = t+1, rest/k {
			s := rest % k
			if t == 0 {
				l += math.Log(rho[s])
			} else {
				l += math.Log(gamma[last+s*k])
			}
			l += logs[s+t*k]
			last = s
		}
		terms = append(terms, l)
	}
	return logSum(terms)
}

// TestHMMUnlikelyStates has states that cannot be reached and observations that are
// likely there only, so that plain scaling would underflow.
func TestHMMUnlikelyStates(t *testing.T) {
	const k, n = 2, 4
	logs := []float64{0, -900, -900, 0, -2000, 0, -1, -1}
	inf := math.Inf(-1)
	for _, c := range []struct{ gamma, rho, logs []float64 }{
		{[]float64{1, 0, 0, 1}, []float64{1, 0}, logs},
		{[]float64{0.5, 0, 0.5, 1}, []float64{1, 0}, logs},
		{[]float64{1, 1e-250, 0, 1}, []float64{0, 1}, []float64{0, 0, 0, -1500, 0, -1500, 0, -1500}},
		{[]float64{0.9, 0.1, 0.1, 0.9}, []float64{0.5, 0.5}, []float64{0, inf, inf, 0, 0, inf, -1, -2}},
	} {
		args := []stdlib.Tensor{tensor([]int{k, n}, c.logs...), tensor([]int{k, k}, c.gamma...), tensor([]int{k}, c.rho...)}
		f := stdlib.New().Function("hmm_marginal").Kernel
		din := [][]float64{make([]float64, k*n), make([]float64, k*k), make([]float64, k)}
		got, err := f.ValueGrad(args, din, scratch(f, args))
		want := hmmByPaths(k, n, c.logs, c.gamma, c.rho)
		if err != nil || math.Abs(got-want) > 1e-9*math.Abs(want) {
			t.Errorf("hmm_marginal is %v, want %v (%v)", got, want, err)
		}
		for t1 := range n { // posterior probabilities sum to 1 in each step
			if s := din[0][t1*k] + din[0][t1*k+1]; math.Abs(s-1) > 1e-9 {
				t.Errorf("derivatives in step %d sum to %v, want 1", t1, s)
			}
		}
	}
}

// TestLargeCounts compares the log masses of large counts with sums of factorials.
func TestLargeCounts(t *testing.T) {
	lib := stdlib.New()
	r := rand.New(rand.NewChaCha8([32]byte{9}))
	lgamma := func(x float64) float64 { v, _ := math.Lgamma(x); return v }
	for range 20 {
		k := 2 + r.IntN(4)
		n, theta, alpha := make([]float64, k), make([]float64, k), make([]float64, k)
		sum := 0.0
		for i := range n {
			n[i], theta[i], alpha[i] = float64(r.IntN(3000)), r.Float64(), 3*r.Float64()
			sum += theta[i]
		}
		total, a, plain, mixed := 0.0, 0.0, 0.0, 0.0
		for i := range n {
			theta[i] /= sum
			total += n[i]
			a += alpha[i]
			plain += n[i]*math.Log(theta[i]) - lgamma(n[i]+1)
			mixed += lgamma(n[i]+alpha[i]) - lgamma(alpha[i]) - lgamma(n[i]+1)
		}
		plain += lgamma(total + 1)
		mixed += lgamma(total+1) + lgamma(a) - lgamma(total+a)
		for fn, c := range map[string]struct {
			param []float64
			want  float64
		}{"multinomial_lpmf": {theta, plain}, "dirichlet_multinomial_lpmf": {alpha, mixed}} {
			f := lib.Function(fn)
			got, err := evaluate(f, []stdlib.Tensor{tensor([]int{k}, n...), tensor([]int{k}, c.param...)}, 1)
			if err != nil || math.Abs(got.x[0]-c.want) > 1e-9*math.Abs(c.want)+1e-9 {
				t.Errorf("%s is %v, want %v (%v)", fn, got.x, c.want, err)
			}
		}
	}
}

// TestEmptyArguments calls functions with containers of size 0.
func TestEmptyArguments(t *testing.T) {
	lib := stdlib.New()
	none := stdlib.Tensor{Rank: stdlib.Rank{Array: 1}, Dims: []int{0}}
	vec := func(n int) stdlib.Tensor { return stdlib.Tensor{Dims: []int{n}, X: make([]float64, n)} }
	mat := func(n, m int) stdlib.Tensor { return stdlib.Tensor{Dims: []int{n, m}, X: make([]float64, n*m)} }
	num := stdlib.Tensor{X: []float64{1}}
	one := stdlib.Tensor{Rank: stdlib.Rank{Array: 1}, Dims: []int{3}, X: []float64{1, 1, 1}}
	for _, c := range []struct {
		fn   string
		args []stdlib.Tensor
		want float64 // sum of the result
	}{
		{"bernoulli_logit_glm_lpmf", []stdlib.Tensor{none, mat(0, 2), num, vec(2)}, 0},
		{"bernoulli_logit_glm_lpmf", []stdlib.Tensor{one, mat(3, 0), {X: []float64{0}}, vec(0)}, -3 * math.Ln2},
		{"normal_id_glm_lpdf", []stdlib.Tensor{vec(0), mat(0, 2), num, vec(2), num}, 0},
		{"poisson_log_glm_lpmf", []stdlib.Tensor{none, mat(0, 0), num, vec(0)}, 0},
		{"neg_binomial_2_log_glm_lpmf", []stdlib.Tensor{none, mat(0, 0), num, vec(0), num}, 0},
		{"categorical_logit_glm_lpmf", []stdlib.Tensor{none, mat(0, 2), vec(3), mat(2, 3)}, 0},
		{"categorical_logit_glm_lpmf", []stdlib.Tensor{one, mat(3, 0), vec(2), mat(0, 2)}, -3 * math.Ln2},
		{"ordered_logistic_glm_lpmf", []stdlib.Tensor{none, mat(0, 2), vec(2), vec(1)}, 0},
		{"ordered_logistic_glm_lpmf", []stdlib.Tensor{one, mat(3, 0), vec(0), vec(1)}, -3 * math.Ln2},
		{"multi_normal_lpdf", []stdlib.Tensor{vec(0), vec(0), mat(0, 0)}, 0},
		{"multi_normal_lpdf", []stdlib.Tensor{{Rank: stdlib.Rank{Array: 1}, Dims: []int{0, 0}}, vec(2), mat(2, 2)}, 0},
		{"multi_gp_lpdf", []stdlib.Tensor{mat(0, 2), mat(2, 2), vec(0)}, 0},
		{"lkj_corr_lpdf", []stdlib.Tensor{mat(0, 0), num}, 0},
		{"lkj_corr_cholesky_lpdf", []stdlib.Tensor{mat(0, 0), num}, 0},
		{"multinomial_lpmf", []stdlib.Tensor{vec(2), {Dims: []int{2}, X: []float64{0.5, 0.5}}}, 0},
		{"cholesky_decompose", []stdlib.Tensor{mat(0, 0)}, 0},
		{"inverse", []stdlib.Tensor{mat(0, 0)}, 0},
		{"inverse_spd", []stdlib.Tensor{mat(0, 0)}, 0},
		{"determinant", []stdlib.Tensor{mat(0, 0)}, 1},
		{"log_determinant", []stdlib.Tensor{mat(0, 0)}, 0},
		{"log_determinant_spd", []stdlib.Tensor{mat(0, 0)}, 0},
		{"mdivide_left", []stdlib.Tensor{mat(0, 0), vec(0)}, 0},
		{"mdivide_right_spd", []stdlib.Tensor{mat(2, 0), mat(0, 0)}, 0},
		{"crossprod", []stdlib.Tensor{mat(0, 2)}, 0},
		{"tcrossprod", []stdlib.Tensor{mat(2, 0)}, 0},
		{"multiply_lower_tri_self_transpose", []stdlib.Tensor{mat(0, 0)}, 0},
		{"quad_form", []stdlib.Tensor{mat(0, 0), vec(0)}, 0},
		{"trace", []stdlib.Tensor{mat(0, 0)}, 0},
		{"trace_gen_quad_form", []stdlib.Tensor{mat(0, 0), mat(2, 2), mat(2, 0)}, 0},
		{"eigenvalues_sym", []stdlib.Tensor{mat(0, 0)}, 0},
		{"eigenvalues", []stdlib.Tensor{mat(0, 0)}, 0},
		{"singular_values", []stdlib.Tensor{mat(0, 0)}, 0},
		{"generalized_inverse", []stdlib.Tensor{mat(0, 0)}, 0},
		{"generalized_inverse", []stdlib.Tensor{mat(3, 0)}, 0},
		{"qr_thin_Q", []stdlib.Tensor{mat(3, 0)}, 0},
		{"qr_Q", []stdlib.Tensor{mat(2, 0)}, 2},
		{"matrix_exp", []stdlib.Tensor{mat(0, 0)}, 0},
		{"gp_exp_quad_cov", []stdlib.Tensor{none, num, num}, 0},
		{"hmm_marginal", []stdlib.Tensor{mat(1, 0), {Dims: []int{1, 1}, X: []float64{1}}, {Dims: []int{1}, X: []float64{1}}}, 0},
		{"columns_dot_self", []stdlib.Tensor{mat(0, 2)}, 0},
		{"simplex_constrain", []stdlib.Tensor{vec(0)}, 1},
		{"sum_to_zero_constrain", []stdlib.Tensor{vec(0)}, 0},
		{"cholesky_factor_corr_constrain", []stdlib.Tensor{vec(0), num}, 1},
		{"ordered_constrain", []stdlib.Tensor{vec(0)}, 0},
	} {
		f := lib.Function(c.fn)
		for _, row := range lib.Functions(c.fn) {
			if row.Kernel != nil && row.Op == nil {
				f = row
				break
			}
		}
		r, err := evaluate(f, c.args, 1)
		if err != nil {
			t.Errorf("%s: %v", c.fn, err)
			continue
		}
		sum := 0.0
		for _, v := range r.x {
			sum += v
		}
		if math.Abs(sum-c.want) > 1e-14 {
			t.Errorf("%s sums to %v, want %v", c.fn, sum, c.want)
		}
		if f.Kernel.VJP == nil {
			continue
		}
		din := make([][]float64, len(c.args))
		for i, a := range c.args {
			din[i] = make([]float64, len(a.X))
		}
		f.Kernel.VJP(c.args, r.x, make([]float64, len(r.x)), din, scratch(f.Kernel, c.args))
	}
}
