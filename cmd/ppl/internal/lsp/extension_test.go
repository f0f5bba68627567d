package lsp_test

// This file checks the files of the extension for VS Code.

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/parser"
)

// extension is the extension's folder.
const extension = "../../extra/vscode"

func read(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(extension, path))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Errorf("%s: %v", path, err)
	}
}

// A pattern is one of the grammar: an expression, or two with patterns between them.
type pattern struct {
	Name, Match, Begin, End, Include string
	Captures, BeginCaptures          map[string]struct{ Name string }
	Patterns                         []pattern
}

type grammar struct {
	ScopeName  string
	Patterns   []pattern
	Repository map[string]pattern
}

func readGrammar(t *testing.T) grammar {
	t.Helper()
	var g grammar
	read(t, "syntaxes/ppl.tmLanguage.json", &g)
	return g
}

// each visits a pattern and those inside it.
func each(p pattern, f func(pattern)) {
	f(p)
	for _, inner := range p.Patterns {
		each(inner, f)
	}
}

func (g grammar) each(f func(pattern)) {
	each(pattern{Patterns: g.Patterns}, f)
	for _, p := range g.Repository {
		each(p, f)
	}
}

// lookahead is what Go's expressions lack.
var lookahead = regexp.MustCompile(`\(\?[=!][^)]*\)`)

func compile(t *testing.T, expr string) *regexp.Regexp {
	t.Helper()
	re, err := regexp.Compile(lookahead.ReplaceAllString(expr, ""))
	if err != nil {
		t.Errorf("%q: %v", expr, err)
	}
	return re
}

// The grammar's expressions compile, its references lead somewhere, and its captures are
// there.
func TestGrammar(t *testing.T) {
	g := readGrammar(t)
	g.each(func(p pattern) {
		for _, expr := range []string{p.Match, p.Begin, p.End} {
			compile(t, expr)
		}
		if name, ok := strings.CutPrefix(p.Include, "#"); ok != (p.Include != "") {
			t.Errorf("the reference %q", p.Include)
		} else if _, there := g.Repository[name]; ok && !there {
			t.Errorf("the reference %q leads nowhere", p.Include)
		}
		for _, captures := range []struct {
			of string
			by map[string]struct{ Name string }
		}{{p.Match, p.Captures}, {p.Begin, p.BeginCaptures}} {
			re := compile(t, captures.of)
			for n := range captures.by {
				if re != nil && n > string(rune('0'+re.NumSubexp())) {
					t.Errorf("%q has no group %s", captures.of, n)
				}
			}
		}
	})
}

// Every keyword of the language has a colour, and every word that has one of a type is one.
func TestKeywords(t *testing.T) {
	g := readGrammar(t)
	coloured := func(word string, in ...string) bool {
		for _, name := range in {
			found := false
			each(g.Repository[name], func(p pattern) {
				if p.Match != "" && compile(t, p.Match).FindString(word) == word {
					found = true
				}
			})
			if found {
				return true
			}
		}
		return false
	}
	for _, w := range parser.Keywords() {
		if !coloured(w, "keywords", "types") {
			t.Errorf("the keyword %s has no colour", w)
		}
	}
	types := append(parser.TypeNames(), "void")
	for _, w := range types {
		if !coloured(w, "types") {
			t.Errorf("the type %s is not coloured as one", w)
		}
	}
	for _, w := range regexp.MustCompile(`[a-z_]{2,}`).FindAllString(strings.TrimPrefix(g.Repository["types"].Match, `\b`), -1) {
		if !slices.Contains(types, w) {
			t.Errorf("%s is coloured as a type", w)
		}
	}
	for _, block := range []string{"functions", "data", "transformed data", "parameters", "transformed parameters", "model", "generated quantities", "simulate"} {
		if !coloured(block+" {", "blocks") {
			t.Errorf("the block %s has no colour", block)
		}
	}
	for _, number := range []string{"1", "1_000", "1.5", ".5", "2.", "1e-3", "1.5e+10", "3i", ".5e2i"} {
		if !coloured(number, "numbers") {
			t.Errorf("the number %s has no colour", number)
		}
	}
}

// The manifest names files that are there and languages that have a grammar.
func TestManifest(t *testing.T) {
	var m struct {
		Main        string
		Contributes struct {
			Languages []struct{ ID, Configuration string }
			Grammars  []struct{ Language, ScopeName, Path string }
		}
		Dependencies map[string]string
	}
	read(t, "package.json", &m)
	files := []string{m.Main}
	var languages, grammars []string
	for _, l := range m.Contributes.Languages {
		languages, files = append(languages, l.ID), append(files, l.Configuration)
	}
	for _, l := range m.Contributes.Grammars {
		grammars, files = append(grammars, l.Language), append(files, l.Path)
		if want := readGrammar(t).ScopeName; l.ScopeName != want {
			t.Errorf("the grammar of %s is %s, not %s", l.Language, want, l.ScopeName)
		}
	}
	if want := []string{"ppl", "stan"}; !slices.Equal(languages, want) || !slices.Equal(grammars, want) {
		t.Errorf("languages %v with grammars %v, want %v", languages, grammars, want)
	}
	for _, f := range files {
		if _, err := os.Stat(filepath.Join(extension, f)); err != nil {
			t.Error(err)
		}
	}
	if len(m.Dependencies) != 1 {
		t.Errorf("%d dependencies; the README says one", len(m.Dependencies))
	}
}

// The language configuration's patterns are sound.
func TestConfiguration(t *testing.T) {
	var c struct {
		WordPattern      string
		IndentationRules map[string]string
		Brackets         [][2]string
	}
	read(t, "language-configuration.json", &c)
	for _, expr := range append([]string{c.WordPattern}, c.IndentationRules["increaseIndentPattern"], c.IndentationRules["decreaseIndentPattern"]) {
		if expr == "" || compile(t, expr) == nil {
			t.Errorf("the pattern %q", expr)
		}
	}
	if len(c.Brackets) != 3 {
		t.Errorf("brackets %v", c.Brackets)
	}
}
