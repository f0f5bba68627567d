// Golden texts of programs that together use every kind of node.

package ir_test

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/stdlib"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// compile reads and lowers a program.
func compile(t *testing.T, path string) *ir.Program {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := bindtest.Compile(filepath.Base(path), string(text), filepath.Dir(path), stdlib.New())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestDumpGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.stan")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs in testdata (%v)", err)
	}
	for _, file := range files {
		golden := strings.TrimSuffix(file, ".stan") + ".golden"
		got := ir.Dump(compile(t, file))
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s differs from %s (go test -update writes it anew); got\n%s", file, golden, got)
		}
	}
}

// TestDumpProgramsUseEveryNode holds the programs of the golden test to their claim.
func TestDumpProgramsUseEveryNode(t *testing.T) {
	missing := nodes(t)
	see := func(n any) bool {
		delete(missing, reflect.TypeOf(n).Elem().Name())
		return true
	}
	files, _ := filepath.Glob("testdata/*.stan")
	for _, file := range files {
		p := compile(t, file)
		for _, f := range p.Functions {
			ir.Inspect(f.Body, see)
		}
		for _, body := range [][]ir.Stmt{p.TransformedData.Body, p.TransformedParameters.Body, p.Model, p.GeneratedQuantities.Body} {
			ir.Inspect(body, see)
		}
	}
	for name := range missing {
		t.Errorf("no program uses %s", name)
	}
}

// nodes are the types of this package that embed Node or At.
func nodes(t *testing.T) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	files, _ := filepath.Glob("*.go")
	for _, path := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, _ := n.(*ast.TypeSpec)
			if spec == nil {
				return true
			}
			if body, ok := spec.Type.(*ast.StructType); ok && slices.ContainsFunc(body.Fields.List, isNode) {
				found[spec.Name.Name] = true
			}
			return false
		})
	}
	return found
}

// isNode reports whether a field embeds what all nodes have.
func isNode(f *ast.Field) bool {
	base, _ := f.Type.(*ast.Ident)
	return len(f.Names) == 0 && base != nil && (base.Name == "Node" || base.Name == "At")
}
