package tables

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"github.com/seed-12b88e03/ppl/ir/data"
)

// A row has a column of each type that is read, and of some that are not.
type row struct {
	I8    int8      `parquet:"i8"`
	I32   int32     `parquet:"i32,delta"`
	U32   uint32    `parquet:"u32"`
	I64   int64     `parquet:"i64,zstd"`
	F32   float32   `parquet:"f32,snappy"`
	F64   float64   `parquet:"f64,gzip"`
	Whole float64   `parquet:"whole"`
	Flag  bool      `parquet:"flag"`
	G     string    `parquet:"g,dict"`
	Plain string    `parquet:"plain,plain"`
	Maybe *float64  `parquet:"maybe,optional"`
	Full  *int64    `parquet:"full,optional"`
	Bytes []byte    `parquet:"bytes"`
	X1    float64   `parquet:"x.1"`
	X2    float64   `parquet:"x.2"`
	When  time.Time `parquet:"when,timestamp"`
	List  []float64 `parquet:"list,list"`
	UUID  [16]byte  `parquet:"uuid,uuid"`
	Date  int32     `parquet:"date,date"`
}

const rows = 2500 // of several pages and two groups

func rowOf(i int) row {
	full := int64(i)
	r := row{
		I8: int8(i % 100), I32: int32(-i), U32: math.MaxUint32 - uint32(i), I64: int64(i) << 20, F32: float32(i) / 4, F64: math.Sin(float64(i)), Whole: float64(i), Flag: i%3 == 0,
		G: fmt.Sprintf("g%02d", 50-i%50), Plain: fmt.Sprint("ü", i), Full: &full, X1: float64(i), X2: 0.5, Bytes: []byte{0xff},
	}
	if i != 7 {
		r.Maybe = &r.F64
	}
	return r
}

// written writes rows as a file.
func written(t testing.TB, name string, n int) string {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[row](&b, parquet.MaxRowsPerRowGroup(1500), parquet.PageBufferSize(4096))
	for i := range n {
		if _, err := w.Write([]row{rowOf(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file(t, name, b.Bytes())
}

func file(t testing.TB, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func wanting(names ...string) func(string) bool {
	return func(name string) bool { return strings.Contains(" "+strings.Join(names, " ")+" ", " "+name+" ") }
}

// TestParquetTypes: the numbers of each type are those that were written, across pages and groups, by the name of the file and
// by what it begins with.
func TestParquetTypes(t *testing.T) {
	for _, name := range []string{"t.parquet", "t.PQ", "t.dat"} {
		s, err := data.ReadFiles(written(t, name, rows), wanting("i8 i32 u32 i64 f32 f64 whole flag g plain full x"), Formats()...)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string][]float64{}
		for i := range rows {
			r := rowOf(i)
			flag := 0.0
			if r.Flag {
				flag = 1
			}
			for name, x := range map[string]float64{"i8": float64(r.I8), "i32": float64(r.I32), "u32": float64(r.U32), "i64": float64(r.I64), "f32": float64(i) / 4, "f64": r.F64, "whole": r.Whole, "flag": flag, "g": float64(50 - i%50), "full": float64(i)} {
				want[name] = append(want[name], x)
			}
			want["x"] = append(want["x"], r.X1, r.X2)
		}
		for name, x := range want {
			v := s.Vars[name]
			if diff := cmp.Diff(x, v.X); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
			if real := strings.Contains("f32 f64 x", name); v.Ints == real {
				t.Errorf("%s: read as integers: %v", name, v.Ints)
			}
		}
		if got := s.Vars["plain"]; len(got.Levels) != rows || got.Levels[int(got.X[3])-1] != "ü3" {
			t.Errorf("plain has %d texts", len(got.Levels))
		}
		if got := s.Vars["g"].Levels; len(got) != 50 || got[0] != "g01" {
			t.Errorf("g has the texts %q", got)
		}
		if dims := s.Vars["x"].Dims; !cmp.Equal(dims, []int{rows, 2}) {
			t.Errorf("x is %v", dims)
		}
	}
}

// TestParquetFaults: each with its cell, or column, or none for the file as a whole.
func TestParquetFaults(t *testing.T) {
	whole := written(t, "t.parquet", rows)
	content, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	empty := written(t, "e.parquet", 0)
	for _, c := range []struct{ path, want, text string }{
		{whole, "bytes", `: row 1 of column bytes: error: bytes: this is no UTF-8 ("\xff") [data-type]`},
		{whole, "when", ": column when: error: when: the column holds values of the type TIMESTAMP(isAdjustedToUTC=true,unit=MILLIS); expected numbers, truth values or texts [data-type]"},
		{whole, "list", ": column list: error: list: the column holds lists or groups; expected numbers, truth values or texts [data-type]"},
		{whole, "date", ": column date: error: date: the column holds values of the type DATE; expected numbers, truth values or texts [data-type]"},
		{whole, "uuid", ": column uuid: error: uuid: the column holds values of the type UUID; expected numbers, truth values or texts [data-type]"},
		{file(t, "half.parquet", content[:len(content)/2]), "f64", ": error: this is no whole Parquet file ("},
		{file(t, "nothing.parquet", nil), "f64", ": error: this is no whole Parquet file ("},
		{file(t, "text.parquet", []byte("f64\n1\n")), "f64", ": error: this is no whole Parquet file ("},
		{file(t, "holes.parquet", append(append(bytes.Clone(content[:8]), make([]byte, len(content)/2)...), content[8+len(content)/2:]...)), "f64", ": error: this is no whole Parquet file ("},
	} {
		_, err := data.ReadFiles(c.path, wanting(c.want), Formats()...)
		var known *data.Error
		if !errors.As(err, &known) || !strings.HasPrefix(err.Error(), c.path+c.text) {
			t.Errorf("%s of %s: %v", c.want, filepath.Base(c.path), err)
		}
	}
	s, err := data.ReadFiles(whole, wanting("maybe"), Formats()...)
	if err != nil {
		t.Fatal(err)
	}
	v := s.Vars["maybe"]
	want := whole + ": row 8 of column maybe: error: maybe[8]: the value is missing (null or NaN); leave the observation out, or have --impute maybe make it a parameter of the model [value-missing]"
	if v.Missing != 8 || !math.IsNaN(v.X[7]) || v.X[8] != math.Sin(8) || s.Gap(v, "maybe", 7).Error() != want {
		t.Errorf("a missing value: %d, %v", v.Missing, s.Gap(v, "maybe", 7))
	}
	s, err = data.ReadFiles(empty, wanting("f64"), Formats()...)
	if err != nil || len(s.Vars["f64"].X) != 0 {
		t.Errorf("no rows: %v", err)
	}
	if _, err := data.ReadFiles(filepath.Join(t.TempDir(), "gone.parquet"), nil, Formats()...); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// FuzzParquet: whatever a file holds is read, or is an error.
func FuzzParquet(f *testing.F) {
	content, err := os.ReadFile(written(f, "t.parquet", 3))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(content)
	f.Add(content[:len(content)-5])
	f.Add([]byte("PAR1PAR1"))
	f.Fuzz(func(t *testing.T, content []byte) {
		path := file(t, "t.parquet", content)
		s, err := data.ReadFiles(path, nil, Formats()...)
		if err != nil {
			var known *data.Error
			if !errors.As(err, &known) || strings.Contains(err.Error(), "goroutine") {
				t.Errorf("error %v", err)
			}
			return
		}
		for name, v := range s.Vars {
			if len(v.X) != data.Len(v.Dims) {
				t.Errorf("%s: %d numbers for %v", name, len(v.X), v.Dims)
			}
		}
	})
}
