package problem

// This file renders problems: as text with the source line and a caret, and as JSON.

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/seed-12b88e03/ppl/lang/source"
)

// DefaultMost is how many problems a rendering shows where the caller does not say.
const DefaultMost = 20

// maxLine is the most runes of a source line that are shown.
const maxLine = 100

// Options say how problems are rendered. The zero value serves.
type Options struct {
	Most int // problems shown before "and N more"; 0 means DefaultMost, negative all
}

func (o Options) cut(items []Problem) (shown []Problem, more int) {
	most := o.Most
	if most == 0 {
		most = DefaultMost
	}
	if most < 0 || len(items) <= most {
		return items, 0
	}
	return items[:most], len(items) - most
}

// WriteText writes the list's problems for people, sorted by place:
//
//	file:line:column: severity: message [code]
//	    source line
//	    ^~~~
//	  note: ...
//	  help: ...
//
// A source line longer than maxLine runes is shortened around its caret.
func WriteText(w io.Writer, list *List, o Options) error {
	shown, more := o.cut(list.Sorted())
	var b strings.Builder
	for i := range shown {
		writeProblem(&b, &shown[i])
	}
	if more > 0 {
		fmt.Fprintf(&b, "and %d more\n", more)
	}
	_, err := io.WriteString(w, Printable(b.String()))
	return err
}

// Text returns one problem as WriteText writes it.
func (p Problem) Text() string {
	var b strings.Builder
	writeProblem(&b, &p)
	return Printable(b.String())
}

// Error returns the first line of Text, so that a Problem may serve as an error.
func (p Problem) Error() string {
	var b strings.Builder
	writeHead(&b, &p)
	return Printable(b.String())
}

func writeHead(b *strings.Builder, p *Problem) {
	if !p.Span.IsZero() {
		b.WriteString(p.Span.String() + ": ")
	}
	fmt.Fprintf(b, "%s: %s [%s]", p.Severity, p.Message, p.Code)
}

func writeProblem(b *strings.Builder, p *Problem) {
	writeHead(b, p)
	b.WriteByte('\n')
	writeExcerpt(b, p.Span)
	for _, n := range p.Notes {
		b.WriteString("  note: ")
		if !n.Span.IsZero() {
			b.WriteString(n.Span.String() + ": ")
		}
		b.WriteString(n.Message + "\n")
		writeExcerpt(b, n.Span)
	}
	if p.Help != "" {
		b.WriteString("  help: " + p.Help + "\n")
	}
}

// writeExcerpt writes the line where the span starts and a caret line under the part
// of the span that lies on it.
func writeExcerpt(b *strings.Builder, s source.Span) {
	if s.IsZero() {
		return
	}
	pos := s.Position()
	line := onePlace(s.File.Line(pos.Line))
	if strings.TrimSpace(line) == "" && s.End <= s.Start {
		return // such as the end of a file behind its last line end
	}
	from := min(pos.Column-1, utf8.RuneCountInString(line))
	width := max(1, min(utf8.RuneCountInString(s.Text()), utf8.RuneCountInString(line)-from))
	line, from, width = window(line, from, width)
	fmt.Fprintf(b, "    %s\n    %s^%s\n", line, blanks(line, from), strings.Repeat("~", width-1))
}

// onePlace replaces what a terminal would obey, and broken UTF-8, so that each rune of a
// line takes one place.
func onePlace(line string) string {
	return strings.Map(func(r rune) rune {
		if obeyed(r) {
			return utf8.RuneError
		}
		return r
	}, line)
}

// window shortens a long line to the part around its marked runes.
func window(line string, from, width int) (string, int, int) {
	runes := []rune(line)
	if len(runes) <= maxLine {
		return line, from, width
	}
	const dots = "..."
	start := max(0, min(from-maxLine/3, len(runes)-maxLine))
	end := min(start+maxLine, len(runes))
	text := string(runes[start:end])
	width = min(width, end-from)
	if end < len(runes) {
		text += dots
	}
	if start > 0 {
		return dots + text, from - start + len(dots), max(width, 1)
	}
	return text, from, max(width, 1)
}

// blanks returns white space as wide as the first n runes of line: tabs stay tabs.
func blanks(line string, n int) string {
	var b strings.Builder
	for _, r := range line {
		if n == 0 {
			break
		}
		n--
		if r == '\t' {
			b.WriteRune('\t')
		} else {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// The JSON form of problems.
type (
	jsonProblem struct {
		Code     string `json:"code"`
		Severity string `json:"severity"`
		jsonPlace
		Message string     `json:"message"`
		Notes   []jsonNote `json:"notes,omitempty"`
		Help    string     `json:"help,omitempty"`
	}
	jsonNote struct {
		jsonPlace
		Message string `json:"message"`
	}
	// jsonPlace is absent where there is no place. The end is behind the last character.
	jsonPlace struct {
		File   string   `json:"file,omitempty"`
		Line   int      `json:"line,omitempty"`
		Column int      `json:"column,omitempty"`
		End    *jsonEnd `json:"end,omitempty"`
	}
	jsonEnd struct {
		Line   int `json:"line"`
		Column int `json:"column"`
	}
)

func placeOf(s source.Span) jsonPlace {
	if s.IsZero() {
		return jsonPlace{}
	}
	from, to := s.Position(), s.File.Position(s.End)
	return jsonPlace{File: s.File.Name, Line: from.Line, Column: from.Column, End: &jsonEnd{to.Line, to.Column}}
}

// WriteJSON writes {"problems": [...], "more": N} on one line: code, severity, file,
// line, column, end, message, notes and help of each. "more" counts those left out.
func WriteJSON(w io.Writer, list *List, o Options) error {
	shown, more := o.cut(list.Sorted())
	out := struct {
		Problems []jsonProblem `json:"problems"`
		More     int           `json:"more"`
	}{Problems: make([]jsonProblem, 0, len(shown)), More: more}
	for _, p := range shown {
		j := jsonProblem{Code: p.Code, Severity: p.Severity.String(), jsonPlace: placeOf(p.Span), Message: p.Message, Help: p.Help}
		for _, n := range p.Notes {
			j.Notes = append(j.Notes, jsonNote{jsonPlace: placeOf(n.Span), Message: n.Message})
		}
		out.Problems = append(out.Problems, j)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(out)
}
