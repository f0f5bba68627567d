//go:build !unix && !windows

package draws

// This file makes temporary files where an open file cannot be told to go.

import "os"

// temporary makes a file, which is removed when it is closed.
func temporary() (*os.File, error) { return os.CreateTemp("", "ppl-draws-") }
