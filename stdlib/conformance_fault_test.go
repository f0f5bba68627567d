// This file knows the conformance vectors that are at fault: they give a derivative as
// exactly 0 that is none. testdata/at_fault.jsonl has the derivatives with 60 digits, as
// at_fault.py beside it takes them from the definitions.

package stdlib_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/stdlib"
)

// A fault is a derivative that a vector gives as 0.
type fault struct {
	File       string    `json:"file"`
	Fn         string    `json:"fn"`
	I          int       `json:"i"`
	Args       []float64 `json:"args"`
	Arg        int       `json:"arg"`
	Derivative string    `json:"derivative"`
}

// readFaults returns the faults by file, function and number of the vector.
func readFaults(t testing.TB) map[string][]fault {
	t.Helper()
	f, err := os.Open("testdata/at_fault.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := map[string][]fault{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var one fault
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			t.Fatal(err)
		}
		key := fmt.Sprintf("%s %s#%d", one.File, one.Fn, one.I)
		out[key] = append(out[key], one)
	}
	return out
}

// reason words what is wrong with a vector.
func reason(faults []fault) string {
	var parts []string
	for _, f := range faults {
		parts = append(parts, fmt.Sprintf("the derivative by argument %d is given as 0 and is %.20s%s", f.Arg+1, f.Derivative, exponent(f.Derivative)))
	}
	return "the vector is at fault: " + strings.Join(parts, "; ")
}

// exponent is the exponent of a number in decimal, as written, "" without one.
func exponent(number string) string {
	if _, e, ok := strings.Cut(number, "e"); ok {
		return "e" + e
	}
	return ""
}

// Of each vector at fault the derivative that is given as 0 is ours to 1e-8, and all else
// passes: nothing but that is why it is missed.
func TestVectorsAtFault(t *testing.T) {
	faults := readFaults(t)
	lib := stdlib.New()
	for _, c := range readCases(t) {
		list := faults[c.File+" "+c.name()]
		if list == nil {
			continue
		}
		delete(faults, c.File+" "+c.name())
		ours := gradientOf(t, lib, c)
		for _, f := range list {
			want, err := strconv.ParseFloat(f.Derivative, 64)
			if err != nil || fmt.Sprint(f.Args) != fmt.Sprint(flat(c)) {
				t.Fatalf("%s: %v, arguments %v and %v", c.name(), err, f.Args, flat(c))
			}
			if string(c.Grad[f.Arg]) != "0" {
				t.Errorf("%s: derivative %d is given as %s now", c.name(), f.Arg, c.Grad[f.Arg])
			}
			if got := ours[f.Arg]; !(math.Abs(got-want) <= 1e-8*math.Abs(want)) {
				t.Errorf("%s: derivative %d is %v, and %v with 60 digits", c.name(), f.Arg, got, want)
			}
			c.Grad[f.Arg] = json.RawMessage("null")
		}
		if miss, _ := runCase(lib, c, map[string]int{}); miss != "" {
			t.Errorf("%s without what is at fault: %s", c.name(), miss)
		}
	}
	for key := range faults {
		t.Errorf("there is no vector %s any more", key)
	}
}

// flat returns the arguments of a case of numbers.
func flat(c *vectorCase) []float64 {
	var out []float64
	for _, a := range c.args {
		out = append(out, a.X...)
	}
	return out
}

// gradientOf returns our derivatives of a case of numbers.
func gradientOf(t *testing.T, lib *stdlib.Library, c *vectorCase) []float64 {
	t.Helper()
	f, _ := selectRow(lib, c)
	r, err := evaluate(f, c.args, 1)
	if err != nil {
		t.Fatal(err)
	}
	all := make([]bool, len(c.args))
	for i := range all {
		all[i] = true
	}
	ways, err := gradients(f, c.args, r, []float64{1}, all)
	if err != nil {
		t.Fatal(err)
	}
	var out []float64
	for _, din := range ways {
		out = out[:0]
		for _, d := range din {
			out = append(out, d...)
		}
	}
	return out
}
