// Large calls that a recording puts off: whatever asks for their numbers gets them.

package bind_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// locations are so many that their covariance matrix is large.
const locations = 70

// A deferredModel has a covariance matrix K of the parameters; factors says how often its
// Cholesky factor is computed while a gradient is recorded.
type deferredModel struct {
	name, text string
	factors    int
}

const deferredHead = `functions {
  matrix covariance(array[] real x, real a, real r, real s) {
    return add_diag(gp_exp_quad_cov(x, a, r), square(s));
  }
  tuple(matrix, real) both(matrix K) { return (cholesky_decompose(K), K[1, 1]); }
}
data { int N; array[N] real x; vector[N] y; }
parameters { real<lower=0> r; real<lower=0> a; real<lower=0> s; }
`

var deferredModels = []deferredModel{
	{"nobody asks", `model {
  matrix[N, N] K = add_diag(gp_exp_quad_cov(x, a, r), square(s));
  matrix[N, N] L;
  L = cholesky_decompose(K);
  y ~ multi_normal_cholesky(rep_vector(0, N), L);
}`, 0},
	{"sizes", `model {
  matrix[N, N] L = cholesky_decompose(covariance(x, a, r, s));
  if (rows(L) == N) y ~ multi_normal_cholesky(rep_vector(0, N), L);
}`, 0},
	{"arithmetic", `model {
  matrix[N, N] K = 2 * covariance(x, a, r, s) .* covariance(x, a, r, 1) + add_diag(rep_matrix(0.0, N, N), 1);
  target += multi_normal_lpdf(y | rep_vector(0, N), K);
}`, 0},
	{"a condition", `model {
  matrix[N, N] L = cholesky_decompose(covariance(x, a, r, s));
  if (L[2, 1] > 0.5) y ~ multi_normal_cholesky(rep_vector(0, N), L);
  else y ~ multi_normal_cholesky(rep_vector(1, N), L);
}`, 1},
	{"elements", `model {
  matrix[N, N] L = cholesky_decompose(covariance(x, a, r, s));
  for (n in 1 : N) y[n] ~ normal(L[n, 1], L[n, n]);
}`, 1},
	{"a part is written", `model {
  matrix[N, N] K = covariance(x, a, r, s);
  K[1, 1] = 2 * K[1, 1];
  K[2 : 3, 2 : 3] += diag_matrix(rep_vector(1, 2));
  y ~ multi_normal(rep_vector(0, N), K);
}`, 0},
	{"a layout", `model {
  vector[N * N] v = to_vector(cholesky_decompose(covariance(x, a, r, s)));
  v ~ normal(0, 1);
}`, 1},
	{"a tuple", `model {
  tuple(matrix[N, N], real) t = both(covariance(x, a, r, s));
  y ~ multi_normal_cholesky(rep_vector(t.2, N), t.1);
}`, 1},
	{"nothing depends on it", `model {
  matrix[N, N] U = cholesky_decompose(covariance(x, a, r, s) - add_diag(rep_matrix(0.0, N, N), 0.3));
  s ~ normal(0, 1);
}`, 1},
	{"a declared constraint", `transformed parameters {
  cov_matrix[N] K = covariance(x, a, r, s);
}
model {
  y ~ multi_normal(rep_vector(0, N), K);
}`, 0},
	{"a loop", `model {
  matrix[N, N] L = cholesky_decompose(covariance(x, a, r, s));
  vector[N] z;
  z[1] = a;
  for (n in 2 : N) z[n] = 0.5 * z[n - 1] + L[n, 1] * y[n];
  z ~ normal(0, 1);
}`, 2}, // for its element, and for the numbers that the loop leaves
	{"the target so far", `model {
  y ~ multi_normal_cholesky(rep_vector(0, N), cholesky_decompose(covariance(x, a, r, s)));
  if (target() < -80) target += s;
}`, 1},
	{"a matrix without factor", `model {
  y ~ multi_normal_cholesky(rep_vector(0, N), cholesky_decompose(covariance(x, a, r, s) - add_diag(rep_matrix(0.0, N, N), 0.3)));
}`, 0},
}

// bindDeferred binds a model, and counts the Cholesky factors that are computed outside of
// programs.
func bindDeferred(t *testing.T, text string) (*bind.Model, *int) {
	t.Helper()
	lib, factors := stdlib.New(), new(int)
	for _, fn := range lib.Functions("cholesky_decompose") {
		counted, value := *fn.Kernel, fn.Kernel.Value
		counted.Value = func(in []stdlib.Tensor, out, work []float64) error {
			*factors++
			return value(in, out, work)
		}
		fn.Kernel = &counted
	}
	p, err := bindtest.Compile("deferred.stan", deferredHead+text, "", lib)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(7, 1))
	x, y := make([]float64, locations), make([]float64, locations)
	for i := range x {
		x[i], y[i] = 10*r.Float64(), r.NormFloat64()
	}
	in, err := data.FromGo(map[string]any{"N": locations, "x": x, "y": y})
	if err != nil {
		t.Fatal(err)
	}
	m, err := bind.Bind(p, lib, in, bind.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return m, factors
}

func TestDeferredCallsAgreeWithPlain(t *testing.T) {
	for _, c := range deferredModels {
		t.Run(c.name, func(t *testing.T) {
			m, _ := bindDeferred(t, c.text)
			r := rand.New(rand.NewPCG(3, 9))
			for range 4 {
				q := []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64() - 1}
				if err := agree(m, q, 0); err != nil {
					t.Errorf("at %v: %v", q, err)
				}
				fresh, _ := bindDeferred(t, c.text) // recorded at this point
				if err := agree(fresh, q, 0); err != nil {
					t.Errorf("recorded at %v: %v", q, err)
				}
			}
		})
	}
}

// The program computes a factor once; whatever is beyond that was computed for the
// recording.
func TestDeferredCallsAreNotCarriedOut(t *testing.T) {
	for _, c := range deferredModels {
		m, factors := bindDeferred(t, c.text)
		_, err := m.Density(true, false).LogDensityGrad([]float64{0, 0, 1}, make([]float64, m.Dim()))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		inProgram := 1
		if !strings.Contains(c.text, "cholesky_decompose") && !strings.Contains(c.text, "both(") {
			inProgram = 0
		}
		if got := *factors - inProgram; got != c.factors {
			t.Errorf("%s: recording computed %d factors, want %d", c.name, got, c.factors)
		}
	}
}

// A matrix without factor is refused by the call, at the point of the recording and at
// others, in the words of the reference interpreter.
func TestDeferredCallsRefuseAsPlain(t *testing.T) {
	for _, c := range deferredModels {
		if !strings.Contains(c.text, "0.3") {
			continue
		}
		q := []float64{0, 0, -3}
		for name, first := range map[string][]float64{"here": q, "elsewhere": {0, 0, 1}} {
			m, _ := bindDeferred(t, c.text)
			e := m.Density(true, false)
			_, _ = e.LogDensityGrad(first, make([]float64, m.Dim()))
			_, err := e.LogDensityGrad(q, make([]float64, m.Dim()))
			_, _, want := m.PlainDensity(q, true)
			if name == "elsewhere" && c.name == "nothing depends on it" {
				continue // programs leave out what nothing depends on
			}
			if err == nil || want == nil || err.Error() != want.Error() || !infer.IsReject(err) {
				t.Errorf("%s, recorded %s: %v; plain: %v", c.name, name, err, want)
			}
		}
	}
}
