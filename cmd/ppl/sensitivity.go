package main

// This file is ppl sensitivity: how far a fit depends on its priors and its likelihood.

import (
	"context"
	"errors"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/outputs"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/view"
	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/lang"
)

// sensitivityCmd power-scales priors and likelihood.
type sensitivityCmd struct {
	Fit string `arg:"" name:"dir" help:"Folder of the fit."`
	fittedFlags
	view.ColorFlag
	Variables []string `type:"names" placeholder:"NAME,..." help:"Variables to measure, with commas or repeated; all parameters without it."`
	Priors    []int    `placeholder:"LINE" help:"Lines of the statements that count as priors together, with commas or repeated; without it those that tie no parameters to each other."`
	Swap      []string `placeholder:"PRIORS" sep:"none" help:"Other priors, such as 'tau ~ normal(0, 1)', to show the answer under; may be repeated."`
	Out       string   `placeholder:"DIR" help:"Folder to write diagnosis.json and its picture to, for ppl plot and ppl report."`
	Jobs      int      `placeholder:"N" help:"Chains at work at the same time; all processors without it."`
	JSON      bool     `name:"json" help:"All figures as JSON on standard output."`
	Strict    bool     `help:"Exit with code 3 where the priors decide, or disagree with the data."`
}

// Help implements kong.HelpProvider.
func (*sensitivityCmd) Help() string {
	return frame.Examples(
		"ppl sensitivity fit                      # priors or data?",
		"ppl sensitivity fit --priors 19,20       # the statements of these lines count as priors",
		"ppl sensitivity fit --swap 'tau ~ normal(0, 1)'",
	)
}

// Run prints the verdict.
func (c *sensitivityCmd) Run(a *frame.App) error {
	if c.Jobs < 0 {
		return frame.Wrongf("--jobs must not be negative, found %d", c.Jobs)
	}
	if c.Out != "" {
		if err := diagnosisPlace(c.Out); err != nil {
			return err
		}
	}
	ctx, stop := frame.UntilInterrupt(nil, a.Stopping(c.Quiet))
	defer stop()
	fit, err := c.fitted(ctx, a, c.Fit)
	if err != nil {
		return err
	}
	o := lang.SensitivityOptions{Variables: c.Variables, Priors: c.Priors, Seed: fit.Run.Seed, Jobs: outputs.OrProcessors(c.Jobs)}
	v, err := frame.WhileWaiting(ctx, func() (*diagnose.Verdict, error) { return fit.model.Sensitivity(ctx, fit.Draws, o) })
	if err != nil {
		return c.failed(ctx, fit, err)
	}
	v.Directive = "sensitivity of " + fit.Dir
	verdicts := []*diagnose.Verdict{v}
	for _, priors := range c.Swap {
		v, err := frame.WhileWaiting(ctx, func() (*diagnose.Verdict, error) { return fit.model.SwapPriors(ctx, fit.Draws, priors, o) })
		if err != nil {
			return c.failed(ctx, fit, err)
		}
		verdicts = append(verdicts, v)
	}
	return c.print(a, verdicts)
}

func (c *sensitivityCmd) failed(ctx context.Context, fit *fittedModel, err error) error {
	if ctx.Err() != nil {
		return frame.EndedEarly(ctx)
	}
	var compile *lang.CompileError
	var line *lang.LineError
	switch {
	case errors.As(err, &compile):
		return frame.Wrong(err)
	case errors.As(err, &line):
		return frame.Wrongf("--priors: %w", err)
	}
	return frame.Wrongf("%s: %w", fit.Dir, err)
}

// print writes the verdicts.
func (c *sensitivityCmd) print(a *frame.App, verdicts []*diagnose.Verdict) error {
	if c.JSON {
		if err := writeVerdicts(a.Stdout, verdicts); err != nil {
			return err
		}
	}
	show := diagnoseCmd{ColorFlag: c.ColorFlag, JSON: c.JSON}
	for _, v := range verdicts {
		if err := show.show(a, v); err != nil {
			return err
		}
	}
	if c.Out != "" {
		if err := (&diagnoseCmd{Out: c.Out}).save(a, verdicts); err != nil {
			return err
		}
		if !c.Quiet {
			a.Say("written: %s", c.Out)
		}
	}
	if c.Strict && verdicts[0].Severity != diagnose.Good {
		return &frame.Exit{Code: frame.ExitStrict}
	}
	return nil
}
