package examples

// This file runs gibbs_prior on programs whose Gibbs priors are known, and times it on
// stochastic volatility.

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/seed-12b88e03/ppl/diagnose/sbc"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/lang"
)

// oracle reads a file of exact answers.
func oracle(t testing.TB, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(shared(t, "oracles"), name))
	if err != nil {
		t.Skipf("NOT TESTED: %v", err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

// fitted runs a method.
func fitted(t testing.TB, m *lang.Model, method string, seed uint64) *lang.Fit {
	t.Helper()
	f, err := m.Program.Method(method)
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	fit, err := m.Run(context.Background(), f, lang.RunOptions{Seed: seed, Jobs: runtime.GOMAXPROCS(0)})
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	return fit
}

// TestOracleLaplaceOfLognormals: the normal at the mode of the example's posterior, in the
// coordinates (mu, log sigma2), at fixed data: relative 1e-5, at the optimiser's tolerance.
func TestOracleLaplaceOfLognormals(t *testing.T) {
	var o struct {
		Cases []struct {
			Y     float64 `json:"y"`
			Mode1 float64 `json:"mode_mu"`
			Mode2 float64 `json:"mode_log_sigma2"`
			Var1  float64 `json:"var_mu"`
			Cov   float64 `json:"cov"`
			Var2  float64 `json:"var_log_sigma2"`
		} `json:"cases"`
	}
	oracle(t, "gibbs_prior/lognormal_laplace_fixed.json", &o)
	prog := compile(t, "gibbs_prior/lognormal.ppl")
	for _, c := range o.Cases {
		fit := fitted(t, bind(t, prog, map[string]any{"y": c.Y}), "laplace()", 1)
		n, ok := fit.Posterior.Density.(*normal.Normal)
		if !ok {
			t.Fatalf("the density is a %T", fit.Posterior.Density)
		}
		cov := make([]float64, 4)
		n.Covariance(cov)
		for what, v := range map[string][2]float64{
			"mode of mu": {n.Mean()[0], c.Mode1}, "mode of log sigma2": {n.Mean()[1], c.Mode2},
			"variance of mu": {cov[0], c.Var1}, "covariance": {cov[1], c.Cov}, "variance of log sigma2": {cov[3], c.Var2},
		} {
			if math.Abs(v[0]-v[1]) > 1e-5*(1+math.Abs(v[1])) {
				t.Errorf("y = %g: %s is %.8g, the oracle has %.8g", c.Y, what, v[0], v[1])
			}
		}
	}
}

const toyProgram = `data { vector[2] y; }
transformed data {
  matrix[2, 2] S = [[%g, %g], [%g, %g]];
  matrix[2, 2] N = [[%g, %g], [%g, %g]];
}
parameters { vector[2] theta; }
model {
  theta ~ multi_normal([0, 0]', S);
  y ~ multi_normal(theta, N);
}
`

// TestOracleGibbsPriorOfADVI: Tables 1 and 2 with advi in place of the closed form of the
// mean-field approximation: entries of the covariance of the Gibbs prior, and of the prior
// itself with the full-rank family, which is exact here, within 5 standard errors.
func TestOracleGibbsPriorOfADVI(t *testing.T) {
	var o struct {
		Settings map[string]struct {
			Prior   [2][2]float64 `json:"Sigma0"`
			Noise   [2][2]float64 `json:"Sigma"`
			Reverse struct {
				Cov [2][2]float64 `json:"gibbs_cov"`
			} `json:"reverse"`
		} `json:"settings"`
	}
	oracle(t, "gibbs_prior/toy_gaussian.json", &o)
	for name, s := range o.Settings {
		a, b := s.Prior, s.Noise
		p, err := lang.Compile("toy.ppl", fmt.Sprintf(toyProgram, a[0][0], a[0][1], a[1][0], a[1][1], b[0][0], b[0][1], b[1][0], b[1][1]), lang.Options{})
		if err != nil {
			t.Fatal(lang.ErrorText(err))
		}
		m := bind(t, p, map[string]any{"y": []float64{0, 0}})
		for family, want := range map[string][2][2]float64{"meanfield": s.Reverse.Cov, "fullrank": s.Prior} {
			if !subset.Has(name+family, 2) {
				continue
			}
			fit := fitted(t, m, `gibbs_prior(advi(draws = 1, family = "`+family+`"), steps = 300, chains = 2)`, 3)
			d := fit.Posterior.Draws
			x, y := d.Column("theta.1"), d.Column("theta.2")
			for what, c := range map[string]struct {
				a, b [][]float64
				want float64
			}{"variance 1": {x, x, want[0][0]}, "covariance": {x, y, want[0][1]}, "variance 2": {y, y, want[1][1]}} {
				var z [][]float64
				for i := range c.a {
					var row []float64
					for k := 30; k < len(c.a[i]); k++ {
						row = append(row, c.a[i][k]*c.b[i][k])
					}
					z = append(z, row)
				}
				mean, fault := draws.Mean(z), draws.MCSEMean(z)
				t.Logf("%s, %s: %s %.3f +- %.3f, the oracle has %.3f", name, family, what, mean, fault, c.want)
				if math.Abs(mean-c.want) > 5*fault {
					t.Errorf("%s, %s: %s is %.3f +- %.3f, the oracle has %.3f", name, family, what, mean, fault, c.want)
				}
			}
		}
	}
}

// TestOracleVolatilityApproximations: advi at the stored series against the exact optima of
// both families: means within 0.05 sd, sds within 5 %, the bound within 0.1 nats.
func TestOracleVolatilityApproximations(t *testing.T) {
	type answer struct {
		Mean []float64 `json:"mean"`
		SD   []float64 `json:"sd"`
		ELBO float64   `json:"elbo"`
	}
	var o struct {
		Y         []float64 `json:"y"`
		MeanField answer    `json:"mean_field"`
		FullRank  answer    `json:"full_rank"`
	}
	oracle(t, "gibbs_prior/vol_fixed_y.json", &o)
	m := bind(t, compile(t, "gibbs_prior/volatility.ppl"), map[string]any{"T": len(o.Y), "y": o.Y})
	for family, want := range map[string]answer{"meanfield": o.MeanField, "fullrank": o.FullRank} {
		fit := fitted(t, m, `advi(family = "`+family+`")`, 1)
		n := fit.Posterior.Density.(*normal.Normal)
		var shift, ratio float64
		for i, sd := range n.SD() {
			shift = max(shift, math.Abs(n.Mean()[i]-want.Mean[i])/want.SD[i])
			ratio = max(ratio, math.Abs(sd/want.SD[i]-1))
		}
		elbo := fit.Posterior.Fit.ELBO.Value
		t.Logf("%s: largest shift %.3f sd, largest error of an sd %.1f %%, bound %.3f, the oracle has %.3f", family, shift, 100*ratio, elbo, want.ELBO)
		if shift > 0.05 || ratio > 0.05 || math.Abs(elbo-want.ELBO) > 0.1 {
			t.Errorf("%s: shift %.3f sd, sd off by %.1f %%, bound %.3f, the oracle has %.3f", family, shift, 100*ratio, elbo, want.ELBO)
		}
	}
}

// TestRanksOfMeanField: the ranks of the example have the shape of a U: both outer bins are
// beyond the band, and more than half of the inner ones are lower than if they were even.
func TestRanksOfMeanField(t *testing.T) {
	m := load(t, "calibration/two_slopes.ppl", "calibration/two_slopes.json")
	d, err := m.Program.Diagnoses()
	if err != nil {
		t.Fatal(err)
	}
	v, err := m.Diagnose(context.Background(), d[0], lang.RunOptions{Seed: 2, Jobs: 2})
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	f := v.Figures.(sbc.Figures)
	for _, p := range f.Parameters {
		last := len(p.Histogram) - 1
		low := 0
		for _, c := range p.Histogram[1:last] {
			if float64(c) < float64(f.Replications)/float64(last+1) {
				low++
			}
		}
		if p.Histogram[0] <= f.Bands.Histogram.High[0] || p.Histogram[last] <= f.Bands.Histogram.High[last] || 2*low <= last-1 {
			t.Errorf("%s: %v", p.Name, p.Histogram)
		}
	}
}

// BenchmarkGibbsPrior times a step of the chain of stochastic volatility for the four
// methods of the paper, and says how many minutes 10,000 steps of each take on two
// processors; the last line is the sum.
func BenchmarkGibbsPrior(b *testing.B) {
	m := load(b, "gibbs_prior/volatility.ppl", "gibbs_prior/volatility.json")
	const steps, processors = 10_000, 2
	var sum float64
	minutes := func(step time.Duration) float64 { return step.Minutes() * steps / processors }
	for _, c := range []struct{ name, method string }{
		{"nuts-short", "nuts(warmup = 5, draws = 5, chains = 1)"}, {"nuts-long", "nuts(warmup = 20, draws = 20, chains = 1)"},
		{"advi-meanfield", "advi()"}, {"advi-fullrank", `advi(family = "fullrank")`},
	} {
		f, err := m.Program.Method("gibbs_prior(" + c.method + ", steps = 10, chains = 1)")
		if err != nil {
			b.Fatal(lang.ErrorText(err))
		}
		best := time.Duration(math.MaxInt64)
		b.Run(c.name, func(b *testing.B) {
			for i := range b.N {
				began := time.Now()
				if _, err := m.Run(context.Background(), f, lang.RunOptions{Seed: uint64(i) + 1, Jobs: 1}); err != nil {
					b.Fatal(lang.ErrorText(err))
				}
				best = min(best, time.Since(began)/10)
			}
			b.ReportMetric(float64(best.Microseconds())/1000, "ms/step")
			b.ReportMetric(minutes(best), "min/10000-steps")
		})
		sum += minutes(best)
	}
	b.Logf("10,000 steps of all four methods on %d processors: %.1f minutes", processors, sum)
}
