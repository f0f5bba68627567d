package parser

// This file handles what begins with #: includes, and comments of the old kind.

import (
	"strings"

	"github.com/seed-12b88e03/ppl/lang/problem"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// maxIncludes limits how deep files may include one another.
const maxIncludes = 100

// maxIncluded limits the bytes of all included text: files that include others twice
// double it with every level.
const maxIncluded = 16 << 20

// maxFiles limits how many files are included, each counted as often as it is.
const maxFiles = 1000

// hash reads an include directive, or an old comment, which is an error.
func (s *scanner) hash(f *source.File, start int) int {
	end := lineEnd(f.Text, start)
	rest, ok := strings.CutPrefix(f.Text[start:end], "#include")
	if !ok || rest != "" && isWordByte(rest[0]) {
		s.problems.Errorf(codeOldComment, source.Span{File: f, Start: start, End: start + 1},
			`"#" does not begin a comment`).Help = "write // instead of #"
		s.comment(f, start, end)
		return end
	}
	name, n := includeName(rest)
	end = start + len("#include") + n
	place := source.Span{File: f, Start: start, End: end}
	if name == "" {
		s.problems.Errorf(codeInclude, place, "expected a file name after #include").
			Help = `write #include "file"`
		return lineEnd(f.Text, start)
	}
	s.comment(f, start, end)
	s.include(name, place)
	return end
}

// includeName finds the file's name in the rest of an include's line and gives how
// much of the line it takes.
func includeName(rest string) (name string, taken int) {
	text := strings.TrimLeft(rest, " \t\f")
	skipped := len(rest) - len(text)
	for _, q := range [...]string{`""`, "<>"} {
		if text != "" && text[0] == q[0] {
			n := strings.IndexByte(text[1:], q[1])
			if n < 0 {
				return "", len(rest)
			}
			return text[1 : n+1], skipped + n + 2
		}
	}
	n := strings.IndexAny(text, " \t\f\r")
	if n < 0 {
		n = len(text)
	}
	return text[:n], skipped + n
}

// include reads the file of that name, whose directive is the latest comment.
func (s *scanner) include(name string, place source.Span) {
	at := len(s.comments) - 1
	if s.includes == nil {
		s.problems.Errorf(codeInclude, place, "#include is not possible here").
			Help = "put the text of " + quoted(name) + " in its place"
		return
	}
	f, err := s.includes(name)
	if err != nil {
		s.problems.Errorf(codeInclude, place, "cannot include %s: %v", quoted(name), err).
			Help = "check the name, or name the file's folder with --include"
		return
	}
	if s.again(f) {
		return
	}
	for _, o := range s.open {
		if o.Name == f.Name {
			s.problems.Errorf(codeIncludeCycle, place, "%s includes itself", quoted(f.Name)).
				Help = "remove one of the #include lines of the circle"
			return
		}
	}
	if len(s.open) >= maxIncludes {
		s.problems.Errorf(codeInclude, place, "more than %d files include one another", maxIncludes).
			Help = "include fewer files"
		return
	}
	if s.files++; s.files > maxFiles {
		if s.files == maxFiles+1 {
			s.problems.Errorf(codeInclude, place, "more than %d files are included", maxFiles).
				Help = "include fewer files; one that two others include counts twice"
		}
		return
	}
	s.included += len(f.Text)
	if s.included > maxIncluded {
		s.problems.Errorf(codeInclude, place, "more than %d MB are included", maxIncluded>>20).Help = "include less"
		return
	}
	if f.Private {
		s.hide(f, place)
	}
	s.comments[at].Included = f
	s.file(f)
}

// again reports whether f is a library of functions that is there already: such files may
// include one another, and each stands where it is included first.
func (s *scanner) again(f *source.File) bool {
	if !strings.HasSuffix(f.Name, ".stanfunctions") {
		return false
	}
	if s.libraries[f.Name] {
		return true
	}
	if s.libraries == nil {
		s.libraries = map[string]bool{}
	}
	s.libraries[f.Name] = true
	return false
}

// hide notes where a file whose text is not shown was included from.
func (s *scanner) hide(f *source.File, place source.Span) {
	if s.private == nil {
		s.private = map[*source.File]source.Span{}
	}
	if outer, ok := s.private[place.File]; ok {
		place = outer
	}
	s.private[f] = place
}

// shown are the problems or, where a file whose text is not shown has some, one at each
// directive that includes such a file: the others may quote it.
func (p *parser) shown() *problem.List {
	out, told := &problem.List{}, map[*source.File]bool{}
	for _, q := range p.problems.Sorted() {
		f := q.Span.File
		place, private := p.private[f]
		if !private || told[f] {
			continue
		}
		told[f] = true
		out.Errorf(codeInclude, place, "%s is no program text", quoted(f.Name)).
			Help = "its lines are not shown, for it is not called like a program (.ppl, .stan, .stanfunctions) and lies outside of the folders where included files are looked for"
	}
	if len(told) > 0 {
		return out
	}
	return p.problems
}
