package lang

// This file gives programs their canonical layout.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/format"
	"github.com/seed-12b88e03/ppl/lang/problem"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/parser"
)

// Format returns a program's text in the one canonical layout; formatting that again changes
// nothing. The program must parse; what its names mean is not looked at. name is the file
// that messages name. The error is a *CompileError where the text does not parse.
func Format(name, text string, o Options) (string, error) {
	return FormatWith(name, text, o, Layout{})
}

// A Layout is what may be chosen of a layout.
type Layout struct {
	Width         int  // of a line, in characters; 0 is 80
	Braces        bool // put single statements into braces
	Parentheses   bool // take out parentheses that change nothing
	StripComments bool // leave comments out
}

// FormatWith is Format with a layout of one's own, and has its errors.
func FormatWith(name, text string, o Options, l Layout) (string, error) {
	parse := func(text string) (*ast.Program, *problem.List) {
		return parser.Parse(source.NewFile(name, text), parser.Options{Includes: newIncluder(name, o).read})
	}
	prog, problems := parse(text)
	if problems.HasErrors() {
		return "", &CompileError{problems}
	}
	if l.StripComments {
		prog.Comments = slices.DeleteFunc(prog.Comments, func(c ast.Comment) bool { return strings.HasPrefix(c.Text, "/") })
	}
	format.Canonicalize(prog, format.Canonical{Braces: l.Braces, Parentheses: l.Parentheses})
	out, err := format.Program(prog, cmp.Or(l.Width, format.Width))
	if err != nil {
		return "", err
	}
	// A layout that means something else would damage a file: rather none at all.
	if again, problems := parse(out); problems.HasErrors() || ast.Dump(again) != ast.Dump(prog) {
		return "", fmt.Errorf("%s: the formatter would change the program's meaning, so nothing was done; this is a bug: please report it with the file", name)
	}
	return out, nil
}
