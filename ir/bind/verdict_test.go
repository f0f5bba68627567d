// Verdicts: whether a point is rejected, and by which statement, is the same in every executor
// as in the reference interpreter, also where nothing uses the value of the call that rejects.

package bind_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A verdictCase is a program with its data, bound with every executor.
type verdictCase struct {
	prog *ir.Program
	in   *data.Set
}

func newVerdictCase(text, json string) (*verdictCase, error) {
	p, err := bindtest.Compile("verdict.stan", text, ".", stdlib.New())
	if err != nil {
		return nil, err
	}
	in, err := data.ReadBytes([]byte(json), "verdict.json", func(string) bool { return true })
	return &verdictCase{p, in}, err
}

// bind returns the model with some options.
func (c *verdictCase) bind(o bind.Options) (*bind.Model, error) {
	o.Seed = 1
	return bind.Bind(c.prog, stdlib.New(), c.in, o)
}

// sameVerdict reports how an evaluator's verdict differs from the plain one; nil where both pass
// or both reject with one message. A density of zero or without value is no rejection.
func sameVerdict(what string, err, want error) error {
	if !sameFailure(err, want) || err != nil && err.Error() != want.Error() {
		return fmt.Errorf("%s: %v; reference interpreter: %v", what, err, want)
	}
	return nil
}

// verdicts compares all that one evaluator can do with the reference interpreter at a point.
func verdicts(m *bind.Model, e infer.Evaluator, q []float64) error {
	grad := make([]float64, len(q))
	_, _, wantErr := m.PlainDensity(q, true)
	_, err := e.LogDensity(q)
	if err := sameVerdict("value", err, wantErr); err != nil {
		return err
	}
	_, err = e.LogDensityGrad(q, grad)
	if err := sameVerdict("gradient", err, wantErr); err != nil {
		return err
	}
	parts := e.(infer.Tempered)
	_, _, err = parts.LogDensityParts(q)
	if err := sameVerdict("prior and likelihood", err, wantErr); err != nil {
		return err
	}
	_, _, err = parts.LogDensityPartsGrad(q, 0.5, grad)
	if err := sameVerdict("tempered gradient", err, wantErr); err != nil {
		return err
	}
	row, plain := make([]float64, len(m.Columns())), make([]float64, len(m.Columns()))
	err, wantErr = e.Write(q, nil, row), m.PlainRow(q, nil, plain)
	if err := sameVerdict("row", err, wantErr); err != nil || wantErr != nil {
		return err
	}
	for i, v := range row {
		if v-v != 0 && !close64(v, plain[i], 0) {
			return fmt.Errorf("row: %s is %v; reference interpreter: %v", m.Columns()[i], v, plain[i])
		}
	}
	return nil
}

// manyVerdicts compares the lanes of a program with the reference interpreter.
func manyVerdicts(m *bind.Model, points [][]float64) error {
	e := m.NewEvaluator()
	bind.CompileLanesAtOnce(e)
	grad := make([][]float64, len(points))
	for i := range grad {
		grad[i] = make([]float64, m.Dim())
	}
	lp, errs := make([]float64, len(points)), make([]error, len(points))
	for range 2 { // the first recording is made at a single point
		infer.Gradients(e, points, grad, lp, errs)
	}
	for i, q := range points {
		_, _, want := m.PlainDensity(q, true)
		if err := sameVerdict("lane", errs[i], want); err != nil {
			return fmt.Errorf("at %v: %w", q, err)
		}
	}
	return nil
}

// everywhere compares verdicts at points in all executors, and with each of some
// optimisations off.
func (c *verdictCase) everywhere(points [][]float64, off []string, iterations int) error {
	sets := []bind.Options{{LeastIterations: iterations}, {LeastIterations: iterations, WithoutNative: true}}
	for _, name := range off {
		sets = append(sets, bind.Options{LeastIterations: iterations, Without: []string{name}})
	}
	for _, o := range sets {
		m, err := c.bind(o)
		if err != nil {
			return err
		}
		e := m.NewEvaluator()
		for range 2 { // recordings are made where the first points are, and found again
			for _, q := range points {
				if err := verdicts(m, e, q); err != nil {
					return fmt.Errorf("without %v, native %v, at %v: %w", o.Without, !o.WithoutNative, q, err)
				}
			}
		}
		if err := manyVerdicts(m, points); err != nil {
			return fmt.Errorf("without %v: %w", o.Without, err)
		}
	}
	return nil
}

