package cmdstan

// This file tests the table itself, the format of R's dump, and names of files.

import (
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
)

// Every default is a valid value, every argument is explained, names are unique at their
// place, and the JSON of the tree is JSON.
func TestTable(t *testing.T) {
	tr := newTree()
	var walk func(path string, args []*argument)
	walk = func(path string, args []*argument) {
		seen := map[string]bool{}
		for _, a := range args {
			at := path + " " + a.name
			if seen[a.name] || a.doc == "" {
				t.Errorf("%s: twice at its place, or not explained", at)
			}
			seen[a.name] = true
			if a.kind != group && a.kind != bare {
				if !a.set(a.def) || a.value != a.def {
					t.Errorf("%s: the default %q is not valid, or is printed as %q", at, a.def, a.value)
				}
			}
			walk(at, a.args)
		}
	}
	walk("", tr.args)
	for _, m := range tr.at("method").args {
		tr.at("method").value = m.name
		var b strings.Builder
		if err := tr.writeJSON(&b, []string{`"before": 1`}, nil); err != nil || !json.Valid([]byte(b.String())) {
			t.Errorf("%s: %v: %s", m.name, err, b.String())
		}
	}
}

func TestDump(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"N <- 5L", `{"N":5}`},
		{"# a comment\nx <- -1.5e-3; \"y\" = .5", `{"x":-1.5e-3,"y":0.5}`},
		{"y <-\nc(1, 2L,\n3.)", `{"y":[1,2,3.0]}`},
		{"y <- c(5, 007, -00.50, 1.e+5, -NaN)", `{"y":[5,7,-0.50,1.0e+5,NaN]}`},
		{"y <- 2:4", `{"y":[2,3,4]}`},
		{"y <- 4:2", `{"y":[4,3,2]}`},
		{"y <- c(0, 2:3)", `{"y":[0,2,3]}`},
		{"e <- integer(0)\nf <- double(0)", `{"e":[],"f":[]}`},
		{"z <- c(Inf, -Inf, NaN)", `{"z":[Infinity,-Infinity,NaN]}`},
		// R's first index varies fastest, JSON is row by row.
		{"m <- structure(c(1,2,3,4,5,6), .Dim = c(2,3))", `{"m":[[1,3,5],[2,4,6]]}`},
		{"m <- structure(1:4, .Dim = c(2L, 1L, 2L))", `{"m":[[[1,3]],[[2,4]]]}`},
		{"m <- structure(integer(0), .Dim = c(2,0))", `{"m":[[],[]]}`},
	} {
		got, err := dumpToJSON(c.in)
		if err != nil || strings.TrimSpace(string(got)) != c.want {
			t.Errorf("%s: %s (%v), want %s", c.in, got, err, c.want)
		}
	}
	for _, in := range []string{"N", "N <-", "N <- c(1", "N <- c(1 2)", "N <- structure(c(1,2), .Dim = c(3))", "N <- structure(c(1,2))", "N <- x", "1 <- 2", "N <- 1:x"} {
		if got, err := dumpToJSON(in); err == nil {
			t.Errorf("%q is accepted: %s", in, got)
		}
	}
}

func FuzzDump(f *testing.F) {
	f.Add("m <- structure(c(1,2,3,4), .Dim = c(2,2))\nN <- 1:3")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := dumpToJSON(text)
		bare := strings.NewReplacer("Infinity", "0", "NaN", "0").Replace(string(got))
		if err == nil && !json.Valid([]byte(bare)) {
			t.Errorf("%q gives %s", text, got)
		}
	})
}

func TestOutputNames(t *testing.T) {
	for _, c := range []struct {
		path, tag, suffix string
		n, id             int
		want              []string
	}{
		{"a.csv", "", ".csv", 1, 7, []string{"a.csv"}},
		{"a", "", ".csv", 1, 1, []string{"a.csv"}},
		{"d/a.csv", "", ".csv", 2, 3, []string{"d/a_3.csv", "d/a_4.csv"}},
		{"a.csv", "_metric", ".json", 1, 1, []string{"a_metric.json"}},
		{"a.csv", "_path", ".csv", 2, 1, []string{"a_path_1.csv", "a_path_2.csv"}},
	} {
		if got := outputNames(c.path, c.tag, c.suffix, c.n, c.id); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestFigure(t *testing.T) {
	for _, c := range []struct {
		v      float64
		digits int
		want   string
	}{
		{0.24867, 2, "0.25"}, {-7.2713, 2, "-7.3"}, {243.2, 2, "243"}, {0.0051, 2, "0.0051"}, {5.1e-7, 2, "5.1e-07"},
		{0, 2, "0.00"}, {1234567.8, 3, "1234568"}, {1e12, 2, "1.0e+12"}, {1.5, 6, "1.50000"},
	} {
		if got := figure(c.v, c.digits); got != c.want {
			t.Errorf("figure(%g, %d) = %s, want %s", c.v, c.digits, got, c.want)
		}
	}
}

func TestBracketed(t *testing.T) {
	for in, want := range map[string]string{"mu": "mu", "theta.1": "theta[1]", "m.1.2": "m[1,2]", "t:1.2": "t.1[2]", "t.1:2": "t[1].2"} {
		if got := bracketed(in); got != want {
			t.Errorf("%s becomes %s, want %s", in, got, want)
		}
	}
}

// A choice of words after one another: the tree stands at the right level again.
func TestLevels(t *testing.T) {
	tr := newTree()
	words := "num_threads=3 sample adapt delta=0.9 t0=12 algorithm=hmc engine=nuts max_depth=5 metric=dense_e num_samples=7 data file=x.json id=4"
	if got := tr.parse("model", strings.Fields(words), io.Discard, io.Discard); got != proceed {
		t.Fatalf("outcome %d", got)
	}
	for _, c := range []struct {
		want string
		path []string
	}{
		{"3", []string{"num_threads"}}, {"0.9", []string{"method", "sample", "adapt", "delta"}}, {"12", []string{"method", "sample", "adapt", "t0"}},
		{"5", []string{"method", "sample", "algorithm", "hmc", "engine", "nuts", "max_depth"}},
		{"dense_e", []string{"method", "sample", "algorithm", "hmc", "metric"}}, {"7", []string{"method", "sample", "num_samples"}},
		{"x.json", []string{"data", "file"}}, {"4", []string{"id"}},
	} {
		if got := tr.text(c.path...); got != c.want {
			t.Errorf("%v is %s, want %s", c.path, got, c.want)
		}
	}
}
