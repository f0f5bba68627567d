//go:build linux || darwin || freebsd || netbsd || openbsd

package system

// This file keeps two runs from writing to one folder at the same time.

import (
	"errors"
	"os"
	"syscall"
)

// Lock takes a lock on a folder, which ends with the process, however that ends. Where
// the file system has no locks, nothing is locked.
func Lock(dir string) (unlock func(), err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, errors.Join(errors.New("another run is writing to it"), f.Close())
	}
	return func() { _ = f.Close() }, nil
}
