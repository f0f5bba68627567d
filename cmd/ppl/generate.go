package main

// This file is ppl generate: generated quantities for the draws of an earlier fit.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"time"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/cmdstan"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/console"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/folders"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/input"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/outputs"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/view"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/lang"
)

// generateCmd computes generated quantities.
type generateCmd struct {
	Model string `arg:"" help:"File of the model: that of the fit, or another one with the same parameters."`
	input.ModelFlags
	outputs.OutputFlags
	Fit    string `required:"" placeholder:"DIR" help:"Folder of the fit whose draws are used."`
	Out    string `placeholder:"DIR" help:"Folder to write the quantities to, as CmdStan's generate_quantities does."`
	Jobs   int    `placeholder:"N" help:"Chains at work at the same time; all processors without it."`
	Digits int    `placeholder:"N" default:"8" help:"Significant digits in the files; 8 without it."`
	JSON   bool   `name:"json" help:"Summary as JSON on standard output."`
}

// generateMethod is what files and tables call the method.
const generateMethod = "generate_quantities"

// Help implements kong.HelpProvider.
func (*generateCmd) Help() string {
	return "Without --seed the seed is that of the fit.\n\n" + frame.Examples(
		"ppl generate more.ppl --fit fit          # more.ppl has the parameters of the fit's model",
		"ppl generate more.ppl --fit fit --out generated --variables y_rep",
	)
}

// Run computes the quantities and prints their summary.
func (c *generateCmd) Run(a *frame.App) (err error) {
	if err := c.validate(); err != nil {
		return err
	}
	p, err := c.Compile(a, c.Model)
	if err != nil {
		return err
	}
	fit, err := folders.ReadEarlier(a, c.Fit, c.Quiet)
	if err != nil {
		return err
	}
	seed := c.seedFrom(fit)
	source := c.DataSource(a, p, c.Model)
	source.Fit = fit.Data()
	if len(source.Impute) == 0 {
		source.Impute = imputedIn(fit.Run)
	}
	ctx, stop := frame.UntilInterrupt(nil, a.Stopping(c.Quiet))
	defer stop()
	m, err := input.BindModel(ctx, a, p, source, lang.BindOptions{Seed: seed})
	if err != nil {
		return err
	}
	if len(m.Quantities()) == 0 {
		return frame.Wrongf("%s: the model has no generated quantities", c.Model)
	}
	if err := c.Check(m.Quantities()); err != nil {
		return err
	}
	to, end, err := folders.OpenFolder(a, folders.Place{Out: c.Out}, c.Quiet)
	if err != nil {
		return err
	}
	defer end(&err)
	g, err := frame.WhileWaiting(ctx, func() (*lang.Generated, error) {
		return m.Generate(ctx, fit.Draws, lang.GenerateOptions{Seed: seed, Jobs: outputs.OrProcessors(c.Jobs)})
	})
	if err != nil {
		return c.explain(ctx, fit, err)
	}
	if g.Rejects > 0 && !c.Quiet {
		a.Say("warning: generated quantities could not be computed for %d of %d draws and are NaN there; the first time: %v", g.Rejects, fit.Draws.Total(), g.Reject)
	}
	if err := c.show(a, g, fit, seed); err != nil || to == nil {
		return err
	}
	if err := c.save(ctx, a, p, m, source, fit, g, seed, to); err != nil {
		return err
	}
	if !c.Quiet {
		a.Say("written: %s", c.Out)
	}
	return nil
}

func (c *generateCmd) validate() error {
	switch {
	case c.Jobs < 0:
		return frame.Wrongf("--jobs must not be negative, found %d", c.Jobs)
	case c.Digits < 1 || c.Digits > 17:
		return frame.Wrongf("--digits must be from 1 to 17, found %d", c.Digits)
	case sameFolder(c.Out, c.Fit):
		return frame.Wrongf("--out %s: this is the folder of the fit; choose another", c.Out)
	}
	return c.OutputFlags.Validate(c.Out)
}

// seedFrom is the seed of the flag, or that of the fit: transformed data are the same then.
func (c *generateCmd) seedFrom(fit *folders.EarlierFit) uint64 {
	if seed, ok := fit.Seed(); ok {
		return c.SeedOr(seed)
	}
	return c.SeedOr(input.DrawnSeed())
}

// explain reports what to do about a fit that does not belong to the model.
func (c *generateCmd) explain(ctx context.Context, fit *folders.EarlierFit, err error) error {
	var mismatch *lang.MismatchError
	switch {
	case errors.As(err, &mismatch):
		return &frame.Exit{
			Code: frame.ExitWrongInput, Err: fmt.Errorf("--fit %s: %w", c.Fit, err),
			Help: cmp.Or(lacking(fit.Dir), "the model must have the parameters of the fit, with the same names and sizes, and the fit must have been run without --variables, or with all parameters among them"),
		}
	case ctx.Err() != nil:
		return &frame.Exit{Code: frame.ExitInterrupted, Err: errors.New("interrupted; nothing was written")}
	}
	return err
}

// show prints the summary of the quantities.
func (c *generateCmd) show(a *frame.App, g *lang.Generated, fit *folders.EarlierFit, seed uint64) error {
	r := view.Report{Name: "generate", Method: generateMethod, Kind: g.Draws.Kind()}
	for _, s := range c.Rows(g.Draws.Summaries()) {
		if s.Name != draws.LogDensityColumn {
			r.Parameters = append(r.Parameters, s)
		}
	}
	if c.JSON {
		return view.WriteReports(a.Stdout, []view.Report{r})
	}
	_, err := fmt.Fprintf(a.Stdout, "generated quantities of %s for %s of %s, seed %d\n\n%s",
		c.Model, console.Plural(g.Draws.Total(), "draw"), fit.Dir, seed, r.Text(mostRows, a.Look("never")))
	return err
}

// save writes the folder.
func (c *generateCmd) save(ctx context.Context, a *frame.App, p *lang.Program, m *lang.Model, source *input.DataSource, fit *folders.EarlierFit, g *lang.Generated, seed uint64, f *folders.Folder) error {
	kept, err := g.Draws.Only(c.Variables)
	if err != nil {
		return err
	}
	began := time.Now()
	o := draws.CSVOptions{Dir: f.Work, Model: cmdstan.ModelName(c.Model), DataFile: source.Path, Init: "2", Digits: c.Digits, Started: began}
	fitted := func(chain int) string { return filepath.Join(fit.Dir, fmt.Sprintf("chain-%d.csv", chain+1)) }
	if err := draws.WriteQuantities(o, kept, seed, fitted); err != nil {
		return err
	}
	digest, err := source.Digest()
	if err != nil {
		return err
	}
	err = draws.WriteRun(a.Disk, f.Work, draws.Run{
		Program: *folders.ModelDigest(c.Model, p), Data: digest, Name: "generate", Method: generateMethod, Seed: seed, Fitted: fit.Dir, Imputed: m.Imputed(),
		Chains: kept.Chains(), Draws: kept.Longest(), Thin: 1, Version: frame.Version, GoVersion: runtime.Version(), Machine: frame.ThisMachine(), Started: began,
	})
	if err != nil {
		return err
	}
	e := &outputs.Export{
		OutputFlags: &c.OutputFlags, App: a, Quiet: c.Quiet, Model: m, Draws: g.Draws, Fit: fit.Draws,
		Seed: seed, Jobs: outputs.OrProcessors(c.Jobs), Notes: outputs.NotesOf(p.Name, generateMethod, seed),
	}
	if err := e.Write(ctx, f.Work); err != nil {
		return err
	}
	return f.Finish()
}
