package main

// This file is ppl update: a fit taken to other data.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/folders"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/input"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/outputs"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/view"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang"
)

// updateCmd takes the draws of a fit to other data.
type updateCmd struct {
	Fit  string `arg:"" name:"dir" help:"Folder of the fit."`
	Data string `required:"" placeholder:"FILE" help:"All data of the model as they are now: those of the fit with the observations that were added, or others."`
	input.ImputeFlag
	input.IncludeFlags
	Model string `placeholder:"FILE" help:"File of the fit's model, where it is no longer where the fit was made from."`
	Old   string `placeholder:"FILE" help:"The fit's data, where they are no longer there."`
	outputs.VariableFlag
	view.ColorFlag
	Out    string  `placeholder:"DIR" help:"Folder to write the updated fit to; it can be updated again."`
	Seed   *uint64 `placeholder:"N" help:"Seed of all random numbers; that of the fit without it."`
	Jobs   int     `placeholder:"N" help:"Particles, or chains, at work at the same time; all processors without it."`
	Quiet  bool    `short:"q" help:"No progress and no remarks on standard error."`
	JSON   bool    `name:"json" help:"Summary and findings as JSON on standard output."`
	Strict bool    `help:"Exit with code 3 where a finding is bad."`
}

// Help implements kong.HelpProvider.
func (*updateCmd) Help() string {
	return frame.Examples(
		"ppl update monday --data tuesday.json --out tuesday",
		"ppl update tuesday --data wednesday.json --out wednesday",
		"ppl update monday --data tuesday.csv --impute y  # of the observations that were added, some are missing",
	)
}

// Run updates the fit.
func (c *updateCmd) Run(a *frame.App) (err error) {
	restoreGC := frame.RelaxGC()
	defer restoreGC()
	ctx, stop := frame.UntilInterrupt(nil, a.Stopping(c.Quiet))
	defer stop()
	s, err := c.prepare(ctx, a)
	if err != nil {
		return err
	}
	var end func(*error)
	if s.folder, end, err = folders.OpenFolder(a, s.place(), c.Quiet); err != nil {
		return err
	}
	defer end(&err)
	s.restoreGC = restoreGC
	reports, err := s.fitAll(ctx)
	switch {
	case err != nil && ctx.Err() != nil:
		return frame.EndedEarly(ctx)
	case err != nil:
		return c.explain(s, err)
	}
	return s.conclude(ctx, reports)
}

// prepare reads the fit and binds its model to both data.
func (c *updateCmd) prepare(ctx context.Context, a *frame.App) (*session, error) {
	run := &runCmd{
		OutputFlags: outputs.OutputFlags{VariableFlag: c.VariableFlag, LogLik: outputs.DefaultLogLik}, ColorFlag: c.ColorFlag, Out: c.Out,
		Jobs: c.Jobs, Digits: defaultDigits, JSON: c.JSON, Strict: c.Strict,
	}
	run.Data, run.Quiet, run.IncludeFlags = c.Data, c.Quiet, c.IncludeFlags
	if err := run.validate(); err != nil {
		return nil, err
	}
	if sameFolder(c.Out, c.Fit) {
		return nil, frame.Wrongf("--out %s: this is the folder of the fit; choose another", c.Out)
	}
	old, err := (&fittedFlags{Model: c.Model, Data: c.Old, IncludeFlags: c.IncludeFlags}).fitted(ctx, a, c.Fit)
	if err != nil {
		return nil, c.renamed(err)
	}
	run.Model = old.Run.Program.File
	if c.Model != "" {
		run.Model = c.Model
	}
	s := &session{runCmd: run, app: a, program: old.program, fitted: old.EarlierFit, names: []string{"update"}, updates: true, seed: old.Run.Seed, started: time.Now()}
	if c.Seed != nil {
		s.seed = *c.Seed
	}
	method, err := frame.WhileWaiting(ctx, func() (*lang.Method, error) { return old.model.Updating(old.Draws) })
	if err != nil {
		return nil, misfit(old.Dir, frame.Wrongf("%s: %w", old.Dir, err))
	}
	s.methods, s.shared = []*lang.Method{method}, lang.Share(nil)
	s.data = &input.DataSource{Path: c.Data, Quiet: c.Quiet, Impute: slices.Compact(slices.Sorted(slices.Values(slices.Concat(imputedIn(old.Run), c.Impute))))}
	// Random transformed data are those of the fit.
	if s.model, err = input.BindModel(ctx, a, s.program, s.data, lang.BindOptions{Seed: old.Run.Seed}); err != nil {
		return nil, err
	}
	if err := run.Check(s.model.Columns()); err != nil {
		return nil, err
	}
	if s.digest, err = s.data.Digest(); err != nil {
		return nil, frame.Wrong(frame.PlainPath(err))
	}
	return s, nil
}

// renamed says --old where fitted said --data.
func (c *updateCmd) renamed(err error) error {
	var e *frame.Exit
	if errors.As(err, &e) && strings.HasPrefix(e.Help, "--data FILE") {
		e.Help = "--old FILE" + strings.TrimPrefix(e.Help, "--data FILE")
	}
	return err
}

// explain says what to do where the new data have other parameters, and that they are at fault where the program stops
// at them, as it has not at the data of the fit.
func (c *updateCmd) explain(s *session, err error) error {
	var mismatch *lang.MismatchError
	var stop *eval.Error
	switch {
	case errors.As(err, &stop) && !stop.Reject:
		return frame.Wrong(err)
	case errors.As(err, &mismatch):
		help := "the draws of the fit say nothing about parameters that come with the new data: run the model on them"
		if mismatch.Filled {
			help = "the draws say nothing of the density without it: run the model on these data"
		}
		return &frame.Exit{Code: frame.ExitWrongInput, Err: fmt.Errorf("%s with %s: %w", c.Fit, c.Data, mismatch), Help: help}
	}
	return s.failed(err)
}
