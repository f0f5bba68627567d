package examples

// This file times gradients, and the way from a process's start to its first one.

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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

// fastest returns the nanoseconds of a call of f and of g: the least of many windows of
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

// BenchmarkStartUp times a whole process of the command line that prints one gradient, for
// the posteriors, the workloads and the examples with data, beside one that only starts
// (ppl version). The metric "min-ms" is the wall clock of the fastest process, "cpu-ms" the
// least processor time of one, which a busy machine disturbs less.
//
//	go test ./examples -run NONE -bench StartUp -benchtime 10x
func BenchmarkStartUp(b *testing.B) {
	ppl := buildCommand(b)
	run := func(name string, args ...string) {
		b.Run(name, func(b *testing.B) {
			least, cpu := math.Inf(1), math.Inf(1)
			for range b.N {
				cmd, start := exec.Command(ppl, args...), time.Now()
				if text, err := cmd.CombinedOutput(); err != nil {
					b.Fatalf("%v\n%s", err, text)
				}
				used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
				least = math.Min(least, float64(time.Since(start).Microseconds())/1000)
				cpu = math.Min(cpu, float64(used.Microseconds())/1000)
			}
			b.ReportMetric(least, "min-ms")
			b.ReportMetric(cpu, "cpu-ms")
		})
	}
	run("version", "version")
	found, _ := posteriors(b)
	for _, p := range found {
		run(p.name, "density", p.model, "--data", p.data(), "--at", "zeros")
	}
	for _, pattern := range []string{"workloads/*.json", "*/*.json"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			b.Fatal(err)
		}
		for _, data := range files {
			stem, _, _ := strings.Cut(strings.TrimSuffix(data, ".json"), "-")
			for _, extension := range []string{".ppl", ".stan"} {
				if _, err := os.Stat(stem + extension); err == nil && (pattern != "*/*.json" || filepath.Dir(data) != "workloads") {
					run(filepath.Base(strings.TrimSuffix(data, ".json")), "density", stem+extension, "--data", data, "--at", "zeros")
				}
			}
		}
	}
}
