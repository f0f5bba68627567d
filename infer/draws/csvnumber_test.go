package draws

// These tests compare the reader of numbers with package strconv.

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// FuzzDecimal: what is read at once is what strconv reads, to the bit; all else is left to it.
func FuzzDecimal(f *testing.F) {
	for _, s := range []string{"0", "-0", "1", "-1.5", "0.1", "1e-22", "1E+22", "1e23", "9007199254740993", "0.000000000000000001", ".5", "5.", ".", "-", "", "1e", "1e+", "nan", "1.2.3", "00012", "123456789012345678", "99999999999999999999", " 1", "1_0", "0x1p3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, ok := decimal([]byte(text))
		if !ok {
			return
		}
		want, err := strconv.ParseFloat(text, 64)
		if err != nil || math.Float64bits(v) != math.Float64bits(want) {
			t.Errorf("%q: %v, strconv %v %v", text, v, want, err)
		}
	})
}

// TestDecimal: numbers as CSV files have them.
func TestDecimal(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200000 {
		v := math.Ldexp(r.NormFloat64(), r.IntN(120)-60)
		text := strconv.FormatFloat(v, "gef"[r.IntN(3)], 1+r.IntN(17), 64)
		got, ok := decimal([]byte(text))
		want, _ := strconv.ParseFloat(text, 64)
		if ok && math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%s: %v, strconv %v", text, got, want)
		}
		if len(text) < 12 && !strings.ContainsAny(text, "e") && !ok {
			t.Fatalf("%s: not read", text)
		}
	}
}
