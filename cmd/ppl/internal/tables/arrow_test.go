package tables

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/float16"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/google/go-cmp/cmp"

	"github.com/seed-12b88e03/ppl/ir/data"
)

// arrowTypes has a column of each type that is read, and of some that are not.
var arrowTypes = []arrow.Field{
	{Name: "i8", Type: arrow.PrimitiveTypes.Int8}, {Name: "i16", Type: arrow.PrimitiveTypes.Int16}, {Name: "i32", Type: arrow.PrimitiveTypes.Int32},
	{Name: "i64", Type: arrow.PrimitiveTypes.Int64}, {Name: "u8", Type: arrow.PrimitiveTypes.Uint8}, {Name: "u16", Type: arrow.PrimitiveTypes.Uint16},
	{Name: "u32", Type: arrow.PrimitiveTypes.Uint32}, {Name: "u64", Type: arrow.PrimitiveTypes.Uint64}, {Name: "f16", Type: arrow.FixedWidthTypes.Float16},
	{Name: "f32", Type: arrow.PrimitiveTypes.Float32}, {Name: "f64", Type: arrow.PrimitiveTypes.Float64}, {Name: "flag", Type: arrow.FixedWidthTypes.Boolean},
	{Name: "g", Type: &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int16, ValueType: arrow.BinaryTypes.String}},
	{Name: "code", Type: &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.PrimitiveTypes.Int64}},
	{Name: "plain", Type: arrow.BinaryTypes.LargeString}, {Name: "view", Type: arrow.BinaryTypes.StringView}, {Name: "odd", Type: arrow.BinaryTypes.String},
	{Name: "maybe", Type: arrow.PrimitiveTypes.Float64, Nullable: true}, {Name: "none", Type: arrow.Null, Nullable: true},
	{Name: "when", Type: arrow.FixedWidthTypes.Timestamp_ms}, {Name: "date", Type: arrow.FixedWidthTypes.Date32},
	{Name: "list", Type: arrow.ListOf(arrow.PrimitiveTypes.Float64)}, {Name: "bytes", Type: arrow.BinaryTypes.Binary},
	{Name: "group", Type: arrow.StructOf(arrow.Field{Name: "a", Type: arrow.PrimitiveTypes.Int8})}, {Name: "price", Type: &arrow.Decimal128Type{Precision: 10, Scale: 2}},
	{Name: "x.1", Type: arrow.PrimitiveTypes.Float64}, {Name: "x.2", Type: arrow.PrimitiveTypes.Float64},
}

// arrowBatch is rows from to to of a table with these types; others than those that are read hold nulls.
func arrowBatch(schema *arrow.Schema, from, to int) arrow.RecordBatch {
	b := array.NewRecordBuilder(memory.NewGoAllocator(), schema)
	for k, field := range schema.Fields() {
		for i := from; i < to; i++ {
			switch b := b.Field(k).(type) {
			case *array.Int8Builder:
				b.Append(int8(i % 100))
			case *array.Int16Builder:
				b.Append(int16(-i))
			case *array.Int32Builder:
				b.Append(int32(-i) << 10)
			case *array.Int64Builder:
				b.Append(int64(i) << 20)
			case *array.Uint8Builder:
				b.Append(math.MaxUint8 - uint8(i%100))
			case *array.Uint16Builder:
				b.Append(math.MaxUint16 - uint16(i))
			case *array.Uint32Builder:
				b.Append(math.MaxUint32 - uint32(i))
			case *array.Uint64Builder:
				b.Append(1 << 63)
			case *array.Float16Builder:
				b.Append(float16.New(float32(i%100) / 4))
			case *array.Float32Builder:
				b.Append(float32(i) / 4)
			case *array.Float64Builder:
				switch {
				case field.Name == "maybe" && i == 7:
					b.AppendNull()
				case field.Name == "x.2":
					b.Append(0.5)
				default:
					b.Append(math.Sin(float64(i)))
				}
			case *array.BooleanBuilder:
				b.Append(i%3 == 0)
			case *array.BinaryDictionaryBuilder:
				_ = b.AppendString(fmt.Sprintf("g%02d", 50-i%50))
			case *array.Int64DictionaryBuilder:
				_ = b.Append(int64(1000 * (i % 5)))
			case *array.LargeStringBuilder:
				b.Append(fmt.Sprint("ü", i))
			case *array.StringViewBuilder:
				b.Append(fmt.Sprint("a text that is not inline ", i%2))
			case *array.StringBuilder:
				b.Append("\xff")
			default:
				b.AppendNull()
			}
		}
	}
	return b.NewRecordBatch()
}

