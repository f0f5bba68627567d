//go:build unix

package draws

// This file makes temporary files that no program leaves behind, however it ends.

import "os"

// temporary makes a file without a name.
func temporary() (*os.File, error) {
	f, err := os.CreateTemp("", "ppl-draws-")
	if err != nil {
		return nil, err
	}
	return f, os.Remove(f.Name())
}
