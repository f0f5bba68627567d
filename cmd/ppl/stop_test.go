//go:build unix

package main

// This file stops commands at random moments and measures how long they take to end.

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
)

// stopModels take their time in one place each.
var stopModels = map[string]string{
	"discrete": `parameters { real b; array[14, 14] int<lower=0, upper=1> s; }
model {
  b ~ normal(0, 0.3);
  for (i in 1:14) for (j in 1:14) {
    if (i > 1) target += b * s[i, j] * s[i - 1, j];
    if (j > 1) target += b * s[i, j] * s[i, j - 1];
  }
}`,
	"tables": `parameters { real b; array[1500] int<lower=0, upper=1> s; }
model {
  b ~ normal(0, 0.3);
  for (i in 12:1500) {
    real t = 0;
    for (k in 1:11) t += s[i - k] * k;
    target += b * s[i] * sin(b + t);
  }
}`,
	"statements": `data { int N; }
parameters { vector[N] x; }
model {
  x ~ normal(0, 1);
  for (n in 2:N) if (n % 7 == 3) target += sin(x[n] * x[(n * 7919) % N + 1]) * x[n %/% 2 + 1]; else if (n % 5 != 1) target += x[n] * exp(-square(x[n - 1]) - square(x[(n * 31) % N + 1]));
}`,
	"eigen": `transformed data { matrix[2500, 2500] a = rep_matrix(0.5, 2500, 2500); for (i in 1:2500) a[i, i] = 3000 + i; }
parameters { real x; }
model { x ~ normal(sum(eigenvalues_sym(a + x * 1e-3)), 1); }`,
	"eigendata": `transformed data { matrix[3000, 3000] a = rep_matrix(0.5, 3000, 3000); for (i in 1:3000) a[i, i] = 3000 + i; vector[3000] e = eigenvalues_sym(a); }
parameters { real x; }
model { x ~ normal(e[1], 1); }`,
	"cholesky": `transformed data { matrix[3000, 3000] a = rep_matrix(0.5, 3000, 3000); for (i in 1:3000) a[i, i] = 3000 + i; }
parameters { real<lower=0> x; }
model { x ~ normal(0, 1); target += log_determinant_spd(add_diag(a, x)); }`,
	"product": `transformed data { matrix[2000, 2000] a = rep_matrix(0.5, 2000, 2000); }
parameters { real x; }
model { x ~ normal(0, 1); target += -1e-20 * sum(square(((a * x) * a) * (a + x))); }`,
	"svd": `transformed data { matrix[1500, 1500] a = rep_matrix(0.5, 1500, 1500); for (i in 1:1500) a[i, i] = 3000 + i; vector[1500] s = singular_values(a); }
parameters { real x; }
model { x ~ normal(s[1], 1); }`,
	"gp": `data { int N; }
transformed data { array[N] real t; vector[N] y; for (n in 1:N) { t[n] = n / 10.0; y[n] = sin(n); } }
parameters { real<lower=0> l; real<lower=0> s; }
model { l ~ gamma(2, 1); s ~ normal(0, 1); y ~ multi_normal(rep_vector(0, N), add_diag(gp_exp_quad_cov(t, 1, l), 0.1 + s)); }`,
	"solver": `functions { vector f(real t, vector y, real k) { return [y[2], -k * y[1]]'; } }
parameters { real<lower=0> k; }
model { k ~ normal(0, 1); array[1] vector[2] z = ode_rk45_tol(f, [1, 0]', 0, {1e7}, 1e-10, 1e-10, 1000000000, k); target += normal_lpdf(z[1, 1] | 0, 1); }`,
	"stiff": `functions { vector f(real t, vector y, real k) { return [y[2], 1e3 * (1 - square(y[1])) * y[2] - k * y[1]]'; } }
parameters { real<lower=0> k; }
model { k ~ normal(0, 1); array[1] vector[2] z = ode_bdf_tol(f, [2, 0]', 0, {1e8}, 1e-10, 1e-10, 1000000000, k); target += normal_lpdf(z[1, 1] | 0, 1); }`,
	"adjoint": `functions { vector f(real t, vector y, vector k) { return -k .* y + sin(t); } }
parameters { vector<lower=0>[40] k; }
model { k ~ normal(0, 1); array[1] vector[40] z = ode_adjoint_tol_ctl(f, rep_vector(1, 40), 0, {1e6}, 1e-9, rep_vector(1e-9, 40), 1e-9, rep_vector(1e-9, 40), 1e-9, 1e-9, 1000000000, 100, 1, 1, 1, k); target += normal_lpdf(z[1] | 0, 1); }`,
	"solverdata": `functions { vector f(real t, vector y, real k) { return [y[2], -k * y[1]]'; } }
transformed data { array[1] vector[2] z = ode_rk45_tol(f, [1, 0]', 0, {1e9}, 1e-10, 1e-10, 1000000000, 1.0); }
parameters { real<lower=0> k; }
model { k ~ normal(z[1, 1], 1); }`,
	"integral": `functions { real g(real x, real xc, array[] real p, array[] real a, array[] int b) { real s = 0; for (i in 1:20000) s += sin(i * x * p[1]); return exp(-x * x) * (2 + s / 20000); } }
parameters { real<lower=0> k; }
model { k ~ normal(0, 1); for (n in 1:50) target += log(integrate_1d(g, 0, 1 + n, {k}, {1.0}, {1}, 1e-12)); }`,
	"root": `functions { vector g(vector x, vector p) { vector[200] r; for (i in 1:200) r[i] = x[i] - 0.5 * sin(p[1] * x[(i * 7) % 200 + 1]) - 0.1 * i; return r; } }
parameters { real<lower=0> k; }
model { k ~ normal(0, 1); for (n in 1:200) target += 1e-3 * sum(solve_newton(g, rep_vector(0.1 * n, 200), [k]')); }`,
	"marginal": `functions { real ll(vector theta, array[] int y, int one) { return poisson_log_lpmf(y | theta); } matrix cov(array[] real t, real a) { return add_diag(gp_exp_quad_cov(t, a, 1.0), 1e-6); } }
transformed data { array[900] real t; array[900] int y; for (n in 1:900) { t[n] = n / 10.0; y[n] = n % 4; } }
parameters { real<lower=0> a; }
model { a ~ normal(0, 1); target += laplace_marginal(ll, (y, 1), 1, cov, (t, a)); }`,
	"quantities": `parameters { real x; } model { x ~ normal(0, 1); } generated quantities { real s = 0; while (1) { s += normal_rng(x, 1); } }`,
	"kernels":    `parameters { real x; } model { x ~ normal(0, 1); } generated quantities { real s; { matrix[2000, 2000] a = rep_matrix(x, 2000, 2000); for (i in 1:2000) a[i, i] = 3000 + i; s = sum(eigenvalues_sym(a)); } }`,
	"simulate": `data { int N; } transformed data { vector[N] y; for (n in 1:N) y[n] = sin(n); }
parameters { real mu; real<lower=0> s; vector[N] z; } model { mu ~ normal(0, 1); s ~ normal(0, 1); z ~ normal(mu, s); y ~ normal(z, 1); }`,
	"many":  `parameters { vector[4000] x; } model { x[1] ~ normal(0, 1); for (n in 2:4000) x[n] ~ student_t(4, sin(x[n - 1]), 1); }`,
	"joint": `parameters { vector[1500] x; } model { x ~ multi_normal(rep_vector(0, 1500), add_diag(rep_matrix(0.5, 1500, 1500), 1)); }`,
	"conjugate": `data { int N; } transformed data { vector[N] y; for (n in 1:N) y[n] = sin(n); }
parameters { vector[N] m; real<lower=0> v; real a; } model { a ~ normal(0, 1); v ~ inv_gamma(2, 2); m ~ normal(a, sqrt(v)); y ~ normal(m, 1); }`,
	"judged": `data { int N; vector[N] y; } parameters { real mu; real<lower=0> s; } model { mu ~ normal(0, 1); s ~ normal(0, 1); y ~ normal(mu, 0.1 + s); }`,
	"recursive": `functions { real f(int n, real x); real f(int n, real x) { return n < 2 ? x : f(n - 1, x) + f(n - 2, sin(x)); } }
parameters { real x; } model { x ~ normal(0, 1); target += -1e-9 * f(60, x); }`,
	"loops": `parameters { real x; } model { x ~ normal(0, 1); real s = x; for (i in 1:2000000000) { s = s + sin(s * i); if (s > 3) s = s - 3; } target += -1e-9 * s; }`,
}

