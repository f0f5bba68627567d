package main

// This file declares the commands and the flags that they share.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/folders"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/repl"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/tables"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// commands is the whole command line.
type commands struct {
	Run         runCmd         `cmd:"" help:"Fit a model and print a summary."`
	Diagnose    diagnoseCmd    `cmd:"" help:"Judge a method on a model, or a fit."`
	Merge       mergeCmd       `cmd:"" help:"Judge the shares of diagnoses that several processes have done."`
	Serve       serveCmd       `cmd:"" help:"Serve the queue from which workers take units: of diagnoses, fits and cross-validations."`
	Work        workCmd        `cmd:"" help:"Do units for others, whose commands say --on."`
	Attach      attachCmd      `cmd:"" help:"List what a server has been asked to do, and take up a command that was begun elsewhere."`
	Jobs        jobsCmd        `cmd:"" help:"Scripts that have a scheduler run the shares of a diagnosis."`
	Generate    generateCmd    `cmd:"" help:"Generated quantities for an earlier fit, without sampling again."`
	Sensitivity sensitivityCmd `cmd:"" help:"How far a fit depends on its priors and its likelihood: power-scaling."`
	Update      updateCmd      `cmd:"" help:"Take a fit to other data, such as with observations added, without sampling again where that can be."`
	Prior       priorCmd       `cmd:"" help:"What the priors of a model expect of data, and numbers in them by what somebody expects."`
	Profile     profileCmd     `cmd:"" help:"What each statement of a model costs, and how to write it faster."`
	Compare     compareCmd     `cmd:"" help:"Compare models of the same data: evidence and leave-one-out prediction."`
	Loo         looCmd         `cmd:"" help:"Compare how well fits predict: PSIS-LOO and WAIC."`
	Columns     columnsCmd     `cmd:"" help:"Write a table as a file of columns, for data that are larger than memory."`
	Check       checkCmd       `cmd:"" help:"Parse and check models, with or without data."`
	Repl        replCmd        `cmd:"" help:"Work with a model interactively."`
	Kernel      kernelCmd      `cmd:"" help:"Work with a model in Jupyter's notebooks."`
	Play        playCmd        `cmd:"" help:"Serve the playground, where models are fitted in the browser."`
	Fmt         fmtCmd         `cmd:"" help:"Lay models out in the canonical way."`
	Lsp         lspCmd         `cmd:"" help:"Serve an editor: problems, completion, explanations, renaming."`
	Simulate    simulateCmd    `cmd:"" help:"Draw a data set, and the parameters it came from."`
	Density     densityCmd     `cmd:"" help:"Log density and gradient at given points."`
	Summary     summaryCmd     `cmd:"" help:"Summarise the draws of an earlier fit."`
	Verify      verifyCmd      `cmd:"" help:"Say whether the files of a fit are as they were written."`
	Plot        plotCmd        `cmd:"" help:"Draw pictures of a fit or of verdicts."`
	Report      reportCmd      `cmd:"" help:"Write one page about a fit or verdicts."`
	Functions   functionsCmd   `cmd:"" help:"List the functions and distributions of the library."`
	Cmdstan     cmdstanCmd     `cmd:"" help:"Lay out a folder that programs take for CmdStan."`
	Bridgestan  bridgestanCmd  `cmd:"" help:"Make a shared library of a model with the C interface of BridgeStan."`
	Completion  completionCmd  `cmd:"" help:"Print a script that completes commands and flags in a shell."`
	Version     versionCmd     `cmd:"" help:"Version, commit and Go version."`
	Help        helpCmd        `cmd:"" help:"Explain a command, a method, a finding or a function."`

	Unit        unitCmd        `cmd:"" hidden:""`
	CmdstanTool cmdstanToolCmd `cmd:"" name:"cmdstan-tool" hidden:"" passthrough:""`
}

