package cmdstan

// This file runs every method and compares what is printed, and the comments and names of
// the files, with testdata/*.golden. Numbers that depend on random numbers or the clock are
// masked; those that do not are compared with closed forms in methods_test.go.

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

const bernoulli = "layout/examples/bernoulli/bernoulli"

// executableOf builds a model's executable in a folder of its own and gives its path.
func executableOf(t *testing.T, model string) string {
	t.Helper()
	target := filepath.Join(t.TempDir(), "model")
	if _, err := build("ppl", model, target, &stancOptions{name: "golden_model", filename: filepath.Base(model)}, nil); err != nil {
		t.Fatal(err)
	}
	return target
}

// run runs an executable and gives the exit code with all that was printed.
func run(t *testing.T, exe string, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = runModel(t.Context(), exe, args, &o, &e)
	return code, o.String(), e.String()
}

var (
	aNumber   = regexp.MustCompile(`-?\b[0-9]+\.[0-9]+(e[-+]?[0-9]+)?\b|\b[0-9]+(\.[0-9]+)?e[-+]?[0-9]+\b`)
	aTime     = regexp.MustCompile(`[0-9.e+-]+ seconds`)
	aDate     = regexp.MustCompile(`start_datetime = .*`)
	aJSONDate = regexp.MustCompile(`"start_datetime": "[^"]*"`)
	improved  = regexp.MustCompile(`Improved by [^ ]+\.`) // the last step's may be 0
	stepsDone = regexp.MustCompile(`(?m)^( *)[0-9]+( .*)$`)
	blanks    = regexp.MustCompile(`([X)]) +`)
)

// masked hides what differs from run to run.
func masked(text, dir string) string {
	text = strings.ReplaceAll(text, dir, "DIR")
	text = aTime.ReplaceAllString(text, "T seconds")
	text = aDate.ReplaceAllString(text, "start_datetime = DATE")
	echo, rest, found := strings.Cut(text, "num_threads = 1 (Default)\n")
	if !found {
		return text
	}
	rest = aNumber.ReplaceAllString(rest, "X")
	rest = improved.ReplaceAllString(rest, "Improved by X.")
	rest = regexp.MustCompile(`, X|0, `).ReplaceAllString(rest, "")
	rest = stepsDone.ReplaceAllString(rest, "N$2")
	rest = blanks.ReplaceAllString(rest, "$1 ")
	return echo + "num_threads = 1 (Default)\n" + rest
}

// shown is a JSON file, or a CSV file with its rows counted instead.
func shown(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Ext(path) == ".json" {
		return aJSONDate.ReplaceAllString(string(text), `"start_datetime": "DATE"`)
	}
	var b strings.Builder
	rows, named := 0, false
	for line := range strings.Lines(string(text)) {
		switch {
		case strings.HasPrefix(line, "#"):
		case named:
			rows++
			continue
		default:
			named = true
		}
		if rows > 0 {
			fmt.Fprintf(&b, "(%d rows)\n", rows)
			rows = 0
		}
		b.WriteString(line)
	}
	if rows > 0 {
		fmt.Fprintf(&b, "(%d rows)\n", rows)
	}
	return b.String()
}

func TestGolden(t *testing.T) {
	exe := executableOf(t, bernoulli+".stan")
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(at("point.json"), []byte(`{"params_r": [[0], [1]]}`), 0o666); err != nil {
		t.Fatal(err)
	}
	data := []string{"data", "file=" + bernoulli + ".data.json", "random", "seed=1"}
	for _, c := range []struct {
		name  string
		args  string
		files string // CSV and JSON to show
	}{
		{"sample", "method=sample num_samples=200 num_warmup=100 save_warmup=1 adapt save_metric=1 | output file=DIR/sample.csv save_cmdstan_config=1", "sample.csv sample_config.json"},
		{"static", "sample num_samples=100 num_warmup=100 thin=3 algorithm=hmc engine=static int_time=1 metric=unit_e | output file=DIR/static.csv refresh=0", "static.csv"},
		{"chains", "sample num_samples=50 num_warmup=50 algorithm=hmc metric=dense_e num_chains=2 | output file=DIR/chains.csv refresh=50", "chains_2.csv"},
		{"fixed", "sample num_samples=10 algorithm=fixed_param | output file=DIR/fixed.csv", "fixed.csv"},
		{"optimize", "optimize jacobian=1 | output file=DIR/optimize.csv", "optimize.csv"},
		{"bfgs", "optimize algorithm=bfgs save_iterations=1 | output file=DIR/bfgs.csv refresh=1", ""},
		{"newton", "optimize algorithm=newton | output file=DIR/newton.csv", "newton.csv"},
		{"variational", "variational algorithm=fullrank output_samples=10 | output file=DIR/variational.csv", "variational.csv"},
		{"laplace", "laplace mode=DIR/optimize.csv draws=150 | output file=DIR/laplace.csv", "laplace.csv"},
		{"pathfinder", "pathfinder num_paths=2 num_draws=20 num_psis_draws=30 save_single_paths=1 | output file=DIR/pathfinder.csv", "pathfinder.csv pathfinder_path_2.csv"},
		{"log_prob", "log_prob unconstrained_params=DIR/point.json | output file=DIR/log_prob.csv", "log_prob.csv"},
		{"diagnose", "diagnose test=gradient epsilon=1e-5 | output file=DIR/diagnose.csv", "diagnose.csv"},
	} {
		before, after, _ := strings.Cut(strings.ReplaceAll(c.args, "DIR", dir), "|")
		args := append(append(strings.Fields(before), data...), strings.Fields(after)...)
		code, out, errs := run(t, exe, args...)
		if code != 0 || errs != "" {
			t.Errorf("%s: exit code %d: %s", c.name, code, errs)
			continue
		}
		text := "$ model " + strings.Join(args, " ") + "\n" + out
		got := masked(text, dir)
		for _, file := range strings.Fields(c.files) {
			got += "\n-- " + file + " --\n" + masked(shown(t, at(file)), dir)
		}
		golden(t, c.name, got)
	}
}

// golden compares a text with testdata/NAME.golden.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got; go test -update writes it anew):\n%s", path, diff)
	}
}

func TestGoldenHelpAndErrors(t *testing.T) {
	exe := executableOf(t, bernoulli+".stan")
	var b strings.Builder
	for _, args := range []string{
		"", "help", "info", "sample help", "sample adapt delta help", "optimize algorithm help",
		"bogus", "sample bogus=1", "sample delta=0.9", "sample num_samples=-1", "sample num_samples=ten", "sample adapt delta=1",
		"sample adapt engaged=maybe", "method=guess", "id=1", "id=0 sample", "sample algorithm=hmc engine=nuts max_depth=0",
		"sample output refresh=-1", "sample output sig_figs=19", "sample random seed=-2", "num_samples=10 sample",
	} {
		code, out, errs := run(t, exe, strings.Fields(args)...)
		fmt.Fprintf(&b, "$ model %s\n%s", args, strings.ReplaceAll(out, exe, "model"))
		for line := range strings.Lines(errs) {
			b.WriteString("! " + line)
		}
		fmt.Fprintf(&b, "(exit code %d)\n\n", code)
	}
	golden(t, "help", b.String())
}
