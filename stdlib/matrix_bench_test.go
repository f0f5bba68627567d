package stdlib_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/stdlib"
)

// BenchmarkMatrix times value and derivative of the kernels that models spend their time
// in. Run with -benchmem: none may allocate.
func BenchmarkMatrix(b *testing.B) {
	lib := stdlib.New()
	r := rand.New(rand.NewChaCha8([32]byte{5}))
	random := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		return x
	}
	num := func(x float64) stdlib.Tensor { return stdlib.Tensor{X: []float64{x}} }
	vec := func(n int) stdlib.Tensor { return stdlib.Tensor{Dims: []int{n}, X: random(n)} }
	mat := func(n, m int) stdlib.Tensor { return stdlib.Tensor{Dims: []int{n, m}, X: random(n * m)} }
	array := func(n, k int) stdlib.Tensor {
		return stdlib.Tensor{Rank: stdlib.Rank{Array: 1}, Dims: []int{n, k}, X: random(n * k)}
	}
	spd := func(n int) stdlib.Tensor {
		a := mat(n, n)
		for j := range n {
			for i := range j {
				a.X[j+i*n] = a.X[i+j*n]
			}
			a.X[j*(n+1)] = 4 * float64(n)
		}
		return a
	}
	chol := func(n int) stdlib.Tensor {
		a := spd(n)
		for j := range n {
			for i := range j {
				a.X[i+j*n] = 0
			}
		}
		return a
	}
	binary := func(n int) stdlib.Tensor {
		t := stdlib.Tensor{Rank: stdlib.Rank{Array: 1}, Dims: []int{n}, X: make([]float64, n)}
		for i := range t.X {
			t.X[i] = float64(r.IntN(2))
		}
		return t
	}
	line := func(n int) stdlib.Tensor {
		t := stdlib.Tensor{Rank: stdlib.Rank{Array: 1}, Dims: []int{n}, X: make([]float64, n)}
		for i := range t.X {
			t.X[i] = float64(i) / float64(n)
		}
		return t
	}
	for _, c := range []struct {
		fn   string
		args []stdlib.Tensor
		grad []bool
	}{
		{"bernoulli_logit_glm_lpmf", []stdlib.Tensor{binary(10000), mat(10000, 10), num(0.5), vec(10)}, []bool{false, false, true, true}},
		{"normal_id_glm_lpdf", []stdlib.Tensor{vec(10000), mat(10000, 10), num(0.5), vec(10), num(1)}, []bool{false, false, true, true, true}},
		{"poisson_log_glm_lpmf", []stdlib.Tensor{binary(10000), mat(10000, 10), num(0.5), vec(10)}, []bool{false, false, true, true}},
		{"cholesky_decompose", []stdlib.Tensor{spd(3)}, []bool{true}},
		{"cholesky_decompose", []stdlib.Tensor{spd(8)}, []bool{true}},
		{"cholesky_decompose", []stdlib.Tensor{spd(50)}, []bool{true}},
		{"cholesky_decompose", []stdlib.Tensor{spd(200)}, []bool{true}},
		{"gp_exp_quad_cov", []stdlib.Tensor{line(200), num(1.1), num(0.4)}, []bool{false, true, true}},
		{"multi_normal_lpdf", []stdlib.Tensor{vec(3), vec(3), spd(3)}, []bool{false, true, true}},
		{"multi_normal_lpdf", []stdlib.Tensor{vec(10), vec(10), spd(10)}, []bool{false, true, true}},
		{"multi_normal_lpdf", []stdlib.Tensor{vec(50), vec(50), spd(50)}, []bool{false, true, true}},
		{"multi_normal_lpdf", []stdlib.Tensor{array(50, 25), vec(25), spd(25)}, []bool{false, false, true}},
		{"multi_normal_cholesky_lpdf", []stdlib.Tensor{vec(3), vec(3), chol(3)}, []bool{false, true, true}},
		{"multi_normal_cholesky_lpdf", []stdlib.Tensor{vec(200), vec(200), chol(200)}, []bool{false, true, true}},
		{"multi_normal_cholesky_lpdf", []stdlib.Tensor{array(500, 5), vec(5), chol(5)}, []bool{false, true, true}},
		{"multiply", []stdlib.Tensor{mat(1000, 20), vec(20)}, []bool{false, true}},
		{"multiply", []stdlib.Tensor{mat(3, 3), mat(3, 3)}, []bool{true, true}},
		{"multiply", []stdlib.Tensor{mat(8, 8), mat(8, 8)}, []bool{true, true}},
		{"multiply", []stdlib.Tensor{mat(100, 100), mat(100, 100)}, []bool{true, true}},
		{"mdivide_left_spd", []stdlib.Tensor{spd(4), mat(4, 3)}, []bool{true, true}},
		{"mdivide_left_tri_low", []stdlib.Tensor{chol(4), vec(4)}, []bool{true, true}},
		{"inverse_spd", []stdlib.Tensor{spd(4)}, []bool{true}},
		{"inverse_spd", []stdlib.Tensor{spd(100)}, []bool{true}},
		{"quad_form_sym", []stdlib.Tensor{spd(5), mat(5, 3)}, []bool{true, true}},
		{"mdivide_left_tri_low", []stdlib.Tensor{chol(100), vec(100)}, []bool{true, true}},
		{"hmm_marginal", []stdlib.Tensor{mat(3, 1000), {Dims: []int{3, 3}, X: []float64{.8, .1, .1, .1, .7, .4, .1, .2, .5}}, {Dims: []int{3}, X: []float64{.3, .3, .4}}}, []bool{true, true, true}},
	} {
		var f *stdlib.Function
		var dims []int
		for _, row := range lib.Functions(c.fn) {
			if row.Kernel != nil {
				f = row
				dims, _ = kernelDims(f.Kernel, c.args)
				if c.fn != "multiply" || len(row.Signatures) == 5 {
					break // of multiply, the real matrix product
				}
			}
		}
		out, adj, work := make([]float64, product(dims)), make([]float64, product(dims)), scratch(f.Kernel, c.args)
		for i := range adj {
			adj[i] = 1
		}
		din := make([][]float64, len(c.args))
		for i, a := range c.args {
			if c.grad[i] {
				din[i] = make([]float64, len(a.X))
			}
		}
		b.Run(fmt.Sprint(c.fn, c.args[0].Dims), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if f.Kernel.ValueGrad != nil {
					_, _ = f.Kernel.ValueGrad(c.args, din, work)
					continue
				}
				_ = f.Kernel.Value(c.args, out, work)
				f.Kernel.VJP(c.args, out, adj, din, work)
			}
		})
	}
}
