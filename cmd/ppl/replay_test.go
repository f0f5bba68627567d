package main

// This file runs the script that uses the folder of ppl cmdstan as its clients do.

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// TestCmdstanReplay needs Python and make.
func TestCmdstanReplay(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	for _, tool := range []string{"python3", "make"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("NOT TESTED: clients of CmdStan, for there is no %s here", tool)
		}
	}
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "cmd stan")
	if out, err := exec.Command("ppl", "cmdstan", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := exec.Command("python3", filepath.Join("extra", "cmdstan", "replay.py"), dir).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
