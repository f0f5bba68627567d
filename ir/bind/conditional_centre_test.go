// Data far from zero: nothing is lost in sums of squares.

package bind_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
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