var stopData = map[string]string{"statements": `{"N": 60000}`, "gp": `{"N": 1500}`, "simulate": `{"N": 300}`, "conjugate": `{"N": 20000}`, "judged": `{"N": 20, "y": [1,2,0.5,1.5,0.7,1.1,1,2,0.5,1.5,0.7,1.1,1,2,0.5,1.5,0.7,1.1,1,2]}`}

// stopCases are commands that would take long: a model, and the method of run or else the rest of the command line.
var stopCases = []struct{ model, method string }{
	{"discrete", "nuts()"}, {"discrete", "gibbs()"}, {"tables", "nuts()"}, {"tables", "bridge(nuts())"}, {"statements", "nuts()"}, {"statements", "map()"},
	{"statements", "gibbs()"}, {"eigen", "nuts()"}, {"eigendata", "nuts()"}, {"cholesky", "hmc()"}, {"product", "advi()"}, {"svd", "mh()"}, {"gp", "nuts()"}, {"gp", "laplace()"},
	{"gp", "pathfinder()"}, {"gp", "smc()"}, {"gp", "ais()"}, {"gp", "walnuts()"}, {"gp", "gvi()"}, {"gp", "fvi()"}, {"solver", "nuts()"}, {"stiff", "map()"}, {"adjoint", "nuts()"},
	{"solverdata", "nuts()"}, {"integral", "nuts()"}, {"root", "nuts()"}, {"marginal", "nuts()"}, {"quantities", "nuts()"}, {"quantities", "laplace()"}, {"kernels", "nuts()"},
	{"simulate", "nuts(draws = 1000000)"}, {"many", "laplace()"}, {"many", "map()"}, {"many", "advi(family = \"fullrank\")"}, {"many", "mh(draws = 5000)"}, {"joint", "nuts()"}, {"joint", "pathfinder()"},
	{"conjugate", "gibbs()"}, {"conjugate", "cavi()"}, {"conjugate", "prior_swap(nuts()) { a ~ normal(0, 2); }"}, {"recursive", "nuts()"}, {"loops", "nuts()"},
	{"judged", "diagnose --with sbc(nuts(),replications=100000)"}, {"judged", "diagnose --with bread(nuts())"}, {"judged", "diagnose --with gibbs_prior(nuts())"}, {"judged", "diagnose"},
	{"gp", "diagnose"}, {"solver", "diagnose"}, {"statements", "diagnose"}, {"eigendata", "prior"}, {"simulate", "prior"}, {"gp", "profile"}, {"tables", "profile"},
}

