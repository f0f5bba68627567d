// Recurrences: loops that are recorded as one iteration, and ones that must not be.

package bind_test

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A loop is a program with a recurrence of T iterations or about as many; scans is how many
// loops the gradient consists of, back and forth.
type tracedLoop struct {
	name, text string
	scans      int
}

const loopVars = `data {
  int<lower=1> T; int<lower=1> K;
  vector[T] y; array[T] int<lower=1, upper=K> c; array[T] int<lower=0> n; matrix[T, K] X;
}
`

var tracedLoops = []tracedLoop{
	{"garch", `parameters { real mu; real<lower=0> a0; real<lower=0, upper=1> a1; real<lower=0, upper=1 - a1> b1; }
model {
  array[T] real s;
  s[1] = 0.7;
  for (t in 2 : T) s[t] = sqrt(a0 + a1 * square(y[t - 1] - mu) + b1 * square(s[t - 1]));
  y ~ normal(mu, s);
}`, 2},
	{"garch from a parameter", `parameters { real mu; real<lower=0> s1; real<lower=0> a0; real<lower=0, upper=1> a1; real<lower=0, upper=1> b1; }
model {
  vector[T] s;
  s[1] = s1;
  for (t in 2 : T) {
    s[t] = sqrt(a0 + a1 * square(y[t - 1] - mu) + b1 * square(s[t - 1]));
    y[t] ~ normal(mu, s[t]);
  }
}`, 2},
	{"ar(3) of a state", `parameters { vector[3] phi; vector[T] e; real<lower=0> s; }
model {
  vector[T] x = e;
  for (t in 4 : T) {
    x[t] = s * e[t];
    for (k in 1 : 3) x[t] += 0.3 * tanh(phi[k]) * x[t - k];
  }
  e ~ std_normal(); s ~ std_normal(); phi ~ std_normal();
  y ~ normal(x, 1);
}`, 2},
	{"arma(1, 1)", `parameters { real mu; real phi; real theta; real<lower=0> s; }
model {
  vector[T] nu; vector[T] err;
  nu[1] = mu + phi * mu;
  err[1] = y[1] - nu[1];
  for (t in 2 : T) {
    nu[t] = mu + phi * y[t - 1] + 0.5 * tanh(theta) * err[t - 1];
    err[t] = y[t] - nu[t];
  }
  mu ~ normal(0, 10); phi ~ normal(0, 2); theta ~ normal(0, 2);
  err ~ normal(0, s);
}`, 2},
	{"local level", `parameters { vector[T] e; real m0; real<lower=0> s; real<lower=0> h; }
transformed parameters {
  vector[T] m;
  m[1] = m0;
  for (t in 2 : T) m[t] = m[t - 1] + s * e[t];
}
model { e ~ std_normal(); s ~ std_normal(); h ~ std_normal(); y ~ normal(m, h); }`, 2},
	{"stochastic volatility", `parameters { real mu; real<lower=-1, upper=1> phi; real<lower=0> s; vector[T] z; }
transformed parameters {
  vector[T] h = z * s;
  h[1] /= sqrt(1 - phi * phi);
  h += mu;
  for (t in 2 : T) h[t] += phi * (h[t - 1] - mu);
}
model { phi ~ uniform(-1, 1); s ~ cauchy(0, 5); mu ~ cauchy(0, 10); z ~ std_normal(); y ~ normal(0, exp(h / 2)); }`, 2},
	{"hidden markov", `parameters { array[K] simplex[K] theta; ordered[K] mu; real<lower=0> s; }
model {
  vector[K] gamma;
  for (k in 1 : K) gamma[k] = normal_lpdf(y[1] | mu[k], s);
  for (t in 2 : T) {
    vector[K] next;
    for (k in 1 : K) {
      vector[K] from;
      for (j in 1 : K) from[j] = gamma[j] + log(theta[j, k]);
      next[k] = log_sum_exp(from) + normal_lpdf(y[t] | mu[k], s);
    }
    gamma = next;
  }
  target += log_sum_exp(gamma);
}`, 2},
	{"hidden markov, as in the guide", `parameters { array[K] simplex[K] theta; array[K] simplex[K] phi; }
model {
  array[T, K] real gamma;
  array[K] real acc;
  for (k in 1 : K) gamma[1, k] = log(phi[k, c[1]]);
  for (t in 2 : T) {
    for (k in 1 : K) {
      for (j in 1 : K) acc[j] = gamma[t - 1, j] + log(theta[j, k]) + log(phi[k, c[t]]);
      gamma[t, k] = log_sum_exp(acc);
    }
  }
  target += log_sum_exp(gamma[T]);
}`, 2},
	{"kalman filter", `parameters { real<lower=0> q; real<lower=0> r; real m0; }
model {
  real m = m0; real P = 1;
  for (t in 1 : T) {
    real S = P + q + r;
    real gain = (P + q) / S;
    y[t] ~ normal(m, sqrt(S));
    m += gain * (y[t] - m);
    P = (1 - gain) * (P + q);
  }
  q ~ std_normal(); r ~ std_normal(); m0 ~ std_normal();
}`, 2},
	{"exponential smoothing", `parameters { real<lower=0, upper=1> a; real<lower=0, upper=1> b; real l0; real b0; real<lower=0> s; }
model {
  real l = l0; real d = b0; vector[T] f;
  for (t in 1 : T) {
    real before = l;
    f[t] = l + d;
    l = a * y[t] + (1 - a) * (l + d);
    d = b * (l - before) + (1 - b) * d;
  }
  y ~ normal(f, s); l0 ~ std_normal(); b0 ~ std_normal();
}`, 2},
	{"cumulative product", `parameters { vector<lower=0, upper=1>[T] p; }
model {
  vector[T] w; real left = 1;
  for (t in 1 : T) { w[t] = p[t] * left; left *= 1 - p[t]; }
  target += dot_product(w, y);
}`, 2},
	{"epidemic", `parameters { real<lower=0> beta; real<lower=0, upper=1> gamma; real<lower=0> s; }
transformed parameters {
  matrix[T, 3] x; 
  x[1] = [0.99, 0.01, 0];
  for (t in 2 : T) {
    real infected = 0.1 * beta * x[t - 1, 1] * x[t - 1, 2];
    real recovered = 0.1 * gamma * x[t - 1, 2];
    x[t, 1] = x[t - 1, 1] - infected;
    x[t, 2] = x[t - 1, 2] + infected - recovered;
    x[t, 3] = x[t - 1, 3] + recovered;
  }
}
model { y ~ normal(x[ : , 2], s); beta ~ std_normal(); s ~ std_normal(); }`, 2},
	{"vector autoregression", `parameters { matrix[K, K] A; array[T] vector[K] e; }
model {
  array[T] vector[K] x;
  x[1] = e[1];
  for (t in 2 : T) x[t] = 0.3 * A * x[t - 1] + e[t];
  for (t in 1 : T) { e[t] ~ std_normal(); y[t] ~ normal(sum(x[t]), 1); }
  to_vector(A) ~ std_normal();
}`, 2},
	{"in a function", `parameters { real<lower=-1, upper=1> phi; real<lower=0> s; vector[T] e; }
model {
  e ~ std_normal(); s ~ std_normal();
  y ~ normal(walk(e, phi, s), 1);
}`, 2},
	{"time itself, tables of data, user's functions", `parameters { real a; real b; vector[K] w; }
model {
  real x = a;
  for (t in 1 : T) {
    x = damped(x, b * t / T) + w[c[t]] + X[t, 2] * log(n[t] + 1);
    target += -square(x - y[t]) / 9;
  }
  a ~ std_normal(); b ~ std_normal(); w ~ std_normal();
}`, 2},
	{"observations become states", `parameters { real a; real b; }
model {
  vector[T] x; real last = 0;
  x[1] = a;
  for (t in 2 : T) { x[t] = tanh(b) * x[t - 1] + last; last = 0.1 * y[t]; }
  a ~ std_normal(); b ~ std_normal(); target += sum(x);
}`, 2},

	{"exponential emissions", `parameters { simplex[2] p; positive_ordered[2] rate; }
model {
  vector[2] g = log(p);
  for (t in 1 : T) {
    vector[2] next;
    for (k in 1 : 2) next[k] = log_sum_exp(g + log(p[k])) + exponential_lpdf(n[t] | rate[k]);
    g = next;
  }
  target += log_sum_exp(g); rate ~ std_normal();
}`, 2},
	{"emissions of counts", `parameters { vector[K] eta; simplex[K] p; real a; real<lower=0, upper=1> theta; positive_ordered[2] r; }
model {
  vector[2] g = rep_vector(-log(2), 2);
  for (t in 1 : T) {
    real e = poisson_log_lpmf(n[t] | a) + bernoulli_logit_lpmf(c[t] == 2 | a) + categorical_logit_lpmf(c[t] | eta * y[t]);
    real f = poisson_lpmf(n[t] | r[1]) + bernoulli_lpmf(c[t] == 1 | theta) + categorical_lpmf(c[t] | p);
    vector[2] h = [log_sum_exp(g[1], g[2] + a) + e, log_sum_exp(g[1] - a, g[2]) + f]';
    g = h;
  }
  target += log_sum_exp(g); eta ~ std_normal(); r ~ std_normal();
}`, 2},
	{"emissions without an expansion", `parameters { real<lower=0> a; real<lower=0> b; real m; }
model {
  vector[2] g = [0, m]';
  for (t in 1 : T) {
    real e = gamma_lpdf(n[t] + 0.5 | a, b) + neg_binomial_2_lpmf(n[t] | a, b) + binomial_lpmf(n[t] | 9, inv_logit(m * y[t]));
    real f = weibull_lpdf(n[t] + 1 | a, b) + std_normal_lcdf(y[t] * m) + poisson_lcdf(n[t] | a) + von_mises_lpdf(y[t] | m, b);
    g = [log_sum_exp(g[1], g[2]) + e, log_sum_exp(g[1] - m, g[2]) + f]';
  }
  target += log_sum_exp(g); a ~ gamma(2, 2); b ~ gamma(2, 2); m ~ std_normal();
}`, 2},
	{"a first round unlike the others", `parameters { real a; real b; }
model {
  vector[T] x;
  for (t in 1 : T) { if (t == 1) x[t] = a; else x[t] = tanh(b) * x[t - 1] + y[t]; }
  target += -0.1 * dot_self(x); a ~ std_normal(); b ~ std_normal();
}`, 2},
	{"inverses of small matrices", `parameters { real a; real<lower=0> b; }
model {
  matrix[2, 2] P = [[1 + b, 0.1], [0.1, 1]];
  for (t in 1 : T) P = inverse_spd(P) + a * a;
  target += -log_determinant(P); a ~ std_normal(); b ~ std_normal();
}`, 2},

	// Ones that are unrolled.
	{"a condition on what is carried", `parameters { real a; real b; }
model {
  real x = a;
  for (t in 1 : T) { if (x > 0) x = b * x - y[t]; else x = y[t] - x; }
  target += -square(x); a ~ std_normal(); b ~ std_normal();
}`, 2},
	{"an integer that a condition sets", `parameters { real a; real b; }
model {
  real x = a; int k = 0;
  for (t in 1 : T) { if (x > 0) k = 1 - k; x = k * b * x - y[t]; }
  target += -square(x); a ~ std_normal(); b ~ std_normal();
}`, 0},
	{"a condition on data of the round", `parameters { real a; real b; }
model {
  real x = a;
  for (t in 1 : T) { if (y[t] > 0) x = tanh(b * x); else x += y[t]; }
  target += -square(x); a ~ std_normal(); b ~ std_normal();
}`, 2},
	{"a lag from data", `parameters { real a; real b; }
model {
  vector[T] x;
  x[1] = a;
  for (t in 2 : T) x[t] = tanh(b) * x[max(1, t - c[t])] + y[t];
  target += -0.1 * dot_self(x); a ~ std_normal(); b ~ std_normal();
}`, 0},
	{"written at two places", `parameters { real a; real b; }
model {
  vector[T] x = rep_vector(a, T);
  for (t in 2 : T - 1) { x[t] = tanh(b) * x[t - 1] + y[t]; x[t + 1] = x[t]; }
  target += -0.1 * dot_self(x); a ~ std_normal(); b ~ std_normal();
}`, 0},
	{"a function of matrices", `parameters { real a; real<lower=0> b; }
model {
  matrix[2, 2] P = [[1 + b, 0.1], [0.1, 1]];
  for (t in 1 : T) P = 0.5 * svd_U(P) + a * a;
  target += -log_determinant(P); a ~ std_normal(); b ~ std_normal();
}`, 0},
	{"sizes by round", `parameters { real a; vector[T] b; }
model {
  vector[T] x;
  x[1] = a;
  for (t in 2 : T) x[t] = 0.1 * sum(x[1 : t - 1]) + b[t];
  target += -0.1 * dot_self(x); a ~ std_normal(); b ~ std_normal();
}`, 0},
	{"prints", `parameters { real a; real b; }
model {
  real x = a;
  for (t in 1 : T) { x = tanh(b * x); if (x > 100) print(t); }
  target += -square(x); a ~ std_normal(); b ~ std_normal();
}`, 0},
}

