// Discrete numbers drawn one at a time, each by the factors that it is in.

package bind_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
)

// TestLogSite compares how the log density changes with single numbers of grids too wide for tables, by the
// factors of that number and by the whole density as the statements give it. No number costs a
// look at the whole: a sweep is one OpenSites, and LogSite for each value.
func TestLogSite(t *testing.T) {
	const side = 27
	for _, c := range []struct{ name, program string }{
		{"data alone", `data { int L; } parameters { array[L, L] int<lower=0, upper=1> s; }
model { for (i in 1:L) for (j in 1:L) { target += 0.2 * s[i, j]; if (i < L) target += 0.4 * s[i, j] * s[i + 1, j]; if (j < L) target += 0.3 * (1 - s[i, j]) * s[i, j + 1]; } }`},
		{"a strength that is drawn", `data { int L; } parameters { real<lower=0> b; vector[3] h; array[L, L] int<lower=1, upper=3> s; }
model { b ~ gamma(2, 2); h ~ normal(0, 1);
  for (i in 1:L) for (j in 1:L) { target += h[s[i, j]]; if (i < L) target += b * (s[i, j] == s[i + 1, j]); if (j < L) target += exp(-b) * (s[i, j] == s[i, j + 1]); } }`},
	} {
		m := bound(t, c.program, `{"L": 27}`)
		e := m.Joint().NewEvaluator()
		sites, ok := infer.Capability[infer.Sites](e)
		if !ok {
			t.Fatal("no sites")
		}
		mixed, _ := infer.Capability[infer.Mixed](e)
		whole := mixed.Whole()
		if len(whole) != side*side {
			t.Fatalf("%s: %d whole numbers", c.name, len(whole))
		}
		first := e.Dim() - len(whole)
		rng := rand.New(rand.NewPCG(3, 4))
		q := make([]float64, e.Dim())
		for i := range first {
			q[i] = rng.NormFloat64()
		}
		for i, r := range whole {
			q[first+i] = r.Low + float64(rng.IntN(int(r.High-r.Low)+1))
		}
		if ok, err := sites.OpenSites(q); !ok || err != nil {
			t.Fatalf("%s: %v, %v", c.name, ok, err)
		}
		for range 20 {
			i := rng.IntN(len(whole))
			at := q[first+i]
			from, err := e.LogDensity(q)
			if err != nil {
				t.Fatal(err)
			}
			for v := whole[i].Low; v <= whole[i].High; v++ {
				q[first+i] = v
				to, err := e.LogDensity(q)
				if err != nil {
					t.Fatal(err)
				}
				if got := sites.LogSite(first+i, v) - sites.LogSite(first+i, at); !(math.Abs(got-(to-from)) < 1e-10) {
					t.Errorf("%s: number %d from %v to %v: %v, want %v", c.name, i, at, v, got, to-from)
				}
			}
			sites.MoveSite(first+i, whole[i].High) // which is where q has it now
		}
	}
}
