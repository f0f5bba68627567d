package cmdstan

// This file holds the numbers of every method against closed forms, for 10 Bernoulli trials
// with 2 successes under a uniform prior: theta is beta(3, 9).

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/lang"
)

// rowsAfter runs a method and gives the file that it writes.
func rowsAfter(t *testing.T, exe string, method string) *draws.CSV {
	t.Helper()
	file := filepath.Join(t.TempDir(), "out.csv")
	args := append(strings.Fields(method), "data", "file="+bernoulli+".data.json", "random", "seed=2", "output", "file="+file, "refresh=0", "sig_figs=16")
	if code, _, errs := run(t, exe, args...); code != 0 {
		t.Fatalf("%s: exit code %d: %s", method, code, errs)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c, err := draws.ReadCSV(f, file)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func column(c *draws.CSV, name string) []float64 {
	i := slices.Index(c.Names, name)
	x := make([]float64, len(c.Rows))
	for k, row := range c.Rows {
		x[k] = row[i]
	}
	return x
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: %.10g, want %.10g ± %g", what, got, want, tolerance)
	}
}

// logBernoulli is the log density without constants, with the log Jacobian of the logit.
func logBernoulli(theta float64) float64 { return 3*math.Log(theta) + 9*math.Log1p(-theta) }

func TestModes(t *testing.T) {
	exe := executableOf(t, bernoulli+".stan")
	for _, algorithm := range []string{"lbfgs", "bfgs", "newton"} {
		c := rowsAfter(t, exe, "optimize algorithm="+algorithm)
		near(t, algorithm+" theta", column(c, "theta")[0], 0.2, 1e-5)
		near(t, algorithm+" lp__", column(c, "lp__")[0], 2*math.Log(0.2)+8*math.Log(0.8), 1e-9)
		c = rowsAfter(t, exe, "optimize jacobian=true algorithm="+algorithm)
		near(t, algorithm+" with Jacobian: theta", column(c, "theta")[0], 0.25, 1e-5)
		near(t, algorithm+" with Jacobian: lp__", column(c, "lp__")[0], logBernoulli(0.25), 1e-9)
	}
}

// TestOptimizeWithoutMode: where the density has no mode a search ends with an error, whatever stops it.
func TestOptimizeWithoutMode(t *testing.T) {
	for name, program := range map[string]string{
		"eight schools": `transformed data { vector[8] y = [28, 8, -3, 7, -1, 1, 18, 12]'; vector[8] s = [15, 10, 16, 11, 9, 11, 10, 18]'; }
parameters { real mu; vector[8] theta; real<lower=0> tau; } model { theta ~ normal(mu, tau); y ~ normal(theta, s); }`,
		"two rates": `parameters { real<lower=0> lambda1; real<lower=0> lambda2; } model { target += -2 * log(lambda2) - lambda1; lambda1 ~ gamma(2, 2); }`,
		"a pole":    `parameters { real<lower=0> lambda1; real<lower=0> lambda2; } model { target += -lambda1 + 1 / sqrt(lambda2) - lambda2; }`,
		"a line":    `parameters { real x; } model { target += x; }`,
	} {
		exe := modelOf(t, program)
		for _, algorithm := range []string{"lbfgs", "bfgs", "newton"} {
			for seed := range 3 {
				code, out, text := run(t, exe, "optimize", "algorithm="+algorithm, "random", fmt.Sprintf("seed=%d", seed+1), "output", "file="+filepath.Join(t.TempDir(), "out.csv"))
				told := strings.Contains(out, "Optimization terminated with error: \n  Line search failed")
				if code == 0 || !told && algorithm != "newton" {
					t.Errorf("%s by %s, seed %d: exit code %d\n%s\n%s", name, algorithm, seed+1, code, out[max(0, len(out)-300):], text)
				}
			}
		}
	}
}

// TestPosterior compares means of theta with 1/4. The bound is 5 standard errors, for chains
// from their effective size: a false alarm in less than one of a million runs, and the seed
// is fixed.
func TestPosterior(t *testing.T) {
	exe := executableOf(t, bernoulli+".stan")
	dir := t.TempDir()
	metric := filepath.Join(dir, "metric.json")
	if err := os.WriteFile(metric, []byte(`{"inv_metric": [0.5]}`), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{
		"sample",
		"sample algorithm=hmc metric=dense_e",
		"sample algorithm=hmc metric=unit_e stepsize_jitter=0.5",
		"sample adapt engaged=0 algorithm=hmc metric_file=" + metric + " stepsize=0.9",
		"sample num_samples=4000 algorithm=hmc engine=static int_time=1.5",
		"sample num_samples=4000 algorithm=hmc engine=static int_time=1.5 stepsize_jitter=1",
		"sample num_samples=3000 thin=3 adapt delta=0.95 gamma=0.1 kappa=0.8 t0=20 init_buffer=50 term_buffer=60 window=30",
	} {
		c := rowsAfter(t, exe, method)
		x := [][]float64{column(c, "theta")}
		near(t, method, draws.Mean(x), 0.25, 5*draws.SD(x)/math.Sqrt(draws.ESSMean(x)))
		for _, row := range c.Rows[:20] {
			theta := row[len(row)-1]
			near(t, method+": lp__", row[0], logBernoulli(theta), 1e-10)
		}
	}
}

func TestSettingsReachTheSampler(t *testing.T) {
	exe := executableOf(t, bernoulli+".stan")
	c := rowsAfter(t, exe, "sample num_samples=100 adapt engaged=0 algorithm=hmc engine=nuts max_depth=2 stepsize=0.125")
	for _, row := range c.Rows {
		if row[2] != 0.125 || row[3] > 2 {
			t.Fatalf("stepsize__ %g, treedepth__ %g; asked for 0.125 and at most 2", row[2], row[3])
		}
	}
	c = rowsAfter(t, exe, "sample num_samples=100 algorithm=hmc engine=static int_time=2.5")
	if got := column(c, "int_time__"); slices.Min(got) != 2.5 || slices.Max(got) != 2.5 {
		t.Errorf("int_time__ from %g to %g, want 2.5", slices.Min(got), slices.Max(got))
	}
	c = rowsAfter(t, exe, "sample num_samples=100 thin=7 num_warmup=20 save_warmup=true")
	if len(c.Rows) != 15 || len(c.Warmup) != 3 {
		t.Errorf("%d draws and %d of warm-up, want 15 and 3: the numbers rounded up", len(c.Rows), len(c.Warmup))
	}
}

func TestApproximations(t *testing.T) {
	exe := executableOf(t, bernoulli+".stan")
	dir := t.TempDir()
	mode := filepath.Join(dir, "mode.json")
	if err := os.WriteFile(mode, []byte(`{"theta": 0.25}`), 0o666); err != nil {
		t.Fatal(err)
	}
	// On the logit scale the mode is logit(1/4) and the curvature 12 * 1/4 * 3/4.
	c := rowsAfter(t, exe, "laplace draws=4000 mode="+mode)
	logit := column(c, "theta")
	for i, p := range logit {
		logit[i] = math.Log(p / (1 - p))
		z := (logit[i] - math.Log(1.0/3)) * 1.5
		near(t, "laplace: log_q__", c.Rows[i][1], -z*z/2, 1e-6)
		near(t, "laplace: log_p__", c.Rows[i][0], logBernoulli(p), 1e-10)
	}
	near(t, "laplace: mean of the logit", draws.Mean([][]float64{logit}), math.Log(1.0/3), 5/1.5/math.Sqrt(4000))
	near(t, "laplace: sd of the logit", draws.SD([][]float64{logit}), 1/1.5, 5/1.5/math.Sqrt(8000))

	c = rowsAfter(t, exe, "variational output_samples=2000")
	if len(c.Rows) != 2001 || c.Rows[0][0] != 0 || c.Rows[0][1] != 0 || c.Rows[0][2] != 0 {
		t.Errorf("%d rows, the first %v; want 2001, the first the mean with zeros", len(c.Rows), c.Rows[0])
	}
	near(t, "variational: mean of theta", draws.Mean([][]float64{column(c, "theta")[1:]}), 0.25, 0.03)

	c = rowsAfter(t, exe, "pathfinder num_psis_draws=3000")
	theta := column(c, "theta")
	near(t, "pathfinder: mean of theta", draws.Mean([][]float64{theta}), 0.25, 0.02)
	for i, p := range theta {
		near(t, "pathfinder: lp__", c.Rows[i][1], logBernoulli(p), 1e-10)
	}
}

func TestLogProb(t *testing.T) {
	exe := executableOf(t, bernoulli+".stan")
	dir := t.TempDir()
	free, held := filepath.Join(dir, "free.json"), filepath.Join(dir, "held.json")
	for name, text := range map[string]string{free: `{"params_r": [[0], [-1]]}`, held: `{"theta": 0.3}`} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c := rowsAfter(t, exe, "log_prob unconstrained_params="+free)
	for i, q := range []float64{0, -1} {
		p := 1 / (1 + math.Exp(-q))
		near(t, "lp__", c.Rows[i][0], logBernoulli(p), 1e-12)
		near(t, "g_theta", c.Rows[i][1], 3-12*p, 1e-12)
	}
	c = rowsAfter(t, exe, "log_prob jacobian=0 constrained_params="+held)
	near(t, "lp__", c.Rows[0][0], 2*math.Log(0.3)+8*math.Log(0.7), 1e-12)
	near(t, "g_theta", c.Rows[0][1], 2-10*0.3, 1e-12)
}

// TestGeneratedQuantities runs a model on the draws of another, with a transformed parameter
// and an include.
func TestGeneratedQuantities(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("head.stan", "data { int<lower=0> N; array[N] int<lower=0, upper=1> y; }\nparameters { real<lower=0, upper=1> theta; }")
	model := write("more.stan", "#include head.stan\ntransformed parameters { real odds = theta / (1 - theta); }\n"+
		"model { }\ngenerated quantities { real double_odds = 2 * odds; array[2] int y2; for (i in 1:2) y2[i] = bernoulli_rng(theta); }")
	draw := write("draws.csv", "# x\nlp__,accept_stat__,theta,other\n-1,1,0.5,7\n-1,1,0.25,7\n")
	c := rowsAfter(t, executableOf(t, model), "generate_quantities fitted_params="+draw)
	if want := []string{"double_odds", "y2.1", "y2.2"}; !slices.Equal(c.Names, want) {
		t.Errorf("columns %v, want %v", c.Names, want)
	}
	near(t, "double_odds", c.Rows[0][0], 2, 1e-12)
	near(t, "double_odds", c.Rows[1][0], 2.0/3, 1e-12)
}

// TestExecutableHoldsIncludes: the text in an executable is that of the files which were read, whatever their names:
// from the top of a folder, of the same name in two folders, a library included twice, and names in comments.
func TestExecutableHoldsIncludes(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"paths/functions/f.stan":          "real f(real x) { return g(x) + 1; } // no end of line",
		"sub/part.stan":                   "y ~ normal(f(mu), 1);\n",
		"paths/part.stan":                 "mu ~ normal(0, 10);\n",
		"paths/library.stanfunctions":     "#include <base.stanfunctions>\n",
		"paths/base.stanfunctions":        "real g(real x) { return 2 * x; }\n",
		"paths/same/../data_of_this.stan": "real y;\n",
		"model.stan": "functions {\n#include library.stanfunctions\n  #include \"base.stanfunctions\" // again\n#include /functions/f.stan\n}\n" +
			"data {\n#include ./same/../data_of_this.stan\n}\nparameters { real mu; }\nmodel {\n/*\n#include part.stan\n*/\n#include sub/part.stan // first\n#include part.stan\n}\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	model := filepath.Join(dir, "model.stan")
	p, err := lang.CompileFile(model, lang.Options{Include: []string{filepath.Join(dir, "paths")}})
	if err != nil {
		t.Fatal(err)
	}
	want := "functions {\nreal g(real x) { return 2 * x; }\n   // again\nreal f(real x) { return g(x) + 1; } // no end of line\n}\n" +
		"data {\nreal y;\n}\nparameters { real mu; }\nmodel {\n/*\n#include part.stan\n*/\ny ~ normal(f(mu), 1);\n // first\nmu ~ normal(0, 10);\n}\n"
	got := WithIncludes(p)
	if got != want {
		t.Errorf("text\n%s\nwant\n%s", got, want)
	}
	if _, err := lang.Compile("model.stan", got, lang.Options{}); err != nil {
		t.Error(err)
	}
}

// TestChainsAreProcesses: chain k of one process is the process with id k.
func TestChainsAreProcesses(t *testing.T) {
	exe := executableOf(t, bernoulli+".stan")
	dir := t.TempDir()
	for _, arguments := range []string{
		"sample num_samples=50 num_chains=3 id=2 num_threads=2", // its files are numbered 2, 3, 4
		"sample num_samples=50 id=4",
	} {
		rest := " data file=" + bernoulli + ".data.json random seed=9 output file=" + filepath.Join(dir, "x.csv")
		if code, _, errs := run(t, exe, strings.Fields(arguments+rest)...); code != 0 {
			t.Fatalf("exit code %d: %s", code, errs)
		}
	}
	var texts []string
	for _, name := range []string{"x.csv", "x_4.csv"} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		_, rows, _ := strings.Cut(string(b), "\nlp__")
		rows, _, _ = strings.Cut(rows, "Elapsed")
		texts = append(texts, rows)
	}
	if texts[0] != texts[1] || len(texts[0]) < 1000 {
		t.Error("chain 4 of a process differs from the process with id=4")
	}
}

func TestWrongFiles(t *testing.T) {
	exe := executableOf(t, bernoulli+".stan")
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	other, wide := write("other.csv", "lp__,mu\n1,2\n"), write("metric.json", `{"inv_metric": [1, 2]}`)
	good := "data file=" + bernoulli + ".data.json"
	for _, c := range []struct{ args, want string }{
		{"sample", "N: the program declares int"},
		{"sample data file=none.json", `Can't open specified file, "none.json"`},
		{"sample " + good + " init=none.json", `Can't open specified file, "none.json"`},
		{"sample init=" + write("init.json", `{"theta": 2}`) + " " + good, "User-specified initialization failed."},
		{"sample algorithm=hmc metric_file=" + wide + " " + good, "inv_metric has sizes [2], expected [1]"},
		{"sample num_warmup=0 " + good, "num_warmup=0 needs adapt engaged=0"},
		{"sample num_chains=2 algorithm=hmc engine=static " + good, "'num_chains' is unavailable"},
		{"sample adapt engaged=0 save_metric=1 " + good, "Saving the adapted metric"},
		{"sample " + good + " output file=" + filepath.Join(dir, "no", "x.csv"), "no such file or directory"},
		{"generate_quantities " + good, "expecting filename"},
		{"generate_quantities fitted_params=" + other + " " + good, "generate any quantities"},
		{"laplace mode=" + other + " " + good, "Mismatch between model"},
		{"laplace mode=" + write("mode.txt", "") + " " + good, "Mode file must be CSV or JSON"},
		{"log_prob " + good, "No input parameter files provided"},
		{"log_prob unconstrained_params=" + write("r.json", `{"params_r": [1, 2]}`) + " " + good, "Model has 1 parameters but 2 were found"},
		{"log_prob constrained_params=" + write("c.json", `{}`) + " " + good, "cannot unconstrain"},
	} {
		args := strings.Fields(c.args)
		if !strings.Contains(c.args, "output") {
			args = append(args, "output", "file="+filepath.Join(dir, "out.csv"))
		}
		code, _, errs := run(t, exe, args...)
		if code != exitNotOK || !strings.Contains(errs, c.want) {
			t.Errorf("%s: exit code %d, %q; want 1 and %q", c.args, code, errs, c.want)
		}
	}
	if code, _, errs := run(t, other, "sample"); code != exitNotOK || !strings.Contains(errs, "no executable of a model") {
		t.Errorf("exit code %d, %q", code, errs)
	}
}

func TestProfiles(t *testing.T) {
	dir := t.TempDir()
	model := filepath.Join(dir, "p.stan")
	if err := os.WriteFile(model, []byte(`parameters { real x; } model { profile("prior, all") { x ~ normal(0, 1); } }`), 0o666); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "profile.csv")
	if code, _, errs := run(t, executableOf(t, model), "sample", "num_samples=10", "output", "file="+filepath.Join(dir, "x.csv"), "profile_file="+file); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(text), "name,thread_id,total_time,") || !strings.Contains(string(text), "\n\"prior, all\",") {
		t.Errorf("%s", text)
	}
}