// helpCmd is another way to write COMMAND --help, and explains what has no command.
type helpCmd struct {
	Command []string `arg:"" optional:"" name:"topic" help:"Command, method, wrapper, finding, function or distribution to explain."`
	Man     bool     `help:"The manual page of ppl, or of a command, for the program man: ppl help --man run | man -l -."`
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

// modelFlags are the flags of commands that read a model with its data.
type modelFlags struct {
	Data string `placeholder:"FILE" help:"Data as JSON, or as a table (.csv, .tsv, .parquet, .arrow, .columns); several files with commas between them; - is JSON from standard input. Without it, NAME.json beside NAME.ppl is read if it is there."`
	imputeFlag
	sourceFlags
}

// imputeFlag has missing elements of data made parameters.
type imputeFlag struct {
	Impute []string `placeholder:"NAME" help:"A data variable of which elements may be missing (null, NaN, NA or an empty cell): they become parameters; with commas or repeated."`
}

// includeFlags say where the files of #include are.
type includeFlags struct {
	Include     []string `placeholder:"DIR" help:"Folder in which included files are looked for; may be repeated."`
	IncludeRoot string   `placeholder:"DIR" help:"Folder that included files must lie in, links followed, unless they lie in one of --include: for models of strangers."`

	given *givenProgram // in the place of files; nil: there is none
}

// A givenProgram is the text of a program that another machine has read.
type givenProgram struct {
	name, text string
	included   []*source.File
}

// options are those of the compiler.
func (f *includeFlags) options() (lang.Options, error) {
	if f.IncludeRoot != "" {
		if info, err := os.Stat(f.IncludeRoot); err != nil || !info.IsDir() {
			return lang.Options{}, frame.Wrongf("--include-root: %s is no folder", f.IncludeRoot)
		}
	}
	return lang.Options{Include: f.Include, IncludeRoot: f.IncludeRoot}, nil
}

// compileModel reads a model from a file, or from standard input where path is "-".
func compileModel(a *frame.App, path string, from *includeFlags) (*lang.Program, error) {
	if g := from.given; g != nil {
		return lang.Compile(g.name, g.text, lang.Options{Included: g.included})
	}
	o, err := from.options()
	if err != nil {
		return nil, err
	}
	if path != "-" {
		return lang.CompileFile(path, o)
	}
	if a.StdinTaken {
		return nil, errStdinTwice
	}
	a.StdinTaken = true
	text, err := lang.ReadSource(a.Stdin)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", stdinName, err)
	}
	p, err := lang.Compile(stdinName, text, o)
	p.Name = "model"
	return p, err
}

// sourceFlags are the flags of commands that read a model.
type sourceFlags struct {
	includeFlags
	Seed  *uint64 `placeholder:"N" help:"Seed of all random numbers. Where draws depend on it and it is not given, one is drawn and shown."`
	Quiet bool    `short:"q" help:"No progress and no remarks on standard error; errors only."`
}

// engineFlags are the flags of commands that evaluate the density over and over.
type engineFlags struct {
	NoJIT  bool `name:"no-jit" help:"Make no machine code. Results are the same to the last bit, but take longer."`
	Divide bool `help:"Let idle cores take over parts of large calls of reduce_sum and map_rect: for fewer chains than cores. Last digits differ from those without it."`
	disableFlag
}

// disableFlag is for those who look for the optimisation at fault, or want effects sampled as they wrote them.
type disableFlag struct {
	Disable []string `placeholder:"NAME" help:"Leave an optimisation out; may be repeated. centring has effects sampled as they are written; a name that there is not lists all."`
}

// options are those of a model with random transformed data of the seed.
func (f *engineFlags) options(seed uint64) lang.BindOptions {
	return lang.BindOptions{Seed: seed, WithoutNative: f.NoJIT, Divide: f.Divide, Without: f.Disable}
}

// compile reads a model and shows its warnings.
func (f *sourceFlags) compile(a *frame.App, path string) (*lang.Program, error) {
	p, err := compileModel(a, path, &f.includeFlags)
	if err != nil {
		return nil, frame.Wrong(frame.PlainPath(err))
	}
	if !f.Quiet {
		a.Warn(p.Problems())
	}
	return p, nil
}

// stdinName is what messages call the model or the data of standard input.
const stdinName = "standard input"

// errStdinTwice is the error of a second "-" on the command line.
var errStdinTwice = errors.New(`standard input can be one model or the data of one, found "-" twice`)

// A dataSource is where the data come from.
type dataSource struct {
	path string // empty: there are none; "-": standard input
	text []byte // of standard input

	quiet  bool          // no remarks on what tables imply
	impute []string      // variables of which elements may be missing
	fit    *draws.Source // data of the fit that these go with; nil: none
}

// dataSource is the file of the flag, or the one beside the model.
func (f *modelFlags) dataSource(a *frame.App, p *lang.Program, model string) *dataSource {
	if f.Data != "" || !p.NeedsData() || f.given != nil {
		return &dataSource{path: f.Data, quiet: f.Quiet, impute: f.Impute}
	}
	beside := strings.TrimSuffix(model, filepath.Ext(model)) + ".json"
	if _, err := os.Stat(beside); err != nil {
		return &dataSource{}
	}
	if !f.Quiet {
		a.Say("data: %s", beside)
	}
	return &dataSource{path: beside, impute: f.Impute}
}

