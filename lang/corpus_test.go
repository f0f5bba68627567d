package lang

// This file runs the checker over the example programs and the corpus.

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/lang/check"
	"github.com/seed-12b88e03/ppl/lang/problem"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/parser"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// checkFile parses and checks a program on disk; includes are read from its folder
// and from include/ in it.
func checkFile(t testing.TB, path string) *problem.List {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	find := func(name string) (*source.File, error) {
		for _, dir := range []string{"", "include"} {
			full := filepath.Join(filepath.Dir(path), dir, name)
			if text, err := os.ReadFile(full); err == nil {
				return source.NewFile(full, string(text)), nil
			}
		}
		return nil, os.ErrNotExist
	}
	prog, problems := parser.Parse(source.NewFile(path, string(text)), parser.Options{Includes: find})
	if problems.HasErrors() {
		return problems
	}
	_, found := check.Check(prog, fullLibrary(t), Methods())
	return found
}

// A union is the library, and for what it lacks the signatures of the checker's own
// tests: the corpus tests the language and not how far the library has come.
type union struct {
	*stdlib.Library
	more map[string][]*types.Signature
}

func (u union) Signatures(name string) []*types.Signature {
	return append(u.Library.Signatures(name), u.more[name]...)
}

func fullLibrary(t testing.TB) types.Library {
	t.Helper()
	text, err := os.ReadFile("check/testdata/library.txt")
	if err != nil {
		t.Fatal(err)
	}
	u := union{stdlib.New(), map[string][]*types.Signature{}}
	for _, line := range strings.Split(string(text), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		sig, err := types.ParseSignature(line)
		if err != nil {
			t.Fatal(err)
		}
		u.more[sig.Name] = append(u.more[sig.Name], sig)
	}
	return u
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
