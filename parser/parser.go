package parser

// This file holds the parser's state.

import (
	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/problem"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// A parser reads one run of tokens. It lives for one call of Parse.
type parser struct {
	cursor
	file     *source.File
	private  map[*source.File]source.Span // files whose text is not shown, by where they are included
	comments []ast.Comment
	variable string // of a grid, whose value stands at valueAt; empty outside
	valueAt  int
}

func newParser(file *source.File, includes func(string) (*source.File, error)) *parser {
	s := scanner{includes: includes}
	s.scan(file)
	return &parser{cursor: cursor{toks: s.tokens, problems: &s.problems}, file: file, private: s.private, comments: s.comments}
}

// list returns the problems found, at most maxProblems.
func (p *parser) list() *problem.List {
	found := p.shown()
	if found.Len() <= maxProblems {
		return found
	}
	out := &problem.List{}
	for _, q := range found.Sorted()[:maxProblems] {
		out.Add(q)
	}
	return out
}
