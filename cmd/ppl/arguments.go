package main

// This file parses the arguments and runs the command that they name.

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"runtime/debug"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
)

// halt is how the argument parser ends the program, after printing help.
type halt int

// execute runs one command line and gives the exit code.
func execute(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return executeWith(frame.NewApp(stdin, stdout, stderr), args)
}

func executeWith(a *frame.App, args []string) (code int) {
	a.Args = args
	defer func() {
		switch r := recover().(type) {
		case nil:
		case halt:
			code = int(r)
		case *frame.Fault:
			a.ReportBug(r.Value, r.Stack)
			code = frame.ExitFailed
		default:
			a.ReportBug(r, debug.Stack())
			code = frame.ExitFailed
		}
	}()
	return a.Finish(runCommand(a, args))
}

// runCommand parses the arguments and runs the command.
func runCommand(a *frame.App, args []string) error {
	parser, err := parserOf(a, grammar(args))
	if err != nil {
		return err
	}
	switch {
	case len(args) == 0:
		_, err = parser.Parse([]string{"--help"})
		return err
	case len(args) == 1 && args[0] == "--version": // what most programs call it
		args = []string{"version"}
	}
	for _, arg := range args {
		if !utf8.ValidString(arg) { // the parser of the arguments would make other bytes of it
			return frame.Wrongf("%s: expected UTF-8, found other bytes in an argument; rename the file", arg)
		}
	}
	ctx, err := parser.Parse(args)
	if err != nil {
		return argumentError(a, err)
	}
	if err := errors.Join(noEmptyValue(ctx), noSecondValue(ctx, args)); err != nil {
		return err
	}
	return ctx.Run(a)
}

// noEmptyValue refuses empty names of folders and files, which an unset variable of the shell
// leaves. Without data a model may do.
func noEmptyValue(ctx *kong.Context) error {
	for _, p := range ctx.Path {
		if p.Flag != nil && p.Flag.Name != "data" && p.Flag.Target.Kind() == reflect.String && p.Flag.Target.String() == "" {
			return frame.Wrongf("--%s: the value is empty; leave the flag out, or give it one", p.Flag.Name)
		}
	}
	return nil
}

// noSecondValue refuses a flag that holds one value and is given two: the parser would take the last.
func noSecondValue(ctx *kong.Context, args []string) error {
	given := map[string]bool{}
	for _, p := range ctx.Path {
		if p.Flag == nil || p.Flag.IsBool() || p.Flag.IsCumulative() {
			continue
		}
		name := "--" + p.Flag.Name
		if !given[name] {
			given[name] = true
			continue
		}
		var values []string
		for i, arg := range args {
			if value, ok := strings.CutPrefix(arg, name+"="); ok {
				values = append(values, value)
			} else if arg == name && i+1 < len(args) {
				values = append(values, args[i+1])
			}
		}
		help := "give it once"
		if name == "--data" {
			help = "several files go with commas between them: --data " + strings.Join(values, ",")
		}
		return &frame.Exit{Code: frame.ExitWrongInput, Err: fmt.Errorf("%s: expected one value, found %s", name, strings.Join(values, " and ")), Help: help}
	}
	return nil
}

// newParser makes the parser of the command line.
func newParser(a *frame.App) (*kong.Kong, error) { return parserOf(a, &commands{}) }

// grammar is as much of the commands as the arguments need: where the first one names a
// command, that command alone. Making the parser of all of them is a third of a
// start.
func grammar(args []string) any {
	if len(args) == 0 {
		return &commands{}
	}
	all := reflect.TypeFor[commands]()
	for i := range all.NumField() {
		if f := all.Field(i); strings.ToLower(f.Name) == args[0] {
			return reflect.New(reflect.StructOf([]reflect.StructField{f})).Interface()
		}
	}
	return &commands{}
}

