package main

// This file is ppl merge: the verdicts on shares of diagnoses that several processes have done.

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/folders"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/input"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/view"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/disk"
)

// mergeCmd judges shares together.
type mergeCmd struct {
	Dirs  []string `arg:"" name:"dir" help:"Folders of all shares: those of --out."`
	Model string   `placeholder:"FILE" help:"File of the model, where it is not what the shares name."`
	Data  string   `placeholder:"FILE" help:"File of the data, where it is not what the shares name."`
	input.IncludeFlags
	view.ColorFlag
	Out    string `placeholder:"DIR" help:"Folder to write diagnosis.json and its pictures to, as ppl diagnose --out does in one process."`
	JSON   bool   `name:"json" help:"Verdicts as JSON on standard output."`
	Strict bool   `help:"Exit with code 3 where a verdict is bad."`
	Quiet  bool   `short:"q" help:"No remarks on standard error; errors only."`
}

// Help implements kong.HelpProvider.
func (*mergeCmd) Help() string {
	return "The verdicts are those of one process with the same seed: what ppl diagnose without --shard prints. Folders\n" +
		"must be of one model, data set, seed, list of diagnoses and version. What is missing is named, with the line that makes it.\n\n" + frame.Examples(
		"ppl diagnose model.ppl --with 'sbc(nuts())' --seed 1 --shard 1/2 --out shares/1",
		"ppl diagnose model.ppl --with 'sbc(nuts())' --seed 1 --shard 2/2 --out shares/2",
		"ppl merge shares/1 shares/2 --out judged",
	)
}

// A shareFolder holds a share of diagnoses.
type shareFolder struct {
	dir    string
	recipe *diagnosisRecipe
	share  infer.Share
}

// Run prints the verdicts on all shares.
func (c *mergeCmd) Run(a *frame.App) error {
	shares, err := c.shares()
	if err != nil {
		return err
	}
	if err := c.whole(shares); err != nil {
		return err
	}
	r := shares[0].recipe
	d := &diagnoseCmd{
		Paths: []string{c.model(r)}, With: r.Flags.With, Chains: r.Flags.Chains, Warmup: r.Flags.Warmup, Draws: r.Flags.Draws, merged: r, ColorFlag: c.ColorFlag, Out: c.Out, JSON: c.JSON, Strict: c.Strict,
		ModelFlags: input.ModelFlags{Data: c.data(r), ImputeFlag: input.ImputeFlag{Impute: r.Flags.Impute}, SourceFlags: input.SourceFlags{IncludeFlags: input.IncludeFlags{Include: slices.Concat(r.Flags.Include, c.Include), IncludeRoot: c.IncludeRoot}, Seed: r.Flags.Seed, Quiet: c.Quiet}},
	}
	if d.gathered, err = gatherParts(shares); err != nil {
		return err
	}
	if d.Out != "" {
		if err := diagnosisPlace(d.Out); err != nil {
			return err
		}
	}
	s, err := d.prepare(context.Background(), a)
	if err != nil {
		return err
	}
	if differ := s.newRecipe(s.asked).differsFrom(r); differ != nil {
		return frame.Wrongf("the shares are of another %s\n  there: %s\n  here:  %s", differ.what, differ.was, differ.is)
	}
	verdicts, err := s.run(context.Background())
	if d.unlock != nil {
		defer d.unlock()
	}
	if err != nil {
		return err
	}
	return d.conclude(context.Background(), a, verdicts)
}

func (c *mergeCmd) model(r *diagnosisRecipe) string {
	if c.Model != "" {
		return c.Model
	}
	return r.Model.File
}

func (c *mergeCmd) data(r *diagnosisRecipe) string {
	if c.Data != "" || r.Data == nil {
		return c.Data
	}
	return r.Data.File
}

// shares reads what the shares are of; all must be of the same diagnoses.
func (c *mergeCmd) shares() ([]*shareFolder, error) {
	var out []*shareFolder
	for _, dir := range c.Dirs {
		at, err := os.Stat(dir)
		if err == nil && !at.IsDir() {
			return nil, frame.Wrongf("%s is no folder; expected one of ppl diagnose --shard I/N --out DIR", dir)
		}
		if into, statErr := os.Stat(c.Out); err == nil && statErr == nil && os.SameFile(at, into) {
			return nil, frame.Wrongf("--out %s is the folder of a share; choose another", c.Out)
		}
		r, err := readDiagnosisRecipe(dir)
		switch {
		case err != nil:
			return nil, err
		case r == nil || r.Shard == "":
			return nil, frame.Wrongf("%s holds no share of a diagnosis: expected a folder of ppl diagnose --shard I/N --out DIR", dir)
		}
		share, err := infer.ParseShare(r.Shard)
		if err != nil || r.Model == nil {
			return nil, frame.Wrongf("%s: the record of the share cannot be read", dir)
		}
		f := &shareFolder{dir, r, share}
		if len(out) > 0 {
			first := out[0]
			d := r.differsFrom(first.recipe)
			if d == nil && share.Of != first.share.Of {
				d = &mismatch{"number of shares", fmt.Sprint(first.share.Of), fmt.Sprint(share.Of)}
			}
			if d != nil {
				return nil, frame.Wrongf("%s and %s are not shares of one run: they have another %s\n  %s: %s\n  %s: %s", first.dir, dir, d.what, first.dir, d.was, dir, d.is)
			}
		}
		out = append(out, f)
	}
	return out, nil
}