const loopFunctions = `functions {
  vector walk(vector e, real phi, real s) {
    int T = rows(e);
    vector[T] x;
    x[1] = e[1] / sqrt(1 - phi ^ 2);
    for (t in 2 : T) x[t] = phi * x[t - 1] + s * e[t];
    return x;
  }
  real damped(real x, real by) { return tanh(x) * inv_logit(by); }
}
`

func loopData(iterations int) (*data.Set, error) {
	r := rand.New(rand.NewPCG(8, 9))
	const k = 3
	y, c, n, x := make([]float64, iterations), make([]int, iterations), make([]int, iterations), make([][]float64, iterations)
	for i := range y {
		y[i], c[i], n[i] = r.NormFloat64(), 1+r.IntN(k), r.IntN(5)
		for range k {
			x[i] = append(x[i], r.NormFloat64())
		}
	}
	vars := map[string]any{"T": iterations, "K": k}
	maps.Copy(vars, map[string]any{"y": y, "c": c, "n": n, "X": x})
	return data.FromGo(vars)
}

func TestTracedLoops(t *testing.T) {
	in, err := loopData(70)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range tracedLoops {
		t.Run(l.name, func(t *testing.T) {
			text := loopFunctions + loopVars + l.text
			prog, err := bindtest.Compile("loop.stan", text, "", stdlib.New())
			if err != nil {
				t.Fatal(err)
			}
			m, err := bind.Bind(prog, stdlib.New(), in, bind.Options{})
			if err != nil {
				t.Fatal(err)
			}
			e := example{l.name, text, prog, in}
			points := e.points(t, m)
			for _, off := range [][]string{nil, {"scan"}, {"vectorize"}, {"vectorize", "expand", "bulk"}, {"share"}, {"fma"}, {"roots"}} {
				if err := e.compare(off, points); err != nil {
					t.Errorf("without %v: %v", off, err)
				}
			}
			if err := e.otherPieces(m, points[0].q); err != nil {
				t.Error(err)
			}
			dump, err := m.DumpGraph(points[0].q)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Count(dump, "call scan of"); got != l.scans {
				t.Errorf("%d scans, want %d", got, l.scans)
			}
		})
	}
}

