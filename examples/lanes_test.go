package examples

// This file compares evaluations at several points at once with those at one.

import (
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
)

// BenchmarkLanes times gradients at four points at once and one after the other, of all
// workloads and posteriors. The metric "ratio" is the second over the first, "us" the time
// for one point of four.
func BenchmarkLanes(b *testing.B) {
	run := func(name string, e infer.Evaluator, at []float64) {
		b.Run(name, func(b *testing.B) {
			const n = 4
			q, grad := make([][]float64, n), make([][]float64, n)
			for i := range q {
				q[i], grad[i] = append([]float64(nil), at...), make([]float64, len(at))
				for j := range q[i] {
					q[i][j] += 0.001 * float64(i)
				}
			}
			lp, errs := make([]float64, n), make([]error, n)
			together := func() { infer.Gradients(e, q, grad, lp, errs) }
			apart := func() {
				for i := range q {
					lp[i], errs[i] = e.LogDensityGrad(q[i], grad[i])
				}
			}
			for range 400 {
				apart()
				together()
			}
			four, one := fastest(together, apart)
			b.ReportMetric(four/n/1000, "us")
			b.ReportMetric(one/four, "ratio")
			b.ReportMetric(0, "ns/op")
		})
	}
	for _, w := range workloads(b) {
		run(w.name, w.model.Bound().NewEvaluator(), w.point)
	}
	found, _ := posteriors(b)
	for _, p := range found {
		model := load(b, p.model, p.data())
		run(p.name, model.Bound().NewEvaluator(), point(model.Dim(), 0.5, 0))
	}
	vol := load(b, "gibbs_prior/volatility.ppl", "gibbs_prior/volatility.json")
	run("volatility", vol.Bound().NewEvaluator(), make([]float64, vol.Dim()))

}