// TestStopped: a command ends soon after a signal or its time limit, whatever it is in the middle of, without an
// internal error, and what it leaves in its folder can be read.
func TestStopped(t *testing.T) {
	dir := t.TempDir()
	for _, files := range []struct {
		ext  string
		text map[string]string
	}{{".ppl", stopModels}, {".json", stopData}} {
		for name, text := range files.text {
			if err := os.WriteFile(filepath.Join(dir, name+files.ext), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	bound := 10 * time.Second // other tests run beside; a second where this one is run whole, by itself
	if subset.Whole() {
		bound = time.Second
	}
	r := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 1))
	for i, c := range stopCases {
		name := c.model + " " + c.method
		if !subset.Has(name, 8) || !regexp.MustCompile(os.Getenv("PPL_STOPS")).MatchString(name) {
			continue
		}
		fit := fmt.Sprint("fit", i)
		args := []string{"run", c.model + ".ppl", "--seed", "1", "--method", c.method, "--out", fit}
		if w := strings.Fields(c.method); slices.Contains([]string{"diagnose", "prior", "profile"}, w[0]) {
			args = slices.Concat([]string{w[0], c.model + ".ppl"}, w[1:])
		}
		after := 300*time.Millisecond + time.Duration(r.Float64()*2.5*float64(time.Second))
		s := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, 0}[r.IntN(4)]
		how := s.String()
		if s == 0 && slices.Contains([]string{"prior", "profile"}, args[0]) {
			s = syscall.SIGINT
		}
		if s == 0 {
			how, args = "time limit", append(args, "--time-limit", after.String())
		}
		took, code, text := stopAt(t, dir, s, after, bound, args)
		lines := strings.Split(strings.TrimSpace(text), "\n")
		t.Logf("%-52s %-10s after %.1f s: %5.2f s, code %3d: %.90s", name, how, after.Seconds(), took.Seconds(), code, lines[len(lines)-1])
		switch {
		case took < 0 && code == frame.ExitWrongInput:
			t.Errorf("%s does not run: %s", name, text)
		case took > bound:
			t.Errorf("%s, %s after %s: ended %s later", name, how, after, took)
		case strings.Contains(text, "internal error") || strings.Contains(text, "goroutine "):
			t.Errorf("%s, %s after %s: %s", name, how, after, text)
		}
		if _, err := os.Stat(filepath.Join(dir, fit)); err == nil {
			verify := exec.Command("ppl", "verify", fit)
			verify.Dir = dir
			if out, err := verify.CombinedOutput(); err != nil && verify.ProcessState.ExitCode() != frame.ExitWrongInput { // that is: there is no fit yet
				t.Errorf("%s, %s after %s: what is kept: %s", name, how, after, out)
			}
		}
	}
}

// TestQuit: SIGQUIT (Ctrl-\) ends a command without Go's list of goroutines.
func TestQuit(t *testing.T) {
	if signal.Ignored(syscall.SIGQUIT) {
		t.Skip("whoever started the tests has SIGQUIT ignored")
	}
	t.Setenv("GOTRACEBACK", "")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "quantities.ppl"), []byte(stopModels["quantities"]), 0o666); err != nil {
		t.Fatal(err)
	}
	_, code, text := stopAt(t, dir, syscall.SIGQUIT, time.Second, time.Minute, []string{"run", "quantities.ppl", "--seed", "1", "--quiet"})
	if code != 128+int(syscall.SIGQUIT) || text != "" {
		t.Errorf("code %d, said %s", code, text)
	}
}

// stopAt runs a command and signals it; the time is that from the signal to the end.
func stopAt(t *testing.T, dir string, s syscall.Signal, after, bound time.Duration, args []string) (time.Duration, int, string) {
	var out bytes.Buffer
	cmd := exec.Command("ppl", args...)
	cmd.Dir, cmd.Stderr = dir, &out
	began := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(after, func() {
		if s != 0 {
			_ = cmd.Process.Signal(s)
		}
	})
	kill := time.AfterFunc(after+bound+time.Second, func() { _ = cmd.Process.Kill() })
	_ = cmd.Wait()
	timer.Stop()
	kill.Stop()
	return time.Since(began) - after, cmd.ProcessState.ExitCode(), out.String()
}
