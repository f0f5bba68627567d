package format_test

// This file holds the formatter to its promises: the tree and the comments stay, and what
// was formatted is not changed again.

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/format"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/parser"
)

var update = flag.Bool("update", false, "write the golden files anew")

// programs are all programs of the project that parse.
func programs(t testing.TB) []string {
	t.Helper()
	var out []string
	for _, pattern := range []string{"corpus/good/*.stan", "posteriors/*.stan", "workloads/*.stan", "*/*.ppl"} {
		files, err := filepath.Glob(filepath.Join("..", "..", "examples", pattern))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, files...)
	}
	if len(out) < 150 {
		t.Fatalf("%d programs found, expected 150 and more", len(out))
	}
	return out
}

func read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// parse reads a program; ok says that it has no errors. Includes are found beside it.
func parse(dir, text string) (prog *ast.Program, ok bool) {
	prog, problems := parser.Parse(source.NewFile("test", text), parser.Options{Includes: func(name string) (*source.File, error) {
		for _, d := range []string{dir, filepath.Join(dir, "include")} {
			if inside, err := os.ReadFile(filepath.Join(d, name)); err == nil {
				return source.NewFile(name, string(inside)), nil
			}
		}
		return nil, os.ErrNotExist
	}})
	return prog, problems.Len() == 0
}

// words are the comments of a program without white space, in order.
func words(prog *ast.Program) []string {
	var out []string
	for _, c := range prog.Comments {
		out = append(out, strings.Join(strings.Fields(c.Text), " "))
	}
	return out
}

// hold formats a program twice and reports what broke.
func hold(t *testing.T, dir, text string) {
	t.Helper()
	prog, ok := parse(dir, text)
	if !ok {
		t.Fatalf("does not parse:\n%s", text)
	}
	once, err := format.Program(prog, format.Width)
	if err != nil {
		t.Fatal(err)
	}
	again, ok := parse(dir, once)
	if !ok {
		t.Fatalf("what was formatted does not parse:\n%s\nbefore:\n%s", once, text)
	}
	if diff := cmp.Diff(ast.Dump(prog), ast.Dump(again)); diff != "" {
		t.Fatalf("the tree changed: %s\n%s\nbefore:\n%s", diff, once, text)
	}
	if diff := cmp.Diff(words(prog), words(again)); diff != "" {
		t.Fatalf("the comments changed: %s\n%s\nbefore:\n%s", diff, once, text)
	}
	twice, err := format.Program(again, format.Width)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(once, twice); diff != "" {
		t.Fatalf("formatting is not idempotent: %s\nbefore:\n%s", diff, text)
	}
	for _, l := range strings.Split(once, "\n") {
		if strings.TrimRight(l, " \t") != l && !strings.Contains(once, "/*") {
			t.Errorf("the line %q ends in white space", l)
		}
	}
}

func TestPrograms(t *testing.T) {
	for _, path := range programs(t) {
		t.Run(filepath.Base(path), func(t *testing.T) { hold(t, filepath.Dir(path), read(t, path)) })
	}
}

// TestComments puts comments of all kinds between arbitrary tokens.
func TestComments(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	kinds := []string{" // one\n", "\n// two\n", " /* three */ ", "\n/* four */\n", " /* five\n   * six\n */ ", "\n\n/* seven\n  eight */\n\n"}
	for _, path := range programs(t) {
		if strings.Contains(read(t, path), "#include") {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			text := read(t, path)
			for range 10 {
				hold(t, filepath.Dir(path), scatter(rng, text, kinds))
			}
		})
	}
}

// scatter puts comments at random blanks of a program outside comments and strings.
func scatter(rng *rand.Rand, text string, kinds []string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.ContainsAny(line, `"`) || strings.Contains(line, "//") || strings.Contains(line, "*") {
			b.WriteString(line)
			continue
		}
		for _, r := range line {
			if r == ' ' && rng.IntN(20) == 0 {
				b.WriteString(kinds[rng.IntN(len(kinds))])
			}
			b.WriteRune(r)
		}
	}
	return b.String()
}

