package main

// This file tests that a report that is killed leaves nothing that the next one takes for somebody else's.

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/infer/disk"
)

// TestReportKilledWhileWriting: the folder as it is after every write to the disk is that of a kill there.
func TestReportKilledWhileWriting(t *testing.T) {
	dir := t.TempDir()
	model, fit := filepath.Join(dir, "m.ppl"), filepath.Join(dir, "fit")
	if err := os.WriteFile(model, []byte("parameters { real mu; } model { mu ~ normal(0, 1); }"), 0o666); err != nil {
		t.Fatal(err)
	}
	run := func(a *frame.App, args ...string) {
		t.Helper()
		if code := executeWith(a, args); code != 0 {
			t.Fatalf("ppl %s: exit code %d", strings.Join(args, " "), code)
		}
	}
	quiet := func() *frame.App { return frame.NewApp(strings.NewReader(""), io.Discard, io.Discard) }
	run(quiet(), "run", model, "--seed", "1", "--quiet", "--method", "laplace(draws = 50)", "--out", fit)
	var killed []string
	a := quiet()
	a.Disk = disk.Disk{Synced: func(string) {
		at := filepath.Join(dir, "killed-"+strconv.Itoa(len(killed)))
		if err := os.CopyFS(at, os.DirFS(fit)); err != nil {
			t.Error(err)
		}
		killed = append(killed, at)
	}}
	run(a, "report", fit, "--quiet")
	for _, at := range killed {
		run(quiet(), "report", at, "--quiet")
		run(quiet(), "verify", at)
		if left, _ := filepath.Glob(filepath.Join(at, "*~*")); len(left) > 0 {
			t.Errorf("of a report killed before, %v was put aside", left)
		}
	}
	if len(killed) < 3 {
		t.Errorf("%d writes were seen", len(killed))
	}
}
