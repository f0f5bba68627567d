// Package stored is the commands that read a fit and compute nothing anew: its summary, and whether its files are as they were written.
package stored

// This file is ppl verify: whether files are as they were written.

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/console"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/folders"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/journal"
	"github.com/seed-12b88e03/ppl/infer/manifest"
)

// VerifyCmd compares folders with their lists.
type VerifyCmd struct {
	Paths []string `arg:"" name:"dir" help:"Folders that ppl has written: of fits, verdicts or pictures."`
	JSON  bool     `name:"json" help:"What was found as JSON."`
}

// Help implements kong.HelpProvider.
func (*VerifyCmd) Help() string {
	return "Each folder that ppl writes has " + manifest.Name + ": the files with their length, rows and CRC-32C. All are\n" +
		"read and compared, the checkpoints of a run that has not ended by their own checksums. The exit code is 1 if\n" +
		"a file is not as it was written.\n\n" + frame.Examples(
		"ppl verify fit",
		"ppl verify --json fits/*",
	)
}

// A verified is what was found in one folder.
type verified struct {
	Dir     string            `json:"dir"`
	Fit     manifest.State    `json:"fit"`
	Files   int               `json:"files"`
	Bytes   int64             `json:"bytes"`
	Faults  []*manifest.Fault `json:"faults"`
	Foreign []string          `json:"not_listed"` // files beside those of the list, but not in folders of others
	Waiting bool              `json:"unfinished"` // a run that is to replace the fit can be resumed
}

// Run compares, and says what is not as it was.
func (c *VerifyCmd) Run(a *frame.App) error {
	var all []*verified
	for _, dir := range c.Paths {
		v, err := verifyFolder(a, dir)
		if err != nil {
			return err
		}
		all = append(all, v)
	}
	if c.JSON {
		enc := json.NewEncoder(a.Stdout)
		enc.SetIndent("", "  ")
		if err := enc.Encode(map[string]any{"folders": all}); err != nil {
			return err
		}
	}
	bad := 0
	for _, v := range all {
		bad += len(v.Faults)
		if c.JSON {
			continue
		}
		if _, err := fmt.Fprint(a.Stdout, v.text()); err != nil {
			return err
		}
	}
	if bad > 0 {
		return &frame.Exit{Code: frame.ExitFailed, Err: fmt.Errorf("%s not as written", console.Plural(bad, "file"))}
	}
	return nil
}

// verifyFolder compares one folder.
func verifyFolder(a *frame.App, dir string) (*verified, error) {
	if err := folders.RecoverFit(a, dir); err != nil {
		return nil, frame.Wrong(frame.PlainPath(err))
	}
	if _, err := os.ReadDir(dir); err != nil {
		return nil, frame.Wrong(frame.PlainPath(err))
	}
	v := &verified{Dir: dir, Faults: []*manifest.Fault{}, Foreign: []string{}}
	m, at, prefix, err := manifest.Find(dir)
	var damaged *manifest.DamagedError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, frame.Wrongf("%s has no %s, so there is nothing to compare with: the folder is of another program, or of an older version of ppl", dir, manifest.Name)
	case errors.As(err, &damaged):
		v.Faults = append(v.Faults, &manifest.Fault{Path: manifest.Name, Kind: "changed", Detail: "the list of files is damaged: " + damaged.Reason})
		return v, nil
	case err != nil:
		return nil, frame.Wrong(frame.PlainPath(err))
	}
	v.Fit = m.State
	mine := func(p string) bool { return strings.HasPrefix(p, prefix) }
	for _, f := range m.Files {
		if mine(f.Path) {
			v.Files++
			v.Bytes += f.Bytes
		}
	}
	v.Faults = append(v.Faults, m.Check(at, mine)...)
	if m.State == manifest.Open {
		v.Faults = append(v.Faults, journalFaults(dir)...)
	}
	v.Foreign, err = beside(m, at, prefix)
	_, waits := folders.UnfinishedRun(filepath.Join(dir, manifest.Unfinished))
	v.Waiting = waits
	return v, err
}

// journalFaults are those of the checkpoints of a run that has not ended.
func journalFaults(dir string) []*manifest.Fault {
	var out []*manifest.Fault
	for _, pattern := range []string{folders.CheckpointDir, "*/" + folders.CheckpointDir} {
		found, _ := fs.Glob(os.DirFS(dir), pattern)
		for _, sub := range found {
			for _, err := range journal.Verify(filepath.Join(dir, filepath.FromSlash(sub))) {
				out = append(out, &manifest.Fault{Path: path.Join(sub, filepath.Base(err.Path)), Kind: "changed", Detail: err.Reason})
			}
		}
	}
	return out
}

// beside are the files of a fit's folder that are not listed: those at the top, and those with
// names of a run.
func beside(m *manifest.Manifest, at, prefix string) ([]string, error) {
	out := []string{}
	entries, err := os.ReadDir(filepath.Join(at, filepath.FromSlash(prefix)))
	for _, e := range entries {
		p := prefix + e.Name()
		if !e.IsDir() && m.File(p) == nil && e.Name() != manifest.Name && !(m.State == manifest.Open && m.Claims(p)) && !slices.Contains(m.Writing, p) {
			out = append(out, e.Name())
		}
	}
	return out, err
}

// text is what a person reads.
func (v *verified) text() string {
	var b strings.Builder
	state := map[manifest.State]string{
		manifest.None: "no fit", manifest.Open: "the fit of a run that has not ended", manifest.Incomplete: "an incomplete fit", manifest.Complete: "a complete fit",
	}[v.Fit]
	if v.Fit == "" {
		state = "no list that can be read"
	}
	verdict := "all as written"
	if n := len(v.Faults); n > 0 {
		verdict = console.Plural(n, "file") + " not as written"
	}
	fmt.Fprintf(&b, "%s: %s, %s, %d bytes: %s\n", v.Dir, state, console.Plural(v.Files, "file"), v.Bytes, verdict)
	for _, f := range v.Faults {
		fmt.Fprintf(&b, "  %s: %s\n", f.Path, f.Detail)
	}
	for _, name := range v.Foreign {
		note := ""
		if draws.ChainNumber(name) > 0 {
			note = "; it is left out of the fit"
		}
		fmt.Fprintf(&b, "  %s: not listed: no command has written it%s\n", name, note)
	}
	if v.Waiting {
		fmt.Fprintf(&b, "  %s: a run that is to replace the fit waits to be resumed\n", manifest.Unfinished)
	}
	return b.String()
}
