// This file compares files with what is listed of them.

package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-12b88e03/ppl/infer/disk"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func hexadecimal(sum uint32) string { return fmt.Sprintf("%08x", sum) }

// A Fault is a file that is not what was written.
type Fault struct {
	Path   string `json:"path"`   // as listed
	Kind   string `json:"kind"`   // "missing", "cut", "longer", "changed" or "unreadable"
	Detail string `json:"detail"` // in words, with what was expected and found
}

func (f *Fault) Error() string { return f.Path + ": " + f.Detail }

// Check compares the files of a folder that wanted selects with the list.
func (m *Manifest) Check(dir string, wanted func(path string) bool) []*Fault {
	var out []*Fault
	for i := range m.Files {
		f := &m.Files[i]
		if !wanted(f.Path) {
			continue
		}
		if fault := f.fault(dir); fault != nil {
			out = append(out, fault)
		}
	}
	return out
}

// fault compares one file with its entry; nil for none.
func (f *File) fault(dir string) *Fault {
	full := filepath.Join(dir, filepath.FromSlash(f.Path))
	info, err := os.Stat(full)
	if errors.Is(err, fs.ErrNotExist) {
		return &Fault{f.Path, "missing", "it is missing: it was written with " + f.size()}
	}
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is no regular file")
	}
	var now File
	if err == nil {
		now, err = measure(full)
	}
	if broken, ok := errors.AsType[*fs.PathError](err); ok {
		err = broken.Err
	}
	switch {
	case err != nil:
		return &Fault{f.Path, "unreadable", "it cannot be compared with what was written: " + err.Error()}
	case now.Bytes < f.Bytes:
		return &Fault{f.Path, "cut", fmt.Sprintf("it is cut: it was written with %s, and has %s", f.size(), now.size())}
	case now.Bytes > f.Bytes:
		return &Fault{f.Path, "longer", fmt.Sprintf("something was added: it was written with %s, and has %s", f.size(), now.size())}
	case now.CRC != f.CRC:
		return &Fault{f.Path, "changed", fmt.Sprintf("its content has changed since it was written: the checksum was %s, and is %s", f.CRC, now.CRC)}
	}
	return nil
}

func (f *File) size() string {
	if f.Rows == nil {
		return fmt.Sprintf("%d bytes", f.Bytes)
	}
	return fmt.Sprintf("%d rows in %d bytes", *f.Rows, f.Bytes)
}

// mostRead is the most that measure reads at a time, in bytes. Most files of a fit are smaller.
const mostRead = 1 << 18

// measure reads a file.
func measure(path string) (File, error) {
	in, err := disk.Open(path)
	if err != nil {
		return File{}, err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return File{}, err
	}
	var count rowCounter
	sum := crc32.New(castagnoli)
	to := io.Writer(sum)
	table := strings.HasSuffix(path, ".csv")
	if table {
		to = io.MultiWriter(sum, &count)
	}
	n, err := io.CopyBuffer(struct{ io.Writer }{to}, in, make([]byte, min(info.Size()+1, mostRead))) // one more, to see the end
	f := File{Bytes: n, CRC: hexadecimal(sum.Sum32())}
	if rows := count.rows - 1; table { // the first has the names
		rows = max(rows, 0)
		f.Rows = &rows
	}
	return f, err
}

// A rowCounter counts the lines of a CSV file that are no comments.
type rowCounter struct {
	rows   int
	inside bool // of a line
}

// Write implements io.Writer.
func (c *rowCounter) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		if !c.inside && p[0] != '#' && p[0] != '\n' {
			c.rows++
		}
		end := bytes.IndexByte(p, '\n')
		c.inside = end < 0
		if end < 0 {
			break
		}
		p = p[end+1:]
	}
	return n, nil
}
