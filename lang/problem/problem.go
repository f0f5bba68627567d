// Package problem holds what is wrong with a program or its data, as data: a
// code, a severity, a place, a message, notes. Stages collect problems in a List;
// rendering is the last step and lives in render.go. A List is not safe for
// concurrent use.
package problem

import (
	"fmt"
	"sort"

	"github.com/seed-12b88e03/ppl/lang/source"
)

// Severity reports how bad a problem is.
type Severity int

// The severities.
const (
	Error Severity = iota
	Warning
	Info
)

// String returns the severity in lower case.
func (s Severity) String() string { return [...]string{"error", "warning", "info"}[s] }

// A Problem is one finding about the user's input.
type Problem struct {
	Code     string // stable and kebab-case, such as "undeclared-name"
	Severity Severity
	Span     source.Span
	Message  string // what was expected and what was found; one sentence, no full stop
	Notes    []Note
	Help     string // what to do; may be empty
}

// A Note is a further place, or a further line, that belongs to a problem.
type Note struct {
	Span    source.Span // zero where there is no place
	Message string
}

// A List collects problems in the order in which they were found.
type List struct {
	items []Problem
}

// Add appends a problem.
func (l *List) Add(p Problem) { l.items = append(l.items, p) }

// Errorf appends an error and returns it for notes and help to be added.
func (l *List) Errorf(code string, at source.Span, format string, args ...any) *Problem {
	l.items = append(l.items, Problem{Code: code, Span: at, Message: fmt.Sprintf(format, args...)})
	return &l.items[len(l.items)-1]
}

// Warnf appends a warning and returns it for notes and help to be added.
func (l *List) Warnf(code string, at source.Span, format string, args ...any) *Problem {
	p := l.Errorf(code, at, format, args...)
	p.Severity = Warning
	return p
}

// Append adds all problems of another list.
func (l *List) Append(other *List) { l.items = append(l.items, other.items...) }

// HasErrors reports whether a problem of severity Error is in the list.
func (l *List) HasErrors() bool {
	for _, p := range l.items {
		if p.Severity == Error {
			return true
		}
	}
	return false
}

// Len is the number of problems.
func (l *List) Len() int { return len(l.items) }

// Sorted returns the problems by file and place, each place and code once.
func (l *List) Sorted() []Problem {
	out := append([]Problem(nil), l.items...)
	sort.SliceStable(out, func(i, j int) bool {
		a, b := out[i].Span, out[j].Span
		if an, bn := fileName(a), fileName(b); an != bn {
			return an < bn
		}
		return a.Start < b.Start
	})
	kept := out[:0]
	for i, p := range out {
		if i > 0 && p.Span == out[i-1].Span && p.Code == out[i-1].Code && p.Message == out[i-1].Message {
			continue
		}
		kept = append(kept, p)
	}
	return kept
}

func fileName(s source.Span) string {
	if s.File == nil {
		return ""
	}
	return s.File.Name
}
