// What memory there is on Linux.

package container

import (
	"bufio"
	"math"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// MachineMemory is the most memory in bytes that this process may have: that of the machine, the limit of its
// control group, or that on its addresses (ulimit -v), whichever is least. It is false where none is known.
func MachineMemory() (bytes float64, ok bool) {
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
	if limit, ok := mostAddresses(); ok {
		least = math.Min(least, limit)
	}
	return least, !math.IsInf(least, 1)
}

// mostAddresses is the limit on the addresses of this process, if there is one.
func mostAddresses() (bytes float64, ok bool) {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &limit) != nil || limit.Cur >= 1<<62 {
		return 0, false
	}
	return float64(limit.Cur), true
}

// freeAddresses is how many addresses are left under the limit on them. Go's runtime takes many that it does not use.
func freeAddresses() (bytes float64, ok bool) {
	limit, ok := mostAddresses()
	text, err := os.ReadFile("/proc/self/statm")
	if !ok || err != nil {
		return 0, false
	}
	first, _, _ := strings.Cut(string(text), " ")
	pages, err := strconv.ParseFloat(first, 64)
	return limit - float64(pages*float64(os.Getpagesize())), err == nil
}
