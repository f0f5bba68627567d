// The same program on other observations: densities as those of a model bound afresh.

package bind_test

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind"
)

const rebindProgram = `
data { int N; vector[N] x; vector[N] y; array[N] int k; }
transformed data { vector[N] centred = x - mean(x); }
parameters { real a; real b; real<lower=0> s; }
transformed parameters { vector[N] eta = a + b * centred; }
model {
  a ~ normal(0, 1);
  b ~ normal(0, 1);
  s ~ normal(0, 1);
  y ~ normal(eta, s);
  for (n in 1:N) if (y[n] > 0) k[n] ~ poisson_log(eta[n]); else k[n] ~ poisson(1);
}
generated quantities { real top = max(y); }`

// asDataText writes a simulation as a data set.
func asDataText(m *bind.Model, s *bind.Simulated) string {
	var parts []string
	for _, list := range [][]bind.Named{m.Fixed(s), s.Observations} {
		for _, v := range list {
			parts = append(parts, fmt.Sprintf("%q: %s", v.Var.Name, bind.AppendJSON(nil, v.Value)))
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func TestRebind(t *testing.T) {
	m := bound(t, rebindProgram, `{"N": 3, "x": [1, 2, 3], "y": [0.1, -0.2, 0.3], "k": [1, 2, 0]}`)
	r := stream(4)
	q := []float64{0.3, -0.2, 0.1}
	for range 5 {
		s, err := m.Simulate(r)
		if err != nil {
			t.Fatal(err)
		}
		fast, err := m.Rebind(s.Observations)
		if err != nil {
			t.Fatal(err)
		}
		slow := bound(t, rebindProgram, asDataText(m, s))
		compareModels(t, fast, slow, q)
		compareModels(t, fast, slow, s.Point)
		m = fast // rebinding goes on from there
	}
}

// rebindForms are programs whose observations go in by different ways: as numbers, as
// counts, one by one, into indices and conditions.
var rebindForms = []struct{ name, program, data string }{
	{"with branches", rebindProgram, `{"N": 3, "x": [1, 2, 3], "y": [0.1, -0.2, 0.3], "k": [1, 2, 0]}`},
	{"counts", `
data { int N; array[N] int k; array[N] int b; array[2] int c; matrix[N, 1] X; array[N] int g; }
parameters { real a; simplex[2] p; ordered[2] cut; }
model {
  a ~ normal(0, 1);
  cut ~ normal(0, 2);
  k ~ poisson_log(a);
  b ~ bernoulli_logit_glm(X, a, [0.5]');
  c ~ multinomial(p);
  g ~ ordered_logistic(rep_vector(a, N), cut);
}
generated quantities { int total = sum(k); vector[N] twice = 2 * to_vector(b); }`,
		`{"N": 3, "k": [1, 2, 0], "b": [0, 1, 1], "c": [3, 4], "X": [[1], [2], [-1]], "g": [1, 2, 3]}`},
	{"one by one", `
data { int N; vector[N] y; array[N] int k; }
parameters { real<lower=0, upper=1> p; }
model {
  for (n in 2:N) y[n] ~ normal(p * y[n - 1], 1);
  for (n in 1:N) k[n] ~ bernoulli(p);
}`, `{"N": 3, "y": [1, 2, 3], "k": [0, 1, 1]}`},
	{"as indices", `
data { int N; array[N] int z; vector[N] y; }
parameters { simplex[2] p; vector[2] mu; }
model { mu ~ normal(0, 1); z ~ categorical(p); y ~ normal(mu[z], 1); }`, `{"N": 3, "z": [1, 2, 2], "y": [1, 2, 3]}`},
	{"discrete parameters", `
data { int N; vector[N] y; array[2] vector[2] w; }
parameters { real mu; array[N] int<lower=1, upper=2> z; }
model {
  mu ~ normal(0, 1);
  for (n in 1:N) { z[n] ~ categorical([0.4, 0.6]'); y[n] ~ normal(mu * z[n], 1); }
  w ~ multi_normal([mu, 0]', identity_matrix(2));
}
generated quantities { real top = max(y) + w[1, 2]; }`, `{"N": 2, "y": [1, 2], "w": [[0, 0], [0, 0]]}`},
	{"branches on parameters", `
data { int N; vector[N] y; }
parameters { real mu; }
model {
  mu ~ normal(0, 1);
  if (mu > 0) y ~ normal(mu, 1); else y ~ cauchy(mu, 1);
}`, `{"N": 2, "y": [1, 2]}`},
	{"truncated and transformed", `
data { int N; vector<lower=0>[N] y; }
parameters { real mu; real<lower=0> s; }
model {
  mu ~ normal(0, 1);
  s ~ exponential(1);
  for (n in 1:N) y[n] ~ normal(mu, s) T[0, ];
}
generated quantities { vector[N] z = log(y); }`, `{"N": 2, "y": [1, 2]}`},
}

// Rebound models agree with those bound afresh, also when one after the other finds that
// the shared recordings do not hold for its observations.
func TestRebindForms(t *testing.T) {
	for _, c := range rebindForms {
		t.Run(c.name, func(t *testing.T) {
			m := bound(t, c.program, c.data)
			r := stream(6)
			for range 8 {
				s, err := m.Simulate(r)
				if err != nil {
					t.Fatal(err)
				}
				other, err := m.Simulate(r)
				if err != nil {
					t.Fatal(err)
				}
				fast, err := m.Rebind(s.Observations)
				if err != nil {
					t.Fatal(err)
				}
				slow := bound(t, c.program, asDataText(m, s))
				compareModels(t, fast, slow, s.Point)
				compareModels(t, fast, slow, other.Point)
			}
		})
	}
}

// Many goroutines rebind and evaluate at once; the race detector looks on.
func TestRebindConcurrently(t *testing.T) {
	m := bound(t, rebindProgram, rebindForms[0].data)
	var wg sync.WaitGroup
	for i := range uint64(4) {
		wg.Go(func() {
			r := stream(20 + i)
			for range 10 {
				s, err := m.Simulate(r)
				if err != nil {
					t.Error(err)
					return
				}
				fast, err := m.Rebind(s.Observations)
				if err != nil {
					t.Error(err)
					return
				}
				compareModels(t, fast, bound(t, rebindProgram, asDataText(m, s)), s.Point)
			}
		})
	}
	wg.Wait()
}

func compareModels(t *testing.T, a, b *bind.Model, q []float64) {
	t.Helper()
	if a.Dim() != b.Dim() || fmt.Sprint(a.Columns()) != fmt.Sprint(b.Columns()) {
		t.Fatalf("dimensions %d and %d, columns %v and %v", a.Dim(), b.Dim(), a.Columns(), b.Columns())
	}
	ea, eb := a.NewEvaluator(), b.NewEvaluator()
	ga, gb := make([]float64, a.Dim()), make([]float64, a.Dim())
	la, err := ea.LogDensityGrad(q, ga)
	if err != nil {
		t.Fatal(err)
	}
	lb, err := eb.LogDensityGrad(q, gb)
	if err != nil {
		t.Fatal(err)
	}
	near := func(what string, x, y float64) {
		if math.Abs(x-y) > 1e-12*(1+math.Abs(y)) {
			t.Errorf("%s of the rebound model is %v, of the bound one %v", what, x, y)
		}
	}
	near("the log density", la, lb)
	for i := range ga {
		near("the gradient", ga[i], gb[i])
	}
	pa, ka, err := ea.(infer.Tempered).LogDensityParts(q)
	if err != nil {
		t.Fatal(err)
	}
	pb, kb, err := eb.(infer.Tempered).LogDensityParts(q)
	if err != nil {
		t.Fatal(err)
	}
	near("the log prior", pa, pb)
	near("the log likelihood", ka, kb)
	wa, wb := make([]float64, len(a.Columns())), make([]float64, len(a.Columns()))
	if err := ea.Write(q, stream(1), wa); err != nil {
		t.Fatal(err)
	}
	if err := eb.Write(q, stream(1), wb); err != nil {
		t.Fatal(err)
	}
	for i := range wa {
		near("a column", wa[i], wb[i])
	}
}

// Data that feed transformed data, declarations of parameters, and observations that
// are transformed data.
func TestRebindFar(t *testing.T) {
	program := `
data { int N; vector[N] y; }
transformed data { real top = max(y); }
parameters { real<lower=-1, upper=1> a; }
model { y ~ normal(a, 1); }
generated quantities { array[top > 0 ? 2 : 1] real z = rep_array(top, top > 0 ? 2 : 1); }`
	m := bound(t, program, `{"N": 2, "y": [-1, -2]}`)
	r := stream(8)
	for range 10 {
		s, err := m.Simulate(r)
		if err != nil {
			t.Fatal(err)
		}
		fast, err := m.Rebind(s.Observations)
		if err != nil {
			t.Fatal(err)
		}
		compareModels(t, fast, bound(t, program, asDataText(m, s)), s.Point)
	}
	own := bound(t, `
data { int N; vector[N] y; }
transformed data { vector[N] z = y / 2; }
parameters { real a; }
model { a ~ normal(0, 1); z ~ normal(a, 1); }`, `{"N": 2, "y": [-1, -2]}`)
	s, err := own.Simulate(r)
	if err != nil {
		t.Fatal(err)
	}
	other, err := own.Rebind(s.Observations)
	if err != nil {
		t.Fatal(err)
	}
	z := s.Numbers()
	_, got, err := other.NewEvaluator().(infer.Tempered).LogDensityParts([]float64{0.5})
	if err != nil {
		t.Fatal(err)
	}
	want := -0.5*((z[0]-0.5)*(z[0]-0.5)+(z[1]-0.5)*(z[1]-0.5)) - math.Log(2*math.Pi)
	if math.Abs(got-want) > 1e-12 {
		t.Errorf("the likelihood of the simulated transformed data is %v, want %v", got, want)
	}
}

// BenchmarkRebind is a simulation, a rebinding, and the first gradient after it.
func BenchmarkRebind(b *testing.B) {
	for _, c := range []struct{ name, program, data string }{
		{"eight schools", `
data { int J; vector[J] y; vector[J] s; }
parameters { real mu; real<lower=0> tau; vector[J] theta; }
model { mu ~ normal(0, 5); tau ~ normal(0, 5); theta ~ std_normal(); y ~ normal(mu + tau * theta, s); }`,
			`{"J": 8, "y": [28, 8, -3, 7, -1, 1, 18, 12], "s": [15, 10, 16, 11, 9, 11, 10, 18]}`},
		{"stochastic volatility", `
data { int T; vector[T] y; }
parameters { real mu; real<lower=-1, upper=1> phi; real<lower=0> sigma; vector[T] h_std; }
transformed parameters {
  vector[T] h = h_std * sigma;
  h[1] /= sqrt(1 - phi * phi);
  h += mu;
  for (t in 2:T) h[t] += phi * (h[t - 1] - mu);
}
model { phi ~ uniform(-1, 1); sigma ~ normal(0, 1); mu ~ normal(0, 1); h_std ~ std_normal(); y ~ normal(0, exp(h / 2)); }`,
			`{"T": 200, "y": [` + strings.TrimSuffix(strings.Repeat("0.1,", 200), ",") + `]}`},
	} {
		b.Run(c.name, func(b *testing.B) {
			m := bound(b, c.program, c.data)
			r := stream(1)
			grad := make([]float64, m.Dim())
			for _, part := range []string{"simulate", "rebind", "gradient"} {
				b.Run(part, func(b *testing.B) {
					for range b.N {
						s, err := m.Simulate(r)
						if err != nil {
							b.Fatal(err)
						}
						if part == "simulate" {
							continue
						}
						other, err := m.Rebind(s.Observations)
						if err != nil {
							b.Fatal(err)
						}
						if part == "rebind" {
							continue
						}
						if _, err := other.NewEvaluator().LogDensityGrad(s.Point, grad); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		})
	}
}

// TestRebindOrder: a model is the same to the bit whatever models were made of the same
// program before, also where observations decide what is computed.
func TestRebindOrder(t *testing.T) {
	const program = `
data { int N; array[N] int<lower=0> y; vector[N] x; }
parameters { real a; real<lower=0> s; vector[2] b; }
model {
  a ~ normal(0, 2);
  s ~ exponential(1);
  b ~ normal(0, 1);
  real h = a;
  for (n in 1:N) if (y[n] > 3) h = 0.5 * h + x[n] * b[1]; else h = tanh(h);
  for (n in 1:N) {
    x[n] ~ normal(a + b[2] * n, s);
    y[n] ~ poisson_log(fmin(a, 3) + b[1] * 0.1);
  }
}`
	const values = `{"N": 6, "y": [1, 4, 0, 2, 5, 7], "x": [0.1, 0.2, -0.4, 1, 2, 0.5]}`
	const sets = 20
	numbers := func(order func(i int) int) [sets][]float64 {
		m := bound(t, program, values)
		var out [sets][]float64
		for i := range sets {
			k := order(i)
			s, err := m.Simulate(stream(uint64(100 + k)))
			if err != nil {
				t.Fatal(err)
			}
			own, err := m.Rebind(s.Observations)
			if err != nil {
				t.Fatal(err)
			}
			r, q, grad := stream(uint64(k)), make([]float64, own.Dim()), make([]float64, own.Dim())
			ev := own.NewEvaluator()
			for range 5 {
				for j := range q {
					q[j] = 0.3 * r.NormFloat64()
				}
				lp, err := ev.LogDensityGrad(q, grad)
				if err != nil {
					t.Fatal(err)
				}
				out[k] = append(append(out[k], lp), grad...)
			}
		}
		return out
	}
	first, second := numbers(func(i int) int { return i }), numbers(func(i int) int { return sets - 1 - i })
	for k := range sets {
		for j, v := range first[k] {
			if math.Float64bits(v) != math.Float64bits(second[k][j]) {
				t.Fatalf("data set %d, number %d: %v, after other models %v", k, j, v, second[k][j])
			}
		}
	}
}
