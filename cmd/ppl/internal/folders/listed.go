package folders

// This file writes single files: pictures, pages and verdicts, into folders that may hold a
// fit and files of others.

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/infer/disk"
	"github.com/seed-12b88e03/ppl/infer/manifest"
)

// A Listing adds files to the list of a folder. What stands in their way and is not listed is
// put aside.
type Listing struct {
	Dir  string
	disk disk.Disk
	say  func(string)
}

func ListingOf(a *frame.App, dir string, quiet bool) *Listing {
	return &Listing{Dir: dir, disk: a.Disk, say: a.Remarks(quiet)}
}

// find returns the list for the folder, and where it stands; see manifest.Find.
func (l *Listing) find() (m *manifest.Manifest, at, prefix string, err error) {
	m, at, prefix, err = manifest.Find(l.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return &manifest.Manifest{State: manifest.None}, l.Dir, "", nil
	}
	return m, at, prefix, err
}

// MakeWay puts aside what has the name of a file that is to be written and is not listed.
func (l *Listing) MakeWay(names ...string) error {
	m, at, prefix, err := l.find()
	if err != nil {
		return err
	}
	f := &Folder{say: l.say}
	for _, name := range names {
		path := filepath.Join(l.Dir, filepath.FromSlash(name))
		if _, err := os.Lstat(path); err != nil || m.Owns(at, prefix+name) {
			continue
		}
		aside, err := manifest.PutAside(l.disk, path)
		if err != nil {
			return err
		}
		f.putAside([]string{aside})
	}
	return nil
}

// Begin is makeWay for files that are going to be written for some time; their names are
// listed from now on.
func (l *Listing) Begin(names ...string) error {
	if err := l.MakeWay(names...); err != nil {
		return err
	}
	return l.change(func(m *manifest.Manifest, _, prefix string) error {
		for _, name := range names {
			m.Writing = append(m.Writing, prefix+name)
		}
		return nil
	})
}

// Add lists files as they now are, those that are there.
func (l *Listing) Add(names ...string) error {
	return l.change(func(m *manifest.Manifest, at, prefix string) error {
		for _, name := range names {
			err := m.Take(l.disk, at, prefix+name)
			if errors.Is(err, fs.ErrNotExist) {
				m.Drop(prefix + name)
			} else if err != nil {
				return err
			}
		}
		return nil
	})
}

// Drop takes names off the list, and removes a list of nothing.
func (l *Listing) Drop(names ...string) error {
	m, at, prefix, err := l.find()
	if err != nil {
		return err
	}
	for _, name := range names {
		m.Drop(prefix + name)
	}
	if m.State == manifest.None && len(m.Files)+len(m.Writing) == 0 {
		return m.Remove(at)
	}
	return m.Write(l.disk, at)
}

func (l *Listing) change(edit func(m *manifest.Manifest, at, prefix string) error) error {
	m, at, prefix, err := l.find()
	if err != nil {
		return err
	}
	if err := edit(m, at, prefix); err != nil {
		return err
	}
	return m.Write(l.disk, at)
}

// WriteFile writes a file whole or not at all. What is no regular file, such as a device or a
// link, is written to and not replaced.
func WriteFile(d disk.Disk, path string, write func(io.Writer) error) error {
	info, err := os.Lstat(path)
	switch {
	case err == nil && info.IsDir():
		return &fs.PathError{Op: "write", Path: path, Err: errors.New("this is a folder, where a file is to be written")}
	case err == nil && !info.Mode().IsRegular():
		return writeThrough(path, write)
	}
	return d.Replace(path, write)
}

// writeThrough writes to what a path leads to.
func writeThrough(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}
