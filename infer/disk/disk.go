// Package disk writes files that outlast a loss of power: a file gets its name after its
// content has reached the disk, and the folder that has the name is written out, too.
package disk

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// A Disk writes files. The zero value is the machine's own. Synced, if set, is called
// after the content of a file, or the names in a folder, have been written out: from what
// it was called for, a test knows what a loss of power would leave.
type Disk struct {
	Synced func(path string)
}

// temporary is appended to the name of a file while it is written.
const temporary = ".new"

// IsTemporary reports whether a name is one that Replace writes under.
func IsTemporary(name string) bool { return filepath.Ext(name) == temporary }

// Sync writes the content of an open file out.
func (d Disk) Sync(f *os.File) error {
	if err := f.Sync(); err != nil {
		return err
	}
	d.synced(f.Name())
	return nil
}

// SyncFile is Sync of a file by its name.
func (d Disk) SyncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0) // some systems write out only what can be written to
	if errors.Is(err, fs.ErrPermission) {
		f, err = os.Open(path)
	}
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(f), f.Close())
}

// SyncDir writes the names in a folder out. Systems that cannot do so for a folder do it by
// themselves, so that its failure is no error.
func (d Disk) SyncDir(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	if f.Sync() == nil {
		d.synced(path)
	}
	return f.Close()
}

func (d Disk) synced(path string) {
	if d.Synced != nil {
		d.Synced(path)
	}
}

// MkdirAll makes a folder and those above it that are missing, for good.
func (d Disk) MkdirAll(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil
	}
	above := filepath.Dir(path)
	if above != path {
		if err := d.MkdirAll(above); err != nil {
			return err
		}
	}
	if err := os.Mkdir(path, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return d.SyncDir(above)
}

// Replace writes a file whole or not at all: when it returns without error, the file has
// the new content, and otherwise what it had, whatever happens to the machine.
func (d Disk) Replace(path string, write func(io.Writer) error) error {
	if err := d.prepare(path, write); err != nil {
		return err
	}
	return d.Rename(path+temporary, path)
}

// prepare writes the content that a file is to have under its temporary name.
func (d Disk) prepare(path string, write func(io.Writer) error) error {
	f, err := os.Create(path + temporary)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	err = write(w)
	if err == nil {
		err = errors.Join(w.Flush(), d.Sync(f))
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(path+temporary))
	}
	return nil
}

// Own makes a file that has further names, such as one in a backup by hard links, a file of its own: what is written into it changes no other.
func (d Disk) Own(path string) error {
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() || names(info) < 2 {
		return nil // whoever opens it says what is wrong
	}
	return d.Replace(path, func(w io.Writer) (err error) {
		f, err := Open(path)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		_, err = io.Copy(w, f)
		return err
	})
}

// ReplaceAll is Replace of several files of one folder by contents in memory, whose names are written out once: when it
// returns without error all have theirs, and after a loss of power before that any of them may.
func (d Disk) ReplaceAll(dir string, content map[string][]byte) error {
	names := slices.Sorted(maps.Keys(content))
	for _, name := range names {
		if err := d.prepare(filepath.Join(dir, name), func(w io.Writer) error { _, err := w.Write(content[name]); return err }); err != nil {
			return err
		}
	}
	for _, name := range names {
		if err := os.Rename(filepath.Join(dir, name+temporary), filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	if len(names) == 0 {
		return nil
	}
	return d.SyncDir(dir)
}

// ReplaceBytes is Replace by a content in memory.
func (d Disk) ReplaceBytes(path string, content []byte) error {
	return d.Replace(path, func(w io.Writer) error { _, err := w.Write(content); return err })
}

// Rename renames a file or a folder for good. The new name is written out first: at worst
// there are both.
func (d Disk) Rename(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	if err := d.SyncDir(filepath.Dir(to)); err != nil || filepath.Dir(from) == filepath.Dir(to) {
		return err
	}
	return d.SyncDir(filepath.Dir(from))
}
