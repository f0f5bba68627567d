package main

// This file is ppl plot: pictures of fits and verdicts, as files.

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/folders"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/outputs"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/plots"
)

// plotsDir is the folder of pictures in a fit's folder.
const plotsDir = "plots"

// plotCmd draws pictures.
type plotCmd struct {
	Paths []string `arg:"" name:"dir" help:"Folder of a fit or of verdicts, or CSV files of chains."`
	pictureFlags
	Kind   []string `placeholder:"KIND" help:"Pictures to draw: trace, rank, density, forest, pairs, energy, autocorrelation, predictive, objective, prior_swap, bread, gibbs_prior, sbc, prior_predictive, posterior_predictive, sensitivity, overlay, convergence; all that there are without it."`
	Format string   `enum:"svg,png" default:"svg" help:"Form of the pictures: svg or png."`
	Out    string   `placeholder:"DIR" help:"Folder for the pictures; without it, the folder plots of each fit."`
	Quiet  bool     `short:"q" help:"No remarks on standard error; errors only."`
}

// pictureFlags are the flags of what draws pictures.
type pictureFlags struct {
	Parameters []string `type:"names" aliases:"variables" placeholder:"NAME" help:"Parameters to show, as theta or theta[3]; without it all, or the ones least to be trusted."`
	Most       int      `placeholder:"N" default:"8" help:"Most columns in a picture, where no parameters are named; 8 without it."`
	Data       string   `placeholder:"FILE" help:"Data that predictive checks compare with; without it, the file that the fit's record names."`
	Predictive []string `placeholder:"REP=DATA" help:"A generated quantity that replicates a variable of the data, such as y_sim=y; without it they are found by names such as y_rep."`
}

// pictureKinds are the names that --kind takes.
var pictureKinds = []string{
	"trace", "rank", "density", "forest", "pairs", "energy", "autocorrelation", "predictive", "objective", "prior_swap", "bread", "gibbs_prior", "sbc", "prior_predictive", "posterior_predictive", "sensitivity", "overlay", "convergence",
}

// Help implements kong.HelpProvider.
func (*plotCmd) Help() string {
	return frame.Examples(
		"ppl plot fit                             # all pictures, to fit/plots",
		"ppl plot fit --kind trace,pairs --parameters mu,tau,theta[1] --format png --out pictures",
		"ppl plot fit --predictive y_sim=y --data data.json",
		"ppl plot judged                          # of ppl diagnose --out judged",
	)
}

// Run draws the pictures and lists their files.
func (c *plotCmd) Run(a *frame.App) error {
	if err := c.checkAll(); err != nil {
		return err
	}
	predicts := len(c.Kind) == 0 || slices.Contains(c.Kind, "predictive")
	all, err := c.gather(a, c.Paths, c.Quiet, predicts)
	if err != nil {
		return err
	}
	several, err := overlaid(all)
	if err != nil {
		return err
	}
	all = append(all, several...)
	if c.Out != "" {
		apart(all)
	}
	drawn := 0
	for _, g := range all {
		paths, err := c.write(a, g)
		if err != nil {
			return outputs.Unwritable(err, c.Out, "--out DIR draws the pictures somewhere else")
		}
		drawn += len(paths)
		for _, at := range paths {
			if _, err := fmt.Fprintln(a.Stdout, at); err != nil {
				return err
			}
		}
		if !c.Quiet && len(paths) > 0 && g.choice.Note != "" {
			a.Say("%s: %s", g.dir, g.choice.Note)
		}
	}
	if drawn == 0 {
		return frame.Wrongf("%s: there is nothing to draw%s", c.Paths[0], ofKinds(c.Kind))
	}
	return nil
}

// checkAll finds what is wrong with the flags by themselves.
func (c *plotCmd) checkAll() error {
	for _, kind := range c.Kind {
		if !slices.Contains(pictureKinds, kind) {
			return frame.Wrongf("--kind %s: there is no such picture; there are %s", kind, strings.Join(pictureKinds, ", "))
		}
	}
	return c.check()
}

// apart returns galleries whose pictures would have the same names folders of their own.
func apart(all []*gallery) {
	taken := map[string]bool{}
	name := func(g *gallery, f *plots.Figure) string { return g.sub + "/" + f.Name }
	for _, g := range all {
		if slices.ContainsFunc(g.figures, func(f *plots.Figure) bool { return taken[name(g, f)] }) {
			base := filepath.Base(g.dir)
			for n := 1; slices.ContainsFunc(g.figures, func(f *plots.Figure) bool { return taken[name(g, f)] }); n++ {
				if g.sub = base; n > 1 {
					g.sub = fmt.Sprintf("%s-%d", base, n)
				}
			}
		}
		for _, f := range g.figures {
			taken[name(g, f)] = true
		}
	}
}

