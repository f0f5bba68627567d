package repl

// This file is the session's frame: reading input to its end and handing it on.

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/lang/problem"
)

// A View shows what has a form of its own on the command line.
type View interface {
	Fit(f *lang.Fit, whole bool) error                       // header, table of summaries and findings; whole: a line for each of these
	Table(d *draws.Draws) error                              // table of summaries
	Verdict(v *diagnose.Verdict, more bool) error            // of a diagnosis; more: another one follows
	Plot(d *draws.Draws, blocks string) error                // picture of a variable, and the same of block characters
	Error(err error)                                         // shows it with place, line and caret
	Say(text string)                                         // a remark; it ends its line
	Warnings(list *problem.List)                             // of a program or a method
	Functions(prefix string) string                          // of the library whose names begin so; empty for none
	Watch(name string, chains bool) (infer.Observer, func()) // progress, until the function is called
	// Interruptible returns a context that ends with Ctrl-C, until the function is called.
	Interruptible() (context.Context, func())
}

// Options are what a session is made from.
type Options struct {
	Terminal Terminal  // nil where inputs are given to Do
	Out      io.Writer // takes results that have no form of their own
	View     View
	Seed     uint64       // of all random numbers
	Source   lang.Options // where files of #include are
	Jobs     int          // chains at work at the same time
	NoJIT    bool         // no machine code
	Greet    bool         // say how to get help

	Editor func(text string) (string, error) // stands for the one of $EDITOR; nil: that one
}

// A Session is the state between two inputs.
type Session struct {
	Options
	done   bool
	failed int // inputs that ended with an error

	file     string        // that messages about the model name
	text     string        // of the model
	program  *lang.Program // compiled from text
	scratch  []string      // statements of the session, in order
	extended *lang.Program // program with scratch
	printed  int           // lines that model and scratch print; -1: not known yet

	data     *data.Set // nil: none
	dataName string
	model    *lang.Model // program with data; nil: not made yet

	methods   []string    // of :method
	fits      []*lang.Fit // of the last :run
	dropped   bool        // there were fits, of a model before this one
	typed     string      // the last input that was no command, for :edit
	evaluated uint64      // expressions so far: each has random numbers of its own
	simulated int         // data sets so far
}

// The prompts.
const (
	prompt         = "ppl> "
	continuePrompt = "...> "
)

// unnamed is what messages call a model that came from no file.
const unnamed = "session"

// inputName is what messages call what was typed.
const inputName = "input"

// New makes a session with an empty model.
func New(o Options) *Session {
	s := &Session{Options: o}
	s.clear()
	return s
}

// clear makes the model empty.
func (s *Session) clear() {
	s.scratch, s.methods = nil, nil
	if err := s.setModel(unnamed, ""); err != nil {
		panic(err) // the empty program compiles
	}
}

// Run reads until the input or the session ends, and returns the number of inputs that
// failed. The error is that of the terminal.
func (s *Session) Run() (failed int, err error) {
	if s.Greet {
		s.View.Say("ppl session: type a block of the model, an expression or a command\n:help says more, :quit ends it\n")
	}
	for !s.done {
		text, err := s.read()
		switch {
		case errors.Is(err, ErrInterrupt):
			s.View.Say(":quit or Ctrl-D ends the session\n")
			continue
		case errors.Is(err, io.EOF):
			return s.failed, nil
		case err != nil:
			return s.failed, err
		}
		s.remember(text)
		s.Do(text)
	}
	return s.failed, nil
}

// remember puts an input into the terminal's history, where it has one; what cannot be kept
// is not.
func (s *Session) remember(text string) {
	if r, ok := s.Terminal.(Rememberer); ok && strings.TrimSpace(text) != "" {
		_ = r.Remember(text)
	}
}

// read reads lines until they make a whole.
func (s *Session) read() (string, error) {
	text, err := s.Terminal.ReadLine(prompt)
	for err == nil && unfinished(text) {
		var more string
		more, err = s.Terminal.ReadLine(continuePrompt)
		switch {
		case errors.Is(err, ErrInterrupt):
			return "", nil // what was begun is given up
		case errors.Is(err, io.EOF):
			return text, nil // the error will be about the end
		case err == nil && isCommand(more):
			s.View.Say("what was begun is given up: it was unfinished\n")
			text = more
			continue
		}
		text += "\n" + more
	}
	return text, err
}

// Do carries out one input. Errors are shown; those of ppl itself, too. It reports whether there was none.
func (s *Session) Do(text string) bool {
	ctx, stop := s.View.Interruptible()
	defer stop()
	if err := infer.Guarded(func() error { return s.input(ctx, text) }); err != nil {
		s.failed++
		if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
			err = infer.ErrInterrupted // in our words
		}
		s.View.Error(err)
		return false
	}
	return true
}

func (s *Session) input(ctx context.Context, text string) error {
	kind := kindOf(text)
	if kind != nothing && kind != commandInput {
		s.typed = text
	}
	switch kind {
	case nothing:
		return nil
	case commandInput:
		return s.command(ctx, text)
	case blockInput:
		return s.blocks(text)
	case statementInput:
		if before, last, ok := endsInExpression(text); ok {
			if err := s.statements(ctx, before); err != nil {
				return err
			}
			return s.expression(ctx, last)
		}
		return s.statements(ctx, completed(text))
	}
	return s.expression(ctx, strings.TrimRight(text, "; \t\n"))
}

// unlessEnded is what work gives, or the error of an interrupt soon after ctx has ended: one call of a library cannot be left half-way, and the
// session goes on without it. Work changes nothing of the session's.
func unlessEnded[T any](ctx context.Context, work func() (T, error)) (T, error) {
	return unlessEndedFor(ctx, frame.StopGrace, frame.Never, work)
}

// unlessEndedFor is unlessEnded with another grace, and waits where stays says after it that there are results to wait for.
func unlessEndedFor[T any](ctx context.Context, grace time.Duration, stays func() bool, work func() (T, error)) (T, error) {
	out, err := frame.WithGrace(ctx, grace, stays, func() (out T, err error) {
		err = infer.Guarded(func() error { out, err = work(); return err })
		return out, err
	})
	if frame.IsLeft(err) {
		err = infer.ErrInterrupted
	}
	return out, err
}

// bind joins a program with the session's data.
func (s *Session) bind(ctx context.Context, p *lang.Program, o lang.BindOptions) (*lang.Model, error) {
	if show := o.Print; show != nil {
		o.Print = func(text string) {
			if ctx.Err() == nil {
				show(text)
			}
		}
	}
	in := s.data
	return unlessEnded(ctx, func() (*lang.Model, error) { return p.BindContext(ctx, in, o) })
}

// write writes a result.
func (s *Session) write(text string) error {
	_, err := io.WriteString(s.Out, text)
	return err
}
