// This file reads the shared oracles.

package infertest

import (
	"bytes"
	"encoding/json"
	"math"
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
	if err := read(file, into); err != nil {
		t.Fatalf("oracle %s: %v", file, err)
	}
}

func read(file string, into any) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// ReadOracle decodes a JSON file of the oracles' folder, such as
// "bread/oracle.json". Without it the test is skipped.
func ReadOracle(t testing.TB, name string, into any) {
	t.Helper()
	decode(t, oracleFiles(t, name)[0], into)
}

// ReadOracles decodes the JSON files of the oracles' folder whose names match a
// pattern, such as "cavi/*.json". Without any the test is skipped. A file of another shape is of
// a kind that is not known; but the one that is named without a wildcard must be of this one.
func ReadOracles[T any](t *testing.T, pattern string) (out []T) {
	t.Helper()
	for _, f := range oracleFiles(t, pattern) {
		var one T
		if err := read(f, &one); err != nil {
			if filepath.Base(f) == filepath.Base(pattern) {
				t.Fatalf("oracle %s: %v", f, err)
			}
			Unknown(t, filepath.Base(f), err.Error())
			continue
		}
		out = append(out, one)
	}
	return out
}

// ShareOracles puts files, by their names in the oracles' folder, in its place for the time of a test.
func ShareOracles(t *testing.T, files map[string]string) {
	t.Helper()
	shared := t.TempDir()
	for name, text := range files {
		path := filepath.Join(shared, "oracles", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PPL_SHARED", shared)
}

// A Number of an oracle. JSON has no infinities: null stands for one.
type Number float64

// UnmarshalJSON implements json.Unmarshaler.
func (n *Number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = Number(math.Inf(1))
		return nil
	}
	return json.Unmarshal(text, (*float64)(n))
}

// Finite reports whether the oracle has a number here, not an infinity.
func (n Number) Finite() bool { return !math.IsInf(float64(n), 0) }

// Unknown skips, as a test of its own, a case of a kind that the test does not know.
func Unknown(t *testing.T, name, why string) {
	t.Helper()
	t.Run(name, func(t *testing.T) { t.Skipf("KIND NOT KNOWN: %s: %s", name, why) })
}

// ReadKinds decodes the JSON files of the oracles' folder whose names match a pattern into
// their members, by file and name. Names that differ in case are different ones here. A file
// without names is of a kind that is not known.
func ReadKinds(t *testing.T, pattern string) map[string]map[string]json.RawMessage {
	t.Helper()
	out := map[string]map[string]json.RawMessage{}
	for _, f := range oracleFiles(t, pattern) {
		var text json.RawMessage
		decode(t, f, &text)
		var members map[string]json.RawMessage
		if err := json.Unmarshal(text, &members); err != nil {
			Unknown(t, filepath.Base(f), err.Error())
			continue
		}
		out[filepath.Base(f)] = members
	}
	return out
}

// DecodeKnown decodes a member into a value all of whose fields must be of the type's: a
// kind of case is known only if nothing of it is overlooked.
func DecodeKnown(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(into)
}
