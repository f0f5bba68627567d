// Large parts of reduce_sum and map_rect: the same numbers on any number of cores.

package bind_test

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/data"
)

const slicedText = `
functions {
  real likelihood(array[] real y, int from, int to, vector x, real a, real b, array[] real sigma) {
    real lp = 0;
    for (i in 1:size(y)) {
      real mu = a + b * x[from + i - 1] + sin(b * x[from + i - 1]);
      if (a > 10) mu += 1;
      lp += student_t_lpdf(y[i] | 4 + mu * mu, mu, sigma[1 + (from + i) % 2]) + log1p_exp(mu);
    }
    return lp;
  }
  real pairs(array[] vector y, int from, int to, real a) {
    real lp = 0;
    for (i in 1:size(y)) {
      for (k in 1:9) lp += cauchy_lpdf(y[i][1] | a * y[i][2] * k, exp(a * y[i][2]));
    }
    return lp;
  }
  real vectors(array[] vector z, int from, int to, real a) {
    real lp = 0;
    for (i in 1:size(z)) {
      lp += -square(z[i, 1] - a) - z[i, 2]^2 * exp(a);
      for (k in 1:20) lp += cos(z[i, 1] * k) * a;
    }
    return lp;
  }
  vector job(vector phi, vector theta, data array[] real x_r, data array[] int x_i) {
    real lp = 0;
    for (x in x_r) lp += normal_lpdf(x | phi[1] + sin(theta[1] * x), exp(phi[2])) + cos(theta[1] * x * phi[1]);
    return [lp]';
  }
}
data { int N; }
transformed data {
  array[N] real y;
  vector[N] x;
  array[N] vector[2] p;
  array[4, 2 * N] real r;
  array[4, 0] int none;
  for (n in 1:N) {
    y[n] = sin(n);
    x[n] = cos(n * 1.3);
    p[n] = [y[n], x[n]]';
    for (j in 1:4) { r[j, n] = sin(n * j); r[j, N + n] = cos(n * j); }
  }
}
parameters { real a; real b; array[2] real<lower=0> sigma; array[N] vector[2] z; array[4] vector[1] theta; }
model {
  target += reduce_sum(likelihood, y, 1, x, a, b, sigma);
  target += reduce_sum_static(pairs, p, 50, a);
  target += reduce_sum(vectors, z, 10, a);
  target += map_rect(job, [a, b]', theta, r, none);
}
`

func slicedModel(tb testing.TB, n int, divide bool) *bind.Model {
	tb.Helper()
	return slicedWith(tb, slicedText, n, bind.Options{Seed: 1, Divide: divide})
}

