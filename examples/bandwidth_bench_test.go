package examples

// This file holds the gradient of a regression with a million rows against the time that
// reading its matrix takes.

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/lang"
)

// BenchmarkBandwidth times the gradient of logistic regressions with 1,000,000 rows and 50
// columns, 400 MB, in turns with sums over the matrix. The metric "twice" is the gradient's
// time over that of reading the matrix twice, both the least of some.
//
//	go test ./examples -run NONE -bench Bandwidth -benchtime 1x
func BenchmarkBandwidth(b *testing.B) {
	const n, d = 1_000_000, 50
	set, x := wideRegression(n, d)
	for _, m := range []struct{ name, statement string }{
		{"glm", "y ~ bernoulli_logit_glm(X, alpha, beta);"},
		{"linear", "y ~ bernoulli_logit(alpha + X * beta);"},
		{"normal", "to_vector(y) ~ normal(alpha + X * beta, exp(alpha));"},
	} {
		b.Run(m.name, func(b *testing.B) {
			prog, err := lang.Compile("wide.ppl", `
data { int n; int d; matrix[n, d] X; array[n] int<lower=0, upper=1> y; }
parameters { real alpha; vector[d] beta; }
model { alpha ~ normal(0, 1); beta ~ normal(0, 1); `+m.statement+` }`, lang.Options{})
			if err != nil {
				b.Fatal(lang.ErrorText(err))
			}
			model, err := prog.Bind(set, lang.BindOptions{Seed: 1, WithoutNative: *withoutNative, Without: []string{"statistics"}})
			if err != nil {
				b.Fatal(lang.ErrorText(err))
			}
			e, q, grad := model.Bound().NewEvaluator(), point(d+1, 0.1, 0), make([]float64, d+1)
			if _, err := e.LogDensityGrad(q, grad); err != nil {
				b.Fatal(lang.ErrorText(err))
			}
			gradient := func() { _, _ = e.LogDensityGrad(q, grad) }
			var sum float64
			read := func() { sum += vec.Sum(x) }
			for range b.N {
				our, once := fastest(gradient, read)
				b.ReportMetric(our/1e6, "min-ms")
				b.ReportMetric(once/1e6, "read-ms")
				b.ReportMetric(our/(2*once), "twice")
			}
		})
	}
}

// wideRegression returns outcomes and a matrix of n by d, and the matrix's numbers.
func wideRegression(n, d int) (*data.Set, []float64) {
	r := rand.New(rand.NewPCG(1, 2))
	x, y := make([]float64, n*d), make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	for i := range y {
		y[i] = float64(r.IntN(2))
	}
	value := func(x []float64, ints bool, dims ...int) *data.Value {
		v := &data.Value{Dims: dims, X: x, Ints: ints, FirstReal: -1}
		if !ints {
			v.FirstReal = 0
		}
		return v
	}
	return &data.Set{Vars: map[string]*data.Value{
		"n": value([]float64{float64(n)}, true), "d": value([]float64{float64(d)}, true),
		"X": value(x, false, n, d), "y": value(y, true, n),
	}}, x
}
