// Package frame is what every command works with: the streams, errors with exit codes and help, what ends a command early.
package frame

// This file holds what commands work with, and how they end: exit codes, errors with help, bugs.

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/console"
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
	ExitFailed      = 1
	ExitWrongInput  = 2
	ExitStrict      = 3
	ExitInterrupted = 130
)

// An Exit ends a command with a code; err, if any, is shown before, and help after it.
type Exit struct {
	Code int
	Err  error
	Help string
}

func (e *Exit) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("exit code %d", e.Code)
	}
	return e.Err.Error()
}

func (e *Exit) Unwrap() error { return e.Err }

// Wrong marks an error as one of the model, the data or the arguments.
func Wrong(err error) error { return &Exit{Code: ExitWrongInput, Err: err} }

func Wrongf(format string, args ...any) error { return Wrong(fmt.Errorf(format, args...)) }

// An App is what commands work with.
type App struct {
	Stdin  io.Reader
	Stdout io.Writer // shows what a terminal would obey: names and texts may be a stranger's
	Raw    io.Writer // the same without that, for programs and what programs read
	Stderr *console.Console
	Args   []string

	Disk            disk.Disk     // that files are written to
	StdinTaken      bool          // standard input was read as a model or data
	Release         string        // that workers must be of; empty: this one
	CheckpointEvery time.Duration // how often runs with a folder are put on disk
	Patience        time.Duration // how long may be worked on what nobody asked for: a model may compute for ever
}

func NewApp(stdin io.Reader, stdout, stderr io.Writer) *App {
	return &App{Stdin: stdin, Stdout: problem.NewPrinter(stdout), Raw: stdout, Stderr: console.NewConsole(stderr), CheckpointEvery: checkpointEvery, Patience: 10 * time.Second}
}

// CodeOf is the exit code of an error.
func CodeOf(err error) int {
	var e *Exit
	if errors.Is(err, stdlib.ErrMemory) || !errors.As(err, &e) { // another machine may have the memory
		return ExitFailed
	}
	return e.Code
}

// Finish shows an error and gives the exit code.
func (a *App) Finish(err error) int {
	if err == nil {
		return 0
	}
	code := CodeOf(err)
	var e *Exit
	errors.As(err, &e)
	var bug *infer.PanicError
	switch {
	case e != nil && e.Err == nil: // all was said
	case errors.As(err, &bug):
		a.ReportBug(bug.Value, bug.Stack)
	default:
		a.ShowError(err)
	}
	return code
}

// ShowError shows an error and its help.
func (a *App) ShowError(err error) {
	text := lang.ErrorText(err)
	var e *Exit
	help := scarce(err)
	if errors.As(err, &e) && e.Help != "" {
		help = e.Help
	}
	if help != "" {
		text += "  help: " + help + "\n"
	}
	a.Stderr.Text(text)
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

// ReportBug reports that ppl is at fault, and what to report. There is never a trace.
func (a *App) ReportBug(value any, stack []byte) {
	trace := string(stack)
	if i := strings.LastIndex(trace, "\npanic("); i >= 0 {
		trace = trace[i:] // what lies before is the handling of the panic
	}
	place := ""
	for _, m := range ourFrame.FindAllStringSubmatch(trace, 1) {
		place = " at " + m[1]
	}
	a.Stderr.Text(fmt.Sprintf(`internal error: %v
This is a bug in ppl, not in your model. Please report it, with the model, the data and these lines:
  ppl %s
  version %s%s, %s %s/%s
`, value, strings.Join(a.Args, " "), Version, place, runtime.Version(), runtime.GOOS, runtime.GOARCH))
}

// Say writes a remark to standard error.
func (a *App) Say(format string, args ...any) { a.Stderr.Text(fmt.Sprintf(format, args...) + "\n") }

// Remarks is what writes a remark to standard error, or nowhere if there are to be none.
func (a *App) Remarks(quiet bool) func(string) {
	if quiet {
		return func(string) {}
	}
	return func(text string) { a.Stderr.Text(text + "\n") }
}

// Look is that of standard output. Text made with it is printable but for its own colours, and
// is written to raw.
func (a *App) Look(color string) view.Look {
	terminal := console.IsTerminal(a.Raw)
	return view.Look{
		Width: a.Width(), Brief: terminal,
		Colour: color == "always" || color != "never" && terminal && os.Getenv("NO_COLOR") == "",
	}
}

// Width is how many columns standard output shows; 0 where it is no terminal, and as many
// are there as it takes.
func (a *App) Width() int {
	f, ok := a.Raw.(*os.File)
	if !ok || !console.IsTerminal(f) {
		return 0
	}
	return system.Width(f)
}

// Warn shows problems that do not stop the command.
func (a *App) Warn(problems *problem.List) {
	if problems.Len() == 0 {
		return
	}
	var b strings.Builder
	_ = problem.WriteText(&b, problems, problem.Options{}) // a Builder does not fail
	a.Stderr.Text(b.String())
}

// PlainPath turns the operating system's wording about a file into ours.
func PlainPath(err error) error {
	var p *fs.PathError
	switch {
	case !errors.As(err, &p):
		return err
	case p.Path == "":
		return errors.New("the name of a file is empty")
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: there is no such file", p.Path)
	}
	return fmt.Errorf("%s: %w", p.Path, p.Err)
}

// Print shows the text of a print statement.
func (a *App) Print(text string) { a.Stderr.Text(text + "\n") }

// Examples lays command lines out for the help.
func Examples(lines ...string) string {
	return "Examples:\n\n  " + strings.Join(lines, "\n  ")
}

// checkpointEvery is how often chains are put on disk. Together with the time that a
// checkpoint takes it stays below the second of work that a kill may cost.
const checkpointEvery = 500 * time.Millisecond
