package data

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-12b88e03/ppl/lang/types"
)

func read(t *testing.T, text string) *Set {
	t.Helper()
	s, err := ReadBytes([]byte(text), "d.json", nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestReadForms(t *testing.T) {
	s := read(t, `{
	"i": 3, "r": 2.5, "z": -0, "e": 1e3, "big": 12345678901234567890, "tiny": 5e-324,
	"words": ["NaN", NaN, "Inf", "-Inf", "Infinity", -Infinity, Infinity, "-Infinity", "+Inf"],
	"m": [[1, 2, 3], [4, 5, 6]], "empty": [], "rows": [[], []],
	"t": {"1": 1, "2": [1.5, 2]},
	"ts": [[{"1": 1, "2": 0.5}], [{"1": 2, "2": 1.5}]],
	"a\u00e9\ud83d\ude00\n": 1}`)
	inf := math.Inf(1)
	for name, want := range map[string]struct {
		dims []int
		x    []float64
		ints bool
	}{
		"i": {nil, []float64{3}, true}, "r": {nil, []float64{2.5}, false}, "z": {nil, []float64{0}, true},
		"e": {nil, []float64{1000}, false}, "big": {nil, []float64{12345678901234567890}, true}, "tiny": {nil, []float64{5e-324}, false},
		"words": {[]int{9}, []float64{math.NaN(), math.NaN(), inf, -inf, inf, -inf, inf, -inf, inf}, false},
		"m":     {[]int{2, 3}, []float64{1, 2, 3, 4, 5, 6}, true}, "empty": {[]int{0}, nil, true}, "rows": {[]int{2, 0}, nil, true},
		"aé😀\n": {nil, []float64{1}, true},
	} {
		v := s.Vars[name]
		if v == nil {
			t.Errorf("%s is missing", name)
			continue
		}
		if fmt.Sprint(v.Dims, v.X, v.Ints) != fmt.Sprint(want.dims, want.x, want.ints) {
			t.Errorf("%s: found %v %v %v, want %v", name, v.Dims, v.X, v.Ints, want)
		}
	}
	if math.Signbit(s.Vars["z"].X[0]) {
		t.Error("the integer -0 kept its sign")
	}
	if v := s.Vars["t"]; !v.IsTuple() || v.Fields["2"].X[0] != 1.5 || v.Fields["2"].Name != "t.2" {
		t.Errorf("t: %+v", v)
	}
	if v := s.Vars["ts"]; len(v.Elems) != 2 || v.Elems[1].Fields["2"].X[0] != 1.5 || !cmp.Equal(v.Dims, []int{2, 1}) ||
		v.Elems[1].Fields["1"].Name != "ts[2,1].1" {
		t.Errorf("ts: %+v", v)
	}
}

func TestUnwantedIsSkipped(t *testing.T) {
	text := `{"a": [[1], [2, 3]], "b": null, "c": {"x": [true, "high"]}, "N": 7}`
	s, err := Read(strings.NewReader(text), "d.json", func(name string) bool { return name == "N" })
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Vars) != 1 || s.Vars["N"].X[0] != 7 {
		t.Errorf("found %v", s.Vars)
	}
}

func TestReadAll(t *testing.T) {
	for text, want := range map[string]int{`{"a": 1}`: 1, `[]`: 0, `[{"a": 1}, {"a": 2}]`: 2} {
		sets, err := ReadAll(strings.NewReader(text), "d.json", nil)
		if err != nil || len(sets) != want {
			t.Errorf("%s: %d sets, %v", text, len(sets), err)
		}
	}
	for _, text := range []string{`3`, `[1]`, `[{"a": 1}`, `{} {}`} {
		if _, err := ReadAll(strings.NewReader(text), "d.json", nil); err == nil {
			t.Errorf("%s: no error", text)
		}
	}
}

// Every line: the text, and the message that it must give.
var wrong = []struct{ text, want string }{
	{``, "d.json:1:1: error: expected an object { ... } with the variables by name, found the end of the file [json-syntax]\n"},
	{`[1]`, "d.json:1:1: error: expected an object { ... } with the variables by name, found an array [json-syntax]\n    [1]\n    ^\n"},
	{"{\n  \"N\": 3\n  \"M\": 4\n}", "d.json:3:3: error: expected ',' or '}', found \"M\" [json-syntax]\n      \"M\": 4\n      ^\n"},
	{`{"y": [1, 2,`, "d.json:1:13: error: y[3]: expected a number or an array, found the end of the file [json-syntax]\n    {\"y\": [1, 2,\n                ^\n"},
	{`{"y": [1, nul]}`, "d.json:1:11: error: y[2]: expected a number or an array, found nul [data-type]\n    {\"y\": [1, nul]}\n              ^\n"},
	{`{"y": [[1, 2], [3]]}`, "d.json:1:18: error: y[2]: has 1 element where the array before it has 2; arrays inside an array must have equal length [ragged-array]\n    {\"y\": [[1, 2], [3]]}\n                     ^\n"},
	{`{"y": [1, [2]]}`, "d.json:1:11: error: y[2]: found an array where the elements before it are single values [ragged-array]\n    {\"y\": [1, [2]]}\n              ^\n"},
	{`{"y": [[1], 2]}`, "d.json:1:13: error: y[2]: found 2 where the elements before it are arrays [ragged-array]\n    {\"y\": [[1], 2]}\n                ^\n"},
	{`{"y": [1, {"1": 1}]}`, "d.json:1:11: error: y[2]: found an object; an array holds numbers or tuples, not both [ragged-array]\n    {\"y\": [1, {\"1\": 1}]}\n              ^\n"},
	{`{"é": 1, "é": 2}`, "d.json:1:10: error: the name \"é\" stands here for the second time; the first is at line 1, column 2 [duplicate-key]\n    {\"é\": 1, \"é\": 2}\n             ^\n"},
	{`{"x": "high"}`, "d.json:1:7: error: x: expected a number, found \"high\"; of strings only \"NaN\", \"Inf\" and \"-Inf\" are numbers [data-type]\n    {\"x\": \"high\"}\n          ^\n"},
	{`{"x": 01}`, "d.json:1:7: error: x: 01 is no number of JSON [json-syntax]\n    {\"x\": 01}\n          ^\n"},
	{`{"x": 1.}`, "d.json:1:7: error: x: 1. is no number of JSON [json-syntax]\n    {\"x\": 1.}\n          ^\n"},
	{`{"x": 1e999}`, "d.json:1:7: error: x: 1e999 is too large for a number [data-type]\n    {\"x\": 1e999}\n          ^\n"},
	{`{"x": -}`, "d.json:1:7: error: x: - is no number of JSON [json-syntax]\n    {\"x\": -}\n          ^\n"},
	{`{"x": Nan}`, "d.json:1:7: error: x: expected a number, found Nan [json-syntax]\n    {\"x\": Nan}\n          ^\n"},
	{`{"x": true}`, "d.json:1:7: error: x: expected a number or an array, found true [data-type]\n    {\"x\": true}\n          ^\n"},
	{`{"t": {"a": 1}}`, "d.json:1:13: error: t: the fields of a tuple are named \"1\", \"2\", ..., found \"a\" [data-type]\n    {\"t\": {\"a\": 1}}\n                ^\n"},
	{`{x: 1}`, "d.json:1:2: error: expected a name in quotes, found x [json-syntax]\n    {x: 1}\n     ^\n"},
	{`{"x" 1}`, "d.json:1:6: error: x: expected ':' after the name, found 1 [json-syntax]\n    {\"x\" 1}\n         ^\n"},
	{`{"x": 1} 2`, "d.json:1:10: error: expected the end of the file, found 2 [json-syntax]\n    {\"x\": 1} 2\n             ^\n"},
	{`{"x`, "d.json:1:4: error: the string that starts at line 1, column 2 has no end [json-syntax]\n    {\"x\n       ^\n"},
	{`{"x": 1,}`, "d.json:1:9: error: expected a name in quotes, found '}' [json-syntax]\n    {\"x\": 1,}\n            ^\n"},
}

func TestReadErrors(t *testing.T) {
	for _, c := range wrong {
		_, err := Read(iotest.OneByteReader(strings.NewReader(c.text)), "d.json", nil)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if diff := cmp.Diff(c.want, e.Text()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.text, diff)
		}
	}
}

