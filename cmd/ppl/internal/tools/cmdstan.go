package tools

// This file is ppl cmdstan, and the programs that the folder it lays out starts.

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/cmdstan"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/folders"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/outputs"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/system"
)

// CmdstanCmd lays out a folder that poses as a CmdStan installation.
type CmdstanCmd struct {
	Dir string `arg:"" help:"Folder to make or renew."`
}

// Help implements kong.HelpProvider.
func (*CmdstanCmd) Help() string {
	return "The folder holds bin/stanc, bin/stansummary, bin/diagnose, a makefile and an example. Programs that\n" +
		"use CmdStan find ppl in it: models are compiled by make, and run with CmdStan's arguments.\n\n" + frame.Examples(
		"ppl cmdstan ~/.cmdstan/cmdstan-2.37.0    # where CmdStanPy looks",
		"ppl cmdstan ~/.cmdstan/cmdstan-2.37.0 && make -C ~/.cmdstan/cmdstan-2.37.0 examples/bernoulli/bernoulli",
		"CMDSTAN=~/.cmdstan/cmdstan-2.37.0 Rscript fit.R   # CmdStanR, and brms with backend = \"cmdstanr\"",
	)
}

// Run lays out the folder.
func (c *CmdstanCmd) Run(a *frame.App) error {
	ppl, err := ownPath()
	if err != nil {
		return err
	}
	if info, err := os.Stat(c.Dir); err == nil && !info.IsDir() {
		return frame.Wrongf("%s is a file, not a folder", c.Dir)
	}
	l := folders.ListingOf(a, c.Dir, false)
	names, err := cmdstan.Layout(c.Dir, ppl, l.MakeWay)
	if err != nil {
		return outputs.Unwritable(err, c.Dir, "")
	}
	if err := l.Add(slices.DeleteFunc(names, func(name string) bool { return name == "make/local" })...); err != nil {
		return outputs.Unwritable(err, c.Dir, "")
	}
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return err
	}
	a.Say("written: %s; tell programs of it by the environment variable CMDSTAN", dir)
	return nil
}

// ownPath is the path that this program was started by. Links are not followed: an upgrade
// may put another file behind them.
func ownPath() (string, error) {
	if path, err := exec.LookPath(os.Args[0]); err == nil {
		return filepath.Abs(path)
	}
	return os.Executable()
}

// CmdstanToolCmd is what the scripts of the folder start: a program of it, with its
// arguments.
type CmdstanToolCmd struct {
	Args []string `arg:"" optional:"" help:"Program of the folder, and its arguments."`
}

// Help implements kong.HelpProvider.
func (*CmdstanToolCmd) Help() string {
	return frame.Examples("ppl cmdstan-tool stanc --info model.stan", "ppl cmdstan-tool stansummary fit/chain-1.csv fit/chain-2.csv")
}

// Run runs the program with its own exit codes.
func (c *CmdstanToolCmd) Run(a *frame.App) error {
	if len(c.Args) == 0 {
		return frame.Wrongf("cmdstan-tool is for the folder that ppl cmdstan lays out")
	}
	ppl, err := ownPath()
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), system.Endings()...)
	defer stop()
	if code := cmdstan.Run(ctx, ppl, c.Args[0], c.Args[1:], a.Raw, a.Stderr); code != 0 {
		return &frame.Exit{Code: code}
	}
	return nil
}
