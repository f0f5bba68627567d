package system

// This file tells a limit on addresses that no program of Go works under.

import (
	"fmt"
	"syscall"
)

// CheckAddresses returns an error if this process may have so few addresses (ulimit -v) that Go's runtime, which
// takes 0.7 GB of them without using them, would end it with a trace at one moment or another.
func CheckAddresses() error {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &limit) != nil || limit.Cur >= fewestAddresses {
		return nil
	}
	return fmt.Errorf("this process may have %.2g GB of addresses (ulimit -v), and ppl needs %.2g GB%s", float64(limit.Cur)/1e9, fewestAddresses/1e9, addressesHelp)
}