// otherPieces compares prior and likelihood apart, and a row of outputs, with those of
// loops that are unrolled.
func (e *example) otherPieces(m *bind.Model, q []float64) error {
	long, err := bind.Bind(e.prog, stdlib.New(), e.in, bind.Options{Without: []string{"scan"}})
	if err != nil {
		return err
	}
	const beta = 0.3
	grad, want := make([]float64, len(q)), make([]float64, len(q))
	p, l, err := m.NewEvaluator().(infer.Tempered).LogDensityPartsGrad(q, beta, grad)
	wantP, wantL, wantErr := long.NewEvaluator().(infer.Tempered).LogDensityPartsGrad(q, beta, want)
	if err != nil || wantErr != nil {
		return errors.Join(err, wantErr)
	}
	if !close64(p, wantP, 1e-11*(1+math.Abs(p))) || !close64(l, wantL, 1e-11*(1+math.Abs(l))) {
		return fmt.Errorf("prior %v and likelihood %v, written out %v and %v", p, l, wantP, wantL)
	}
	steepest := 0.0
	for _, g := range want {
		steepest = max(steepest, math.Abs(g))
	}
	for i := range grad {
		if !close64(grad[i], want[i], 1e-10*steepest) {
			return fmt.Errorf("gradient %d of the tempered density is %v, written out %v", i, grad[i], want[i])
		}
	}
	row, wantRow := make([]float64, len(m.Columns())), make([]float64, len(m.Columns()))
	if err := errors.Join(m.NewEvaluator().Write(q, nil, row), m.PlainRow(q, nil, wantRow)); err != nil {
		return err
	}
	for i := range row {
		if !close64(row[i], wantRow[i], 1e-12*(1+math.Abs(wantRow[i]))) {
			return fmt.Errorf("output %d is %v, of the reference interpreter %v", i, row[i], wantRow[i])
		}
	}
	return nil
}
