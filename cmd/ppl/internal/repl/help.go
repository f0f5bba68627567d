package repl

// This file is :help.

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/lang/check"
)

const helpHead = `Type a block of the model, such as parameters { real mu; }, to add it or to
replace the one there is; an expression, such as normal_rng(0, 1) or after :run
also exp(mu), to see its value; a declaration or statement, such as
vector[3] v = [1, 2, 3]';, to use it in later expressions. Unfinished input goes
on in the next line; Ctrl-C gives it up.

`

const helpTail = `
:help NAME tells more of a command, a function, a distribution or a method.
`

// help shows the commands, or what a name stands for.
func (s *Session) help(_ context.Context, name string) error {
	if name == "" {
		return s.write(helpHead + commandList() + helpTail)
	}
	text := s.about(name)
	if text == "" {
		return fmt.Errorf("there is no command, function, distribution or method %s", name)
	}
	return s.write(text)
}

// Inspect tells what a name stands for, as :type and :help do; empty where that is nothing.
func (s *Session) Inspect(name string) string {
	if x, err := s.extended.Expression(inputName, name); name != "" && err == nil {
		return name + ": " + typeText(x) + "\n"
	}
	bare := strings.TrimPrefix(name, ":")
	if !slices.Contains(slices.Concat(names(), methodNames(false), lang.Library().Names()), bare) {
		return "" // there may be functions whose names begin so
	}
	return s.about(name)
}

// about is the help on a name; empty where there is none.
func (s *Session) about(name string) string {
	text := ""
	bare := strings.TrimPrefix(name, ":")
	for _, c := range commands() {
		if c.name == bare {
			text += c.help()
		}
	}
	if row := lang.Methods().Row(bare); row != nil {
		text += MethodHelp(row)
	}
	if bare == name {
		text += s.View.Functions(name)
	}
	return text
}

func commandList() string {
	var b strings.Builder
	for _, c := range commands() {
		const margin = 29 // of what a command does, in lines of 80
		lines := strings.Split(text.WrapSoft(c.doc, 80-margin), "\n")
		for i, l := range lines {
			lines[i] = strings.TrimRight(l, " ")
		}
		fmt.Fprintf(&b, "  %-26s %s\n", strings.TrimSpace(":"+c.name+" "+c.args), strings.Join(lines, "\n"+strings.Repeat(" ", margin)))
	}
	return b.String()
}

func (c command) help() string {
	text := strings.TrimSpace(":"+c.name+" "+c.args) + "\n  " + c.doc + "\n"
	if c.more != "" {
		text += "  for example\n    " + strings.ReplaceAll(c.more, "\n", "\n    ") + "\n"
	}
	return text
}

// MethodHelp explains a method or wrapper with its options.
func MethodHelp(row *check.MethodRow) string {
	text := row.Name + ": " + row.Doc + "\n"
	for _, o := range row.Options {
		def := ""
		if o.Default != "" {
			def = ", default " + o.Default
		}
		text += fmt.Sprintf("  %s: %s%s\n      %s\n", o.Name, o.Describe(), def, o.Doc)
	}
	return text
}

// methodNames are the names of the methods, or of what a diagnose line takes.
func methodNames(diagnose bool) []string {
	var out []string
	for _, r := range lang.Methods().Rows {
		if r.Diagnose || !diagnose {
			out = append(out, r.Name)
		}
	}
	slices.Sort(out)
	return out
}
