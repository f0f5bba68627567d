package main

// This file is ppl profile: what each statement of a model costs.

import (
	"errors"
	"fmt"
	"time"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/folders"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/input"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/view"
	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/lang"
)

// profileCmd times statements.
type profileCmd struct {
	Model string `arg:"" help:"File of the model."`
	input.ModelFlags
	input.EngineFlags
	view.ColorFlag
	Fit  string        `placeholder:"DIR" help:"Folder of a fit of the model: all is timed at one of its draws, and it is said which parameter mixes worst and what ties it."`
	Time time.Duration `default:"1s" help:"About how long to measure."`
	JSON bool          `name:"json" help:"All figures as JSON on standard output; times in seconds."`
}

// Help implements kong.HelpProvider.
func (*profileCmd) Help() string {
	return frame.Examples(
		"ppl profile model.ppl                    # time by statement, and how each is computed",
		"ppl profile model.ppl --fit fit          # at a draw of the fit; what mixes worst, too",
	)
}

// Run prints the costs.
func (c *profileCmd) Run(a *frame.App) error {
	if c.Time <= 0 {
		return frame.Wrongf("--time must be positive, found %s", c.Time)
	}
	ctx, stop := frame.UntilInterrupt(nil, a.Stopping(c.Quiet))
	defer stop()
	restoreGC := frame.RelaxGC()
	defer restoreGC()
	p, err := c.Compile(a, c.Model)
	if err != nil {
		return err
	}
	o := lang.ProfileOptions{Seed: c.SeedOr(1), Time: c.Time}
	if err := c.readFit(a, p, &o); err != nil {
		return err
	}
	m, err := input.BindModel(ctx, a, p, c.DataSource(a, p, c.Model), c.Options(c.SeedOr(1)))
	if err != nil {
		return err
	}
	var mismatch *lang.MismatchError
	v, err := frame.WhileWaiting(ctx, func() (*diagnose.Verdict, error) { return m.Profile(ctx, o) })
	switch {
	case ctx.Err() != nil:
		return frame.EndedEarly(ctx)
	case errors.As(err, &mismatch):
		return misfit(c.Fit, fmt.Errorf("--fit %s: %w", c.Fit, err))
	case err != nil:
		return frame.Wrong(err)
	}
	v.Directive = "profile of " + c.Model
	if c.JSON {
		return writeVerdicts(a.Stdout, []*diagnose.Verdict{v})
	}
	return (&diagnoseCmd{ColorFlag: c.ColorFlag}).show(a, v)
}

// readFit reads the draws of --fit, which must be of the model.
func (c *profileCmd) readFit(a *frame.App, p *lang.Program, o *lang.ProfileOptions) error {
	if c.Fit == "" {
		return nil
	}
	fit, err := openFit(a, c.Fit)
	if err != nil {
		return err
	}
	if here := folders.ModelDigest(c.Model, p); !folders.SameSource(here, &fit.Run.Program) {
		return frame.Wrongf("--fit %s: the fit is of another model\n  there: %s\n  here:  %s", c.Fit, folders.Shown(&fit.Run.Program), folders.Shown(here))
	}
	o.Fit = fit.Draws
	return ofPosterior(fit)
}
