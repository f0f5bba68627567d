package repl

// This file tells what an input is, and whether it is whole.

import (
	"regexp"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/problem"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/parser"
)

type inputKind int

const (
	nothing inputKind = iota
	commandInput
	blockInput
	expressionInput
	statementInput
)

// kindOf reports what an input is meant to be.
func kindOf(text string) inputKind {
	trimmed := strings.TrimSpace(text)
	switch {
	case trimmed == "":
		return nothing
	case trimmed[0] == ':':
		return commandInput
	case beginsBlock(trimmed):
		return blockInput
	}
	body, problems := parseStatements(trimmed)
	if len(body) == 0 && problems.Len() == 0 {
		return nothing // comments
	}
	_, asExpression := parseExpression(strings.TrimRight(trimmed, "; \t\n"))
	switch {
	case !asExpression.HasErrors():
		return expressionInput
	case !problems.HasErrors() || looksLikeStatement(trimmed):
		return statementInput
	}
	return expressionInput
}

func parseExpression(text string) (ast.Expr, *problem.List) {
	return parser.ParseExpr(source.NewFile(inputName, text))
}

func parseStatements(text string) ([]ast.Stmt, *problem.List) {
	return parser.ParseStatements(source.NewFile(inputName, text))
}

// firstWord is the word that a text begins with, and what follows it.
func firstWord(text string) (word, rest string) {
	i := strings.IndexFunc(text, func(r rune) bool { return !isNameRune(r) })
	if i < 0 {
		return text, ""
	}
	return text[:i], strings.TrimSpace(text[i:])
}

