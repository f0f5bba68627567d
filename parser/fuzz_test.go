package parser

import (
	"bytes"
	"os"
	"testing"

	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/problem"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// FuzzParse feeds any text to every entry point: none panics, every problem has a
// place inside its file and a help, every tree can be printed.
func FuzzParse(f *testing.F) {
	for _, file := range programs(f, "testdata", "../examples/corpus") {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	for _, seed := range []string{"", "x", "a + b ^ -c'[1:, 2].1", "nuts(a = [b: c(1)]) { x ~ normal(0, 1); }", "transformed", "generated {",
		"model { x <- y; }", "#include a", "\xff\xfe", "\ufeffmodel{}", "model { \"", "model { 1i.5e }", "// ERROR"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file := source.NewFile("fuzz", text)
		inner := source.NewFile("inner", text)
		prog, problems := Parse(file, Options{Includes: func(string) (*source.File, error) { return inner, nil }})
		checkProblems(t, problems)
		ast.Dump(prog)
		x, problems := ParseExpr(file)
		checkProblems(t, problems)
		ast.DumpExpr(x)
		m, problems := ParseMethod(file)
		checkProblems(t, problems)
		ast.DumpMethod(m)
		_, problems = ParseStatements(file)
		checkProblems(t, problems)
		IsIncomplete(problems)
	})
}

func checkProblems(t *testing.T, list *problem.List) {
	t.Helper()
	for _, p := range list.Sorted() {
		if s := p.Span; s.File == nil || s.Start < 0 || s.End < s.Start || s.End > len(s.File.Text) {
			t.Errorf("%s: place outside of the text: %+v", p.Message, p.Span)
		}
		if p.Help == "" || p.Code == "" {
			t.Errorf("%s: no code or no help", p.Message)
		}
	}
	if n := list.Len(); n > maxProblems {
		t.Errorf("%d problems", n)
	}
	var b bytes.Buffer
	if err := problem.WriteText(&b, list, problem.Options{}); err != nil {
		t.Error(err)
	}
	if err := problem.WriteJSON(&b, list, problem.Options{}); err != nil {
		t.Error(err)
	}
}

// FuzzGrammar holds the hand-written parser against the spelled-out grammar: what the
// grammar accepts, the parser accepts as well, but for what its further rules name.
func FuzzGrammar(f *testing.F) {
	g, err := wholeGrammar()
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range programs(f, "testdata") {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 2000 {
			return // the grammar backtracks
		}
		_, problems := Parse(source.NewFile("fuzz", text), Options{})
		_, err := g.ParseString("fuzz", text)
		switch {
		case problems.Len() == 0 && err != nil:
			t.Errorf("the parser accepts what the grammar does not: %v", err)
		case problems.Len() > 0 && err == nil && !furtherRule(problems):
			t.Errorf("the grammar accepts what the parser does not: %v", problems.Sorted()[0])
		}
	})
}

// furtherRule reports whether a problem is not about the grammar's form.
func furtherRule(list *problem.List) bool {
	for _, p := range list.Sorted() {
		switch p.Code {
		case codeName, codeCharacter, codeNumber, codeComment, codeString, codeInclude, codeOldComment, codeDepth, codeLineEnds,
			codeNotAssigned, codeBounds, codeOldLogProb, codeDirective:
			return true
		}
	}
	return false
}
