// Package manifest keeps the list of the files that were written into a folder: with it a
// reader sees whether they are still what they were, and a writer what it may replace.
//
// The list stands in the folder itself, as JSON. Each file has its length, its rows if it
// is a table, and the CRC-32C (RFC 3720, appendix B.4) of its content; the last member is
// the CRC-32C of the list without that member. While a run writes, the list is Open: the
// names that a run claims (see Claims) are then its own, and Seal takes them in. What is
// neither listed nor claimed is somebody else's.
//
// A folder that a stranger made may list anything. Paths that lead out of the folder are
// refused, and nothing is removed through a link.
package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/infer/disk"
)

// Name is the name of the list in its folder.
const Name = "ppl-manifest.json"

// format is that of the list.
const format = "ppl manifest 1"

// A State is how far the fit in a folder has come.
type State string

// The states.
const (
	None       State = "none"       // no fit: pictures or verdicts alone
	Open       State = "open"       // a run writes it, or was killed
	Incomplete State = "incomplete" // a run was stopped before its end
	Complete   State = "complete"
)

// A Manifest lists the files of a folder.
type Manifest struct {
	State   State    // of the fit
	Fits    []string // folders of the fits of several methods; nil where the folder itself is that of one
	Files   []File   // by path
	Writing []string // paths of files beside the fit that a command writes, or wrote when it was killed
}

// A File is a file as it was written.
type File struct {
	Path  string `json:"path"` // below the folder, with slashes
	Bytes int64  `json:"bytes"`
	Rows  *int   `json:"rows,omitempty"` // of draws, in a CSV file
	CRC   string `json:"crc32c"`         // hexadecimal
}

// stored is the form in the file.
type stored struct {
	Format  string   `json:"format"`
	State   State    `json:"fit"`
	Fits    []string `json:"fits,omitempty"`
	Files   []File   `json:"files"`
	Writing []string `json:"writing,omitempty"`
	CRC     string   `json:"crc32c"`
}

// A DamagedError says that a list cannot be relied on.
type DamagedError struct {
	Path   string
	Reason string
}

func (e *DamagedError) Error() string { return e.Path + ": the list of files is damaged: " + e.Reason }

// Read reads the list of a folder. The error is one of reading a file (fs.ErrNotExist
// where there is no list), or a *DamagedError.
func Read(dir string) (*Manifest, error) {
	at := filepath.Join(dir, Name)
	text, err := disk.ReadFile(at)
	if err != nil {
		return nil, err
	}
	m, err := decode(text)
	if err != nil {
		return nil, &DamagedError{at, err.Error()}
	}
	return m, nil
}

func decode(text []byte) (*Manifest, error) {
	var s stored
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, err
	}
	if s.Format != format {
		return nil, fmt.Errorf("expected the format %q, found %q", format, s.Format)
	}
	m := &Manifest{State: s.State, Fits: s.Fits, Files: s.Files, Writing: s.Writing}
	if again, err := m.encode(); err != nil || !bytes.Equal(again, text) { // its checksum is part of the text
		return nil, errors.New("it differs from what its checksum was computed of")
	}
	return m, m.validate()
}