func TestNesting(t *testing.T) {
	for _, text := range []string{strings.Repeat("[", 1_000_000), strings.Repeat(`{"1":`, 1_000_000)} {
		for _, want := range []func(string) bool{nil, func(string) bool { return false }} {
			if _, err := Read(strings.NewReader(`{"x": `+text), "d.json", want); err == nil || !strings.Contains(err.Error(), "nested deeper") {
				t.Errorf("%.20s: %v", text, err)
			}
		}
	}
}

func TestReaderError(t *testing.T) {
	_, err := Read(iotest.ErrReader(io.ErrUnexpectedEOF), "d.json", nil)
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("found %v", err)
	}
}

func TestConvert(t *testing.T) {
	s := read(t, `{"m": [[1, 2, 3], [4, 5, 6]], "am": [[[1, 2], [3, 4]], [[5, 6], [7, 8]]], "z": [1, 2],
		"cm": [[[1, -1], [2, -2]], [[3, -3], [4, -4]]], "e": [], "r": [[], []]}`)
	for _, c := range []struct {
		name string
		t    types.Type
		dims []int
		want []float64
	}{
		{"m", types.Matrix, []int{2, 3}, []float64{1, 4, 2, 5, 3, 6}},
		{"m", types.ArrayOf(types.Int, 2), []int{2, 3}, []float64{1, 2, 3, 4, 5, 6}},
		{"m", types.ArrayOf(types.Vector, 1), []int{2, 3}, []float64{1, 2, 3, 4, 5, 6}},
		{"am", types.ArrayOf(types.Matrix, 1), []int{2, 2, 2}, []float64{1, 3, 2, 4, 5, 7, 6, 8}},
		{"z", types.Complex, nil, []float64{1, 2}},
		{"cm", types.ComplexMatrix, []int{2, 2}, []float64{1, -1, 3, -3, 2, -2, 4, -4}},
		{"e", types.Vector, []int{0}, nil},
		{"e", types.ArrayOf(types.Vector, 1), []int{0, 3}, nil},
		{"e", types.Matrix, []int{0, 3}, nil},
		{"r", types.Matrix, []int{2, 0}, nil},
		{"absent", types.Matrix, []int{2, 0}, nil},
	} {
		x, err := s.Convert(s.Vars[c.name], c.name, c.t, c.dims)
		if err != nil || !cmp.Equal(append([]float64{}, c.want...), append([]float64{}, x...)) {
			t.Errorf("%s as %s: found %v, %v", c.name, Declared(c.t, c.dims), x, err)
		}
	}
}

