package diagnose_test

import (
	"math"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

func TestSwapFinding(t *testing.T) {
	d := draws.New(1, nil, []string{"x"})
	d.Append(draws.Row{Values: []float64{1}})
	for name, c := range map[string]struct {
		report infer.SwapReport
		want   diagnose.Severity
	}{
		"agree":          {infer.SwapReport{Draws: 4000, ParetoK: 0.3, Shift: 0.05, ShiftError: 0.03}, diagnose.Good},
		"noise":          {infer.SwapReport{Draws: 4000, ParetoK: 0.3, Shift: 0.19, ShiftError: 0.09}, diagnose.Good},
		"too noisy":      {infer.SwapReport{Draws: 4000, ParetoK: 0.3, Shift: 0.3, ShiftError: 0.2}, diagnose.Warning},
		"another shape":  {infer.SwapReport{Draws: 4000, ParetoK: 0.3, Shift: 0.3, ShiftError: 0.03}, diagnose.Warning},
		"surely another": {infer.SwapReport{Draws: 4000, ParetoK: 0.3, Shift: 1.2, ShiftError: 0.15}, diagnose.Bad},
		"unconfirmed":    {infer.SwapReport{Draws: 4000, ParetoK: 0.9, Shift: 0.05, ShiftError: 0.03}, diagnose.Warning},
		"far":            {infer.SwapReport{Draws: 4000, ParetoK: 2, Beyond: 0.9}, diagnose.Bad},
		"far inside":     {infer.SwapReport{Draws: 4000, ParetoK: 0.3, Shift: 0.05, ShiftError: 0.03, Inner: &infer.SwapReport{Draws: 4000, ParetoK: 2, Beyond: 0.9}}, diagnose.Bad},
		"closed form":    {infer.SwapReport{From: "exact", Draws: 4000, ParetoK: 2, Shift: 0.9, ShiftError: 0.1, Beyond: 0.9}, diagnose.Good},
		"other draws":    {infer.SwapReport{From: "exact", Draws: 4000, ParetoK: 0.3, Shift: 0.9, ShiftError: 0.1}, diagnose.Bad},
		"another form":   {infer.SwapReport{From: "exact", Draws: 4000, ParetoK: 2, FormError: math.Inf(1)}, diagnose.Bad},
		"cut off a bit":  {infer.SwapReport{From: "exact", Draws: 4000, ParetoK: 0.3, Shift: 0.05, ShiftError: 0.03, Lost: 0.02}, diagnose.Warning},
		"cut off":        {infer.SwapReport{From: "exact", Draws: 4000, ParetoK: 0.3, Shift: 0.05, ShiftError: 0.03, Lost: 0.2}, diagnose.Bad},
		"multiplied":     {infer.SwapReport{Draws: 4000, ParetoK: 0.3, Shift: 0.05, ShiftError: 0.03, Inner: &infer.SwapReport{From: "multiplied", Widened: 0.03, Factors: 900}}, diagnose.Good},
		"smoothed":       {infer.SwapReport{Draws: 4000, ParetoK: 0.3, Shift: 0.05, ShiftError: 0.03, Inner: &infer.SwapReport{From: "multiplied", Widened: 0.3, Factors: 900}}, diagnose.Warning},
		"few pairs":      {infer.SwapReport{Draws: 4000, ParetoK: 0.3, Shift: 0.05, ShiftError: 0.03, Inner: &infer.SwapReport{From: "multiplied", Widened: 0.03, Factors: 40}}, diagnose.Warning},
		"no overlap":     {infer.SwapReport{Draws: 4000, ParetoK: 0.3, Shift: 0.05, ShiftError: 0.03, Inner: &infer.SwapReport{From: "multiplied", Widened: 0.03, Factors: 2}}, diagnose.Bad},
		"runs away":      {infer.SwapReport{Draws: 4000, ParetoK: 0.9, Shift: 0.05, ShiftError: 0.03, Improper: true}, diagnose.Bad},
		"far from it":    {infer.SwapReport{Draws: 4000, ParetoK: 0.3, Shift: 0.9, ShiftError: 0.03, Improper: true}, diagnose.Bad},
		"kept away":      {infer.SwapReport{Draws: 4000, ParetoK: 0.3, Shift: 0.05, ShiftError: 0.03, Improper: true}, diagnose.Warning},
		"constant now":   {infer.SwapReport{Draws: 4000, ParetoK: 0.3, Shift: math.Inf(1), ShiftError: math.NaN()}, diagnose.None},
		"no number":      {infer.SwapReport{Draws: 4000, ParetoK: 0.3, Shift: math.NaN(), ShiftError: 0.03}, diagnose.None},
		"no draws":       {infer.SwapReport{ParetoK: math.NaN(), Shift: math.NaN()}, diagnose.None},
	} {
		for _, f := range diagnose.Posterior(&infer.Posterior{Draws: d, Swap: &c.report}, nil) {
			if f.Name == "prior_swap" && f.Severity != c.want {
				t.Errorf("%s: %s, want %s: %s", name, f.Severity, c.want, f.Meaning)
			}
			if name == "surely another" && !strings.Contains(f.Remedy, `from = "draws"`) {
				t.Errorf("%s: the weights that say so are not offered: %s", name, f.Remedy)
			}
		}
	}
}

// TestCarried: the error that few donors make is between chance and a wrong answer, or more.
func TestCarried(t *testing.T) {
	d := draws.New(1, nil, []string{"mu"})
	d.Append(draws.Row{Values: []float64{1}})
	for effective, want := range map[float64]diagnose.Severity{2000: diagnose.Good, 101: diagnose.Good, 60: diagnose.None, 26: diagnose.None, 24: diagnose.Warning, 1: diagnose.Warning} {
		for _, f := range diagnose.Posterior(&infer.Posterior{Draws: d, Swap: &infer.SwapReport{Draws: 4000, Carried: effective}}, nil) {
			if f.Name == "carried" && f.Severity != want {
				t.Errorf("%g draws in effect: %v, want %v", effective, f.Severity, want)
			}
		}
	}
}
