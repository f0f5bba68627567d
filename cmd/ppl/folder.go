package main

// This file keeps the folder of a fit: it takes the place over, gives it back when a run
// fails, and holds what it takes to resume one.

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/journal"
)

// Names in a fit's folder beside those of package draws.
const (
	checkpointDir = "checkpoint" // journals of the chains, and the recipe
	previousDir   = ".previous"  // an earlier fit, while the run that replaces it may still fail
)

// checkpointEvery is how often chains are put on disk. Together with the time that a
// checkpoint takes it stays below the second of work that a kill may cost.
const checkpointEvery = 500 * time.Millisecond

// A folder is a fit's folder while it is written.
type folder struct {
	path    string
	made    string // topmost folder that was made for it; empty for none
	ours    bool   // an earlier fit is aside: all else that the folder holds is of this run
	resumed bool   // it holds a run that goes on
	kept    bool   // it stays as it is
	unlock  func() // nil while it is not locked
}

// newFolder takes a place over. It must be free, or hold a fit, which the new one
// replaces; or with resume a run to go on with, where there is one.
func newFolder(path string, resume bool) (*folder, error) {
	f := &folder{path: filepath.Clean(path)}
	if err := replaceable(f.path); err != nil {
		return nil, err
	}
	err := f.open(resume)
	if err == nil {
		return f, nil
	}
	e := &exit{code: exitWrongInput, err: fmt.Errorf("--out %s: %w", path, errors.Join(plainPath(err), f.discard()))}
	if errors.Is(err, syscall.ENOSPC) {
		e.code = exitFailed
	}
	return nil, e
}

func (f *folder) exists(name ...string) bool {
	_, err := os.Stat(filepath.Join(append([]string{f.path}, name...)...))
	return err == nil
}

// open makes the folder and, but for a run to go on with, puts an earlier fit aside. What
// an unfinished run left beside an earlier fit goes.
func (f *folder) open(resume bool) error {
	f.made = firstMissing(f.path)
	if err := os.MkdirAll(f.path, 0o755); err != nil {
		return err
	}
	var err error
	if f.unlock, err = lock(f.path); err != nil {
		f.keep() // it is somebody else's
		return err
	}
	if f.resumed = resume && f.exists(checkpointDir, recipeFile); f.resumed {
		return nil
	}
	if f.exists(previousDir) {
		if err := f.clear(); err != nil {
			return err
		}
	} else if err := f.putAside(); err != nil {
		return err
	}
	f.ours = true
	return os.Mkdir(filepath.Join(f.path, checkpointDir), 0o755)
}

// firstMissing is the topmost folder of a path that does not exist yet; empty if all do.
func firstMissing(path string) string {
	missing := ""
	for {
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			return missing
		}
		missing, path = path, filepath.Dir(path)
	}
}

// entries are the names in the folder but for an earlier fit put aside, checkpoints
// first: without them nobody takes what is left for a run to go on with.
func (f *folder) entries() ([]string, error) {
	list, err := os.ReadDir(f.path)
	var names []string
	for _, e := range list {
		switch e.Name() {
		case previousDir:
		case checkpointDir:
			names = append([]string{checkpointDir}, names...)
		default:
			names = append(names, e.Name())
		}
	}
	return names, err
}

func (f *folder) putAside() error {
	names, err := f.entries()
	if err != nil || len(names) == 0 {
		return err
	}
	aside := filepath.Join(f.path, previousDir)
	if err := os.Mkdir(aside, 0o755); err != nil {
		return err
	}
	for _, name := range names {
		if err := os.Rename(filepath.Join(f.path, name), filepath.Join(aside, name)); err != nil {
			return err
		}
	}
	return nil
}

// clear removes all but an earlier fit put aside.
func (f *folder) clear() error {
	names, err := f.entries()
	for _, name := range names {
		err = errors.Join(err, os.RemoveAll(filepath.Join(f.path, name)))
	}
	return err
}

