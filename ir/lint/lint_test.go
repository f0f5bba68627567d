package lint_test

// This file runs the warnings over programs with and without what they warn of. The
// programs of testdata/*.txt are separated by lines "---"; a line on which warnings
// are expected ends in "//! CODE ...". Missing and unexpected ones both fail.

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/lint"
	"github.com/seed-12b88e03/ppl/ir/lower"
	"github.com/seed-12b88e03/ppl/lang/check"
	"github.com/seed-12b88e03/ppl/lang/problem"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/parser"
	"github.com/seed-12b88e03/ppl/stdlib"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// compile goes from text to IR; dir is where includes are looked for.
func compile(name, text, dir string, lib *stdlib.Library) (*ir.Program, error) {
	include := func(file string) (*source.File, error) {
		b, err := os.ReadFile(filepath.Join(dir, file))
		return source.NewFile(file, string(b)), err
	}
	tree, problems := parser.Parse(source.NewFile(name, text), parser.Options{Includes: include})
	if problems.HasErrors() {
		return nil, problems.Sorted()[0]
	}
	tree.Inference = nil // directives are checked against the methods, which are not known here
	info, problems := check.Check(tree, lib, check.Methods{})
	if problems.HasErrors() {
		return nil, problems.Sorted()[0]
	}
	return lower.Program(info, lib), nil
}

func TestPrograms(t *testing.T) {
	lib := stdlib.New()
	shown := map[string]bool{}
	for _, name := range []string{"warnings.txt", "clean.txt"} {
		file := filepath.Join("testdata", name)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		line := 1
		for _, chunk := range strings.Split(string(text), "---\n") {
			checkChunk(t, lib, file, line, chunk, shown)
			line += strings.Count(chunk, "\n") + 1
		}
	}
	catalogue, err := os.ReadFile("messages.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`message\{"([^"]+)"`).FindAllStringSubmatch(string(catalogue), -1) {
		if !shown[m[1]] {
			t.Errorf("no program shows the warning %q", m[1])
		}
	}
}

func checkChunk(t *testing.T, lib *stdlib.Library, file string, first int, chunk string, shown map[string]bool) {
	t.Helper()
	p, err := compile(file, chunk, ".", lib)
	if err != nil {
		t.Errorf("%s:%d: %v", file, first, err)
		return
	}
	found := lint.Check(p, lib)
	got, want := map[int][]string{}, map[int][]string{}
	for _, w := range found.Sorted() {
		n := first + w.Span.Position().Line - 1
		got[n] = append(got[n], w.Code)
		shown[w.Code] = true
		if w.Severity != problem.Warning {
			t.Errorf("%s:%d: %s is no warning", file, n, w.Code)
		}
	}
	for i, l := range strings.Split(chunk, "\n") {
		if _, codes, ok := strings.Cut(l, "//! "); ok {
			want[first+i] = strings.Fields(codes)
			sort.Strings(want[first+i])
		}
	}
	for _, codes := range got {
		sort.Strings(codes)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s:%d: wanted -, got +\n%s%v", file, first, diff, found.Sorted())
	}
}

// TestModelsGolden writes down what is said of the published models among the
// examples, so that a change of a rule shows what it does to programs that are right.
func TestModelsGolden(t *testing.T) {
	lib := stdlib.New()
	files, err := filepath.Glob("../../examples/[pw]*/*.stan")
	if err != nil || len(files) == 0 {
		t.Fatalf("found no models (%v)", err)
	}
	var b strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p, err := compile(filepath.Base(file), string(text), filepath.Dir(file), lib)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		for _, w := range lint.Check(p, lib).Sorted() {
			b.WriteString(w.Error() + "\n")
		}
	}
	const golden = "testdata/models.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatalf("%v (go test ./ir/lint -update writes it)", err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// TestCorpusDoesNotBreak runs the warnings over every good program of the corpus: the
// constructs that no rule was written for must pass, too.
func TestCorpusDoesNotBreak(t *testing.T) {
	lib := stdlib.New()
	files, err := filepath.Glob("../../examples/corpus/good/*.stan")
	if err != nil || len(files) == 0 {
		t.Fatalf("found no programs (%v)", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p, err := compile(file, string(text), filepath.Join(filepath.Dir(file), "include"), lib)
		if err != nil {
			continue // package lang reports these
		}
		for _, w := range lint.Check(p, lib).Sorted() {
			if w.Span.IsZero() || w.Message == "" {
				t.Errorf("%s: a warning without a place or words: %v", file, w)
			}
		}
	}
}
