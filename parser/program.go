package parser

// This file puts blocks together to a program and reports what is wrong with them as
// a whole: unknown, twice, out of order, not closed.

import (
	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/seed-12b88e03/ppl/lang/ast"
)

var blockKinds = [...]ast.BlockKind{ast.FunctionsKind, ast.DataKind, ast.TransformedDataKind, ast.ParametersKind,
	ast.TransformedParametersKind, ast.ModelKind, ast.GeneratedQuantitiesKind, ast.SimulateKind, ast.InferenceKind}

func (p *parser) program() *ast.Program {
	prog := &ast.Program{File: p.file}
	var c contents
	skeleton, err := p.skeleton(&c)
	if err != nil {
		p.report(codeSyntax, p.tok().span(), "the grammar is broken: %v", err).Help = "report this as a bug"
		return prog
	}
	lex, err := lexer.Upgrade(&stream{toks: p.toks})
	if err != nil {
		p.report(codeSyntax, p.tok().span(), "the text cannot be read: %v", err).Help = "report this as a bug"
		return prog
	}
	b := builder{p: p, prog: prog, skeleton: skeleton, lex: lex, contents: &c, latest: -1}
	for p.tok().kind != eof && !p.stopped {
		b.next()
	}
	prog.Comments = p.comments
	return prog
}

// A builder adds block after block to a program.
type builder struct {
	p        *parser
	prog     *ast.Program
	skeleton *participle.Parser[block]
	lex      *lexer.PeekingLexer
	contents *contents
	seen     [len(blockKinds)]token // the first word of each block so far
	latest   ast.BlockKind
}

// next reads one block, or skips what is none.
func (b *builder) next() {
	p := b.p
	p.bailed = false
	start := p.pos
	kind, words := p.blockKind()
	if words == 0 {
		p.notBlock()
		return
	}
	*b.contents = contents{}
	if !p.readBlock(b.skeleton, b.lex) && !p.stopped {
		if p.pos <= start+words {
			p.noBrace(kind, start)
			return
		}
		p.unclosed(p.toks[start+words])
	}
	b.order(kind, p.toks[start])
	b.add(kind, start)
}

// order reports a block that comes twice or too late.
func (b *builder) order(kind ast.BlockKind, word token) {
	before := b.seen[kind]
	switch {
	case before.file != nil:
		q := b.p.report(codeBlockTwice, word.span(), "the block %s is there twice", quoted(kind.String()))
		q.Help, q.Notes = "put both into one", note(before, "the first one is here")
		return
	case kind < b.latest:
		q := b.p.report(codeBlockOrder, word.span(), "the block %s comes after %s", quoted(kind.String()), quoted(b.latest.String()))
		q.Help, q.Notes = "the order is functions, data, transformed data, parameters, transformed parameters, model, generated quantities, simulate, inference",
			note(b.seen[b.latest], quoted(b.latest.String())+" is here")
	}
	b.seen[kind] = word
	b.latest = max(b.latest, kind)
}

// add puts what was read into the program; of a second block of one kind the contents
// are added to the first, so that its names are known.
func (b *builder) add(kind ast.BlockKind, start int) {
	loc := b.p.from(start)
	switch kind {
	case ast.FunctionsKind:
		if b.prog.Functions == nil {
			b.prog.Functions = &ast.FunctionsBlock{Loc: loc}
		}
		f := b.prog.Functions
		f.Functions = append(f.Functions, b.contents.functions...)
	case ast.InferenceKind:
		if b.prog.Inference == nil {
			b.prog.Inference = &ast.Inference{Loc: loc}
		}
		i := b.prog.Inference
		i.Items = append(i.Items, b.contents.directives...)
	default:
		slot := b.slot(kind)
		if *slot == nil {
			*slot = &ast.Block{Loc: loc, Kind: kind}
		}
		(*slot).Body = append((*slot).Body, b.contents.body...)
	}
}

