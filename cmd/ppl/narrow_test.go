package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/folders"
	"github.com/seed-12b88e03/ppl/diagnose"
)

// Tables of verdicts leave out columns where the terminal is narrow, and say which; what the
// verdict rests on stays.
func TestVerdictTablesFit(t *testing.T) {
	for _, c := range []struct {
		header []string
		stay   []string
	}{
		{[]string{"steps", "forward", "reverse", "gap", "error", "95 % interval", "gap of 99 %", "slope", "s/chain"}, []string{"steps", "forward", "reverse", "gap"}},
		{[]string{"", "p", "p ECDF", "p chi2", "mean rank", "sd ratio", "50 %", "90 %", "out", "ranks"}, []string{"p", "ranks"}},
	} {
		row := make([]string, len(c.header))
		for i, h := range c.header {
			row[i] = strings.Repeat("9", len(h)+1)
		}
		table := diagnose.Table{Header: c.header, Rows: [][]string{row, row}}
		if text := tableText(table, 0); !strings.Contains(text, c.header[len(c.header)-1]) || strings.Contains(text, "not shown") {
			t.Errorf("without a width all is shown:\n%s", text)
		}
		text := tableText(table, 60)
		lines := strings.Split(text, "\n")
		for _, l := range lines[:3] {
			if n := utf8.RuneCountInString(l); n > 60 {
				t.Errorf("%d characters:\n%s", n, l)
			}
		}
		for _, h := range c.stay {
			if !strings.Contains(lines[0], h) {
				t.Errorf("%s is left out:\n%s", h, text)
			}
		}
		if !strings.Contains(text, "not shown, for the terminal is too narrow: ") {
			t.Errorf("it is not said that columns are missing:\n%s", text)
		}
	}
}

// TestEscapesAreAsWideAsShown: a terminal's code in a cell is shown as text, and the cells behind it stay in line.
func TestEscapesAreAsWideAsShown(t *testing.T) {
	text := tableText(diagnose.Table{Header: []string{"", "share"}, Rows: [][]string{{"a\x1b[31mb", "1"}, {"ab", "2"}}}, 0)
	lines := strings.Split(text, "\n")
	if strings.ContainsRune(text, '\x1b') || !strings.Contains(lines[1], "1") || len(lines[1]) != len(lines[2]) {
		t.Errorf("table:\n%s", text)
	}
}

// TestInterruptedUpdate: an update cannot be resumed, and what is usable is said.
func TestInterruptedUpdate(t *testing.T) {
	for _, c := range []struct {
		s    session
		want string
	}{
		{session{updates: true, partial: true, drawn: true}, "interrupted; all draws are made, and can be used, but were not all judged"},
		{session{updates: true, partial: true}, "interrupted; the draws so far are kept, of the model fitted anew; the same command begins again"},
		{session{updates: true}, "interrupted after the end: nothing is missing"},
		{session{partial: true, folder: &folders.Folder{}}, "interrupted; the draws so far are kept, and --resume goes on with them"},
	} {
		if got := c.s.interrupted(); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