// A run that is ended from outside leaves files that can be read.
func TestInterrupt(t *testing.T) {
	exe := executableOf(t, bernoulli+".stan")
	file := filepath.Join(t.TempDir(), "out.csv")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() { // interrupts it once there are draws
		drawn := regexp.MustCompile(`(?m)^-?[0-9]`)
		for text := []byte(nil); ctx.Err() == nil && !drawn.Match(text); time.Sleep(10 * time.Millisecond) {
			text, _ = os.ReadFile(file) // it may not be there yet
		}
		cancel()
	}()
	var out, errs bytes.Buffer
	args := strings.Fields("sample num_samples=100000000 data file=" + bernoulli + ".data.json output file=" + file + " refresh=0")
	if code := runModel(ctx, exe, args, &out, &errs); code != exitNotOK || !strings.Contains(errs.String(), "Interrupted") {
		t.Fatalf("exit code %d: %s", code, &errs)
	}
	fit, err := draws.ReadFiles(file)
	if err != nil {
		t.Fatal(err)
	}
	if fit.Draws.Total() == 0 || fit.Chains[0].End.Incomplete {
		t.Errorf("%d draws; last lines there: %t", fit.Draws.Total(), !fit.Chains[0].End.Incomplete)
	}
}

// The diagnostic file has position, momentum and gradient of the potential energy at each
// draw: kinetic and potential energy add up to energy__, and the gradient is known.
func TestDiagnosticFile(t *testing.T) {
	exe := executableOf(t, bernoulli+".stan")
	for _, engine := range []string{"nuts", "static int_time=1.5"} {
		file := filepath.Join(t.TempDir(), "diagnostic.csv")
		args := strings.Fields("sample num_samples=200 algorithm=hmc metric=unit_e engine=" + engine + " data file=" + bernoulli + ".data.json random seed=2 output sig_figs=16 refresh=0")
		args = append(args, "file="+filepath.Join(filepath.Dir(file), "out.csv"), "diagnostic_file="+file)
		if code, _, errs := run(t, exe, args...); code != 0 {
			t.Fatalf("%s: exit code %d: %s", engine, code, errs)
		}
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		c, err := draws.ReadCSV(f, file)
		if err != nil {
			t.Fatal(err)
		}
		q, p, g, lp, energy := column(c, "theta"), column(c, "p_theta"), column(c, "g_theta"), column(c, "lp__"), column(c, "energy__")
		if len(q) != 200 {
			t.Fatalf("%s: %d rows", engine, len(q))
		}
		for i := range q {
			near(t, engine+": energy", p[i]*p[i]/2-lp[i], energy[i], 1e-9)
			near(t, engine+": gradient", g[i], 12/(1+math.Exp(-q[i]))-3, 1e-9)
		}
	}
}
