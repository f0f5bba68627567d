package main

// This file is the frame of every command: arguments, exit codes, bugs.

import (
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/console"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/repl"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/system"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/view"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/disk"
	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/lang/problem"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// The exit codes.
const (
	exitFailed      = 1
	exitWrongInput  = 2
	exitStrict      = 3
	exitInterrupted = 130
)

// An exit ends a command with a code; err, if any, is shown before, and help after it.
type exit struct {
	code int
	err  error
	help string
}

func (e *exit) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e *exit) Unwrap() error { return e.err }

// wrong marks an error as one of the model, the data or the arguments.
func wrong(err error) error { return &exit{code: exitWrongInput, err: err} }

func wrongf(format string, args ...any) error { return wrong(fmt.Errorf(format, args...)) }

// An app is what commands work with.
type app struct {
	stdin  io.Reader
	stdout io.Writer // shows what a terminal would obey: names and texts may be a stranger's
	raw    io.Writer // the same without that, for programs and what programs read
	stderr *console.Console
	args   []string

	disk            disk.Disk     // that files are written to
	stdinTaken      bool          // standard input was read as a model or data
	release         string        // that workers must be of; empty: this one
	checkpointEvery time.Duration // how often runs with a folder are put on disk
}

func newApp(stdin io.Reader, stdout, stderr io.Writer) *app {
	return &app{stdin: stdin, stdout: problem.NewPrinter(stdout), raw: stdout, stderr: console.NewConsole(stderr), checkpointEvery: checkpointEvery}
}

// halt is how the argument parser ends the program, after printing help.
type halt int

// execute runs one command line and gives the exit code.
func execute(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return newApp(stdin, stdout, stderr).execute(args)
}

func (a *app) execute(args []string) (code int) {
	a.args = args
	defer func() {
		switch r := recover().(type) {
		case nil:
		case halt:
			code = int(r)
		case *fault:
			a.reportBug(r.value, r.stack)
			code = exitFailed
		default:
			a.reportBug(r, debug.Stack())
			code = exitFailed
		}
	}()
	return a.finish(a.command(args))
}

// command parses the arguments and runs the command.
func (a *app) command(args []string) error {
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
			return wrongf("%s: expected UTF-8, found other bytes in an argument; rename the file", arg)
		}
	}
	ctx, err := parser.Parse(args)
	if err != nil {
		return a.argumentError(err)
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
			return wrongf("--%s: the value is empty; leave the flag out, or give it one", p.Flag.Name)
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
		return &exit{code: exitWrongInput, err: fmt.Errorf("%s: expected one value, found %s", name, strings.Join(values, " and ")), help: help}
	}
	return nil
}

// newParser makes the parser of the command line.
func newParser(a *app) (*kong.Kong, error) { return parserOf(a, &commands{}) }

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

func parserOf(a *app, grammar any) (*kong.Kong, error) {
	parser, err := kong.New(grammar,
		kong.Name("ppl"), kong.NamedMapper("names", kong.MapperFunc(decodeNames)),
		kong.Description("Fits probabilistic models written in the ppl language, which holds Stan."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}),
		kong.Writers(a.stdout, a.stderr),
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
func (a *app) argumentError(err error) error {
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
	return &exit{code: exitWrongInput, err: valueError(err), help: help}
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

// codeOf is the exit code of an error.
func codeOf(err error) int {
	var e *exit
	if errors.Is(err, stdlib.ErrMemory) || !errors.As(err, &e) { // another machine may have the memory
		return exitFailed
	}
	return e.code
}

// finish shows an error and gives the exit code.
func (a *app) finish(err error) int {
	if err == nil {
		return 0
	}
	code := codeOf(err)
	var e *exit
	errors.As(err, &e)
	var bug *infer.PanicError
	switch {
	case e != nil && e.err == nil: // all was said
	case errors.As(err, &bug):
		a.reportBug(bug.Value, bug.Stack)
	default:
		a.showError(err)
	}
	return code
}

// showError shows an error and its help.
func (a *app) showError(err error) {
	text := lang.ErrorText(err)
	var e *exit
	help := scarce(err)
	if errors.As(err, &e) && e.help != "" {
		help = e.help
	}
	if help != "" {
		text += "  help: " + help + "\n"
	}
	a.stderr.Text(text)
}

// scarce says what to do where the system has not given what a file needs.
func scarce(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "make room on this disk, or choose another place"
	case errors.Is(err, syscall.EMFILE):
		return "allow more open files (ulimit -n 256), or fewer at work at a time (--chains, --jobs)"
	case system.TooLarge(err):
		return "allow larger files (ulimit -f unlimited), or ask for fewer draws or variables"
	}
	return ""
}

// ourFrame finds the place of a bug in a stack trace: the first frame that is ours.
var ourFrame = regexp.MustCompile(`\n\t\S*?/((?:lang|parser|ir|autodiff|infer|diagnose|stdlib|cmd)/\S+\.go:\d+)`)

// reportBug reports that ppl is at fault, and what to report. There is never a trace.
func (a *app) reportBug(value any, stack []byte) {
	trace := string(stack)
	if i := strings.LastIndex(trace, "\npanic("); i >= 0 {
		trace = trace[i:] // what lies before is the handling of the panic
	}
	place := ""
	for _, m := range ourFrame.FindAllStringSubmatch(trace, 1) {
		place = " at " + m[1]
	}
	a.stderr.Text(fmt.Sprintf(`internal error: %v
This is a bug in ppl, not in your model. Please report it, with the model, the data and these lines:
  ppl %s
  version %s%s, %s %s/%s
`, value, strings.Join(a.args, " "), version, place, runtime.Version(), runtime.GOOS, runtime.GOARCH))
}

// say writes a remark to standard error.
func (a *app) say(format string, args ...any) { a.stderr.Text(fmt.Sprintf(format, args...) + "\n") }

// remarks is what writes a remark to standard error, or nowhere if there are to be none.
func (a *app) remarks(quiet bool) func(string) {
	if quiet {
		return func(string) {}
	}
	return func(text string) { a.stderr.Text(text + "\n") }
}

// look is that of standard output. Text made with it is printable but for its own colours, and
// is written to raw.
func (a *app) look(color string) view.Look {
	terminal := console.IsTerminal(a.raw)
	return view.Look{
		Width: a.width(), Brief: terminal,
		Colour: color == "always" || color != "never" && terminal && os.Getenv("NO_COLOR") == "",
	}
}

// width is how many columns standard output shows; 0 where it is no terminal, and as many
// are there as it takes.
func (a *app) width() int {
	f, ok := a.raw.(*os.File)
	if !ok || !console.IsTerminal(f) {
		return 0
	}
	return repl.Width(f)
}
