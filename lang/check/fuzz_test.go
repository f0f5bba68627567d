package check_test

// This file fuzzes the checker: no tree that parses may make it panic.

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/lang/check"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/parser"
)

func FuzzCheck(f *testing.F) {
	for _, pattern := range []string{"testdata/bad/*.txt", "../../examples/corpus/*/*.stan"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, path := range files {
			text, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			for _, chunk := range strings.Split(string(text), "---\n") {
				f.Add(chunk)
			}
		}
	}
	lib := testLibrary(f)
	f.Fuzz(func(t *testing.T, text string) {
		prog, _ := parser.Parse(source.NewFile("fuzz", text), parser.Options{})
		if info, problems := check.Check(prog, lib, methods()); info == nil || problems == nil {
			t.Error("no result")
		}
	})
}
