package lsp

// This file holds the editor to know the names in each statement and expression: the cases are those
// of lang/nodes_test.go, by which a new node is added.

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"testing"

	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/lang/check"
)

// nodeCases reads the fields that are texts of each case of lang/nodes_test.go.
func nodeCases(t *testing.T) []map[string]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../../../../lang/nodes_test.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var cases []map[string]string
	ast.Inspect(file, func(n ast.Node) bool {
		literal, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		c := map[string]string{}
		for _, e := range literal.Elts {
			pair, ok := e.(*ast.KeyValueExpr)
			if !ok {
				return true
			}
			if value, ok := pair.Value.(*ast.BasicLit); ok && value.Kind == token.STRING {
				c[pair.Key.(*ast.Ident).Name], _ = strconv.Unquote(value.Value)
			}
		}
		cases = append(cases, c)
		return false
	})
	if len(cases) < 20 {
		t.Fatalf("only %v found", cases)
	}
	return cases
}

// TestEveryNode: where the checker found a variable, the editor offers it.
func TestEveryNode(t *testing.T) {
	for _, c := range nodeCases(t) {
		text := "functions {" + c["functions"] + "}\nparameters { real p; }\nmodel { real total = 0; for (n in 1:3) { real a = p * n; real u = 0; " +
			c["text"] + " total += u; } target += total; }"
		p, err := lang.Compile("node.ppl", text, lang.Options{})
		if err != nil {
			t.Errorf("%s: %v", c["node"], lang.ErrorText(err))
			continue
		}
		for id, symbol := range p.Info.Uses {
			if symbol.Kind != check.FunctionName && !slices.Contains(visible(p, id.Loc.Start), symbol) {
				t.Errorf("%s: %q is not offered where it stands in %s", c["node"], id.Name, text[id.Loc.Start-9:id.Loc.End])
			}
		}
	}
}
