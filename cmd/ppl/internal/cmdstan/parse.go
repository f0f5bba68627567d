package cmdstan

// This file reads "name=value" arguments into the tree, with CmdStan's grammar: a group or
// a choice opens a level, which lasts until an argument does not belong to it.

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// An outcome is what the arguments asked for.
type outcome int

const (
	proceed  outcome = iota // run the method
	helped                  // help was printed
	informed                // the build was described
	misused                 // the arguments are wrong, and the messages are written
)

// A reader consumes arguments from the front.
type reader struct {
	rest      []string
	out, errs io.Writer
	helped    bool
}

// parse reads the arguments of a model's executable. Help goes to out, messages about
// wrong arguments to errs.
func (t *tree) parse(executable string, args []string, out, errs io.Writer) outcome {
	p := &reader{rest: args, out: out, errs: errs}
	if len(args) == 0 {
		t.usage(out, executable)
		return misused
	}
	open := slices.Clone(t.args) // those not given yet
	hasMethod, good := false, true
	for good && len(p.rest) > 0 {
		word := p.rest[0]
		if !hasMethod && t.at("method").find(word) != nil {
			word = "method=" + word
			p.rest[0] = word
		}
		name, _, _ := strings.Cut(word, "=")
		switch word {
		case "help":
			t.usage(out, executable)
			return helped
		case "help-all":
			for _, a := range t.args {
				a.help(out, 1, true)
			}
			t.usage(out, executable)
			return helped
		case "info":
			return informed
		}
		hasMethod = hasMethod || name == "method"
		i := slices.IndexFunc(open, func(a *argument) bool { return a.name == name })
		if i < 0 {
			t.misplaced(errs, word, name)
			return misused
		}
		a := open[i]
		open = slices.Delete(open, i, i+1)
		good = p.argument(a)
		if p.helped {
			return helped
		}
	}
	if !hasMethod {
		fmt.Fprintln(errs, "A method must be specified!")
	}
	if !good || !hasMethod {
		return misused
	}
	return proceed
}

// argument reads one argument, which the next word names, with everything below it.
func (p *reader) argument(a *argument) bool {
	word := p.rest[0]
	_, value, valued := strings.Cut(word, "=")
	p.rest = p.rest[1:]
	if a.kind == group {
		return p.below(a)
	}
	if !valued && len(p.rest) > 0 && (p.rest[0] == "help" || p.rest[0] == "help-all") {
		a.help(p.out, 0, p.rest[0] == "help-all")
		p.helped = true
		return true
	}
	if !a.set(value) {
		fmt.Fprintf(p.errs, "%s is not a valid value for \"%s\"\n", value, a.name)
		fmt.Fprintf(p.errs, "  Valid values: %s\n", a.validValues())
		return false
	}
	if a.kind == choice && a.chosen().kind == group {
		return p.below(a.chosen())
	}
	return true
}

// below reads the arguments of a group, as long as words belong to it.
func (p *reader) below(g *argument) bool {
	for len(p.rest) > 0 {
		word := p.rest[0]
		if word == "help" || word == "help-all" {
			g.help(p.out, 0, word == "help-all")
			p.helped = true
			return true
		}
		name, _, _ := strings.Cut(word, "=")
		a := g.find(name)
		if a == nil {
			return true
		}
		if !p.argument(a) {
			return false
		}
		if p.helped {
			return true
		}
	}
	return true
}

// misplaced reports that a word belongs nowhere at its place, and where it would.
func (t *tree) misplaced(errs io.Writer, word, name string) {
	fmt.Fprintf(errs, "%s is either mistyped or misplaced.\n", word)
	var places []string
	for _, a := range t.args {
		places = a.places(places, "", name)
	}
	if len(places) > 0 {
		fmt.Fprintln(errs, "Perhaps you meant one of the following valid configurations?")
		for _, place := range places {
			fmt.Fprintln(errs, "  "+place)
		}
	}
}

// places adds the full spellings of all arguments of that name.
func (a *argument) places(list []string, prefix, name string) []string {
	if a.name == name {
		spelling := prefix + a.name
		switch a.kind {
		case group:
		case choice:
			spelling += "=<list_element>"
		default:
			spelling += "=<" + typeNames[a.kind] + ">"
		}
		list = append(list, spelling)
	}
	separator := " "
	if a.kind == choice {
		separator = "="
	}
	for _, b := range a.args {
		list = b.places(list, prefix+a.name+separator, name)
	}
	return list
}
