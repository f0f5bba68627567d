// Package input reads the models and data that commands are given.
package input

// This file declares the flags for them that commands share, and reads what they name.

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/folders"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/system"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/tables"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// ModelFlags are the flags of commands that read a model with its data.
type ModelFlags struct {
	Data string `placeholder:"FILE" help:"Data as JSON, or as a table (.csv, .tsv, .parquet, .arrow, .columns); several files with commas between them; - is JSON from standard input. Without it, NAME.json beside NAME.ppl is read if it is there."`
	ImputeFlag
	SourceFlags
}

// ImputeFlag has missing elements of data made parameters.
type ImputeFlag struct {
	Impute []string `placeholder:"NAME" help:"A data variable of which elements may be missing (null, NaN, NA or an empty cell): they become parameters; with commas or repeated."`
}

// IncludeFlags say where the files of #include are.
type IncludeFlags struct {
	Include     []string `placeholder:"DIR" help:"Folder in which included files are looked for; may be repeated."`
	IncludeRoot string   `placeholder:"DIR" help:"Folder that included files must lie in, links followed, unless they lie in one of --include: for models of strangers."`

	Given *GivenProgram `kong:"-"` // in the place of files; nil: there is none
}

// A GivenProgram is the text of a program that another machine has read.
type GivenProgram struct {
	Name, Text string
	Included   []*source.File
}

// Options are those of the compiler.
func (f *IncludeFlags) Options() (lang.Options, error) {
	if f.IncludeRoot != "" {
		if info, err := os.Stat(f.IncludeRoot); err != nil || !info.IsDir() {
			return lang.Options{}, frame.Wrongf("--include-root: %s is no folder", f.IncludeRoot)
		}
	}
	return lang.Options{Include: f.Include, IncludeRoot: f.IncludeRoot}, nil
}

// CompileModel reads a model from a file, or from standard input where path is "-".
func CompileModel(a *frame.App, path string, from *IncludeFlags) (*lang.Program, error) {
	if g := from.Given; g != nil {
		return lang.Compile(g.Name, g.Text, lang.Options{Included: g.Included})
	}
	o, err := from.Options()
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
		return nil, fmt.Errorf("%s: %w", StdinName, err)
	}
	p, err := lang.Compile(StdinName, text, o)
	p.Name = "model"
	return p, err
}

// SourceFlags are the flags of commands that read a model.
type SourceFlags struct {
	IncludeFlags
	Seed  *uint64 `placeholder:"N" help:"Seed of all random numbers. Where draws depend on it and it is not given, one is drawn and shown."`
	Quiet bool    `short:"q" help:"No progress and no remarks on standard error; errors only."`
}

// EngineFlags are the flags of commands that evaluate the density over and over.
type EngineFlags struct {
	NoJIT  bool `name:"no-jit" help:"Make no machine code. Results are the same to the last bit, but take longer."`
	Divide bool `help:"Let idle cores take over parts of statements over many rows of data, and of large calls of reduce_sum and map_rect: for fewer chains than cores. Last digits differ from those without it."`
	DisableFlag
}

// DisableFlag is for those who look for the optimisation at fault, or want effects sampled as they wrote them.
type DisableFlag struct {
	Disable []string `placeholder:"NAME" help:"Leave an optimisation out; may be repeated. centring has effects sampled as they are written; a name that there is not lists all."`
}

// Options are those of a model with random transformed data of the seed.
func (f *EngineFlags) Options(seed uint64) lang.BindOptions {
	return lang.BindOptions{Seed: seed, WithoutNative: f.NoJIT, Divide: f.Divide, Without: f.Disable}
}

// Compile reads a model and shows its warnings.
func (f *SourceFlags) Compile(a *frame.App, path string) (*lang.Program, error) {
	p, err := CompileModel(a, path, &f.IncludeFlags)
	if err != nil {
		return nil, frame.Wrong(frame.PlainPath(err))
	}
	if !f.Quiet {
		a.Warn(p.Problems())
	}
	return p, nil
}

// StdinName is what messages call the model or the data of standard input.
const StdinName = "standard input"

// errStdinTwice is the error of a second "-" on the command line.
var errStdinTwice = errors.New(`standard input can be one model or the data of one, found "-" twice`)

// A DataSource is where the data come from.
type DataSource struct {
	Path string // empty: there are none; "-": standard input
	Text []byte // of standard input

	Quiet  bool          // no remarks on what tables imply
	Impute []string      // variables of which elements may be missing
	Fit    *draws.Source // data of the fit that these go with; nil: none
}

// DataSource is the file of the flag, or the one beside the model.
func (f *ModelFlags) DataSource(a *frame.App, p *lang.Program, model string) *DataSource {
	if f.Data != "" || !p.NeedsData() || f.Given != nil {
		return &DataSource{Path: f.Data, Quiet: f.Quiet, Impute: f.Impute}
	}
	beside := strings.TrimSuffix(model, filepath.Ext(model)) + ".json"
	if _, err := os.Stat(beside); err != nil {
		return &DataSource{}
	}
	if !f.Quiet {
		a.Say("data: %s", beside)
	}
	return &DataSource{Path: beside, Impute: f.Impute}
}