// arrowFile writes batches of rows as a file or a stream.
func arrowFile(t testing.TB, name string, fields []arrow.Field, n int, options ...ipc.Option) string {
	t.Helper()
	schema := arrow.NewSchema(fields, nil)
	var b bytes.Buffer
	options = append(options, ipc.WithSchema(schema))
	var w interface {
		Write(arrow.RecordBatch) error
		Close() error
	}
	w, err := ipc.NewFileWriter(&b, options...)
	if strings.HasSuffix(name, "s") {
		b.Reset()
		w, err = ipc.NewWriter(&b, options...), nil
	}
	if err != nil {
		t.Fatal(err)
	}
	for from := 0; from < n; from += 1000 {
		if err := w.Write(arrowBatch(schema, from, min(from+1000, n))); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file(t, name, b.Bytes())
}

// oneBatch are types without dictionaries, of which the writer of a file allows one for all batches.
var oneBatch = arrowTypes[:12]

// readableNames are the variables that can be read.
const readableNames = "i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 flag g code plain view maybe none x"

// TestArrowTypes: the numbers of each type are those that were written, from files and streams, compressed or not.
func TestArrowTypes(t *testing.T) {
	const n = 2500
	for _, c := range []struct {
		name    string
		fields  []arrow.Field
		n       int
		options []ipc.Option
	}{
		{"t.arrow", arrowTypes, 1000, nil},
		{"t.arrow", oneBatch, n, nil},
		{"t.FEATHER", oneBatch, n, []ipc.Option{ipc.WithLZ4()}},
		{"t.dat", oneBatch, n, []ipc.Option{ipc.WithZstd()}},
		{"t.arrows", arrowTypes, n, nil},
		{"t.stats", arrowTypes, n, []ipc.Option{ipc.WithLZ4(), ipc.WithDictionaryDeltas(true)}},
	} {
		s, err := data.ReadFiles(arrowFile(t, c.name, c.fields, c.n, c.options...), wanting(readableNames), Formats()...)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		want := map[string][]float64{}
		for i := range c.n {
			flag, x := 0.0, float64(i)
			if i%3 == 0 {
				flag = 1
			}
			for name, x := range map[string]float64{
				"i8": float64(i % 100), "i16": -x, "i32": -x * 1024, "i64": x * 1048576, "u8": 255 - float64(i%100), "u16": 65535 - x, "u32": 4294967295 - x,
				"u64": 9223372036854775808, "f16": float64(i%100) / 4, "f32": x / 4, "f64": math.Sin(x), "flag": flag, "g": float64(50 - i%50), "code": float64(1000 * (i % 5)), "view": float64(1 + i%2),
			} {
				want[name] = append(want[name], x)
			}
			want["x"] = append(want["x"], math.Sin(x), 0.5)
		}
		read := 0
		for name, x := range want {
			v := s.Vars[name]
			if v == nil && len(c.fields) == len(oneBatch) {
				continue
			}
			read++
			if diff := cmp.Diff(x, v.X); diff != "" {
				t.Errorf("%s of %s (-want +got):\n%s", name, c.name, diff)
			}
			if real := strings.Contains("f16 f32 f64 x", name); v.Ints == real {
				t.Errorf("%s: read as integers: %v", name, v.Ints)
			}
		}
		if read < len(oneBatch) {
			t.Errorf("%s: %d variables", c.name, read)
		}
		if v := s.Vars["plain"]; v != nil && (len(v.Levels) != c.n || v.Levels[int(v.X[3])-1] != "ü3") {
			t.Errorf("plain has %d texts", len(v.Levels))
		}
	}
}

// TestArrowOfAnother: tables that another implementation has written: apache-arrow 21 of JavaScript, whose stream comes in two batches with
// a dictionary each. The numbers are the formulas of who wrote them.
func TestArrowOfAnother(t *testing.T) {
	for _, name := range []string{"js.arrow", "js.arrows"} {
		path := filepath.Join("testdata", name)
		s, err := data.ReadFiles(path, nil, Formats()...)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string][]float64{}
		levels := []float64{1, 3, 2} // north, south, ost ü among their bytes: north, ost ü, south
		for i := range 10 {
			x := float64(i)
			flag := 0.0
			if i%3 == 0 {
				flag = 1
			}
			for name, x := range map[string]float64{
				"y": x*x/8 - 1, "k": x - 3, "u": 200 + x, "big": x * 1000000007, "f": x / 4, "flag": flag, "g": levels[i%3], "text": float64(1 + i%2),
			} {
				want[name] = append(want[name], x)
			}
			want["x"] = append(want["x"], x, -x)
		}
		for variable, x := range want {
			if diff := cmp.Diff(x, s.Vars[variable].X); diff != "" {
				t.Errorf("%s of %s (-want +got):\n%s", variable, name, diff)
			}
		}
		if diff := cmp.Diff([]string{"north", "ost ü", "south"}, s.Vars["g"].Levels); diff != "" {
			t.Error(diff)
		}
		gap := path + ": row 3 of column maybe: error: maybe[3]: the value is missing (null or NaN); leave the observation out, or have --impute maybe make it a parameter of the model [value-missing]"
		if v := s.Vars["maybe"]; v.Missing != 3 || v.X[3] != 3.5 || s.Gap(v, "maybe", 2).Error() != gap {
			t.Errorf("a missing value: %d, %v", v.Missing, s.Gap(v, "maybe", 2))
		}
	}
}

