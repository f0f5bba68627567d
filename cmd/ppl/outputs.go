package main

// This file writes what commands are asked for beside the CSV files: a selection of
// variables, and other formats.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/folders"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/system"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/lang"
)

// variableFlag selects variables.
type variableFlag struct {
	Variables []string `type:"names" placeholder:"NAME,..." help:"Variables, or parts of them such as 'theta[3]', that are shown and, where files are written, kept, so that ppl loo, generate and simulate find these alone; all without it."`
}

// outputFlags say what is written beside the CSV files.
type outputFlags struct {
	variableFlag
	Format     []string `placeholder:"csv|parquet|zarr" help:"Further files of the draws in --out DIR: draws.parquet, or draws.zarr with ArviZ's groups; may be repeated. CSV files are always written."`
	Predictive bool     `help:"Add draws from the prior, and data sets from the prior and the posterior predictive distribution, to the Zarr store; for models that can be simulated from."`
	LogPrior   bool     `name:"lprior" help:"Add the log prior density of each draw to the Zarr store, as the variable lprior."`
	LogLik     string   `placeholder:"NAME" default:"log_lik" help:"Variable with the log density of each observation: the group log_likelihood of the Zarr store; log_lik without it."`
}

// formats are the names that --format takes.
var formats = []string{"csv", "parquet", "zarr"}

// defaultLogLik is the default of --log-lik.
const defaultLogLik = "log_lik"

// priorDraws is how many draws the prior's groups of the Zarr store have.
const priorDraws = 1000

// validate refuses flags that go together with nothing.
func (f *outputFlags) validate(out string) error {
	for _, format := range f.Format {
		if !slices.Contains(formats, format) {
			return frame.Wrongf("--format %s: there is no such format; there are csv, parquet and zarr", format)
		}
	}
	switch {
	case len(f.Format) > 0 && out == "":
		return frame.Wrongf("--format needs --out DIR: the folder that the files go to")
	case f.Predictive && !f.wants("zarr"):
		return frame.Wrongf("--predictive needs --format zarr: the store that holds the data sets; ppl simulate prints them")
	case f.LogPrior && !f.wants("zarr"):
		return frame.Wrongf("--lprior needs --format zarr: the store that holds the variable")
	case f.LogLik != defaultLogLik && !f.wants("zarr"):
		return frame.Wrongf("--log-lik needs --format zarr: the store that has a group for it")
	}
	return nil
}

// check reports whether the variables that are named are among columns.
func (f *outputFlags) check(columns []string) error {
	if err := f.variableFlag.check(columns); err != nil {
		return err
	}
	if f.LogLik == defaultLogLik {
		return nil // it need not be there
	}
	if _, err := draws.Select(columns, []string{f.LogLik}); err != nil {
		return frame.Wrongf("--log-lik: %w", err)
	}
	return nil
}

func (f *outputFlags) wants(format string) bool { return slices.Contains(f.Format, format) }

// check reports whether the variables are among columns.
func (f *variableFlag) check(columns []string) error {
	if _, err := draws.Select(columns, f.Variables); err != nil {
		return frame.Wrongf("--variables: %w", err)
	}
	return nil
}

// selects reports whether a variable is shown. Columns with two underscores at the end are
// no variables, and are shown unless they are all that is asked for.
func (f *variableFlag) selects(column string) bool {
	return len(f.Variables) == 0 || strings.HasSuffix(column, "__") ||
		slices.ContainsFunc(f.Variables, func(name string) bool { return draws.Selects(name, column) })
}

// rows are the rows of a table that are shown.
func (f *variableFlag) rows(all []draws.Summary) []draws.Summary {
	if len(f.Variables) == 0 {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(s draws.Summary) bool { return !f.selects(s.Name) })
}

// A selection is an observer that sees the selected columns alone.
type selection struct {
	infer.Observer
	names []string
	at    []int
}

// kept is o for the selected variables.
func (f *variableFlag) kept(o infer.Observer) infer.Observer {
	if len(f.Variables) == 0 {
		return o
	}
	return &selection{Observer: o, names: f.Variables}
}

// Begin implements infer.Observer.
func (s *selection) Begin(p draws.Plan) error {
	var err error
	if s.at, err = draws.Select(p.Columns, s.names); err != nil {
		return err
	}
	p.Columns = draws.Picked(p.Columns, s.at)
	return s.Observer.Begin(p)
}

// Draw implements infer.Observer.
func (s *selection) Draw(r draws.Row) error {
	r.Values = draws.Picked(r.Values, s.at)
	return s.Observer.Draw(r)
}

// A warmupTable keeps the draws of warm-up, which a fit does not.
type warmupTable struct {
	infer.Ignore
	table *draws.Draws
}

