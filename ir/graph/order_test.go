// The order of generative programs, and what the reading without data says.

package graph_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/graph"
	"github.com/seed-12b88e03/ppl/stdlib"
)

func read(t *testing.T, program string) *graph.Generative {
	t.Helper()
	lib := stdlib.New()
	p, err := bindtest.Compile("test.ppl", program, ".", lib)
	if err != nil {
		t.Fatal(err)
	}
	return graph.NewGenerative(p, lib)
}

// texts lists statements as they stand in the source, those of loops below them.
func texts(body []ir.Stmt) []string {
	var out []string
	for _, s := range body {
		if f, ok := s.(*ir.For); ok {
			out = append(out, "for "+f.Var.Name)
			for _, inner := range texts(f.Body) {
				out = append(out, "  "+inner)
			}
			continue
		}
		out = append(out, strings.Join(strings.Fields(s.Span().Text()), " "))
	}
	return out
}

// Draws from the prior need no loop over data, but what draws parameters, what these read, and
// what rejects.
func TestPriorBody(t *testing.T) {
	g := read(t, `
data { int N; vector[N] y; vector[N] z; }
parameters { real a; real b; vector[N] c; }
transformed parameters { real s = exp(a); vector[N] m = b * y; }
model {
  a ~ normal(0, 1);
  b ~ normal(0, s);
  for (n in 1:N) c[n] ~ normal(b, 1);
  for (n in 1:N) { real mu = c[n] + m[n]; y[n] ~ normal(mu, 1); }
  z ~ normal(m, 1);
  { array[N] vector[2] Y; array[N] vector[2] M; for (n in 1:N) { Y[n] = [y[n], z[n]]'; M[n] = [b, b * z[n]]'; } Y ~ multi_normal(M, identity_matrix(2)); }
  { vector[2] lp; for (k in 1:2) lp[k] = normal_lpdf(y | k * b, 1); target += log_sum_exp(lp); }
  if (b > 5) reject("b");
}`)
	want := []string{"a ~ normal(0, 1);", "real s = exp(a)", "b ~ normal(0, s);", "for n", "  c[n] ~ normal(b, 1);", `if (b > 5) reject("b");`, "vector[N] m = b * y"}
	if diff := cmp.Diff(want, texts(g.PriorBody)); diff != "" {
		t.Error(diff)
	}
}

func TestOrder(t *testing.T) {
	for _, c := range []struct {
		name, program string
		want          []string
	}{
		{"upside down", `
data { vector[2] y; } parameters { real mu; real tau; }
model { y ~ normal(mu, 1); mu ~ normal(tau, 1); tau ~ normal(0, 1); }`,
			[]string{"tau ~ normal(0, 1);", "mu ~ normal(tau, 1);", "y ~ normal(mu, 1);"}},
		{"as written where nothing is wrong", `
parameters { real a; real b; real c; }
model { b ~ normal(0, 1); a ~ normal(0, 1); c ~ normal(a, 1); }`,
			[]string{"b ~ normal(0, 1);", "a ~ normal(0, 1);", "c ~ normal(a, 1);"}},
		{"transformed parameters between", `
data { real y; } parameters { real a; } transformed parameters { real b = 2 * a; }
model { y ~ normal(b, 1); a ~ normal(0, 1); }`,
			[]string{"a ~ normal(0, 1);", "real b = 2 * a", "y ~ normal(b, 1);"}},
		{"assignments keep their order", `
data { vector[2] y; } parameters { real a; real b; }
model { real m = a; y[1] ~ normal(m, 1); m = b; y[2] ~ normal(m, 1); b ~ normal(0, 1); a ~ normal(0, 1); }`,
			[]string{"b ~ normal(0, 1);", "a ~ normal(0, 1);", "real m = a", "y[1] ~ normal(m, 1);", "m = b;", "y[2] ~ normal(m, 1);"}},
		{"in loops", `
data { int N; vector[N] y; } parameters { vector[N] x; real s; }
model {
  for (n in 2:N) { y[n] ~ normal(x[n] + y[n - 1], s); x[n] ~ normal(x[n - 1], 1); }
  x[1] ~ normal(0, 1); y[1] ~ normal(0, 1); s ~ exponential(1);
}`,
			[]string{"x[1] ~ normal(0, 1);", "y[1] ~ normal(0, 1);", "s ~ exponential(1);", "for n", "  x[n] ~ normal(x[n - 1], 1);", "  y[n] ~ normal(x[n] + y[n - 1], s);"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := read(t, c.program)
			if diff := cmp.Diff(c.want, texts(g.Body)); diff != "" {
				t.Errorf("the order differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestObservedIgnoresSizes(t *testing.T) {
	g := read(t, `
data { int N; int K; vector[N] y; matrix[N, K] X; array[N] int g; }
parameters { real<lower=0, upper=1> a; }
model { head(y, K) ~ normal(a, 1); target += normal_lpdf(tail(y, N - K) | X[1, 1], 1); }`)
	var names []string
	for v := range g.Observed {
		names = append(names, v.Name)
	}
	if diff := cmp.Diff([]string{"y"}, names); diff != "" {
		t.Errorf("observations differ (-want +got):\n%s", diff)
	}
}

func TestLooseParametersAndTwins(t *testing.T) {
	g := read(t, `
functions {
  real odd_lpdf(real y, real a) { return -y * a; }
  real odd_rng(real a) { return a; }
  real even_lpdf(real y, real a) { return -y * a; }
  real even_rng(real a, real b) { return a; }
}
data { real y; real z; }
parameters { real<lower=0, upper=1> a; real b; }
model { b ~ normal(a, 1); y ~ odd(b); z ~ even(b); }`)
	if len(g.Loose) != 1 || len(g.Twins) != 1 {
		t.Errorf("%d parameters without a statement and %d twins, want 1 and 1", len(g.Loose), len(g.Twins))
	}
	for v := range g.Loose {
		if v.Name != "a" {
			t.Errorf("%s has no statement, want a", v.Name)
		}
	}
	if err := g.Err(); err == nil || !strings.Contains(err.Error(), "even_lpdf has no twin even_rng") {
		t.Errorf("got %v", err)
	}
	if err := g.DensityErr(); err != nil {
		t.Errorf("the prior is at fault: %v", err)
	}
}
