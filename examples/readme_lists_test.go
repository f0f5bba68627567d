package examples

// This file holds the lists of README.md complete: commands and methods.

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/lang"
)

// commandLine is a command in what ppl --help prints.
var commandLine = regexp.MustCompile(`(?m)^  ([a-z]+)  `)

// TestReadmeLists: README.md names every command and every method, docs/index.md every
// model of the gallery.
func TestReadmeLists(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	readme := string(text)
	commands := commandLine.FindAllStringSubmatch(runCommand(t, ".", buildCommand(t), []string{"--help"}), -1)
	if len(commands) < 10 {
		t.Fatalf("ppl --help lists %d commands", len(commands))
	}
	for _, c := range commands {
		if !strings.Contains(readme, "`ppl "+c[1]) {
			t.Errorf("README.md does not name ppl %s", c[1])
		}
	}
	for _, row := range lang.Methods().Rows {
		if !strings.Contains(readme, "| `"+row.Name) && !strings.Contains(readme, ", `"+row.Name) {
			t.Errorf("README.md does not name the method %s", row.Name)
		}
	}
	index, err := os.ReadFile(filepath.Join("docs", "index.md"))
	if err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join("*", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		if name := filepath.Dir(page); !strings.Contains(string(index), "(../"+name+"/README.md)") {
			t.Errorf("docs/index.md does not name %s", name)
		}
	}
}
