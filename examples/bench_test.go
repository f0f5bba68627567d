package examples

// This file times gradients, and the way from a process's start to its first one.

import (
	"math"
	"os/exec"
	"testing"
	"time"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/lang"
)

// BenchmarkWorkload times the gradient of each workload, and the hand-written one in
// turn with it. The metric "ratio" is ours over hand-written, both as the minimum over
// many short windows: what disturbs the machine only ever makes a window longer.
func BenchmarkWorkload(b *testing.B) {
	for _, w := range workloads(b) {
		b.Run(w.name, func(b *testing.B) {
			e := w.model.Bound().NewEvaluator()
			grad := make([]float64, len(w.point))
			timeGradient(b, e, w.point, grad)
			ours := func() { _, _ = e.LogDensityGrad(w.point, grad) }
			hand := func() { w.hand(w.point, grad) }
			our, by := fastest(ours, hand)
			b.ReportMetric(our, "min-ns/op")
			b.ReportMetric(by, "hand-ns/op")
			b.ReportMetric(our/by, "ratio")
		})
	}
}

// BenchmarkMatrixWorkload times the gradients of workloads with large matrices. The metric
// "min-us" is the fastest.
func BenchmarkMatrixWorkload(b *testing.B) {
	for _, w := range matrixWorkloads(b, math.MaxInt) {
		b.Run(w.name, func(b *testing.B) {
			model := load(b, w.model, w.data)
			e := model.Bound().NewEvaluator()
			q := make([]float64, model.Dim())
			grad := make([]float64, len(q))
			timeGradient(b, e, q, grad)
			gradient := func() { _, _ = e.LogDensityGrad(q, grad) }
			least, _ := fastest(gradient, gradient)
			b.ReportMetric(least/1000, "min-us")
		})
	}
}

// BenchmarkPosterior times the gradients of the posteriors with reference draws.
func BenchmarkPosterior(b *testing.B) {
	found, _ := posteriors(b)
	for _, p := range found {
		b.Run(p.name, func(b *testing.B) {
			model := load(b, p.model, p.data())
			q := point(model.Dim(), 0.5, 0)
			timeGradient(b, model.Bound().NewEvaluator(), q, make([]float64, len(q)))
		})
	}
}

// timeGradient is the benchmark of a gradient after the first, which compiles.
func timeGradient(b *testing.B, e infer.Evaluator, q, grad []float64) {
	if _, err := e.LogDensityGrad(q, grad); err != nil {
		b.Fatal(lang.ErrorText(err))
	}
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		_, _ = e.LogDensityGrad(q, grad)
	}
	b.StopTimer()
}

// fastest gives the nanoseconds of a call of f and of g: the least of many windows of
// some 50 microseconds (but at least one call), in turns.
func fastest(f, g func()) (nf, ng float64) {
	const (
		window = 50 * time.Microsecond
		total  = 800 * time.Millisecond
	)
	calls := func(f func()) int {
		start, n := time.Now(), 0
		for time.Since(start) < 20*window {
			f()
			n++
		}
		return max(1, n/20)
	}
	run := func(f func(), n int) float64 {
		start := time.Now()
		for range n {
			f()
		}
		return float64(time.Since(start)) / float64(n)
	}
	cf, cg := calls(f), calls(g)
	nf, ng = math.Inf(1), math.Inf(1)
	for start := time.Now(); time.Since(start) < total; {
		nf = math.Min(nf, run(f, cf))
		ng = math.Min(ng, run(g, cg))
	}
	return nf, ng
}

// BenchmarkFirstGradient times, inside this process, all that stands before the first
// gradient: reading, compiling and binding the program, and the gradient itself.
func BenchmarkFirstGradient(b *testing.B) {
	found, _ := posteriors(b)
	for _, p := range found {
		b.Run(p.name, func(b *testing.B) {
			for range b.N {
				model := load(b, p.model, p.data())
				if _, _, err := model.Gradient(make([]float64, model.Dim())); err != nil {
					b.Fatal(lang.ErrorText(err))
				}
			}
		})
	}
}

// BenchmarkStartUp times a whole process of the command line that prints one gradient.
// The metric "min-ms" is that of the fastest process.
func BenchmarkStartUp(b *testing.B) {
	ppl := buildCommand(b)
	found, _ := posteriors(b)
	for _, p := range found {
		b.Run(p.name, func(b *testing.B) {
			least := math.Inf(1)
			for range b.N {
				start := time.Now()
				text, err := exec.Command(ppl, "density", p.model, "--data", p.data(), "--at", "zeros").CombinedOutput()
				if err != nil {
					b.Fatalf("%v\n%s", err, text)
				}
				least = math.Min(least, float64(time.Since(start).Microseconds())/1000)
			}
			b.ReportMetric(least, "min-ms")
		})
	}
}
