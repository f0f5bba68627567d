package main

// This file holds every bad program, data set and command line of the corpus to the
// exact message that a user sees.

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// message runs a command line and gives its exit code and what it says, with the
// corpus as working folder, so that no path of the machine is in it.
func message(args ...string) string {
	var out, said bytes.Buffer
	code := execute(args, strings.NewReader(""), &out, &said)
	return "exit " + string(rune('0'+code)) + "\n" + said.String()
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (go test ./cmd/ppl -run Golden -update writes it)", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestGoldenBadPrograms(t *testing.T) {
	t.Chdir("../../examples/corpus/bad")
	files, err := filepath.Glob("*.stan")
	if err != nil || len(files) < 120 {
		t.Fatalf("found %d bad programs (%v), want at least 120", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(file, ".stan"), func(t *testing.T) {
			got := message("check", file, "--include", "include")
			if !strings.HasPrefix(got, "exit 2\n") || !strings.Contains(got, file+":") || !strings.Contains(got, "^") {
				t.Errorf("a bad program must end with exit code 2, a place and a caret; got\n%s", got)
			}
			golden(t, strings.TrimSuffix(file, ".stan")+".golden", got)
		})
	}
}

// TestGoldenBadData runs the programs whose data, or whose run, are at fault. Besides
// the golden message each has a list of words that must be in it.
func TestGoldenBadData(t *testing.T) {
	t.Chdir("../../examples/corpus/data")
	files, err := filepath.Glob("*.stan")
	if err != nil || len(files) == 0 {
		t.Fatalf("found no programs (%v)", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(file, ".stan")
		t.Run(name, func(t *testing.T) {
			got := message("run", file, "--seed", "1", "--chains", "1", "--warmup", "20", "--draws", "20", "--quiet")
			if strings.HasPrefix(got, "exit 0") {
				t.Errorf("the run must fail; got\n%s", got)
			}
			want, err := os.ReadFile(name + ".want")
			if err != nil {
				t.Fatal(err)
			}
			for _, word := range strings.Fields(string(want)) {
				if !strings.Contains(got, word) {
					t.Errorf("%q is missing in\n%s", word, got)
				}
			}
			golden(t, name+".golden", got)
		})
	}
}

// wrongUses are wrong command lines.
var wrongUses = [][]string{
	{"run", wrongModel, "--drawz", "10"},
	{"run"},
	{"run", "nowhere.stan"},
	{"run", wrongModel, "--data", "nowhere.json"},
	{"run", wrongModel, "--draws", "many"},
	{"run", wrongModel, "--draws", "-5"},
	{"run", wrongModel, "--chains", "0"},
	{"run", wrongModel, "--method", "nutz()"},
	{"run", wrongModel, "--method", "nuts(delt = 0.9)"},
	{"run", wrongModel, "--method", "nuts(delta = 1.5)"},
	{"run", wrongModel, "--method", "nuts(delta = "},
	{"run", wrongModel, "--method", "smc(laplace())"},
	{"run", wrongModel, "--method", "bridge(map())"},
	{"run", wrongModel, "--method", "bridge()"},
	{"run", wrongModel, "--method", "advi(rank = 2)"},
	{"run", wrongModel, "--method", "advi(family = \"fulrank\")"},
	{"run", wrongModel, "--method", "mh(proposal = \"multiple\")"},
	{"run", wrongModel, "--method", "smc(threshold = 1)"},
	{"run", wrongModel, "--method", "ais(hmc(), schedule = \"logarithmic\")"},
	{"run", wrongModel, "--method", "sbc(nuts())"},
	{"run", wrongModel, "--method", "map()", "--draws", "10"},
	{"run", wrongModel, "--init", "nowhere.json"},
	{"run", wrongModel, "--init", "-1"},
	{"run", wrongModel, "--variables", "thetas"},
	{"run", wrongModel, "--variables", "theta.9"},
	{"run", wrongModel, "--out", "nowhere", "--format", "hdf5"},
	{"run", wrongModel, "--format", "zarr"},
	{"run", wrongModel, "--predictive"},
	{"run", wrongModel, "--time-limit", "-1s"},
	{"run", wrongModel, "--time-limit", "0s"},
	{"run", wrongModel, "--time-limit", "90"},
	{"run", wrongModel, "--seed=-1"},
	{"run", wrongModel, "--seed", "1.5"},
	{"run", wrongModel, "--digits", "0"},
	{"run", wrongModel, "--jobs=-2"},
	{"run", wrongModel, "--method", "map(draws = 10)"},
	{"run", wrongModel, "--resume"},
	{"run", wrongModel, "--out", wrongModel},
	{"run", wrongModel, "--fit", "nowhere", "--method", "nuts()"},
	{"run", wrongModel, wrongModel},
	{"run", wrongModel, "eight_schools/eight_schools.json"},
	{"run", ""},
	{"rum", wrongModel},
	{wrongModel},
	{"check", wrongModel, "--dump", "trees"},
	{"density", wrongModel},
	{"density", wrongModel, "--at", "nowhere.json"},
	{"summary", "nowhere"},
	{"generate", wrongModel},
	{"generate", wrongModel, "--fit", "nowhere"},
	{"generate", wrongModel, "--fit", "corpus"},
	{"generate", wrongModel, "--fit", "corpus", "--out", "corpus"},
	{"loo"},
	{"loo", "nowhere"},
	{"simulate", wrongModel, "--replications", "0"},
	{"simulate", wrongModel, "--json"},
	{"simulate", wrongModel, "--fit", "nowhere"},
	{"functions", "normal_lpfd"},
	{"diagnose", wrongModel, "--with", "sbcc(nuts())"},
	{"diagnose", wrongModel, "--with", "nuts()"},
	{"diagnose", wrongModel, "--with", "bread(map())"},
	{"diagnose", wrongModel, "--resume"},
	{"plot", "nowhere"},
	{"plot", "corpus", "--kind", "pie"},
	{"plot", "corpus", "--format", "jpeg"},
	{"report", "corpus"},
	{"completion", "tcsh"},
	{"help", "rum"},
	{"cmdstan"},
	{"repl", "nowhere.ppl"},
	{"fmt", "nowhere.ppl"},
}

// wrongModel is a model that is right.
const wrongModel = "eight_schools/eight_schools.ppl"

// TestGoldenCommandLines holds wrong command lines to the messages of
// examples/docs/wrong_uses.md.
func TestGoldenCommandLines(t *testing.T) {
	t.Chdir("../../examples")
	var page strings.Builder
	page.WriteString("# Wrong uses\n\nWhat ppl says of wrong command lines. Each ends with exit code 2, and nothing was written. The\n" +
		"messages about programs and data are beside them in `examples/corpus`.\n")
	section := ""
	for _, args := range wrongUses {
		name := args[0]
		if name == wrongModel {
			name = "without a command"
		}
		if name != section {
			section = name
			page.WriteString("\n## " + section + "\n")
		}
		code, said, _ := strings.Cut(message(args...), "\n")
		if code != "exit 2" {
			t.Errorf("%q: a wrong command line must end with exit code 2; got %s\n%s", args, code, said)
		}
		page.WriteString("\n```text\n$ ppl " + commandLine(args) + "\n" + said + "```\n")
	}
	golden(t, filepath.Join("docs", "wrong_uses.md"), page.String())
}

// commandLine writes arguments as one types them.
func commandLine(args []string) string {
	var out []string
	for _, a := range args {
		if a == "" || strings.ContainsAny(a, " (\"") {
			a = "'" + a + "'"
		}
		out = append(out, a)
	}
	return strings.Join(out, " ")
}
