//go:build unix

package system

import (
	"os"
	"syscall"
)

// hangUp is the signal of a terminal that was closed.
func hangUp() os.Signal { return syscall.SIGHUP }