// overlaid is a gallery of the pictures that have several of all in one; none where there are none. They
// belong to the first folder.
func overlaid(all []*gallery) ([]*gallery, error) {
	var sources []plots.Source
	for _, g := range all {
		for _, v := range g.verdicts {
			sources = append(sources, plots.Source{Dir: g.dir, Verdict: v})
		}
	}
	fig, err := plots.Overlay(sources)
	if err != nil {
		return nil, frame.Wrong(err)
	}
	out := &gallery{dir: all[0].dir}
	for _, f := range []*plots.Figure{overlaidFits(all), fig} {
		if f != nil {
			out.figures = append(out.figures, f)
		}
	}
	if len(out.figures) == 0 {
		return nil, nil
	}
	return []*gallery{out}, nil
}

// overlaidFits has the columns that are shown of the first fit; nil where there is nothing to compare.
func overlaidFits(all []*gallery) *plots.Figure {
	var fits []*plots.Fit
	var labels []string
	var choice plots.Choice
	for _, g := range all {
		if g.fit == nil {
			continue
		}
		f := pictured(g.fit)
		if f == nil {
			continue
		}
		if len(fits) == 0 {
			choice = g.choice
		}
		label := filepath.Base(g.dir)
		if slices.Contains(labels, label) {
			label = g.dir
		}
		fits, labels = append(fits, f), append(labels, label)
	}
	return plots.OverlayFits(fits, labels, choice)
}

func ofKinds(kinds []string) string {
	if len(kinds) == 0 {
		return ""
	}
	text := " of the kind " + strings.Join(kinds, ", ")
	for _, k := range kinds {
		if needs[k] != "" {
			text += "; " + k + " " + needs[k]
		}
	}
	return text
}

// needs says what the pictures of a kind are made from, where not every fit has it.
var needs = map[string]string{
	"prior_swap":           "is of a folder with the swapped fit and the one that it was made from: an inference block with both, fit = nuts(); new = prior_swap(fit) {...}",
	"overlay":              "is of two or more fits of the same parameters, or verdicts of bread, in one folder or in several: ppl plot a b --kind overlay",
	"bread":                "is of the folder of a diagnosis, ppl diagnose --with 'bread(...)' --out DIR",
	"gibbs_prior":          "is of the folder of a diagnosis, ppl diagnose --with 'gibbs_prior(...)' --out DIR",
	"sbc":                  "is of the folder of a diagnosis, ppl diagnose --with 'sbc(...)' --out DIR",
	"prior_predictive":     "is of the folder of a diagnosis, ppl diagnose --with 'prior_predictive()' --out DIR",
	"posterior_predictive": "is of the folder of a diagnosis, ppl diagnose --with 'posterior_predictive(...)' --out DIR",
	"predictive":           "is of generated quantities that stand for data; --predictive REP=DATA names them",
	"energy":               "is of nuts and hmc",
	"convergence":          "is of two or more chains",
	"objective":            "is of methods that optimise",
}

// wants reports whether a picture was asked for. The pictures of a verdict have names that
// begin with its kind.
func (c *plotCmd) wants(f *plots.Figure) bool {
	return len(c.Kind) == 0 || slices.ContainsFunc(c.Kind, func(kind string) bool {
		return f.Name == kind || strings.HasPrefix(f.Name, kind+"_") || strings.HasPrefix(f.Name, kind+"-")
	})
}

// write writes the pictures of one folder and returns their paths.
func (c *plotCmd) write(a *frame.App, g *gallery) ([]string, error) {
	dir, sub := g.dir, plotsDir
	if c.Out != "" {
		dir, sub = filepath.Join(c.Out, g.sub), "."
	}
	var figures []*plots.Figure
	for _, f := range g.figures {
		if c.wants(f) {
			figures = append(figures, f)
		}
	}
	return writeFigures(a, folders.ListingOf(a, dir, c.Quiet), sub, c.Format, figures)
}

// writeFigures writes pictures into a folder below a listed one. It makes it if there are
// any.
func writeFigures(a *frame.App, l *folders.Listing, sub, format string, figures []*plots.Figure) ([]string, error) {
	if len(figures) == 0 {
		return nil, nil
	}
	if err := os.MkdirAll(filepath.Join(l.Dir, sub), 0o755); err != nil {
		return nil, err
	}
	var names, paths []string
	for _, f := range figures {
		names = append(names, path.Join(sub, f.Name+"."+format))
	}
	if err := l.Begin(names...); err != nil { // listed first: a kill leaves nothing that looks like somebody else's
		return nil, err
	}
	for i, f := range figures {
		write := f.WriteSVG
		if format == "png" {
			write = f.WritePNG
		}
		at := filepath.Join(l.Dir, filepath.FromSlash(names[i]))
		if err := folders.WriteFile(a.Disk, at, write); err != nil {
			return nil, err
		}
		paths = append(paths, at)
	}
	return paths, l.Add(names...)
}
