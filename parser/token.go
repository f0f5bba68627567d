package parser

// This file lists the kinds of token, their spellings, and the reserved words.

import (
	"slices"

	"github.com/seed-12b88e03/ppl/lang/source"
)

// A kind says what a token is. Every keyword and operator has a kind of its own,
// so that the parser dispatches by one comparison.
type kind uint8

const (
	none kind = iota // no token: what a statement sees after its first error
	eof
	ident
	intLit
	realLit
	dotInt // ".3": a tuple's field after an expression, a real number elsewhere
	imagLit
	stringLit
	reserved // a word without a meaning of its own that no name may have
	broken   // what the scanner reported as unreadable

	lbrace
	rbrace
	lparen
	rparen
	lbrack
	rbrack
	comma
	semi
	bar
	question
	colon
	at
	bang
	minus
	plus
	hat
	eltPow
	quote
	times
	divide
	modulo
	intDivide
	leftDivide
	eltTimes
	eltDivide
	or
	and
	equals
	notEquals
	less
	lessEq
	greater
	greaterEq
	tilde
	assign
	plusAssign
	minusAssign
	timesAssign
	divideAssign
	eltTimesAssign
	eltDivideAssign

	kwFunctions
	kwData
	kwParameters
	kwModel
	kwTransformed
	kwGenerated
	kwQuantities
	kwReturn
	kwIf
	kwElse
	kwWhile
	kwFor
	kwIn
	kwBreak
	kwContinue
	kwProfile
	kwPrint
	kwReject
	kwFatalError
	kwTarget
	kwLower
	kwUpper
	kwOffset
	kwMultiplier
	kwTrue
	kwFalse
	kwVoid
	kwArray
	kwTuple
	kwInt // the base types, kwInt to kwRowStochastic
	kwReal
	kwComplex
	kwVector
	kwRowVector
	kwMatrix
	kwComplexVector
	kwComplexRowVector
	kwComplexMatrix
	kwOrdered
	kwPositiveOrdered
	kwSimplex
	kwUnitVector
	kwSumToZeroVector
	kwSumToZeroMatrix
	kwCholeskyCorr
	kwCholeskyCov
	kwCorrMatrix
	kwCovMatrix
	kwColumnStochastic
	kwRowStochastic
	kinds // the number of kinds
)

const (
	firstKeyword = kwFunctions
	firstType    = kwInt
	lastType     = kwRowStochastic
)

// spelling returns the text of operators and keywords and a description of the rest.
var spelling = [kinds]string{
	none: "nothing", eof: "the end of the file", ident: "a name", intLit: "an integer", realLit: "a number",
	dotInt: "a number", imagLit: "an imaginary number", stringLit: "a string", reserved: "a reserved word",
	broken: "something unreadable",

	lbrace: "{", rbrace: "}", lparen: "(", rparen: ")", lbrack: "[", rbrack: "]", comma: ",", semi: ";",
	bar: "|", question: "?", colon: ":", at: "@", bang: "!", minus: "-", plus: "+", hat: "^", eltPow: ".^",
	quote: "'", times: "*", divide: "/", modulo: "%", intDivide: "%/%", leftDivide: `\`, eltTimes: ".*",
	eltDivide: "./", or: "||", and: "&&", equals: "==", notEquals: "!=", less: "<", lessEq: "<=",
	greater: ">", greaterEq: ">=", tilde: "~", assign: "=", plusAssign: "+=", minusAssign: "-=",
	timesAssign: "*=", divideAssign: "/=", eltTimesAssign: ".*=", eltDivideAssign: "./=",

	kwFunctions: "functions", kwData: "data", kwParameters: "parameters", kwModel: "model",
	kwTransformed: "transformed", kwGenerated: "generated", kwQuantities: "quantities",
	kwReturn: "return", kwIf: "if", kwElse: "else", kwWhile: "while", kwFor: "for", kwIn: "in",
	kwBreak: "break", kwContinue: "continue", kwProfile: "profile", kwPrint: "print",
	kwReject: "reject", kwFatalError: "fatal_error", kwTarget: "target", kwLower: "lower",
	kwUpper: "upper", kwOffset: "offset", kwMultiplier: "multiplier", kwTrue: "true", kwFalse: "false",
	kwVoid: "void", kwArray: "array", kwTuple: "tuple", kwInt: "int", kwReal: "real",
	kwComplex: "complex", kwVector: "vector", kwRowVector: "row_vector", kwMatrix: "matrix",
	kwComplexVector: "complex_vector", kwComplexRowVector: "complex_row_vector",
	kwComplexMatrix: "complex_matrix", kwOrdered: "ordered", kwPositiveOrdered: "positive_ordered",
	kwSimplex: "simplex", kwUnitVector: "unit_vector", kwSumToZeroVector: "sum_to_zero_vector",
	kwSumToZeroMatrix: "sum_to_zero_matrix", kwCholeskyCorr: "cholesky_factor_corr",
	kwCholeskyCov: "cholesky_factor_cov", kwCorrMatrix: "corr_matrix", kwCovMatrix: "cov_matrix",
	kwColumnStochastic: "column_stochastic_matrix", kwRowStochastic: "row_stochastic_matrix",
}

// words maps keywords and reserved words to their kinds. The words without a
// keyword's role come from the reference manual, section "Reserved names".
var words = func() map[string]kind {
	m := make(map[string]kind, 80)
	for k := firstKeyword; k < kinds; k++ {
		m[spelling[k]] = k
	}
	for _, w := range []string{"repeat", "until", "then", "struct", "typedef", "export", "auto", "extern", "var", "static", "jacobian"} {
		m[w] = reserved
	}
	return m
}()

func (k kind) isKeyword() bool  { return k >= firstKeyword }
func (k kind) isBaseType() bool { return k >= firstType && k <= lastType }

// startsType reports whether a declaration may begin with k.
func (k kind) startsType() bool { return k.isBaseType() || k == kwArray || k == kwTuple }

// A token is a piece of text with its kind and place.
type token struct {
	file       *source.File
	start, end int
	kind       kind
}

func (t token) text() string      { return t.file.Text[t.start:t.end] }
func (t token) span() source.Span { return source.Span{File: t.file, Start: t.start, End: t.end} }

// describe names a token for a message: what was found.
func (t token) describe() string {
	switch {
	case t.kind == eof, t.kind == none:
		return spelling[eof]
	case t.kind == ident:
		return "the name " + quoted(t.text())
	case t.kind == reserved, t.kind.isKeyword():
		return "the keyword " + quoted(t.text())
	case t.kind == stringLit:
		return "the string " + shorten(t.text())
	case t.kind <= imagLit:
		return "the number " + quoted(shorten(t.text()))
	}
	return quoted(t.text())
}

func quoted(s string) string { return `"` + s + `"` }

// shorten cuts a long piece of program text for use inside a message.
func shorten(s string) string {
	const most = 40
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return string(r[:most-3]) + "..."
}

// Keywords returns the words with a meaning of their own, those of types and blocks among
// them; the words that are only reserved are left out.
func Keywords() []string { return slices.Clone(spelling[firstKeyword:]) }

// TypeNames returns the words that a type begins with.
func TypeNames() []string { return typeNames() }
