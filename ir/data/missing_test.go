package data

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-12b88e03/ppl/lang/types"
)

var nan = math.NaN()

// markers are ways to write missing numbers: what is read where they may be missing, and the error where they must not be.
var markers = []struct {
	name, file, text string
	t                types.Type
	dims             []int
	want             []float64
	err              string
}{
	{"null", "d.json", `{"y": [1, null, 2.5, null]}`, types.Vector, []int{4}, []float64{1, nan, 2.5, nan},
		"d.json:1:11: error: y[2]: the value is missing (null); leave the observation out, or have --impute y make it a parameter of the model [value-missing]\n    {\"y\": [1, null, 2.5, null]}\n              ^\n"},
	{"null alone", "d.json", `{"y": null}`, types.Real, nil, []float64{nan}, "d.json:1:7: error: y: the value is missing (null)"},
	{"of integers", "d.json", `{"y": [3, null, NaN, "NaN"]}`, types.ArrayOf(types.Int, 1), []int{4}, []float64{3, nan, nan, nan}, "d.json:1:11: error: y[2]: the value is missing (null)"},
	{"NaN of integers", "d.json", `{"y": [3, NaN]}`, types.ArrayOf(types.Int, 1), []int{2}, []float64{3, nan}, "d.json:1:11: error: y[2]: the program declares int, found NaN [data-type]"},
	{"by columns", "d.json", `{"y": [[1, 2, 3], [4, null, 6]]}`, types.Matrix, []int{2, 3}, []float64{1, 4, 2, nan, 3, 6}, "d.json:1:23: error: y[2,2]: the value is missing (null)"},
	{"NA", "d.csv", "x,y\n1,2.5\n2,NA\n3,\n", types.Vector, []int{3}, []float64{2.5, nan, nan},
		"d.csv:3:3: error: y[2]: the value is missing (NA); leave the observation out, or have --impute y make it a parameter of the model [value-missing]\n    2,NA\n      ^\n"},
	{"an empty cell", "d.csv", "y,x\n,1\n7,1\n", types.ArrayOf(types.Int, 1), []int{2}, []float64{nan, 7}, "d.csv:2:1: error: y[1]: the value is missing;"},
	{"of a table's columns", "d.csv", "y.1,y.2\n1,2\n3,NA\n", types.Matrix, []int{2, 2}, []float64{1, 3, 2, nan}, "d.csv:3:3: error: y[2,2]: the value is missing (NA)"},
	{"of groups", "d.csv", "y,x\nb,1\nNA,1\na,1\n", types.ArrayOf(types.Int, 1), []int{3}, []float64{2, nan, 1}, "d.csv:3:1: error: y[2]: the value is missing (NA)"},
}

// Missing numbers are NaN where a variable may lack them, and elsewhere an error with their place.
func TestMissing(t *testing.T) {
	for _, c := range markers {
		path := write(t, c.file, c.text)
		s, err := ReadFiles(path, nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		v := s.Vars["y"]
		x, err := s.Partial(v, "y", c.t, c.dims)
		if d := cmp.Diff(c.want, x, cmpopts.EquateNaNs()); err != nil || d != "" {
			t.Errorf("%s: %v %s", c.name, err, d)
		}
		_, err = s.Convert(v, "y", c.t, c.dims)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s: no error where it must not be missing: %v", c.name, err)
			continue
		}
		if text := strings.ReplaceAll(e.Text(), strings.TrimSuffix(path, c.file), ""); !strings.HasPrefix(text, c.err) {
			t.Errorf("%s: found\n%swant\n%s", c.name, text, c.err)
		}
	}
}

// Go values mark missing numbers by nil and NaN.
func TestMissingFromGo(t *testing.T) {
	one := 1.5
	s, err := FromGo(map[string]any{"y": []*float64{&one, nil}, "k": []any{2, nil}})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]float64{"y": {1.5, nan}, "k": {2, nan}} {
		v := s.Vars[name]
		if d := cmp.Diff(want, v.X, cmpopts.EquateNaNs()); d != "" || v.Missing != 2 {
			t.Errorf("%s: the first missing is number %d, want 2; %s", name, v.Missing, d)
		}
	}
	if v := s.Vars["k"]; !v.Ints {
		t.Error("a missing number makes the others no integers")
	}
}
