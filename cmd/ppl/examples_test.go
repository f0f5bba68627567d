package main

import (
	"io"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
)

// The help of every command that users see ends with examples.
func TestEveryCommandHasExamples(t *testing.T) {
	parser, err := newParser(frame.NewApp(strings.NewReader(""), io.Discard, io.Discard))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range parser.Model.Children {
		if !c.Hidden && !strings.Contains(c.Detail, "\n  ppl "+c.Name) {
			t.Errorf("ppl %s has no Help method with examples (examples.go)", c.Name)
		}
	}
}
