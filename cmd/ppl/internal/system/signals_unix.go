//go:build unix

package system

import (
	"errors"
	"os"
	"syscall"
)

// furtherEndings are the signals of a terminal that was closed, and of a soft limit on processor time.
func furtherEndings() []os.Signal { return []os.Signal{syscall.SIGHUP, syscall.SIGXCPU} }

// TooLarge reports that a file would be larger than the system allows.
func TooLarge(err error) bool { return errors.Is(err, syscall.EFBIG) || errors.Is(err, syscall.EDQUOT) }
