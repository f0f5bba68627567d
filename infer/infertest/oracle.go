// This file reads the shared oracles.

package infertest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// oracleFiles are the files of the oracles' folder that match a pattern, in
// order. The folder stands in the one that the environment's PPL_SHARED names,
// or else beside the module. Without a file the test is skipped.
func oracleFiles(t testing.TB, pattern string) []string {
	t.Helper()
	shared := os.Getenv("PPL_SHARED")
	if shared == "" {
		_, here, _, _ := runtime.Caller(0)
		shared = filepath.Join(filepath.Dir(here), "..", "..", "..", "shared")
	}
	path := filepath.Join(shared, "oracles", pattern)
	files, err := filepath.Glob(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skipf("ORACLE NOT FOUND: %s; set PPL_SHARED to the shared folder", path)
	}
	return files
}

func decode(t testing.TB, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatalf("oracle %s: %v", file, err)
	}
}

// ReadOracle decodes a JSON file of the oracles' folder, such as
// "bread/oracle.json". Without it the test is skipped.
func ReadOracle(t testing.TB, name string, into any) {
	t.Helper()
	decode(t, oracleFiles(t, name)[0], into)
}

// ReadOracles decodes the JSON files of the oracles' folder whose names match a
// pattern, such as "cavi/*.json". Without any the test is skipped.
func ReadOracles[T any](t testing.TB, pattern string) []T {
	t.Helper()
	files := oracleFiles(t, pattern)
	out := make([]T, len(files))
	for i, f := range files {
		decode(t, f, &out[i])
	}
	return out
}
