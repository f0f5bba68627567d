package stdlib

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/lowering"
)

// TestIterationExpansions compares products that are expanded with their kernels.
func TestIterationExpansions(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	tensor := func(row bool, dims ...int) catalogue.Tensor {
		n := 1
		for _, d := range dims {
			n *= d
		}
		x := make([]float64, n)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		return catalogue.Tensor{Rank: catalogue.Rank{Row: row}, Dims: dims, X: x}
	}
	vector := func(x ...float64) catalogue.Tensor { return catalogue.Tensor{Dims: []int{len(x)}, X: x} }
	number := func(x float64) catalogue.Tensor { return catalogue.Tensor{X: []float64{x}} }
	symmetric := func(n int) catalogue.Tensor {
		a := tensor(false, n, n)
		for j := range n {
			for i := range j {
				a.X[i+j*n] = a.X[j+i*n]
			}
		}
		return a
	}
	positive := func(n int) catalogue.Tensor {
		a := symmetric(n)
		for i := range n {
			a.X[i*(n+1)] += 2 * float64(n)
		}
		return a
	}
	crooked := symmetric(2)
	crooked.X[1] += 1e-7
	for _, c := range []struct {
		name string
		in   []catalogue.Tensor
	}{
		{"multiply", []catalogue.Tensor{tensor(false, 2, 3), tensor(false, 3, 4)}},
		{"multiply", []catalogue.Tensor{tensor(true, 3), tensor(false, 3, 2)}},
		{"multiply", []catalogue.Tensor{tensor(false, 3), tensor(true, 2)}},
		{"crossprod", []catalogue.Tensor{tensor(false, 2, 3)}},
		{"tcrossprod", []catalogue.Tensor{tensor(false, 2, 3)}},
		{"quad_form", []catalogue.Tensor{tensor(false, 3, 3), tensor(false, 3, 2)}},
		{"quad_form", []catalogue.Tensor{tensor(false, 3, 3), tensor(false, 3)}},
		{"quad_form_sym", []catalogue.Tensor{symmetric(3), tensor(false, 3, 2)}},
		{"quad_form_sym", []catalogue.Tensor{symmetric(3), tensor(false, 3)}},
		{"quad_form_sym", []catalogue.Tensor{crooked, tensor(false, 2, 2)}},
		{"quad_form_diag", []catalogue.Tensor{tensor(false, 3, 3), tensor(false, 3)}},
		{"diag_pre_multiply", []catalogue.Tensor{tensor(false, 2), tensor(false, 2, 3)}},
		{"diag_post_multiply", []catalogue.Tensor{tensor(false, 2, 3), tensor(false, 3)}},
		{"trace", []catalogue.Tensor{tensor(false, 3, 3)}},
		{"add_diag", []catalogue.Tensor{tensor(false, 3, 3), tensor(false, 3)}},
		{"add_diag", []catalogue.Tensor{tensor(false, 2, 3), number(2)}},
		{"matrix_power", []catalogue.Tensor{tensor(false, 3, 3), number(1)}},
		{"matrix_power", []catalogue.Tensor{tensor(false, 2, 2), number(6)}},
		{"columns_dot_product", []catalogue.Tensor{tensor(false, 3, 2), tensor(false, 3, 2)}},
		{"columns_dot_self", []catalogue.Tensor{tensor(false, 3, 2)}},
		{"columns_dot_self", []catalogue.Tensor{tensor(false, 3)}},
		{"columns_dot_self", []catalogue.Tensor{tensor(true, 3)}},
		{"rows_dot_product", []catalogue.Tensor{tensor(false, 3, 2), tensor(false, 3, 2)}},
		{"rows_dot_product", []catalogue.Tensor{tensor(false, 3), tensor(false, 3)}},
		{"rows_dot_self", []catalogue.Tensor{tensor(false, 3, 2)}},
		{"rows_dot_self", []catalogue.Tensor{tensor(true, 3)}},
		{"trace_quad_form", []catalogue.Tensor{tensor(false, 3, 3), tensor(false, 3, 2)}},
		{"trace_quad_form", []catalogue.Tensor{tensor(false, 3, 3), tensor(false, 3)}},
		{"trace_gen_quad_form", []catalogue.Tensor{tensor(false, 2, 2), tensor(false, 3, 3), tensor(false, 3, 2)}},
		{"multiply_lower_tri_self_transpose", []catalogue.Tensor{tensor(false, 3, 3)}},
		{"multiply_lower_tri_self_transpose", []catalogue.Tensor{tensor(false, 3, 2)}},
		{"multiply_lower_tri_self_transpose", []catalogue.Tensor{tensor(false, 2, 3)}},
		{"inverse", []catalogue.Tensor{tensor(false, 1, 1)}},
		{"inverse", []catalogue.Tensor{tensor(false, 2, 2)}},
		{"determinant", []catalogue.Tensor{tensor(false, 1, 1)}},
		{"determinant", []catalogue.Tensor{tensor(false, 2, 2)}},
		{"log_determinant", []catalogue.Tensor{tensor(false, 2, 2)}},
		{"mdivide_left", []catalogue.Tensor{tensor(false, 2, 2), tensor(false, 2)}},
		{"mdivide_left", []catalogue.Tensor{tensor(false, 2, 2), tensor(false, 2, 4)}},
		{"mdivide_right", []catalogue.Tensor{tensor(true, 2), tensor(false, 2, 2)}},
		{"divide", []catalogue.Tensor{tensor(false, 4, 2), tensor(false, 2, 2)}},
		{"cholesky_decompose", []catalogue.Tensor{positive(1)}},
		{"cholesky_decompose", []catalogue.Tensor{positive(4)}},
		{"cholesky_decompose", []catalogue.Tensor{{Dims: []int{2, 2}, X: []float64{4, 2, 2, 1}}}},
		{"cholesky_decompose", []catalogue.Tensor{{Dims: []int{2, 2}, X: []float64{-4, 2, 2, 1}}}},
		{"cholesky_decompose", []catalogue.Tensor{{Dims: []int{2, 2}, X: []float64{0, 0, 0, 1}}}},
		{"cholesky_decompose", []catalogue.Tensor{{Dims: []int{2, 2}, X: []float64{4, 2, 2.001, 2}}}},
		{"log_determinant_spd", []catalogue.Tensor{positive(5)}},
		{"inverse_spd", []catalogue.Tensor{positive(1)}},
		{"inverse_spd", []catalogue.Tensor{positive(6)}},
		{"mdivide_left_spd", []catalogue.Tensor{positive(3), tensor(false, 3)}},
		{"mdivide_left_spd", []catalogue.Tensor{{Dims: []int{2, 2}, X: []float64{1, 2, 2, 1}}, vector(1, 2)}},
		{"mdivide_right_spd", []catalogue.Tensor{tensor(false, 2, 4), positive(4)}},
		{"mdivide_left_tri_low", []catalogue.Tensor{positive(4), tensor(false, 4, 2)}},
		{"mdivide_right_tri_low", []catalogue.Tensor{tensor(true, 3), positive(3)}},
		{"multi_normal_lpdf", []catalogue.Tensor{tensor(false, 4), tensor(true, 4), positive(4)}},
		{"multi_normal_lpdf", []catalogue.Tensor{tensor(false, 2), tensor(false, 2), crooked}},
		{"multi_normal_lpdf", []catalogue.Tensor{tensor(false, 1), tensor(false, 1), {Dims: []int{1, 1}, X: []float64{-1}}}},
		{"multi_student_t_lpdf", []catalogue.Tensor{tensor(false, 3), number(4), tensor(false, 3), positive(3)}},
		{"max", []catalogue.Tensor{tensor(false, 5)}},
		{"max", []catalogue.Tensor{vector(1, math.NaN(), 2)}},
		{"min", []catalogue.Tensor{tensor(true, 4)}},
		{"prod", []catalogue.Tensor{tensor(false, 3)}},
		{"norm1", []catalogue.Tensor{tensor(false, 3)}},
		{"norm2", []catalogue.Tensor{tensor(false, 3)}},
		{"norm2", []catalogue.Tensor{vector(3e200, -4e200, 0)}},
		{"norm2", []catalogue.Tensor{vector(-7)}},
		{"distance", []catalogue.Tensor{tensor(false, 3), tensor(true, 3)}},
		{"squared_distance", []catalogue.Tensor{tensor(false, 3), tensor(true, 3)}},
		{"variance", []catalogue.Tensor{tensor(false, 6)}},
		{"sd", []catalogue.Tensor{tensor(false, 6)}},
		{"sd", []catalogue.Tensor{vector(2, 2, 2)}},
		{"multinomial_lpmf", []catalogue.Tensor{vector(3, 0, 2), vector(0.5, 0, 0.5)}},
		{"multinomial_lpmf", []catalogue.Tensor{vector(3, 0, 2), vector(0.5, 0, 0.6)}},
		{"multinomial_lpmf", []catalogue.Tensor{vector(3, -1, 2), vector(0.5, 0.25, 0.25)}},
		{"multinomial_logit_lpmf", []catalogue.Tensor{vector(3, 0, 2), tensor(false, 3)}},
	} {
		g := autodiff.NewGraph(0)
		var operands []lowering.Operand
		for _, x := range c.in {
			operands = append(operands, lowering.Operand{Tensor: x, Node: g.Const(x.X)})
		}
		k := kernelOf(t, c.name, c.in)
		dims, err := k.Dims(c.in)
		if err != nil {
			t.Fatal(err)
		}
		n := 1
		for _, d := range dims {
			n *= d
		}
		want := make([]float64, n)
		var work []float64
		if k.Work != nil {
			work = make([]float64, k.Work(c.in))
		}
		refused := k.Value(c.in, want, work)
		x, ok := Lowering(c.name, ForIteration)(g, n, operands)
		if !ok {
			t.Fatalf("%s is not written out", c.name)
		}
		got, err := autodiff.Evaluate(g, nil, []autodiff.Node{x})
		if err != nil {
			t.Fatal(err)
		}
		if refused != nil {
			if !math.IsNaN(got[0][0]) {
				t.Errorf("%s: %v, which the function refuses: %v", c.name, got[0], refused)
			}
			continue
		}
		for i := range want {
			if d := math.Abs(got[0][i] - want[i]); !(d <= 1e-14*(1+math.Abs(want[i]))) && !(math.IsNaN(got[0][i]) && math.IsNaN(want[i])) {
				t.Errorf("%s: %v, want %v", c.name, got[0], want)
			}
		}
	}
}

// kernelOf finds the row of the library for real arguments of these ranks.
func kernelOf(t *testing.T, name string, in []catalogue.Tensor) *catalogue.Kernel {
	t.Helper()
	for _, fn := range New().Functions(name) {
		if fn.Kernel == nil {
			continue
		}
		if _, err := fn.Kernel.Dims(in); err == nil {
			return fn.Kernel
		}
	}
	t.Fatalf("the library has no %s of these arguments", name)
	return nil
}
