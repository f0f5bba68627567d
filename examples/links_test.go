package examples

// This file follows the links between pages.

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// link is one to another file; addresses of the web are not followed.
var link = regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)

// TestLinks: what README.md, the documentation and the examples link to is there.
func TestLinks(t *testing.T) {
	for _, pattern := range []string{"../README.md", "*/README.md", "docs/*.md", "docs/methods/*.md"} {
		pages, err := filepath.Glob(pattern)
		if err != nil || len(pages) == 0 {
			t.Fatal("no pages", pattern, err)
		}
		for _, page := range pages {
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range link.FindAllStringSubmatch(string(text), -1) {
				if strings.ContainsAny(m[1], " <>") {
					continue // not a link, but a call in code
				}
				if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil {
					t.Errorf("%s links to %s, which is not there", page, m[1])
				}
			}
		}
	}
}
