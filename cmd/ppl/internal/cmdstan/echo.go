package cmdstan

// This file prints the tree: the echo of a run, in text and as JSON, and help.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// echo writes the arguments in use, one a line behind prefix, defaults marked.
func (t *tree) echo(w io.Writer, prefix string) {
	for _, a := range t.args {
		a.echo(w, prefix, 0)
	}
}

func (a *argument) echo(w io.Writer, prefix string, depth int) {
	if a.kind == bare {
		return
	}
	line := prefix + strings.Repeat("  ", depth) + a.name
	if a.kind != group {
		line += " = " + a.value
		if a.isDefault() {
			line += " (Default)"
		}
	}
	fmt.Fprintln(w, line)
	switch a.kind {
	case group:
		for _, b := range a.args {
			b.echo(w, prefix, depth+1)
		}
	case choice:
		a.chosen().echo(w, prefix, depth+1)
	}
}

// member is the argument as a member of a JSON object. A choice is an object whose
// "value" names the branch taken, which follows under its own name.
func (a *argument) member() string {
	key := strconv.Quote(a.name) + ":"
	switch a.kind {
	case group:
		return key + object(a.args)
	case choice:
		value := key + `{"value":` + strconv.Quote(a.value)
		if branch := a.chosen(); branch.kind != bare {
			value += "," + branch.member()
		}
		return value + "}"
	case whole, number:
		return key + a.value
	case truth:
		return key + strconv.FormatBool(a.value == "1")
	}
	b, _ := json.Marshal(a.value) // a string is always written
	return key + string(b)
}

// object is a JSON object of arguments.
func object(args []*argument) string {
	members := make([]string, len(args))
	for i, a := range args {
		members[i] = a.member()
	}
	return "{" + strings.Join(members, ",") + "}"
}

// writeJSON writes the arguments as an object, after and before other members, each
// given as "key":value.
func (t *tree) writeJSON(w io.Writer, before, after []string) error {
	members := before
	for _, a := range t.args {
		members = append(members, a.member())
	}
	members = append(members, after...)
	var b bytes.Buffer
	if err := json.Indent(&b, []byte("{"+strings.Join(members, ",")+"}"), "", "  "); err != nil {
		return fmt.Errorf("arguments as JSON: %w", err)
	}
	b.WriteByte('\n')
	_, err := w.Write(b.Bytes())
	return err
}

// help explains an argument, and with all those below it.
func (a *argument) help(w io.Writer, depth int, all bool) {
	indent := strings.Repeat("  ", depth)
	if a.kind == group || a.kind == bare {
		fmt.Fprintf(w, "%s%s\n%s  %s\n", indent, a.name, indent, a.doc)
		if len(a.args) > 0 {
			names := make([]string, len(a.args))
			for i, b := range a.args {
				names[i] = b.name
			}
			fmt.Fprintf(w, "%s  Valid subarguments: %s\n", indent, strings.Join(names, ", "))
		}
	} else {
		fmt.Fprintf(w, "%s%s=<%s>\n%s  %s\n", indent, a.name, typeNames[a.kind], indent, a.doc)
		fmt.Fprintf(w, "%s  Valid values: %s\n%s  Defaults to %s\n", indent, a.validValues(), indent, a.def)
	}
	fmt.Fprintln(w)
	if !all {
		return
	}
	for _, b := range a.args {
		b.help(w, depth+1, true)
	}
}

// usage is the first help.
func (t *tree) usage(w io.Writer, executable string) {
	list := func(args []*argument) {
		for _, a := range args {
			fmt.Fprintf(w, "  %-20s %s\n", a.name, a.doc)
		}
	}
	fmt.Fprintf(w, "Usage: %s <arg1> <subarg1_1> ... <subarg1_m> ... <arg_n> <subarg_n_1> ... <subarg_n_m>\n\n", executable)
	fmt.Fprintln(w, "Begin with one of these methods:")
	list(t.at("method").args)
	fmt.Fprintln(w, "\nFor help:")
	list([]*argument{{name: "help", doc: "this page"}, {name: "help-all", doc: "all arguments"}, {name: "info", doc: "version and build"}})
	fmt.Fprintln(w, "\nFurther arguments:")
	list(t.args[1:])
	fmt.Fprintf(w, "\n%s <arg1> [ help | help-all ] explains an argument.\n\n", executable)
}