// Read reads the variables that the program declares.
func (d *DataSource) Read(a *frame.App, p *lang.Program) (*data.Set, error) {
	switch d.Path {
	case "":
		return &data.Set{}, nil
	case "-":
		if a.StdinTaken {
			return nil, frame.Wrong(errStdinTwice)
		}
		a.StdinTaken = true
		if f, ok := a.Stdin.(*os.File); ok && system.Width(f) > 0 {
			a.Say("data: standard input; Ctrl-D in a line of its own ends them")
		}
		s, text, err := data.ReadOnce(a.Stdin, StdinName, p.WantsData)
		d.Text = text
		return dataRead(a, s, err)
	}
	if info, err := os.Stat(d.Path); err == nil && !info.Mode().IsRegular() && !info.IsDir() { // it can be read once
		return d.readOnce(a, p)
	}
	s, err := p.ReadDataFile(d.Path, tables.Formats()...)
	s, err = dataRead(a, s, err)
	if err != nil {
		return nil, err
	}
	if err := d.sameGroups(s); err != nil {
		return nil, err
	}
	if !d.Quiet {
		for _, r := range s.Remarks {
			a.Say("data: %s", r)
		}
	}
	return s, nil
}

// readOnce reads JSON from what is no file, such as a pipe, and keeps the text for its digest.
func (d *DataSource) readOnce(a *frame.App, p *lang.Program) (*data.Set, error) {
	if data.HoldTable(d.Path, tables.Formats()...) {
		return nil, frame.Wrongf("%s: a table must be a file; this is a pipe or a device", d.Path)
	}
	f, err := os.Open(d.Path)
	if err != nil {
		return nil, frame.Wrong(frame.PlainPath(err))
	}
	defer f.Close()
	s, text, err := data.ReadOnce(f, d.Path, p.WantsData)
	d.Text = text
	return dataRead(a, s, err)
}

// sameGroups refuses texts in another table than a fit's, which may number groups in another way.
func (d *DataSource) sameGroups(s *data.Set) error {
	if d.Fit == nil {
		return nil
	}
	for _, v := range s.Vars {
		if v.Levels == nil {
			continue
		}
		if here, err := folders.Digest(d.Path); err != nil || !folders.SameSource(here, d.Fit) {
			return errors.Join(err, frame.Wrongf("%s: the groups of %s are texts, which another table than the fit's (%s) may number in another way; write their numbers", d.Path, v.Name, folders.Shown(d.Fit)))
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

// Digest identifies the data; nil where there are none.
func (d *DataSource) Digest() (*draws.Source, error) {
	switch d.Path {
	case "":
		return nil, nil
	case "-":
		return folders.DigestOf(StdinName, d.Text), nil
	}
	if d.Text != nil {
		return folders.DigestOf(d.Path, d.Text), nil
	}
	return folders.Digest(d.Path)
}

// Misnamed reports that --impute names what is no data variable.
func Misnamed(err error) bool {
	var unknown *bind.ImputeError
	return errors.As(err, &unknown)
}

// BindModel reads the data and joins them with the program, until ctx ends.
func BindModel(ctx context.Context, a *frame.App, p *lang.Program, from *DataSource, o lang.BindOptions) (*lang.Model, error) {
	in, err := frame.WhileWaiting(ctx, func() (*data.Set, error) { return from.Read(a, p) })
	if err != nil {
		return nil, err
	}
	o.Print, o.Impute = a.Print, from.Impute
	m, err := frame.WhileWaiting(ctx, func() (*lang.Model, error) { return p.BindContext(ctx, in, o) })
	var misfit *lang.DataError
	switch {
	case Misnamed(err):
		return nil, frame.Wrongf("--impute: %w", err)
	case err != nil && ctx.Err() != nil:
		return nil, frame.EndedEarly(ctx)
	case errors.As(err, &misfit) && from.Path == "":
		return nil, &frame.Exit{Code: frame.ExitWrongInput, Err: err, Help: "no data were given: use --data FILE, or put them in NAME.json beside NAME.ppl"}
	case err != nil:
		return nil, frame.Wrong(err)
	}
	bind.Within(ctx, m.Bound())
	return m, nil
}

// DrawnSeed is a seed for who gives none: one that other programs take, too.
func DrawnSeed() uint64 { return 1 + uint64(rand.Uint32N(1<<31-1)) }

// SeedOr is the seed of the flag, or else another.
func (f *SourceFlags) SeedOr(other uint64) uint64 {
	if f.Seed != nil {
		return *f.Seed
	}
	return other
}

// ReadPoints reads a file with one point, or an array of points.
func ReadPoints(path string) ([]*data.Set, error) {
	sets, err := data.ReadAllFile(path, nil)
	if err != nil {
		return nil, frame.Wrong(frame.PlainPath(err))
	}
	return sets, nil
}
