package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/view"
	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/lang"
)

var twoFindings = []diagnose.Finding{
	{Name: "rhat", Severity: diagnose.Good, Quantity: "largest R-hat, of mu", Value: 1.001, Threshold: 1.01, Meaning: "The chains agree with one another."},
	{Name: "ess_bulk", Severity: diagnose.Warning, Quantity: "smallest bulk ESS, of mu", Value: 90, Threshold: 400,
		Meaning: "In 1 of 2 quantities there are fewer than 100 effective draws for each chain.", Remedy: "Make more draws; if the chains are slow to mix, reparameterise the model."},
}

// Findings end their lines between words and keep to the width; severities have their colour.
func TestFindingsWrap(t *testing.T) {
	plain := view.Look{}.Findings(twoFindings)
	if n := strings.Count(plain, "\n"); n != 3 {
		t.Errorf("%d lines without a width:\n%s", n, plain)
	}
	for _, width := range []int{40, 60, 80, 200} {
		text := view.Look{Width: width}.Findings(twoFindings)
		for _, line := range strings.Split(text, "\n") {
			if len(line) > width || strings.HasSuffix(line, " ") {
				t.Errorf("width %d: %q", width, line)
			}
		}
		if strings.Join(strings.Fields(text), " ") != strings.Join(strings.Fields(plain), " ") {
			t.Errorf("width %d has other words:\n%s", width, text)
		}
	}
	coloured := view.Look{Width: 60, Colour: true}.Findings(twoFindings)
	if !strings.Contains(coloured, "\x1b[32mgood\x1b[0m     The chains") || !strings.Contains(coloured, "\x1b[33mwarning\x1b[0m  In 1") {
		t.Errorf("%q", coloured)
	}
	if got := regexp.MustCompile("\x1b\\[[0-9]*m").ReplaceAllString(coloured, ""); got != (view.Look{Width: 60}).Findings(twoFindings) {
		t.Errorf("colour changes the text:\n%s", got)
	}
}

// Where all is well a terminal gets one line; otherwise nothing is left out.
func TestFindingsInBrief(t *testing.T) {
	good := []diagnose.Finding{twoFindings[0], twoFindings[0]}
	good[1].Name = "divergences"
	if got, want := (view.Look{Brief: true}).Findings(good), "good     All 2 checks of the fit passed: R-hat, divergences\n"; got != want {
		t.Errorf("found %q, want %q", got, want)
	}
	if got := (view.Look{Brief: true}).Findings(twoFindings); got != (view.Look{}).Findings(twoFindings) {
		t.Errorf("in brief:\n%s", got)
	}
	if got := (view.Look{Brief: true}).Whole().Findings(good); strings.Count(got, "\n") != 2 {
		t.Errorf("whole:\n%s", got)
	}
}

// NO_COLOR and --color decide, and a terminal alone does not.
func TestColour(t *testing.T) {
	a := frame.NewApp(strings.NewReader(""), &strings.Builder{}, &strings.Builder{})
	for _, c := range []struct {
		flag, env string
		want      bool
	}{{"auto", "", false}, {"always", "", true}, {"always", "1", true}, {"never", "", false}} {
		t.Setenv("NO_COLOR", c.env)
		if got := a.Look(c.flag).Colour; got != c.want {
			t.Errorf("--color %s, NO_COLOR=%s: %v", c.flag, c.env, got)
		}
	}
}

// Each finding that package diagnose can make is explained by ppl help, and so is each method.
func TestTopics(t *testing.T) {
	files, err := filepath.Glob("../../diagnose/*.go")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	named := regexp.MustCompile(`Finding\{+\s*(?:return )?Name: "([a-z_]+)"|ess\(judged, "([a-z_]+)"`)
	found := 0
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		for _, m := range named.FindAllStringSubmatch(string(text), -1) {
			found++
			if name := m[1] + m[2]; findingTopics[name] == "" {
				t.Errorf("%s: ppl help does not explain %q", path, name)
			}
		}
	}
	if found < 10 {
		t.Errorf("%d findings were found in the source", found)
	}
	for _, row := range lang.Methods().Rows {
		if text := topic(row.Name); row.Name != "fit" && !strings.Contains(text, row.Doc) {
			t.Errorf("ppl help %s: %q", row.Name, text)
		}
	}
	for name, want := range map[string]string{"normal": "normal_lpdf: ", "log_sum_exp": "log_sum_exp: ", "E-BFMI": "Betancourt"} {
		if text := topic(name); !strings.Contains(text, want) || name == "normal" && !strings.HasPrefix(text, want) {
			t.Errorf("ppl help %s: no %q in %q", name, want, text)
		}
	}
	if topic("run") != "" || topic("nonsense") != "" {
		t.Error("a command or nothing is explained as a topic")
	}
}
