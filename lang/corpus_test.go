package lang

// This file runs the checker over the example programs and the corpus.

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/lang/problem"
)

// checkFile compiles a program on disk and gives its problems; includes are read from its folder
// and from include/ in it.
func checkFile(t testing.TB, path string) *problem.List {
	t.Helper()
	p, err := CompileFile(path, Options{Include: []string{filepath.Join(filepath.Dir(path), "include")}})
	if p == nil {
		t.Fatal(err)
	}
	return p.Problems()
}

func programs(t testing.TB, patterns ...string) []string {
	t.Helper()
	var out []string
	for _, p := range patterns {
		files, err := filepath.Glob(p)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, files...)
	}
	return out
}

func TestGoodPrograms(t *testing.T) {
	for _, path := range programs(t, "../examples/corpus/good/*.stan", "../examples/corpus/good/*.ppl",
		"../examples/*/*.stan", "../examples/*/*.ppl") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			for _, p := range checkFile(t, path).Sorted() {
				t.Errorf("%v: %s [%s]", p.Span, p.Message, p.Code)
				for _, n := range p.Notes {
					t.Logf("    %s", n.Message)
				}
			}
		})
	}
}

// Bad programs of the corpus have errors on exactly the lines that end in // ERROR.
func TestBadPrograms(t *testing.T) {
	for _, path := range programs(t, "../examples/corpus/bad/*.stan", "../examples/corpus/bad/*.ppl") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
			found := map[int]string{}
			for _, p := range checkFile(t, path).Sorted() {
				if p.Severity == problem.Error {
					found[min(p.Span.Position().Line, len(lines))] = p.Code + ": " + p.Message
				}
			}
			for i, line := range lines {
				want := strings.Contains(line, "// ERROR")
				got, has := found[i+1]
				switch {
				case want && !has:
					t.Errorf("line %d: no error found: %s", i+1, line)
				case !want && has:
					t.Errorf("line %d: unexpected %s", i+1, got)
				}
			}
		})
	}
}