// TestGolden shows the layout itself.
func TestGolden(t *testing.T) {
	inputs, err := filepath.Glob("testdata/*.in")
	if err != nil || len(inputs) == 0 {
		t.Fatal("no golden files", err)
	}
	for _, in := range inputs {
		text := read(t, in)
		hold(t, "testdata", text)
		prog, _ := parse("testdata", text)
		got, err := format.Program(prog, format.Width)
		if err != nil {
			t.Fatal(err)
		}
		golden := strings.TrimSuffix(in, ".in") + ".golden"
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(read(t, golden), got); diff != "" {
			t.Errorf("%s: %s", in, diff)
		}
	}
}

func TestIncludeInsideStatement(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x.stan"), []byte("1 + 2"), 0o666); err != nil {
		t.Fatal(err)
	}
	prog, ok := parse(dir, "transformed data {\n  int n =\n#include x.stan\n  ;\n}\n")
	if !ok {
		t.Fatal("does not parse")
	}
	if _, err := format.Program(prog, format.Width); err == nil || !strings.Contains(err.Error(), "#include inside a statement") {
		t.Errorf("error %v", err)
	}
}

func FuzzFormat(f *testing.F) {
	for _, path := range programs(f) {
		f.Add(read(f, path))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, ok := parse("", text); ok && !strings.Contains(text, "#") {
			hold(t, "", text)
		}
	})
}

// Programs whose single statements have got braces and whose parentheses are gone parse, keep
// as many statements that do something, and are not changed a second time.
func TestCanonicalize(t *testing.T) {
	all := format.Canonical{Braces: true, Parentheses: true}
	for _, path := range programs(t) {
		prog, ok := parse(filepath.Dir(path), read(t, path))
		if !ok {
			continue
		}
		format.Canonicalize(prog, all)
		want := ast.Dump(prog)
		text, err := format.Program(prog, format.Width)
		if err != nil {
			continue // an #include inside a statement
		}
		again, ok := parse(filepath.Dir(path), text)
		if !ok || ast.Dump(again) != want {
			t.Errorf("%s: does not parse to the same tree:\n%s", path, text)
			continue
		}
		format.Canonicalize(again, all)
		if ast.Dump(again) != want {
			t.Errorf("%s: is changed a second time", path)
		}
	}
	for _, c := range []struct{ from, to string }{
		{"x = (((10)));", "x = 10;"},
		{"x = (a + b) * c;", "x = (a + b) * c;"},
		{"x = (a * b) + c;", "x = a * b + c;"},
		{"x = (a * b) %/% c;", "x = (a * b) %/% c;"},
		{"x = a * (b %/% c);", "x = a * b %/% c;"},
		{"x = a - (b - c);", "x = a - (b - c);"},
		{"x = (a - b) - c;", "x = a - b - c;"},
		{"x = (a ^ b) ^ c;", "x = (a ^ b) ^ c;"},
		{"x = -(a + b)';", "x = -(a + b)';"},
		{"x = f((a + b), (c));", "x = f(a + b, c);"},
		{"x = (a)[(1 + 2)];", "x = a[1 + 2];"},
		{"x = (a ? b : c) ? d : (e ? g : h);", "x = (a ? b : c) ? d : (e ? g : h);"},
		{"if ((a)) x = 1; else if (b) x = 2; else x = 3;", "if (a) {\n    x = 1;\n  } else if (b) {\n    x = 2;\n  } else {\n    x = 3;\n  }"},
		{"for (i in 1:(n)) while (a < 1) x = (a);", "for (i in 1:n) {\n    while (a < 1) {\n      x = a;\n    }\n  }"},
	} {
		prog, ok := parse("", "model {\n  "+c.from+"\n}\n")
		if !ok {
			t.Errorf("%s does not parse", c.from)
			continue
		}
		format.Canonicalize(prog, all)
		got, err := format.Program(prog, format.Width)
		if want := "model {\n  " + c.to + "\n}\n"; err != nil || got != want {
			t.Errorf("%s:\n%s\nwant\n%s\n%v", c.from, got, want, err)
		}
	}
}
