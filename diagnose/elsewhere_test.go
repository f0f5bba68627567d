package diagnose

import (
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// An answer is not good where the search for others came to nothing, and a check of tails does
// not stand against a population that has the same moments.
func TestPopulationDecides(t *testing.T) {
	unsettled := []Finding{{Name: "rhat", Severity: Good}, {Name: populationCheck, Severity: None}}
	if Worst(unsettled) != None || Worst(append(unsettled, Finding{Name: "ess", Severity: Warning})) != Warning {
		t.Error("an unsettled search counts as good")
	}
	d := draws.New(1, nil, []string{"x"})
	for i := range 100 {
		d.Append(draws.Row{Values: []float64{float64(i)}})
	}
	for ancestors, want := range map[float64]Severity{50: None, 5: Warning} {
		r := &draws.PopulationRun{From: draws.PriorStart, Points: 600, Beta: 1, Ancestors: draws.Number(ancestors), Compared: 1,
			Largest: draws.Compared{Name: "x", Shift: 0.05, ShiftError: 0.05, Factor: 0.1, FactorError: 0.05}}
		p := &infer.Posterior{Draws: d, Plan: draws.Plan{Method: "sgld", Chains: 1, Draws: 100}, Population: r}
		if overrules(p, "finite_step") != (want == None) {
			t.Errorf("%g ancestors", ancestors)
		}
		for _, f := range Posterior(p, nil) {
			if f.Name == "finite_step" && f.Severity != want {
				t.Errorf("%g ancestors: %+v", ancestors, f)
			}
		}
	}
}

// A far mode of little mass is a warning though the population has the fit's moments, and so is
// another mode that is higher by a little.
func TestPopulationWarns(t *testing.T) {
	r := &draws.PopulationRun{From: draws.PriorStart, Points: 600, Beta: 1, Ancestors: 50, Compared: 1,
		Largest: draws.Compared{Name: "x", Shift: 0.05, ShiftError: 0.05, Factor: 0.1, FactorError: 0.05}}
	d := draws.New(1, nil, []string{"x"})
	for i := range 100 {
		d.Append(draws.Row{Values: []float64{float64(i)}})
	}
	p := &infer.Posterior{Draws: d, Population: r}
	if f := elsewhere(p); f.Severity != Good {
		t.Errorf("without a far mode: %+v", f)
	}
	r.Tail = &draws.TailRun{Name: "x", Starts: 2, Share: 0.6}
	if f := elsewhere(p); f.Severity != None {
		t.Errorf("with a tail of two starts: %+v", f)
	}
	for full, want := range map[bool]string{false: `check = "full"`, true: "smc(nuts())"} {
		r.Full = full
		if f := elsewhere(p); !strings.Contains(f.Remedy, want) {
			t.Errorf("what is to be done, full = %v: %+v", full, f)
		}
	}
	if f := elsewhere(&infer.Posterior{Draws: d, Population: &draws.PopulationRun{Failed: "of a reason"}}); f.Remedy == "" {
		t.Errorf("nothing is advised: %+v", f)
	}
	r.Tail = nil
	r.Far = &draws.FarRun{Share: 0.001, At: 27, Compared: draws.Compared{Name: "x", Factor: -1}}
	if f := elsewhere(p); f.Severity != Warning {
		t.Errorf("with a far mode: %+v", f)
	}
	for rise, want := range map[float64]Severity{0: Good, 0.01: Good, 0.03: Warning, 5: Warning} {
		if f := highest(Finding{}, &draws.PopulationRun{Points: 600, Higher: &draws.HigherRun{Rise: draws.Number(rise)}}); f.Severity != want {
			t.Errorf("a rise of %g nats: %+v", rise, f)
		}
	}
}

// A swap that importance weights do not confirm stands if a population under the new priors surely has the same
// moments, and is looked at more closely to that end; one that is bad is a warning then.
func TestPopulationConfirmsSwaps(t *testing.T) {
	d := draws.New(1, nil, []string{"x"})
	for i := range 2000 {
		d.Append(draws.Row{Values: []float64{float64(i * 377 % 1000)}})
	}
	for _, c := range []struct {
		shift, beyond float64
		want          Severity
	}{{0.02, 0, None}, {0.2, 0, Warning}, {0.02, 0.9, Warning}, {0.2, 0.9, Bad}} {
		p := &infer.Posterior{Draws: d, Plan: draws.Plan{Chains: 1, Draws: 2000},
			Swap: &infer.SwapReport{From: "parametric", ParetoK: 0.9, Shift: 0.1, ShiftError: 0.02, Draws: 4000, ESS: 900, Beyond: c.beyond},
			Population: &draws.PopulationRun{From: draws.PriorStart, Points: 600, Beta: 1, Ancestors: 50, Compared: 1,
				Largest: draws.Compared{Name: "x", Shift: draws.Number(c.shift), ShiftError: 0.05, Factor: 0.05, FactorError: 0.05}}}
		if f := find(t, Posterior(p, nil), "prior_swap"); f.Severity != c.want {
			t.Errorf("off by %g, %g beyond: %+v", c.shift, c.beyond, f)
		}
		if !Doubted(p) {
			t.Errorf("off by %g, %g beyond: not doubted", c.shift, c.beyond)
		}
	}
}

// Chains that disagree are a warning where all of them together have the population's moments,
// and bad where they have not, or where that is unsure.
func TestPopulationEases(t *testing.T) {
	rows := []draws.Summary{{Name: "x", Mean: 1, SD: 1, RHat: 1.3, ESSBulk: 20, ESSTail: 20}}
	d := draws.New(2, nil, []string{"x"})
	for i := range 200 {
		d.Append(draws.Row{Chain: i % 2, Values: []float64{float64(i % 7)}})
	}
	for shift, want := range map[float64]Severity{0.05: Warning, 0.4: Bad} {
		r := &draws.PopulationRun{From: draws.PriorStart, Points: 600, Beta: 1, Ancestors: 50, Compared: 1,
			Largest: draws.Compared{Name: "x", Shift: draws.Number(shift), ShiftError: 0.05, Factor: 0.1, FactorError: 0.05}}
		for _, f := range Posterior(&infer.Posterior{Draws: d, Plan: draws.Plan{Chains: 2, Draws: 100}, Population: r}, rows) {
			if f.Name == "rhat" && f.Severity != want {
				t.Errorf("off by %g: %+v", shift, f)
			}
		}
	}
}

// An approximation whose answer is surely a quarter of a standard deviation off is not good though no other
// answer is found, and one whose importance weights have too long a tail is confirmed only by a population that
// excludes as much.
func TestApproximationsNearby(t *testing.T) {
	d := draws.New(1, nil, []string{"x"})
	for i := range 100 {
		d.Append(draws.Row{Values: []float64{float64(i)}})
	}
	for _, c := range []struct {
		shift, err float64
		want       Severity
		confirms   bool
	}{{0.05, 0.03, Good, true}, {0.26, 0.01, Warning, false}, {0.12, 0.05, Good, false}} {
		p := &infer.Posterior{Draws: d, Fit: &infer.FitReport{}, Population: &draws.PopulationRun{From: draws.PriorStart, Points: 600, Beta: 1, Ancestors: 50, Compared: 1,
			Largest: draws.Compared{Name: "x", Shift: draws.Number(c.shift), ShiftError: draws.Number(c.err)}}}
		if f := elsewhere(p); f.Severity != c.want {
			t.Errorf("%g +- %g: %+v", c.shift, c.err, f)
		}
		if !eases(p, "pareto_k") {
			t.Errorf("%g +- %g: not eased", c.shift, c.err)
		}
		if overrules(p, "pareto_k") != c.confirms {
			t.Errorf("%g +- %g: a doubt of the weights is overruled, or not", c.shift, c.err)
		}
	}
}

// What has less evidence does not refute what has more: a population from a prior with hardly any mass where the posterior is
// came there too seldom. That the two contradict each other is still said; and divergences are no more than a warning where
// means and standard deviations are confirmed.
func TestLessEvidenceDoesNotRefute(t *testing.T) {
	d := draws.New(1, nil, []string{"x", "divergent__"})
	for i := range 100 {
		d.Append(draws.Row{Values: []float64{float64(i), 1}})
	}
	for value, want := range map[float64]Severity{-28.5: None, -31: Bad, -33.5: Bad} {
		r := &draws.PopulationRun{From: draws.PriorStart, Points: 600, Beta: 1, Ancestors: 90, Compared: 1, LogEvidence: &draws.EstimateRun{Value: -31, Error: 0.1},
			Largest: draws.Compared{Name: "x", Shift: 3, ShiftError: 0.1}}
		p := &infer.Posterior{Draws: d, Plan: draws.Plan{Method: "smc"}, Population: r, LogEvidence: &infer.Estimate{Value: value, Error: 0.2}}
		if f := elsewhere(p); f.Severity != want {
			t.Errorf("log evidence %g: %s, want %s", value, f.Severity, want)
		}
		if _, ok := otherEvidence(p); ok != (value != -31) {
			t.Errorf("log evidence %g: contradiction %v", value, ok)
		}
	}
	for shift, want := range map[float64]Severity{0.05: Warning, 3: Bad} {
		p := &infer.Posterior{Draws: d, Plan: draws.Plan{Chains: 1, Draws: 100}, Population: &draws.PopulationRun{From: draws.PriorStart, Points: 600, Beta: 1, Ancestors: 90, Compared: 1,
			Largest: draws.Compared{Name: "x", Shift: draws.Number(shift), ShiftError: 0.05}}}
		if f := find(t, Posterior(p, nil), "divergences"); f.Severity != want {
			t.Errorf("divergences of a fit that is off by %g: %s, want %s", shift, f.Severity, want)
		}
	}
}

// TestCutShortBeforeTheSearch: a run that was stopped after its last draw says that all are there.
func TestCutShortBeforeTheSearch(t *testing.T) {
	d := draws.New(1, nil, []string{"x"})
	d.Append(draws.Row{Values: []float64{1}})
	p := &infer.Posterior{Draws: d, Plan: draws.Plan{Chains: 1, Draws: 1}, Incomplete: true, Population: &draws.PopulationRun{Failed: "the run was stopped before"}}
	for _, f := range Posterior(p, nil) {
		if f.Name == "incomplete" && strings.HasPrefix(f.Meaning, "The run was cut short after the last draw: all draws are there") {
			return
		}
	}
	t.Error("it is not said that all draws are there")
}
