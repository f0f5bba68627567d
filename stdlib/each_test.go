package stdlib

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/lowering"
)

// TestEachIsTheDensityOfEachElement compares with the scalar density, value and gradient;
// that one is held against outside numbers by the conformance vectors.
func TestEachIsTheDensityOfEachElement(t *testing.T) {
	lib := New()
	for name, args := range map[string][][]float64{
		"normal_lpdf":          {{0.3, -1, 2}, {0.5}, {1, 2, 0.5}},
		"student_t_lpdf":       {{0.3, -1, 2}, {4}, {0.1, 0.2, 0.3}, {1.5}},
		"gamma_lpdf":           {{0.3, 1, 2}, {2, 3, 0.5}, {1.2}},
		"lognormal_lpdf":       {{0.3, 1, 2}, {0.2}, {0.7, 0.8, 0.9}},
		"poisson_log_lpmf":     {{0, 3, 1}, {0.1, -0.4, 2}},
		"bernoulli_logit_lpmf": {{0, 1, 1}, {0.7}},
		"neg_binomial_2_lpmf":  {{0, 3, 9}, {2.5}, {0.4, 1, 8}},
		"wiener_lpdf":          {{0.8, 1, 2}, {1.3}, {0.2}, {0.5, 0.4, 0.6}, {0.3}},
	} {
		fn := lib.Function(name)
		each := lowering.PerElement(fn)
		if each == nil {
			t.Errorf("%s: no density of each element", name)
			continue
		}
		in, one := make([]catalogue.Tensor, len(args)), make([]catalogue.Tensor, len(args))
		din, done := make([][]float64, len(args)), make([][]float64, len(args))
		for k, x := range args {
			in[k].X, one[k].X = x, make([]float64, 1)
			if len(x) > 1 {
				in[k].Dims = []int{len(x)}
			}
			if k > 0 || !fn.Density.Discrete {
				din[k], done[k] = make([]float64, len(x)), make([]float64, 1)
			}
		}
		out, adj := make([]float64, 3), []float64{0.5, -2, 3}
		work := make([]float64, each.Kernel.Work(in))
		if err := each.Kernel.Value(in, out, work); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		each.Kernel.VJP(in, out, adj, din, work)
		want := make([][]float64, len(args))
		for k := range args {
			want[k] = make([]float64, len(args[k]))
		}
		for i, a := range adj {
			for k, x := range args {
				one[k].X[0] = x[min(i, len(x)-1)]
				clear(done[k])
			}
			v, err := fn.Kernel.ValueGrad(one, done, make([]float64, fn.Kernel.Work(one)))
			if err != nil || math.Abs(v-out[i]) > 1e-14*(1+math.Abs(v)) {
				t.Errorf("%s, element %d: %v, alone %v (%v)", name, i, out[i], v, err)
			}
			for k := range done {
				if done[k] != nil {
					want[k][min(i, len(args[k])-1)] += a * done[k][0]
				}
			}
		}
		for k := range din {
			for i, d := range din[k] {
				if math.Abs(d-want[k][i]) > 1e-13*(1+math.Abs(d)) {
					t.Errorf("%s: derivative %d of argument %d is %v, alone %v", name, i, k, d, want[k][i])
				}
			}
		}
	}
}

func TestEachRejects(t *testing.T) {
	each := lowering.PerElement(New().Function("normal_lpdf"))
	in := []catalogue.Tensor{{X: []float64{1, 2}, Dims: []int{2}}, {X: []float64{0}}, {X: []float64{1, -1}, Dims: []int{2}}}
	if err := each.Kernel.Value(in, make([]float64, 2), make([]float64, each.Kernel.Work(in))); err == nil {
		t.Error("a negative scale was accepted")
	}
	if lowering.PerElement(New().Function("exp")) != nil || lowering.PerElement(New().Function("normal_lcdf")) != nil {
		t.Error("a function that is no density has one of each element")
	}
}
