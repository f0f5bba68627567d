package lang_test

import (
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/lang"
)

// A number of the data that breaks a constraint is pointed at, in arrays, matrices, tuples and several files, and not the start
// of its variable.
func TestConstraintPlaces(t *testing.T) {
	const (
		program = "data { array[2] cov_matrix[2] S; array[2, 2] ordered[2] o; matrix<lower=0>[2, 3] M; tuple(real, array[2] real<upper=3>) t; array[2] tuple(int<lower=0>, real) u; array[2] simplex[2] s; real<lower=0> r; } parameters { real a; } model { a ~ std_normal(); }"
		good    = `{"S": [[[1,0],[0,1]],[[1,0],[0,1]]], "o": [[[1,2],[1,2]],[[1,2],[1,3]]], "M": [[1,2,3],[4,5,6]], "t": {"1": 2, "2": [1,2]}, "u": [{"1": 1, "2": 1},{"1": 8, "2": 1}], "s": [[0.5,0.5],[0.25,0.75]], "r": 9}`
	)
	p, err := lang.Compile("m.ppl", program, lang.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ was, is, name, at string }{
		{"[[1,0],[0,1]]]", "[[1,2],[0,1]]]", "S[2]", "1,2],[0,1]]]"},
		{"[1,3]", "[1,0]", "o[2,2][2]", "0]"},
		{"4,5,6", "4,-5,6", "M[2, 2]", "-5"},
		{`"2": [1,2]`, `"2": [1,7]`, "t.2[2]", "7]"},
		{`"1": 8`, `"1": -8`, "u[2].1", "-8"},
		{"0.25,0.75", "0.25,0.5", "s[2]", "0.25"},
		{`"r": 9`, `"r": -9`, "r", "-9"},
	} {
		text := strings.Replace(good, c.was, c.is, 1)
		one, err := data.ReadBytes([]byte(text), "d.json", nil)
		if err != nil {
			t.Fatal(err)
		}
		empty, err := data.ReadBytes([]byte("{}"), "e.json", nil)
		if err != nil {
			t.Fatal(err)
		}
		merged, err := data.Merge(empty, one)
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range []*data.Set{one, merged} {
			_, err = p.Bind(in, lang.BindOptions{})
			if err == nil {
				t.Fatalf("%s: bound", c.name)
			}
			shown := lang.ErrorText(err)
			head, excerpt, found := strings.Cut(shown, "the value of "+c.name+"\n")
			lines := strings.Split(excerpt, "\n")
			if !found || !strings.Contains(head, "note: d.json:1:") || len(lines) < 2 || !strings.HasPrefix(lines[0][strings.IndexByte(lines[1], '^'):], c.at) {
				t.Errorf("%s, expected the caret at %s:\n%s", c.name, c.at, shown)
			}
		}
	}
}
