package parser

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/problem"
	"github.com/seed-12b88e03/ppl/lang/source"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with the file's text, or with -update writes it.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (go test -update writes it)", err)
	}
	w, g := strings.Split(string(want), "\n"), strings.Split(got, "\n")
	for i := range max(len(w), len(g)) {
		if i >= len(w) || i >= len(g) || w[i] != g[i] {
			t.Errorf("%s:%d differs\nwant: %q\n got: %q", file, i+1, lineAt(w, i), lineAt(g, i))
			return
		}
	}
}

func lineAt(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "the end"
}

// The printed grammar.
func TestGrammarGolden(t *testing.T) {
	g, err := grammarText()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/grammar.ebnf", g)
}

// The trees of the good programs.
func TestTreesGolden(t *testing.T) {
	for _, file := range programs(t, "testdata/good") {
		prog, _ := Parse(readFile(t, file), Options{Includes: besides(file)})
		golden(t, strings.TrimSuffix(file, filepath.Ext(file))+".ast", ast.Dump(prog))
	}
}

// The rendered problems of the bad programs.
func TestMessagesGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.ppl")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		_, problems := Parse(readFile(t, file), Options{Includes: besides(file)})
		var b bytes.Buffer
		if err := problem.WriteText(&b, problems, problem.Options{Most: -1}); err != nil {
			t.Fatal(err)
		}
		golden(t, strings.TrimSuffix(file, ".ppl")+".txt", b.String())
	}
}

// readFile reads a program; its name in messages has no folder.
func readFile(t testing.TB, file string) *source.File {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return source.NewFile(filepath.Base(file), string(text))
}
