package parser

// This file is the catalogue of the codes of syntax problems.

const (
	codeSyntax       = "syntax"         // something else was expected here
	codeEnd          = "unexpected-end" // the text ends too early
	codeCharacter    = "bad-character"  // a character outside the language
	codeNumber       = "bad-number"     // digits and letters in one word
	codeString       = "unterminated-string"
	codeComment      = "unterminated-comment"
	codeName         = "bad-name"          // a name of a form that names may not have
	codeReserved     = "reserved-word"     // a reserved word as a name
	codeSemicolon    = "missing-semicolon" // a statement does not end
	codeBrace        = "unmatched-brace"   // a brace too many or too few
	codeBlock        = "unknown-block"     // no block has this name
	codeBlockOrder   = "block-order"       // blocks in the wrong order
	codeBlockTwice   = "duplicate-block"   // a block given twice
	codeType         = "unknown-type"      // a declaration with a type that is none
	codeSizes        = "bad-sizes"         // sizes missing, or where none belong
	codeBounds       = "bad-bounds"        // bounds where none belong, or unknown
	codeDeclOnly     = "not-a-declaration" // a statement in data or parameters
	codeInitialiser  = "value-not-allowed" // a declaration with a value in data or parameters
	codeNotStatement = "not-a-statement"   // an expression without effect
	codeNotAssigned  = "not-assignable"    // something else than a variable left of =
	codeStringPlace  = "misplaced-string"  // a string as a value
	codeDirective    = "bad-directive"     // in the inference block
	codeDepth        = "nested-too-deeply"
	codeInclude      = "include"
	codeIncludeCycle = "include-cycle"
	codeLineEnds     = "line-ends"        // carriage returns alone
	codeOldComment   = "old-comment"      // # ...
	codeOldArray     = "old-array-syntax" // real x[N]; real[] x
	codeOldAssign    = "old-assignment"   // x <- y
	codeOldLogProb   = "old-log-prob"     // increment_log_prob, get_lp, lp__
)
