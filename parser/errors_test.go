package parser

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/lang/source"
)

var errorMark = regexp.MustCompile(`// ERROR(.*)`)

// marks finds the expectations of a program: "// ERROR code code" stands on the line
// where problems with these codes are reported, in order; without codes, any.
func marks(text string) map[int][]string {
	want := map[int][]string{}
	for i, line := range strings.Split(text, "\n") {
		if m := errorMark.FindStringSubmatch(line); m != nil {
			want[i+1] = strings.Fields(m[1])
		}
	}
	return want
}

// Each bad program gives the problems that its comments say, on their lines, and no
// other; each problem says what to do.
func TestErrorPlaces(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.ppl")
	if err != nil || len(files) == 0 {
		t.Fatal("no bad programs: ", err)
	}
	seen := map[string]bool{}
	for _, file := range files {
		f := readFile(t, file)
		_, problems := Parse(f, Options{Includes: besides(file)})
		got := map[int][]string{}
		for _, p := range problems.Sorted() {
			seen[p.Code] = true
			if p.Span.File.Name != f.Name {
				continue
			}
			line := p.Span.Position().Line
			got[line] = append(got[line], p.Code)
			if p.Help == "" {
				t.Errorf("%v: no help: %s", p.Span, p.Message)
			}
		}
		want := marks(f.Text)
		for line := 1; line <= strings.Count(f.Text, "\n")+1; line++ {
			if g, w := fmt.Sprint(got[line]), fmt.Sprint(want[line]); g != w {
				t.Errorf("%s:%d: got %s, want %s", f.Name, line, g, w)
			}
		}
	}
	for _, code := range codes(t) {
		if !seen[code] {
			t.Errorf("no bad program shows %s", code)
		}
	}
}

// codes lists the catalogue, but what only huge programs show.
func codes(t *testing.T) []string {
	text, err := os.ReadFile("messages.go")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range regexp.MustCompile(`= "([a-z-]+)"`).FindAllStringSubmatch(string(text), -1) {
		if m[1] != codeDepth {
			out = append(out, m[1])
		}
	}
	return out
}

// checked are the corpus's syntax_ and old_ programs whose mistake is left to lang/check.
var checked = map[string]bool{"syntax_bounds_on_local.stan": true, "syntax_constrained_local.stan": true,
	"old_cdf_suffix.stan": true, "old_density_suffix.stan": true, "old_if_else.stan": true,
	"old_nested_multiple_index.stan": true, "old_real_condition.stan": true}

// The corpus's bad programs: what the parser reports stands on marked lines, and it
// finds every mistake of syntax.
func TestCorpusBad(t *testing.T) {
	files, _ := filepath.Glob("../examples/corpus/bad/*.*")
	if len(files) == 0 {
		t.Skip("no corpus of bad programs in ../examples/corpus/bad yet")
	}
	for _, file := range files {
		if ext := filepath.Ext(file); ext != ".ppl" && ext != ".stan" {
			continue
		}
		f := readFile(t, file)
		want := marks(f.Text)
		_, problems := Parse(f, Options{Includes: besides(file)})
		isSyntax := strings.HasPrefix(f.Name, "syntax_") || strings.HasPrefix(f.Name, "old_")
		if isSyntax && !checked[f.Name] && problems.Len() == 0 {
			t.Errorf("%s: no problem found", f.Name)
		}
		for _, p := range problems.Sorted() {
			if _, ok := want[p.Span.Position().Line]; !ok && p.Span.File == f {
				t.Errorf("%v: unexpected: %s [%s]", p.Span, p.Message, p.Code)
			}
		}
	}
}

// The number of problems a run is limited, whatever reports them.
func TestManyProblems(t *testing.T) {
	for _, text := range []string{
		"model { " + strings.Repeat("x = ;\n", 1000) + "}",
		"model { " + strings.Repeat("$", 1000) + "}",
		strings.Repeat("} ", 1000),
		strings.Repeat("data { x } ", 1000),
	} {
		_, problems := Parse(source.NewFile("many", text), Options{})
		if n := problems.Len(); n == 0 || n > maxProblems {
			t.Errorf("%.20s...: %d problems", text, n)
		}
	}
}

func TestIncludes(t *testing.T) {
	files := map[string]string{
		"a.stan":          "real a;",
		"both.stan":       "#include a.stan\nreal both = ;",
		"me.stan":         "#include <me.stan>",
		"f.stanfunctions": "#include g.stanfunctions\nreal f(real x) { return x; }",
		"g.stanfunctions": "#include f.stanfunctions\nreal g(real x) { return x; }",
		"ping.stan":       `#include "pong.stan"`,
		"pong.stan":       "#include ping.stan // back",
	}
	opts := Options{Includes: func(name string) (*source.File, error) {
		text, ok := files[name]
		if !ok {
			return nil, fmt.Errorf("no such file")
		}
		return source.NewFile(name, text), nil
	}}
	for _, c := range []struct{ text, want string }{
		{"data {\n#include a.stan\n}", ""},
		{"data {\n  #include \"a.stan\" // why\n #include <a.stan>\n}", ""},
		{"model {\n#include both.stan\n x = ; }", "both.stan:2:13 syntax, main:3:6 syntax"},
		{"model {\n#include none.stan\n}", "main:2:1 include"},
		{"#include", "main:1:1 include"},
		{"#include \"a", "main:1:1 include"},
		{"#includes a.stan", "main:1:1 old-comment"},
		{"\n#include me.stan", "me.stan:1:1 include-cycle"},
		{"#include ping.stan", "pong.stan:1:1 include-cycle"},
		{"#include a.stan", "a.stan:1:1 syntax"},
		{"functions {\n#include f.stanfunctions\n#include g.stanfunctions\n#include f.stanfunctions\n}", ""},
	} {
		_, problems := Parse(source.NewFile("main", c.text), opts)
		var got []string
		for _, p := range problems.Sorted() {
			got = append(got, p.Span.String()+" "+p.Code)
		}
		if g := strings.Join(got, ", "); g != c.want {
			t.Errorf("%q: got %s, want %s", c.text, g, c.want)
		}
	}
	laughs := Options{Includes: func(name string) (*source.File, error) {
		return source.NewFile(name, strings.Repeat("#include "+name+"x\n", 10)), nil
	}}
	if _, problems := Parse(source.NewFile("main", "#include x"), laughs); problems.Len() > maxProblems || problems.Len() == 0 {
		t.Error("includes that multiply are not an error")
	}
	if _, problems := Parse(source.NewFile("main", "#include a.stan"), Options{}); problems.Sorted()[0].Code != codeInclude {
		t.Error("includes without a way to find them are not an error")
	}
}

// A character that a terminal would obey is told by its number.
func TestControlCharactersAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"model { \x1b }":   "the character U+001B does not belong to the language",
		"model { \x00 }":   "the character U+0000 does not belong to the language",
		"model { \u202e }": "the character U+202E does not belong to the language",
	} {
		_, problems := Parse(source.NewFile("m.ppl", text), Options{})
		if got := problems.Sorted(); len(got) != 1 || got[0].Message != want {
			t.Errorf("%q: found %v, want %q", text, got, want)
		}
	}
}
