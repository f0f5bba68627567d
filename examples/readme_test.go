package examples

// This file runs the commands that the READMEs of the examples show.

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write what the commands in READMEs print into them")

var (
	shown   = regexp.MustCompile("(?s)```console\n\\$ ppl ([^\n]*)\n(.*?)```")
	figures = regexp.MustCompile(`[-+]?[0-9][0-9.]*|NaN`)
	spaces  = regexp.MustCompile(`[ \t]+`)
)

// TestReadmes compares what README.md in a folder of examples shows with what the
// command prints now. Digits do not count: the last ones differ between processors.
func TestReadmes(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("*", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	ppl := buildCommand(t)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		now := shown.ReplaceAllStringFunc(string(text), func(block string) string {
			m := shown.FindStringSubmatch(block)
			return "```console\n$ ppl " + m[1] + "\n" + runCommand(t, ppl, strings.Fields(m[1])) + "```"
		})
		if *update {
			if err := os.WriteFile(file, []byte(now), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if diff := cmp.Diff(withoutFigures(string(text)), withoutFigures(now)); diff != "" {
			t.Errorf("%s is not what the commands print; go test ./examples -run Readmes -update writes it (-shown +printed):\n%s", file, diff)
		}
	}
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

// runCommand gives what a command prints on standard output at the module's root.
func runCommand(t *testing.T, ppl string, args []string) string {
	t.Helper()
	var fault strings.Builder
	c := exec.Command(ppl, args...)
	c.Dir, c.Stderr = "..", &fault
	text, err := c.Output()
	if err != nil {
		t.Fatalf("ppl %s: %v\n%s", strings.Join(args, " "), err, fault.String())
	}
	return strings.TrimRight(string(text), "\n") + "\n"
}

func withoutFigures(text string) string {
	return spaces.ReplaceAllString(figures.ReplaceAllString(text, "#"), " ")
}
