package main

// This file opens fits on disk for all commands that read them.

import (
	"errors"
	"fmt"
	"path/filepath"
	"syscall"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/system"
	"github.com/seed-12b88e03/ppl/infer/manifest"
	"github.com/seed-12b88e03/ppl/lang"
)

// open opens the folder of a fit, and says what is to be known of it.
func (a *app) open(dir string, quiet bool) (*lang.Stored, error) {
	s, err := lang.Open(dir)
	if err != nil {
		return nil, unreadable(err)
	}
	a.remark(s, quiet)
	return s, nil
}

func (a *app) remark(s *lang.Stored, quiet bool) {
	if quiet {
		return
	}
	for _, text := range s.Remarks {
		a.say("warning: %s", text)
	}
}

// unreadable is the error of a fit that cannot be read.
func unreadable(err error) error {
	var damage *lang.DamageError
	var list *manifest.DamagedError
	dir := ""
	switch {
	case errors.As(err, &damage):
		dir = damage.Dir
	case errors.As(err, &list):
		dir = filepath.Dir(list.Path)
	default:
		return wrong(plainPath(err))
	}
	return &exit{
		code: exitWrongInput, err: err,
		help: fmt.Sprintf("ppl verify %s lists all that is not as it was written; from a whole folder %q, ppl run with --out %s --resume writes the other files anew", dir, checkpointDir, dir),
	}
}

// fitFolders are the folders of several fits in a folder, or else the folder itself. A
// replacement that was cut short is completed.
func fitFolders(a *app, dir string) ([]string, error) {
	if err := a.recoverFit(dir); err != nil {
		return nil, err
	}
	dirs, err := lang.Fits(dir)
	if errors.Is(err, syscall.ENOTDIR) {
		return nil, fmt.Errorf("%s: this is no folder of a fit", dir)
	}
	return dirs, err
}

// recoverFit completes the replacement of a fit that a program did not live to complete.
func (a *app) recoverFit(dir string) error {
	if !manifest.Halfway(dir) {
		return nil
	}
	unlock, err := system.Lock(dir)
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	defer unlock()
	aside, err := manifest.Recover(a.disk, dir)
	f := &folder{say: a.remarks(false)}
	f.putAside(aside)
	return err
}

// whole checks one file of a folder against the list there, if it is in it.
func whole(dir, name string) error {
	m, at, prefix, err := manifest.Find(dir)
	if err != nil {
		return nil // there is no list, or the fit's reader says what is wrong with it
	}
	if faults := m.Check(at, func(p string) bool { return p == prefix+name }); len(faults) > 0 {
		return unreadable(&lang.DamageError{Dir: at, Faults: faults})
	}
	return nil
}
