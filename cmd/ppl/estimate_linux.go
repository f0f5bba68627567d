package main

// This file reads what memory and disk there is on Linux.

import (
	"bufio"
	"math"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// machineMemory is the most memory that this process may have: that of the machine, the limit of its
// control group, or that on its addresses (ulimit -v), whichever is least. It is false where none is known.
func machineMemory() (bytes float64, ok bool) {
	least := math.Inf(1)
	if f, err := os.Open("/proc/meminfo"); err == nil {
		defer func() { _ = f.Close() }()
		for lines := bufio.NewScanner(f); lines.Scan(); {
			if fields := strings.Fields(lines.Text()); len(fields) > 1 && fields[0] == "MemTotal:" {
				if kb, err := strconv.ParseFloat(fields[1], 64); err == nil {
					least = kb * 1024
				}
				break
			}
		}
	}
	if text, err := os.ReadFile("/sys/fs/cgroup/memory.max"); err == nil {
		if limit, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64); err == nil {
			least = math.Min(least, limit)
		}
	}
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &limit) == nil {
		least = math.Min(least, float64(limit.Cur))
	}
	return least, !math.IsInf(least, 1)
}

// freeDisk is what is free for files below a folder.
func freeDisk(dir string) (bytes float64, ok bool) {
	var s syscall.Statfs_t
	if syscall.Statfs(dir, &s) != nil {
		return 0, false
	}
	return float64(s.Bavail) * float64(s.Bsize), true
}
