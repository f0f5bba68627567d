package gvi_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/divergence"
	"github.com/seed-12b88e03/ppl/infer/gvi"
	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/normal"
)

func method(t testing.TB, change func(*gvi.Options)) *gvi.Method {
	t.Helper()
	o := gvi.DefaultOptions()
	if change != nil {
		change(&o)
	}
	m, err := gvi.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func div(t testing.TB, name string, params ...float64) divergence.Divergence {
	t.Helper()
	d, err := divergence.New(name, params...)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// setting reads an oracle's key such as "beta=1.5_kld" or "nll_renyi=0.5".
func setting(t testing.TB, key string) (gvi.Loss, divergence.Divergence) {
	t.Helper()
	loss, d, ok := strings.Cut(key, "_")
	if !ok {
		t.Fatalf("key %q", key)
	}
	name, order, _ := strings.Cut(loss, "=")
	l := gvi.Loss{Name: name}
	if order != "" {
		l.Order = number(t, order)
	}
	return l, divergenceOf(t, d)
}

func divergenceOf(t testing.TB, key string) divergence.Divergence {
	t.Helper()
	name, param, ok := strings.Cut(key, "=")
	if !ok {
		return div(t, "kl", 1)
	}
	if name == "kld_over_w" {
		name = "kl"
	}
	return div(t, name, number(t, param))
}

func number(t testing.TB, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

type optimum struct {
	Mean, SD, Objective float64
	UpToConstant        float64 `json:"objective_up_to_constant"`
}

type locations struct {
	X      []float64
	GVI    map[string]optimum
	Losses []map[string]float64 `json:"loss_values_gaussian"`
	Others []map[string]any     `json:"loss_values_discrete"`
	Prior  struct {
		X       []float64
		Results map[string]optimum
	} `json:"prior_robustness"`
	Check struct {
		At     struct{ M, S float64 }
		Values map[string]struct {
			Objective float64
			Gradient  [2]float64
		}
	} `json:"gradient_check"`
}

func readLocations(t testing.TB) locations {
	var o locations
	infertest.ReadOracle(t, "gvi/location.json", &o)
	return o
}

// checkOptimum compares to 1e-3 of the optimum's sd and the objective to 1e-4.
func checkOptimum(t *testing.T, key string, p *infer.Posterior, want optimum) {
	t.Helper()
	q := p.Density.(*normal.Normal)
	m, s := q.Mean()[0], q.SD()[0]
	t.Logf("%s: mean %.6f sd %.6f, oracle %.6f %.6f; %s, %d gradients", key, m, s, want.Mean, want.SD, p.Fit.Stop, p.Fit.Evaluations)
	if math.Abs(m-want.Mean) > 1e-3*want.SD || math.Abs(s-want.SD) > 1e-3*want.SD {
		t.Errorf("%s: mean %.6f and sd %.6f, the oracle has %.6f and %.6f", key, m, s, want.Mean, want.SD)
	}
	if !p.Fit.Converged {
		t.Errorf("%s: %s", key, p.Fit.Stop)
	}
}

// TestOracleLocation: losses and divergences in one dimension, where both are in
// closed form or by quadrature.
func TestOracleLocation(t *testing.T) {
	o := readLocations(t)
	model := newLocation(o.X, 1, 0, 10)
	for key, want := range o.GVI {
		for _, family := range []string{gvi.MeanField, gvi.FullRank, gvi.LowRank} {
			p := infertest.Fit(t, method(t, func(m *gvi.Options) {
				m.Loss, m.Divergence = setting(t, key)
				m.Family = family
			}), model, infer.Options{Seed: 1})
			checkOptimum(t, key+" "+family, p, want)
			if got := p.Fit.Objective.Value; math.Abs(got-want.Objective) > 1e-4*(1+math.Abs(want.Objective)) {
				t.Errorf("%s: objective %.6f, the oracle has %.6f", key, got, want.Objective)
			}
		}
	}
}

// TestOraclePriorRobustness: a prior far away and one that is right.
func TestOraclePriorRobustness(t *testing.T) {
	o := readLocations(t)
	for key, want := range o.Prior.Results {
		at, d, _ := strings.Cut(strings.TrimPrefix(key, "mu0="), ",")
		p := infertest.Fit(t, method(t, func(m *gvi.Options) { m.Divergence = divergenceOf(t, strings.TrimPrefix(d, "vi_")) }),
			newLocation(o.Prior.X, 1, number(t, at), 1), infer.Options{Seed: 1})
		checkOptimum(t, key, p, want)
	}
}

// TestOracleLosses: the losses of single observations.
func TestOracleLosses(t *testing.T) {
	o := readLocations(t)
	compare := func(what string, ell float64, power map[float64]float64, values map[string]float64) {
		for key, want := range values {
			name, order, ok := strings.Cut(key, "=")
			if !ok || name == "I" {
				continue
			}
			c := number(t, order)
			if got, _, _ := (gvi.Loss{Name: name, Order: c}).Term(ell, power[c]); math.Abs(got-want) > 1e-10*(1+math.Abs(want)) {
				t.Errorf("%s, %s: %.12g, the oracle has %.12g", what, key, got, want)
			}
		}
	}
	for _, row := range o.Losses {
		power := map[float64]float64{}
		for _, c := range []float64{1.1, 1.5, 2} {
			power[c] = -(c-1)*(logRoot2Pi+math.Log(row["sigma"])) - math.Log(c)/2
		}
		compare("normal", -row["neg_log_lik"], power, row)
	}
	for _, row := range o.Others {
		values := map[string]float64{}
		for k, v := range row {
			if n, ok := v.(float64); ok {
				values[k] = n
			}
		}
		var pmf func(k float64) float64
		most := 200.0
		if row["dist"] == "bernoulli" {
			most = 1
			pmf = func(k float64) float64 { return k*values["p"] + (1-k)*(1-values["p"]) }
		} else {
			pmf = func(k float64) float64 {
				f, _ := math.Lgamma(k + 1)
				return math.Exp(k*math.Log(values["rate"]) - values["rate"] - f)
			}
		}
		power := map[float64]float64{}
		for _, c := range []float64{1.5, 2} {
			var sum float64
			for k := 0.0; k <= most; k++ {
				sum += math.Pow(pmf(k), c)
			}
			power[c] = math.Log(sum)
		}
		compare(row["dist"].(string), math.Log(pmf(values["x"])), power, values)
	}
}
