package main

// This file is ppl repl: the interactive session, which looks as the other commands do.

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/console"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/input"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/repl"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/tools"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/view"
	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/lang/problem"
)

// replCmd is the interactive session.
type replCmd struct {
	Model string `arg:"" optional:"" help:"File of the model to begin with."`
	Data  string `placeholder:"FILE" help:"Data as JSON. Without it, NAME.json beside NAME.ppl is read if it is there."`
	input.IncludeFlags
	Seed  *uint64 `placeholder:"N" help:"Seed of all random numbers. Without it one is drawn and shown with each run."`
	Jobs  int     `placeholder:"N" help:"Chains at work at the same time; all processors without it."`
	NoJIT bool    `name:"no-jit" help:"Make no machine code. Results are the same to the last bit, but take longer."`
}

// Help implements kong.HelpProvider.
func (*replCmd) Help() string {
	return frame.Examples(
		"ppl repl                                 # type :help",
		"ppl repl model.ppl --seed 1",
		"ppl repl < session.txt                   # exit code 1 where an input fails",
	)
}

// Run reads until the session ends.
func (c *replCmd) Run(a *frame.App) (err error) {
	if c.Jobs < 0 {
		return frame.Wrongf("--jobs must not be negative, found %d", c.Jobs)
	}
	source, err := c.Options()
	if err != nil {
		return err
	}
	o := repl.Options{
		Terminal: repl.NewPlain(a.Stdin), Out: a.Stdout, View: sessionView{a},
		Seed: input.DrawnSeed(), Source: source, Jobs: c.Jobs, NoJIT: c.NoJIT,
	}
	if c.Seed != nil {
		o.Seed = *c.Seed
	}
	if c.Jobs == 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	var s *repl.Session
	typed := a.Stdin == os.Stdin && repl.IsTerminal()
	if typed {
		in, err := repl.NewReadline(repl.HistoryFile(), func(before string) ([]string, int) { return s.Complete(before) })
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, in.Close()) }()
		o.Terminal, o.Greet = in, true
		defer holdInterrupts()()
	}
	s = repl.New(o)
	if err := c.begin(s); err != nil {
		return frame.Wrong(err)
	}
	failed, err := s.Run()
	if err == nil && failed > 0 && !typed {
		return &frame.Exit{Code: frame.ExitFailed}
	}
	return err
}

// holdInterrupts keeps interrupts from ending the process: while a line is read the terminal
// sends none, and between a run's end and the next line one would lose the model that was
// typed in. What it returns undoes it.
func holdInterrupts() (undo func()) {
	held := make(chan os.Signal, 1)
	signal.Notify(held, os.Interrupt)
	return func() { signal.Stop(held) }
}

// begin loads what the arguments name.
func (c *replCmd) begin(s *repl.Session) error {
	switch {
	case c.Model != "":
		return s.Load(context.Background(), c.Model, c.Data)
	case c.Data != "":
		return s.LoadData(context.Background(), c.Data)
	}
	return nil
}

// sessionView shows what a session has to show as the other commands do.
type sessionView struct{ app *frame.App }

// Fit implements repl.View.
func (v sessionView) Fit(f *lang.Fit, whole bool) error { return v.write(v.fit(f, whole)) }

func (v sessionView) fit(f *lang.Fit, whole bool) string {
	l := v.app.Look("never")
	if whole {
		l = l.Whole()
	}
	return fitText(view.ReportOf(f), f, l)
}

// Table implements repl.View.
func (v sessionView) Table(d *draws.Draws) error {
	return v.write(reportOfDraws(d).Table(mostRows, v.app.Width()))
}

// reportOfDraws is the report of values at the draws of a fit.
func reportOfDraws(d *draws.Draws) view.Report {
	return view.Report{Parameters: d.Summaries()[1:], Kind: d.Kind()}
}

// Verdict implements repl.View.
func (v sessionView) Verdict(verdict *diagnose.Verdict, more bool) error {
	text := verdictText(verdict, v.app.Look("never"))
	if more {
		text += "\n"
	}
	return v.write(text)
}

// Plot implements repl.View.
func (v sessionView) Plot(_ *draws.Draws, blocks string) error { return v.write(blocks) }

func (v sessionView) write(text string) error {
	_, err := io.WriteString(v.app.Stdout, text)
	return err
}

// Error implements repl.View.
func (v sessionView) Error(err error) { v.app.Finish(err) }

// Say implements repl.View.
func (v sessionView) Say(text string) { v.app.Stderr.Text(text) }

// Warnings implements repl.View.
func (v sessionView) Warnings(list *problem.List) { v.app.Warn(list) }

// Functions implements repl.View.
func (v sessionView) Functions(prefix string) string {
	entries := (&tools.FunctionsCmd{Name: prefix}).Entries()
	if len(entries) == 0 {
		return ""
	}
	return tools.FunctionsText(entries, len(entries) <= fewFunctions)
}

// fewFunctions are shown with their signatures.
const fewFunctions = 12

// Watch implements repl.View.
func (v sessionView) Watch(name string, chains bool) (infer.Observer, func()) {
	return v.app.Stderr.Watch(stageOf(name, chains), chains)
}

// stageOf says in words what a run is at: chains, a diagnosis of a name, or a fit.
func stageOf(name string, chains bool) func(infer.ProgressReport) string {
	switch {
	case chains:
		return console.ChainStage
	case name == "":
		return console.FitStage
	}
	return func(infer.ProgressReport) string { return name }
}

// Interruptible implements repl.View.
func (v sessionView) Interruptible() (context.Context, func()) {
	// Further interrupts do nothing: the model that was typed in is not to be lost by them.
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	silence := context.AfterFunc(ctx, func() {
		v.app.Stderr.Home()
		v.app.Say("stopping")
	})
	return ctx, func() { silence(); cancel() }
}
