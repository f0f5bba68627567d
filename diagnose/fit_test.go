package diagnose

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// table makes 4 chains of 500 independent draws and lets change spoil a row:
// its values are divergent__, treedepth__, energy__, x, y.
func table(change func(chain, i int, row []float64)) (*draws.Draws, draws.Plan) {
	plan := draws.Plan{
		Stats: []string{"divergent__", "treedepth__", "energy__"}, Columns: []string{"x", "y"}, Chains: 4, Draws: 500,
		Config: []draws.Entry{{Name: "nuts", Children: []draws.Entry{{Name: "max_depth", Value: 10}}}},
	}
	d := draws.New(4, plan.Stats, plan.Columns)
	for c := range 4 {
		r := rand.New(rand.NewChaCha8([32]byte{byte(c)}))
		for i := range 500 {
			row := []float64{0, 3, r.NormFloat64(), r.NormFloat64(), 7}
			if change != nil {
				change(c, i, row)
			}
			d.Append(draws.Row{Chain: c, LogDensity: r.NormFloat64(), Stats: row[:3], Values: row[3:]})
		}
	}
	return d, plan
}

func find(t *testing.T, all []Finding, name string) Finding {
	t.Helper()
	for _, f := range all {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("no finding %q in %+v", name, all)
	return Finding{}
}

// The constant column y must not count against the fit.
func TestGoodFit(t *testing.T) {
	all := Fit(first(table(nil)))
	names := ""
	for _, f := range all {
		names += f.Name + " "
		if f.Severity != Good || f.Remedy != "" || f.Meaning == "" || f.Quantity == "" {
			t.Errorf("finding %+v", f)
		}
	}
	if names != "divergences tree_depth e_bfmi rhat ess_bulk ess_tail " {
		t.Errorf("checks made: %s", names)
	}
	if Worst(all) != Good || Worst(nil) != None {
		t.Error("worst of good findings is not good")
	}
}

func first(d *draws.Draws, p draws.Plan) (*draws.Draws, draws.Plan, []draws.Summary) {
	return d, p, nil
}

func TestFindings(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name     string
		severity Severity
		value    float64 // NaN: any
		quantity string  // a part of it
		change   func(chain, i int, row []float64)
	}{
		{"divergences", Warning, 4, "divergent", func(_, i int, row []float64) {
			if i == 9 {
				row[0] = 1
			}
		}},
		{"divergences", Bad, 40, "divergent", func(_, i int, row []float64) {
			if i < 10 {
				row[0] = 1
			}
		}},
		{"tree_depth", Warning, 4, "depth, 10", func(_, i int, row []float64) {
			if i == 9 {
				row[1] = 10
			}
		}},
		{"e_bfmi", Bad, nan, "chain 3", func(chain, i int, row []float64) {
			if chain == 2 {
				row[2] = float64(i)
			}
		}},
		{"rhat", Bad, nan, "of x", func(chain, _ int, row []float64) { row[3] += float64(chain) }},
		{"rhat", Warning, nan, "of x", func(chain, _ int, row []float64) {
			if chain == 0 {
				row[3] += 0.6
			}
		}},
		{"ess_bulk", Bad, nan, "of x", func(_, i int, row []float64) { row[3] = math.Sin(float64(i) / 30) }},
		{"ess_tail", Warning, nan, "of x", func(chain, i int, row []float64) { row[3] += 20 * math.Sin(float64(i)/30) }},
		{"not_finite", Warning, 1, "x", func(_, i int, row []float64) {
			if i == 3 {
				row[3] = math.NaN()
			}
		}},
	} {
		f := find(t, Fit(first(table(c.change))), c.name)
		if f.Severity != c.severity || !strings.Contains(f.Quantity, c.quantity) || f.Remedy == "" {
			t.Errorf("%s: %+v, want severity %s", c.name, f, c.severity)
		}
		if !math.IsNaN(c.value) && float64(f.Value) != c.value {
			t.Errorf("%s: value %g, want %g", c.name, float64(f.Value), c.value)
		}
	}
}

