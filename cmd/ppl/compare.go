package main

// This file is ppl compare: models of the same data, by evidence and by prediction.

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/console"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/input"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/outputs"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/view"
	"github.com/seed-12b88e03/ppl/diagnose"
	comparison "github.com/seed-12b88e03/ppl/diagnose/compare"
	"github.com/seed-12b88e03/ppl/lang"
)

// compareCmd compares fits with their models.
type compareCmd struct {
	Paths []string `arg:"" name:"dir" help:"Folders of the fits, two or more."`
	Data  string   `placeholder:"FILE" help:"The fits' data, where they are no longer where the fits were made from."`
	input.IncludeFlags
	view.ColorFlag
	LogLik string  `placeholder:"NAME" help:"Variable with the log density of each observation; log_lik without it or, where there is none, the factors of the likelihood."`
	Seed   *uint64 `placeholder:"N" help:"Seed of the annealing; that of the first fit without it."`
	Jobs   int     `placeholder:"N" help:"Chains at work at the same time; all processors without it."`
	Quiet  bool    `short:"q" help:"No remarks on standard error."`
	JSON   bool    `name:"json" help:"All figures as JSON on standard output."`
	Strict bool    `help:"Exit with code 3 where the routes to the evidence differ, or a Pareto k is too high."`
	onFlags

	lost error // why it ended, as the command tells it
}

// Help implements kong.HelpProvider.
func (*compareCmd) Help() string {
	return frame.Examples(
		"ppl compare pooled hierarchical          # Bayes factor and leave-one-out prediction",
		"ppl compare pooled hierarchical --json",
	)
}

// Run prints the comparison.
func (c *compareCmd) Run(a *frame.App) error {
	switch {
	case c.Jobs < 0:
		return frame.Wrongf("--jobs must not be negative, found %d", c.Jobs)
	case len(c.Paths) < 2:
		return frame.Wrongf("a comparison needs two fits or more, found %s alone", c.Paths[0])
	}
	if err := c.without(map[string]bool{"jobs": c.Jobs != 0}); err != nil {
		return err
	}
	ctx, stop := frame.UntilInterrupt(nil, a.Stopping(c.Quiet))
	defer stop()
	v, err := c.compare(ctx, a)
	if err != nil {
		return err
	}
	if c.JSON {
		err = writeVerdicts(a.Stdout, []*diagnose.Verdict{v})
	} else {
		err = (&diagnoseCmd{ColorFlag: c.ColorFlag}).show(a, v)
	}
	if err == nil && c.Strict && (v.Severity == diagnose.Warning || v.Severity == diagnose.Bad) {
		return &frame.Exit{Code: frame.ExitStrict}
	}
	return err
}

func (c *compareCmd) compare(ctx context.Context, a *frame.App) (*diagnose.Verdict, error) {
	var fits []lang.Compared
	var models []*fittedModel
	o := lang.CompareOptions{Jobs: outputs.OrProcessors(c.Jobs), LogLik: c.LogLik}
	for i, path := range c.Paths {
		flags := fittedFlags{Data: c.Data, IncludeFlags: c.IncludeFlags}
		f, err := flags.fitted(ctx, a, path)
		if err != nil {
			return nil, withoutModelFlag(err)
		}
		if i == 0 {
			o.Seed = f.Run.Seed
		}
		models = append(models, f)
		fits = append(fits, lang.Compared{Name: filepath.ToSlash(f.Dir), Model: f.model, Draws: f.Draws})
	}
	if c.Seed != nil {
		o.Seed = *c.Seed
	}
	if c.On != "" {
		o.Annealed = func(ctx context.Context, _ []lang.Compared) (out []comparison.Evidence, err error) {
			out, c.lost = c.annealed(ctx, a, models, o.Seed)
			return out, c.lost
		}
	}
	v, err := frame.WhileWaiting(ctx, func() (*diagnose.Verdict, error) { return lang.Compare(ctx, fits, o) })
	var different *lang.DifferentDataError
	switch {
	case c.lost != nil:
		return nil, c.lost
	case ctx.Err() != nil:
		return nil, frame.EndedEarly(ctx)
	case errors.As(err, &different):
		return nil, frame.Wrong(err)
	case err != nil:
		return nil, err
	}
	v.Directive = "comparison of " + console.Plural(len(fits), "model")
	return v, nil
}

// withoutModelFlag is an error whose help does not name --model, which is for commands that take one fit.
func withoutModelFlag(err error) error {
	var e *frame.Exit
	if errors.As(err, &e) && strings.HasPrefix(e.Help, "--model ") {
		other := *e
		other.Help = "put the file back as it was, or run this in the folder in which the fit was made: models of several fits are found there alone"
		return &other
	}
	return err
}
