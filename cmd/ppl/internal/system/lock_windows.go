package system

// This file keeps two runs from writing to one folder at the same time.

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// lockName is a file in the folder while a run writes to it.
const lockName = "ppl.lock"

// What package syscall does not name: FILE_FLAG_DELETE_ON_CLOSE, by which the system removes a file with its last handle,
// and ERROR_SHARING_VIOLATION, which it returns while a file is open that its opener does not share.
const (
	deleteOnClose    = 0x04000000
	sharingViolation = syscall.Errno(32)
)

// Lock takes a lock on a folder, which ends with the process, however that ends: a file that nobody else may open
// meanwhile. Folders themselves cannot be locked here without keeping others from renaming what is in them.
func Lock(dir string) (unlock func(), err error) {
	path := filepath.Join(dir, lockName)
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	h, err := syscall.CreateFile(name, syscall.GENERIC_WRITE, 0, nil, syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_HIDDEN|deleteOnClose, 0)
	if errors.Is(err, sharingViolation) {
		return nil, errors.New("another run is writing to it")
	}
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return func() { _ = syscall.CloseHandle(h) }, nil
}
