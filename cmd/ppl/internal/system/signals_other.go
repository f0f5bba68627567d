//go:build !unix

package system

import "os"

// furtherEndings are none where no signal tells that a terminal was closed.
func furtherEndings() []os.Signal { return nil }

// TooLarge reports that a file would be larger than the system allows.
func TooLarge(error) bool { return false }

// EndAtQuit does nothing where there is no such signal.
func EndAtQuit() {}
