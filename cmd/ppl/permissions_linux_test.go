package main

// This file tests permissions where the tests are run by root, to whom none apply.

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// nobody is the number of the user without rights.
const nobody = 65534

// TestPermissionsAsNobody runs the script on permissions, whose greater part root cannot
// run, as another user.
func TestPermissionsAsNobody(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("TestScripts runs all of it")
	}
	dir := t.TempDir()
	scripts := filepath.Join(dir, "testdata", "script")
	if err := os.MkdirAll(scripts, 0o755); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "test")
	for from, to := range map[string]string{self: program, "testdata/script/permissions.txtar": filepath.Join(scripts, "permissions.txtar")} {
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, text, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	give := func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Chown(path, nobody, nobody))
	}
	if err := filepath.WalkDir(filepath.Dir(dir), give); err != nil { // that folder is root's alone, and in the way
		t.Skipf("NOT TESTED: permissions, for files cannot be given away here: %v", err)
	}
	cmd := exec.Command(program, "-test.run", "TestScripts$/^permissions$", "-test.v")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TMPDIR="+dir, "HOME="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	if errors.Is(err, fs.ErrPermission) { // nor where nobody cannot get to the folder
		t.Skipf("NOT TESTED: permissions, for no program can be run as another user here: %v", err)
	}
	if err != nil || !strings.Contains(string(out), "--- PASS: TestScripts/permissions") || !strings.Contains(string(out), "> exits 2 ppl cmdstan closed/c") {
		t.Errorf("%v\n%s", err, out)
	}
}