func (b *builder) slot(kind ast.BlockKind) **ast.Block {
	switch kind {
	case ast.DataKind:
		return &b.prog.Data
	case ast.TransformedDataKind:
		return &b.prog.TransformedData
	case ast.ParametersKind:
		return &b.prog.Parameters
	case ast.TransformedParametersKind:
		return &b.prog.TransformedParameters
	case ast.ModelKind:
		return &b.prog.Model
	case ast.GeneratedQuantitiesKind:
		return &b.prog.GeneratedQuantities
	}
	return &b.prog.Simulate
}

// blockKind returns the kind of block whose first word is the current token and the
// number of its words, 0 where no block has this name.
func (p *parser) blockKind() (kind ast.BlockKind, words int) {
	switch p.kind() {
	case kwFunctions:
		return ast.FunctionsKind, 1
	case kwData:
		return ast.DataKind, 1
	case kwParameters:
		return ast.ParametersKind, 1
	case kwModel:
		return ast.ModelKind, 1
	case kwGenerated:
		return ast.GeneratedQuantitiesKind, 2
	case kwTransformed:
		if p.peek(1) == kwParameters {
			return ast.TransformedParametersKind, 2
		}
		return ast.TransformedDataKind, 2
	}
	switch {
	case p.is("simulate"):
		return ast.SimulateKind, 1
	case p.is("inference"):
		return ast.InferenceKind, 1
	}
	return 0, 0
}

// blockWord is the name of the block at the current token.
func (p *parser) blockWord() string {
	kind, _ := p.blockKind()
	return kind.String()
}

// noBrace reports a block's name, at token start, that is incomplete or has no "{".
func (p *parser) noBrace(kind ast.BlockKind, start int) {
	p.pos = min(max(p.pos, start+1), len(p.toks)-1)
	switch first := p.toks[start].kind; {
	case first == kwTransformed && p.pos == start+1:
		p.unexpected(`"data" or "parameters" after "transformed"`)
	case first == kwGenerated && p.pos == start+1:
		p.unexpected(`"quantities" after "generated"`)
	default:
		p.unexpected(`"{" after ` + quoted(kind.String()))
	}
	p.recover(start)
}

// notBlock reports something outside of all blocks and skips it.
func (p *parser) notBlock() {
	start, t := p.pos, p.tok()
	switch k := p.kind(); {
	case k == rbrace:
		p.report(codeBrace, t.span(), `"}" without a "{" before it`).Help = `remove it, or add the "{"`
		p.next()
		return
	case k.startsType() || k == kwVoid || k == kwTarget || k == kwFor || k == kwIf:
		p.unexpected("the name of a block").Help = "put declarations and statements into a block, such as model { ... }"
	case k == ident && p.peek(1) == lbrace, k == ident && p.peek(2) == lbrace:
		q := p.fail(codeBlock, t.span(), "there is no block %s", quoted(t.text()))
		q.Help = "blocks are functions, data, transformed data, parameters, transformed parameters, model, generated quantities, simulate, inference"
		if near := nearest(t.text(), []string{"functions", "data", "transformed", "parameters", "model", "generated", "simulate", "inference"}); near != "" {
			q.Help = "did you mean " + quoted(near) + "?"
		}
	default:
		p.unexpected("the name of a block").Help = "a program consists of blocks, such as model { ... }"
	}
	p.recover(start)
	if p.pos == start {
		p.next()
	}
}

// declarationOnly parses what a block holds that takes declarations only: data and
// parameters.
func (p *parser) declarationOnly(dst []ast.Stmt) []ast.Stmt {
	n := len(dst)
	dst = p.statements(dst)
	for _, s := range dst[n:] {
		switch s := s.(type) {
		case *ast.Decl:
			if s.Init != nil {
				p.report(codeInitialiser, s.Init.Span(), "%s cannot have a value in this block", quoted(s.Name.Name)).
					Help = "declare it in transformed data or transformed parameters to give it a value"
			}
		case *ast.Bad, *ast.Empty:
		default:
			p.report(codeDeclOnly, s.Span(), "expected a declaration, found a statement").
				Help = "this block holds declarations only; statements go to another block"
		}
	}
	return dst
}