func TestConvertErrors(t *testing.T) {
	s := read(t, "{\"N\": 2.0, \"big\": 3000000000,\n\"k\": [[1, 2], [3, 1e1]], \"y\": 1, \"w\": [1, \"NaN\"],\n\"t\": {\"1\": 1}}")
	pair := types.TupleOf(types.Int, types.Real)
	for _, c := range []struct {
		name string
		t    types.Type
		dims []int
		want string
	}{
		{"N", types.Int, nil, "d.json:1:7: error: N: the program declares int, found 2.0 [data-type]"},
		{"big", types.Int, nil, "d.json:1:19: error: big: the program declares int, found 3000000000; integers go from -2147483648 to 2147483647 [data-type]"},
		{"k", types.ArrayOf(types.Int, 2), []int{2, 2}, "d.json:2:19: error: k[2,2]: the program declares int, found 1e1 [data-type]"},
		{"w", types.ArrayOf(types.Int, 1), []int{2}, "d.json:2:43: error: w[2]: the program declares int, found \"NaN\" [data-type]"},
		{"y", types.Vector, []int{1}, "d.json:2:31: error: y: the program declares vector[1], found one number [data-size]"},
		{"k", types.ArrayOf(types.Real, 2), []int{2, 3}, "d.json:2:6: error: k: the program declares array[2, 3] real, found an array of 2 x 2 numbers [data-size]"},
		{"k", types.Real, nil, "d.json:2:6: error: k: the program declares real, found an array of 2 x 2 numbers [data-size]"},
		{"y", types.Complex, nil, "d.json:2:31: error: y: the program declares complex, each number written as [re, im], found one number [data-size]"},
		{"q", types.Vector, []int{2}, "d.json: error: q: the program declares vector[2], and the data do not have it; they have N, big, k, y, w, t [data-missing]"},
		{"t", types.Real, nil, "d.json:3:6: error: t: the program declares real, found one tuple [data-size]"},
		{"t", pair, nil, "d.json:3:6: error: t: the program declares a tuple of 2 fields, and field \"2\" is missing [data-type]"},
		{"y", pair, nil, "d.json:2:31: error: y: the program declares tuple(int, real), found one number [data-size]"},
	} {
		var err error
		if c.t.Base == types.TupleBase {
			_, err = s.Tuples(s.Vars[c.name], c.name, c.t, c.dims)
		} else {
			_, err = s.Convert(s.Vars[c.name], c.name, c.t, c.dims)
		}
		if err == nil || err.Error() != c.want {
			t.Errorf("%s as %s:\nfound %v\nwant  %s", c.name, Declared(c.t, c.dims), err, c.want)
		}
	}
}

