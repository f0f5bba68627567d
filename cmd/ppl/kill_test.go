package main

// This file kills runs at random moments and wants them to end as if nothing had happened.

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/folders"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
	"github.com/seed-12b88e03/ppl/infer/manifest"
)

// kills is how many runs are killed: PPL_KILLS, or a few.
func kills(t *testing.T) int {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("processes are killed by a signal")
	}
	n, err := strconv.Atoi(os.Getenv("PPL_KILLS"))
	if err != nil {
		return subset.Of(1, 4) * len(killRuns)
	}
	return n
}

const killModel = `
data { int N; array[N] int y; }
parameters { real mu; real<lower=0> tau; vector[N] z; }
model {
  mu ~ normal(0, 2); tau ~ normal(0, 1); z ~ normal(0, 1);
  y ~ poisson_log(mu + tau * z);
}
generated quantities { int y_new = poisson_log_rng(mu); }
inference {
  first = nuts(chains = 2, warmup = 300, draws = 200, metric = "dense");
  thinned = mh(chains = 2, warmup = 2000, draws = 400, thin = 5);
  blocks = gibbs(chains = 2, warmup = 200, draws = 100);
  evidence = bridge(first);
  quick = laplace(draws = 100);
}
`

// killRuns are command lines without --out; each is killed in its turn.
var killRuns = [][]string{
	{"run", "--method", "nuts(chains = 2)", "--warmup", "400", "--draws", "1500", "--jobs", "2"},
	{"run", "--save-warmup", "--jobs", "2"},
	{"run", "--method", "hmc(chains = 3, warmup = 300, draws = 1500)", "--jobs", "1", "--digits", "12"},
	{"diagnose", "--with", "sbc(laplace(draws = 100), replications = 150, draws = 19)", "--with", "gibbs_prior(laplace(draws = 20), steps = 60, chains = 2)",
		"--with", "bread(nuts(), steps = [10], chains = 20, datasets = 4)", "--json"},
}

// attempt starts ppl and kills it after the delay; a negative delay lets it end.
// It returns what was printed, and whether it came to its end.
func attempt(t *testing.T, dir string, delay time.Duration, args ...string) (out string, ended bool) {
	t.Helper()
	cmd := exec.Command("ppl-hasty", args...)
	cmd.Dir = dir
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if delay >= 0 {
		timer := time.AfterFunc(delay, func() { _ = cmd.Process.Kill() })
		defer timer.Stop()
	}
	err := cmd.Wait()
	if err != nil && !(delay >= 0 && strings.Contains(err.Error(), "killed")) {
		t.Fatalf("ppl %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return stdout.String(), err == nil
}

// timeLine are lines of a fit's files that hold times.
var timeLine = regexp.MustCompile(`(?m)^.*(datetime|seconds|"started").*\n`)

// fitFiles are the files of a fit without times, but for its checkpoints.
func fitFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && e.Name() == folders.CheckpointDir:
			return fs.SkipDir
		case e.IsDir() || e.Name() == manifest.Name: // which has checksums of times
			return nil
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[name] = timeLine.ReplaceAllString(string(text), "")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestKilledRunsAreResumed kills each run at a moment of its length, resumes it, kills it
// again now and then, and compares all files and the summary with those of a run that
// was left alone.
func TestKilledRunsAreResumed(t *testing.T) {
	n := kills(t)
	r := rand.New(rand.NewPCG(uint64(n), 0)) // the moments cannot be repeated: a run is never equally fast
	for i, flags := range killRuns {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "model.ppl"), killModel)
		write(t, filepath.Join(dir, "model.json"), `{"N": 8, "y": [0, 1, 3, 2, 9, 4, 4, 30]}`)
		args := append(slices.Clone(flags), "model.ppl", "--seed", "7", "--quiet")
		began := time.Now()
		wantOut, _ := attempt(t, dir, -1, append(args, "--out", "whole")...)
		length := time.Since(began)
		want := fitFiles(t, filepath.Join(dir, "whole"))
		t.Logf("run %d takes %s and writes %d files", i, length.Round(time.Millisecond), len(want))
		for k := i; k < n; k += len(killRuns) {
			fit := append(slices.Clone(args), "--out", "fit", "--resume")
			out, cuts := "", 0
			for ended := false; !ended; {
				delay := time.Duration(-1)
				if cuts == 0 || cuts < 5 && r.IntN(2) == 0 {
					delay = time.Duration(r.Float64() * float64(length))
					cuts++
				}
				out, ended = attempt(t, dir, delay, fit...)
			}
			if diff := cmp.Diff(want, fitFiles(t, filepath.Join(dir, "fit"))); diff != "" {
				t.Fatalf("run %d, killed %d times, differs from one left alone:\n%.3000s", i, cuts, diff)
			}
			if diff := cmp.Diff(timeLine.ReplaceAllString(wantOut, ""), timeLine.ReplaceAllString(out, "")); diff != "" {
				t.Fatalf("run %d, killed %d times, prints something else:\n%s", i, cuts, diff)
			}
			if err := os.RemoveAll(filepath.Join(dir, "fit")); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
