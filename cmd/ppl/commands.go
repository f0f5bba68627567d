package main

// This file declares the commands and the flags that they share.

import (
	"io"
	"strings"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/stored"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/tools"
)

// commands is the whole command line.
type commands struct {
	Run         runCmd              `cmd:"" help:"Fit a model and print a summary."`
	Diagnose    diagnoseCmd         `cmd:"" help:"Judge a method on a model, or a fit."`
	Merge       mergeCmd            `cmd:"" help:"Judge the shares of diagnoses that several processes have done."`
	Serve       serveCmd            `cmd:"" help:"Serve the queue from which workers take units: of diagnoses, fits and cross-validations."`
	Work        workCmd             `cmd:"" help:"Do units for others, whose commands say --on."`
	Attach      attachCmd           `cmd:"" help:"List what a server has been asked to do, and take up a command that was begun elsewhere."`
	Jobs        jobsCmd             `cmd:"" help:"Scripts that have a scheduler run the shares of a diagnosis."`
	Generate    generateCmd         `cmd:"" help:"Generated quantities for an earlier fit, without sampling again."`
	Sensitivity sensitivityCmd      `cmd:"" help:"How far a fit depends on its priors and its likelihood: power-scaling."`
	Update      updateCmd           `cmd:"" help:"Take a fit to other data, such as with observations added, without sampling again where that can be."`
	Prior       priorCmd            `cmd:"" help:"What the priors of a model expect of data, and numbers in them by what somebody expects."`
	Profile     profileCmd          `cmd:"" help:"What each statement of a model costs, and how to write it faster."`
	Compare     compareCmd          `cmd:"" help:"Compare models of the same data: evidence and leave-one-out prediction."`
	Loo         looCmd              `cmd:"" help:"Compare how well fits predict: PSIS-LOO and WAIC."`
	Columns     tools.ColumnsCmd    `cmd:"" help:"Write a table as a file of columns, for data that are larger than memory."`
	Check       checkCmd            `cmd:"" help:"Parse and check models, with or without data."`
	Repl        replCmd             `cmd:"" help:"Work with a model interactively."`
	Kernel      kernelCmd           `cmd:"" help:"Work with a model in Jupyter's notebooks."`
	Play        tools.PlayCmd       `cmd:"" help:"Serve the playground, where models are fitted in the browser."`
	Fmt         tools.FmtCmd        `cmd:"" help:"Lay models out in the canonical way."`
	Lsp         tools.LspCmd        `cmd:"" help:"Serve an editor: problems, completion, explanations, renaming."`
	Simulate    simulateCmd         `cmd:"" help:"Draw a data set, and the parameters it came from."`
	Density     tools.DensityCmd    `cmd:"" help:"Log density and gradient at given points."`
	Summary     stored.SummaryCmd   `cmd:"" help:"Summarise the draws of an earlier fit."`
	Verify      stored.VerifyCmd    `cmd:"" help:"Say whether the files of a fit are as they were written."`
	Plot        plotCmd             `cmd:"" help:"Draw pictures of a fit or of verdicts."`
	Report      reportCmd           `cmd:"" help:"Write one page about a fit or verdicts."`
	Functions   tools.FunctionsCmd  `cmd:"" help:"List the functions and distributions of the library."`
	Cmdstan     tools.CmdstanCmd    `cmd:"" help:"Lay out a folder that programs take for CmdStan."`
	Bridgestan  tools.BridgestanCmd `cmd:"" help:"Make a shared library of a model with the C interface of BridgeStan."`
	Completion  completionCmd       `cmd:"" help:"Print a script that completes commands and flags in a shell."`
	Version     versionCmd          `cmd:"" help:"Version, commit and Go version."`
	Help        helpCmd             `cmd:"" help:"Explain a command, a method, a finding or a function."`

	Unit        unitCmd              `cmd:"" hidden:""`
	CmdstanTool tools.CmdstanToolCmd `cmd:"" name:"cmdstan-tool" hidden:"" passthrough:""`
}

// helpCmd is another way to write COMMAND --help, and explains what has no command.
type helpCmd struct {
	Command []string `arg:"" optional:"" name:"topic" help:"Command, method, wrapper, finding, function or distribution to explain."`
	Man     bool     `help:"The manual page of ppl, or of a command, for the program man: ppl help --man run | man -l -."`
}

// Help implements kong.HelpProvider.
func (*helpCmd) Help() string {
	return frame.Examples("ppl help run", "ppl help --man run | man -l -            # its manual page")
}

// Run prints the help.
func (c *helpCmd) Run(a *frame.App) error {
	if c.Man {
		return manualPage(a, strings.Join(c.Command, " "))
	}
	if len(c.Command) == 1 {
		if text := topic(c.Command[0]); text != "" {
			_, err := io.WriteString(a.Stdout, text)
			return err
		}
	}
	return runCommand(a, append(c.Command, "--help"))
}
