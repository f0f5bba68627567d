package main

// This file finds the model and the data that a fit was made from, by its record.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/folders"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/input"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/lang"
)

// fittedFlags are the flags of commands that ask a fit what its model must answer.
type fittedFlags struct {
	Model string `placeholder:"FILE" help:"File of the fit's model, where it is no longer where the fit was made from."`
	Data  string `placeholder:"FILE" help:"The fit's data, where they are no longer there."`
	input.IncludeFlags
	Quiet bool `short:"q" help:"No remarks on standard error."`
}

// A fittedModel is a fit with its model and data.
type fittedModel struct {
	*folders.EarlierFit
	program *lang.Program
	model   *lang.Model
	source  *input.DataSource
}

// fitted opens a fit, compiles its model and binds its data. Model and data must be
// those that the fit was made from.
func (f *fittedFlags) fitted(ctx context.Context, a *frame.App, dir string) (*fittedModel, error) {
	e, err := openFit(a, dir)
	if err != nil {
		return nil, err
	}
	if err := ofPosterior(e); err != nil {
		return nil, err
	}
	out := &fittedModel{EarlierFit: e}
	path := cmp.Or(f.Model, e.Run.Program.File)
	if err := stillThere(e, "model", path); err != nil {
		return nil, err
	}
	from := input.SourceFlags{IncludeFlags: f.IncludeFlags, Quiet: true}
	if out.program, err = from.Compile(a, path); err != nil {
		return nil, err
	}
	if here := folders.ModelDigest(path, out.program); !folders.SameSource(here, &e.Run.Program) {
		return nil, &frame.Exit{
			Code: frame.ExitWrongInput, Err: fmt.Errorf("%s: the fit is of another model\n  there: %s\n  here:  %s", dir, folders.Shown(&e.Run.Program), folders.Shown(here)),
			Help: "--model FILE names the file as it was; its inference block belongs to it",
		}
	}
	if out.source, err = f.fittedData(e); err != nil {
		return nil, err
	}
	out.model, err = input.BindModel(ctx, a, out.program, out.source, lang.BindOptions{Seed: e.Run.Seed})
	return out, err
}

// fittedData are the data of a fit, which must not have changed.
func (f *fittedFlags) fittedData(e *folders.EarlierFit) (*input.DataSource, error) {
	if e.Run.Data == nil && f.Data == "" {
		return &input.DataSource{}, nil
	}
	path := f.Data
	if path == "" {
		path = e.Run.Data.File
	}
	if err := stillThere(e, "data", path); err != nil {
		return nil, err
	}
	here, err := folders.Digest(path)
	if err != nil {
		return nil, frame.Wrong(frame.PlainPath(err))
	}
	if !folders.SameSource(here, e.Run.Data) {
		return nil, &frame.Exit{
			Code: frame.ExitWrongInput, Err: fmt.Errorf("%s: the fit is of another data set\n  there: %s\n  here:  %s", e.Dir, folders.Shown(e.Run.Data), folders.Shown(here)),
			Help: "--data FILE names the data as they were",
		}
	}
	return &input.DataSource{Path: path, Quiet: true, Impute: imputedIn(e.Run)}, nil
}

// imputedIn are the variables of which a fit has missing elements as parameters.
func imputedIn(run *draws.Run) []string {
	var out []string
	if run != nil {
		for _, element := range run.Imputed {
			name, _, _ := strings.Cut(element, "[")
			out = append(out, name)
		}
	}
	return slices.Compact(out)
}

// sameFolder reports whether two paths lead to one folder, by links, too.
func sameFolder(a, b string) bool {
	at, err := os.Stat(a)
	to, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(at, to)
}

// stillThere reports a file of the fit that cannot be found.
func stillThere(e *folders.EarlierFit, what, path string) error {
	missing := func(path string) bool {
		_, err := os.Stat(path)
		return errors.Is(err, fs.ErrNotExist)
	}
	if !slices.ContainsFunc(data.Files(path), missing) {
		return nil
	}
	return &frame.Exit{
		Code: frame.ExitWrongInput, Err: fmt.Errorf("%s: its %s came from %s, and there is no such file here", e.Dir, what, path),
		Help: fmt.Sprintf("--%s FILE names it", what),
	}
}

// openFit opens the one fit in a folder, which must have a record.
func openFit(a *frame.App, dir string) (*folders.EarlierFit, error) {
	dirs, err := folders.FitFolders(a, dir)
	if err != nil {
		return nil, frame.Wrong(frame.PlainPath(err))
	}
	if len(dirs) > 1 {
		return nil, frame.Wrongf("%s: there are several fits; choose one of %s", dir, strings.Join(dirs, ", "))
	}
	s, err := folders.OpenStored(a, dirs[0], false)
	if err != nil {
		return nil, err
	}
	switch {
	case s.Run == nil:
		return nil, frame.Wrongf("%s: there is no %s, so that model and data of the fit are not known", dirs[0], draws.RunFile)
	case s.Files.Draws.Total() == 0:
		return nil, frame.Wrongf("%s: the fit has no draws", dirs[0])
	}
	return &folders.EarlierFit{Dir: dirs[0], Draws: s.Files.Draws, Run: s.Run}, nil
}

// misfit adds to err, which may be of a fit whose draws are not of the model's parameters, what to do about that.
func misfit(dir string, err error) error {
	var mismatch *lang.MismatchError
	if !errors.As(err, &mismatch) {
		return err
	}
	help := "the fit must be of this model, with data of the same sizes"
	if mismatch.Missing {
		help = cmp.Or(lacking(dir), "the fit must have been run without --variables, or with all parameters among them")
	}
	return &frame.Exit{Code: frame.ExitWrongInput, Err: err, Help: help}
}

// ofPosterior reports draws that are not from the posterior of their model.
func ofPosterior(e *folders.EarlierFit) error {
	for _, other := range []string{"prior_swap(", "gibbs_prior("} {
		if strings.Contains(e.Run.Method, other) {
			return frame.Wrongf("%s: the fit is of %s...), so its draws are not from the posterior of the model; name the fit that it was made from", e.Dir, other)
		}
	}
	return nil
}