// whole reports shares that are missing or have not ended, with the lines that make them.
func (c *mergeCmd) whole(shares []*shareFolder) error {
	of := shares[0].share.Of
	best := map[int]*shareFolder{} // by index; a share that was done twice is whole if one of them is
	for _, f := range shares {
		if had := best[f.share.Index]; had == nil || !had.recipe.Finished {
			best[f.share.Index] = f
		}
	}
	const mostNamed = 20
	var faults, lines []string
	for i := 1; i <= of; i++ {
		if len(faults) == mostNamed {
			faults = append(faults, "and perhaps others")
			break
		}
		share := infer.Share{Index: i, Of: of}
		switch f := best[i]; {
		case f == nil:
			faults = append(faults, fmt.Sprintf("share %s is missing", share))
			lines = append(lines, c.line(shares[0].recipe, share, fmt.Sprintf("SHARE-%d", i)))
		case !f.recipe.Finished:
			faults = append(faults, fmt.Sprintf("share %s in %s has not ended", share, f.dir))
			lines = append(lines, c.line(f.recipe, share, f.dir)+" --resume")
		}
	}
	if len(faults) == 0 {
		return nil
	}
	return &frame.Exit{Code: frame.ExitWrongInput, Err: errors.New(strings.Join(faults, "\n")), Help: "to be done with\n  " + strings.Join(lines, "\n  ")}
}

// line is the command that makes a share.
func (c *mergeCmd) line(r *diagnosisRecipe, share infer.Share, out string) string {
	words := []string{"ppl", "diagnose", c.model(r)}
	if data := c.data(r); data != "" {
		words = append(words, "--data", data)
	}
	for _, dir := range slices.Concat(r.Flags.Include, c.Include) {
		words = append(words, "--include", dir)
	}
	words = imputing(words, r.Flags.Impute)
	for _, d := range r.Flags.With {
		words = append(words, "--with", d)
	}
	for _, f := range []struct {
		name  string
		value *int
	}{{"--chains", r.Flags.Chains}, {"--warmup", r.Flags.Warmup}, {"--draws", r.Flags.Draws}} {
		if f.value != nil {
			words = append(words, f.name, fmt.Sprint(*f.value))
		}
	}
	if r.Flags.Seed != nil {
		words = append(words, "--seed", fmt.Sprint(*r.Flags.Seed))
	}
	words = append(words, "--shard", share.String(), "--out", out)
	return shellLine(words)
}

// gathered are the parts of one diagnosis. It implements diagnose.Store, and has nothing made.
type gathered map[string][]byte

// Part implements diagnose.Store.
func (g gathered) Part(name string) ([]byte, error) {
	if value, ok := g[name]; ok {
		return value, nil
	}
	return nil, frame.Wrongf("the shares lack %s", name)
}

// Keep implements diagnose.Store.
func (g gathered) Keep(string, []byte) error { return nil }

// gatherParts reads the parts of all shares, by diagnosis.
func gatherParts(shares []*shareFolder) ([]gathered, error) {
	out := make([]gathered, len(shares[0].recipe.Diagnoses))
	for i := range out {
		out[i] = gathered{}
		for _, f := range shares {
			path := filepath.Join(f.dir, folders.CheckpointDir, partsName(i))
			in, err := disk.Open(path)
			if errors.Is(err, fs.ErrNotExist) {
				continue // a share may be of nothing
			}
			if err != nil {
				return nil, frame.Wrong(frame.PlainPath(err))
			}
			parts, _, bad := readParts(in)
			if err := in.Close(); err != nil {
				return nil, err
			}
			if bad > 0 && f.recipe.Finished {
				return nil, frame.Wrongf("%s:%d: the line is not as it was written; --shard %s --out %s --resume makes it again", path, bad, f.share, f.dir)
			}
			maps.Copy(out[i], parts)
		}
	}
	return out, nil
}

// gather copies the parts of all shares into the folder of a merged diagnosis, whose run could then be
// resumed.
func (c *diagnoseCmd) gather(i int, to *partsFile) error {
	if c.gathered == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(c.gathered[i])) {
		if err := to.Keep(name, c.gathered[i][name]); err != nil {
			return err
		}
	}
	return nil
}
