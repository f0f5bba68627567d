package lsp

// This file renames what the user has named.

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/lang/check"
)

// renamable is the name at a place and all places that must be renamed with it, or why
// it cannot be renamed.
func (s *Server) renamable(p placeParams) (*document, name, []name, error) {
	d, err := s.document(p.Document.URI)
	if err != nil {
		return nil, name{}, nil, err
	}
	if d.program.Problems().HasErrors() {
		return nil, name{}, nil, errorf(codeRequestFailed, "the program has errors: mend them before renaming")
	}
	offset := d.table.offset(p.Position)
	at, ok := find(d.program, offset)
	if !ok {
		word, _ := wordAt(d.text(), offset)
		if word == "" {
			return nil, name{}, nil, errorf(codeRequestFailed, "there is no name here")
		}
		return nil, name{}, nil, errorf(codeRequestFailed, "%q belongs to the language and cannot be renamed", word)
	}
	places := slices.DeleteFunc(names(d.program), func(n name) bool { return !n.same(at) && !related(n, at) })
	for _, n := range places {
		if n.loc.File != d.program.File {
			return nil, name{}, nil, errorf(codeRequestFailed,
				"%q stands in the included file %s, which other programs may include: rename it there by hand", n.loc.Text(), n.loc.File.Name)
		}
	}
	return d, at, places, nil
}

// related reports whether two names are of functions of one distribution, which "~" finds by
// what their names have in common.
func related(n, m name) bool {
	return n.ofDistribution() && m.ofDistribution() && stem(n.symbol.Name) == stem(m.symbol.Name)
}

func (n name) ofDistribution() bool {
	if n.symbol == nil || n.symbol.Func == nil {
		return false
	}
	switch n.symbol.Func.Suffix {
	case check.LPDF, check.LPMF, check.CDF, check.LCDF, check.LCCDF, check.RNG:
		return true
	}
	return false
}

func (s *Server) prepareRename(p placeParams) (any, error) {
	d, at, _, err := s.renamable(p)
	if err != nil {
		return nil, err
	}
	return d.table.span(at.loc.Start, at.loc.End), nil
}

func (s *Server) rename(p renameParams) (any, error) {
	d, at, places, err := s.renamable(p.placeParams)
	if err != nil {
		return nil, err
	}
	to, err := at.newStem(p.NewName)
	if err != nil {
		return nil, err
	}
	var edits []textEdit
	var after strings.Builder
	done := 0
	for _, n := range places {
		text := to + strings.TrimPrefix(n.loc.Text(), n.stem())
		edits = append(edits, textEdit{d.table.span(n.loc.Start, n.loc.End), text})
		after.WriteString(d.text()[done:n.loc.Start] + text)
		done = n.loc.End
	}
	after.WriteString(d.text()[done:])
	if err := s.unharmed(d, after.String()); err != nil {
		return nil, errorf(codeRequestFailed, "%q does not do here: %v", p.NewName, err)
	}
	return workspaceEdit{map[string][]textEdit{d.uri: edits}}, nil
}

var wellFormed = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

// newStem is the part of the new name that replaces the old one's stem in all places. What
// follows the stem where the renaming was asked for must follow in the new name, too.
func (n name) newStem(to string) (string, error) {
	if !wellFormed.MatchString(to) || strings.HasSuffix(to, "__") {
		return "", errorf(codeRequestFailed, "%q is no name: a letter, then letters, digits and _, not __ at the end", to)
	}
	rest := strings.TrimPrefix(n.loc.Text(), n.stem())
	out, ok := strings.CutSuffix(to, rest)
	if !ok {
		return "", errorf(codeRequestFailed, "%q would be another kind of function: the name must end in %s", to, rest)
	}
	if end := ending(out); n.isFunction() && end != "" {
		return "", errorf(codeRequestFailed, "%q would be another kind of function: the ending %s has a meaning", to, end)
	}
	return out, nil
}

// stem is the name without the ending of a function's.
func (n name) stem() string {
	switch {
	case n.symbol == nil:
		return n.binding
	case n.isFunction():
		return stem(n.symbol.Name)
	}
	return n.symbol.Name
}

func (n name) isFunction() bool { return n.symbol != nil && n.symbol.Kind == check.FunctionName }

func stem(name string) string { return strings.TrimSuffix(name, ending(name)) }

// ending is the part of a function's name that says what it is; empty for most.
func ending(name string) string {
	for e := check.LPDF; e <= check.Jacobian; e++ {
		if strings.HasSuffix(name, e.String()) {
			return e.String()
		}
	}
	return ""
}

// unharmed reports whether a program is still right after renaming, and names as much.
func (s *Server) unharmed(d *document, text string) error {
	after, err := lang.Compile(d.path, text, s.compiling(d.path))
	if err == nil && len(names(after)) != len(names(d.program)) {
		return errors.New("another thing has that name")
	}
	return err
}
