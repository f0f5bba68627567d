package system

// This file has the signals that end a command as an interrupt does.

import (
	"os"
	"os/signal"
	"syscall"
)

// Endings are the signals that end a run: what there is until then is kept. A run that was started to
// outlive its terminal, by nohup, does.
func Endings() []os.Signal {
	list := []os.Signal{os.Interrupt, syscall.SIGTERM}
	for _, s := range furtherEndings() {
		if !signal.Ignored(s) {
			list = append(list, s)
		}
	}
	return list
}
