package papers

// This file tests that the script of the figures, the folder and the page name the same ones.

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestFigures: figures.sh draws each picture of the folder figures, README.md links to it, and it is XML.
func TestFigures(t *testing.T) {
	script, err := os.ReadFile("figures.sh")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var drawn, there []string
	for _, m := range regexp.MustCompile(`(?m)^keep (\w+) `).FindAllStringSubmatch(string(script), -1) {
		drawn = append(drawn, m[1]+".svg")
	}
	entries, err := os.ReadDir("figures")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		there = append(there, e.Name())
		if !strings.Contains(string(readme), "](figures/"+e.Name()+")") {
			t.Errorf("README.md has no link to %s", e.Name())
		}
		text, err := os.ReadFile("figures/" + e.Name())
		if err != nil {
			t.Fatal(err)
		}
		for d := xml.NewDecoder(strings.NewReader(string(text))); err == nil; {
			_, err = d.Token()
		}
		if !errors.Is(err, io.EOF) {
			t.Errorf("%s: %v", e.Name(), err)
		}
	}
	slices.Sort(drawn)
	if !slices.Equal(drawn, there) {
		t.Errorf("figures.sh draws %v, and there are %v", drawn, there)
	}
}
