// Simplexes among the numbers of a Gibbs sweep: each is computed by itself.

package bind_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
)

// TestSimplexesMove draws blocks and moves coordinates by hand, and compares the log density that
// follows from what is kept between calls with the one that is evaluated afresh. A simplex of one
// number has no coordinate.
func TestSimplexesMove(t *testing.T) {
	m := bound(t, `data { int N; array[N] int<lower=1, upper=3> v; }
parameters { array[4] simplex[3] a; simplex[1] one; cov_matrix[2] S; real<lower=0> r; array[N] int<lower=1, upper=4> z; }
model { for (i in 1:4) a[i] ~ dirichlet([1, 2, 3]'); S ~ inv_wishart(4, identity_matrix(2)); r ~ gamma(2, one[1]);
  for (n in 1:N) v[n] ~ categorical(a[z[n]]); z ~ categorical([0.1, 0.2, 0.3, 0.4]'); [1, 2]' ~ multi_normal([0, 0]', S); }`,
		`{"N": 6, "v": [1, 3, 2, 2, 1, 3]}`)
	e := m.Joint().NewEvaluator()
	c, ok := infer.Capability[infer.Conditionals](e)
	if !ok {
		t.Fatal("no conditionals")
	}
	s, _ := infer.Capability[infer.Sections](e)
	blocks := c.Blocks()
	rng := rand.New(rand.NewPCG(7, 8))
	q := make([]float64, e.Dim())
	for i := range 6 {
		q[len(q)-1-i] = 1
	}
	same := func(what string) {
		t.Helper()
		got, err := s.LogJoint(q)
		if err != nil {
			t.Fatal(err)
		}
		want, err := m.Joint().NewEvaluator().LogDensity(q)
		if err != nil || !(math.Abs(got-want) < 1e-11*(1+math.Abs(want))) {
			t.Errorf("%s: %v, want %v, %v", what, got, want, err)
		}
	}
	same("at the start")
	for i, b := range blocks {
		if !b.Exact {
			continue
		}
		if err := c.DrawBlocks([]int{i}, q, rng); err != nil {
			t.Fatal(err)
		}
		same("after " + b.Name)
	}
	q[3] += 0.25 // of a[2]
	same("moved by hand")
}
