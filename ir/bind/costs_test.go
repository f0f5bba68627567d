package bind_test

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
)

// TestCostsAreOfTheDensity: the programs of the statements, put together by the chain rule, are the log density
// and its gradient by the reference interpreter and its tape, over the posteriors and ways to write
// prior and likelihood.
func TestCostsAreOfTheDensity(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(sharedFolder(t, "posteriors"), "*", "data.json"))
	r := rng.New(1, "costs", 0, 0)
	tested := 0
	for i, file := range files {
		name := filepath.Base(filepath.Dir(file))
		model := posteriors + name + ".stan"
		if _, err := os.Stat(model); err != nil || slack[name] > 0 || i%3 > 0 {
			continue
		}
		m, err := bindtest.Model(model, file)
		if err != nil {
			t.Fatal(err)
		}
		tested++
		checkShares(t, name, m, r)
	}
	if tested == 0 {
		t.Error("no posterior was tested")
	}
	for _, prior := range splitPriors {
		text := splitFunctions + "model { " + prior + " sigma ~ exponential(1); y ~ normal(mu, sigma); }"
		checkShares(t, prior, bound(t, text, `{"N": 3, "y": [0.5, -1, 2], "m0": 0.5, "s0": 2, "hyper": [0.5, 2], "use": 1, "one": [1, 1, 1]}`), r)
	}
	for _, body := range []string{
		"for (n in 1:40) if (x[n] > 0) target += -square(x[n]); else x[n] ~ normal(0, 2); x ~ std_normal();", // each takes from the other, in turn
		"vector[40] z; z[1] = x[1]; for (n in 2:40) z[n] = 0.5 * z[n - 1] + x[n]; z ~ std_normal();",
		"real s = 0; for (n in 1:40) { s += exp(x[n]); if (s > 5) s = log(s); } target += -s; x ~ normal(0, exp(x[1]));",
		"z ~ bernoulli(inv_logit(x[1])); x ~ normal(z, 1);",
	} {
		discrete := ""
		if body[0] == 'z' {
			discrete = " int<lower=0, upper=1> z;"
		}
		checkShares(t, body, bound(t, "parameters { vector[40] x;"+discrete+" } model { "+body+" }", "{}"), r)
	}
}

func checkShares(t *testing.T, name string, m *bind.Model, r *rand.Rand) {
	t.Helper()
	q := make([]float64, m.Dim())
	for i := range q {
		q[i] = 0.5 * r.NormFloat64()
	}
	want, grad, err := m.PlainDensity(q, true)
	if infer.IsReject(err) {
		return
	}
	lp, g, errShares := m.ByShares(q)
	if err != nil || errShares != nil {
		t.Errorf("%s: %v, %v", name, err, errShares)
		return
	}
	if c := m.LogConstant(); !(math.Abs(lp-want) <= 1e-9*(1+math.Abs(want))) && !(math.Abs(lp-want-c) <= 1e-9*(1+math.Abs(want))) {
		t.Errorf("%s: density %.12g, want %.12g", name, lp, want)
	}
	for i := range grad {
		if !(math.Abs(g[i]-grad[i]) <= 1e-8*(1+math.Abs(grad[i]))) {
			t.Errorf("%s: derivative %d is %.12g, want %.12g", name, i, g[i], grad[i])
			return
		}
	}
}
