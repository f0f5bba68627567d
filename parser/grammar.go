package parser

// This file is the skeleton of a program as participle grammar: the blocks and what
// they hold.

import (
	"errors"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/seed-12b88e03/ppl/lang/ast"
)

// What stands inside the blocks. When a program is read these are parsed by hand; in
// the printed grammar they are the productions of syntax_test.go.
type (
	function    interface{ function() }
	declaration interface{ declaration() }
	statement   interface{ statement() }
	directive   interface{ directive() }
)

type (
	// block is the unit of skeleton parsing: one of a program's blocks.
	block struct {
		Functions             *functionsBlock             `parser:"  @@"`
		Data                  *dataBlock                  `parser:"| @@"`
		TransformedData       *transformedDataBlock       `parser:"| @@"`
		Parameters            *parametersBlock            `parser:"| @@"`
		TransformedParameters *transformedParametersBlock `parser:"| @@"`
		Model                 *modelBlock                 `parser:"| @@"`
		GeneratedQuantities   *generatedQuantitiesBlock   `parser:"| @@"`
		Simulate              *simulateBlock              `parser:"| @@"`
		Inference             *inferenceBlock             `parser:"| @@"`
	}

	functionsBlock struct {
		Body []function `parser:"'functions' '{' @@* '}'"`
	}
	dataBlock struct {
		Body []declaration `parser:"'data' '{' @@* '}'"`
	}
	transformedDataBlock struct {
		Body []statement `parser:"'transformed' 'data' '{' @@* '}'"`
	}
	parametersBlock struct {
		Body []declaration `parser:"'parameters' '{' @@* '}'"`
	}
	transformedParametersBlock struct {
		Body []statement `parser:"'transformed' 'parameters' '{' @@* '}'"`
	}
	modelBlock struct {
		Body []statement `parser:"'model' '{' @@* '}'"`
	}
	generatedQuantitiesBlock struct {
		Body []statement `parser:"'generated' 'quantities' '{' @@* '}'"`
	}
	simulateBlock struct {
		Body []statement `parser:"'simulate' '{' @@* '}'"`
	}
	inferenceBlock struct {
		Body []directive `parser:"'inference' '{' @@* '}'"`
	}
)

// parsed stands for an item that was parsed by hand; the tree itself goes to contents.
type parsed struct{}

func (parsed) function()    {}
func (parsed) declaration() {}
func (parsed) statement()   {}
func (parsed) directive()   {}

// contents collects what a block holds while participle walks over it.
type contents struct {
	functions  []*ast.Function
	body       []ast.Stmt
	directives []ast.Directive
}

// skeleton builds the participle parser for one program: its productions for what
// blocks hold are the methods of p.
func (p *parser) skeleton(c *contents) (*participle.Parser[block], error) {
	return participle.Build[block](
		participle.Lexer(definition{}),
		participle.UseLookahead(1), // one word tells transformed data from transformed parameters
		participle.ParseTypeWith(func(lex *lexer.PeekingLexer) (function, error) {
			return p.item(lex, func() {
				if f := p.function(); f != nil {
					c.functions = append(c.functions, f)
				}
			})
		}),
		participle.ParseTypeWith(func(lex *lexer.PeekingLexer) (declaration, error) {
			return p.item(lex, func() { c.body = p.declarationOnly(c.body) })
		}),
		participle.ParseTypeWith(func(lex *lexer.PeekingLexer) (statement, error) {
			return p.item(lex, func() { c.body = p.statements(c.body) })
		}),
		participle.ParseTypeWith(func(lex *lexer.PeekingLexer) (directive, error) {
			return p.item(lex, func() {
				if d := p.directive(); d != nil {
					c.directives = append(c.directives, *d)
				}
			})
		}),
	)
}

// item runs a hand-written production for all that the block holds, where participle, which bounds repetitions, has the
// first of it. Errors were reported and recovered from inside parse.
func (p *parser) item(lex *lexer.PeekingLexer, parse func()) (parsed, error) {
	p.pos = int(lex.RawCursor())
	atEnd := func() bool {
		k := p.kind()
		return k == rbrace || k == eof || k == none || p.atBlock()
	}
	if atEnd() {
		return parsed{}, participle.NextMatch
	}
	for !atEnd() {
		start := p.pos
		parse()
		if p.pos == start {
			p.next()
		}
	}
	lex.FastForward(lexer.RawCursor(p.pos - 1)) // goes on behind the given token
	return parsed{}, nil
}

// readBlock parses the block that begins at the current token and leaves p behind it,
// or where it broke off. It reports whether the block is whole.
func (p *parser) readBlock(parse *participle.Parser[block], lex *lexer.PeekingLexer) bool {
	start := p.pos
	lex.FastForward(lexer.RawCursor(start - 1))
	_, err := parse.ParseFromLexer(lex, participle.AllowTrailing(true))
	if err == nil {
		p.pos = int(lex.RawCursor())
		return true
	}
	if unexpected, ok := errors.AsType[*participle.UnexpectedTokenError](err); ok {
		p.pos = p.tokenAt(p.pos, unexpected.Unexpected) // p.pos is behind the last item
	}
	return false
}

// tokenAt finds the token of ours, from start on, that participle names in an error.
func (p *parser) tokenAt(start int, t lexer.Token) int {
	for i := start; i < len(p.toks); i++ {
		if p.toks[i].start == t.Pos.Offset && p.toks[i].file.Name == t.Pos.Filename {
			return i
		}
	}
	return len(p.toks) - 1
}
