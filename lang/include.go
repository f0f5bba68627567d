package lang

// This file finds and reads the files of #include.

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/infer/disk"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// MaxSource is the most bytes of a file of program text that are read.
const MaxSource = 16 << 20

// ErrTooLarge is the error of reading program text of more than MaxSource bytes.
var ErrTooLarge = fmt.Errorf("the file is larger than the %d MB that a program may have", MaxSource>>20)

var (
	errNotRegular = errors.New("it is no regular file")
	errOutside    = errors.New("it lies outside of the folder that included files must lie in")
)

// programSuffixes end the names of files of program text.
var programSuffixes = []string{".ppl", ".stan", ".stanfunctions"}

// An includer finds included files: first in the program's folder, then in others.
type includer struct {
	own     string
	folders []string
	root    string // that files must lie in, or in one of folders; empty for anywhere
}

func newIncluder(program string, o Options) *includer {
	return &includer{own: filepath.Dir(program), folders: o.Include, root: o.IncludeRoot}
}

// read reads the file that a directive names. As in stanc the name is joined to each
// folder, also one that begins with a slash; that is taken as it stands where there is no
// such file.
func (in *includer) read(name string) (*source.File, error) {
	dirs := append([]string{in.own}, in.folders...)
	paths := make([]string, 0, len(dirs)+1)
	for _, dir := range dirs {
		paths = append(paths, filepath.Join(dir, filepath.FromSlash(name)))
	}
	if filepath.IsAbs(name) {
		paths = append(paths, name)
	}
	outside := false
	for _, path := range paths {
		f, err := in.open(path)
		switch {
		case err == nil:
			return f, nil
		case errors.Is(err, errOutside):
			outside = true
		case !errors.Is(err, fs.ErrNotExist):
			return nil, withoutPath(err)
		}
	}
	if outside {
		return nil, errOutside
	}
	return nil, fmt.Errorf("no such file in %s", strings.Join(dirs, ", "))
}

// withoutPath drops the name of the file from an error: the message has it.
func withoutPath(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}

// open reads the file at a path, which must be a regular one: reading a device or a pipe
// may never end. Messages show no text of a file that is not called like a program and that
// was not in the folders named, links followed: it may be one that the program's author
// wants to see.
func (in *includer) open(path string) (*source.File, error) {
	file, err := in.find(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // it was read only
	disk.BoundReading(file)
	text, err := readText(file)
	if err != nil {
		return nil, err
	}
	f := source.NewFile(path, text)
	f.Private = !in.quotable(path)
	return f, nil
}

// find opens the regular file at a path. With a root, nothing outside of it and of the
// folders is looked at, links followed.
func (in *includer) find(path string) (*os.File, error) {
	if in.root == "" {
		if err := regular(os.Stat(path)); err != nil {
			return nil, err
		}
		return os.Open(path)
	}
	for _, dir := range append([]string{in.root}, in.folders...) {
		rel, err := relative(dir, path)
		if err != nil || !filepath.IsLocal(rel) {
			continue
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			return nil, err
		}
		defer root.Close() //nolint:errcheck // nothing was written
		if err := regular(root.Stat(rel)); err != nil {
			if _, out := os.Stat(path); out == nil && !errors.Is(err, errNotRegular) {
				return nil, errOutside // a link leads there
			}
			return nil, err
		}
		return root.Open(rel)
	}
	return nil, errOutside
}

func regular(info fs.FileInfo, err error) error {
	if err == nil && !info.Mode().IsRegular() {
		return errNotRegular
	}
	return err
}

// relative is the way from a folder to a path.
func relative(dir, path string) (string, error) {
	from, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.Rel(from, to)
}

// IsProgram reports whether a file, links followed, is called like a program. Of one that is not, and was named by a
// program or a record and not by the user, nothing is shown.
func IsProgram(path string) bool {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	return slices.Contains(programSuffixes, filepath.Ext(path))
}

// quotable reports whether messages may show the text of an included file.
func (in *includer) quotable(path string) bool {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false
	}
	if IsProgram(real) {
		return true
	}
	return slices.ContainsFunc(append([]string{in.own}, in.folders...), func(dir string) bool {
		dir, err := filepath.EvalSymlinks(dir)
		if err != nil {
			return false
		}
		rel, err := relative(dir, real)
		return err == nil && filepath.IsLocal(rel)
	})
}

// ReadSource reads program text from a stream; the error is ErrTooLarge or the stream's.
func ReadSource(r io.Reader) (string, error) { return readText(r) }

func readText(r io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxSource+1))
	switch {
	case err != nil:
		return "", err
	case len(text) > MaxSource:
		return "", ErrTooLarge
	}
	return string(text), nil
}

// ReadSourceFile is ReadSource of a file; errors are of type *fs.PathError.
func ReadSourceFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close() //nolint:errcheck // it was read only
	text, err := readText(f)
	if err != nil {
		return "", &fs.PathError{Op: "read", Path: path, Err: withoutPath(err)}
	}
	return text, nil
}
