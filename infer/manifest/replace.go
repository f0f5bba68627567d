// This file puts a fit in the place of another one.

package manifest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/seed-12b88e03/ppl/infer/disk"
)

// Folders in the folder of a fit.
const (
	// Unfinished holds a run that is to replace the fit once it is complete.
	Unfinished = ".unfinished"
	// next is what Unfinished is called while its files take their places. From the
	// moment it has this name the fit is replaced, and Recover goes on where the program
	// was cut off.
	next = ".next"
)

// Reserved reports whether a folder's name is one of those: what somebody put there would go with the next run.
func Reserved(dir string) bool {
	if whole, err := filepath.Abs(dir); err == nil {
		dir = whole
	}
	name := filepath.Base(dir)
	return strings.EqualFold(name, Unfinished) || strings.EqualFold(name, next)
}

// Halfway reports whether the fit of a folder is being replaced, or was when the program
// was cut off: Recover has to be called before anything is read.
func Halfway(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, next))
	return err == nil
}

// Supersede puts the fit in Unfinished, whose list is sealed, in the place of that of the
// folder. A file in the way that nobody listed, or that has changed since, is renamed; aside
// has the new names.
func Supersede(d disk.Disk, dir string) (aside []string, err error) {
	if err := d.SyncDir(filepath.Join(dir, Unfinished)); err != nil {
		return nil, err
	}
	if err := d.Rename(filepath.Join(dir, Unfinished), filepath.Join(dir, next)); err != nil {
		return nil, err
	}
	return Recover(d, dir)
}

// Recover completes what Supersede has begun; where nothing was begun it does nothing. As
// long as both folders have a list, the old files go; as long as only the new one has, files
// move; its list moves last.
func Recover(d disk.Disk, dir string) (aside []string, err error) {
	from := filepath.Join(dir, next)
	fresh, err := Read(from)
	switch {
	case !Halfway(dir):
		return nil, nil
	case errors.Is(err, fs.ErrNotExist):
		return leave(d, from)
	case err != nil:
		return nil, err
	}
	old, err := Read(dir)
	switch {
	case err == nil && reflect.DeepEqual(old, fresh) && len(old.Check(dir, func(string) bool { return true })) == 0:
		// All have moved, and only the old name of the list had not yet gone.
		if err := fresh.Remove(from); err != nil {
			return nil, err
		}
		return leave(d, from)
	case err == nil:
		if err := old.Remove(dir); err != nil {
			return nil, err
		}
		if err := d.SyncDir(dir); err != nil {
			return nil, err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	for i := range fresh.Files {
		kept, err := fresh.Files[i].move(d, from, dir)
		if err != nil {
			return aside, err
		}
		if kept != "" {
			aside = append(aside, kept)
		}
	}
	if err := d.Rename(filepath.Join(from, Name), filepath.Join(dir, Name)); err != nil {
		return aside, err
	}
	rest, err := leave(d, from)
	return append(aside, rest...), err
}

// leave removes the folder that files came from; if somebody has put something there, it is
// put aside.
func leave(d disk.Disk, dir string) (aside []string, err error) {
	RemoveEmpty(dir)
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, d.SyncDir(filepath.Dir(dir))
	}
	to, err := PutAside(d, dir)
	return []string{to}, err
}

// move moves a file from one folder to another. It may have come there already.
func (f *File) move(d disk.Disk, from, to string) (aside string, err error) {
	path := filepath.FromSlash(f.Path)
	source, target := filepath.Join(from, path), filepath.Join(to, path)
	if _, err := os.Lstat(source); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if f.fault(to) == nil {
		return "", os.Remove(source)
	}
	if _, err := os.Lstat(target); err == nil {
		if aside, err = PutAside(d, target); err != nil {
			return "", err
		}
	}
	if err := makeDirs(d, to, filepath.Dir(path)); err != nil {
		return aside, err
	}
	return aside, d.Rename(source, target)
}

// makeDirs makes the folders of a path below a folder for good. One that is a file is put
// aside; dir itself may be a link to one.
func makeDirs(d disk.Disk, dir, path string) error {
	if path == "." {
		return nil
	}
	for _, name := range strings.Split(path, string(filepath.Separator)) {
		at := filepath.Join(dir, name)
		if info, err := os.Lstat(at); err == nil && !info.IsDir() {
			if _, err := PutAside(d, at); err != nil {
				return err
			}
		}
		switch err := os.Mkdir(at, 0o755); {
		case err == nil:
			if err := d.SyncDir(dir); err != nil {
				return err
			}
		case !errors.Is(err, fs.ErrExist):
			return err
		}
		dir = at
	}
	return nil
}

// PutAside renames a file that is in the way to one that ends in ~, or in ~2 and so on, and
// returns the new path.
func PutAside(d disk.Disk, path string) (string, error) {
	to := path + "~"
	for i := 2; ; i++ {
		if _, err := os.Lstat(to); errors.Is(err, fs.ErrNotExist) {
			break
		}
		to = fmt.Sprintf("%s~%d", path, i)
	}
	return to, d.Rename(path, to)
}

// ClearWay puts aside what stands under the names that a run is going to write and is not
// the run's own. It returns the new paths.
func (m *Manifest) ClearWay(d disk.Disk, dir string) (aside []string, err error) {
	paths, err := m.Written(dir)
	if err != nil {
		return nil, err
	}
	for _, p := range paths {
		if m.Owns(dir, p) {
			continue
		}
		kept, err := PutAside(d, filepath.Join(dir, filepath.FromSlash(p)))
		if err != nil {
			return aside, err
		}
		aside = append(aside, kept)
	}
	return aside, nil
}

// RemoveEmpty removes a folder and the folders in it that hold nothing but what was left half
// written.
func RemoveEmpty(dir string) {
	entries, _ := os.ReadDir(dir) // what cannot be read cannot be removed either
	for _, e := range entries {
		at := filepath.Join(dir, e.Name())
		switch {
		case e.IsDir():
			RemoveEmpty(at)
		case e.Type().IsRegular() && disk.IsTemporary(e.Name()):
			_ = os.Remove(at)
		}
	}
	_ = os.Remove(dir)
}
