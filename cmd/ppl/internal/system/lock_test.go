//go:build linux || darwin || freebsd || netbsd || openbsd || windows

package system

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// lockHolder names the folder that a child process of TestLock locks.
const lockHolder = "PPL_TEST_LOCK"

// TestLock takes a folder from two places in one process and from another process, which is killed: a lock
// keeps others out for as long as its holder lives, and leaves nothing in the folder.
func TestLock(t *testing.T) {
	if dir := os.Getenv(lockHolder); dir != "" {
		holdLock(t, dir)
	}
	dir := filepath.Join(t.TempDir(), "a fit")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	unlock, err := Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.new"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "a.new"), filepath.Join(dir, "a")); err != nil {
		t.Fatalf("a locked folder cannot be written to: %v", err)
	}
	refused(t, dir)
	unlock()

	c := exec.Command(os.Args[0], "-test.run=^TestLock$")
	c.Env = append(os.Environ(), lockHolder+"="+dir)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); strings.TrimSpace(line) != "locked" {
		t.Fatalf("the other process printed %q (%v)", line, err)
	}
	refused(t, dir)
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait() // it was killed
	if unlock, err = Lock(dir); err != nil {
		t.Fatalf("after the death of its holder: %v", err)
	}
	unlock()
	if err := os.Remove(filepath.Join(dir, "a")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(dir); err != nil {
		t.Fatalf("locks leave something: %v", err)
	}
}

// holdLock is the other process: it waits to be killed.
func holdLock(t *testing.T, dir string) {
	if _, err := Lock(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stdout.WriteString("locked\n"); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, os.Stdin) // which ends with the one that started it
}

// refused takes a lock that another holds.
func refused(t *testing.T, dir string) {
	t.Helper()
	if _, err := Lock(dir); err == nil || !strings.Contains(err.Error(), "another run is writing to it") {
		t.Errorf("a folder that is locked: error %v", err)
	}
}