// validate refuses what no run writes.
func (m *Manifest) validate() error {
	for _, name := range m.Fits {
		if name == "" || strings.ContainsAny(name, `/\`) || !filepath.IsLocal(name) || name == "." {
			return fmt.Errorf("%q is no name of a folder", name)
		}
	}
	for _, p := range m.paths() {
		if p == "." || p != path.Clean(p) || !filepath.IsLocal(filepath.FromSlash(p)) {
			return fmt.Errorf("%q is no path of a file in the folder", p)
		}
	}
	return nil
}

// paths are all that the list names.
func (m *Manifest) paths() []string {
	out := slices.Clone(m.Writing)
	for _, f := range m.Files {
		out = append(out, f.Path)
	}
	return out
}

func (m *Manifest) encode() ([]byte, error) {
	s := stored{Format: format, State: m.State, Fits: m.Fits, Files: append([]File{}, m.Files...), Writing: m.Writing}
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	s.CRC = hexadecimal(crc32.Checksum(text, castagnoli))
	text, err = json.MarshalIndent(s, "", "  ")
	return append(text, '\n'), err
}

// Write writes the list into a folder, whole or not at all.
func (m *Manifest) Write(d disk.Disk, dir string) error {
	slices.SortFunc(m.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	text, err := m.encode()
	if err != nil {
		return err
	}
	return d.ReplaceBytes(filepath.Join(dir, Name), text)
}

// Find returns the list that has the files of a folder: its own, or that of the folder
// above, if this is one of the fits there. at is the folder with the list, and prefix the
// path of dir below it, with a slash at its end; empty for the folder itself.
func Find(dir string) (m *Manifest, at, prefix string, err error) {
	m, err = Read(dir)
	if !errors.Is(err, fs.ErrNotExist) {
		return m, dir, "", err
	}
	whole, absErr := filepath.Abs(dir)
	if absErr != nil {
		return nil, "", "", absErr
	}
	above, name := filepath.Dir(whole), filepath.Base(whole)
	m, aboveErr := Read(above)
	if aboveErr != nil || !slices.Contains(m.Fits, name) {
		return nil, "", "", err
	}
	return m, above, name + "/", nil
}

// File returns the entry of a path; nil where it is not listed.
func (m *Manifest) File(path string) *File {
	i := slices.IndexFunc(m.Files, func(f File) bool { return f.Path == path })
	if i < 0 {
		return nil
	}
	return &m.Files[i]
}

// claimed are the paths that a run writes, in the folder of a fit, finished or not.
var claimed = regexp.MustCompile(`^(chain-\d+(\.csv|_config\.json|_metric\.json)|run\.json|diagnosis\.json|draws\.parquet|draws\.zarr(\.new)?/.+|checkpoint/(recipe\.json|chain-\d+\.(rows|state|tuned)))(\.new)?$`)

// Claims reports whether a path is one that a run of these fits writes.
func (m *Manifest) Claims(path string) bool {
	if name, rest, ok := strings.Cut(path, "/"); ok && slices.Contains(m.Fits, name) {
		path = rest
	}
	return claimed.MatchString(path)
}

// Owns reports whether the file of a path is, as it stands there, what was written: as
// listed, or claimed by a run that has not ended.
func (m *Manifest) Owns(dir, path string) bool {
	if path == Name || path == Name+".new" {
		return true
	}
	info, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(path)))
	if err != nil || !info.Mode().IsRegular() { // what a link leads to is not ours
		return false
	}
	if m.State == Open && m.Claims(path) || slices.Contains(m.Writing, path) {
		return true
	}
	f := m.File(path)
	return f != nil && f.fault(dir) == nil
}

// Written are the paths of the files in a folder that are claimed by a run. Folders that no
// run writes are not looked into.
func (m *Manifest) Written(dir string) ([]string, error) {
	var out []string
	root := os.DirFS(dir)
	err := fs.WalkDir(root, ".", func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir():
			if path != "." && !m.mayHold(path) {
				return fs.SkipDir
			}
		case m.Claims(path):
			out = append(out, path)
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return out, err
}

// mayHold reports whether a folder is one that a run writes into.
func (m *Manifest) mayHold(path string) bool {
	return slices.Contains(m.Fits, path) || m.Claims(path+"/x") || m.Claims(path+"/chain-1.rows")
}

// Begin returns the list of a run that begins: open, with the files that are listed
// already but are not a run's own.
func Begin(old *Manifest, fits []string) *Manifest {
	m := &Manifest{State: Open, Fits: fits}
	if old != nil {
		m.Writing = old.Writing
		for _, f := range old.Files {
			if !m.Claims(f.Path) {
				m.Files = append(m.Files, f)
			}
		}
	}
	return m
}

// Take measures files and lists them, in the place of what was listed of them.
func (m *Manifest) Take(d disk.Disk, dir string, paths ...string) error {
	for _, path := range paths {
		full := filepath.Join(dir, filepath.FromSlash(path))
		if err := d.SyncFile(full); err != nil {
			return err
		}
		f, err := measure(full)
		if err != nil {
			return err
		}
		f.Path = path
		m.Drop(path)
		m.Files = append(m.Files, f)
	}
	return nil
}

// Drop takes a path off the list.
func (m *Manifest) Drop(path string) {
	m.Files = slices.DeleteFunc(m.Files, func(f File) bool { return f.Path == path })
	m.Writing = slices.DeleteFunc(m.Writing, func(p string) bool { return p == path })
}

// Seal ends the writing of a run: all files that it claims are written out and listed, and
// then the list itself is.
func (m *Manifest) Seal(d disk.Disk, dir string, s State) error {
	if now, err := Read(dir); err == nil { // other commands may have added to it
		*m = *now
	}
	m.Files = slices.DeleteFunc(m.Files, func(f File) bool { return m.Claims(f.Path) })
	paths, err := m.Written(dir)
	if err != nil {
		return err
	}
	dirs := map[string]bool{}
	for _, p := range paths {
		if !disk.IsTemporary(p) {
			err = errors.Join(err, m.Take(d, dir, p))
			dirs[path.Dir(p)] = true
		}
	}
	for sub := range dirs {
		for ; sub != "."; sub = path.Dir(sub) {
			err = errors.Join(err, d.SyncDir(filepath.Join(dir, filepath.FromSlash(sub))))
		}
	}
	if err != nil {
		return err
	}
	m.State = s
	return m.Write(d, dir)
}

// Remove removes the files that the list owns, the list last, and folders that are empty
// then. What is not as it was written stays.
func (m *Manifest) Remove(dir string) error {
	root, err := os.OpenRoot(dir) // which no link leads out of
	if err != nil {
		return err
	}
	defer root.Close()
	paths := m.paths()
	if m.State == Open {
		more, err := m.Written(dir)
		if err != nil {
			return err
		}
		paths = append(paths, more...)
	}
	dirs := map[string]bool{}
	for _, p := range paths {
		for sub := path.Dir(p); sub != "."; sub = path.Dir(sub) {
			dirs[sub] = true
		}
		if !m.Owns(dir, p) {
			continue
		}
		if err := root.Remove(p); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	subs := slices.Sorted(func(yield func(string) bool) {
		for s := range dirs {
			if !yield(s) {
				return
			}
		}
	})
	for _, sub := range slices.Backward(subs) { // the deepest first
		_ = root.Remove(sub) // one that holds more stays
	}
	return errors.Join(remove(root, Name+".new"), remove(root, Name))
}

func remove(root *os.Root, name string) error {
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
