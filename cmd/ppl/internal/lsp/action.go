package lsp

// This file offers remedies: the name that was probably meant.

import (
	"regexp"

	"github.com/seed-12b88e03/ppl/lang/problem"
)

// quickFix is the protocol's kind of an action that mends a problem.
const quickFix = "quickfix"

// meant is how problems word the nearest right name.
var meant = regexp.MustCompile(`^did you mean "([A-Za-z][A-Za-z0-9_]*)"\?$`)

// codeAction offers to put the name that was probably meant in the place of one that is
// not known, for the problems in a range.
func (s *Server) codeAction(p rangeParams) (any, error) {
	d, err := s.document(p.Document.URI)
	if err != nil {
		return nil, err
	}
	out := []codeAction{}
	from, to := d.table.offset(p.Range.Start), d.table.offset(p.Range.End)
	for _, q := range d.program.Problems().Sorted() {
		if q.Span.File != d.program.File || q.Span.Start > to || q.Span.End < from {
			continue
		}
		if name := remedy(q); name != "" {
			out = append(out, codeAction{
				Title: "Write " + name, Kind: quickFix, Diagnostics: []diagnostic{d.diagnostic(q, "ppl")}, IsPreferred: true,
				Edit: workspaceEdit{map[string][]textEdit{d.uri: {{d.table.span(q.Span.Start, q.Span.End), name}}}},
			})
		}
	}
	return out, nil
}

// remedy is the name that belongs in the place of a problem; empty where that is not a
// matter of one word.
func remedy(q problem.Problem) string {
	m := meant.FindStringSubmatch(q.Help)
	if m == nil || !wellFormed.MatchString(q.Span.Text()) {
		return ""
	}
	return m[1]
}