func parserOf(a *frame.App, grammar any) (*kong.Kong, error) {
	parser, err := kong.New(grammar,
		kong.Name("ppl"), kong.NamedMapper("names", kong.MapperFunc(decodeNames)),
		kong.Description("Fits probabilistic models written in the ppl language, which holds Stan."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}),
		kong.Writers(a.Stdout, a.Stderr),
		kong.Exit(func(code int) { panic(halt(code)) }),
	)
	if err != nil {
		return nil, err
	}
	parser.Model.Detail = overview()
	return parser, nil
}

// argumentError reports which command's help tells more, or what a file in the wrong place was
// probably meant for.
func argumentError(a *frame.App, err error) error {
	var parse *kong.ParseError
	command := ""
	if errors.As(err, &parse) && parse.Context != nil {
		command, _, _ = strings.Cut(parse.Context.Command(), " ")
	}
	help := strings.TrimSpace("see ppl help " + command)
	if m := unexpectedFile.FindStringSubmatch(err.Error()); m != nil {
		switch {
		case m[2] == "json" && command != "":
			help = "data are given with --data " + m[1]
		case m[2] != "json" && command == "":
			help = "to fit a model: ppl run " + m[1]
		}
	}
	return &frame.Exit{Code: frame.ExitWrongInput, Err: valueError(err), Help: help}
}

// What the parser says of values that it cannot read.
var (
	// A file in the place of a command, or behind the model.
	unexpectedFile = regexp.MustCompile(`^unexpected argument (\S+\.(json|ppl|stan))$`)

	negativeValue = regexp.MustCompile(`^(--\S+): expected .* but got "(-[^"]*)" \(short flag\)`)
	noDuration    = regexp.MustCompile(`^(--\S+): expected duration but got "([^"]*)"`)
	noChoice      = regexp.MustCompile(`^(\S+) must be one of (".*") but got "([^"]*)"`)
	noWholeNumber = regexp.MustCompile(`^(--\S+): expected a valid \d+ bit (u?)int but got "([^"]*)"`)
)

// valueError says in terms of the command line what is wrong with a flag's value.
func valueError(err error) error {
	text := err.Error()
	if m := negativeValue.FindStringSubmatch(text); m != nil {
		return fmt.Errorf("%s: %s looks like a flag; a value that begins with - is written %s=%s", m[1], m[2], m[1], m[2])
	}
	if m := noDuration.FindStringSubmatch(text); m != nil {
		return fmt.Errorf("%s: expected a time with its unit, such as 90s, 10m or 1.5h, found %q", m[1], m[2])
	}
	if m := noWholeNumber.FindStringSubmatch(text); m != nil {
		least := ""
		if m[2] != "" {
			least = " of 0 or more"
		}
		return fmt.Errorf("%s: expected a whole number%s, found %q", m[1], least, m[3])
	}
	if m := noChoice.FindStringSubmatch(text); m != nil {
		return fmt.Errorf("%s: expected one of %s, found %q", m[1], strings.NewReplacer(`"`, "", ",", ", ").Replace(m[2]), m[3])
	}
	return err
}

// decodeNames adds the names of one flag, with commas between them; those inside brackets belong to a name: L[2,1].
func decodeNames(ctx *kong.DecodeContext, target reflect.Value) error {
	var text string
	if err := ctx.Scan.PopValueInto("name", &text); err != nil {
		return err
	}
	open, from := 0, 0
	add := func(name string) { target.Set(reflect.Append(target, reflect.ValueOf(name))) }
	for i, c := range text {
		switch {
		case c == '[':
			open++
		case c == ']':
			open--
		case c == ',' && open <= 0:
			add(text[from:i])
			from = i + 1
		}
	}
	add(text[from:])
	return nil
}

// overview ends the help of ppl without a command.
func overview() string {
	return frame.Examples(
		"ppl run model.ppl                        # with the data of model.json",
		"ppl run model.ppl --data data.json --out fit",
		"ppl report fit                           # one page about the fit",
		"ppl check model.ppl                      # is it right?",
		"ppl repl                                 # try things out",
	)
}