func slicedWith(tb testing.TB, text string, n int, o bind.Options) *bind.Model {
	tb.Helper()
	p, err := bindtest.Compile("test.stan", text, "", higherLibrary)
	if err != nil {
		tb.Fatal(err)
	}
	set, err := data.Read(strings.NewReader(fmt.Sprintf(`{"N": %d}`, n)), "data.json", func(string) bool { return true })
	if err != nil {
		tb.Fatal(err)
	}
	m, err := bind.Bind(p, higherLibrary, set, o)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

func slicedPoint(m *bind.Model) []float64 {
	q := make([]float64, m.Dim())
	for i := range q {
		q[i] = 0.3*float64(i%5) - 0.4
	}
	return q
}

// The reference interpreter never divides a call.
func TestSlicesAgreeWithWhole(t *testing.T) {
	m := slicedModel(t, 1600, true)
	if n := dividedCalls(t, m); n != 4 {
		t.Errorf("%d calls were divided, not 4", n)
	}
	q := slicedPoint(m)
	e := m.NewEvaluator()
	grad := make([]float64, len(q))
	for _, shift := range []float64{0, 11} { // a > 10 takes the other branch
		q[0] += shift
		lp, err := e.LogDensityGrad(q, grad)
		if err != nil {
			t.Fatal(err)
		}
		value, err := e.LogDensity(q)
		if err != nil {
			t.Fatal(err)
		}
		want, tape, err := m.PlainDensity(q, true)
		if err != nil {
			t.Fatal(err)
		}
		if tol := 1e-11 * math.Abs(want); !close64(lp, want, tol) || !close64(value, want, tol) {
			t.Errorf("divided %v and %v, whole %v", lp, value, want)
		}
		if err := closeGradients(grad, tape, 1e-11); err != nil {
			t.Error(err)
		}
	}
}

// dividedCalls counts the calls that are divided.
func dividedCalls(tb testing.TB, m *bind.Model) int {
	tb.Helper()
	dump, err := m.DumpGraph(slicedPoint(m))
	if err != nil {
		tb.Fatal(err)
	}
	return strings.Count(dump, " parts")
}

// largeText has a sum whose parts share their parameters, and one whose parts have their own.
const largeText = `
functions {
  real regression(array[] real y, int from, int to, vector x, real a, real b, real sigma) {
    return cauchy_lpdf(y | a + b * exp(x[from:to]), sigma);
  }
  real random(array[] real z, int from, int to, real b) {
    return normal_lpdf(z | b, 1);
  }
}
data { int N; }
transformed data {
  array[N] real y = to_array_1d(sin(linspaced_vector(N, 0, N)));
  vector[N] x = cos(linspaced_vector(N, 0, N));
}
parameters { real a; real b; real<lower=0> sigma; array[N] real z; }
model {
  target += reduce_sum(regression, y, 1, x, a, b, sigma);
  target += reduce_sum(random, z, 1, b);
}
`

// Calls so large that a core loses nothing by it are divided unasked; small ones are not,
// nor are those whose parts depend on many parameters for what they compute.
func TestLargeSlicesAreDividedUnasked(t *testing.T) {
	for _, c := range []struct {
		n    int
		o    bind.Options
		want int
	}{
		{1600, bind.Options{}, 0},
		{manySlices, bind.Options{}, 1},
		{manySlices, bind.Options{Without: []string{"slices"}}, 0},
		{manySlices, bind.Options{Without: []string{"slices"}, Divide: true}, 2},
	} {
		if n := dividedCalls(t, slicedWith(t, largeText, c.n, c.o)); n != c.want {
			t.Errorf("%d numbers, %+v: %d calls are divided, not %d", c.n, c.o, n, c.want)
		}
	}
}

// manySlices is a size at which calls are divided unasked.
const manySlices = 200_000

func TestSlicesDoNotDependOnCores(t *testing.T) {
	sameOnAnyCores(t, slicedText, 1600, bind.Options{Seed: 1, Divide: true})
	sameOnAnyCores(t, largeText, manySlices, bind.Options{Seed: 1})
}

func sameOnAnyCores(t *testing.T, text string, n int, o bind.Options) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var want []float64
	for _, procs := range []int{1, 8, 2}[:subset.Of(2, 3)] {
		runtime.GOMAXPROCS(procs)
		m := slicedWith(t, text, n, o)
		e := m.NewEvaluator()
		q := slicedPoint(m)
		var got []float64
		for range 4 {
			grad := make([]float64, len(q))
			lp, err := e.LogDensityGrad(q, grad)
			if err != nil {
				t.Fatal(err)
			}
			got = append(append(got, lp), grad...)
			for i := range q {
				q[i] += 1e-4 * grad[i] / (1 + math.Abs(grad[i]))
			}
		}
		if want == nil {
			want = got
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("with %d processors number %d is %v, with one %v", procs, i, got[i], want[i])
			}
		}
	}
}

// BenchmarkSlices compares one chain's gradient, divided and whole, on one processor and
// on two; and that of four chains side by side.
func BenchmarkSlices(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, chains := range []int{1, 4} {
		for _, procs := range []int{1, 2} {
			for _, divide := range []bool{true, false} {
				b.Run(fmt.Sprintf("chains=%d/procs=%d/divide=%v", chains, procs, divide), func(b *testing.B) {
					runtime.GOMAXPROCS(procs)
					m := slicedModel(b, 2000, divide)
					benchmarkChains(b, m, chains)
				})
			}
		}
	}
}

func benchmarkChains(b *testing.B, m *bind.Model, chains int) {
	done := make(chan error, chains)
	start := make(chan bool)
	for range chains {
		go func() {
			e, q := m.NewEvaluator(), slicedPoint(m)
			grad := make([]float64, len(q))
			_, err := e.LogDensityGrad(q, grad) // records
			done <- err
			<-start
			for range b.N {
				if _, err = e.LogDensityGrad(q, grad); err != nil {
					break
				}
			}
			done <- err
		}()
	}
	for i := range 2 * chains {
		if err := <-done; err != nil {
			b.Fatal(err)
		}
		if i == chains-1 {
			b.ResetTimer()
			close(start)
		}
	}
}
