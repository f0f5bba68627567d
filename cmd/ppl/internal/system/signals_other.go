//go:build !unix

package system

import "os"

// hangUp is nil where no signal tells that a terminal was closed.
func hangUp() os.Signal { return nil }
