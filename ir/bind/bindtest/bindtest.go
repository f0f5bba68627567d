// Package bindtest compiles and binds programs for tests.
package bindtest

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/ir/graph"
	"github.com/seed-12b88e03/ppl/ir/lower"
	"github.com/seed-12b88e03/ppl/lang/check"
	"github.com/seed-12b88e03/ppl/lang/problem"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/parser"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// Compile goes from text to IR; dir is where includes are looked for.
func Compile(name, text, dir string, lib *stdlib.Library) (*ir.Program, error) {
	include := func(file string) (*source.File, error) {
		b, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			return nil, err
		}
		return source.NewFile(file, string(b)), nil
	}
	tree, problems := parser.Parse(source.NewFile(name, text), parser.Options{Includes: include})
	if problems.HasErrors() {
		return nil, asError(problems)
	}
	tree.Inference = nil // directives are checked against the methods, which are not known here
	info, problems := check.Check(tree, lib, check.Methods{})
	if problems.HasErrors() {
		return nil, asError(problems)
	}
	return graph.Divided(lower.Program(info, lib)), nil
}

// problemError is a list of problems as one error.
type problemError string

func (e problemError) Error() string { return string(e) }

func asError(l *problem.List) error {
	var b strings.Builder
	for _, p := range l.Sorted() {
		b.WriteString(p.Span.String() + ": " + p.Message + " [" + p.Code + "]\n")
	}
	return problemError(b.String())
}

// Model compiles a file and binds it to a data file; an empty data name means none.
func Model(path, dataPath string) (*bind.Model, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	lib := stdlib.New()
	p, err := Compile(path, string(text), filepath.Dir(path), lib)
	if err != nil {
		return nil, err
	}
	var in *data.Set
	if dataPath != "" {
		if in, err = data.ReadFile(dataPath, func(string) bool { return true }); err != nil {
			return nil, err
		}
	}
	return bind.Bind(p, lib, in, bind.Options{Seed: 1})
}
