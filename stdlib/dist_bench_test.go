// This file times the drivers of densities and holds them to zero allocations.

package stdlib

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/univariate"
)

// densityRow finds a row by name among the functions of the distributions.
func densityRow(name string) *catalogue.Function {
	for _, d := range univariate.Distributions() {
		for _, f := range univariate.DensityFunctions(d) {
			if f.Name == name {
				return f
			}
		}
	}
	return nil
}

// benchmarkInput makes n variates of a distribution: "v" marks vectors, "s" scalars,
// in capitals those with derivatives.
func benchmarkInput(n int, shape string, values ...float64) (in []catalogue.Tensor, din [][]float64) {
	r := rand.New(rand.NewChaCha8([32]byte{1}))
	for j, c := range shape {
		t := catalogue.Tensor{X: []float64{values[j]}}
		if c == 'v' || c == 'V' || c == 'i' {
			t = catalogue.Tensor{Dims: []int{n}, X: make([]float64, n)}
			for i := range t.X {
				t.X[i] = values[j] + 0.1*r.Float64()
				if c == 'i' {
					t.X[i] = float64(r.IntN(2)) + values[j]
				}
			}
		}
		var d []float64
		if c == 'V' || c == 'S' {
			d = make([]float64, len(t.X))
		}
		in, din = append(in, t), append(din, d)
	}
	return in, din
}

var benchmarkCases = []struct {
	name, shape string
	values      []float64
}{
	{"normal_lpdf", "vSS", []float64{1, 0, 2}},
	{"normal_lpdf", "vVS", []float64{1, 0, 2}},
	{"normal_lpdf", "VSS", []float64{1, 0, 2}},
	{"normal_lpdf", "vVV", []float64{1, 0, 2}},
	{"std_normal_lpdf", "V", []float64{1}},
	{"lognormal_lpdf", "vSS", []float64{1, 0, 2}},
	{"cauchy_lpdf", "VSS", []float64{1, 0, 2}},
	{"student_t_lpdf", "vSSS", []float64{1, 3, 0, 2}},
	{"student_t_lpdf", "vsSV", []float64{1, 3, 0, 2}},
	{"exponential_lpdf", "vS", []float64{1, 3}},
	{"gamma_lpdf", "vSS", []float64{1, 3, 4}},
	{"beta_lpdf", "vSS", []float64{0.5, 3, 4}},
	{"bernoulli_lpmf", "iS", []float64{0, 0.3}},
	{"bernoulli_logit_lpmf", "iV", []float64{0, 0.3}},
	{"binomial_logit_lpmf", "isV", []float64{3, 10, 0.3}},
	{"poisson_log_lpmf", "iV", []float64{3, 0.3}},
	{"neg_binomial_2_log_lpmf", "iVS", []float64{3, 0.3, 4}},
	{"lognormal_lpdf", "vVS", []float64{1, 0, 2}},
	{"exponential_lpdf", "vV", []float64{1, 3}},
	{"gamma_lpdf", "vSV", []float64{1, 3, 4}},
	{"gamma_lpdf", "vVV", []float64{1, 3, 4}},
	{"beta_lpdf", "vVV", []float64{0.5, 3, 4}},
	{"weibull_lpdf", "vSV", []float64{1, 3, 4}},
	{"logistic_lpdf", "vVS", []float64{1, 3, 4}},
	{"double_exponential_lpdf", "vVS", []float64{1, 3, 4}},
	{"bernoulli_lpmf", "iV", []float64{0, 0.3}},
	{"binomial_lpmf", "isV", []float64{3, 10, 0.3}},
	{"beta_binomial_lpmf", "isVV", []float64{3, 10, 2, 3}},
	{"poisson_lpmf", "iV", []float64{3, 2.3}},
	{"neg_binomial_2_lpmf", "iVS", []float64{3, 2.3, 4}},
	{"neg_binomial_2_log_lpmf", "iVV", []float64{3, 0.3, 4}},
	{"normal_lcdf", "vSS", []float64{1, 0, 2}},
	{"normal_cdf", "vSS", []float64{1, 0, 2}},
	{"gamma_lccdf", "vSS", []float64{1, 3, 4}},
}

func TestDensitiesDoNotAllocate(t *testing.T) {
	for _, c := range benchmarkCases {
		for _, n := range []int{1, 7} {
			k := densityRow(c.name).Kernel
			in, din := benchmarkInput(n, c.shape, c.values...)
			work := make([]float64, k.Work(in))
			allocs := testing.AllocsPerRun(20, func() {
				if _, err := k.ValueGrad(in, din, work); err != nil {
					t.Fatal(err)
				}
			})
			if allocs != 0 {
				t.Errorf("%s(%s): %v allocations", c.name, c.shape, allocs)
			}
		}
	}
}

// TestDistributionsDoNotAllocate is the same for every function at every test point,
// for one variate and for three.
func TestDistributionsDoNotAllocate(t *testing.T) {
	r := testRand(9)
	eachPoint(t, func(t *testing.T, d *catalogue.Distribution, params []float64) {
		for _, nf := range functionsOf(d) {
			k := densityRow(d.Name + nf.suffix).Kernel
			y := catalogue.Tensor{Dims: []int{3}, X: []float64{d.Draw(r, params), d.Draw(r, params), d.Draw(r, params)}}
			for _, first := range []catalogue.Tensor{y, {X: y.X[:1]}} {
				in := append([]catalogue.Tensor{first}, scalars(params...)...)
				din := make([][]float64, len(in))
				for j := range din {
					din[j] = make([]float64, len(in[j].X))
				}
				work := make([]float64, k.Work(in))
				if a := testing.AllocsPerRun(20, func() { _, _ = k.ValueGrad(in, din, work) }); a != 0 {
					t.Errorf("%s%s(%v): %v allocations", d.Name, nf.suffix, params, a)
				}
			}
		}
	})
}

func BenchmarkDensity(b *testing.B) {
	const n = 10000
	for _, c := range benchmarkCases {
		b.Run(c.name+"/"+c.shape, func(b *testing.B) {
			k := densityRow(c.name).Kernel
			in, din := benchmarkInput(n, c.shape, c.values...)
			work := make([]float64, k.Work(in))
			b.ReportAllocs()
			least := time.Hour // what disturbs the machine only makes a call longer
			for b.Loop() {
				start := time.Now()
				if _, err := k.ValueGrad(in, din, work); err != nil {
					b.Fatal(err)
				}
				least = min(least, time.Since(start))
			}
			b.ReportMetric(float64(least.Nanoseconds())/n, "min-ns/element")
		})
	}
}

// BenchmarkScalarDensity times one variate: the cost of a call.
func BenchmarkScalarDensity(b *testing.B) {
	for _, c := range []struct {
		name   string
		values []float64
	}{
		{"normal_lpdf", []float64{1, 0, 2}},
		{"student_t_lpdf", []float64{1, 3, 0, 2}},
		{"gamma_lpdf", []float64{1, 3, 4}},
	} {
		b.Run(c.name, func(b *testing.B) {
			k := densityRow(c.name).Kernel
			in, din := benchmarkInput(1, "SSSS"[:len(c.values)], c.values...)
			work := make([]float64, k.Work(in))
			for b.Loop() {
				if _, err := k.ValueGrad(in, din, work); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
