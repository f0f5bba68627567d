package main

// This file collects the pictures of fits and verdicts, for ppl plot and ppl report.

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/folders"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/input"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/outputs"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/plots"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/stored"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/zarr"
	"github.com/seed-12b88e03/ppl/infer/disk"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/ir/data"
)

// A gallery is the pictures of one folder: of a fit, or of verdicts.
type gallery struct {
	dir      string
	sub      string // its name beside other galleries; empty for one alone
	figures  []*plots.Figure
	choice   plots.Choice      // of a fit's columns
	fit      *stored.StoredFit // nil: of verdicts only
	run      *draws.Run        // the fit's record; nil where there is none
	verdicts []*plots.Verdict  // of diagnosis.json

	replicated []string // variables of the fit that nobody looks at element by element
	data       []string // name and size of each variable of the data
}

// check finds what is wrong with the flags by themselves.
func (c *pictureFlags) check() error {
	if c.Most < 1 {
		return frame.Wrongf("--most must be at least 1")
	}
	for _, text := range c.Predictive {
		if _, _, ok := plots.ParsePair(text); !ok {
			return frame.Wrongf("--predictive %s: expected REP=DATA, such as y_rep=y", text)
		}
	}
	return nil
}

// gather reads folders and collects their pictures. Where there is to be none that compares
// with data, nothing is said of data.
func (c *pictureFlags) gather(a *frame.App, paths []string, quiet, predicts bool) ([]*gallery, error) {
	var out []*gallery
	var judged []*gallery
	if !strings.HasSuffix(paths[0], ".csv") {
		for _, dir := range paths {
			if err := folders.RecoverFit(a, dir); err != nil {
				return nil, frame.Wrong(frame.PlainPath(err))
			}
			g, err := verdictGallery(dir)
			if err != nil {
				return nil, err
			}
			if g != nil {
				judged = append(judged, g)
			}
		}
	}
	fits, err := stored.ReadFits(a, withDraws(paths, len(judged) > 0), quiet)
	if err != nil {
		return nil, err
	}
	for i := range fits {
		g := &gallery{dir: fits[i].Dir, fit: &fits[i]}
		if len(fits) > 1 {
			g.sub = fits[i].Name
		}
		if run, err := draws.ReadRun(g.dir); err == nil {
			g.run = &run
		}
		if err := c.ofFit(a, g, fits, quiet || !predicts); err != nil {
			return nil, err
		}
		out = append(out, g)
	}
	return append(out, judged...), nil
}

// withDraws leaves out folders that hold verdicts alone, where there are such.
func withDraws(paths []string, verdicts bool) []string {
	if !verdicts {
		return paths
	}
	return slices.DeleteFunc(slices.Clone(paths), func(dir string) bool {
		for _, pattern := range []string{"chain-*.csv", "*/" + draws.RunFile, draws.RunFile} {
			if found, _ := fs.Glob(os.DirFS(dir), pattern); len(found) > 0 {
				return false
			}
		}
		return true
	})
}

// verdictGallery is that of a folder's diagnosis.json; nil where there is none.
func verdictGallery(dir string) (*gallery, error) {
	if err := folders.Whole(dir, diagnosisFile); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, diagnosisFile)
	f, err := disk.Open(path)
	switch {
	case errors.Is(err, disk.ErrNotRegular):
		return nil, frame.Wrong(frame.PlainPath(err))
	case err != nil:
		return nil, nil // the folder itself is somebody else's to miss
	}
	defer f.Close()
	g := &gallery{dir: dir}
	if g.verdicts, err = plots.ReadVerdicts(f); err != nil {
		return nil, frame.Wrongf("%s: %w", path, err)
	}
	seen := map[string]int{}
	for _, v := range g.verdicts {
		figures, err := v.Figures()
		if err != nil {
			return nil, frame.Wrongf("%s: %w", path, err)
		}
		for _, fig := range figures {
			if seen[fig.Name]++; seen[fig.Name] > 1 {
				fig.Name = fmt.Sprintf("%s-%d", fig.Name, seen[fig.Name])
			}
		}
		v.Pictures = figures
		g.figures = append(g.figures, figures...)
	}
	return g, nil
}

// ofFit collects the pictures of a fit.
func (c *pictureFlags) ofFit(a *frame.App, g *gallery, all []stored.StoredFit, quiet bool) error {
	f := pictured(g.fit)
	if f == nil {
		return nil
	}
	predictions, err := c.predictions(a, f, g, quiet)
	if err != nil {
		return err
	}
	replicated := []string{logLikName}
	for _, p := range predictions {
		replicated = append(replicated, p.Replicated)
	}
	g.replicated = replicated
	if g.choice, err = f.Choose(c.Parameters, replicated, c.Most); err != nil {
		return frame.Wrongf("--parameters: %w", err)
	}
	list := []*plots.Figure{
		f.Forest(g.choice, replicated, len(c.Parameters) == 0), f.Density(g.choice), f.PriorAndPosterior(g.choice, storedPrior(g.dir)), f.Trace(g.choice), f.Rank(g.choice), f.Autocorrelation(g.choice), f.Convergence(g.choice),
		f.Pairs(g.choice), f.Energy(), f.Predictive(predictions), swapFigure(g.fit, f, all, g.choice),
	}
	if g.run != nil {
		list = append(list, plots.Objective(g.run.Fit))
	}
	g.figures = slices.DeleteFunc(list, func(f *plots.Figure) bool { return f == nil || len(f.Panels) == 0 })
	return nil
}

