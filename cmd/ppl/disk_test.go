package main

// This file fills disks up.

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/lang"
)

// smallDisk is a file system of 1 MB, where the system lets us have one.
func smallDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=1m,nr_inodes=200", "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("NOT TESTED: a full disk, for no small file system can be mounted here: %v\n%s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	})
	return dir
}

// TestFullDisk: the run ends with a clear error, what was drawn can be read, and with
// more room the run goes on to the end that it would have had.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	model := filepath.Join(dir, "model.ppl")
	write(t, model, "parameters { vector[5] x; }\nmodel { x ~ normal(0, 1); }\n")
	args := []string{"run", model, "--seed", "2", "--chains", "2", "--warmup", "100", "--draws", "8000", "--quiet", "--jobs", "2"}
	attempt(t, dir, -1, append(args, "--out", filepath.Join(dir, "whole"))...)

	disk := smallDisk(t)
	fit := filepath.Join(disk, "fit")
	cmd := exec.Command("ppl-hasty", append(args, "--out", fit)...)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != frame.ExitFailed || !strings.Contains(string(out), "no space left on device\n") ||
		!strings.Contains(string(out), "help: the draws before are kept; --resume goes on with them") || strings.Count(string(out), "\n") != 2 {
		t.Fatalf("%v\n%s", err, out)
	}
	kept, err := lang.ReadFit(fit)
	if err != nil {
		t.Fatal(err)
	}
	if n := kept.Posterior.Draws.Total(); n < 1000 || !kept.Posterior.Incomplete {
		t.Errorf("%d draws can be read, incomplete %v", n, kept.Posterior.Incomplete)
	}
	t.Logf("%d draws were kept", kept.Posterior.Draws.Total())
	if out, err := exec.Command("mount", "-o", "remount,size=20m", disk).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	attempt(t, dir, time.Duration(-1), append(args, "--out", fit, "--resume")...)
	want := fitFiles(t, filepath.Join(dir, "whole"))
	for name, text := range fitFiles(t, fit) {
		if text != want[name] {
			t.Errorf("%s differs from that of a run with room enough", name)
		}
	}
}

// TestNoRoomAtAll: a run that cannot even begin leaves nothing.
func TestNoRoomAtAll(t *testing.T) {
	disk := smallDisk(t)
	write(t, filepath.Join(disk, "model.ppl"), "parameters { vector[5] x; }\nmodel { x ~ normal(0, 1); }\n")
	if err := os.WriteFile(filepath.Join(disk, "ballast"), make([]byte, 2<<20), 0o666); err == nil {
		t.Fatal("the disk is not small")
	}
	cmd := exec.Command("ppl", "run", filepath.Join(disk, "model.ppl"), "--quiet", "--out", filepath.Join(disk, "fit"))
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != frame.ExitFailed || !strings.Contains(string(out), "no space left on device\n") {
		t.Errorf("%v\n%s", err, out)
	}
	if _, err := os.Stat(filepath.Join(disk, "fit")); err == nil {
		t.Error("the folder was left behind")
	}
}

// TestNoRoomToBegin: a run that cannot put an earlier fit aside leaves it as it was.
func TestNoRoomToBegin(t *testing.T) {
	disk := smallDisk(t)
	model := filepath.Join(disk, "model.ppl")
	write(t, model, "parameters { real x; }\nmodel { x ~ normal(0, 1); }\n")
	args := []string{"run", model, "--seed", "2", "--chains", "2", "--warmup", "50", "--draws", "50", "--quiet", "--out", filepath.Join(disk, "fit")}
	attempt(t, disk, -1, args...)
	want := fitFiles(t, filepath.Join(disk, "fit"))
	for i := 0; os.WriteFile(filepath.Join(disk, strconv.Itoa(i)), nil, 0o666) == nil; i++ { // no file more
	}
	cmd := exec.Command("ppl", args...)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != frame.ExitFailed || !strings.Contains(string(out), "no space left on device\n") || !strings.Contains(string(out), "help: make room") || strings.Count(string(out), "\n") != 2 {
		t.Errorf("%v\n%s", err, out)
	}
	if diff := cmp.Diff(want, fitFiles(t, filepath.Join(disk, "fit"))); diff != "" {
		t.Errorf("the earlier fit is another one (-before +after):\n%s", diff)
	}
}

// helpLine is a remedy, and nothing after it.
var helpLine = regexp.MustCompile(`^  help: .*\n$`)

// TestReadOnlyDisk: an earlier fit on a disk that cannot be written to stays, and each
// command says so in one line, to which a remedy may be added.
func TestReadOnlyDisk(t *testing.T) {
	disk := smallDisk(t)
	model, fit := filepath.Join(disk, "model.ppl"), filepath.Join(disk, "fit")
	write(t, model, "parameters { real x; }\nmodel { x ~ normal(0, 1); }\ngenerated quantities { real y = 2 * x; }\n")
	attempt(t, disk, -1, "run", model, "--seed", "2", "--chains", "2", "--warmup", "50", "--draws", "50", "--quiet", "--out", fit)
	want := fitFiles(t, fit)
	if out, err := exec.Command("mount", "-o", "remount,ro", disk).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, args := range [][]string{
		{"run", model, "--quiet", "--out", fit},
		{"run", model, "--quiet", "--out", filepath.Join(disk, "other")},
		{"generate", model, "--quiet", "--fit", fit, "--out", filepath.Join(disk, "other")},
		{"diagnose", model, "--quiet", "--out", filepath.Join(disk, "other"), "--with", "sbc(nuts())"},
		{"plot", fit, "--out", filepath.Join(disk, "other")},
		{"report", fit, "--out", filepath.Join(disk, "report.html")},
		{"cmdstan", filepath.Join(disk, "other")},
	} {
		cmd := exec.Command("ppl", args...)
		out, err := cmd.CombinedOutput()
		first, help, _ := strings.Cut(string(out), "\n")
		if cmd.ProcessState.ExitCode() != frame.ExitWrongInput || !strings.HasSuffix(first, "read-only file system") || help != "" && !helpLine.MatchString(help) {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
	if diff := cmp.Diff(want, fitFiles(t, fit)); diff != "" {
		t.Errorf("the earlier fit is another one (-before +after):\n%s", diff)
	}
}
