package main

import (
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/plots"
	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// TestPicturesOfSeveralFolders have different files, whatever the folders are called.
func TestPicturesOfSeveralFolders(t *testing.T) {
	bread := []*plots.Figure{{Name: "bread"}}
	all := []*gallery{{dir: "a/o", figures: bread}, {dir: "b/o", figures: bread}, {dir: "c/o", figures: bread}, {dir: "d", figures: []*plots.Figure{{Name: "sbc"}}}}
	apart(all)
	seen := map[string]bool{}
	for _, g := range all {
		for _, f := range g.figures {
			if at := g.sub + "/" + f.Name; seen[at] {
				t.Errorf("%s is drawn twice", at)
			} else {
				seen[at] = true
			}
		}
	}
	if all[0].sub != "" || all[3].sub != "" {
		t.Errorf("folders %q and %q, where none are needed", all[0].sub, all[3].sub)
	}
}

// TestOneDrawIsNoMode heads a chain of one draw as what it is.
func TestOneDrawIsNoMode(t *testing.T) {
	d := draws.New(1, nil, []string{"x"})
	d.Append(draws.Row{Values: []float64{1}})
	p := &infer.Posterior{Draws: d, Plan: draws.Plan{Chains: 1, Draws: 1}}
	if got := made(p); got != "1 chain of 1 draws after 0 of warm-up" {
		t.Error(got)
	}
	p.Fit = &infer.FitReport{}
	if got := made(p); got != "the mode" {
		t.Error(got)
	}
}

// TestCutShort heads a run that was cut short with the chains and draws that there are, and says what the
// checks leave out.
func TestCutShort(t *testing.T) {
	d := draws.New(4, nil, []string{"x"})
	for chain, n := range []int{10, 8, 2, 0} {
		for i := range n {
			d.Append(draws.Row{Chain: chain, Values: []float64{float64(i * 7 % 10)}})
		}
	}
	p := &infer.Posterior{Draws: d, Plan: draws.Plan{Chains: 4, Draws: 200}, Incomplete: true}
	if got, want := made(p), "4 chains of 200 draws after 0 of warm-up, cut short: 2 to 10 draws of 3 chains and none of 1"; got != want {
		t.Errorf("found %q, want %q", got, want)
	}
	for _, f := range diagnose.Posterior(p, nil) {
		if f.Name == "incomplete" && !strings.Contains(f.Meaning, "leave out 2 of 4 chains") {
			t.Errorf("found %+v", f)
		}
	}
}
