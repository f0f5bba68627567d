package main

// This file looks at what an interrupt leaves of the bars of a run.

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// sequence is one that moves the cursor or clears.
var sequence = regexp.MustCompile("^\x1b\\[([0-9;?]*)([A-Za-z])")

// rendered is what a terminal shows of a text: lines, with what the cursor went back to and wrote over or cleared.
func rendered(text string) string {
	rows, row, column := [][]rune{nil}, 0, 0
	for len(text) > 0 {
		if m := sequence.FindStringSubmatch(text); m != nil {
			text = text[len(m[0]):]
			n, err := strconv.Atoi(m[1])
			switch {
			case m[2] == "A":
				row = max(0, row-max(1, n))
			case m[2] == "J" && err != nil:
				rows = rows[:row+1]
				rows[row] = rows[row][:min(column, len(rows[row]))]
			case m[2] == "K" && n == 2:
				rows[row] = nil
			case m[2] == "K":
				rows[row] = rows[row][:min(column, len(rows[row]))]
			case m[2] == "G":
				column = max(0, n-1)
			}
			continue
		}
		r := []rune(text)[0]
		text = text[len(string(r)):]
		switch r {
		case '\r':
			column = 0
		case '\n':
			row++
		default:
			for len(rows[row]) <= column {
				rows[row] = append(rows[row], ' ')
			}
			rows[row][column] = r
			column++
		}
		for len(rows) <= row {
			rows = append(rows, nil)
		}
	}
	lines := make([]string, len(rows))
	for i, r := range rows {
		lines[i] = strings.TrimRight(string(r), " ")
	}
	return strings.Join(lines, "\n")
}

// TestInterruptLeavesNoBars: after Ctrl-C no part of a bar stands on the screen, neither of a run nor of a session.
func TestInterruptLeavesNoBars(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	const slow = `transformed data { int n = 300000; vector[n] x; for (i in 1:n) x[i] = sin(i); }
parameters { real a; real<lower=0> s; }
model { a ~ normal(0, 1); s ~ exponential(1); x ~ logistic(a, s); }
`
	if err := os.WriteFile(filepath.Join(dir, "slow.ppl"), []byte(slow), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, session := range []bool{false, true} {
		args := []string{"run", "slow.ppl", "--seed", "1", "--method", "nuts(draws = 100000)"}
		if session {
			args = []string{"repl", "slow.ppl", "--seed", "1"}
		}
		s, cmd := startAtTerminal(t, t.TempDir(), args...)
		if session {
			s.waitFor("ppl> ")
			s.press(":run nuts(draws = 100000)\r")
		}
		s.waitFor("chain 4")
		s.press(keyCtrlC)
		s.waitFor("stopping")
		s.waitFor("the run was stopped")
		if session {
			s.waitFor("ppl> ")
			s.press(keyCtrlD)
		}
		_ = cmd.Wait()
		s.mu.Lock()
		shown := rendered(s.text.String())
		s.mu.Unlock()
		if strings.ContainsAny(shown, "█░") || strings.Contains(shown, "chain 4") {
			t.Errorf("%v: on the screen is left\n%s", args, shown)
		}
	}
}

// TestFormattedAtTerminal: what a stranger's model says to a terminal is shown there, and not obeyed.
func TestFormattedAtTerminal(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("m.ppl", []byte("model { print(\"\x1b]0;title\a\"); }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	s, cmd := startAtTerminal(t, t.TempDir(), "fmt", "m.ppl")
	s.waitFor(`\u001b]0;title\u0007`)
	_ = cmd.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if strings.Contains(s.text.String(), "\x1b]0;") {
		t.Errorf("the terminal is told %q", s.text.String())
	}
}
