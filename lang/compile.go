package lang

// This file takes a program from text to IR, and gives the warnings that are off unless asked for.

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/ir/graph"
	"github.com/seed-12b88e03/ppl/ir/lint"
	"github.com/seed-12b88e03/ppl/ir/lower"
	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/check"
	"github.com/seed-12b88e03/ppl/lang/problem"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/parser"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// Library returns the catalogue of functions and distributions. It is built once.
var Library = sync.OnceValue(stdlib.New)

// Options of Compile. The zero value serves.
type Options struct {
	// Include are folders in which the files of #include are looked for, after the
	// folder of the file that the program came from.
	Include []string
	// IncludeRoot is a folder that included files must lie in, links followed, if they do
	// not lie in one of Include; empty for anywhere.
	IncludeRoot string
	// Included, if it is not nil, are the texts that #include gives, in the order of reading: Program.Included of an
	// earlier Compile, on another machine perhaps. No file is read.
	Included []*source.File
}

// A Program is a compiled model. After a CompileError the stages up to the failing
// one are there: AST always, Info if the text could be parsed, IR if nothing was wrong.
type Program struct {
	Name     string // of the model: the file's name without folder and suffix
	File     *source.File
	Included []*source.File // by #include, in the order of reading
	AST      *ast.Program
	Info     *check.Info
	IR       *ir.Program

	problems *problem.List
	methods  check.Methods
}

// Problems returns what was found, errors and warnings. The list is read-only.
func (p *Program) Problems() *problem.List { return p.problems }

// A CompileError says that a program, or a method expression, has errors.
type CompileError struct{ Problems *problem.List }

// Error returns the first error and the number of others.
func (e *CompileError) Error() string {
	var first problem.Problem
	others := -1
	for _, p := range e.Problems.Sorted() {
		if p.Severity != problem.Error {
			continue
		}
		if others++; others == 0 {
			first = p
		}
	}
	if others > 0 {
		return fmt.Sprintf("%s (and %d more)", first.Error(), others)
	}
	return first.Error()
}

// Compile takes a text through parser, checker and lowering. name is the file that
// messages name; it need not exist. The Program is never nil; the error is a
// *CompileError.
func Compile(name, text string, o Options) (*Program, error) {
	file := source.NewFile(name, text)
	base := filepath.Base(name)
	p := &Program{Name: strings.TrimSuffix(base, filepath.Ext(base)), File: file, methods: Methods()}
	read := newIncluder(name, o).read
	if left := o.Included; left != nil {
		read = func(string) (*source.File, error) {
			if len(left) == 0 {
				return nil, errors.New("its text was not given")
			}
			f := left[0]
			left = left[1:]
			return f, nil
		}
	}
	p.AST, p.problems = parser.Parse(file, parser.Options{Includes: func(name string) (*source.File, error) {
		f, err := read(name)
		if err == nil {
			p.Included = append(p.Included, f)
		}
		return f, err
	}})
	if p.problems.HasErrors() {
		return p, &CompileError{p.problems}
	}
	return p, p.analyse()
}

// analyse takes the tree through checker and lowering.
func (p *Program) analyse() error {
	info, found := check.Check(p.AST, Library(), p.methods)
	p.Info = info
	p.problems.Append(found)
	if p.problems.HasErrors() {
		return &CompileError{p.problems}
	}
	p.IR = graph.Divided(lower.Program(info, Library()))
	for _, d := range info.Directives {
		p.swaps(d.Method, nil, p.problems)
	}
	if p.problems.HasErrors() {
		p.IR = nil
		return &CompileError{p.problems}
	}
	return nil
}

// broken is the error of a program that has errors.
func (p *Program) broken() error {
	if p.IR == nil {
		return &CompileError{p.problems}
	}
	return nil
}

// CompileFile is Compile of a file. Beside a *CompileError it may fail with the error
// of reading the file, which may have MaxSource bytes; then the Program is nil.
func CompileFile(path string, o Options) (*Program, error) {
	text, err := ReadSourceFile(path)
	if err != nil {
		return nil, err
	}
	return Compile(path, text, o)
}

// WantsData reports whether the program declares a data variable of that name.
func (p *Program) WantsData(name string) bool {
	return p.Info != nil && hasName(p.Info.Globals[ast.DataKind], name)
}

func hasName(symbols []*check.Symbol, name string) bool {
	for _, s := range symbols {
		if s.Name == name {
			return true
		}
	}
	return false
}

// NeedsData reports whether the program declares any data.
func (p *Program) NeedsData() bool { return p.Info != nil && len(p.Info.Globals[ast.DataKind]) > 0 }

// ReadDataFile reads the program's data variables from a JSON file, a table (.csv, .tsv, and what formats
// know) or several of them, as data.ReadFiles says, and passes over what the program does not declare. Sizes that a table implies are added;
// the set's Remarks name them. The error is that of opening a file, or a *data.Error with a place in it.
func (p *Program) ReadDataFile(path string, formats ...data.Format) (*data.Set, error) {
	in, err := data.ReadFiles(path, p.WantsData, formats...)
	if err != nil || p.IR == nil {
		return in, err
	}
	return in, bind.ImplySizes(p.IR, in)
}

// ReadData is ReadDataFile for a stream, which it does not close; name is what messages call
// it. The errors are those of ReadDataFile.
func (p *Program) ReadData(r io.Reader, name string) (*data.Set, error) {
	return data.Read(r, name, p.WantsData)
}

// DataFrom takes the program's data variables from the fields of a struct or the entries of
// a map, and passes over what the program does not declare. A field is called what its tag
// `ppl:"name"` says, or else as in JSON; see data.Select. The error names a field whose value
// data cannot hold.
func (p *Program) DataFrom(values any) (*data.Set, error) { return data.Select(values, p.WantsData) }

// Data makes a data set from Go values by variable name: numbers, slices nested row by row,
// and what else data.FromGo says. The error names the variable whose value is none of these.
func Data(vars map[string]any) (*data.Set, error) { return data.FromGo(vars) }

// Lint returns warnings about what is allowed and likely to be a mistake: a parameter
// without prior, a prior outside the declared constraint, a missing Jacobian and the
// like. A program with errors has none.
func (p *Program) Lint() *problem.List {
	if p.IR == nil {
		return &problem.List{}
	}
	return lint.Check(p.IR, Library())
}

// WithoutPrior returns the names of the parameters that no term of the density is a prior of,
// those included whose bounds make a flat density proper, in the order of their declaration.
func (p *Program) WithoutPrior() []string {
	if p.IR == nil {
		return nil
	}
	var names []string
	for _, v := range lint.WithoutPrior(p.IR, Library()) {
		names = append(names, v.Name)
	}
	return names
}
