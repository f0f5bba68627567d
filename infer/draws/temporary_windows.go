package draws

// This file makes temporary files that no program leaves behind, however it ends.

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// Flags of CreateFile: FILE_ATTRIBUTE_TEMPORARY, and FILE_FLAG_DELETE_ON_CLOSE, by which the system removes the file.
const (
	temporaryFile = 0x00000100
	deleteOnClose = 0x04000000
)

// temporary makes a file that goes with its handle.
func temporary() (*os.File, error) {
	for i := 0; ; i++ {
		name := filepath.Join(os.TempDir(), fmt.Sprintf("ppl-draws-%d-%d", os.Getpid(), i))
		path, err := syscall.UTF16PtrFromString(name)
		if err != nil {
			return nil, err
		}
		h, err := syscall.CreateFile(path, syscall.GENERIC_READ|syscall.GENERIC_WRITE, syscall.FILE_SHARE_READ, nil,
			syscall.CREATE_NEW, temporaryFile|deleteOnClose, 0)
		switch err {
		case nil:
			return os.NewFile(uintptr(h), name), nil
		case syscall.ERROR_FILE_EXISTS, syscall.ERROR_ALREADY_EXISTS:
			continue
		}
		return nil, err
	}
}