// Begin implements infer.Observer.
func (w *warmupTable) Begin(p draws.Plan) error {
	if p.SaveWarmup {
		w.table = draws.New(p.Chains, p.Stats, p.Columns)
	}
	return nil
}

// Draw implements infer.Observer. Each chain has its own part of the table.
func (w *warmupTable) Draw(r draws.Row) error {
	if w.table != nil && r.Warmup {
		w.table.Append(r)
	}
	return nil
}

// orProcessors is the number of jobs, or that of processors where it is 0.
func orProcessors(jobs int) int {
	if jobs == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return jobs
}

// An export is a table of draws on its way to files.
type export struct {
	*outputFlags
	app    *frame.App
	quiet  bool
	model  *lang.Model
	draws  *draws.Draws // with all variables
	warmup *draws.Draws // nil: none
	fit    *draws.Draws // with the parameters; nil: draws has them
	seed   uint64
	jobs   int
	notes  map[string]string // what the files say of themselves
}

// write writes the formats that were asked for.
func (e *export) write(ctx context.Context, dir string) error {
	if !e.wants("parquet") && !e.wants("zarr") {
		return nil
	}
	kept, err := e.draws.Only(e.Variables)
	if err != nil {
		return err
	}
	var warmup *draws.Draws
	if e.warmup != nil && e.warmup.Total() > 0 {
		if warmup, err = e.warmup.Only(e.Variables); err != nil {
			return err
		}
	}
	if e.wants("parquet") {
		err := folders.WriteFile(e.app.Disk, filepath.Join(dir, parquetFile), func(w io.Writer) error {
			return writeParquet(w, kept, warmup, e.model.Program.WholeNumbers, e.notes)
		})
		if err != nil {
			return err
		}
	}
	if !e.wants("zarr") {
		return nil
	}
	d := &inferenceData{posterior: kept, warmup: warmup, logLik: e.LogLik, densityOf: e.model.Program.DensitiesOf(e.LogLik), whole: e.model.Program.WholeNumbers, attributes: map[string]any{}}
	for k, v := range e.notes {
		d.attributes[k] = v
	}
	d.observed.columns, d.observed.values = e.model.Observed()
	d.constant.columns, d.constant.values = e.model.Constant()
	if e.LogPrior {
		from := e.fit
		if from == nil {
			from = e.draws
		}
		if d.logPrior, err = e.model.LogPriors(ctx, from, e.jobs); err != nil {
			return err
		}
	}
	if e.Predictive {
		if err := e.predict(ctx, d); err != nil {
			return err
		}
	}
	return d.write(filepath.Join(dir, zarrStore))
}

// predict fills in the groups of simulated draws, as far as the model gives them.
func (e *export) predict(ctx context.Context, d *inferenceData) error {
	var err error
	from := e.fit
	if from == nil {
		from = e.draws
	}
	d.posteriorPredictive, err = e.model.Predict(ctx, from, lang.GenerateOptions{Seed: e.seed, Jobs: e.jobs})
	e.without(ctx, "posterior_predictive", err)
	var prior *draws.Draws
	prior, d.priorPredictive, err = e.model.PriorPredict(ctx, priorDraws, e.seed)
	if e.without(ctx, "prior and prior_predictive", err); prior == nil {
		return nil
	}
	d.prior, err = prior.Only(e.Variables)
	return err
}

// without reports which groups are missing from the store, and why: data that cannot be simulated, such as counts with
// a mean beyond the integers where a prior is wide, are no reason to lose the fit.
func (e *export) without(ctx context.Context, groups string, err error) {
	if err == nil || e.quiet {
		return
	}
	if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
		err = errors.New("the run was stopped")
	}
	e.app.Say("%s has no %s: %v", zarrStore, groups, err)
}

// unwritable is the error of a file that a command was to write: at out, or where it goes
// without that flag, which help is about.
func unwritable(err error, out, help string) error {
	var p *fs.PathError
	if !errors.As(err, &p) {
		return err
	}
	e := &frame.Exit{Code: frame.ExitWrongInput, Err: fmt.Errorf("%s: %w", strings.TrimSuffix(p.Path, ".new"), p.Err)}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.Err = fmt.Errorf("%s: there is no such folder", filepath.Dir(p.Path))
	case errors.Is(err, syscall.ENOSPC), system.TooLarge(err):
		e.Code = frame.ExitFailed
	}
	if out == "" {
		e.Help = help
	}
	return e
}

// notesOf are what files say of themselves: nothing that differs between equal runs.
func notesOf(model, method string, seed uint64) map[string]string {
	return map[string]string{
		"inference_library": "ppl", "inference_library_version": frame.Version, "model": model, "method": method, "seed": fmt.Sprint(seed),
	}
}