// TestArrowFaults: each with its cell, or column, or none for the file as a whole.
func TestArrowFaults(t *testing.T) {
	whole, stream := arrowFile(t, "t.arrow", arrowTypes, 900), arrowFile(t, "t.arrows", arrowTypes, 2500)
	inFile, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	inStream, err := os.ReadFile(stream)
	if err != nil {
		t.Fatal(err)
	}
	twice := arrowFile(t, "t.arrow", []arrow.Field{arrowTypes[0], arrowTypes[0]}, 3)
	const expected = "; expected numbers, truth values or texts [data-type]"
	const broken = ": error: this is no whole Arrow file or stream ("
	for _, c := range []struct{ path, want, text string }{
		{whole, "odd", `: row 1 of column odd: error: odd: this is no UTF-8 ("\xff") [data-type]`},
		{whole, "when", ": column when: error: when: the column holds values of the type timestamp[ms, tz=UTC]" + expected},
		{whole, "date", ": column date: error: date: the column holds values of the type date32" + expected},
		{whole, "list", ": column list: error: list: the column holds values of the type list<item: float64, nullable>" + expected},
		{whole, "bytes", ": column bytes: error: bytes: the column holds values of the type binary" + expected},
		{whole, "group", ": column group: error: group: the column holds values of the type struct<a: int8>" + expected},
		{whole, "price", ": column price: error: price: the column holds values of the type decimal(10, 2)" + expected},
		{twice, "i8", ": column i8: error: i8: there is another column of this name [duplicate-key]"},
		{file(t, "half.arrow", inFile[:len(inFile)/2]), "f64", broken},
		{file(t, "end.arrow", inFile[:len(inFile)-1]), "f64", broken},
		{file(t, "half.arrows", inStream[:len(inStream)/2]), "f64", broken + "the stream is cut off, or was not closed by who wrote it); copy or write it again [arrow-syntax]"},
		{file(t, "end.arrows", inStream[:len(inStream)-8]), "f64", broken + "the stream is cut off"},
		{file(t, "middle.arrows", append(bytes.Clone(inStream[:len(inStream)/2]), arrowEnd...)), "f64", broken},
		{file(t, "nothing.arrow", nil), "f64", broken + "it is shorter than one"},
		{file(t, "text.arrow", []byte("f64\n1\n2\n3\n")), "f64", broken + `it begins with "f64\n1\n"`},
		{file(t, "old.feather", []byte("FEA1 and more, FEA1")), "f64", broken},
		{file(t, "holes.arrow", append(append(bytes.Clone(inFile[:8]), make([]byte, len(inFile)/2)...), inFile[8+len(inFile)/2:]...)), "f64", broken},
	} {
		_, err := data.ReadFiles(c.path, wanting(c.want), Formats()...)
		var known *data.Error
		if !errors.As(err, &known) || !strings.HasPrefix(err.Error(), c.path+c.text) {
			t.Errorf("%s of %s: %v", c.want, filepath.Base(c.path), err)
		}
	}
	s, err := data.ReadFiles(whole, wanting("maybe none"), Formats()...)
	if err != nil {
		t.Fatal(err)
	}
	if v := s.Vars["maybe"]; v.Missing != 8 || !math.IsNaN(v.X[7]) || v.X[8] != math.Sin(8) {
		t.Errorf("a missing value: %d", v.Missing)
	}
	if v := s.Vars["none"]; len(v.X) != 900 || v.Missing != 1 {
		t.Errorf("a column of nulls: %d values, missing from %d", len(v.X), v.Missing)
	}
	if s, err := data.ReadFiles(arrowFile(t, "e.arrow", arrowTypes, 0), wanting("f64"), Formats()...); err != nil || len(s.Vars["f64"].X) != 0 {
		t.Errorf("no rows: %v", err)
	}
	if _, err := data.ReadFiles(filepath.Join(t.TempDir(), "gone.arrow"), nil, Formats()...); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// arrowSamples are small files and streams, compressed or not.
func arrowSamples(t testing.TB) (all [][]byte) {
	for _, path := range []string{
		arrowFile(t, "t.arrow", arrowTypes, 3), arrowFile(t, "t.arrows", arrowTypes, 3),
		arrowFile(t, "t.arrow", oneBatch, 3, ipc.WithLZ4()), arrowFile(t, "t.arrow", oneBatch, 3, ipc.WithZstd()),
	} {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, content)
	}
	return all
}

