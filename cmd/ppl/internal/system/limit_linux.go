package system

// This file bounds the memory of the process.

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// LimitMemory lets the process have so many bytes more than its runtime has taken, and what threads take of addresses.
func LimitMemory(bytes int64) error {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return err
	}
	first, _, _ := strings.Cut(string(text), " ")
	pages, err := strconv.ParseInt(first, 10, 64)
	if err != nil {
		return err
	}
	const threads = 8 * 72 << 20
	most := uint64(pages*int64(os.Getpagesize()) + bytes + threads)
	return syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: most, Max: most})
}
