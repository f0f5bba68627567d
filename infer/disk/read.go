package disk

// This file reads files that somebody else may have put there.

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// ErrNotRegular is the error of Open for devices, pipes and folders.
var ErrNotRegular = errors.New("it is no regular file")

// MostRecord is the largest file, in bytes, that ReadFile reads.
const MostRecord = 1 << 28

// Open opens a regular file for reading. A folder of a fit may be a stranger's, with a link to a
// device in it, which has no end, or a pipe, which has no beginning.
func Open(path string) (*os.File, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return os.Open(path) // to be told so at reading
	case !info.Mode().IsRegular():
		return nil, &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	f, err := os.Open(path)
	BoundReading(f)
	return f, err
}

// BoundReading has the reading of a file fail after two seconds if its size is said to be 0. Such are the files of /proc, which
// pass for regular ones, and of which some, as /proc/kmsg, wait for what is to come.
func BoundReading(f *os.File) {
	if info, err := f.Stat(); err == nil && info.Size() == 0 {
		_ = f.SetReadDeadline(time.Now().Add(2 * time.Second)) // not had where reading does not wait
	}
}

// ReadFile reads a regular file that is read whole, such as a record of a run, of at most MostRecord bytes.
func ReadFile(path string) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was read only
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case info.Size() > MostRecord:
		return nil, &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("it has %d bytes, and at most %d are read", info.Size(), MostRecord)}
	}
	return io.ReadAll(f)
}

// ReadInput reads a file that a user names: a regular one, or a named pipe, of at most most bytes. A device may have no end.
func ReadInput(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() && !info.Mode().IsRegular() && info.Mode()&fs.ModeNamedPipe == 0 {
		return nil, &fs.PathError{Op: "open", Path: path, Err: errors.New("it is neither a regular file nor a named pipe")}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was read only
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(text)) > most {
		err = &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("it has more than %d bytes, and no more are read", most)}
	}
	return text, err
}
