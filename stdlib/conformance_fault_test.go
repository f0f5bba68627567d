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
	Fn         string    `json:"fn"`
	Args       []float64 `json:"args"`
	Arg        int       `json:"arg"`
	Derivative string    `json:"derivative"`
}

// faultKey is a vector by its function and arguments: other files may have the same.
func faultKey(fn string, args []float64) string { return fmt.Sprintf("%s(%v)", fn, args) }

// readFaults returns the faults by vector.
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
		key := faultKey(one.Fn, one.Args)
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
	seen := 0
	for _, c := range readCases(t) {
		list := faults[faultKey(c.Fn, flat(c))]
		if list == nil {
			continue
		}
		seen++
		ours := gradientOf(t, lib, c)
		for _, f := range list {
			want, err := strconv.ParseFloat(f.Derivative, 64)
			if err != nil {
				t.Fatalf("%s: %v", c.name(), err)
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
	t.Logf("%d vectors at fault, of %d that are known", seen, len(faults))
}

// rounded reports whether a vector gives the derivatives by one argument as 0 only because
// they are small: ours are not, but by 1e20 smaller than another derivative that it gives.
// Whoever computed them took differences with that many digits.
func rounded(c *vectorCase, arg int, ours []float64) bool {
	if string(c.Grad[arg]) != "0" || len(ours) != 1 || ours[0] == 0 {
		return false
	}
	most := 0.0
	for _, g := range c.Grad {
		if v, err := strconv.ParseFloat(string(g), 64); err == nil {
			most = math.Max(most, math.Abs(v))
		}
	}
	return math.Abs(ours[0]) <= 1e-20*most
}

// TestRounded: what counts as rounded to 0 is one number beside a much larger one.
func TestRounded(t *testing.T) {
	grad := func(g ...string) *vectorCase {
		c := &vectorCase{}
		for _, s := range g {
			c.Grad = append(c.Grad, json.RawMessage(s))
		}
		return c
	}
	for _, k := range []struct {
		c    *vectorCase
		ours float64
		want bool
	}{
		{grad("0", "1e30"), 7, true}, {grad("0", "-1e30"), -7, true}, {grad("0", "1e19"), 7, false}, {grad("0", "1"), 1e-21, true},
		{grad("0", "0"), 1e-30, false}, {grad("1", "1e30"), 7, false}, {grad("0", "null"), 7, false}, {grad("0", "1e30"), 0, false},
	} {
		if got := rounded(k.c, 0, []float64{k.ours}); got != k.want {
			t.Errorf("%s with %v: %v", k.c.Grad, k.ours, got)
		}
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
