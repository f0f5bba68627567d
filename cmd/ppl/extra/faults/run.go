//go:build unix

// This file starts ppl and compares what it leaves behind.

package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// patience is after which time a command that answers is taken not to.
const patience = 10 * time.Minute

// A result is how a command ended.
type result struct {
	code           int // -1: by a signal
	stdout, stderr string
	took           time.Duration
	hung           bool
}

func (r result) internal() bool {
	return strings.Contains(r.stderr, "internal error") || strings.Contains(r.stderr, "goroutine ")
}

// run runs ppl to its end.
func (b *bench) run(args ...string) result { return b.signalled(0, -1, args...) }

// signalled runs ppl and sends it a signal after a time; a negative one lets it end.
func (b *bench) signalled(s syscall.Signal, after time.Duration, args ...string) result {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, b.ppl, args...)
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = b.dir, &stdout, &stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // an interrupt of this program is not one of that
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return result{code: -1, stderr: err.Error()}
	}
	if after >= 0 {
		timer := time.AfterFunc(after, func() { _ = cmd.Process.Signal(s) })
		defer timer.Stop()
	}
	_ = cmd.Wait()
	return result{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String(), time.Since(began), ctx.Err() != nil}
}

// times are lines of a fit's files that hold times.
var times = regexp.MustCompile(`(?m)^.*(datetime|seconds|"started").*\n`)

// files are those of a fit without times, and without checkpoints and list.
func files(dir string) map[string]string {
	out := map[string]string{}
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (e.Name() == "checkpoint" || e.Name() == ".unfinished"):
			return fs.SkipDir
		case e.IsDir() || e.Name() == "ppl-manifest.json" || strings.Contains(e.Name(), "~"):
			return nil
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		out[name] = times.ReplaceAllString(string(text), "")
		return err
	})
	return out
}

func same(a, b map[string]string) bool {
	if len(a) != len(b) {
		return false
	}
	for name, text := range a {
		if other, ok := b[name]; !ok || other != text {
			return false
		}
	}
	return true
}

// copyTree copies a folder.
func copyTree(from, to string) error {
	return errors.Join(os.RemoveAll(to), os.CopyFS(to, os.DirFS(from)))
}
