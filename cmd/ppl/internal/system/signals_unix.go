//go:build unix

package system

import (
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// furtherEndings are the signals of a terminal that was closed, and of a soft limit on processor time.
func furtherEndings() []os.Signal { return []os.Signal{syscall.SIGHUP, syscall.SIGXCPU} }

// TooLarge reports that a file would be larger than the system allows.
func TooLarge(err error) bool { return errors.Is(err, syscall.EFBIG) || errors.Is(err, syscall.EDQUOT) }

// EndAtQuit has SIGQUIT (Ctrl-\) end the program at once, as a kill does, and not with a list of what Go was at: that is
// for whoever sets GOTRACEBACK.
func EndAtQuit() {
	if os.Getenv("GOTRACEBACK") != "" || signal.Ignored(syscall.SIGQUIT) {
		return
	}
	quit := make(chan os.Signal, 1)
	signal.Notify(quit, syscall.SIGQUIT)
	go func() {
		<-quit
		os.Exit(128 + int(syscall.SIGQUIT)) // as shells count signals
	}()
}