func TestErrorAt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "d.json")
	if err := os.WriteFile(path, []byte("{\n  \"z\": [[[1, 2], [3, 4]],\n        [[5, 6], [7, 8]]]}"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := ReadFile(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	var e *Error
	if !errors.As(s.ErrorAt(s.Vars["z"], []int{1, 0}, "c", "is %d", 3), &e) {
		t.Fatal("no *Error")
	}
	e.File = "f"
	if want := "f:3:11: error: z[2,1]: is 3 [c]\n            [[5, 6], [7, 8]]]}\n              ^\n"; e.Text() != want {
		t.Errorf("found\n%swant\n%s", e.Text(), want)
	}
	// A reader that is used up leaves the place of the variable.
	s, err = Read(strings.NewReader(`{"y": [1, 2]}`), "d.json", nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.ErrorAt(s.Vars["y"], []int{1}, "c", "no").Error(); got != "d.json:1:7: error: y[2]: no [c]" {
		t.Error(got)
	}
}

func TestLongLinesAreCut(t *testing.T) {
	text := `{"y": [` + strings.Repeat("1.25, ", 100_000) + `nope` + strings.Repeat(", 7", 100) + "]}"
	_, err := Read(strings.NewReader(text), "d.json", nil)
	var e *Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	lines := strings.Split(e.Text(), "\n")
	if len(lines[1]) > 110 || !strings.HasPrefix(lines[2][strings.Index(lines[2], "^")-0:], "^") || lines[1][strings.Index(lines[2], "^"):][:4] != "nope" {
		t.Errorf("found\n%s", e.Text())
	}
	if want := fmt.Sprintf("d.json:1:%d: error: y[100001]", 8+600_000); !strings.HasPrefix(e.Error(), want) {
		t.Errorf("found %s, want %s", e.Error(), want)
	}
}

func TestFromGo(t *testing.T) {
	s, err := FromGo(map[string]any{
		"N": 3, "y": []float64{1, 2}, "m": [][]int{{1, 2}, {3, 4}}, "z": complex(1, 2), "zs": []complex128{1, 2i},
		"t": map[string]any{"1": 1, "2": []int{4}}, "ts": []map[string]any{{"1": 1}, {"1": 2}}, "none": []int{},
	})
	if err != nil {
		t.Fatal(err)
	}
	if v := s.Vars["N"]; !v.Ints || v.Dims != nil || v.X[0] != 3 {
		t.Errorf("N: %+v", v)
	}
	if v := s.Vars["y"]; v.Ints || v.FirstReal != 0 {
		t.Errorf("y: %+v", v)
	}
	if v := s.Vars["zs"]; !cmp.Equal(v.Dims, []int{2, 2}) || !cmp.Equal(v.X, []float64{1, 0, 0, 2}) {
		t.Errorf("zs: %+v", v)
	}
	if v := s.Vars["t"]; v.Fields["2"].X[0] != 4 {
		t.Errorf("t: %+v", v)
	}
	if v := s.Vars["ts"]; len(v.Elems) != 2 || v.Elems[1].Fields["1"].X[0] != 2 {
		t.Errorf("ts: %+v", v)
	}
	for _, bad := range []any{nil, "x", [][]int{{1}, {2, 3}}, []any{1, []int{1}}, struct{}{}, []any{map[string]int{"1": 1}, 2}} {
		if _, err := FromGo(map[string]any{"x": bad}); err == nil {
			t.Errorf("%v: no error", bad)
		}
	}
}

// The fast path of number reading agrees with strconv to the last bit.
func TestNumbersAreExact(t *testing.T) {
	for _, text := range []string{"0.1", "123456789012345", "1234567.89012345", "0.000000000000001", "9007199254740993", "1.7976931348623157e308",
		"2.2250738585072014e-308", "-0.0", "999999999999999", "9999999999999999", "0.30000000000000004", "100000000000000000000000"} {
		s := read(t, `{"x": `+text+`}`)
		want, _ := strconv.ParseFloat(text, 64)
		if got := s.Vars["x"].X[0]; math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("%s: found %v", text, got)
		}
	}
}

// No input makes the reader panic, and where encoding/json reads the same text as
// numbers, it reads the same numbers.
func FuzzRead(f *testing.F) {
	for _, c := range wrong {
		f.Add([]byte(c.text))
	}
	f.Add([]byte(`{"a": [1, 2.5e3], "t": {"1": [[1], [2]]}, "z": ["NaN", -Infinity]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := ReadBytes(text, "d.json", nil)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("not an *Error: %v", err)
			}
			_ = e.Text()
			return
		}
		var plain map[string]float64
		if json.Unmarshal(text, &plain) == nil {
			for name, x := range plain {
				if v := s.Vars[name]; v != nil && (len(v.X) != 1 || v.X[0] != x) {
					t.Fatalf("%s: found %v, encoding/json %v", name, v.X, x)
				}
			}
		}
		for name, v := range s.Vars {
			if !v.IsTuple() && len(v.X) != Len(v.Dims) {
				t.Fatalf("%s: %d numbers for sizes %v", name, len(v.X), v.Dims)
			}
			_ = s.ErrorAt(v, make([]int, len(v.Dims)), "c", "x").Error()
			_, _ = s.Convert(v, name, types.ArrayOf(types.Int, len(v.Dims)), v.Dims)
		}
	})
}

// Numbers cost no allocation each: reading a column is a matter of growing one slice.
func TestAllocations(t *testing.T) {
	text := []byte(`{"y": [` + strings.Repeat("1.25,", 99_999) + "1.25]}")
	n := testing.AllocsPerRun(3, func() {
		if _, err := ReadBytes(text, "d.json", nil); err != nil {
			t.Fatal(err)
		}
	})
	if n > 100 {
		t.Errorf("%v allocations for 100000 numbers", n)
	}
}

func BenchmarkRead(b *testing.B) {
	text := []byte(`{"y": [` + strings.Repeat("1.2345678,", 999_999) + "1.25]}")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := ReadBytes(text, "d.json", nil); err != nil {
			b.Fatal(err)
		}
	}
}

// TestVanished reads numbers on both sides of the smallest one, 4.94e-324, half of which rounds to it or to 0.
func TestVanished(t *testing.T) {
	s, err := Read(strings.NewReader(`{"x": [0, 0.000, 0e-999, -0.0e5, 5e-324, 2.5e-324],
"y": [1, 2e-324, -3.1E-400], "z": 1e-99999}`), "d.json", nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := (Vanished{"y", "2e-324", Position{2, 10, 61}}); s.Vanished != 3 || s.First != want {
		t.Errorf("%d vanished, the first %v; want 3, %v", s.Vanished, s.First, want)
	}
	if s, err = Read(strings.NewReader(`{"x": [0, 0.00000000000000000000, 0E5]}`), "d.json", nil); err != nil || s.Vanished != 0 {
		t.Errorf("zeros as written: %d vanished, %v", s.Vanished, err)
	}
}
