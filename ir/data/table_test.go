package data

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// write puts a text into a file.
func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Tables as people have them, and what each variable holds. The numbers are those of the text.
func TestTables(t *testing.T) {
	want := func(name string) bool {
		return strings.Contains(" n x y g flag Sepal_Length ", " "+name+" ")
	}
	for _, c := range []struct {
		name, text string
		x          map[string][]float64
		dims       map[string][]int
		levels     []string // of g
		ints       string   // variables that are integers
	}{
		{"columns", "y,n\n1.5,2\n-3e2,4\n", map[string][]float64{"y": {1.5, -300}, "n": {2, 4}}, map[string][]int{"y": {2}, "n": {2}}, nil, "n"},
		{"a matrix in any order", "x.2,x.1\n1,2\n3,4\n5,6\n", map[string][]float64{"x": {2, 1, 4, 3, 6, 5}}, map[string][]int{"x": {3, 2}}, nil, "x"},
		{"brackets", "x[1],x[2]\n1,2.5\n", map[string][]float64{"x": {1, 2.5}}, map[string][]int{"x": {1, 2}}, nil, ""},
		{"others are passed over", "id,y,note\nNA,1,\n,2,NA\n", map[string][]float64{"y": {1, 2}}, map[string][]int{"y": {2}}, nil, "y"},
		{"text", "g\nb\na\nb\n", map[string][]float64{"g": {2, 1, 2}}, map[string][]int{"g": {3}}, []string{"a", "b"}, "g"},
		{"true and false", "flag\nTRUE\nfalse\nTrue\n", map[string][]float64{"flag": {1, 0, 1}}, map[string][]int{"flag": {3}}, nil, "flag"},
		{"quotes, spaces and line breaks", "\"y\", g\n 1 ,\"a,\nb\"\n2,\"say \"\"hi\"\"\"\n", map[string][]float64{"y": {1, 2}, "g": {1, 2}}, map[string][]int{"y": {2}, "g": {2}}, []string{"a,\nb", `say "hi"`}, "y g"},
		{"names of data frames", "Sepal.Length\n5.1\n", map[string][]float64{"Sepal_Length": {5.1}}, map[string][]int{"Sepal_Length": {1}}, nil, ""},
		{"semicolons, a mark and line ends", "\xEF\xBB\xBFy;n\r\n1;2\r\n", map[string][]float64{"y": {1}, "n": {2}}, map[string][]int{"y": {1}, "n": {1}}, nil, "y n"},
		{"tabs", "y\tn\n1\t2\n", map[string][]float64{"y": {1}, "n": {2}}, map[string][]int{"y": {1}, "n": {1}}, nil, "y n"},
		{"no rows", "y,n\n", map[string][]float64{"y": nil, "n": nil}, map[string][]int{"y": {0}, "n": {0}}, nil, "y n"},
	} {
		s, err := ReadFiles(write(t, "t.csv", c.text), want)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		x, dims, ints := map[string][]float64{}, map[string][]int{}, map[string]bool{}
		for name, v := range s.Vars {
			x[name], dims[name] = v.X, v.Dims
			ints[name] = v.Ints
		}
		for name := range c.x {
			if got := ints[name]; got != strings.Contains(" "+c.ints+" ", " "+name+" ") {
				t.Errorf("%s: %s is read as integers: %v", c.name, name, got)
			}
		}
		if d := cmp.Diff(c.x, x); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
		if d := cmp.Diff(c.dims, dims); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
		if g := s.Vars["g"]; g != nil {
			if d := cmp.Diff(c.levels, g.Levels); d != "" {
				t.Errorf("%s: %s", c.name, d)
			}
		}
	}
}

