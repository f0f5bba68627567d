package lsp

// This file asks about every name of the programs in the examples.

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/lang/source"
)

// programs are the sources below the examples.
func programs(t *testing.T) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir("../../../../examples", func(path string, _ fs.DirEntry, err error) error {
		if ext := filepath.Ext(path); ext == ".ppl" || ext == ".stan" {
			out = append(out, path)
		}
		return err
	})
	if err != nil || len(out) == 0 {
		t.Fatalf("%d programs, %v", len(out), err)
	}
	return out
}

// Every name has an explanation and a definition with the same text, and every one that is
// defined can be renamed to one that is free.
func TestEveryName(t *testing.T) {
	renamings := 0
	for _, path := range programs(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		uri := fileURI(path)
		c := begun(t)
		c.opened(uri, string(text))
		d := c.server.open[uri]
		if d.program.Problems().HasErrors() {
			continue // there are such programs on purpose
		}
		for _, n := range names(d.program) {
			if n.loc.File != d.program.File {
				continue
			}
			place := map[string]any{"textDocument": map[string]any{"uri": uri}, "position": d.table.position(n.loc.Start)}
			checkName(t, c, d, n, place)
			if n.defines {
				renamings++
				old := n.loc.Text()
				place["newName"] = "free_name" + ending(old)
				var edit workspaceEdit
				got := c.ask("textDocument/rename", place)
				if err := json.Unmarshal(got, &edit); err != nil || len(edit.Changes[uri]) == 0 && !strings.Contains(string(got), "included file") {
					t.Errorf("%s: renaming: %s", n.loc, got)
				}
			}
		}
	}
	if renamings < 100 {
		t.Errorf("%d renamings", renamings)
	}
}

func checkName(t *testing.T, c *client, d *document, n name, place map[string]any) {
	t.Helper()
	if got := c.ask("textDocument/hover", place); string(got) == "null" {
		t.Errorf("%s: no explanation", n.loc)
	}
	var at location
	if err := json.Unmarshal(c.ask("textDocument/definition", place), &at); err != nil || at.URI != d.uri {
		t.Errorf("%s is defined at %v, %v", n.loc, at, err)
		return
	}
	text := source.Span{File: d.program.File, Start: d.table.offset(at.Range.Start), End: d.table.offset(at.Range.End)}.Text()
	if !strings.HasPrefix(text, strings.TrimSuffix(strings.TrimSuffix(n.loc.Text(), "_lupdf"), "_lupmf")) {
		t.Errorf("%s: %q is defined at %v, %q", n.loc, n.loc.Text(), at.Range, text)
	}
}
