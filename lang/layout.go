package lang

// This file gives programs their canonical layout.

import (
	"fmt"

	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/format"
	"github.com/seed-12b88e03/ppl/lang/problem"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/parser"
)

// Format gives a program's text in the one canonical layout; formatting that again changes
// nothing. The program must parse; what its names mean is not looked at. name is the file
// that messages name. The error is a *CompileError where the text does not parse.
func Format(name, text string, o Options) (string, error) {
	parse := func(text string) (*ast.Program, *problem.List) {
		return parser.Parse(source.NewFile(name, text), parser.Options{Includes: newIncluder(name, o).read})
	}
	prog, problems := parse(text)
	if problems.HasErrors() {
		return "", &CompileError{problems}
	}
	out, err := format.Program(prog)
	if err != nil {
		return "", err
	}
	// A layout that means something else would damage a file: rather none at all.
	if again, problems := parse(out); problems.HasErrors() || ast.Dump(again) != ast.Dump(prog) {
		return "", fmt.Errorf("%s: the formatter would change the program's meaning, so nothing was done; this is a bug: please report it with the file", name)
	}
	return out, nil
}
