// Package zarr writes arrays of numbers as a Zarr store: a folder of folders, one an
// array, that xarray, zarr and what builds on them read.
//
// Contract. It is version 2 of the format: row-major arrays, chunks compressed with zlib,
// numbers little-endian, metadata of all arrays together in .zmetadata. Names of
// dimensions are attributes, in the convention of xarray. The same arrays give the same
// bytes.
//
// Ownership. A Store writes at once and keeps no array. It is for one goroutine.
//
// Source: the specification "Zarr storage specification version 2"; xarray's "Zarr encoding
// specification".
package zarr

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A Type is that of an array's numbers.
type Type string

// The types. An array is given as float64 whatever its type; complex numbers are pairs.
const (
	Float64   Type = "<f8"
	Int64     Type = "<i8"
	Bool      Type = "|b1"
	Complex   Type = "<c16"
	numberLen      = 8
)

// chunkLen is how many numbers a chunk has at most, if that can be.
const chunkLen = 1 << 19

// An Array is one array of a group.
type Array struct {
	Name       string
	Type       Type
	Dims       []string // names of the dimensions
	Shape      []int
	Leading    int       // dimensions that are divided into chunks; 0: the array is one chunk
	X          []float64 // row-major; Complex: real and imaginary parts in turn
	Attributes map[string]any
}

// A Store is a folder that is written.
type Store struct {
	dir      string
	metadata map[string]json.RawMessage
}

// Create makes the folder, which must not exist, and the root group.
func Create(dir string, attributes map[string]any) (*Store, error) {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	s := &Store{dir: dir, metadata: map[string]json.RawMessage{}}
	return s, s.group("", attributes)
}

// Group makes a group with its arrays.
func (s *Store) Group(name string, attributes map[string]any, arrays []Array) error {
	if err := os.Mkdir(filepath.Join(s.dir, name), 0o755); err != nil {
		return err
	}
	if err := s.group(name, attributes); err != nil {
		return err
	}
	for _, a := range arrays {
		if err := s.array(name+"/"+a.Name, a); err != nil {
			return fmt.Errorf("%s/%s: %w", name, a.Name, err)
		}
	}
	return nil
}

// Close writes the metadata of all groups and arrays in one file.
func (s *Store) Close() error {
	text, err := indented(struct {
		Format   int                        `json:"zarr_consolidated_format"`
		Metadata map[string]json.RawMessage `json:"metadata"`
	}{1, s.metadata})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(s.dir, ".zmetadata"), text, 0o666)
}

func (s *Store) group(name string, attributes map[string]any) error {
	if err := s.note(name, ".zgroup", map[string]any{"zarr_format": 2}); err != nil {
		return err
	}
	if attributes == nil {
		attributes = map[string]any{}
	}
	return s.note(name, ".zattrs", attributes)
}

// note writes a file of metadata.
func (s *Store) note(place, file string, content any) error {
	text, err := indented(content)
	if err != nil {
		return err
	}
	key := strings.TrimPrefix(place+"/"+file, "/")
	s.metadata[key] = text
	return os.WriteFile(filepath.Join(s.dir, filepath.FromSlash(key)), text, 0o666)
}

// indented is JSON as zarr writes it, "<" as it is.
func indented(content any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "    ")
	err := enc.Encode(content)
	return bytes.TrimSpace(b.Bytes()), err
}

