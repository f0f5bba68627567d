//go:build (linux || darwin || freebsd || netbsd || openbsd) && (amd64 || arm64 || riscv64 || loong64 || ppc64le)

package tables

// This file maps numbers into memory, where the system can and has them as files do.

import (
	"fmt"
	"os"
	"syscall"
	"unsafe"
)

// numbers are count numbers of a file from an offset on. They are mapped until the program ends.
func numbers(f *os.File, from, count int) ([]float64, error) {
	if count == 0 {
		return []float64{}, nil
	}
	b, err := syscall.Mmap(int(f.Fd()), 0, from+8*count, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be mapped into memory: %w", f.Name(), err)
	}
	return unsafe.Slice((*float64)(unsafe.Pointer(&b[from])), count), nil // pages begin at multiples of 8, and so does from
}