// readsOrRefuses wants content to be read, or an error of its own.
func readsOrRefuses(t *testing.T, content []byte) (read bool) {
	s, err := data.ReadFiles(file(t, "t.arrow", content), wanting(readableNames), Formats()...)
	if err != nil {
		var known *data.Error
		if !errors.As(err, &known) || strings.Contains(err.Error(), "goroutine") {
			t.Errorf("error %v", err)
		}
		return false
	}
	for name, v := range s.Vars {
		if len(v.X) != data.Len(v.Dims) {
			t.Errorf("%s: %d numbers for %v", name, len(v.X), v.Dims)
		}
	}
	return true
}

// TestArrowDamage: files with a few wrong bytes are read or refused, and take neither all memory nor long.
func TestArrowDamage(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	read, refused := 0, 0
	for _, whole := range arrowSamples(t) {
		for range 200 {
			content := bytes.Clone(whole)
			for range 1 + r.IntN(4) {
				content[r.IntN(len(content))] ^= 1 << r.IntN(8)
			}
			if readsOrRefuses(t, content) {
				read++
			} else {
				refused++
			}
		}
	}
	if read < 50 || refused < 50 {
		t.Errorf("%d files were read, %d refused", read, refused)
	}
}

// FuzzArrow: whatever a file holds is read, or is an error.
func FuzzArrow(f *testing.F) {
	for _, content := range arrowSamples(f) {
		f.Add(content)
		f.Add(content[:len(content)-5])
	}
	f.Fuzz(func(t *testing.T, content []byte) { readsOrRefuses(t, content) })
}
