package main

// This file runs the commands that README.md shows and compares what they print. Digits,
// and which quantity is the worst, do not count: the last digits differ between processors.

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var (
	shownFile    = regexp.MustCompile("(?s)`([a-z_]+\\.(?:ppl|json))`:\n\n```[a-z]+\n(.*?)```")
	shownCommand = regexp.MustCompile("(?s)```console\n\\$ ppl ([^\n]*)\n(.*?)```")
	progressLine = regexp.MustCompile(`(?m)^ *\d+% chains: .*\n`)
	figures      = regexp.MustCompile(`[-+]?[0-9][0-9.]*|NaN`)
	spaces       = regexp.MustCompile(`[ \t]+`)
	worstOf      = regexp.MustCompile(`((?:largest|smallest) [^,(:]*, of) [^:]*:`)
)

func TestReadme(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for _, m := range shownFile.FindAllStringSubmatch(string(text), -1) {
		if err := os.WriteFile(filepath.Base(m[1]), []byte(m[2]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	commands := shownCommand.FindAllStringSubmatch(string(text), -1)
	if len(commands) == 0 {
		t.Fatal("README.md shows no commands")
	}
	mask := func(s string) string {
		return strings.TrimSpace(spaces.ReplaceAllString(figures.ReplaceAllString(worstOf.ReplaceAllString(s, "$1 #:"), "#"), " "))
	}
	for _, m := range commands {
		var stdout, stderr bytes.Buffer
		execute(strings.Fields(m[1]), strings.NewReader(""), &stdout, &stderr)
		got := progressLine.ReplaceAllString(stderr.String(), "") + stdout.String()
		if diff := cmp.Diff(mask(m[2]), mask(got)); diff != "" {
			t.Errorf("ppl %s (-README +real):\n%s", m[1], diff)
		}
	}
}
