// Rows whose control flow is another one at every draw.

package bind_test

import (
	"fmt"
	"testing"

	"github.com/seed-12b88e03/ppl/ir/bind"
)

// viterbi finds the most probable states of a chain of n observations.
func viterbi(n int) string {
	return fmt.Sprintf(`
transformed data { int n = %d; vector[n] y; for (t in 1:n) y[t] = sin(t * t) + (t %% 17 > 8 ? 0.8 : -0.8); }
parameters { ordered[2] mu; array[2] simplex[2] theta; }
model { mu ~ normal(0, 1); for (k in 1:2) theta[k] ~ dirichlet([2, 2]'); for (t in 1:n) target += log_mix(0.5, normal_lpdf(y[t] | mu[1], 1), normal_lpdf(y[t] | mu[2], 1)); }
generated quantities {
  array[n] int path; real best_lp;
  {
    array[n, 2] int from; array[n, 2] real best;
    for (k in 1:2) best[1, k] = normal_lpdf(y[1] | mu[k], 1);
    for (t in 2:n) for (k in 1:2) {
      best[t, k] = negative_infinity();
      for (j in 1:2) {
        real lp = best[t - 1, j] + log(theta[j, k]) + normal_lpdf(y[t] | mu[k], 1);
        if (lp > best[t, k]) { from[t, k] = j; best[t, k] = lp; }
      }
    }
    best_lp = max(best[n]);
    for (k in 1:2) if (best[n, k] == best_lp) path[n] = k;
    for (t in 1:(n - 1)) path[n - t] = from[n - t + 1, path[n - t + 1]];
  }
}`, n)
}

// TestRowsOfManyPaths: rows that take another path after any small change of the parameters are the reference
// interpreter's, others have programs, be there branches or not.
func TestRowsOfManyPaths(t *testing.T) {
	const head = "parameters { vector[3] x; } model { x ~ normal(0, 1); } generated quantities { real z = 0; "
	for _, c := range []struct {
		name, text string
		want       bool
	}{
		{"viterbi", viterbi(60), false},
		{"counts of a comparison", head + "for (i in 1:200) { real u = sin(i * x[1]); if (u > x[2]) z += u; else z -= x[3]; } }", false},
		{"calls under a comparison", head + "for (i in 1:200) { real u = sin(i * x[1]); if (u > x[2]) z += normal_lpdf(u | 0, 1); else z -= x[3]; } }", true},
		{"sorting by exchange", head + "array[40] real a; for (i in 1:40) a[i] = sin(i * sum(x)); for (i in 1:39) for (j in 1:(40 - i)) if (a[j] > a[j + 1]) { z = a[j]; a[j] = a[j + 1]; a[j + 1] = z; } }", false},
		{"sorting by insertion", head + "array[40] real a; for (i in 1:40) a[i] = sin(i * sum(x)); for (i in 2:40) { int j = i; while (j > 1 && a[max(j - 1, 1)] > a[j]) { z = a[j]; a[j] = a[j - 1]; a[j - 1] = z; j -= 1; } } }", true},
		{"three branches", head + "for (i in 1:3) if (x[i] > 0) z += x[i]; }", false},
		{"branches far away", head + "for (i in 1:200) if (x[1] > 100 + i) z += x[2]; }", false},
		{"branches on data", head + "for (i in 1:200) if (i % 2 == 0) z += x[2]; }", false},
	} {
		m := program(t, c.text, "{}")
		if got := bind.Interpreted(m); got != c.want {
			t.Errorf("%s: interpreted is %v (%s)", c.name, got, bind.RowGuards(m))
		}
		q := make([]float64, m.Dim())
		for k := range 5 {
			for i := range q {
				q[i] = 0.3*float64(i) - 0.2*float64(k)
			}
			got, want := make([]float64, len(m.Columns())), make([]float64, len(m.Columns()))
			if err := m.NewEvaluator().Write(q, nil, got); err != nil {
				t.Fatal(err)
			}
			if err := m.PlainRow(q, nil, want); err != nil {
				t.Fatal(err)
			}
			for i := range want {
				if !close64(got[i], want[i], 1e-11) {
					t.Errorf("%s: %s is %v, want %v", c.name, m.Columns()[i], got[i], want[i])
				}
			}
		}
	}
}

// BenchmarkViterbiRow is a row of the states of 416 observations.
func BenchmarkViterbiRow(b *testing.B) {
	m := program(b, viterbi(416), "{}")
	e, q, row := m.NewEvaluator(), make([]float64, m.Dim()), make([]float64, len(m.Columns()))
	grad := make([]float64, m.Dim())
	b.Run("row", func(b *testing.B) {
		for i := range b.N {
			q[0] = 1e-3 * float64(i%1000)
			if err := e.Write(q, nil, row); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("gradient", func(b *testing.B) {
		for i := range b.N {
			q[0] = 1e-3 * float64(i%1000)
			if _, err := e.LogDensityGrad(q, grad); err != nil {
				b.Fatal(err)
			}
		}
	})
}
