package examples

// This file runs the commands that the READMEs of the examples and the pages of docs show.

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
)

var update = flag.Bool("update", false, "write what the commands in READMEs print into them")

var (
	shown     = regexp.MustCompile("(?s)```console\n\\$ ppl ([^\n]*)\n(.*?)```")
	shownFile = regexp.MustCompile("(?s)`([a-z_]+\\.(?:ppl|json|csv))`:\n\n```[a-z]+\n(.*?)```")
	picture   = regexp.MustCompile(`!\[[^\]]*\]\((pictures/[^)]*\.svg)\)`)
	lettering = regexp.MustCompile(`<text[^>]*>([^<]*)</text>`)
	word      = regexp.MustCompile(`(?:[^\s']|'[^']*')+`)
	figures   = regexp.MustCompile(`[-+]?[0-9][0-9.]*(?:e[-+]?[0-9]+)?|NaN`)
	spaces    = regexp.MustCompile(`[ \t]+`)
	rows      = regexp.MustCompile(`#(?:(?: \+-| to)? #)+`)
	bars      = regexp.MustCompile(`[▁▂▃▄▅▆▇█]+`)
	notGood   = regexp.MustCompile(`(?m)^(?:warning|bad) `)
	worst     = regexp.MustCompile(`((?:largest|smallest) [^,(]*, (?:of|in)|the ranks of) .*?(:| are)`)
	shape     = regexp.MustCompile(`(?m)^\w+ +The approximation (?:is close|differs|misses).*(?:\n +Use a richer.*)?`)
	worstOf   = regexp.MustCompile(`(?s)The worst is .*?fits them\.\n`)
)

// TestReadmes compares what README.md in a folder of examples, or a page of docs, shows
// with what the commands print now. Digits do not count: the last ones differ between
// processors. One page in four is taken; with PPL_ALL, -update or -v all are.
func TestReadmes(t *testing.T) {
	var files []string
	for _, pattern := range []string{"README.md", filepath.Join("*", "README.md"), filepath.Join("docs", "*.md"), filepath.Join("docs", "methods", "*.md")} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	ppl := buildCommand(t)
	for _, file := range files {
		if !*update && !testing.Verbose() && !subset.Has(filepath.ToSlash(file), 4) {
			continue
		}
		t.Run(filepath.ToSlash(file), func(t *testing.T) {
			t.Parallel()
			comparePage(t, ppl, file)
		})
	}
}

// comparePage runs the commands of one page one after the other, in a folder that has
// the examples and the files that the page shows.
func comparePage(t *testing.T, ppl, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := workFolder(t, text)
	now := shown.ReplaceAllStringFunc(string(text), func(block string) string {
		m := shown.FindStringSubmatch(block)
		return "```console\n$ ppl " + m[1] + "\n" + runCommand(t, dir, ppl, words(m[1])) + "```"
	})
	if filepath.Base(file) != "wrong_uses.md" && strings.Contains(now, "there is no such file") {
		t.Errorf("%s: a command of the page lacks a file", file)
	}
	comparePictures(t, filepath.Dir(file), dir, string(text))
	if *update {
		if err := os.WriteFile(file, []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(withoutFigures(string(text)), withoutFigures(now)); diff != "" {
		t.Errorf("%s is not what the commands print; go test ./examples -run Readmes -update writes it (-shown +printed):\n%s", file, diff)
	}
}

// comparePictures compares the pictures that a page shows with those that its commands
// have drawn: by what is written in them, for lines and points move with the last digits.
func comparePictures(t *testing.T, folder, dir, page string) {
	t.Helper()
	for _, m := range picture.FindAllStringSubmatch(page, -1) {
		now, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(m[1])))
		if err != nil {
			t.Errorf("no command of the page draws %s: %v", m[1], err)
			continue
		}
		path := filepath.Join(folder, filepath.FromSlash(m[1]))
		if *update {
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, now, 0o644)); err != nil {
				t.Fatal(err)
			}
			continue
		}
		was, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
			continue
		}
		if diff := cmp.Diff(letteringOf(was), letteringOf(now)); diff != "" {
			t.Errorf("%s is not what the commands draw; go test ./examples -run Readmes -update draws it (-shown +drawn):\n%s", path, diff)
		}
	}
}

// letteringOf is what is written in a picture, but for figures: ticks are left out.
func letteringOf(svg []byte) []string {
	var out []string
	for _, m := range lettering.FindAllSubmatch(svg, -1) {
		if text := withoutFigures(strings.ReplaceAll(string(m[1]), "−", "-")); text != "#" {
			out = append(out, text)
		}
	}
	return out
}

// workFolder makes the folder that a page's commands run in.
func workFolder(t *testing.T, page []byte) string {
	t.Helper()
	dir := t.TempDir()
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(here, filepath.Join(dir, "examples")); err != nil {
		t.Skipf("NOT TESTED: no link to the examples can be made: %v", err)
	}
	for _, m := range shownFile.FindAllSubmatch(page, -1) {
		if err := os.WriteFile(filepath.Join(dir, string(m[1])), m[2], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// buildCommand builds the command line.
func buildCommand(t testing.TB) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(t.TempDir(), "ppl.exe"))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command("go", "build", "-o", path, "../cmd/ppl").CombinedOutput(); err != nil {
		t.Fatalf("cannot build the command line: %v\n%s", err, text)
	}
	return path
}

// runCommand returns what a command prints in a folder: on standard output, and where it
// ends with an error also that.
func runCommand(t *testing.T, dir, ppl string, args []string) string {
	t.Helper()
	var fault strings.Builder
	c := exec.Command(ppl, args...)
	c.Dir, c.Stderr = dir, &fault
	text, err := c.Output()
	if err != nil {
		if _, ok := errors.AsType[*exec.ExitError](err); !ok {
			t.Fatalf("ppl %s: %v", strings.Join(args, " "), err)
		}
		text = append([]byte(fault.String()), text...)
	}
	return strings.TrimRight(string(text), "\n") + "\n"
}

// words splits a command line at spaces that are not between single quotes.
func words(line string) []string {
	var out []string
	for _, m := range word.FindAllString(line, -1) {
		out = append(out, strings.ReplaceAll(m, "'", ""))
	}
	return out
}

// withoutFigures leaves out what changes with the last digits, as they do from processor
// to processor: numbers, histograms, which of many quantities is the worst, how bad
// something is that is not good, and what is made of a Pareto shape, which is a noisy one.
func withoutFigures(text string) string {
	for _, r := range []struct {
		what *regexp.Regexp
		with string
	}{
		{worstOf, ""}, {shape, "The approximation #"}, {worst, "$1 #"}, {notGood, "not good"}, {bars, "#"}, {figures, "#"}, {spaces, " "}, {rows, "#"},
	} {
		text = r.what.ReplaceAllString(text, r.with)
	}
	return text
}