// rejecting are programs that reject some points by calls whose values are lost. The points
// are such that each program accepts some and rejects some.
var rejecting = []struct {
	name, program string
	points        [][]float64
}{
	{"unused density", `parameters { real s; } model { real unused = normal_lpdf(1.0 | 0, s); s ~ normal(0, 1); }`,
		[][]float64{{1}, {-1}, {0}}},
	{"unused kernel", `parameters { vector[3] v; }
model { real unused = normal_lpdf(v | 0, v[1]); v ~ normal(0, 1); }`, [][]float64{{1, 1, 1}, {-1, 1, 1}}},
	{"unused factor", `parameters { real a; }
transformed parameters { matrix[2, 2] S = [[1, a], [a, 1]]; }
model { matrix[2, 2] L = cholesky_decompose(S); a ~ normal(0, 1); }`, [][]float64{{0.5}, {1.5}}},
	{"times zero", `parameters { real s; } model { target += 0 * normal_lpdf(1.0 | 0, s) + std_normal_lpdf(s); }`,
		[][]float64{{1}, {-1}, {0}}},
	{"one of several elements", `parameters { real a; real b; }
model { vector[2] x = [lchoose(a, 1), lchoose(b, 1)]'; target += x[1] - a^2 - b^2; }`, [][]float64{{1, 1}, {1, -1.5}, {-1.5, 1}}},
	{"greatest", `parameters { real s; } model { target += fmax(normal_lpdf(1.0 | 0, s), -10) + std_normal_lpdf(s); }`,
		[][]float64{{1}, {-1}, {0}}},
	{"comparison", `parameters { real s; } model { real w = normal_lpdf(1.0 | 0, s) > 0; target += w - s^2; }`,
		[][]float64{{1}, {-1}, {0}}},
	{"mixture", `parameters { real mu; real<lower=0> s; }
model { target += log_sum_exp(normal_lpdf(1.0 | exp(mu), s), normal_lpdf(1.0 | 0, 1)) + std_normal_lpdf(mu); s ~ normal(0, 1); }`,
		[][]float64{{1, 0}, {800, 0}, {1, 800}, {1, -800}}},
	{"great scale", `data { real y; } parameters { real<lower=0> s; } model { y ~ normal(0, s); }`,
		[][]float64{{0}, {800}, {-800}}},
	{"category", `data { array[2] int k; } parameters { vector[3] v; }
model { for (i in 1:2) k[i] ~ categorical(v); }`, [][]float64{{0.2, 0.3, 0.5}, {0.2, 0.3, 0.6}, {-0.2, 0.7, 0.5}}},
	{"first of two", `parameters { real a; real b; }
model { vector[2] v = [1, 2]'; v ~ normal(0, b); real unused = normal_lpdf(1.0 | 0, a); 1 ~ normal(0, a); }`,
		[][]float64{{1, 1}, {-1, 1}, {1, -1}, {-1, -1}}},
	{"function", `functions { real f(real x, real s) { real u = normal_lpdf(x | 0, s); return x; } }
parameters { real a; real s; } model { target += -square(f(a, s)) - square(s); }`, [][]float64{{1, 1}, {1, -1}}},
	{"loop", `data { vector[40] z; } parameters { real a; real s; }
model { real h = 0; for (t in 1:40) { h = 0.5 * h + a * z[t]; real u = normal_lpdf(z[t] | h, s * (t < 40 ? 1 : a)); } target += -h^2 - a^2 - s^2; }`,
		[][]float64{{1, 1}, {1, -1}, {-1, 1}}},
	{"rows", `parameters { real a; } model { a ~ normal(0, 1); }
generated quantities { real u; { real w = normal_lpdf(1.0 | 0, a); u = a; } }`, [][]float64{{1}, {-1}}},
	{"bounds", `parameters { real a; real<lower=a, upper=1> b; } model { a ~ normal(0, 1); }`, [][]float64{{0, 0}, {2, 0}}},
	{"bounds of a constant", `parameters { real a; vector[2] v; } transformed parameters { real<lower=a> c = 1; vector<upper=exp(v)>[2] w = [1, 2]'; }
model { a ~ normal(0, 1); v ~ normal(0, 1); }`, [][]float64{{0, 1, 1}, {2, 1, 1}, {0, 1, 0}}},
	{"bounds of a constant in a row", `parameters { real a; } model { a ~ normal(0, 1); } generated quantities { real<lower=a> c = 1; }`,
		[][]float64{{0}, {2}}},
	{"process", `data { array[3] real x; vector[3] y; } parameters { real<lower=0> s; real<lower=0> l; }
model { y ~ multi_normal_cholesky(rep_vector(0, 3), cholesky_decompose(add_diag(gp_exp_quad_cov(x, s, l), 0.1))); }`,
		[][]float64{{0, 0}, {-800, 0}, {0, -800}, {800, 0}, {0, 800}, {-370, 0}}},
	{"process of other kernels", `data { array[3] real x; vector[3] y; } parameters { real<lower=0> s; real<lower=0> l; real<lower=0> p; }
model { y ~ multi_normal_cholesky(rep_vector(0, 3), cholesky_decompose(add_diag(gp_exponential_cov(x, s, l) + gp_matern32_cov(x, 1.0, l)
  + gp_matern52_cov(x, s, l) + gp_periodic_cov(x, s, l, p), 0.1))); target += sum(gp_matern32_cov(x, s, l)); }`,
		[][]float64{{0, 0, 0}, {-800, 0, 0}, {0, -800, 0}, {800, 0, 0}, {0, 800, 0}, {-370, 0, 0}, {0, 0, 800}, {0, 0, -800}, {0, -370, 0}}},
	{"categories of rows", `parameters { array[3] vector[2] v; } model { for (i in 1:40) (1 + i % 2) ~ categorical(v[1 + i % 3]); }`,
		[][]float64{{0.2, 0.8, 0.3, 0.7, 0.4, 0.6}, {0.2, 0.8, 0.3, 0.7, 0.4, 0.7}, {0.2, 0.9, 0.3, 0.7, 0.4, 0.6}, {0.2, 0.8, -0.3, 1.3, 0.4, 0.6}}},
	{"simplexes of rows", `parameters { array[3] simplex[3] v; } model { for (i in 1:40) (1 + i % 2) ~ categorical(v[1 + i % 3]); }`,
		[][]float64{{0, 0, 0, 0, 0, 0}, {0, 800, 0, 0, 0, 0}, {0, 0, -800, 0, 0, 800}, {math.NaN(), 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, math.Inf(1)}}},
	{"tail", `data { real y; } parameters { real<lower=0> s; } model { target += normal_lcdf(y | 0, s); target += normal_lccdf(y | 0, s); }`,
		[][]float64{{0}, {-800}, {800}, {-740}}},
}