func isNameRune(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

// beginsBlock reports whether a text begins like a block of a program.
func beginsBlock(text string) bool {
	word, rest := firstWord(text)
	switch word {
	case "functions", "data", "transformed", "parameters", "model", "generated":
		return true
	case "simulate", "inference":
		return strings.HasPrefix(rest, "{")
	}
	return strings.HasPrefix(text, "#include")
}

// statementWords begin statements and declarations, and no expression.
var statementWords = []string{"int", "real", "complex", "vector", "row_vector", "matrix", "complex_vector", "complex_row_vector",
	"complex_matrix", "simplex", "unit_vector", "ordered", "positive_ordered", "sum_to_zero_vector", "sum_to_zero_matrix", "corr_matrix",
	"cov_matrix", "cholesky_factor_corr", "cholesky_factor_cov", "column_stochastic_matrix", "row_stochastic_matrix", "array", "tuple",
	"for", "while", "if", "print", "reject", "fatal_error", "target", "profile", "void", "return", "break", "continue"}

// assignment is the beginning of one: x = 1, x[2] += 1.
var assignment = regexp.MustCompile(`^[a-zA-Z]\w*\s*(\[[^=]*\]\s*)?(\.?[-+*/])?=([^=]|$)`)

// looksLikeStatement tells from the look of a text with errors whether a statement was
// meant.
func looksLikeStatement(text string) bool {
	word, rest := firstWord(text)
	if slices.Contains(statementWords, word) {
		return true
	}
	if strings.HasSuffix(text, ";") || strings.HasPrefix(rest, "~") {
		return true
	}
	return assignment.MatchString(text)
}

// unfinished reports whether a text ends too early: that is its only trouble, or it has a bracket that is
// open, so that the lines of a block that was pasted stay together whatever is wrong in it.
func unfinished(text string) bool {
	switch kindOf(text) {
	case nothing:
		_, problems := parseStatements(text)
		return strings.TrimSpace(text) != "" && parser.IsIncomplete(problems) // a comment
	case commandInput:
		name, arg := splitCommand(text)
		if c, err := findCommand(name); err == nil && c.name == "type" && arg != "" {
			_, problems := parseExpression(arg)
			return parser.IsIncomplete(problems)
		}
		return openBrackets(text)
	case blockInput:
		_, problems := parser.Parse(source.NewFile(inputName, text), parser.Options{Includes: noInclude})
		return parser.IsIncomplete(problems) || openBrackets(text)
	case statementInput:
		if _, _, ok := endsInExpression(text); ok {
			return false
		}
		_, problems := parseStatements(completed(text))
		return parser.IsIncomplete(problems) || openBrackets(text)
	}
	_, problems := parseExpression(strings.TrimSpace(text))
	return parser.IsIncomplete(problems)
}

// endsInExpression takes an input such as "real x = 3; x^2" apart, whose statements are
// followed by an expression to be shown.
func endsInExpression(text string) (statements, expression string, ok bool) {
	if _, problems := parseStatements(text); !problems.HasErrors() {
		return "", "", false // a call may be a statement
	}
	text = strings.TrimRight(text, "; \t\n")
	for end := strings.LastIndexAny(text, ";}"); end >= 0; end = strings.LastIndexAny(text[:end], ";}") {
		statements, expression = text[:end+1], text[end+1:]
		if strings.TrimSpace(expression) == "" {
			continue // it ends in an array
		}
		expression = strings.Repeat("\n", strings.Count(statements, "\n")) + expression // messages count lines
		body, problems := parseStatements(statements)
		if len(body) == 0 || problems.HasErrors() {
			continue
		}
		_, problems = parseExpression(expression)
		return statements, expression, !problems.HasErrors()
	}
	return "", "", false
}

// Inputs takes a text of several lines, such as a notebook's cell, apart into inputs. Blocks that follow one another
// are one, so that a model is replaced as a whole. Before an input stand as many empty lines as lines of the text, so that
// messages name these.
func Inputs(text string) []string {
	var out []string
	lines := strings.Split(text, "\n")
	begin, last := 0, nothing // of the input before
	for from, to := 0, 0; from < len(lines); from = to {
		of := func(from int) string { return strings.Join(lines[from:to], "\n") }
		for to = from + 1; to < len(lines) && unfinished(of(from)) && !isCommand(lines[to]); {
			to++
		}
		kind := kindOf(of(from))
		switch {
		case kind == nothing:
			continue
		case kind == blockInput && last == blockInput:
			out = out[:len(out)-1]
		default:
			begin = from
		}
		last = kind
		out = append(out, strings.Repeat("\n", begin)+of(begin))
	}
	return out
}

// Unfinished reports whether a text of several inputs ends too early.
func Unfinished(text string) bool {
	all := Inputs(text)
	return len(all) > 0 && unfinished(all[len(all)-1])
}

// noInclude stands for included files where only braces are looked at.
func noInclude(name string) (*source.File, error) { return source.NewFile(name, ""), nil }

// completed adds the ";" that was left out behind a simple statement.
func completed(text string) string {
	text = strings.TrimRight(text, " \t\n")
	switch word, _ := firstWord(strings.TrimSpace(text)); word {
	case "for", "while", "if", "profile":
		return text
	}
	if _, problems := parseStatements(text); !parser.IsIncomplete(problems) {
		return text
	}
	if _, problems := parseStatements(text + ";"); problems.HasErrors() {
		return text
	}
	return text + ";"
}

// aside are strings, which end with their line at the latest, and comments, whose brackets do not count.
var aside = regexp.MustCompile(`"(\\.|[^"\\\n])*("|\n|$)|//[^\n]*|(?s:/\*.*?\*/)`)

// openBrackets reports whether a bracket of a text waits for its fellow; those in strings do
// not count. Where brackets do not fit one another waiting does not help.
func openBrackets(text string) bool {
	var open []byte
	text = aside.ReplaceAllString(text, "")
	for i := range len(text) {
		switch c := text[i]; c {
		case '(', '[', '{':
			open = append(open, c)
		case ')', ']', '}':
			if n := len(open); n == 0 || open[n-1] != map[byte]byte{')': '(', ']': '[', '}': '{'}[c] {
				return false
			}
			open = open[:len(open)-1]
		}
	}
	return len(open) > 0
}