// What is wrong with a table is said with its place.
func TestTablesThatAreRefused(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"mixed", "y\n1\nüber\n", `:3:1: error: y: row 2 is text ("über"), and the rows before it are a number`},
		{"mixed the other way", "y\na\n1\n", `row 2 is a number ("1"), and the rows before it are text`},
		{"not UTF-8", "g\na\nM\xfcnchen\n", `row 2 is not UTF-8 ("M\xfcnchen"); save the file as UTF-8`},
		{"Go's underscores", "y\n1\n1_000\n", `row 2 is text ("1_000"), and the rows before it are a number`},
		{"too large", "y\n1e999\n", "row 1: 1e999 is too large for a number"},
		{"a place after runes", "g,y\nüöä,1e999\n", ":2:5: error: y: row 1: 1e999"},
		{"ragged", "y,x\n1\n", ":2:1: error: the row has another number of cells than the header's 2"},
		{"quote", "y\n\"1\n", "csv-syntax"},
		{"nothing", "", "the file is empty; expected a line with the names of the columns"},
		{"two of a name", "y,y\n1,2\n", `:1:3: error: the name "y" stands in the header for the second time`},
		{"two for a variable", "a.b,a-b\n1,2\n", "the variable a_b has another column, too"},
		{"gap", "x.1,x.3\n1,2\n", ":1:5: error: x.3: expected columns x.1, x.2, ... without gaps [data-size]\n    x.1,x.3\n        ^\n"},
		{"from 0", "x[0],x[1]\n1,2\n", ":1:1: error: x[0]: expected columns x.1, x.2, ... without gaps"},
		{"far", "x.1,x.1000000000\n1,2\n", "expected columns x.1, x.2, ... without gaps"},
		{"whole and parts", "x,x.1\n1,2\n", "there is a column x, too"},
		{"text in a matrix", "x.1,x.2\n1,a\n", "the column holds text, and is one of several of x, which hold numbers"},
		{"UTF-16", "\xFF\xFEy\x00", "the text is UTF-16; save it as UTF-8"},
	} {
		path := write(t, "t.csv", c.text)
		_, err := ReadFiles(path, func(name string) bool { return strings.Contains(" x y g a_b ", " "+name+" ") })
		bad, ok := err.(*Error)
		if !ok || !strings.Contains(strings.TrimPrefix(bad.Text(), path), c.want) {
			t.Errorf("%s: expected %q, found %v", c.name, c.want, err)
		}
	}
}

// Sets of several files keep the places of their numbers, in JSON and in tables.
func TestMergedSetsKeepPlaces(t *testing.T) {
	table, sizes := write(t, "t.csv", "y,x.1,x.2\n1,2,3\n4,5,6.5\n"), write(t, "s.json", "{\"k\": [1,\n 2.5]}")
	s, err := ReadFiles(table+","+sizes, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		index []int
		want  string
	}{
		{"y", []int{1}, table + ":3:1: error: y[2]: wrong [code]\n    4,5,6.5\n    ^\n"},
		{"x", []int{1, 1}, table + ":3:5: error: x[2,2]: wrong [code]\n    4,5,6.5\n        ^\n"},
		{"x", nil, table + ":1:3: error: x: wrong [code]\n    y,x.1,x.2\n      ^\n"},
		{"k", []int{1}, sizes + ":2:2: error: k[2]: wrong [code]\n     2.5]}\n     ^\n"},
	} {
		err := s.ErrorAt(s.Vars[c.name], c.index, "code", "wrong").(*Error)
		if d := cmp.Diff(c.want, err.Text()); d != "" {
			t.Error(d)
		}
	}
	if _, err := ReadFiles(table+","+table, nil); err == nil || !strings.Contains(err.Error(), "in another of the files, too") {
		t.Errorf("a variable in two files: %v", err)
	}
	comma := write(t, "a,b.json", `{"k": 1}`)
	if s, err := ReadFiles(comma, nil); err != nil || s.Vars["k"] == nil {
		t.Errorf("a name with a comma: %v", err)
	}
}

// No table makes the reader fail otherwise than by an error with the file's name.
func FuzzReadCSV(f *testing.F) {
	for _, text := range []string{"y,n\n1,2\n", "x.1,x.2\n1,a\n", "\"y\"\n\"1\n2\"\n", "y;g\n1;a\n2;b\n", "\xEF\xBB\xBFy\nTRUE\n", "x.9999999999999999999\n1\n", "x[0],x[1]\n1,NA\n", "y\n1\n\n2\n", "#\r\n\r"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		path := write(t, "t.csv", text)
		s, err := ReadFiles(path, nil)
		if err != nil {
			if !strings.HasPrefix(err.Error(), path) {
				t.Fatalf("an error without its place: %v", err)
			}
			return
		}
		for name, v := range s.Vars {
			if len(v.X) != Len(v.Dims) {
				t.Fatalf("%s has %d numbers in %v", name, len(v.X), v.Dims)
			}
			for k := range v.X {
				if e, _ := s.locate(v, k); e.Pos.Line == 0 {
					t.Fatalf("%s has no place for number %d", name, k)
				}
			}
		}
	})
}