func TestTooFewDraws(t *testing.T) {
	d := draws.New(1, []string{"energy__"}, []string{"x"})
	d.Append(draws.Row{LogDensity: 1, Stats: []float64{1}, Values: []float64{2}})
	for _, f := range Fit(d, draws.Plan{}, nil) {
		if f.Severity != None {
			t.Errorf("judged a single draw: %+v", f)
		}
		if text, err := json.Marshal(f); err != nil || !strings.Contains(string(text), `"value":null`) {
			t.Errorf("JSON %s, %v", text, err)
		}
	}
}

func TestMaxDepthFromFile(t *testing.T) {
	d, plan := table(func(_, i int, row []float64) { row[1] = 5 })
	plan.Config = []draws.Entry{{Name: "max_depth", Value: "5"}}
	if f := find(t, Fit(d, plan, nil), "tree_depth"); float64(f.Value) != 2000 {
		t.Errorf("finding %+v", f)
	}
}

func TestPosterior(t *testing.T) {
	d, plan := table(nil)
	p := &infer.Posterior{
		Plan: plan, Draws: d, Incomplete: true,
		Chains: []infer.ChainReport{{}, {QuantityErrors: 3, QuantityError: errors.New("line 4: no")}},
	}
	all := Posterior(p, nil)
	if f := find(t, all, "generated_quantities"); float64(f.Value) != 3 || !strings.Contains(f.Meaning, "line 4: no") {
		t.Errorf("finding %+v", f)
	}
	if f := find(t, all, "incomplete"); f.Severity != Warning {
		t.Errorf("finding %+v", f)
	}
}

func TestJSONNames(t *testing.T) {
	text, err := json.Marshal(Finding{Name: "n", Severity: Bad, Quantity: "q", Value: 1, Threshold: 2, Meaning: "m", Remedy: "r"})
	if want := `{"name":"n","severity":"bad","quantity":"q","value":1,"threshold":2,"meaning":"m","remedy":"r"}`; err != nil || string(text) != want {
		t.Errorf("JSON %s, %v", text, err)
	}
}

// TestConstantQuantities: where nothing differs between many draws, as of a model without
// parameters, it is not the draws that are too few.
func TestConstantQuantities(t *testing.T) {
	d := draws.New(2, nil, []string{"x"})
	for i := range 1000 {
		d.Append(draws.Row{Chain: i % 2, LogDensity: -1.4, Values: []float64{3}})
	}
	found := 0
	for _, f := range Fit(d, draws.Plan{}, nil) {
		if strings.Contains(f.Meaning, "too few") || f.Severity != None {
			t.Errorf("%v: %s", f.Severity, f.Meaning)
		}
		if strings.HasPrefix(f.Meaning, "No quantity differs between draws") {
			found++
		}
	}
	if found != 3 {
		t.Errorf("%d findings say that nothing differs", found)
	}
}

// TestSlowEnergies: of energies that are a stationary autoregression with coefficient 0.92, E-BFMI is 2 (1 - 0.92) = 0.16, below the bound
// of bad, and n draws count as n (1 - 0.92) / (1 + 0.92) = n / 24. With 16,000 draws these are 667, above 4 chains times 100: the energies have
// been gone through, and it is a warning. With 4,000 they are 167.
func TestSlowEnergies(t *testing.T) {
	for n, want := range map[int]Severity{4000: Warning, 1000: Bad} {
		r := rand.New(rand.NewPCG(5, 6))
		d := draws.New(4, []string{"energy__"}, []string{"x"})
		for chain := range 4 {
			e := r.NormFloat64() / math.Sqrt(1-0.92*0.92)
			for range n {
				e = 0.92*e + r.NormFloat64()
				d.Append(draws.Row{Chain: chain, Stats: []float64{e}, Values: []float64{r.NormFloat64()}})
			}
		}
		if f := find(t, Fit(d, draws.Plan{}, nil), "e_bfmi"); f.Severity != want || math.Abs(float64(f.Value)-0.16) > 0.03 {
			t.Errorf("%d draws a chain: %+v", n, f)
		}
	}
}
