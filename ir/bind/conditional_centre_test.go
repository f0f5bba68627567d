// Data far from zero: nothing is lost in sums of squares.

package bind_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/cavi"
)

// TestOffsets moves the data and the priors of the means: with the same seed the draws
// move with them, and those of the scales stay. The bound is on rounding: that of the
// data themselves, 1e-8 at 1e8, moves the draws by as little.
func TestOffsets(t *testing.T) {
	const (
		vectors = `data { real at; vector[8] y; vector[8] x; } transformed data { vector[8] far = at + y; } parameters { `
		numbers = `"y": [0.3, -1.2, 0.8, 2.1, -0.4, 1.5, -0.9, 0.1], "x": [-3, -2, -1, 0, 1, 2, 3, 4]}`
	)
	for _, c := range []struct {
		name, body string
		moved      int // how many of the first parameters move
	}{
		{"precision", `real m; real<lower=0> t; } model { m ~ normal(at, 10); t ~ gamma(2, 2); far ~ normal(m, inv_sqrt(t)); }`, 1},
		{"variance", `real m; real<lower=0> v; } model { m ~ normal(at, 10); v ~ inv_gamma(2, 2); far ~ normal(m, sqrt(v)); }`, 1},
		{"sliced scale", `real m; real<lower=0> s; } model { m ~ normal(at, 10); s ~ normal(0, 2); far ~ normal(m, s); }`, 1},
		{"flat prior", `real m; real<lower=0> v; } model { v ~ inv_gamma(2, 2); far ~ normal(m, sqrt(v)); }`, 1},
		{"regression", `real a; real b; real<lower=0> v; } model { a ~ normal(at, 10); b ~ normal(0, 3); v ~ inv_gamma(2, 2); far ~ normal(a + b * x, sqrt(v)); }`, 1},
		{"hierarchy", `real m; vector[8] h; real<lower=0> w; real<lower=0> v; } model { m ~ normal(at, 10); w ~ inv_gamma(3, 2); v ~ inv_gamma(3, 2);
			h ~ normal(m, sqrt(w)); far ~ normal(h, sqrt(v)); }`, 9},
	} {
		data := func(at float64) string { return fmt.Sprintf(`{"at": %g, `, at) + numbers }
		near := run(t, gibbsMethod(t, 50, 200), bound(t, vectors+c.body, data(0)).Joint())
		far := run(t, gibbsMethod(t, 50, 200), bound(t, vectors+c.body, data(1e8)).Joint())
		for i, name := range near.Names() {
			if strings.HasSuffix(name, "__") {
				continue
			}
			at := 0.0
			if i <= c.moved {
				at = 1e8
			}
			for chain, x := range far.Column(name) {
				for k, v := range x {
					want := near.Column(name)[chain][k]
					if !(math.Abs(v-at-want) <= 1e-4*math.Max(1, math.Abs(want))) {
						t.Fatalf("%s: draw %d of %s is %v, want %v + %v", c.name, k, name, v, at, want)
					}
				}
			}
		}
	}
}

// ascent runs coordinate ascent on a model.
func ascent(t *testing.T, m infer.Model, blocks string) *infer.Posterior {
	t.Helper()
	o := cavi.DefaultOptions()
	o.Blocks.Choice = blocks
	method, err := cavi.New(o)
	if err != nil {
		t.Fatal(err)
	}
	p, err := method.Run(context.Background(), m, infer.Options{Seed: 11, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestOffsetsInAscent moves data and priors: bound and factors are those of the data
// about zero.
func TestOffsetsInAscent(t *testing.T) {
	const program = `data { real at; vector[6] y; vector[6] x; } transformed data { vector[6] far = at + y; }
parameters { real a; real b; real<lower=0> v; }
model { a ~ normal(at, 10); b ~ normal(0, 3); v ~ inv_gamma(2, 2); far ~ normal(a + b * x, sqrt(v)); }`
	const numbers = `{"at": %g, "y": [0.3, -1.2, 0.8, 2.1, -0.4, 1.5], "x": [-3, -2, -1, 0, 1, 2]}`
	for _, blocks := range infer.BlockChoices() {
		near := ascent(t, bound(t, program, fmt.Sprintf(numbers, 0.0)), blocks)
		far := ascent(t, bound(t, program, fmt.Sprintf(numbers, 1e8)), blocks)
		if d := far.Fit.ELBO.Value - near.Fit.ELBO.Value; !(math.Abs(d) <= 1e-6) {
			t.Errorf("%s: the bound is %v, %v more than about zero", blocks, far.Fit.ELBO.Value, d)
		}
		for i, s := range far.Draws.Summaries()[1:4] {
			want := near.Draws.Summaries()[1+i]
			if i == 0 {
				want.Mean += 1e8
			}
			if !(math.Abs(s.Mean-want.Mean) <= 1e-5) || !(math.Abs(s.SD-want.SD) <= 1e-5) {
				t.Errorf("%s: %s has mean %v and sd %v, want %v and %v", blocks, s.Name, s.Mean, s.SD, want.Mean, want.SD)
			}
		}
	}
}

// TestAffineBeside has parameters with and without offset and multiplier in one factor:
// it is exact, and the same as without.
func TestAffineBeside(t *testing.T) {
	const rest = ` } model { a ~ normal(0, 3); b ~ normal(4, 3); y ~ normal(a + b * x, 1); }`
	const numbers = `{"y": [1.1, 4.8, 9.3, 12.8, 17.2], "x": [0, 1, 2, 3, 4]}`
	value := func(parameters string) float64 {
		return ascent(t, bound(t, `data { vector[5] y; vector[5] x; } parameters { `+parameters+rest, numbers), infer.Jointly).Fit.ELBO.Value
	}
	want := value("real a; real b;")
	for _, parameters := range []string{"real a; real<offset=5, multiplier=2> b;", "real<offset=5, multiplier=2> b; real a;"} {
		if got := value(parameters); !(math.Abs(got-want) <= 1e-9) {
			t.Errorf("%s: the log evidence is %v, want %v", parameters, got, want)
		}
	}
}
