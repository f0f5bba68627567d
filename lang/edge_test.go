// This file tests chains where a parameter rounds to the edge of its support.

package lang

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
)

// Models without data whose shape parameter a has a gamma prior, which is therefore its
// posterior. Where a is small a good part of what it is the shape of lies so near an edge that
// its value rounds to it as float64, where the log density is +Inf.
var edges = map[string]struct {
	program     string
	mean, scale float64 // of the prior of a, which is gamma(2, 2/mean)
}{
	"beta at 1": {`parameters { real<lower=0> a; vector<lower=0, upper=1>[3] v; }
model { a ~ gamma(2, 2); v ~ beta(1, a); }`, 1, math.Sqrt(0.5)},
	"its kernel": {`parameters { real<lower=0> a; vector<lower=0, upper=1>[3] v; }
model { a ~ gamma(2, 2); for (k in 1:3) target += log(a) + (a - 1) * log1m(v[k]); }`, 1, math.Sqrt(0.5)},
	"lengths of broken sticks": {`parameters { real<lower=0> a; vector<lower=0, upper=1>[2] v; array[2] int<lower=1, upper=3> z; }
transformed parameters { vector[3] w; { real left = 1; for (k in 1:2) { w[k] = left * v[k]; left *= 1 - v[k]; } w[3] = left; } }
model { a ~ gamma(2, 2); v ~ beta(1, a); z ~ categorical(w); }`, 1, math.Sqrt(0.5)},
	"gamma at 0": {`parameters { real<lower=0> a; real<lower=0> g; }
model { a ~ gamma(2, 20); g ~ gamma(a, 1); }`, 0.1, 0.1 * math.Sqrt(0.5)},
	"another upper bound": {`parameters { real<lower=0> a; real<lower=-1, upper=3> x; }
model { a ~ gamma(2, 2); target += log(a) + (a - 1) * log(3 - x) - a * log(4); }`, 1, math.Sqrt(0.5)},
}

// TestEdges draws from these models by every kind of chain. What is cut away beyond the numbers
// of float64 is at most (2/39)^2 = 0.3 % of the mass a stick. Means are held to 5 Monte Carlo
// errors, standard deviations to 15 %, which is more than 4 of theirs.
func TestEdges(t *testing.T) {
	for name, c := range edges {
		m := boundTo(t, c.program, nil)
		for _, text := range []string{"nuts(draws = 2000)", "hmc(draws = 2000)", "mh(draws = 4000)", "gibbs(draws = 4000)"} {
			if !subset.Has(name+text, 3) {
				continue
			}
			method, err := m.Program.Method(text[:len(text)-1] + `, check = "none")`)
			if err != nil {
				t.Fatal(err)
			}
			fit, err := m.Run(t.Context(), method, RunOptions{Seed: 2, Jobs: 2})
			if err != nil {
				t.Errorf("%s by %s: %v", name, text, err)
				continue
			}
			x := fit.Posterior.Draws.Column("a")
			mean, sd, ess := draws.Mean(x), draws.SD(x), draws.ESSBulk(x)
			if !(math.Abs(mean-c.mean) < 5*sd/math.Sqrt(ess)) || !(math.Abs(sd/c.scale-1) < 0.15) || !(ess > 100) {
				t.Errorf("%s by %s: a has mean %.4f and sd %.4f (ESS %.0f), exactly %.4f and %.4f", name, text, mean, sd, ess, c.mean, c.scale)
			}
		}
	}
}
