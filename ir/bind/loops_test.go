// What it costs to compile a loop over observations.

package bind_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/ir/pass"
	"github.com/seed-12b88e03/ppl/stdlib"
)

const regression = `data {
  int N; int J;
  array[N] int g;
  vector[N] x;
  vector[N] y;
}
parameters { vector[J] a; real b; real<lower=0> s; }
model {
  a ~ normal(0, 1);
  for (n in 1 : N)
    y[n] ~ normal(a[g[n]] + b * x[n], s);
}
`

// compileRegression compiles a regression of n observations and gives the bytes that
// this allocated.
func compileRegression(t testing.TB, n int, o pass.Options) uint64 {
	t.Helper()
	const groups = 50
	r := rand.New(rand.NewPCG(3, 4))
	g, x, y := make([]int, n), make([]float64, n), make([]float64, n)
	for i := range g {
		g[i], x[i], y[i] = 1+r.IntN(groups), r.NormFloat64(), r.NormFloat64()
	}
	lib := stdlib.New()
	p, err := bindtest.Compile("regression.stan", regression, "", lib)
	if err != nil {
		t.Fatal(err)
	}
	in, err := data.FromGo(map[string]any{"N": n, "J": groups, "g": g, "x": x, "y": y})
	if err != nil {
		t.Fatal(err)
	}
	m, err := bind.Bind(p, lib, in, bind.Options{Passes: o})
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	q := make([]float64, m.Dim())
	if _, err := m.NewEvaluator().LogDensityGrad(q, q); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestLoopsTakeLittleMemory holds what compiling a loop allocates to a multiple of the
// data it goes over: three numbers an observation.
func TestLoopsTakeLittleMemory(t *testing.T) {
	const n, most = 20000, 20
	if times := float64(compileRegression(t, n, pass.Options{})) / (3 * 8 * n); times > most {
		t.Errorf("compiling allocates %.1f times the data, but should at most %d times", times, most)
	}
}

func BenchmarkCompileLoop(b *testing.B) {
	for _, o := range []pass.Options{{}, {Off: []string{"vectorize"}}} {
		for _, n := range []int{1000, 10000, 100000} {
			if o.Off != nil && n > 10000 {
				continue
			}
			b.Run(fmt.Sprintf("without=%v/n=%d", o.Off, n), func(b *testing.B) {
				bytes := uint64(0)
				for b.Loop() {
					bytes = compileRegression(b, n, o)
				}
				b.ReportMetric(float64(bytes)/float64(n), "B/row")
			})
		}
	}
}
