package examples

// This file checks that centring is learned the same way on any number of goroutines and through interruptions,
// and what it does for hierarchical models.

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/disk"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
	"github.com/seed-12b88e03/ppl/infer/journal"
	"github.com/seed-12b88e03/ppl/lang"
)

// centredSchools are the eight schools with effects written centred.
const centredSchools = `
data { int J; vector[J] y; vector<lower=0>[J] sigma; }
parameters { real mu; real<lower=0> tau; vector[J] theta; }
model { mu ~ normal(0, 5); tau ~ cauchy(0, 5); theta ~ normal(mu, tau); y ~ normal(theta, sigma); }
`

var schoolsData = map[string]any{
	"J": 8, "y": []float64{28, 8, -3, 7, -1, 1, 18, 12}, "sigma": []float64{15, 10, 16, 11, 9, 11, 10, 18},
}

// A run that learns centring has the same draws on any number of goroutines, where one evaluates several
// chains at once, too, and when it is cut around the ends of the stages, where centring changes, and goes on.
func TestCentringIsResumed(t *testing.T) {
	prog, err := lang.Compile("centred.ppl", centredSchools, lang.Options{})
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	model := bind(t, prog, schoolsData)
	method, err := model.Program.Method("nuts(chains = 4)")
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	run := func(ctx context.Context, o lang.RunOptions) *infer.Posterior {
		t.Helper()
		o.Seed = 3
		fit, err := model.Run(ctx, method, o)
		if err != nil {
			t.Fatal(lang.ErrorText(err))
		}
		return fit.Posterior
	}
	want := run(t.Context(), lang.RunOptions{Jobs: 4})
	if c := want.Stopping.Centring; len(c) != 1 || c[0].Name != "theta" || c[0].Written != "centred" || c[0].Least == 1 {
		t.Fatalf("centring was not learned: %+v", want.Stopping)
	}
	for _, jobs := range []int{1, 2, 3} {
		if got := run(t.Context(), lang.RunOptions{Jobs: jobs}); !infertest.SameDraws(want, got) {
			t.Errorf("%d goroutines give other draws", jobs)
		}
	}
	cuts := []int{76, 75, 225, 300, 1, 74, 100, 224, 226, 374, 375, 376, 400}
	for _, at := range cuts[:subset.Of(4, len(cuts))] {
		for _, chain := range []int{0, 2} {
			t.Run(fmt.Sprint(at, chain), func(t *testing.T) {
				dir := t.TempDir()
				ctx, stop := context.WithCancel(t.Context())
				run(ctx, lang.RunOptions{Jobs: 2, Observer: infer.WithJournal(infertest.CutAt{Chain: chain, At: at, Stop: stop}, journal.New(disk.Disk{}, dir, 0))})
				got := run(t.Context(), lang.RunOptions{Jobs: 2, Observer: infer.WithJournal(infer.Ignore{}, journal.New(disk.Disk{}, dir, 0))})
				if !infertest.SameDraws(want, got) {
					t.Error("the resumed run has other draws")
				}
			})
		}
	}
}

// metaAnalysis is a program of J studies with standard errors, by how effects are written and the prior of tau.
func metaAnalysis(centred, cauchy bool) string {
	effects, use, prior := "vector[J] z;", "vector[J] theta = mu + tau * z; z ~ std_normal();", "normal(0, 1)"
	if centred {
		effects, use = "vector[J] theta;", "theta ~ normal(mu, tau);"
	}
	if cauchy {
		prior = "cauchy(0, 1)"
	}
	return "data { int J; vector[J] y; vector<lower=0>[J] s; } parameters { real mu; real<lower=0> tau; " + effects +
		" } model { " + use + " mu ~ normal(0, 2); tau ~ " + prior + "; y ~ normal(theta, s); }"
}

