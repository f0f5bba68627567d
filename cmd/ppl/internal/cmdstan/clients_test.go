package cmdstan

// This file holds what clients rely on beside formats: phrases that they match, files they
// name, what a failed chain prints.

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/draws"
)

// written puts files into a folder of their own and gives its path.
func written(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func modelOf(t *testing.T, program string) string {
	t.Helper()
	return executableOf(t, filepath.Join(written(t, map[string]string{"m.stan": program}), "m.stan"))
}

// A rejected proposal is told in CmdStan's words on standard output, the exception at the start
// of a line, and marks its draw as divergent as in CmdStan.
func TestInformationalMessage(t *testing.T) {
	exe := modelOf(t, "parameters { real x; }\nmodel {\n  x ~ normal(0, 1);\n  if (x > 1.5) reject(\"big x \", x);\n}\n")
	out := filepath.Join(t.TempDir(), "o.csv")
	code, text, errs := run(t, exe, "sample", "num_samples=200", "num_warmup=100", "random", "seed=1", "output", "file="+out)
	if code != 0 || errs != "" {
		t.Fatal(code, errs)
	}
	message := regexp.MustCompile(`(?m)^Informational Message: The current Metropolis proposal is about to be rejected because of the following issue:\nException: big x [0-9.e+]+ \(in 'm\.stan', line 4, column 15 to column 35\)\nIf this warning occurs sporadically,`)
	if n := len(message.FindAllString(text, -1)); n < 20 {
		t.Errorf("%d messages in\n%s", n, text[:min(len(text), 3000)])
	}
	fit, err := draws.ReadFiles(out)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(fit.Draws.Column("divergent__")[0], 1) {
		t.Error("no draw is marked as divergent")
	}
}

// A chain that does not start says why, with its own number where there are several, and prints
// nothing that clients take for the sign of a chain at work or at its end.
func TestChainThatDoesNotStart(t *testing.T) {
	for name, program := range map[string]string{
		"Error evaluating the log probability at the initial value.\nException: never (in 'm.stan', line 1, column 30 to column 46)": "parameters { real x; } model { reject(\"never\"); }",
		"Log probability evaluates to log(0), i.e. negative infinity.":                                                               "parameters { real x; } model { target += negative_infinity(); }",
	} {
		exe := modelOf(t, program)
		out := filepath.Join(t.TempDir(), "o.csv")
		code, text, errs := run(t, exe, "sample", "num_chains=2", "num_samples=10", "num_warmup=10", "random", "seed=1", "output", "file="+out)
		all := text + errs
		if code == 0 || !strings.Contains(all, "Initialization between (-2, 2) failed after 100 attempts.") || !strings.HasSuffix(errs, "Initialization failed.\n") {
			t.Errorf("code %d:\n%s", code, all[max(0, len(all)-1500):])
		}
		for _, wrong := range []string{"Gradient evaluation took", "Elapsed Time", "--init", "Iteration:"} {
			if strings.Contains(all, wrong) {
				t.Errorf("%q is printed", wrong)
			}
		}
		if !strings.Contains(text, "Rejecting initial value:\n  "+strings.ReplaceAll(name, "column 30 to column 46", "column 31 to column 47")) {
			t.Errorf("no reason %q in\n%s", name, text[:min(len(text), 600)])
		}
	}
}

// One file of initial values for each chain, in a list; another number of files is refused.
func TestListsOfFiles(t *testing.T) {
	exe := modelOf(t, "parameters { real<lower=0, upper=10> x; } model { target += -1e6 * square(x - 5); }")
	dir := written(t, map[string]string{"a.json": `{"x": 1}`, "b.json": `{"x": 9}`, "c.json": `{"x": 11}`})
	at := func(name string) string { return filepath.Join(dir, name) }
	out := at("o.csv")
	args := []string{"sample", "num_chains=2", "num_samples=1", "num_warmup=0", "adapt", "engaged=0", "algorithm=hmc", "stepsize=1e-9",
		"random", "seed=1", "output", "file=" + out, "init=" + at("a.json") + "," + at("b.json")}
	if code, _, errs := run(t, exe, args...); code != 0 {
		t.Fatal(errs)
	}
	for i, want := range []float64{1, 9} {
		fit, err := draws.ReadFiles(at([]string{"o_1.csv", "o_2.csv"}[i]))
		if err != nil {
			t.Fatal(err)
		}
		if got := fit.Draws.Column("x")[0][0]; got < want-0.01 || got > want+0.01 {
			t.Errorf("chain %d is at %g, started at %g", i+1, got, want)
		}
	}
	args[len(args)-1] += "," + at("a.json")
	if code, _, errs := run(t, exe, args...); code == 0 || !strings.Contains(errs, "Found 3 files in") {
		t.Errorf("code %d: %s", code, errs)
	}
	args[len(args)-1] = "init=" + at("c.json")
	if code, _, errs := run(t, exe, args...); code == 0 || !strings.Contains(errs, "Bounded variable is 11, but must be less than or equal to 10 (in 'm.stan', line 1, column 13 to column 38)") {
		t.Errorf("code %d: %s", code, errs)
	}
}

// The number of threads comes from the environment where no argument says it.
func TestThreadsOfTheEnvironment(t *testing.T) {
	exe := modelOf(t, "parameters { real x; } model { x ~ normal(0, 1); }")
	args := []string{"sample", "num_samples=1", "num_warmup=1", "random", "seed=1", "output", "file=" + filepath.Join(t.TempDir(), "o.csv")}
	for _, c := range []struct{ value, want string }{
		{"3", "num_threads = 3\n"}, {"-1", "num_threads = -1\n"}, {"", "num_threads = 1 (Default)\n"},
		{"x", "The STAN_NUM_THREADS environment variable is 'x' but it must be a positive number or -1"},
	} {
		t.Setenv("STAN_NUM_THREADS", c.value)
		if _, out, errs := run(t, exe, args...); !strings.Contains(out+errs, c.want) {
			t.Errorf("%q: no %q in\n%s%s", c.value, c.want, out, errs)
		}
	}
	t.Setenv("STAN_NUM_THREADS", "3")
	if _, out, _ := run(t, exe, append(args, "num_threads=2")...); !strings.Contains(out, "num_threads = 2\n") {
		t.Error("the environment counts for more than the argument")
	}
	before := runtime.GOMAXPROCS(0)
	threaded := filepath.Join(t.TempDir(), "model")
	if _, err := build("ppl", bernoulli+".stan", threaded, &stancOptions{}, map[string]bool{"STAN_THREADS": true}); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := run(t, threaded, append(args, "data", "file="+bernoulli+".data.json")...); code != 0 || runtime.GOMAXPROCS(0) != before {
		t.Errorf("code %d, %s; %d processors, %d before", code, errs, runtime.GOMAXPROCS(0), before)
	}
}

// Generated quantities are made for the rows of warm-up, too.
func TestQuantitiesOfWarmup(t *testing.T) {
	exe := modelOf(t, "parameters { real x; } model { x ~ normal(0, 1); } generated quantities { real y = x; }")
	dir := t.TempDir()
	fit, made := filepath.Join(dir, "fit.csv"), filepath.Join(dir, "gq.csv")
	if code, _, errs := run(t, exe, "sample", "num_samples=30", "num_warmup=20", "save_warmup=1", "random", "seed=1", "output", "file="+fit); code != 0 {
		t.Fatal(errs)
	}
	if code, _, errs := run(t, exe, "generate_quantities", "fitted_params="+fit, "output", "file="+made); code != 0 {
		t.Fatal(errs)
	}
	rows := func(path string, column int) (out []string) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if !strings.HasPrefix(line, "#") {
				out = append(out, strings.Split(strings.TrimSpace(line), ",")[column])
			}
		}
		return out[1:]
	}
	if got, want := rows(made, 0), rows(fit, 7); len(want) != 50 || !slices.Equal(got, want) {
		t.Errorf("%d rows, want the values of %d:\n%v\n%v", len(got), len(want), got, want)
	}
}

