// This file reads conformance vectors: one JSON object a line, see the README beside them.

package stdlib_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A vectorCase is one line of a conformance file.
type vectorCase struct {
	File        string
	Fn          string            `json:"fn"`
	I           int               `json:"i"`
	Types       []string          `json:"types"`
	Args        []json.RawMessage `json:"args"`
	Ret         string            `json:"ret"`
	Value       json.RawMessage   `json:"value"`
	Tol         json.RawMessage   `json:"tol"`
	Adj         json.RawMessage   `json:"adj"`
	Grad        []json.RawMessage `json:"grad"`
	GTol        []json.RawMessage `json:"gtol"`
	Sym         []int             `json:"sym"`
	Tri         []int             `json:"tri"`
	Error       bool              `json:"error"`
	LogJacobian json.RawMessage   `json:"log_jacobian"`
	LJTol       float64           `json:"ljtol"`
	Tags        []string          `json:"tags"`
	Note        string            `json:"note"`

	types []types.Type
	args  []stdlib.Tensor
}

func (c *vectorCase) name() string { return fmt.Sprintf("%s#%d", c.Fn, c.I) }

func (c *vectorCase) tagged(tag string) bool {
	return slices.Contains(c.Tags, tag)
}

// sharedDir is the folder of shared test material; the test is skipped without it.
func sharedDir(t testing.TB, sub string) string {
	dir := os.Getenv("PPL_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared")
	}
	dir = filepath.Join(dir, sub)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("SKIPPED, NOTHING TESTED: no folder %s; set PPL_SHARED to the shared test material", dir)
	}
	return dir
}

// readCases reads every case of every file.
func readCases(t testing.TB) []*vectorCase {
	files, err := filepath.Glob(filepath.Join(sharedDir(t, "conformance"), "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Skip("SKIPPED, NOTHING TESTED: no conformance/*.jsonl in the shared test material")
	}
	var all []*vectorCase
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sc := bufio.NewScanner(bytes.NewReader(data))
		sc.Buffer(nil, 1<<24)
		for sc.Scan() {
			c := &vectorCase{File: strings.TrimSuffix(filepath.Base(name), ".jsonl")}
			if err := json.Unmarshal(sc.Bytes(), c); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if err := c.prepare(); err != nil {
				t.Fatalf("%s %s: %v", name, c.name(), err)
			}
			all = append(all, c)
		}
		if err := sc.Err(); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func (c *vectorCase) prepare() error {
	for i, text := range c.Types {
		ty, err := parseTestType(text)
		if err != nil {
			return err
		}
		a, err := readTensor(c.Args[i], ty)
		if err != nil {
			return fmt.Errorf("argument %d: %w", i, err)
		}
		c.types = append(c.types, ty)
		c.args = append(c.args, a)
	}
	return nil
}

var testBases = map[string]types.Type{
	"int": types.Int, "real": types.Real, "complex": types.Complex, "vector": types.Vector,
	"row_vector": types.RowVector, "matrix": types.Matrix, "complex_vector": types.ComplexVector,
	"complex_row_vector": types.ComplexRowVector, "complex_matrix": types.ComplexMatrix,
}

// parseTestType reads a type such as "data array[,] real".
func parseTestType(s string) (types.Type, error) {
	s = strings.TrimPrefix(strings.TrimSpace(s), "data ")
	dims := 0
	if rest, ok := strings.CutPrefix(s, "array["); ok {
		commas, base, ok := strings.Cut(rest, "]")
		if !ok {
			return types.Bad, fmt.Errorf("bad type %q", s)
		}
		dims, s = 1+strings.Count(commas, ","), strings.TrimSpace(base)
	}
	base, ok := testBases[s]
	if !ok {
		return types.Bad, fmt.Errorf("unknown type %q", s)
	}
	return types.ArrayOf(base, dims), nil
}

// readTensor reads nested JSON lists (matrices as lists of rows) into the layout of
// a Tensor.
func readTensor(raw json.RawMessage, ty types.Type) (stdlib.Tensor, error) {
	t := stdlib.Tensor{Rank: stdlib.Rank{Array: ty.Dims, Row: ty.Base == types.RowVectorBase || ty.Base == types.ComplexRowVectorBase}}
	var v any
	d := json.NewDecoder(bytes.NewReader(raw))
	if err := d.Decode(&v); err != nil {
		return t, err
	}
	rank := ty.Rank()
	for level, w := 0, v; level < rank; level++ {
		l, ok := w.([]any)
		if !ok {
			return t, fmt.Errorf("expected a list at level %d", level)
		}
		t.Dims = append(t.Dims, len(l))
		if len(l) == 0 {
			for len(t.Dims) < rank {
				t.Dims = append(t.Dims, 0)
			}
			break
		}
		w = l[0]
	}
	width := 1
	if ty.Base.IsComplex() {
		width = 2
	}
	t.X = make([]float64, width*product(t.Dims))
	if len(t.X) == 0 {
		return t, nil
	}
	return t, fillTensor(v, t.Dims, ty, width, t.X)
}

func fillTensor(v any, dims []int, ty types.Type, width int, x []float64) error {
	if ty.Dims == 0 && len(dims) == 2 { // matrix: row by row into columns
		for r, row := range v.([]any) {
			l := row.([]any)
			if len(l) != dims[1] {
				return fmt.Errorf("ragged matrix")
			}
			for c, e := range l {
				k := width * (c*dims[0] + r)
				if err := fillNumber(e, x[k:k+width]); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if len(dims) == 0 {
		return fillNumber(v, x)
	}
	l, ok := v.([]any)
	if !ok || len(l) != dims[0] {
		return fmt.Errorf("ragged list")
	}
	if ty.Dims > 0 {
		ty = ty.Elem()
	}
	step := len(x) / dims[0]
	for i, e := range l {
		if err := fillTensor(e, dims[1:], ty, width, x[i*step:(i+1)*step]); err != nil {
			return err
		}
	}
	return nil
}

func fillNumber(v any, x []float64) error {
	switch v := v.(type) {
	case float64:
		x[0] = v
	case string:
		switch v {
		case "inf":
			x[0] = math.Inf(1)
		case "-inf":
			x[0] = math.Inf(-1)
		case "nan":
			x[0] = math.NaN()
		default:
			return fmt.Errorf("bad number %q", v)
		}
	case []any:
		if len(x) != 2 || len(v) != 2 {
			return fmt.Errorf("unexpected pair")
		}
		for i := range v {
			if err := fillNumber(v[i], x[i:i+1]); err != nil {
				return err
			}
		}
	default:
		return fmt.Errorf("bad value %v", v)
	}
	return nil
}

func product(dims []int) int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return n
}
