package lang_test

import (
	"context"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/lang"
)

// fitOf compiles, binds and fits.
func fitOf(t *testing.T, program string, data map[string]any, method string, seed uint64) *lang.Fit {
	t.Helper()
	p, err := lang.Compile("model.ppl", program, lang.Options{})
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	in, err := lang.Data(data)
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.Bind(in, lang.BindOptions{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	how, err := p.Method(method)
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	fit, err := m.Run(context.Background(), how, lang.RunOptions{Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	return fit
}

// severity is that of a fit's finding.
func severity(t *testing.T, f *lang.Fit, name string) diagnose.Severity {
	t.Helper()
	for _, found := range f.Findings {
		if found.Name == name {
			return found.Severity
		}
	}
	t.Fatalf("no finding %s in %+v", name, f.Findings)
	return ""
}

// Swaps that are wrong by 0.4 to 0.9 standard deviations, of models with numbers that are
// constant and not zero, by an approximation whose draws come without its density, and with
// indicators that never change among the new draws: none is called good.
func TestWrongSwapsAreNotGood(t *testing.T) {
	for name, c := range map[string]struct {
		program, method string
		data            map[string]any
	}{
		"constant diagonal": {`data { int N; int y; array[N] vector[2] x; }
parameters { real<lower=0, upper=1> theta; corr_matrix[2] Omega; }
model { theta ~ beta(1, 1); Omega ~ lkj_corr(1); y ~ binomial(10, theta); x ~ multi_normal([0,0]', Omega); }`,
			"prior_swap(nuts()) { theta ~ beta(5, 5); }", map[string]any{"N": 3, "y": 0, "x": [][]float64{{1, 0.5}, {-1, -0.8}, {0.3, 0.4}}}},
		"constant factor": {`data { int N; int y; array[N] vector[2] x; }
parameters { real<lower=0, upper=1> theta; cholesky_factor_corr[2] L; }
model { theta ~ beta(1, 1); L ~ lkj_corr_cholesky(1); y ~ binomial(12, theta); x ~ multi_normal_cholesky([0,0]', L); }`,
			"prior_swap(nuts(), from = \"parametric\") { theta ~ beta(6, 4); }", map[string]any{"N": 2, "y": 0, "x": [][]float64{{1, 0.5}, {-1, -0.8}}}},
		"indicator": {`data { vector[3] y; }
parameters { real mu; array[3] int<lower=0, upper=1> z; }
model { mu ~ normal(0, 1); z ~ bernoulli(0.2); y ~ normal(mu + 3 * to_vector(z), 1); }`,
			"prior_swap(nuts()) { mu ~ normal(2, 0.5); }", map[string]any{"y": []float64{3.5, 3.1, -0.2}}},
		"resampled draws": {`data { int N; vector[N] y; } parameters { real mu; real<lower=0> s; }
model { mu ~ normal(0, 2); s ~ lognormal(0, 1); y ~ normal(mu, s); }`,
			"prior_swap(pathfinder()) { mu ~ student_t(3, 0, 0.5); }", map[string]any{"N": 6, "y": []float64{1.6, 1.9, 0.3, 2.2, 1.0, 1.1}}},
	} {
		for seed := range uint64(3) {
			if s := severity(t, fitOf(t, c.program, c.data, c.method, seed+1), "prior_swap"); s == diagnose.Good {
				t.Errorf("%s, seed %d: good", name, seed+1)
			}
		}
	}
}

// A number that is constant before and after does not spoil the check of a swap that is right.
func TestConstantNumbersAreNoDifference(t *testing.T) {
	const program = `data { int N; int y; array[N] vector[2] x; }
parameters { real<lower=0, upper=1> theta; corr_matrix[2] Omega; }
model { theta ~ beta(1, 1); Omega ~ lkj_corr(1); y ~ binomial(10, theta); x ~ multi_normal([0,0]', Omega); }`
	f := fitOf(t, program, map[string]any{"N": 3, "y": 5, "x": [][]float64{{1, 0.5}, {-1, -0.8}, {0.3, 0.4}}}, "prior_swap(nuts()) { theta ~ beta(1.2, 1.2); }", 1)
	if s := severity(t, f, "prior_swap"); s != diagnose.Good {
		t.Errorf("%s: %+v", s, f.Findings)
	}
}
