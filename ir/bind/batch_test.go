// Models of one program with different observations evaluated in one pass, against each by
// itself, to the last bit.

package bind_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff/native"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
)

// batchForms are loops that are kept, beside rebindForms.
var batchForms = []struct{ name, program string }{
	{"hidden states", `
data { int N; vector[N] y; }
parameters { array[2] simplex[2] A; ordered[2] mu; real<lower=0> s; array[N] int<lower=1, upper=2> z; }
model {
  A[1] ~ dirichlet([8, 2]'); A[2] ~ dirichlet([2, 8]');
  mu ~ normal(0, 1); s ~ lognormal(0, 0.3);
  z[1] ~ categorical([0.5, 0.5]');
  for (n in 2:N) z[n] ~ categorical(A[z[n - 1]]);
  for (n in 1:N) y[n] ~ normal(mu[z[n]], s);
}`},
	{"filter", `
data { int N; vector[N] y; }
parameters { real<lower=0> q; real<lower=0> r; real a; }
model {
  real m = a;
  real v = 1;
  q ~ normal(0, 1); r ~ normal(0, 1); a ~ normal(0, 3);
  for (t in 1:N) {
    real f;
    real gain;
    v += q;
    f = v + r;
    gain = v / f;
    y[t] ~ normal(m, sqrt(f));
    m += gain * (y[t] - m);
    v *= 1 - gain;
  }
}`},
	{"volatility", `
data { int N; vector[N] y; }
parameters { real m; real<lower=0> a0; real<lower=0, upper=1> a1; real<lower=0, upper=1> b1; }
model {
  vector[N] s;
  m ~ normal(0, 1); a0 ~ lognormal(0, 1); a1 ~ beta(2, 6); b1 ~ beta(6, 3);
  s[1] = 0.5;
  for (t in 2:N) s[t] = sqrt(a0 + a1 * square(y[t - 1] - m) + b1 * square(s[t - 1]));
  y ~ normal(m, s);
}`},
}

// batchEqualsAlone simulates data sets, and lets models of them, which others replace in the
// course of it, be evaluated together. It says how many programs had passes of several.
func batchEqualsAlone(m *bind.Model, r *rand.Rand) (programs int, err error) {
	type member struct {
		together, alone infer.Evaluator
		at              []float64
	}
	var company infer.BatchEvaluator
	join := func() (*member, error) {
		s, err := m.Simulate(r)
		for infer.IsUndrawable(err) { // counts too large at these parameters
			s, err = m.Simulate(r)
		}
		if err != nil {
			return nil, err
		}
		other, err := m.Rebind(s.Observations)
		if err != nil {
			return nil, err
		}
		if company == nil {
			company = other.NewBatchEvaluator()
			bind.CompileBatchAtOnce(company)
		}
		x := &member{together: other.NewEvaluator(), alone: other.NewEvaluator(), at: s.Point}
		return x, nil
	}
	const n = 6
	members := make([]*member, n)
	of, q, grad, want := make([]infer.Target, n), infer.NewRows(n, m.Dim()), infer.NewRows(n, m.Dim()), make([]float64, m.Dim())
	lp, errs := make([]float64, n), make([]error, n)
	for range 8 {
		for i := range members {
			if members[i] == nil || r.IntN(4) == 0 {
				if members[i], err = join(); err != nil {
					return 0, err
				}
				of[i] = members[i].together
			}
			for k := range q[i] {
				q[i][k] = members[i].at[k] + r.NormFloat64()
			}
		}
		k := 1 + r.IntN(n)
		if company == nil {
			return 0, nil
		}
		company.LogDensityGrads(of[:k], q[:k], grad[:k], lp[:k], errs[:k])
		for i := range k {
			x, err := members[i].alone.LogDensityGrad(q[i], want)
			if !sameFailure(err, errs[i]) || err == nil && !close64(x, lp[i], 0) {
				return 0, fmt.Errorf("at %v: %v, %v among others; %v, %v alone", q[i], lp[i], errs[i], x, err)
			}
			for k := range want {
				if err == nil && !close64(want[k], grad[i][k], 0) {
					return 0, fmt.Errorf("at %v: entry %d of the gradient is %v among others, %v alone", q[i], k, grad[i][k], want[k])
				}
			}
		}
	}
	return bind.BatchPrograms(company), nil
}

func TestBatchEqualsAlone(t *testing.T) {
	for _, c := range rebindForms {
		t.Run(c.name, func(t *testing.T) {
			if _, err := batchEqualsAlone(bound(t, c.program, c.data), stream(9)); err != nil {
				t.Error(err)
			}
		})
	}
	for _, c := range batchForms {
		for _, n := range []int{3, 40} {
			t.Run(fmt.Sprint(c.name, " of ", n), func(t *testing.T) {
				y := strings.TrimSuffix(strings.Repeat("0.1,", n), ",")
				programs, err := batchEqualsAlone(bound(t, c.program, fmt.Sprintf(`{"N": %d, "y": [%s]}`, n, y)), stream(9))
				if err != nil {
					t.Error(err)
				}
				if programs == 0 && native.Reason() == "" {
					t.Error("no pass of several models")
				}
			})
		}
	}
}

// TestBatchOnExamples does the same with the examples that say how to simulate.
func TestBatchOnExamples(t *testing.T) {
	files, err := filepath.Glob("../../examples/*/*.ppl")
	if err != nil {
		t.Fatal(err)
	}
	several := 0
	for _, file := range files {
		m, err := bindtest.Model(file, strings.TrimSuffix(file, ".ppl")+".json")
		if err != nil || m.Generative() != nil {
			continue
		}
		programs, err := batchEqualsAlone(m, stream(10))
		if err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if programs > 0 {
			several++
		}
	}
	if several < 10 && native.Reason() == "" {
		t.Errorf("only %d of %d examples had passes of several models", several, len(files))
	}
}
