// Package parser turns program text into a lang/ast tree and problems.
//
// Contract: every function here returns a tree as good as can be had, whatever the
// text, and never panics; what is wrong is in the list, several problems a run, at
// most maxProblems. Where a statement could not be read an ast.Bad stands. The tree
// and the files it points into belong to the caller. Functions keep no state and may
// be called from several goroutines at once.
//
// How it works: a hand-written scanner yields all tokens, those of included files in
// place. participle reads the skeleton of blocks over them (grammar.go); what stands
// inside the blocks is dispatched by hand on the first token, with precedence climbing
// for expressions, and never read twice. The same grammar structs, with every production
// spelled out as tags, print the whole grammar (syntax_test.go, grammarText).
//
// After the first error in a statement every token reads as none, so that the
// functions on the way out match nothing and report nothing; the statement's end
// resynchronises at ";" or "}".
package parser

import (
	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/problem"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// Options are what Parse needs beyond the text. The zero value serves.
type Options struct {
	// Includes finds the file that #include names. Where it is nil, an include is an
	// error. Two files with the same Name count as one when circles are looked for.
	Includes func(name string) (*source.File, error)
}

// Parse reads a whole program. The tree is never nil.
func Parse(file *source.File, opts Options) (*ast.Program, *problem.List) {
	p := newParser(file, opts.Includes)
	prog := p.program()
	return prog, p.list()
}

// ParseMethod reads a method expression as in the inference block, for example
// `advi(family = "fullrank")`. The tree is nil where not even a name was there.
func ParseMethod(file *source.File) (*ast.Method, *problem.List) {
	p := newParser(file, nil)
	m := p.method()
	p.accept(semi)
	p.expectEnd("the method")
	return m, p.list()
}

// ParseExpr reads one expression. The tree is nil where there was none.
func ParseExpr(file *source.File) (ast.Expr, *problem.List) {
	p := newParser(file, nil)
	x := p.expr()
	p.expectEnd("the expression")
	return x, p.list()
}

// ParseStatements reads statements and declarations as in a model block, for the
// interactive session.
func ParseStatements(file *source.File) ([]ast.Stmt, *problem.List) {
	p := newParser(file, nil)
	var body []ast.Stmt
	for p.tok().kind != eof && !p.stopped {
		if p.accept(rbrace) {
			p.problems.Errorf(codeBrace, p.last().span(), `"}" without a "{" before it`).Help = `remove it, or add the "{"`
			continue
		}
		body = p.statements(body)
	}
	return body, p.list()
}

// IsIncomplete reports whether the only trouble is that the text ends too early, so
// that an interactive session asks for more of it.
func IsIncomplete(list *problem.List) bool {
	incomplete := false
	for _, p := range list.Sorted() {
		switch {
		case p.Code == codeEnd || p.Code == codeComment:
			incomplete = true
		case p.Severity == problem.Error:
			return false
		}
	}
	return incomplete
}
