package lang

// This file reads the documentation of the package.

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// aboutErrors is how documentation says what an error means.
var aboutErrors = regexp.MustCompile(`(?i)error|fails`)

// TestDocumented: every exported name has documentation that begins with it, and that of a
// function which gives an error says something about it.
func TestDocumented(t *testing.T) {
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	p, err := doc.NewFromFiles(fset, files, "lang")
	if err != nil {
		t.Fatal(err)
	}
	begins := func(name, text string) {
		if !regexp.MustCompile(`^(An? |The )?` + name + `\b|^Options of`).MatchString(text) {
			t.Errorf("%s: the documentation is %q", name, text)
		}
	}
	values := func(list []*doc.Value) {
		for _, v := range list {
			begins(v.Names[0], v.Doc)
		}
	}
	functions := func(list []*doc.Func) {
		for _, f := range list {
			begins(f.Name, f.Doc)
			if givesError(f.Decl) && !aboutErrors.MatchString(f.Doc) {
				t.Errorf("%s %s: nothing is said about its error", f.Recv, f.Name)
			}
		}
	}
	values(p.Consts)
	values(p.Vars)
	functions(p.Funcs)
	for _, typ := range p.Types {
		begins(typ.Name, typ.Doc)
		values(typ.Consts)
		values(typ.Vars)
		functions(typ.Funcs)
		functions(typ.Methods)
	}
}

// givesError reports whether the last result of a function is an error; those that implement
// an error are none.
func givesError(f *ast.FuncDecl) bool {
	results := f.Type.Results
	if results == nil || len(results.List) == 0 || f.Name.Name == "Unwrap" {
		return false
	}
	name, ok := results.List[len(results.List)-1].Type.(*ast.Ident)
	return ok && name.Name == "error"
}
