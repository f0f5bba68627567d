package repl

// This file completes what is being typed: commands, files, names, functions, methods and
// their options.

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/lang/check"
)

// mostWords keeps a list on the screen.
const mostWords = 200

// Complete returns the words that the text before the cursor may go on with, and how many
// bytes at its end they replace. Each word begins with these bytes.
func (s *Session) Complete(before string) (words []string, replace int) {
	text := strings.TrimLeft(before, " \t")
	if !strings.HasPrefix(text, ":") {
		return fitting(lastWord(text), s.names())
	}
	name, arg, space := strings.Cut(text[1:], " ")
	if !space {
		var all []string
		for _, c := range commands() {
			all = append(all, c.name+" ")
		}
		return fitting(name, all)
	}
	c, err := findCommand(name)
	if err != nil {
		return nil, 0
	}
	return s.completeArgument(c.name, arg)
}

func (s *Session) completeArgument(command, arg string) ([]string, int) {
	switch command {
	case "load", "save":
		return fitting(arg, files(arg))
	case "data", "density":
		if !strings.HasPrefix(arg, "{") {
			return fitting(arg, files(arg))
		}
		return fitting(lastWord(arg), s.globals())
	case "run", "method", "diagnose":
		return s.completeMethod(arg, command == "diagnose")
	case "plot", "summary":
		return fitting(lastWord(arg), s.fitted())
	case "prior", "slide":
		return fitting(lastWord(arg), s.globals())
	case "reset":
		return fitting(arg, blockNames())
	case "simulate":
		return fitting(arg, []string{"keep"})
	case "help":
		var all []string
		for _, c := range commands() {
			all = append(all, c.name)
		}
		return fitting(arg, append(append(all, methodNames(false)...), lang.Library().Names()...))
	case "type":
		return fitting(lastWord(arg), s.names())
	}
	return nil, 0
}

// fitting are the words that begin with the given bytes, each once.
func fitting(begin string, words []string) ([]string, int) {
	var out []string
	for _, w := range words {
		if strings.HasPrefix(w, begin) && w != begin {
			out = append(out, w)
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	return out[:min(len(out), mostWords)], len(begin)
}

// lastWord is the name that a text ends with.
func lastWord(text string) string {
	i := strings.LastIndexFunc(text, func(r rune) bool { return !isNameRune(r) })
	return text[i+1:]
}

// WordAt is the name around a cursor, or the command, between the text before it and what follows.
func WordAt(before, after string) string {
	begin := lastWord(before)
	if command := strings.TrimSpace(before[:len(before)-len(begin)]); command == ":" {
		begin = ":" + begin
	}
	end := strings.IndexFunc(after, func(r rune) bool { return !isNameRune(r) })
	if end < 0 {
		end = len(after)
	}
	return begin + after[:end]
}

// completeMethod completes a method expression: names of methods and bindings, and
// inside the parentheses of a method its options and their values.
func (s *Session) completeMethod(arg string, diagnose bool) ([]string, int) {
	word := lastWord(arg)
	before := strings.TrimRight(arg[:len(arg)-len(word)], " ")
	row := openMethod(before)
	if row == nil {
		return fitting(word, append(opened(methodNames(diagnose)), s.bindings()...))
	}
	if rest, ok := strings.CutSuffix(before, `"`); ok {
		if o := row.Option(lastWord(strings.TrimRight(strings.TrimSuffix(strings.TrimRight(rest, " "), "="), " "))); o != nil {
			return fitting(word, o.Enum)
		}
		return nil, 0
	}
	if strings.HasSuffix(before, "=") {
		return nil, 0
	}
	var all []string
	for _, o := range row.Options {
		all = append(all, o.Name+" = ")
	}
	if row.Wrapper && strings.HasSuffix(before, "(") {
		all = append(append(all, opened(methodNames(false))...), s.bindings()...)
	}
	return fitting(word, all)
}

func opened(names []string) []string {
	out := slices.Clone(names)
	for i := range out {
		out[i] += "("
	}
	return out
}

// openMethod is the method whose parenthesis is the last one open; nil for none.
func openMethod(text string) *check.MethodRow {
	depth := 0
	for i := len(text) - 1; i >= 0; i-- {
		switch text[i] {
		case ')':
			depth++
		case '(':
			if depth == 0 {
				return lang.Methods().Row(lastWord(text[:i]))
			}
			depth--
		}
	}
	return nil
}

// bindings are the names that the inference block gives to methods.
func (s *Session) bindings() []string {
	var out []string
	for _, d := range s.program.Info.Directives {
		if d.Name != "" {
			out = append(out, d.Name)
		}
	}
	return out
}

// globals are the variables of the model and the session.
func (s *Session) globals() []string {
	var out []string
	for _, symbols := range s.extended.Info.Globals {
		for _, v := range symbols {
			out = append(out, v.Name)
		}
	}
	return out
}

// fitted are the variables of the last fit.
func (s *Session) fitted() []string {
	if len(s.fits) == 0 {
		return nil
	}
	return fitVariables(s.fits[len(s.fits)-1])
}

// names are all that may stand in an expression or a block.
func (s *Session) names() []string {
	out := s.globals()
	for _, f := range s.extended.Info.Functions {
		out = append(out, f.Name)
	}
	for _, b := range blockNames() {
		out = append(out, b+" {")
	}
	out = append(out, statementWords...)
	return append(out, lang.Library().Names()...)
}

// files are the paths that begin with the given text; folders end in a slash.
func files(begin string) []string {
	dir, _ := filepath.Split(begin)
	entries, err := os.ReadDir(filepath.Clean("./" + dir))
	if filepath.IsAbs(begin) {
		entries, err = os.ReadDir(dir)
	}
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		name := dir + e.Name()
		if e.IsDir() {
			name += "/"
		}
		out = append(out, name)
	}
	return out
}
