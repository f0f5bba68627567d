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

// TestGoldenCommandLines holds wrong command lines to their messages.
func TestGoldenCommandLines(t *testing.T) {
	t.Chdir("../../examples")
	const model = "eight_schools/eight_schools.ppl"
	for name, args := range map[string][]string{
		"unknown_command":     {"rum", model},
		"unknown_flag":        {"run", model, "--drawz", "10"},
		"missing_model":       {"run"},
		"no_such_model":       {"run", "nowhere.stan"},
		"no_such_data":        {"run", model, "--data", "nowhere.json"},
		"draws_not_a_number":  {"run", model, "--draws", "many"},
		"draws_negative":      {"run", model, "--draws", "-5"},
		"chains_zero":         {"run", model, "--chains", "0"},
		"method_unknown":      {"run", model, "--method", "nutz()"},
		"method_option":       {"run", model, "--method", "nuts(delt = 0.9)"},
		"method_range":        {"run", model, "--method", "nuts(delta = 1.5)"},
		"method_syntax":       {"run", model, "--method", "nuts(delta = "},
		"method_no_kernel":    {"run", model, "--method", "smc(laplace())"},
		"method_mode_bridge":  {"run", model, "--method", "bridge(map())"},
		"method_no_inner":     {"run", model, "--method", "bridge()"},
		"method_rank":         {"run", model, "--method", "advi(rank = 2)"},
		"method_family":       {"run", model, "--method", "advi(family = \"fulrank\")"},
		"method_proposal":     {"run", model, "--method", "mh(proposal = \"multiple\")"},
		"method_threshold":    {"run", model, "--method", "smc(threshold = 1)"},
		"method_schedule":     {"run", model, "--method", "ais(hmc(), schedule = \"logarithmic\")"},
		"method_verdict":      {"run", model, "--method", "sbc(nuts())"},
		"method_no_draws":     {"run", model, "--method", "map()", "--draws", "10"},
		"init_not_a_file":     {"run", model, "--init", "nowhere.json"},
		"init_negative":       {"run", model, "--init", "-1"},
		"dump_unknown":        {"check", model, "--dump", "trees"},
		"density_no_point":    {"density", model},
		"density_bad_point":   {"density", model, "--at", "nowhere.json"},
		"summary_no_folder":   {"summary", "nowhere"},
		"variables_unknown":   {"run", model, "--variables", "thetas"},
		"variables_part":      {"run", model, "--variables", "theta.1"},
		"format_unknown":      {"run", model, "--out", "nowhere", "--format", "hdf5"},
		"format_no_folder":    {"run", model, "--format", "zarr"},
		"predictive_no_zarr":  {"run", model, "--predictive"},
		"generate_no_fit":     {"generate", model},
		"generate_bad_fit":    {"generate", model, "--fit", "nowhere"},
		"generate_no_draws":   {"generate", model, "--fit", "corpus"},
		"loo_no_fit":          {"loo"},
		"loo_bad_fit":         {"loo", "nowhere"},
		"simulate_none":       {"simulate", model, "--replications", "0"},
		"simulate_json":       {"simulate", model, "--json"},
		"simulate_bad_fit":    {"simulate", model, "--fit", "nowhere"},
		"functions_unknown":   {"functions", "normal_lpfd"},
		"time_limit_negative": {"run", model, "--time-limit", "-1s"},
	} {
		t.Run(name, func(t *testing.T) {
			got := message(args...)
			if !strings.HasPrefix(got, "exit 2\n") {
				t.Errorf("a wrong command line must end with exit code 2; got\n%s", got)
			}
			golden(t, filepath.Join("corpus", "commands", name+".golden"), got)
		})
	}
}
