package tables

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/lang/types"
)

const rowsText = "y,who,x.1,x.2,x.3\n1.5,b,1,2,3\nNA,a,4,5.5,6\n-0,b,7,8,NA\n1e300,NA,1,2,3\n"

// columnsFile is rowsText as a file of columns.
func columnsFile(t *testing.T) (csv, path string, text []byte) {
	t.Helper()
	dir := t.TempDir()
	csv, path = filepath.Join(dir, "rows.csv"), filepath.Join(dir, "rows.columns")
	var b bytes.Buffer
	err := os.WriteFile(csv, []byte(rowsText), 0o600)
	if err == nil {
		err = WriteColumns(&b, csv, nil, 1, *data.FormatOf(csv, Formats()...))
	}
	if err == nil {
		err = os.WriteFile(path, b.Bytes(), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return csv, path, b.Bytes()
}

// A file of columns has what the table has: the numbers to the bit, the texts, what is missing and what is no integer, and where.
func TestColumns(t *testing.T) {
	csv, path, text := columnsFile(t)
	if !strings.HasPrefix(string(text), columnsMagic) || len(columnsMagic) != 16 {
		t.Error("the file does not begin as one")
	}
	all := func(header []string) []bool { return slices.Repeat([]bool{true}, len(header)) }
	want, err := data.ReadCSVFile(csv, all)
	if err != nil {
		t.Fatal(err)
	}
	got, err := ReadColumns(path, all)
	if err != nil {
		t.Fatal(err)
	}
	if got.Rows != want.Rows || len(got.Columns) != len(want.Columns) {
		t.Fatalf("%d rows of %d columns", got.Rows, len(got.Columns))
	}
	for i, c := range got.Columns {
		w := want.Columns[i]
		same := func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }
		if c.Name != w.Name || c.Ints != w.Ints || c.FirstReal != w.FirstReal || c.Missing != w.Missing || c.Place != w.Place || !slices.Equal(c.Levels, w.Levels) || !slices.EqualFunc(c.X, w.X, same) {
			t.Errorf("column %s: found %+v, want %+v", c.Name, c, w)
		}
	}
	// As sets, by what programs declare: in the order of the program, and in that of the rows.
	for _, file := range []string{csv, path} {
		set, err := data.ReadFiles(file, func(name string) bool { return name == "x" }, Formats()...)
		if err != nil {
			t.Fatal(err)
		}
		v := set.Vars["x"]
		if v.Missing != 9 || v.Ints || v.FirstReal != 4 || !slices.Equal(v.Dims, []int{4, 3}) {
			t.Errorf("%s: found %+v", file, v)
		}
		byRow := v.ByRow()
		if !slices.Equal(byRow.X[:6], []float64{1, 2, 3, 4, 5.5, 6}) {
			t.Errorf("%s: by row %v", file, byRow.X)
		}
		x, err := set.Partial(v, "x", types.Matrix, []int{4, 3})
		if err != nil || !slices.Equal(x[:9], []float64{1, 4, 7, 1, 2, 5.5, 8, 2, 3}) {
			t.Errorf("%s: as a matrix %v, %v", file, x, err)
		}
		vectors := types.Vector
		vectors.Dims = 1
		if x, err = set.Partial(v, "x", vectors, []int{4, 3}); err != nil || !slices.Equal(x[:6], []float64{1, 2, 3, 4, 5.5, 6}) {
			t.Errorf("%s: as vectors %v, %v", file, x, err)
		}
	}
}

// A matrix of a file of columns is the file's own memory; columns that do not lie side by side are copied.
func TestMatrixIsMapped(t *testing.T) {
	_, path, _ := columnsFile(t)
	set, err := data.ReadFiles(path, nil, Formats()...)
	if err != nil {
		t.Fatal(err)
	}
	v := set.Vars["x"]
	x, err := set.Partial(v, "x", types.Matrix, []int{4, 3})
	if err != nil || &x[0] != &v.X[0] {
		t.Errorf("the matrix is copied, %v", err)
	}
	csv := filepath.Join(t.TempDir(), "apart.csv")
	var b bytes.Buffer
	apart := strings.TrimSuffix(csv, ".csv") + ".columns"
	err = errors.Join(os.WriteFile(csv, []byte("x.2,y,x.1\n2,0,1\n4,0,3\n"), 0o600), WriteColumns(&b, csv, nil, 1<<20, *data.FormatOf(csv)), os.WriteFile(apart, b.Bytes(), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	if set, err = data.ReadFiles(apart, nil, Formats()...); err != nil {
		t.Fatal(err)
	}
	if x, err := set.Convert(set.Vars["x"], "x", types.Matrix, []int{2, 2}); err != nil || !slices.Equal(x, []float64{1, 3, 2, 4}) {
		t.Errorf("columns that lie apart: %v, %v", x, err)
	}
}

// Files that are cut off or changed are refused, and nothing else happens.
func TestDamagedColumns(t *testing.T) {
	_, path, text := columnsFile(t)
	read := func(text []byte) error {
		t.Helper()
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := data.ReadFiles(path, nil, Formats()...)
		return err
	}
	if err := read(text); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 1, 16, columnsStart, columnsStart + 8, len(text) - 1, len(text) - 16, len(text) - 24} {
		if err := read(text[:n]); err == nil {
			t.Errorf("the first %d of %d bytes are taken", n, len(text))
		}
	}
	end := len(text) - columnsTail
	n := int(binary.LittleEndian.Uint64(text[end:]))
	footer := string(text[end-n : end])
	for _, change := range [][2]string{
		{`"rows":4`, `"rows":5`}, {`"rows":4`, `"rows":-4`}, {`"rows":4`, `"rows":4611686018427387904`}, {`"rows":4`, `"rows":"4"`}, {`"name":"y"`, `"name":"x.1"`},
		{`"missing":2`, `"missing":5`}, {`"missing":2`, `"missing":-1`}, {`"first_real":1`, `"first_real":9`}, {`"first_real":-1`, `"first_real":-2`}, {`"levels":["a","b"]`, `"levels":["a"]`}, {`{`, `[`},
	} {
		other := strings.Replace(footer, change[0], change[1], 1)
		if other == footer {
			t.Errorf("%s is not in %s", change[0], footer)
		}
		changed := append(append(slices.Clone(text[:end-n]), other...), binary.LittleEndian.AppendUint64(nil, uint64(len(other)))...)
		var e *data.Error
		if err := read(append(changed, columnsMagic...)); !errors.As(err, &e) {
			t.Errorf("%s: found %v", change[1], err)
		}
	}
	for _, length := range []uint64{0, 1, math.MaxUint64, uint64(len(text))} {
		changed := append(slices.Clone(text[:end]), binary.LittleEndian.AppendUint64(nil, length)...)
		if err := read(append(changed, columnsMagic...)); err == nil {
			t.Errorf("a footer of %d bytes is taken", length)
		}
	}
}