// A model without parameters has the columns and the adaptation of the sampler, and its density.
func TestNoParameters(t *testing.T) {
	exe := modelOf(t, "model { target += 1.5; } generated quantities { real y = 2; }")
	out := filepath.Join(t.TempDir(), "o.csv")
	for _, c := range []struct{ arg, rows string }{
		{"save_warmup=0", "# Adaptation terminated\n# Step size = nan\n# Diagonal elements of inverse mass matrix:\n# \n1.5,1,nan,1,1,0,-1.5,2\n1.5,1,nan,1,1,0,-1.5,2\n# \n#  Elapsed"},
		{"save_warmup=1", "energy__,y\n1.5,1,nan,1,1,0,-1.5,2\n# Adaptation terminated\n# Step size = nan\n# Diagonal elements of inverse mass matrix:\n# \n1.5,1,nan,1,1,0,-1.5,2\n1.5,"},
	} {
		code, said, errs := run(t, exe, "sample", "num_samples=2", "num_warmup=1", c.arg, "random", "seed=1", "output", "file="+out)
		text, err := os.ReadFile(out)
		if code != 0 || err != nil || !strings.Contains(string(text), "lp__,accept_stat__,stepsize__,treedepth__,n_leapfrog__,divergent__,energy__,y\n") || !strings.Contains(string(text), c.rows) {
			t.Errorf("%s: code %d, %v %s\n%s", c.arg, code, err, errs, text)
		}
		if !strings.Contains(said, "Iteration: 1 / 3 [ 33%]  (Warmup)\nIteration: 2 / 3 [ 66%]  (Sampling)\nIteration: 3 / 3 [100%]  (Sampling)\n") {
			t.Error(said)
		}
	}
}

