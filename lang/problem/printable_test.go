package problem

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "",
		"plain\ttext\nµ 𝜎 é":               "plain\ttext\nµ 𝜎 é",
		"\x1b]52;c;ZWNobw==\x07":           `\u001b]52;c;ZWNobw==\u0007`,
		"\x1b[2J\x1b[31m":                  `\u001b[2J\u001b[31m`,
		"a\rb\x00\x7f":                     `a\u000db\u0000\u007f`,
		"\u009b31m":                        `\u009b31m`,
		"\u202ereversed\u202c\u2066\u2069": `\u202ereversed\u202c\u2066\u2069`,
		"\u2028\u200f\u061c":               `\u2028\u200f\u061c`,
		"\xff\x9b":                         "\ufffd\ufffd",
	} {
		if got := Printable(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if strings.IndexFunc(Printable(text), obeyed) >= 0 {
			t.Errorf("%q: something is left that a terminal obeys", text)
		}
	}
}

// TestPrinter: text in pieces of any size is shown as in one, and strings of JSON mean the same.
func TestPrinter(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	runes := []rune("ab\t\n\x1b\u202e\u009bµ𝜎\u2028\"\\")
	for range 300 {
		var in strings.Builder
		for range r.IntN(20) {
			in.WriteRune(runes[r.IntN(len(runes))])
		}
		var out strings.Builder
		p := NewPrinter(&out)
		for rest := in.String(); rest != ""; {
			n := 1 + r.IntN(len(rest))
			if k, err := p.Write([]byte(rest[:n])); k != n || err != nil {
				t.Fatal(k, err)
			}
			rest = rest[n:]
		}
		if out.String() != Printable(in.String()) {
			t.Fatalf("%q in pieces: %q", in.String(), out.String())
		}
		text, err := json.Marshal(in.String())
		if err != nil {
			t.Fatal(err)
		}
		var back string
		if err := json.Unmarshal([]byte(Printable(string(text))), &back); err != nil || back != in.String() {
			t.Fatalf("%q through JSON: %q, %v", in.String(), back, err)
		}
	}
}
