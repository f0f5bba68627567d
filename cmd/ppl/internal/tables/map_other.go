//go:build !((linux || darwin || freebsd || netbsd || openbsd) && (amd64 || arm64 || riscv64 || loong64 || ppc64le))

package tables

// This file reads numbers into memory, where they are not mapped.

import (
	"encoding/binary"
	"io"
	"os"
)

// numbers are count numbers of a file from an offset on.
func numbers(f *os.File, from, count int) ([]float64, error) {
	out := make([]float64, count)
	return out, binary.Read(io.NewSectionReader(f, int64(from), 8*int64(count)), binary.LittleEndian, out)
}
