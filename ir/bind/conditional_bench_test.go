// How long sweeps take: the two models that are compared with JAGS.

package bind_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/gibbs"
	"github.com/seed-12b88e03/ppl/ir/bind"
)

const mixtureProgram = `
data { int N; vector[N] y; }
parameters { simplex[3] w; vector[3] m; vector<lower=0>[3] p; array[N] int<lower=1, upper=3> z; }
model {
  w ~ dirichlet(rep_vector(1, 3)); m ~ normal(0, 10); p ~ gamma(2, 1);
  z ~ categorical(w); y ~ normal(m[z], inv_sqrt(p[z]));
}`

const ratsProgram = `
data { int R; int W; vector[W] t; array[R] vector[W] y; }
parameters { vector[R] a; vector[R] b; real ma; real mb; real<lower=0> sa; real<lower=0> sb; real<lower=0> ty; }
model {
  a ~ normal(ma, sa); b ~ normal(mb, sb); ma ~ normal(0, 100); mb ~ normal(0, 100);
  sa ~ cauchy(0, 1); sb ~ cauchy(0, 1); ty ~ gamma(1, 0.1);
  for (i in 1:R) y[i] ~ normal(a[i] + b[i] * t, inv_sqrt(ty));
}`

func mixtureData(n int) string {
	r := rand.New(rand.NewPCG(1, 1))
	var y []string
	for range n {
		k := 0
		if u := r.Float64(); u > 0.8 {
			k = 2
		} else if u > 0.3 {
			k = 1
		}
		y = append(y, fmt.Sprint([]float64{-4, 0, 3}[k]+[]float64{1, 0.7, 1.2}[k]*r.NormFloat64()))
	}
	return fmt.Sprintf(`{"N": %d, "y": [%s]}`, n, strings.Join(y, ","))
}

func ratsData(groups int) string {
	r := rand.New(rand.NewPCG(2, 2))
	var rows []string
	for range groups {
		a, b := 4+0.5*r.NormFloat64(), 1+0.2*r.NormFloat64()
		var y []string
		for _, t := range []float64{-1.4, -0.7, 0, 0.7, 1.4} {
			y = append(y, fmt.Sprint(a+b*t+0.3*r.NormFloat64()))
		}
		rows = append(rows, "["+strings.Join(y, ",")+"]")
	}
	return fmt.Sprintf(`{"R": %d, "W": 5, "t": [-1.4, -0.7, 0, 0.7, 1.4], "y": [%s]}`, groups, strings.Join(rows, ","))
}

// sweeper returns a function that makes one sweep.
func sweeper(tb testing.TB, m *bind.Model) func() {
	tb.Helper()
	method, err := gibbs.New(gibbs.DefaultOptions())
	if err != nil {
		tb.Fatal(err)
	}
	joint := m.Joint()
	k, _, err := method.NewKernel(joint.NewEvaluator(), 0)
	if err != nil {
		tb.Fatal(err)
	}
	s := infer.State{Q: make([]float64, joint.Dim())}
	if err := k.Start(&s); err != nil {
		tb.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	var info infer.Info
	return func() {
		if err := k.Step(rng, &s, &info); err != nil {
			tb.Fatal(err)
		}
	}
}

func BenchmarkSweep(b *testing.B) {
	for _, c := range []struct{ name, program, data string }{
		{"mixture", mixtureProgram, mixtureData(1000)},
		{"rats", ratsProgram, ratsData(30)},
	} {
		b.Run(c.name, func(b *testing.B) {
			sweep := sweeper(b, bound(b, c.program, c.data))
			sweep()
			b.ReportAllocs()
			for b.Loop() {
				sweep()
			}
		})
	}
}

// TestSweepAllocates reports that sweeps allocate nothing once they run.
func TestSweepAllocates(t *testing.T) {
	for _, c := range []struct{ name, program, data string }{
		{"mixture", mixtureProgram, mixtureData(50)},
		{"rats", ratsProgram, ratsData(5)},
	} {
		sweep := sweeper(t, bound(t, c.program, c.data))
		sweep()
		if n := testing.AllocsPerRun(20, sweep); n > 0 {
			t.Errorf("%s: %v allocations in a sweep", c.name, n)
		}
	}
}