// pictured is the fit as pictures need it; nil if there is nothing to see.
func pictured(f *stored.StoredFit) *plots.Fit {
	return plots.NewFit(f.Name, f.Method, f.Posterior.Draws, f.Summaries)
}

// swapFigure compares a swapped posterior with the one that it came from, if that is
// among the fits.
func swapFigure(of *stored.StoredFit, f *plots.Fit, all []stored.StoredFit, c plots.Choice) *plots.Figure {
	if !strings.HasPrefix(of.Method, "prior_swap(") {
		return nil
	}
	for i := range all {
		if !strings.HasPrefix(of.Method, "prior_swap("+all[i].Method) {
			continue
		}
		if old := pictured(&all[i]); old != nil {
			return plots.Swap(old, f, c)
		}
	}
	return nil
}

// predictions finds what replicates the data, by the flags or by name.
func (c *pictureFlags) predictions(a *frame.App, f *plots.Fit, g *gallery, quiet bool) ([]plots.Prediction, error) {
	run := g.run
	asked := c.Data != "" || len(c.Predictive) > 0
	path := c.Data
	if path == "" && run != nil && run.Data != nil && run.Data.File != input.StdinName {
		path = run.Data.File
	}
	if path == "" {
		if asked {
			return nil, frame.Wrongf("--predictive needs --data FILE: the fit's record names no data")
		}
		return nil, nil
	}
	observed, sizes, err := observations(path, c.Data == "", run)
	g.data = sizes
	switch {
	case err != nil && asked:
		return nil, frame.Wrong(frame.PlainPath(err))
	case err != nil:
		if !quiet {
			a.Say("no predictive check: %v", frame.PlainPath(err))
		}
		return nil, nil
	case len(c.Predictive) == 0:
		return f.Predictions(observed), nil
	}
	var out []plots.Prediction
	for _, text := range c.Predictive {
		replicated, name, _ := plots.ParsePair(text)
		if observed[name] == nil {
			return nil, frame.Wrongf("--predictive %s: %s has no variable %s", text, path, name)
		}
		p, err := f.Prediction(replicated, name, observed[name])
		if err != nil {
			return nil, frame.Wrongf("--predictive %s: %w", text, err)
		}
		out = append(out, p)
	}
	return out, nil
}

// observations reads the variables of a data file that are numbers, and returns what they are in words, in order. A file
// that the record names must be the one that was fitted.
func observations(path string, recorded bool, run *draws.Run) (map[string][]float64, []string, error) {
	if recorded {
		now, err := folders.Digest(path)
		if err != nil {
			return nil, nil, err
		}
		if now.SHA256 != run.Data.SHA256 {
			return nil, nil, fmt.Errorf("%s is not what it was when the fit was made; --data FILE names another", path)
		}
	}
	set, err := data.ReadFiles(path, nil)
	if err != nil {
		return nil, nil, err
	}
	out := map[string][]float64{}
	var sizes []string
	for _, name := range slices.Sorted(maps.Keys(set.Vars)) {
		switch v := set.Vars[name]; {
		case v.IsTuple():
			sizes = append(sizes, name+": a tuple")
		case len(v.Dims) == 0 && len(v.X) == 1:
			out[name], sizes = v.X, append(sizes, fmt.Sprintf("%s = %g", name, v.X[0]))
		default:
			text := make([]string, len(v.Dims))
			for i, d := range v.Dims {
				text[i] = strconv.Itoa(d)
			}
			out[name], sizes = v.X, append(sizes, name+": "+strings.Join(text, " x "))
		}
	}
	return out, sizes, nil
}

// storedPrior are the prior draws in the Zarr store of a fit, by column; empty where there are none.
func storedPrior(dir string) map[string][]float64 {
	out := map[string][]float64{}
	arrays, err := zarr.ReadGroup(filepath.Join(dir, outputs.ZarrStore), "prior")
	if err != nil {
		return out
	}
	for _, a := range arrays {
		if len(a.Dims) < 2 || a.Dims[0] != "chain" || a.Dims[1] != "draw" {
			continue
		}
		names := []string{a.Name}
		for _, size := range a.Shape[2:] {
			var longer []string
			for _, name := range names {
				for i := range size {
					longer = append(longer, fmt.Sprintf("%s.%d", name, i+1))
				}
			}
			names = longer
		}
		for i, v := range a.X {
			name := names[i%len(names)]
			out[name] = append(out[name], v)
		}
	}
	return out
}

// drawVerdicts puts the pictures of the verdicts in a folder beside them.
func drawVerdicts(a *frame.App, dir string, quiet bool) error {
	g, err := verdictGallery(dir)
	if err != nil || g == nil {
		return err
	}
	several, err := overlaid([]*gallery{g})
	if err != nil {
		return err
	}
	for _, s := range several {
		g.figures = append(g.figures, s.figures...)
	}
	_, err = writeFigures(a, folders.ListingOf(a, dir, quiet), plotsDir, "svg", g.figures)
	return err
}
