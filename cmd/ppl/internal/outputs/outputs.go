// Package outputs writes draws for other programs: which variables, as which files, and the groups that ArviZ reads.
package outputs

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

// VariableFlag selects variables.
type VariableFlag struct {
	Variables []string `type:"names" placeholder:"NAME,..." help:"Variables, or parts of them such as 'theta[3]', that are shown and, where files are written, kept, so that ppl loo, generate and simulate find these alone; all without it."`
}

// OutputFlags say what is written beside the CSV files.
type OutputFlags struct {
	VariableFlag
	Format     []string `placeholder:"csv|parquet|zarr" help:"Further files of the draws in --out DIR: draws.parquet, or draws.zarr with ArviZ's groups; may be repeated. CSV files are always written."`
	Predictive bool     `help:"Add draws from the prior, and data sets from the prior and the posterior predictive distribution, to the Zarr store; for models that can be simulated from."`
	LogPrior   bool     `name:"lprior" help:"Add the log prior density of each draw to the Zarr store, as the variable lprior."`
	LogLik     string   `placeholder:"NAME" default:"log_lik" help:"Variable with the log density of each observation: the group log_likelihood of the Zarr store; log_lik without it."`
}

// Formats are the names that --format takes.
var Formats = []string{"csv", "parquet", "zarr"}

// DefaultLogLik is the default of --log-lik.
const DefaultLogLik = "log_lik"

// priorDraws is how many draws the prior's groups of the Zarr store have.
const priorDraws = 1000

// Validate refuses flags that go together with nothing.
func (f *OutputFlags) Validate(out string) error {
	for _, format := range f.Format {
		if !slices.Contains(Formats, format) {
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
	case f.LogLik != DefaultLogLik && !f.wants("zarr"):
		return frame.Wrongf("--log-lik needs --format zarr: the store that has a group for it")
	}
	return nil
}

// Check reports whether the variables that are named are among columns.
func (f *OutputFlags) Check(columns []string) error {
	if err := f.VariableFlag.Check(columns); err != nil {
		return err
	}
	if f.LogLik == DefaultLogLik {
		return nil // it need not be there
	}
	if _, err := draws.Select(columns, []string{f.LogLik}); err != nil {
		return frame.Wrongf("--log-lik: %w", err)
	}
	return nil
}

func (f *OutputFlags) wants(format string) bool { return slices.Contains(f.Format, format) }

// Check reports whether the variables are among columns.
func (f *VariableFlag) Check(columns []string) error {
	if _, err := draws.Select(columns, f.Variables); err != nil {
		return frame.Wrongf("--variables: %w", err)
	}
	return nil
}

// selects reports whether a variable is shown. Columns with two underscores at the end are
// no variables, and are shown unless they are all that is asked for.
func (f *VariableFlag) selects(column string) bool {
	return len(f.Variables) == 0 || strings.HasSuffix(column, "__") ||
		slices.ContainsFunc(f.Variables, func(name string) bool { return draws.Selects(name, column) })
}

// Rows are the rows of a table that are shown.
func (f *VariableFlag) Rows(all []draws.Summary) []draws.Summary {
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

// Kept is o for the selected variables.
func (f *VariableFlag) Kept(o infer.Observer) infer.Observer {
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

// A WarmupTable keeps the draws of warm-up, which a fit does not.
type WarmupTable struct {
	infer.Ignore
	Table *draws.Draws
}

// Begin implements infer.Observer.
func (w *WarmupTable) Begin(p draws.Plan) error {
	if p.SaveWarmup {
		w.Table = draws.New(p.Chains, p.Stats, p.Columns)
	}
	return nil
}

// Draw implements infer.Observer. Each chain has its own part of the table.
func (w *WarmupTable) Draw(r draws.Row) error {
	if w.Table != nil && r.Warmup {
		w.Table.Append(r)
	}
	return nil
}

// OrProcessors is the number of jobs, or that of processors where it is 0.
func OrProcessors(jobs int) int {
	if jobs == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return jobs
}

// An Export is a table of draws on its way to files.
type Export struct {
	*OutputFlags
	App    *frame.App
	Quiet  bool
	Model  *lang.Model
	Draws  *draws.Draws // with all variables
	Warmup *draws.Draws // nil: none
	Fit    *draws.Draws // with the parameters; nil: draws has them
	Seed   uint64
	Jobs   int
	Notes  map[string]string // what the files say of themselves
}

// Write writes the formats that were asked for.
func (e *Export) Write(ctx context.Context, dir string) error {
	if !e.wants("parquet") && !e.wants("zarr") {
		return nil
	}
	kept, err := e.Draws.Only(e.Variables)
	if err != nil {
		return err
	}
	var warmup *draws.Draws
	if e.Warmup != nil && e.Warmup.Total() > 0 {
		if warmup, err = e.Warmup.Only(e.Variables); err != nil {
			return err
		}
	}
	if e.wants("parquet") {
		err := folders.WriteFile(e.App.Disk, filepath.Join(dir, parquetFile), func(w io.Writer) error {
			return WriteParquet(w, kept, warmup, e.Model.Program.WholeNumbers, e.Notes)
		})
		if err != nil {
			return err
		}
	}
	if !e.wants("zarr") {
		return nil
	}
	d := &inferenceData{posterior: kept, warmup: warmup, logLik: e.LogLik, densityOf: e.Model.Program.DensitiesOf(e.LogLik), whole: e.Model.Program.WholeNumbers, attributes: map[string]any{}}
	for k, v := range e.Notes {
		d.attributes[k] = v
	}
	d.observed.columns, d.observed.values = e.Model.Observed()
	d.constant.columns, d.constant.values = e.Model.Constant()
	if e.LogPrior {
		from := e.Fit
		if from == nil {
			from = e.Draws
		}
		if d.logPrior, err = e.Model.LogPriors(ctx, from, e.Jobs); err != nil {
			return err
		}
	}
	if e.Predictive {
		if err := e.predict(ctx, d); err != nil {
			return err
		}
	}
	return d.write(filepath.Join(dir, ZarrStore))
}

// predict fills in the groups of simulated draws, as far as the model gives them.
func (e *Export) predict(ctx context.Context, d *inferenceData) error {
	var err error
	from := e.Fit
	if from == nil {
		from = e.Draws
	}
	d.posteriorPredictive, err = e.Model.Predict(ctx, from, lang.GenerateOptions{Seed: e.Seed, Jobs: e.Jobs})
	e.without(ctx, "posterior_predictive", err)
	var prior *draws.Draws
	prior, d.priorPredictive, err = e.Model.PriorPredict(ctx, priorDraws, e.Seed)
	if e.without(ctx, "prior and prior_predictive", err); prior == nil {
		return nil
	}
	d.prior, err = prior.Only(e.Variables)
	return err
}

// without reports which groups are missing from the store, and why: data that cannot be simulated, such as counts with
// a mean beyond the integers where a prior is wide, are no reason to lose the fit.
func (e *Export) without(ctx context.Context, groups string, err error) {
	if err == nil || e.Quiet {
		return
	}
	if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
		err = errors.New("the run was stopped")
	}
	e.App.Say("%s has no %s: %v", ZarrStore, groups, err)
}

// Unwritable is the error of a file that a command was to write: at out, or where it goes
// without that flag, which help is about.
func Unwritable(err error, out, help string) error {
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

// NotesOf are what files say of themselves: nothing that differs between equal runs.
func NotesOf(model, method string, seed uint64) map[string]string {
	return map[string]string{
		"inference_library": "ppl", "inference_library_version": frame.Version, "model": model, "method": method, "seed": fmt.Sprint(seed),
	}
}
