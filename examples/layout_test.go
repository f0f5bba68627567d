package examples

// This file holds the programs of the examples to the one layout.

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-12b88e03/ppl/lang"
)

// TestLayout: ppl fmt changes no program of the gallery.
func TestLayout(t *testing.T) {
	programs, err := filepath.Glob(filepath.Join("*", "*.ppl"))
	if err != nil || len(programs) == 0 {
		t.Fatal("no programs", err)
	}
	for _, path := range programs {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		laid, err := lang.Format(path, string(text), lang.Options{})
		if err != nil {
			t.Fatal(lang.ErrorText(err))
		}
		if diff := cmp.Diff(string(text), laid); diff != "" {
			t.Errorf("ppl fmt -w %s would change it (-is +laid out):\n%s", path, diff)
		}
	}
}