func (s *Store) array(place string, a Array) error {
	n, width := 1, 1
	for _, d := range a.Shape {
		n *= d
	}
	if a.Type == Complex {
		width = 2
	}
	switch {
	case len(a.Dims) != len(a.Shape) || a.Leading > len(a.Shape):
		return fmt.Errorf("%d names for %d dimensions", len(a.Dims), len(a.Shape))
	case n*width != len(a.X):
		return fmt.Errorf("%d numbers for the shape %v", len(a.X)/width, a.Shape)
	}
	if err := os.Mkdir(filepath.Join(s.dir, filepath.FromSlash(place)), 0o755); err != nil {
		return err
	}
	chunks := a.chunks()
	if err := s.note(place, ".zarray", map[string]any{
		"zarr_format": 2, "shape": positive(a.Shape, 0), "chunks": chunks, "dtype": string(a.Type), "order": "C", "filters": nil,
		"compressor": map[string]any{"id": "zlib", "level": 1}, "fill_value": a.fill(),
	}); err != nil {
		return err
	}
	attributes := map[string]any{"_ARRAY_DIMENSIONS": append([]string{}, a.Dims...)}
	maps.Copy(attributes, a.Attributes)
	if err := s.note(place, ".zattrs", attributes); err != nil {
		return err
	}
	if n == 0 {
		return nil
	}
	return a.each(chunks, func(key string, x []float64) error {
		text, err := a.compressed(x)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(s.dir, filepath.FromSlash(place), key), text, 0o666)
	})
}

// fill is the value of chunks that are not there. There is none such, and where a value is
// given xarray takes it for a sign that a number is missing, so that only NaN will do.
func (a Array) fill() any {
	if a.Type == Float64 {
		return "NaN"
	}
	return nil
}

// positive are sizes of which none is below least.
func positive(shape []int, least int) []int {
	out := make([]int, len(shape))
	for i, d := range shape {
		out[i] = max(d, least)
	}
	return out
}

// chunks is the shape of a chunk: of the leading dimensions but the last one element,
// of that as many as fit, and all of the rest.
func (a Array) chunks() []int {
	out := positive(a.Shape, 1)
	if a.Leading == 0 {
		return out
	}
	rest := 1
	for _, d := range out[a.Leading:] {
		rest *= d
	}
	for k := range a.Leading - 1 {
		out[k] = 1
	}
	last := a.Leading - 1
	out[last] = min(out[last], max(1, chunkLen/rest))
	return out
}

// each hands over the chunks with their keys. A chunk at the end is filled up.
func (a Array) each(chunks []int, write func(key string, x []float64) error) error {
	if len(a.Shape) == 0 {
		return write("0", a.X)
	}
	if a.Leading == 0 {
		return write(strings.Repeat("0.", len(a.Shape)-1)+"0", a.X)
	}
	rest, last := len(a.X), a.Leading-1
	for _, d := range a.Shape[:a.Leading] {
		rest /= d
	}
	outer := 1
	for _, d := range a.Shape[:last] {
		outer *= d
	}
	n := a.Shape[last]
	for o := range outer {
		for from := 0; from < n; from += chunks[last] {
			to := min(from+chunks[last], n)
			x := a.X[(o*n+from)*rest : (o*n+to)*rest]
			if short := (chunks[last] - (to - from)) * rest; short > 0 {
				x = append(append([]float64{}, x...), make([]float64, short)...)
			}
			if err := write(a.key(o, from/chunks[last]), x); err != nil {
				return err
			}
		}
	}
	return nil
}

// key is the name of a chunk: its place in each dimension.
func (a Array) key(outer, at int) string {
	place := make([]string, len(a.Shape))
	for k := range place {
		place[k] = "0"
	}
	place[a.Leading-1] = strconv.Itoa(at)
	for k := a.Leading - 2; k >= 0; k-- {
		place[k] = strconv.Itoa(outer % a.Shape[k])
		outer /= a.Shape[k]
	}
	return strings.Join(place, ".")
}

func (a Array) compressed(x []float64) ([]byte, error) {
	raw := make([]byte, 0, numberLen*len(x))
	for _, v := range x {
		switch a.Type {
		case Int64:
			raw = binary.LittleEndian.AppendUint64(raw, uint64(int64(v)))
		case Bool:
			if v != 0 {
				raw = append(raw, 1)
			} else {
				raw = append(raw, 0)
			}
		default:
			raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(v))
		}
	}
	var b bytes.Buffer
	w, err := zlib.NewWriterLevel(&b, zlib.BestSpeed)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(raw); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
