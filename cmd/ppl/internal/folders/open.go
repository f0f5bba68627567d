package folders

// This file opens fits on disk for all commands that read them.

import (
	"errors"
	"fmt"
	"path/filepath"
	"syscall"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/system"
	"github.com/seed-12b88e03/ppl/infer/manifest"
	"github.com/seed-12b88e03/ppl/lang"
)

// OpenStored opens the folder of a fit, and says what is to be known of it.
func OpenStored(a *frame.App, dir string, quiet bool) (*lang.Stored, error) {
	s, err := lang.Open(dir)
	if err != nil {
		return nil, Unreadable(err)
	}
	RemarkOn(a, s, quiet)
	return s, nil
}

func RemarkOn(a *frame.App, s *lang.Stored, quiet bool) {
	if quiet {
		return
	}
	for _, text := range s.Remarks {
		a.Say("warning: %s", text)
	}
}

// Unreadable is the error of a fit that cannot be read.
func Unreadable(err error) error {
	var damage *lang.DamageError
	var list *manifest.DamagedError
	dir := ""
	switch {
	case errors.As(err, &damage):
		dir = damage.Dir
	case errors.As(err, &list):
		dir = filepath.Dir(list.Path)
	default:
		return frame.Wrong(frame.PlainPath(err))
	}
	return &frame.Exit{
		Code: frame.ExitWrongInput, Err: err,
		Help: fmt.Sprintf("ppl verify %s lists all that is not as it was written; from a whole folder %q, ppl run with --out %s --resume writes the other files anew", dir, CheckpointDir, dir),
	}
}

// FitFolders are the folders of several fits in a folder, or else the folder itself. A
// replacement that was cut short is completed.
func FitFolders(a *frame.App, dir string) ([]string, error) {
	if err := RecoverFit(a, dir); err != nil {
		return nil, err
	}
	dirs, err := lang.Fits(dir)
	if errors.Is(err, syscall.ENOTDIR) {
		return nil, fmt.Errorf("%s: this is no folder of a fit", dir)
	}
	return dirs, err
}

// RecoverFit completes the replacement of a fit that a program did not live to complete.
func RecoverFit(a *frame.App, dir string) error {
	if !manifest.Halfway(dir) {
		return nil
	}
	unlock, err := system.Lock(dir)
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	defer unlock()
	aside, err := manifest.Recover(a.Disk, dir)
	f := &Folder{say: a.Remarks(false)}
	f.putAside(aside)
	return err
}

// Whole checks one file of a folder against the list there, if it is in it.
func Whole(dir, name string) error {
	m, at, prefix, err := manifest.Find(dir)
	if err != nil {
		return nil // there is no list, or the fit's reader says what is wrong with it
	}
	if faults := m.Check(at, func(p string) bool { return p == prefix+name }); len(faults) > 0 {
		return Unreadable(&lang.DamageError{Dir: at, Faults: faults})
	}
	return nil
}
