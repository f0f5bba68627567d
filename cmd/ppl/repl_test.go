package main

// This file replays recorded sessions: what follows the prompts is typed in again, and
// what comes out must look as it did.

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/repl"
)

// scripted is a terminal whose lines are known; it notes what a person would see.
type scripted struct {
	lines []string
	seen  *bytes.Buffer
}

// ReadLine implements repl.Terminal. The line "^C" stands for the key.
func (s *scripted) ReadLine(prompt string) (string, error) {
	if len(s.lines) == 0 {
		return "", io.EOF
	}
	line := s.lines[0]
	s.lines = s.lines[1:]
	s.seen.WriteString(prompt + line + "\n")
	if line == "^C" {
		return "", repl.ErrInterrupt
	}
	return line, nil
}

// typed are the lines behind the prompts of a recorded session.
var typed = regexp.MustCompile(`(?m)^(?:ppl|\.\.\.)> (.*)$`)

// replay types a recorded session again and gives what it looks like now.
func replay(t *testing.T, record string) string {
	t.Helper()
	var out bytes.Buffer
	in := &scripted{seen: &out}
	for _, m := range typed.FindAllStringSubmatch(record, -1) {
		in.lines = append(in.lines, m[1])
	}
	a := frame.NewApp(strings.NewReader(""), &out, &out)
	s := repl.New(repl.Options{Terminal: in, Out: &out, View: sessionView{app: a}, Seed: 1, Jobs: 2})
	if _, err := s.Run(); err != nil {
		t.Fatal(err)
	}
	return progressOfAny.ReplaceAllString(out.String(), "")
}

// progressOfAny are the lines at each tenth of a run, which depend on the machine.
var progressOfAny = regexp.MustCompile(`(?m)^ *\d+% .*\n`)

// What differs between processors, and with every change in the order of rounding, once a
// sampler has run: findings, bars and what they leave out, digits and the width of columns.
var (
	findingLine = regexp.MustCompile(`(?m)^(good|warning|bad|none) .*\n(         .*\n)*`)
	plotBars    = regexp.MustCompile(`[▁-█][▁-█ ]*`)
	plotCut     = regexp.MustCompile(`(?m)^ *the central .* of the draws\n`) // where some lie far out
	exponents   = regexp.MustCompile(`#e#`)
)

// masked is a session without all that.
func masked(s string) string {
	s = figures.ReplaceAllString(plotBars.ReplaceAllString(plotCut.ReplaceAllString(findingLine.ReplaceAllString(s, ""), ""), "|"), "#")
	return spaces.ReplaceAllString(exponents.ReplaceAllString(s, "#"), " ")
}

// compareSession compares a session with its record.
func compareSession(t *testing.T, want, got string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-recorded +now (go test ./cmd/ppl -run Session -update records anew)\n%s", diff)
	}
}

func TestRecordedSessions(t *testing.T) {
	files, err := filepath.Glob("testdata/repl/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("found no sessions (%v)", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			record, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			path, err := filepath.Abs(file)
			if err != nil {
				t.Fatal(err)
			}
			schools, err := filepath.Abs("../../examples/eight_schools")
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(t.TempDir())
			for _, name := range []string{"eight_schools.ppl", "eight_schools.json"} {
				text, err := os.ReadFile(filepath.Join(schools, name))
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(name, text, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			got := replay(t, string(record))
			if strings.Contains(got, "goroutine ") || strings.Contains(got, "internal error") {
				t.Errorf("a session must not end in a bug:\n%s", got)
			}
			if *update {
				golden(t, path, got)
				return
			}
			if strings.Contains(string(record), "ppl> :run") {
				compareSession(t, masked(string(record)), masked(got))
				return
			}
			compareSession(t, string(record), got)
		})
	}
}

// The tour of the documentation is a session, too.
func TestDocumentedSession(t *testing.T) {
	const page = "../../examples/docs/repl.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```console\n(ppl> .*?)```").FindStringSubmatchIndex(string(text))
	if block == nil {
		t.Fatalf("%s shows no session", page)
	}
	record := string(text[block[2]:block[3]])
	got := replay(t, record)
	if *update {
		golden(t, page, string(text[:block[2]])+got+string(text[block[3]:]))
		return
	}
	compareSession(t, masked(record), masked(got))
}
