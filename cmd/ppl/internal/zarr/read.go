package zarr

// This file reads what the package has written.

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/seed-12b88e03/ppl/infer/disk"
)

// ReadGroup returns the arrays of float64 in a group of a store that this package wrote. The
// error is that of a file that is missing or not as written.
func ReadGroup(dir, group string) ([]Array, error) {
	folders, err := os.ReadDir(filepath.Join(dir, group))
	if err != nil {
		return nil, err
	}
	var out []Array
	for _, f := range folders {
		if !f.IsDir() {
			continue
		}
		a, err := readArray(filepath.Join(dir, group, f.Name()))
		if err != nil {
			return nil, fmt.Errorf("%s/%s: %w", group, f.Name(), err)
		}
		if a.Name = f.Name(); a.Type == Float64 {
			out = append(out, a)
		}
	}
	return out, nil
}

// readArray reads an array; of one that is not of float64 the metadata alone.
func readArray(dir string) (Array, error) {
	var meta struct {
		Shape  []int `json:"shape"`
		Chunks []int `json:"chunks"`
		Type   Type  `json:"dtype"`
	}
	var attributes struct {
		Dims []string `json:"_ARRAY_DIMENSIONS"`
	}
	if err := readJSON(filepath.Join(dir, ".zarray"), &meta); err != nil {
		return Array{}, err
	}
	if err := readJSON(filepath.Join(dir, ".zattrs"), &attributes); err != nil {
		return Array{}, err
	}
	a := Array{Type: meta.Type, Dims: attributes.Dims, Shape: meta.Shape}
	if len(meta.Chunks) != len(meta.Shape) {
		return a, fmt.Errorf("%d sizes of chunks for %d dimensions", len(meta.Chunks), len(meta.Shape))
	}
	for k, d := range meta.Shape { // chunks are rows of the leading dimensions
		if meta.Chunks[k] < d {
			a.Leading = k + 1
		}
	}
	if a.Leading == 0 && len(a.Shape) > 0 && a.Dims[0] == "chain" {
		a.Leading = min(2, len(a.Shape))
	}
	if a.Type != Float64 {
		return a, nil
	}
	n := 1
	for _, d := range a.Shape {
		n *= d
	}
	a.X = make([]float64, n)
	if n == 0 {
		return a, nil
	}
	return a, a.fillFrom(dir, meta.Chunks)
}

// fillFrom fills in the numbers of an array from its chunks.
func (a Array) fillFrom(dir string, chunks []int) error {
	if a.Leading == 0 {
		return a.each(chunks, func(key string, x []float64) error { return readChunk(filepath.Join(dir, key), x) })
	}
	last, outer, rest := a.Leading-1, 1, 1
	for k, d := range a.Shape {
		switch {
		case k < last:
			outer *= d
		case k > last:
			rest *= d
		}
	}
	n, x := a.Shape[last], make([]float64, chunks[last]*rest)
	for o := range outer {
		for from := 0; from < n; from += chunks[last] {
			if err := readChunk(filepath.Join(dir, a.key(o, from/chunks[last])), x); err != nil {
				return err
			}
			copy(a.X[(o*n+from)*rest:(o*n+n)*rest], x)
		}
	}
	return nil
}

// readChunk fills in the numbers of a chunk.
func readChunk(path string, x []float64) error {
	text, err := disk.ReadFile(path)
	if err != nil {
		return err
	}
	r, err := zlib.NewReader(bytes.NewReader(text))
	if err != nil {
		return err
	}
	raw, err := io.ReadAll(io.LimitReader(r, int64(numberLen*len(x))+1))
	if err != nil {
		return err
	}
	if len(raw) != numberLen*len(x) {
		return fmt.Errorf("%d bytes for %d numbers", len(raw), len(x))
	}
	for i := range x {
		x[i] = math.Float64frombits(binary.LittleEndian.Uint64(raw[numberLen*i:]))
	}
	return nil
}

func readJSON(path string, into any) error {
	text, err := disk.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}