// The bound of a variational fit goes to the diagnostic file.
func TestDiagnosticFileOfVariational(t *testing.T) {
	exe := executableOf(t, bernoulli+".stan")
	dir := t.TempDir()
	path := filepath.Join(dir, "d.csv")
	code, _, errs := run(t, exe, "variational", "data", "file="+bernoulli+".data.json", "random", "seed=1", "output", "file="+filepath.Join(dir, "o.csv"), "diagnostic_file="+path)
	text, err := os.ReadFile(path)
	if code != 0 || err != nil || !regexp.MustCompile(`(?m)^iter,time_in_seconds,ELBO\n[0-9]+,[-0-9.e]+,-[0-9.]+\n`).Match(text) {
		t.Errorf("code %d, %v %s\n%s", code, err, errs, text)
	}
}

// stanc's words, layouts and order.
func TestCompilerWords(t *testing.T) {
	dir := written(t, map[string]string{
		"syntax.stan":   "parameters { real x }",
		"semantic.stan": "model { y ~ normal(0, 1); }",
		"removed.stan":  "parameters { real x; } model { x ~ normal(0, 1); increment_log_prob(x); }",
		"flat.stan":     "parameters { real<lower=0, upper=1> theta; real z; real a; } model { z ~ normal(0, 1); }",
		"layout.stan":   "transformed data { int y; if ((1)) y = ((2)); else y = 3; // why\n}",
	})
	for _, c := range []struct{ args, want string }{
		{"syntax.stan", "Syntax error in 'DIR/syntax.stan', line 1, column 19 to column 19:\n"},
		{"semantic.stan", "Semantic error in 'DIR/semantic.stan', line 1, column 8 to column 9:\n"},
		{"--auto-format removed.stan", "Syntax error"},
		{"--warn-pedantic flat.stan", "Warning: The parameter theta has no priors. This means either no prior is\n    provided"},
		{"--warn-pedantic flat.stan", "Warning: The parameter a has no priors."},
		{"--info flat.stan", `"theta": {
      "type": "real",
      "dimensions": 0
    },
    "z"`},
		{"--auto-format layout.stan", "if ((1)) y = ((2));"},
		{"--auto-format --canonicalize=braces layout.stan", "if ((1)) {\n    y = ((2));\n  } else {\n"},
		{"--auto-format --canonicalize=parentheses,strip-comments layout.stan", "if (1) y = 2;\n  else y = 3;\n}"},
		{"--print-canonical layout.stan", "if (1) {\n    y = 2;"},
		{"--auto-format --max-line-length=10 layout.stan", "if ((1))\n    y = ((2));"},
	} {
		var out, errs bytes.Buffer
		words := strings.Fields(c.args)
		words[len(words)-1] = filepath.Join(dir, words[len(words)-1])
		runStanc(append(words, "--o="+filepath.Join(dir, "o.hpp")), &out, &errs)
		if text := strings.ReplaceAll(out.String()+errs.String(), dir, "DIR"); !strings.Contains(text, c.want) {
			t.Errorf("%s: no %q in\n%s", c.args, c.want, text)
		}
	}
}

// What is missing is told as CmdStan does, and then as ppl does.
func TestMissingVariable(t *testing.T) {
	_, _, errs := run(t, executableOf(t, bernoulli+".stan"), "sample")
	const want = "Exception: variable does not exist; processing stage=data initialization; variable name=N; base type=int (in 'bernoulli.stan', line 2, column 15 to column 16)\n"
	if !strings.Contains(errs, want) || !strings.Contains(errs, "[data-missing]") {
		t.Error(errs)
	}
}

// So is what has another size or type than the program declares.
func TestMisfitVariable(t *testing.T) {
	dir := t.TempDir()
	for given, want := range map[string]string{
		`{"N": 3, "y": [0, 1]}`:   "Exception: mismatch in dimension declared and found in context; processing stage=data initialization; variable name=y; base type=int (in '",
		`{"N": 2, "y": [0, 0.5]}`: "Exception: int variable contained non-int values; processing stage=data initialization; variable name=y; base type=int (in '",
		`{"N": 2, "y": [0, {}]}`:  "Exception: ",
	} {
		path := filepath.Join(dir, "data.json")
		if err := os.WriteFile(path, []byte(given), 0o644); err != nil {
			t.Fatal(err)
		}
		_, _, errs := run(t, executableOf(t, bernoulli+".stan"), "sample", "data", "file="+path)
		if !strings.Contains(errs, want) || strings.Contains(want, "int variable") != strings.Contains(errs, "int variable") {
			t.Errorf("%s: %s", given, errs)
		}
	}
}

// A build tells again what concerns C++.
func TestEchoOfSettings(t *testing.T) {
	target := filepath.Join(t.TempDir(), "model")
	var out, errs bytes.Buffer
	if code := runBuild("ppl", []string{"--set=STAN_THREADS=", "--set=STAN_NO_RANGE_CHECKS=TRUE", "--set=STAN_OPENCL=false", target, bernoulli + ".stan"}, &out, &errs); code != 0 {
		t.Fatal(errs.String())
	}
	_, text, _ := run(t, target, "info")
	for _, want := range []string{"STAN_THREADS=false\n", "STAN_NO_RANGE_CHECKS=true\n", "STAN_OPENCL=false\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
}
