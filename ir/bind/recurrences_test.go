// Loops of many variants, kept where that is proved and unrolled elsewhere: the compiled program,
// with and without machine code and at several points at once, against the reference interpreter
// and differences.

package bind_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/stdlib"
)

const recurrenceVars = `
data {
  int<lower=1> T; int<lower=1> K;
  vector[T] y; vector<lower=0>[T] w; array[T] real ya;
  array[T] int<lower=1, upper=K> c; array[T] int<lower=0> n; array[T] int<lower=0, upper=1> b;
  array[T] int<lower=1, upper=T> idx; // idx[t] <= t
  matrix[T, K] X; array[T] vector[K] V; array[T, K] int<lower=0> N2;
}
`

const recurrenceFunctions = `functions {
  vector walk(vector e, real phi, real s) {
    int T = rows(e);
    vector[T] x;
    x[1] = e[1];
    for (t in 2 : T) x[t] = phi * x[t - 1] + s * e[t];
    return x;
  }
  real half(int t, real x) { return (t %/% 2) * x + (t % 3) * x; }
  real cond(int t, real x) { if (t > 3) return x; return -x; }
  real loopf(real x, int k) { real z = x; for (i in 1:k) z = tanh(z) + 0.1 * i; return z; }
  real intsq(int t) { return t * t * t %/% 7; }
  real early(vector e, real a) { real s = a; for (i in 1:size(e)) { s = tanh(s + e[i]); if (s > 10) return s; } return s; }
  void check_number(real x) { if (is_nan(x)) reject("nan"); }
  real sumrec(vector e, real a) { real s = a; for (i in 1:size(e)) { s = tanh(s + e[i]); check_number(s); } return s; }
  array[] real turn(array[] real s, real y, real a) { return {tanh(s[2] + y), a * s[1]}; }
  real so_far_lp(real x) { return tanh(x + 0.01 * target()); }
  real partial_credit(int y, real theta, vector beta) {
    vector[rows(beta) + 1] sums = cumulative_sum(append_row(rep_vector(0, 1), theta - beta));
    return categorical_lpmf(y + 1 | softmax(sums));
  }
  real wide_lp(real x) { x ~ normal(0, 3); return x; }
}
`

func recurrenceData(iterations int) (*data.Set, error) {
	r := rand.New(rand.NewPCG(8, uint64(iterations)))
	const k = 3
	y, w, x := make([]float64, iterations), make([]float64, iterations), make([][]float64, iterations)
	c, n, b, idx, n2 := make([]int, iterations), make([]int, iterations), make([]int, iterations), make([]int, iterations), make([][]int, iterations)
	for i := range y {
		y[i], c[i], n[i] = r.NormFloat64(), 1+r.IntN(k), r.IntN(5)
		w[i], b[i], idx[i] = r.ExpFloat64(), r.IntN(2), 1+r.IntN(i+1)
		for range k {
			x[i], n2[i] = append(x[i], r.NormFloat64()), append(n2[i], r.IntN(4))
		}
	}
	vars := map[string]any{"T": iterations, "K": k}
	maps.Copy(vars, map[string]any{"y": y, "ya": y, "w": w, "c": c, "n": n, "b": b, "idx": idx, "X": x, "V": x, "N2": n2})
	return data.FromGo(vars)
}

// rolled binds a program with its loops rolled, however few their iterations, with machine code
// and without.
func rolled(t *testing.T, p *ir.Program, lib *stdlib.Library, in *data.Set) (model, interpreted *bind.Model) {
	t.Helper()
	opts := bind.Options{LeastIterations: 1}
	model, err := bind.Bind(p, lib, in, opts)
	if err != nil {
		t.Fatal(err)
	}
	opts.WithoutNative = true
	interpreted, err = bind.Bind(p, lib, in, opts)
	if err != nil {
		t.Fatal(err)
	}
	return model, interpreted
}

func TestRecurrences(t *testing.T) { recurrencesAgree(t, recurrenceModels) }

// recurrencesAgree compares models with the reference interpreter.
func recurrencesAgree(t *testing.T, models [][2]string) {
	lib := stdlib.New()
	for _, m := range models {
		t.Run(m[0], func(t *testing.T) {
			p, err := bindtest.Compile("loop.stan", recurrenceFunctions+recurrenceVars+m[1], "", lib)
			if err != nil {
				t.Fatal(err)
			}
			for _, iterations := range []int{1, 2, 3, 9, 40} {
				if !subset.Has(fmt.Sprint(m[0], iterations), 2) {
					continue
				}
				in, err := recurrenceData(iterations)
				if err != nil {
					t.Fatal(err)
				}
				model, interpreted := rolled(t, p, lib, in)
				if err := recurrenceAgrees(model, interpreted, rand.New(rand.NewPCG(3, uint64(iterations)))); err != nil {
					t.Errorf("%d rounds: %v", iterations, err)
				}
			}
		})
	}
}

func recurrenceAgrees(m, interpreted *bind.Model, r *rand.Rand) error {
	e, f := m.NewEvaluator(), interpreted.NewEvaluator()
	for _, scale := range []float64{0.1, 1, 4} {
		q := make([]float64, m.Dim())
		for i := range q {
			q[i] = scale * r.NormFloat64()
		}
		if err := noDiffAt(m, e, q); err != nil && !jumps(m, q, r) {
			return err
		}
		if err := sameBits(e, f, q); err != nil && !jumps(m, q, r) {
			return err
		}
	}
	return manyEqualOne(m, r)
}