// read reads the variables that the program declares.
func (d *dataSource) read(a *frame.App, p *lang.Program) (*data.Set, error) {
	switch d.path {
	case "":
		return &data.Set{}, nil
	case "-":
		if a.StdinTaken {
			return nil, frame.Wrong(errStdinTwice)
		}
		a.StdinTaken = true
		if f, ok := a.Stdin.(*os.File); ok && repl.Width(f) > 0 {
			a.Say("data: standard input; Ctrl-D in a line of its own ends them")
		}
		s, text, err := data.ReadOnce(a.Stdin, stdinName, p.WantsData)
		d.text = text
		return dataRead(a, s, err)
	}
	if info, err := os.Stat(d.path); err == nil && !info.Mode().IsRegular() && !info.IsDir() { // it can be read once
		return d.readOnce(a, p)
	}
	s, err := p.ReadDataFile(d.path, tables.Formats()...)
	s, err = dataRead(a, s, err)
	if err != nil {
		return nil, err
	}
	if err := d.sameGroups(s); err != nil {
		return nil, err
	}
	if !d.quiet {
		for _, r := range s.Remarks {
			a.Say("data: %s", r)
		}
	}
	return s, nil
}

// readOnce reads JSON from what is no file, such as a pipe, and keeps the text for its digest.
func (d *dataSource) readOnce(a *frame.App, p *lang.Program) (*data.Set, error) {
	if data.HoldTable(d.path, tables.Formats()...) {
		return nil, frame.Wrongf("%s: a table must be a file; this is a pipe or a device", d.path)
	}
	f, err := os.Open(d.path)
	if err != nil {
		return nil, frame.Wrong(frame.PlainPath(err))
	}
	defer f.Close()
	s, text, err := data.ReadOnce(f, d.path, p.WantsData)
	d.text = text
	return dataRead(a, s, err)
}

// sameGroups refuses texts in another table than a fit's, which may number groups in another way.
func (d *dataSource) sameGroups(s *data.Set) error {
	if d.fit == nil {
		return nil
	}
	for _, v := range s.Vars {
		if v.Levels == nil {
			continue
		}
		if here, err := folders.Digest(d.path); err != nil || !folders.SameSource(here, d.fit) {
			return errors.Join(err, frame.Wrongf("%s: the groups of %s are texts, which another table than the fit's (%s) may number in another way; write their numbers", d.path, v.Name, folders.Shown(d.fit)))
		}
	}
	return nil
}

// dataRead is a data set that was read, with a remark on what it could not hold.
func dataRead(a *frame.App, s *data.Set, err error) (*data.Set, error) {
	if err != nil {
		return nil, frame.Wrong(frame.PlainPath(err))
	}
	if first := s.First; s.Vanished > 0 {
		a.Say("%s:%d:%d: warning: %s: %s is too small for a number and is read as 0%s", s.File, first.Pos.Line, first.Pos.Column, first.Variable, first.Text, others(s.Vanished-1))
	}
	return s, nil
}

// others says how many more there are like the one named.
func others(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return ", and so is 1 other"
	}
	return fmt.Sprintf(", and so are %d others", n)
}

// digest identifies the data; nil where there are none.
func (d *dataSource) digest() (*draws.Source, error) {
	switch d.path {
	case "":
		return nil, nil
	case "-":
		return folders.DigestOf(stdinName, d.text), nil
	}
	if d.text != nil {
		return folders.DigestOf(d.path, d.text), nil
	}
	return folders.Digest(d.path)
}

// misnamed reports that --impute names what is no data variable.
func misnamed(err error) bool {
	var unknown *bind.ImputeError
	return errors.As(err, &unknown)
}

// bindModel reads the data and joins them with the program, until ctx ends.
func bindModel(ctx context.Context, a *frame.App, p *lang.Program, from *dataSource, o lang.BindOptions) (*lang.Model, error) {
	in, err := frame.WhileWaiting(ctx, func() (*data.Set, error) { return from.read(a, p) })
	if err != nil {
		return nil, err
	}
	o.Print, o.Impute = a.Print, from.impute
	m, err := frame.WhileWaiting(ctx, func() (*lang.Model, error) { return p.BindContext(ctx, in, o) })
	var misfit *lang.DataError
	switch {
	case misnamed(err):
		return nil, frame.Wrongf("--impute: %w", err)
	case err != nil && ctx.Err() != nil:
		return nil, frame.EndedEarly(ctx)
	case errors.As(err, &misfit) && from.path == "":
		return nil, &frame.Exit{Code: frame.ExitWrongInput, Err: err, Help: "no data were given: use --data FILE, or put them in NAME.json beside NAME.ppl"}
	case err != nil:
		return nil, frame.Wrong(err)
	}
	bind.Within(ctx, m.Bound())
	return m, nil
}

// drawnSeed is a seed for who gives none: one that other programs take, too.
func drawnSeed() uint64 { return 1 + uint64(rand.Uint32N(1<<31-1)) }

// seedOr is the seed of the flag, or else another.
func (f *sourceFlags) seedOr(other uint64) uint64 {
	if f.Seed != nil {
		return *f.Seed
	}
	return other
}
