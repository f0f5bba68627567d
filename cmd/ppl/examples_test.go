package main

import (
	"io"
	"strings"
	"testing"
)

// The help of every command that users see ends with examples.
func TestEveryCommandHasExamples(t *testing.T) {
	parser, err := newParser(newApp(strings.NewReader(""), io.Discard, io.Discard))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range parser.Model.Children {
		if !c.Hidden && !strings.Contains(c.Detail, "\n  ppl "+c.Name) {
			t.Errorf("ppl %s has no Help method with examples (examples.go)", c.Name)
		}
	}
}
