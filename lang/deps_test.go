package lang

// This file keeps the list short of what a program takes on that embeds the language.

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// ours is the module's path.
const ours = "github.com/seed-12b88e03/ppl"

// others are the modules of others that package lang is made with: numerics, and the
// parser's grammar.
var others = []string{"github.com/alecthomas/participle/v2", "gonum.org/v1/gonum"}

func TestDependencies(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.Module.Path}}{{end}}", ".").Output()
	if err != nil {
		t.Skipf("the dependencies are not checked, for go list does not run here: %v", err)
	}
	modules := slices.DeleteFunc(strings.Fields(string(out)), func(m string) bool { return m == ours })
	slices.Sort(modules)
	if modules = slices.Compact(modules); !slices.Equal(modules, others) {
		t.Errorf("package lang depends on %v, expected %v alone", modules, others)
	}
}
