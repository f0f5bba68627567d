//go:build unix

package cmdstan

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestVariablesOfADevice: data file=/dev/zero, which has no end, is not read.
func TestVariablesOfADevice(t *testing.T) {
	link := filepath.Join(t.TempDir(), "data.R")
	if err := os.Symlink("/dev/zero", link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/dev/zero", link} {
		if _, err := readVariables(path, nil); err == nil || !strings.Contains(err.Error(), "Can't open specified file") {
			t.Errorf("%s: %v", path, err)
		}
	}
}
