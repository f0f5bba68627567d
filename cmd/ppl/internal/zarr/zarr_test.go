package zarr

import (
	"compress/zlib"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// chunk reads a chunk's bytes.
func chunk(t *testing.T, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := zlib.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func floats(b []byte) []float64 {
	var out []float64
	for ; len(b) > 0; b = b[8:] {
		out = append(out, math.Float64frombits(binary.LittleEndian.Uint64(b)))
	}
	return out
}

func count(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(i)
	}
	return x
}

func TestStore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "x.zarr")
	s, err := Create(dir, map[string]any{"by": "test"})
	if err != nil {
		t.Fatal(err)
	}
	wide := chunkLen / 2 // two draws a chunk: the last chunk of three draws is filled up
	err = s.Group("g", nil, []Array{
		{Name: "m", Type: Float64, Dims: []string{"chain", "draw", "k"}, Shape: []int{2, 3, 2}, Leading: 2, X: count(12)},
		{Name: "wide", Type: Float64, Dims: []string{"chain", "draw", "k"}, Shape: []int{1, 3, wide}, Leading: 2, X: count(3 * wide)},
		{Name: "n", Type: Int64, X: []float64{-5}},
		{Name: "b", Type: Bool, Dims: []string{"k"}, Shape: []int{3}, X: []float64{1, 0, 1}},
		{Name: "z", Type: Complex, Dims: []string{"k"}, Shape: []int{2}, X: []float64{1, 2, 3, 4}},
		{Name: "none", Type: Float64, Dims: []string{"k"}, Shape: []int{0}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string][]float64{
		"g/m/0.0.0": {0, 1, 2, 3, 4, 5},
		"g/m/1.0.0": {6, 7, 8, 9, 10, 11},
		"g/z/0":     {1, 2, 3, 4},
	} {
		if diff := cmp.Diff(want, floats(chunk(t, filepath.Join(dir, file)))); diff != "" {
			t.Errorf("%s: %s", file, diff)
		}
	}
	last := floats(chunk(t, filepath.Join(dir, "g/wide/0.1.0")))
	if len(last) != 2*wide || last[0] != float64(2*wide) || last[wide] != 0 {
		t.Errorf("the last chunk has %d numbers, begins with %v", len(last), last[0])
	}
	if b := chunk(t, filepath.Join(dir, "g/b/0")); string(b) != "\x01\x00\x01" {
		t.Errorf("truth values %v", b)
	}
	if b := chunk(t, filepath.Join(dir, "g/n/0")); int64(binary.LittleEndian.Uint64(b)) != -5 {
		t.Errorf("integer %v", b)
	}
	text, err := os.ReadFile(filepath.Join(dir, ".zmetadata"))
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Metadata map[string]map[string]any `json:"metadata"`
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]any{1.0, 3.0, 2.0}, all.Metadata["g/m/.zarray"]["chunks"]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]any{"chain", "draw", "k"}, all.Metadata["g/m/.zattrs"]["_ARRAY_DIMENSIONS"]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]any{}, all.Metadata["g/n/.zattrs"]["_ARRAY_DIMENSIONS"]); diff != "" {
		t.Error(diff)
	}
	if all.Metadata[".zattrs"]["by"] != "test" || all.Metadata[".zgroup"]["zarr_format"] != 2.0 {
		t.Errorf("root: %v", all.Metadata[".zattrs"])
	}
}

func TestWrongArrays(t *testing.T) {
	s, err := Create(filepath.Join(t.TempDir(), "x"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, a := range map[string]Array{
		"names":   {Name: "a", Type: Float64, Shape: []int{1}, X: []float64{1}},
		"numbers": {Name: "b", Type: Float64, Dims: []string{"k"}, Shape: []int{2}, X: []float64{1}},
	} {
		if err := s.Group("g"+name, nil, []Array{a}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if _, err := Create(s.dir, nil); err == nil {
		t.Error("a store was written over another")
	}
}

// TestReadGroup: what was written is read again, in one chunk a chain or in several.
func TestReadGroup(t *testing.T) {
	for _, n := range []int{0, 1, 7, chunkLen/3 + 5} {
		dir := filepath.Join(t.TempDir(), "store")
		s, err := Create(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		a := Array{Name: "x", Type: Float64, Dims: []string{"chain", "draw", "x_dim_0"}, Shape: []int{2, n, 3}, Leading: 2}
		for i := range 6 * n {
			a.X = append(a.X, float64(i)*0.1)
		}
		b := Array{Name: "k", Type: Int64, Dims: []string{"k"}, Shape: []int{2}, X: []float64{1, 2}}
		if err := s.Group("prior", nil, []Array{a, b}); err != nil {
			t.Fatal(err)
		}
		got, err := ReadGroup(dir, "prior")
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != 1 || got[0].Name != "x" || !slices.Equal(got[0].X, a.X) || !slices.Equal(got[0].Shape, a.Shape) || !slices.Equal(got[0].Dims, a.Dims) {
			t.Errorf("%d draws: read %d arrays that differ", n, len(got))
		}
	}
}
