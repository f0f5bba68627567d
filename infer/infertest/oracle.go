// This file reads the shared oracles.

package infertest

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// ReadOracle decodes a JSON file of the oracles' folder, which stands in the
// folder that the environment's PPL_SHARED names, or else beside the module.
// Without the file the test is skipped.
func ReadOracle(t testing.TB, name string, into any) {
	t.Helper()
	shared := os.Getenv("PPL_SHARED")
	if shared == "" {
		_, here, _, _ := runtime.Caller(0)
		shared = filepath.Join(filepath.Dir(here), "..", "..", "..", "shared")
	}
	path := filepath.Join(shared, "oracles", name)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("ORACLE NOT FOUND: %s; set PPL_SHARED to the shared folder", path)
	}
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatalf("oracle %s: %v", path, err)
	}
}
