package main

// This file keeps a fit's folder whole: it is written under another name and gets its
// own when everything in it is complete.

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/seed-12b88e03/ppl/infer/draws"
)

// A folder is a fit's folder while it is written.
type folder struct {
	final string
	work  string // where files go until commit
	done  bool
}

// newFolder prepares a folder. Its place must be free, or hold an earlier fit, which
// commit replaces.
func newFolder(path string) (*folder, error) {
	final, err := filepath.Abs(path)
	if err != nil {
		return nil, wrong(err)
	}
	if err := replaceable(final, path); err != nil {
		return nil, err
	}
	near := filepath.Dir(final)
	for {
		if info, err := os.Stat(near); err == nil && info.IsDir() {
			break
		} else if parent := filepath.Dir(near); parent != near {
			near = parent
			continue
		}
		return nil, wrongf("--out %s: there is no folder to put it in", path)
	}
	work, err := os.MkdirTemp(near, "."+filepath.Base(final)+".part-*")
	if err != nil {
		return nil, wrongf("--out %s: %w", path, plainPath(err))
	}
	if err := os.Chmod(work, 0o755); err != nil {
		return nil, errors.Join(err, os.RemoveAll(work))
	}
	return &folder{final: final, work: work}, nil
}

// replaceable refuses places that hold something other than a fit.
func replaceable(final, shown string) error {
	entries, err := os.ReadDir(final)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return wrongf("--out %s: this is no folder that can be written to", shown)
	case len(entries) == 0 || isFit(final, entries):
		return nil
	}
	return wrongf("--out %s: the folder holds other files than a fit's; choose another", shown)
}

// isFit says whether a folder, or each folder in it, has the record of a run.
func isFit(dir string, entries []fs.DirEntry) bool {
	if _, err := os.Stat(filepath.Join(dir, draws.RunFile)); err == nil {
		return true
	}
	for _, e := range entries {
		if _, err := os.Stat(filepath.Join(dir, e.Name(), draws.RunFile)); err != nil {
			return false
		}
	}
	return true
}

// sub makes a folder inside.
func (f *folder) sub(name string) (string, error) {
	dir := filepath.Join(f.work, name)
	return dir, os.Mkdir(dir, 0o755)
}

// commit gives the folder its name, in place of what stood there.
func (f *folder) commit() error {
	if err := os.MkdirAll(filepath.Dir(f.final), 0o755); err != nil {
		return err
	}
	old := ""
	if _, err := os.Stat(f.final); err == nil {
		old = f.work + ".old"
		if err := os.Rename(f.final, old); err != nil {
			return err
		}
	}
	if err := os.Rename(f.work, f.final); err != nil {
		if old != "" {
			err = errors.Join(err, os.Rename(old, f.final))
		}
		return err
	}
	f.done = true
	if old != "" {
		return os.RemoveAll(old)
	}
	return nil
}

// discard removes what was not committed.
func (f *folder) discard() error {
	if f.done {
		return nil
	}
	return os.RemoveAll(f.work)
}

// digest identifies a file by its content.
func digest(path string) (*draws.Source, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &draws.Source{File: path, SHA256: hex.EncodeToString(h.Sum(nil))}, nil
}

// digestOf is digest of a text in memory.
func digestOf(name string, text []byte) *draws.Source {
	sum := sha256.Sum256(text)
	return &draws.Source{File: name, SHA256: hex.EncodeToString(sum[:])}
}