// sub makes the folder of one of several fits.
func (f *folder) sub(name string) (string, error) {
	dir := filepath.Join(f.path, name)
	return dir, os.MkdirAll(dir, 0o755)
}

// watch joins what is to see a run with the journal of the fit in dir.
func (f *folder) watch(dir string, every time.Duration, o infer.Observer) (infer.Observer, error) {
	checkpoints := filepath.Join(dir, checkpointDir)
	if err := os.MkdirAll(checkpoints, 0o755); err != nil {
		return nil, err
	}
	return infer.WithJournal(o, journal.New(checkpoints, every)), nil
}

// begun says whether the folder holds a checkpoint to go on from.
func (f *folder) begun() bool {
	for _, pattern := range []string{checkpointDir + "/chain-*.state", "*/" + checkpointDir + "/chain-*.state"} {
		if found, _ := fs.Glob(os.DirFS(f.path), pattern); len(found) > 0 {
			return true
		}
	}
	return false
}

// keep lets the folder stay, finished or not.
func (f *folder) keep() { f.kept = true }

// commit keeps the folder and drops the fit that it replaces.
func (f *folder) commit() error {
	f.keep()
	return os.RemoveAll(filepath.Join(f.path, previousDir))
}

// finish is commit of a folder that there is nothing to resume in.
func (f *folder) finish() error {
	return errors.Join(os.RemoveAll(filepath.Join(f.path, checkpointDir)), f.commit())
}

// discard puts everything back as it was, unless the folder stays, and ends the use of
// the folder.
func (f *folder) discard() error {
	if f.unlock != nil {
		defer f.unlock()
	}
	switch {
	case f.kept || f.resumed:
		return nil
	case f.made != "":
		return f.unmake()
	case f.ours:
		return errors.Join(f.clear(), f.putBack())
	}
	return f.putBack()
}

// putBack undoes putAside, as far as it came.
func (f *folder) putBack() error {
	aside := filepath.Join(f.path, previousDir)
	list, err := os.ReadDir(aside)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range list {
		err = errors.Join(err, os.Rename(filepath.Join(aside, e.Name()), filepath.Join(f.path, e.Name())))
	}
	return errors.Join(err, os.Remove(aside))
}

// unmake removes the folder and those above it that were made for it, as far as they
// hold nothing else.
func (f *folder) unmake() error {
	var err error
	if f.exists() { // removing what is not there is an error on a file system that cannot be written to
		err = os.RemoveAll(f.path)
	}
	for dir := f.path; err == nil && dir != f.made; {
		dir = filepath.Dir(dir)
		if os.Remove(dir) != nil {
			break // somebody else has come to use it
		}
	}
	return err
}

// replaceable refuses places that hold something other than a fit.
func replaceable(path string) error {
	entries, err := os.ReadDir(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, fs.ErrPermission):
		return wrongf("--out %s: %w", path, plainPath(err))
	case err != nil:
		return wrongf("--out %s: this is no folder that can be written to", path)
	case len(entries) == 0 || isFit(path, entries):
		return nil
	}
	return wrongf("--out %s: the folder holds other files than a fit's; choose another", path)
}

// besideFits are the names that the folder of several fits may hold beside theirs.
var besideFits = []string{checkpointDir, previousDir, plotsDir, reportFile}

// isFit says whether a folder, or each folder in it, has the record of a run, or whether
// it is that of a run that has just begun.
func isFit(dir string, entries []fs.DirEntry) bool {
	for _, mark := range []string{draws.RunFile, filepath.Join(checkpointDir, recipeFile)} {
		if _, err := os.Stat(filepath.Join(dir, mark)); err == nil {
			return true
		}
	}
	for _, e := range entries {
		if slices.Contains(besideFits, e.Name()) {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, e.Name(), draws.RunFile)); err != nil {
			return false
		}
	}
	return true
}

// writeFailure is the first file that could not be written, if that is what err says.
func writeFailure(err error) error {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		return plainPath(p)
	case errors.As(err, &l):
		return fmt.Errorf("%s: %w", l.New, l.Err)
	}
	return nil
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
