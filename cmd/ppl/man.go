package main

// This file is ppl help --man: manual pages in the macros of man(7). They are made from the same
// description as the help.

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
)

// manualPage writes the page of ppl, or with a name that of a command.
func manualPage(a *frame.App, name string) error {
	parser, err := newParser(a)
	if err != nil {
		return err
	}
	commands := visible(parser.Model.Children)
	if name == "" {
		_, err := io.WriteString(a.Raw, manualOfAll(parser.Model.Node, commands))
		return err
	}
	for _, c := range commands {
		if c.Name == name {
			_, err := io.WriteString(a.Raw, manualOf(c))
			return err
		}
	}
	return frame.Wrongf("--man: %s is no command; ppl help lists them", name)
}

func manualOfAll(ppl *kong.Node, commands []*kong.Node) string {
	var b, names strings.Builder
	manualHead(&b, "ppl", ppl.Help, ".B ppl\n.I command\n[arguments] [flags]\n")
	b.WriteString(".SH COMMANDS\n")
	for _, c := range commands {
		fmt.Fprintf(&b, ".TP\n.BR ppl\\-%s (1)\n%s\n", roff(c.Name), roff(c.Help))
		fmt.Fprintf(&names, ".BR ppl\\-%s (1),\n", roff(c.Name))
	}
	b.WriteString(`.SH EXIT STATUS
.TP
.B 0
Success.
.TP
.B 1
The run failed.
.TP
.B 2
The model, the data or the arguments are wrong.
.TP
.B 3
\-\-strict was given, and a finding is bad.
.TP
.B 130
Interrupted; draws so far are kept.
`)
	manualExamples(&b, ppl.Detail)
	fmt.Fprintf(&b, ".SH SEE ALSO\n%s\n", strings.TrimSuffix(names.String(), ",\n"))
	return b.String()
}

func manualOf(c *kong.Node) string {
	var b strings.Builder
	synopsis := ".B ppl " + roff(c.Name) + "\n"
	for _, p := range c.Positional {
		synopsis += roff(p.Summary()) + "\n"
	}
	manualHead(&b, "ppl-"+c.Name, c.Help, synopsis+"[flags]\n")
	entries := func(title string, names, texts []string) {
		if len(names) > 0 {
			fmt.Fprintf(&b, ".SH %s\n", title)
		}
		for i, name := range names {
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(name), roff(texts[i]))
		}
	}
	var names, texts []string
	for _, p := range c.Positional {
		names, texts = append(names, p.Name), append(texts, p.Help)
	}
	entries("ARGUMENTS", names, texts)
	names, texts = nil, nil
	for _, f := range flagsOf(c) {
		names, texts = append(names, f.String()), append(texts, f.Help)
	}
	entries("FLAGS", names, texts)
	manualExamples(&b, c.Detail)
	b.WriteString(".SH SEE ALSO\n.BR ppl (1)\n")
	return b.String()
}

func manualHead(b *strings.Builder, name, help, synopsis string) {
	fmt.Fprintf(b, ".TH %s 1 \"\" \"ppl %s\"\n.SH NAME\n%s \\- %s\n.SH SYNOPSIS\n%s", strings.ToUpper(roff(name)), frame.Version, roff(name), roff(strings.TrimSuffix(help, ".")), synopsis)
}

// manualExamples writes the examples of a help text, and what stands before them.
func manualExamples(b *strings.Builder, detail string) {
	text, lines, _ := strings.Cut(detail, "Examples:\n")
	if text = strings.TrimSpace(text); text != "" {
		fmt.Fprintf(b, ".SH DESCRIPTION\n%s\n", roff(text))
	}
	if lines = strings.Trim(lines, "\n"); lines != "" {
		fmt.Fprintf(b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(lines))
	}
}

// roff is a text that the formatter of manuals shows as it is.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
