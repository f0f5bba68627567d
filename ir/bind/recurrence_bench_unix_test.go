// What it costs to compile long recurrences.

//go:build unix

package bind_test

import (
	"maps"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// BenchmarkCompileRecurrence measures the way from data to the first gradient of models
// whose loops are true recurrences, as one iteration and unrolled, and the fastest gradient
// after that. The time of compiling is that of the processor, which a busy machine disturbs
// least.
func BenchmarkCompileRecurrence(b *testing.B) {
	for _, c := range []struct {
		name, model string
		length      int
		vars        map[string]any
	}{
		{"garch/T=2000", "d1_garch", 2000, map[string]any{"sigma1": 0.5}},
		{"garch/T=20000", "d1_garch", 20000, map[string]any{"sigma1": 0.5}},
		{"hmm/T=500", "d2_hmm", 500, map[string]any{"K": 4}},
		{"hmm/T=5000", "d2_hmm", 5000, map[string]any{"K": 4}},
		{"missing/kalman/T=20000", missingKalman, 20000, map[string]any{"seen": seen(20000)}},
		{"missing/hmm/T=20000", missingHMM, 20000, map[string]any{"seen": seen(20000)}},
	} {
		for _, without := range [][]string{nil, {"scan"}} {
			name := c.name + "/one round"
			if without != nil {
				name = c.name + "/written out"
			}
			b.Run(name, func(b *testing.B) {
				prog, in := recurrence(b, c.model, c.length, c.vars)
				least, gradient, bytes := time.Duration(1<<62), time.Duration(1<<62), uint64(0)
				for b.Loop() {
					runtime.GC()
					var before, after runtime.MemStats
					runtime.ReadMemStats(&before)
					start := processorTime()
					m, err := bind.Bind(prog, stdlib.New(), in, bind.Options{Without: without})
					if err != nil {
						b.Fatal(err)
					}
					q, grad, e := make([]float64, m.Dim()), make([]float64, m.Dim()), m.NewEvaluator()
					if _, err := e.LogDensityGrad(q, grad); err != nil {
						b.Fatal(err)
					}
					least = min(least, processorTime()-start)
					runtime.ReadMemStats(&after)
					bytes = after.TotalAlloc - before.TotalAlloc
					for range 50 {
						start := time.Now()
						_, _ = e.LogDensityGrad(q, grad)
						gradient = min(gradient, time.Since(start))
					}
				}
				b.ReportMetric(least.Seconds()*1e3, "min-cpu-ms")
				b.ReportMetric(float64(gradient.Nanoseconds())/1e3, "min-us/gradient")
				b.ReportMetric(float64(bytes)/1e6, "MB")
			})
		}
	}
}

// Two filters with observations that are missing: iterations of two variants.
const (
	missingKalman = `data { int T; vector[T] y; array[T] int seen; }
parameters { real<lower=0> q; real<lower=0> r; }
model {
  real m = 0; real P = 1;
  for (t in 1 : T) {
    P += q;
    if (seen[t] == 1) {
      real f = P + r; real k = P / f;
      y[t] ~ normal(m, sqrt(f));
      m += k * (y[t] - m); P *= 1 - k;
    }
  }
  q ~ std_normal(); r ~ std_normal();
}`
	missingHMM = `data { int T; vector[T] y; array[T] int seen; }
parameters { vector[9] a; ordered[3] mu; real<lower=0> s; }
model {
  matrix[3, 3] A = to_matrix(a, 3, 3); vector[3] g = rep_vector(0, 3);
  for (t in 1 : T) {
    vector[3] h;
    for (j in 1 : 3) h[j] = log_sum_exp(g + A[ : , j]);
    if (seen[t] == 1) for (j in 1 : 3) h[j] += normal_lpdf(y[t] | mu[j], s);
    g = h;
  }
  target += log_sum_exp(g); a ~ std_normal(); mu ~ std_normal(); s ~ lognormal(0, 1);
}`
)

// seen reports where something is observed: in four of five places.
func seen(length int) []int {
	r := rand.New(rand.NewPCG(7, 8))
	list := make([]int, length)
	for i := range list {
		list[i] = min(r.IntN(5), 1)
	}
	return list
}

// recurrence compiles a workload, or the text of a model, and makes data of the given length.
func recurrence(b *testing.B, model string, length int, vars map[string]any) (*ir.Program, *data.Set) {
	b.Helper()
	name, text := "model.stan", []byte(model)
	if !strings.Contains(model, "model") {
		var err error
		name = model + ".stan"
		if text, err = os.ReadFile("../../examples/workloads/" + name); err != nil {
			b.Fatal(err)
		}
	}
	prog, err := bindtest.Compile(name, string(text), "", stdlib.New())
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(5, 6))
	y := make([]float64, length)
	for i := range y {
		y[i] = r.NormFloat64()
	}
	all := map[string]any{"T": length, "y": y}
	maps.Copy(all, vars)
	in, err := data.FromGo(all)
	if err != nil {
		b.Fatal(err)
	}
	return prog, in
}

// processorTime is what this process has used so far.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