// Simulated meta-analyses: parameters are drawn from the prior, so that intervals of every probability
// cover them as often. With 2,000 fits, all of them with PPL_ALL=1, the standard error of a coverage of 90 % is 0.7 %; the bounds are four of
// the standard errors of the fits that are made, which fails by chance once in 16,000 times for each of 16 coverages.
func TestMetaAnalyses(t *testing.T) {
	n := subset.Of(10, 500)
	for _, cauchy := range []bool{false, true} {
		for _, centred := range []bool{true, false} {
			prog, err := lang.Compile("meta.ppl", metaAnalysis(centred, cauchy), lang.Options{})
			if err != nil {
				t.Fatal(lang.ErrorText(err))
			}
			method, err := prog.Method("nuts()")
			if err != nil {
				t.Fatal(lang.ErrorText(err))
			}
			diverged, divergences, sampled, warmed := 0, 0, 0, 0
			covered := map[string]int{}
			for i := range n {
				r := rand.New(rand.NewPCG(uint64(i), 7))
				j := 3 + r.IntN(28)
				mu, tau := 2*r.NormFloat64(), math.Abs(r.NormFloat64())
				if cauchy {
					tau = math.Abs(math.Tan(math.Pi * (r.Float64() - 0.5)))
				}
				y, s := make([]float64, j), make([]float64, j)
				for k := range y {
					s[k] = math.Exp(0.5*r.NormFloat64() - 0.5)
					y[k] = mu + tau*r.NormFloat64() + s[k]*r.NormFloat64()
				}
				fit, err := bind(t, prog, map[string]any{"J": j, "y": y, "s": s}).Run(t.Context(), method, lang.RunOptions{Seed: uint64(i), Jobs: 2})
				if err != nil {
					t.Fatal(lang.ErrorText(err))
				}
				p := fit.Posterior
				sampled, warmed = sampled+p.Plan.Draws, warmed+p.Plan.Warmup
				if d := len(p.Divergences()); d > 0 {
					diverged, divergences = diverged+1, divergences+d
				}
				for name, truth := range map[string]float64{"mu": mu, "tau": tau} {
					for _, prob := range []float64{0.5, 0.9} {
						x := slices.Sorted(slices.Values(slices.Concat(p.Draws.Column(name)...)))
						low, high := x[int(float64(len(x))*(1-prob)/2)], x[int(float64(len(x))*(1+prob)/2)]
						if low <= truth && truth <= high {
							covered[fmt.Sprint(name, " ", prob)]++
						}
					}
				}
			}
			t.Logf("centred %v, Cauchy %v: %d of %d fits with a divergence (%d), %d draws a chain after %d", centred, cauchy, diverged, n, divergences, sampled/n, warmed/n)
			for key, count := range covered {
				var name string
				var prob float64
				fmt.Sscan(key, &name, &prob)
				got := float64(count) / float64(n)
				t.Logf("%s: %.3f", key, got)
				if math.Abs(got-prob) > 4*math.Sqrt(prob*(1-prob)/float64(n)) {
					t.Errorf("intervals of %g cover %s in %g of %d fits", prob, name, got, n)
				}
			}
		}
	}
}

// A scale that underflows where chains begin, as a spectral density far out does, leaves effects as they are. Their posterior is the
// prior there: means and standard deviations within five Monte Carlo errors of 0 and 1, a false alarm in 200,000 seeds.
func TestScaleThatUnderflows(t *testing.T) {
	prog, err := lang.Compile("underflow.ppl", `parameters { real<lower=0> l; vector[3] z; }
model { l ~ lognormal(0, 0.1); z ~ std_normal(); 1.5 ~ normal(sum(exp(-1000 * l) * z), 1); }`, lang.Options{})
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	p, _ := fitOf(t, prog, nil, 1)
	for _, name := range []string{"z.1", "z.2", "z.3"} {
		x := p.Draws.Column(name)
		if z := draws.Mean(x) / draws.MCSEMean(x); !(math.Abs(z) < 5) {
			t.Errorf("%s: mean %.3g, %.1f Monte Carlo errors off", name, draws.Mean(x), z)
		}
		if z := (draws.SD(x) - 1) / draws.MCSESD(x); !(math.Abs(z) < 5) {
			t.Errorf("%s: standard deviation %.3g, %.1f Monte Carlo errors off", name, draws.SD(x), z)
		}
	}
}
