package lang

// This file opens fits on disk: it compares their files with what was written, before anything
// is read from them.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/manifest"
)

// A Stored is a fit on disk, as far as its files show it.
type Stored struct {
	Dir     string     // empty for files that were named one by one
	Files   *draws.Fit // of all chains
	Run     *draws.Run // the record; nil where there is none
	Remarks []string   // what is to be known of files that can be read but may not be all there was
	name    string
}

// A DamageError says that files of a folder are not what was written.
type DamageError struct {
	Dir    string
	Faults []*manifest.Fault // at least one
}

// Error names the folder and what is wrong with each file.
func (e *DamageError) Error() string {
	f := e.Faults[0]
	text := fmt.Sprintf("%s: %s", filepath.Join(e.Dir, filepath.FromSlash(f.Path)), f.Detail)
	if n := len(e.Faults) - 1; n > 0 {
		text += fmt.Sprintf(" (and %d more of the files)", n)
	}
	return text
}

// Open opens the folder of a fit. Where there is a list of its files (see package manifest),
// they must be as listed; else, as in a folder that another program made, they are taken for
// what they are, and must agree with the record, if there is one. The error is that of reading a
// file, names a file and the line that is not understood, or is a *DamageError.
func Open(dir string) (*Stored, error) {
	s := &Stored{Dir: dir, name: filepath.Base(dir)}
	if manifest.Halfway(dir) {
		return nil, fmt.Errorf("%s: the fit is being replaced; if no run is at work there, ppl verify %s completes it", dir, dir)
	}
	paths, err := s.chains()
	if err != nil {
		return nil, err
	}
	run, err := draws.ReadRun(dir)
	switch {
	case err == nil:
		s.Run = &run
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	return s, s.read(paths)
}

// OpenFiles opens the CSV files of a fit, one a chain, of this program or of CmdStan. Those that
// are listed in their folder must be as listed. There must be a file, and all must have the same
// columns; the error is a *DamageError or says what cannot be read.
func OpenFiles(paths ...string) (*Stored, error) {
	s := &Stored{}
	for _, p := range paths {
		m, at, prefix, err := manifest.Find(filepath.Dir(p))
		var damaged *manifest.DamagedError
		switch {
		case errors.As(err, &damaged):
			s.remark("%v: whether %s is as it was written is not known", damaged, p)
		case err == nil:
			name := prefix + filepath.Base(p)
			if faults := m.Check(at, func(listed string) bool { return listed == name }); len(faults) > 0 {
				return nil, &DamageError{at, faults}
			}
		}
	}
	if len(paths) > 0 {
		s.name = filepath.Base(paths[0])
	}
	return s, s.read(paths)
}

func (s *Stored) remark(format string, args ...any) {
	s.Remarks = append(s.Remarks, fmt.Sprintf(format, args...))
}

// chains are the files of the chains, compared with the list of the folder.
func (s *Stored) chains() ([]string, error) {
	m, at, prefix, err := manifest.Find(s.Dir)
	isChain := func(p string) bool {
		return strings.HasPrefix(p, prefix) && path.Dir(p) == path.Clean(prefix) && draws.ChainNumber(p) > 0
	}
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && m.State == manifest.None:
		return draws.ChainFiles(s.Dir)
	case err != nil:
		return nil, err
	}
	faults := m.Check(at, func(p string) bool { return isChain(p) || p == prefix+draws.RunFile })
	if len(faults) > 0 {
		return nil, &DamageError{at, faults}
	}
	if m.State == manifest.Open {
		s.remark("%s: the run has not ended: it is still at work, or was killed; this is about what its files hold so far, and ppl run with --out and --resume goes on with it", s.Dir)
		return draws.ChainFiles(s.Dir)
	}
	if m.State == manifest.Incomplete {
		s.remark("%s: the run was stopped before its end; this is about what was done", s.Dir)
	}
	there, err := draws.ChainFiles(s.Dir)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(there, func(p string) bool {
		foreign := m.File(prefix+filepath.Base(p)) == nil
		if foreign {
			s.remark("%s is not of this fit, and is left out", p)
		}
		return foreign
	}), nil
}

// read reads the files, and notes what is short in them.
func (s *Stored) read(paths []string) error {
	var err error
	if s.Files, err = draws.ReadFiles(paths...); err != nil {
		return err
	}
	listed := s.listed()
	if s.Run != nil && !listed {
		if err := s.agrees(paths); err != nil {
			return err
		}
		s.remark("%s has no %s: whether its files are as they were written is not known", s.Dir, manifest.Name)
	}
	least, most := s.Files.Draws.Len(0), 0
	for i, c := range s.Files.Chains {
		n := s.Files.Draws.Len(i)
		least, most = min(least, n), max(most, n)
		announced, short := c.Short(n)
		switch {
		case c.Cut:
			s.remark("%s breaks off within a line, which is left out; there are %d draws before it", paths[i], n)
		case short && !listed:
			s.remark("%s has %d draws, where its header announces %d", paths[i], n, announced)
		}
	}
	if least < most {
		s.remark("the chains have from %d to %d draws: tables, pictures and ppl loo are of equally long beginnings of the chains with at least half of the longest", least, most)
	}
	return nil
}

// listed reports whether there is a list of the fit's files.
func (s *Stored) listed() bool {
	if s.Dir == "" {
		return false
	}
	m, _, _, err := manifest.Find(s.Dir)
	return err == nil && m.State != manifest.None
}

// agrees compares chains and draws with the record.
func (s *Stored) agrees(paths []string) error {
	record := filepath.Join(s.Dir, draws.RunFile)
	have := map[int]int{}
	for i, p := range paths {
		have[draws.ChainNumber(p)] = s.Files.Draws.Len(i)
	}
	for _, c := range s.Run.Adaptation {
		n, ok := have[c.Chain]
		switch {
		case !ok && c.Draws > 0:
			return fmt.Errorf("%s: chain %d has %d draws, and there is no chain-%d.csv", record, c.Chain, c.Draws, c.Chain)
		case ok && n != c.Draws:
			return fmt.Errorf("%s: chain %d has %d draws, and there are %d in chain-%d.csv", record, c.Chain, c.Draws, n, c.Chain)
		}
	}
	if !s.Run.Incomplete && s.Run.Chains != len(paths) {
		return fmt.Errorf("%s: the fit has %d chains, and there are files of %d", record, s.Run.Chains, len(paths))
	}
	return nil
}

// Fits are the folders of several fits in a folder, or else the folder itself. The error
// says that the folder cannot be read.
func Fits(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []string
	add := func(name string) { out = append(out, filepath.Join(dir, name)) }
	if m, err := manifest.Read(dir); err == nil && len(m.Fits) > 0 {
		for _, name := range slices.Sorted(slices.Values(m.Fits)) {
			_, err := os.Stat(filepath.Join(dir, name))
			if err == nil || slices.ContainsFunc(m.Files, func(f manifest.File) bool { return strings.HasPrefix(f.Path, name+"/") }) {
				add(name)
			}
		}
		return out, nil
	}
	for _, e := range entries {
		if _, err := os.Stat(filepath.Join(dir, e.Name(), draws.RunFile)); e.IsDir() && err == nil && !strings.HasPrefix(e.Name(), ".") {
			add(e.Name())
		}
	}
	if len(out) == 0 {
		out = []string{dir}
	}
	return out, nil
}
