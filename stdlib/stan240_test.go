package stdlib

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// Functions that Stan 2.38 to 2.40 added, or gave new forms.

// formOf is the row of a function with so many parameters in its first signature.
func formOf(t *testing.T, name string, params int) *catalogue.Kernel {
	t.Helper()
	lib := New()
	for _, s := range lib.Signatures(name) {
		if len(s.Params) == params {
			return lib.Row(s).Kernel
		}
	}
	t.Fatalf("%s has no form of %d", name, params)
	return nil
}

func numbers(x ...float64) []catalogue.Tensor {
	in := make([]catalogue.Tensor, len(x))
	for i := range x {
		in[i] = catalogue.Tensor{X: x[i : i+1]}
	}
	return in
}

func valueOf(t *testing.T, k *catalogue.Kernel, in []catalogue.Tensor) float64 {
	t.Helper()
	out, work := []float64{0}, []float64(nil)
	if k.Work != nil {
		work = make([]float64, k.Work(in))
	}
	if err := k.Value(in, out, work); err != nil {
		t.Fatal(err)
	}
	return out[0]
}

// TestWienerCumulativeForms: the distribution functions with variability between trials are averages of
// those without, over draws (an error of 5 standard errors has a chance of 1e-6 each), and their
// derivatives are finite differences.
func TestWienerCumulativeForms(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, x := range [][]float64{
		{1, 1.2, 0.2, 0.45, 0.3, 0, 0, 0}, {0.8, 1.5, 0.2, 0.5, -0.4, 0.7, 0, 0}, {0.9, 1, 0.3, 0.4, 0.5, 0, 0.3, 0},
		{0.6, 1.1, 0.2, 0.5, 0.2, 0, 0, 0.5}, {1.4, 1.3, 0.1, 0.55, 0.1, 0.6, 0.2, 0.3},
	} {
		for _, name := range []string{"wiener_lcdf_unnorm", "wiener_lccdf_unnorm"} {
			full, plain := formOf(t, name, 8), formOf(t, name, 5)
			got := math.Exp(valueOf(t, full, numbers(x...)))
			const draws = 4000
			sum, squares := 0.0, 0.0
			for range draws {
				p := 0.0
				delta, beta, tau := x[4]+x[5]*r.NormFloat64(), x[3]+x[6]*(r.Float64()-0.5), x[2]+x[7]*r.Float64()
				if x[0] > tau {
					p = math.Exp(valueOf(t, plain, numbers(x[0], x[1], tau, beta, delta)))
				} else if name == "wiener_lccdf_unnorm" { // the chance of meeting the boundary at all
					p = math.Exp(valueOf(t, plain, numbers(tau+1e-3, x[1], tau, beta, delta)))
				}
				sum += p
				squares += p * p
			}
			mean := sum / draws
			se := math.Sqrt(math.Max(0, squares/draws-mean*mean) / draws)
			if math.Abs(got-mean) > 5*se+1e-9 {
				t.Errorf("%s at %v: %v, draws give %v +- %v", name, x, got, mean, se)
			}
			if with := valueOf(t, formOf(t, name, 9), numbers(append(append([]float64{}, x...), 1e-5)...)); math.Exp(with) != got {
				t.Errorf("%s with a precision: %v, without %v", name, with, math.Log(got))
			}
			grad := make([][]float64, 8)
			for i := range grad {
				grad[i] = []float64{0}
			}
			in := numbers(x...)
			full.VJP(in, []float64{math.Log(got)}, []float64{1}, grad, make([]float64, full.Work(in)))
			for i := range 8 {
				if i > 4 && x[i] == 0 {
					continue
				}
				const h = 1e-5
				up, down := append([]float64{}, x...), append([]float64{}, x...)
				up[i] += h
				down[i] -= h
				want := (valueOf(t, full, numbers(up...)) - valueOf(t, full, numbers(down...))) / (2 * h)
				if math.Abs(grad[i][0]-want) > 1e-5*(1+math.Abs(want)) {
					t.Errorf("%s at %v: derivative %d is %v, differences give %v", name, x, i, grad[i][0], want)
				}
			}
		}
	}
}

// TestFormsOf240: values in closed form.
func TestFormsOf240(t *testing.T) {
	lib := New()
	for _, c := range []struct {
		name string
		in   []catalogue.Tensor
		want []float64
	}{
		{"softmax", []catalogue.Tensor{{Rank: catalogue.Rank{Array: 1}, Dims: []int{2, 2}, X: []float64{0, math.Log(3), math.Log(4), 0}}}, []float64{0.25, 0.75, 0.8, 0.2}},
		{"softmax", []catalogue.Tensor{{Dims: []int{2}, X: []float64{5e15, 5e15}}}, []float64{0.5, 0.5}}, // by log_sum_exp it would be exp(-1)
		{"log_softmax", []catalogue.Tensor{{Rank: catalogue.Rank{Row: true}, Dims: []int{2}, X: []float64{0, math.Log(3)}}}, []float64{math.Log(0.25), math.Log(0.75)}},
		// One degree of freedom is Cauchy's distribution: tan(pi (p - 1/2)).
		{"student_t_qf", []catalogue.Tensor{{Dims: []int{3}, X: []float64{0.5, 0.75, 0.25}}, {X: []float64{1}}, {Dims: []int{3}, X: []float64{1, 2, 3}}, {X: []float64{2}}}, []float64{1, 4, 1}},
		// 2F1 by pFq: 2F1(1, 1; 2; z) = -log(1-z)/z.
		{"hypergeometric_pFq", []catalogue.Tensor{{Rank: catalogue.Rank{Array: 1}, Dims: []int{2}, X: []float64{1, 1}}, {Rank: catalogue.Rank{Row: true}, Dims: []int{1}, X: []float64{2}}, {X: []float64{0.5}}}, []float64{2 * math.Ln2}},
	} {
		k := lib.Function(c.name).Kernel
		out := make([]float64, len(c.want))
		var work []float64
		if k.Work != nil {
			work = make([]float64, k.Work(c.in))
		}
		if err := k.Value(c.in, out, work); err != nil {
			t.Fatal(err)
		}
		for i, w := range c.want {
			if math.Abs(out[i]-w) > 1e-12*(1+math.Abs(w)) {
				t.Errorf("%s: %v, want %v", c.name, out, c.want)
			}
		}
	}
}

// TestArraysOfColumnsAndRows: to_vector_array and to_row_vector_array take a matrix apart, and
// to_matrix puts it together.
func TestArraysOfColumnsAndRows(t *testing.T) {
	lib := New()
	matrix := []catalogue.Tensor{{Dims: []int{2, 3}, X: []float64{1, 2, 3, 4, 5, 6}}} // columns (1, 2), (3, 4), (5, 6)
	for name, want := range map[string][]int32{
		"to_vector_array": {0, 1, 2, 3, 4, 5}, "to_row_vector_array": {0, 2, 4, 1, 3, 5},
	} {
		_, from, err := lib.Function(name).Layout(matrix)
		if err != nil {
			t.Fatal(err)
		}
		for i, ref := range from {
			if ref.Elem != want[i] {
				t.Errorf("%s takes %v, want %v", name, from, want)
				break
			}
		}
	}
}