const verdictData = `{"y": 0.5, "k": [1, 3], "x": [0, 1, 2],
"z": [0.1, -0.2, 0.3, 0.4, -0.5, 0.6, 0.7, 0.8, 0.1, -0.2, 0.3, 0.4, -0.5, 0.6, 0.7, 0.8, 0.1, -0.2, 0.3, 0.4, -0.5, 0.6, 0.7, 0.8,
0.1, -0.2, 0.3, 0.4, -0.5, 0.6, 0.7, 0.8, 0.1, -0.2, 0.3, 0.4, -0.5, 0.6, 0.7, 0.8]}`

func TestVerdictsOfLostCalls(t *testing.T) {
	for _, c := range rejecting {
		t.Run(c.name, func(t *testing.T) {
			json := verdictData
			if strings.HasPrefix(c.name, "process") {
				json = `{"x": [0, 1, 2], "y": [0.1, 0.2, 0.3]}`
			}
			v, err := newVerdictCase(c.program, json)
			if err != nil {
				t.Fatal(err)
			}
			var off []string
			for _, o := range bind.Optimisations() {
				off = append(off, o.Name)
			}
			if err := v.everywhere(c.points, off, 0); err != nil {
				t.Error(err)
			}
			if err := v.everywhere(c.points, nil, 2); err != nil {
				t.Errorf("loops kept: %v", err)
			}
		})
	}
}

// verdictPoint draws a point; now and then a coordinate is extreme.
func verdictPoint(r *rand.Rand, dim int) []float64 {
	q := make([]float64, dim)
	for i := range q {
		q[i] = r.NormFloat64()
		switch r.IntN(12) {
		case 0:
			q[i] = 800 * math.Copysign(1, q[i])
		case 1:
			q[i] = 0
		}
	}
	return q
}

// Rebound models share programs in which observations are numbers given later: what these
// violate rejects as what parameters do.
func TestVerdictsOfReboundModels(t *testing.T) {
	m := bound(t, `
data { real y; vector[3] z; }
parameters { real a; real b; }
model {
  a ~ normal(0, 1);
  b ~ normal(0, 1);
  y ~ normal(b, 1);
  z ~ normal(b, 1);
  real unused = lognormal_lpdf(y | 0, a);
  real lost = 0 * exponential_lpdf(2 | sum(z));
}`, `{"y": 0.5, "z": [0.1, 0.2, 0.3]}`)
	r := stream(5)
	points := [][]float64{{1, 0.3}, {-1, 0.3}, {0.5, -2}}
	for range 12 {
		s, err := m.Simulate(r)
		if err != nil {
			t.Fatal(err)
		}
		if m, err = m.Rebind(s.Observations); err != nil {
			t.Fatal(err)
		}
		e := m.NewEvaluator()
		for _, q := range points {
			if err := verdicts(m, e, q); err != nil {
				t.Errorf("at %v: %v", q, err)
			}
		}
	}
}
