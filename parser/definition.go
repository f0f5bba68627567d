package parser

// This file shows the scanner to participle as a lexer.

import (
	"io"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/seed-12b88e03/ppl/lang/source"
)

// The token types that the grammar knows. Keywords are a type of their own, so that
// no name in the grammar matches one.
const (
	identType = lexer.TokenType(iota + 1)
	integerType
	realType
	fieldType
	imaginaryType
	stringType
	keywordType
	operatorType
)

// definition implements lexer.Definition by the scanner.
type definition struct{}

func (definition) Symbols() map[string]lexer.TokenType {
	return map[string]lexer.TokenType{"EOF": lexer.EOF, "Ident": identType, "Integer": integerType, "Real": realType,
		"Field": fieldType, "Imaginary": imaginaryType, "String": stringType, "Keyword": keywordType, "Operator": operatorType}
}

// Lex reads all of r at once: programs are small.
func (definition) Lex(filename string, r io.Reader) (lexer.Lexer, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	s := scanner{}
	s.scan(source.NewFile(filename, string(text)))
	return &stream{toks: s.tokens}, nil
}

// stream hands out tokens one by one.
type stream struct {
	toks []token
	next int
	pos  lexer.Position
	file *source.File
}

func (s *stream) Next() (lexer.Token, error) {
	t := s.toks[s.next]
	if s.next < len(s.toks)-1 {
		s.next++
	}
	if t.file != s.file || t.start < s.pos.Offset {
		s.file = t.file
		s.pos = lexer.Position{Filename: t.file.Name, Line: 1, Column: 1}
	}
	s.pos.Advance(t.file.Text[s.pos.Offset:t.start])
	return lexer.Token{Type: typeOf(t.kind), Value: t.text(), Pos: s.pos}, nil
}

func typeOf(k kind) lexer.TokenType {
	switch {
	case k == eof:
		return lexer.EOF
	case k == ident:
		return identType
	case k == intLit:
		return integerType
	case k == realLit:
		return realType
	case k == dotInt:
		return fieldType
	case k == imagLit:
		return imaginaryType
	case k == stringLit || k == broken:
		return stringType
	case k == reserved || k.isKeyword():
		return keywordType
	}
	return operatorType
}
