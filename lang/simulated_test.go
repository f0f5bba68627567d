package lang

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seed-12b88e03/ppl/diagnose"
)

// judgedOn runs a diagnosis.
func judgedOn(t *testing.T, text, directive string, data map[string]any) *diagnose.Verdict {
	t.Helper()
	m := boundTo(t, text, data)
	d, err := m.Program.Diagnosis(directive)
	if err == nil {
		err = m.Judges(d)
	}
	if err != nil {
		t.Fatal(err)
	}
	v, err := m.Diagnose(t.Context(), d, RunOptions{Seed: 1, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestSimulatorsThatFail holds the wrappers to what they say of data that cannot be drawn, that
// no fit is given, or that are drawn from another model.
func TestSimulatorsThatFail(t *testing.T) {
	const quick = "laplace(draws = 50)"
	for name, c := range map[string]struct {
		text, directive string
		data            map[string]any
		severity        diagnose.Severity
		says            string
	}{
		"rates beyond what a count can hold": {
			`data { int y; } parameters { real a; } model { a ~ normal(0, 20); y ~ poisson_log(a); }`,
			"sbc(" + quick + ", replications = 20)", map[string]any{"y": 3}, diagnose.None, "draws from the prior were replaced",
		},
		"the same in a Gibbs prior": {
			`data { int y; } parameters { real a; } model { a ~ normal(0, 20); y ~ poisson_log(a); }`,
			"gibbs_prior(" + quick + ", steps = 20)", map[string]any{"y": 3}, "", "",
		},
		"data outside their bounds": {
			`data { real<lower=0> y; } parameters { real mu; } model { mu ~ normal(0, 1); y ~ normal(mu, 1); }`,
			"sbc(" + quick + ", replications = 100)", map[string]any{"y": 3}, diagnose.Warning, "simulated data sets are outside the declared bounds",
		},
		"within their bounds": {
			`data { real<lower=0> y; } parameters { real mu; } model { mu ~ normal(0, 1); y ~ normal(mu, 1) T[0, ]; }`,
			"sbc(" + quick + ", replications = 20)", map[string]any{"y": 3}, diagnose.None, "",
		},
		"bread cannot see another simulator": {
			`data { vector[4] y; } parameters { real mu; } model { mu ~ normal(0, 1); y ~ normal(mu, 1); }
simulate { mu = 0.5; for (n in 1:4) y[n] = normal_rng(mu, 1); }`,
			"bread(nuts(warmup = 50, draws = 50, chains = 1), steps = [3], chains = 3, datasets = 3)", map[string]any{"y": []float64{1, 2, 0, 1}}, "", "The simulate block and the model block differ",
		},
		"held hyperparameters in a simulate block": {
			`data { int N; vector[N] y; } parameters { real<lower=0> s; vector[2] mu; }
model { s ~ inv_gamma(1, 1); mu ~ normal(0, s); for (n in 1:N) target += log_mix(0.3, normal_lpdf(y[n] | mu[1], 1), normal_lpdf(y[n] | mu[2], 1)); }
simulate { s = inv_gamma_rng(1, 1); for (k in 1:2) mu[k] = normal_rng(0, s); for (n in 1:N) y[n] = normal_rng(mu[1 + bernoulli_rng(0.7)], 1); }`,
			`bread(nuts(warmup = 50, draws = 50, chains = 1), data = "fitted", hyper = [s], steps = [3], chains = 3, datasets = 2)`,
			map[string]any{"N": 4, "y": []float64{1, 2, -3, 1}}, "", "simulated at one fitted value of s",
		},
	} {
		t.Run(name, func(t *testing.T) {
			v := judgedOn(t, c.text, c.directive, c.data)
			notes := strings.Join(v.Notes, " ")
			if c.says == "The simulate block and the model block differ" && !strings.HasPrefix(v.Summary, c.says) {
				t.Errorf("%s: %s", v.Severity, v.Summary)
			}
			if c.severity != "" && v.Severity != c.severity || !strings.Contains(notes, c.says) || c.says == "" && strings.Contains(notes, "bounds") {
				t.Errorf("%s: %s %s", v.Severity, v.Summary, notes)
			}
		})
	}
}

// TestTablesAreNarrow keeps tables of verdicts within 100 columns, whatever the numbers, and
// free of NaN.
func TestTablesAreNarrow(t *testing.T) {
	const scale = `data { int N; vector[N] y; } parameters { real mu; real<lower=0> sigma; }
model { mu ~ normal(0, 10); sigma ~ exponential(1); y ~ normal(mu, sigma); }`
	for _, directive := range []string{
		"bread(nuts(), steps = [10, 100, 1000], chains = 4, datasets = 3)", "bread(gibbs(), steps = [10], chains = 4, datasets = 2)",
		"sbc(laplace(draws = 50), replications = 20)",
	} {
		v := judgedOn(t, scale, directive, map[string]any{"N": 4, "y": []float64{1, 2, 3, 4}})
		for _, table := range v.Tables {
			width := make([]int, len(table.Header))
			for _, row := range append([][]string{table.Header}, table.Rows...) {
				for i, cell := range row {
					width[i] = max(width[i], utf8.RuneCountInString(cell))
					if strings.Contains(cell, "NaN") {
						t.Errorf("%s: NaN in %q", directive, row)
					}
				}
			}
			total := 2 * (len(width) - 1)
			for _, w := range width {
				total += w
			}
			if total > 100 {
				t.Errorf("%s: a table of %d columns: %q", directive, total, table.Header)
			}
		}
	}
}

// TestCaviNamesImpossibleCombinations does not blame the prior.
func TestCaviNamesImpossibleCombinations(t *testing.T) {
	m := boundTo(t, `parameters { array[2] int<lower=0, upper=1> z; real x; }
model { if (z[1] + z[2] != 1) target += negative_infinity(); x ~ normal(0, 1); }`, nil)
	method, err := m.Program.Method("cavi()")
	if err != nil {
		t.Fatal(err)
	}
	if _, err = m.Run(t.Context(), method, RunOptions{Seed: 1}); err == nil || !strings.Contains(err.Error(), "combinations of discrete parameters") {
		t.Errorf("error %v", err)
	}
}

// TestUnfinishedFitsAreCounted has an optimiser that never converges: no more fits did not than
// there were.
func TestUnfinishedFitsAreCounted(t *testing.T) {
	v := judgedOn(t, `data { vector[3] y; } parameters { vector[3] mu; }
model { mu ~ multi_normal(rep_vector(0, 3), [[2, 1.2, .4], [1.2, 1.5, -.3], [.4, -.3, 1]]); y ~ multi_normal(mu, [[3, 1.5, .5], [1.5, 4, -1], [.5, -1, 2]]); }`,
		"gibbs_prior(advi(iterations = 5, draws = 1), steps = 30, chains = 4)", map[string]any{"y": []float64{1, 0, 2}})
	for _, note := range v.Notes {
		var unfinished, fits int
		if n, _ := fmt.Sscanf(note, "In %d of %d fits", &unfinished, &fits); n == 2 {
			if unfinished > fits || fits < 120 {
				t.Error(note)
			}
			return
		}
	}
	t.Errorf("notes %q", v.Notes)
}
