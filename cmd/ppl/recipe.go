package main

// This file writes down what a run was made by, so that it can be resumed by the same and
// by nothing else.

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/folders"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/outputs"
	"github.com/seed-12b88e03/ppl/infer/disk"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/lang"
)

// A recipe is all that the draws of a run depend on.
type recipe struct {
	Version    string         `json:"version"`
	Machine    *draws.Machine `json:"machine,omitempty"`
	Model      *draws.Source  `json:"model"` // included files count
	Data       *draws.Source  `json:"data"`
	Init       *draws.Source  `json:"init"`          // the file of starting points
	Fit        *draws.Source  `json:"fit,omitempty"` // the earlier fit
	Seed       uint64         `json:"seed"`
	Digits     int            `json:"digits"`
	SaveWarmup bool           `json:"save_warmup"`
	Divide     bool           `json:"divide,omitempty"`
	Without    []string       `json:"without,omitempty"` // optimisations that were left out, sorted
	Impute     []string       `json:"impute,omitempty"`  // variables with missing elements, sorted
	Methods    []recipeMethod `json:"methods"`
	Flags      recipeFlags    `json:"flags"`
}

// A recipeMethod is a method but for its number of draws, which may grow, and for how precise they are to be.
type recipeMethod struct {
	Name   string `json:"name"`
	Asked  string `json:"asked"`  // as an expression
	Method string `json:"method"` // the same for one draw, of any precision
	Draws  int    `json:"draws"`  // 0: the method has no such option

	Until map[string]float64 `json:"until,omitempty"` // the precision at which a fit without a number of draws ends
}

// precision are the options by which a fit without a number of draws ends.
var precision = [...]string{"ess", "rhat", "max_draws"}

// recipeFlags are flags of the command line as they were given.
type recipeFlags struct {
	Method  []string `json:"method,omitempty"`
	Chains  *int     `json:"chains,omitempty"`
	Warmup  *int     `json:"warmup,omitempty"`
	Draws   *int     `json:"draws,omitempty"`
	Seed    *uint64  `json:"seed,omitempty"`
	Init    string   `json:"init,omitempty"`
	Data    string   `json:"data,omitempty"`
	Fit     string   `json:"fit,omitempty"`
	Include []string `json:"include,omitempty"`
	Root    string   `json:"include_root,omitempty"`

	Variables  []string `json:"variables,omitempty"`
	Format     []string `json:"format,omitempty"`
	Predictive bool     `json:"predictive,omitempty"`
	LogPrior   bool     `json:"lprior,omitempty"`
	LogLik     string   `json:"log_lik,omitempty"`
}

// newRecipe is that of a run whose arguments have been understood.
func (s *session) newRecipe() (*recipe, error) {
	r := &recipe{
		Version: frame.Version, Machine: frame.ThisMachine(), Model: folders.ModelDigest(s.Model, s.program), Data: s.digest, Seed: s.seed, Digits: s.Digits, SaveWarmup: s.SaveWarmup, Divide: s.Divide, Without: slices.Compact(slices.Sorted(slices.Values(s.Disable))),
		Impute: slices.Compact(slices.Sorted(slices.Values(s.Impute))),
		Flags: recipeFlags{
			Method: s.Method, Chains: s.Chains, Warmup: s.Warmup, Draws: s.Draws, Seed: s.Seed, Init: s.Init, Data: s.Data, Fit: s.Fit, Include: s.Include, Root: s.IncludeRoot,
			Variables: s.Variables, Format: s.Format, Predictive: s.Predictive, LogPrior: s.LogPrior, LogLik: s.LogLik,
		},
	}
	if len(s.points) > 0 {
		var err error
		if r.Init, err = folders.Digest(s.runCmd.Init); err != nil {
			return nil, frame.Wrong(frame.PlainPath(err))
		}
	}
	if s.fitted != nil {
		r.Fit = sourceOfFit(s.fitted)
	}
	for i, m := range s.methods {
		r.Methods = append(r.Methods, methodRecipe(s.names[i], m))
	}
	return r, nil
}

func methodRecipe(name string, m *lang.Method) recipeMethod {
	r := recipeMethod{Name: name, Asked: m.String(), Until: map[string]float64{}}
	for _, option := range precision {
		if !m.Has(option) {
			continue
		}
		r.Until[option] = lang.DefaultPrecision(option)
		if value, ok := m.Value(option); ok {
			r.Until[option], _ = strconv.ParseFloat(value, 64)
			m.Unset(option)
			defer func() { _ = m.Set(option, value) }() // it had this value
		}
	}
	r.Method = m.String()
	given, ok := m.Value("draws")
	n, err := strconv.Atoi(given)
	if ok && err != nil || !m.Has("draws") || m.Set("draws", "1") != nil {
		return r
	}
	r.Method, r.Draws = m.String(), n
	if ok {
		_ = m.Set("draws", given) // it had this value
	} else {
		m.Unset("draws")
	}
	return r
}

// readRecipe returns the recipe of the run in a folder, of one that is to replace the fit there
// first; nil where nothing has been run.
func readRecipe(dir string) (*recipe, error) {
	at, _ := folders.UnfinishedRun(dir)
	path := filepath.Join(at, folders.CheckpointDir, folders.RecipeFile)
	text, err := disk.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Stat(filepath.Join(dir, draws.RunFile)); err != nil {
			return nil, nil
		}
		return nil, frame.Wrongf("--resume: %s holds a fit without its folder %q, which is what runs are resumed from", dir, folders.CheckpointDir)
	case err != nil:
		return nil, frame.Wrong(frame.PlainPath(err))
	}
	var r recipe
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, frame.Wrongf("--resume: %s: %w", path, err)
	}
	return &r, nil
}

// write puts the recipe into a folder, whole or not at all.
func (r *recipe) write(d disk.Disk, dir string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return d.ReplaceBytes(filepath.Join(dir, folders.CheckpointDir, folders.RecipeFile), append(text, '\n'))
}

// inherit takes the flags that are not given from the run to be resumed.
func (c *runCmd) inherit(r *recipe) {
	f := r.Flags
	c.Chains, c.Warmup, c.Draws, c.Seed = or(c.Chains, f.Chains), or(c.Warmup, f.Warmup), or(c.Draws, f.Draws), or(c.Seed, f.Seed)
	if len(c.Method) == 0 {
		c.Method = f.Method
	}
	if len(c.Include) == 0 {
		c.Include = f.Include
	}
	if c.IncludeRoot == "" {
		c.IncludeRoot = f.Root
	}
	if len(c.Variables) == 0 {
		c.Variables = f.Variables
	}
	if len(c.Format) == 0 {
		c.Format = f.Format
	}
	c.Predictive = c.Predictive || f.Predictive
	c.LogPrior = c.LogPrior || f.LogPrior
	if c.LogLik == outputs.DefaultLogLik && f.LogLik != "" {
		c.LogLik = f.LogLik
	}
	if c.Init == "" {
		c.Init = f.Init
	}
	if c.Data == "" {
		c.Data = f.Data
	}
	if c.Digits == defaultDigits {
		c.Digits = r.Digits
	}
	if c.Fit == "" {
		c.Fit = f.Fit
	}
	c.SaveWarmup = c.SaveWarmup || r.SaveWarmup
	c.Divide = c.Divide || r.Divide
	if len(c.Disable) == 0 {
		c.Disable = r.Without
	}
	if len(c.Impute) == 0 {
		c.Impute = r.Impute
	}
}

// lacking reports how the files of a fit get variables that they were written without: from the
// journals, which hold all of them. It is empty where no selection is at fault.
func lacking(dir string) string {
	for _, at := range []string{dir, filepath.Dir(dir)} { // the folder of several fits is above theirs
		r, err := readRecipe(at)
		switch {
		case err != nil || r == nil:
			continue
		case len(r.Flags.Variables) == 0 || r.Model == nil:
			return ""
		}
		return fmt.Sprintf("the fit was written with --variables %s; ppl run %s --out %s --resume --variables with more names writes them, without sampling again",
			strings.Join(r.Flags.Variables, ","), r.Model.File, at)
	}
	return ""
}

func or[T any](a, b *T) *T {
	if a != nil {
		return a
	}
	return b
}

// follows reports why a run of recipe r cannot go on with one of recipe old.
func (r *recipe) follows(old *recipe, dir string) error {
	switch {
	case old.Version != r.Version:
		return differs(dir, "version of ppl", old.Version, r.Version)
	case !folders.SameSource(old.Model, r.Model):
		return differs(dir, "model", folders.Shown(old.Model), folders.Shown(r.Model))
	case !folders.SameSource(old.Data, r.Data):
		return differs(dir, "data set", folders.Shown(old.Data), folders.Shown(r.Data))
	case !folders.SameSource(old.Init, r.Init):
		return differs(dir, "file of starting points", folders.Shown(old.Init), folders.Shown(r.Init))
	case !folders.SameSource(old.Fit, r.Fit):
		return differs(dir, "earlier fit", folders.Shown(old.Fit), folders.Shown(r.Fit))
	case old.Seed != r.Seed:
		return differs(dir, "seed", fmt.Sprint(old.Seed), fmt.Sprint(r.Seed))
	case old.Digits != r.Digits:
		return differs(dir, "number of digits", fmt.Sprint(old.Digits), fmt.Sprint(r.Digits))
	case old.SaveWarmup != r.SaveWarmup:
		return differs(dir, "--save-warmup", fmt.Sprint(old.SaveWarmup), fmt.Sprint(r.SaveWarmup))
	case old.Divide != r.Divide:
		return differs(dir, "--divide", fmt.Sprint(old.Divide), fmt.Sprint(r.Divide))
	case !slices.Equal(old.Without, r.Without):
		return differs(dir, "--disable", fmt.Sprintf("%q", old.Without), fmt.Sprintf("%q", r.Without))
	case !slices.Equal(old.Impute, r.Impute):
		return differs(dir, "--impute", fmt.Sprintf("%q", old.Impute), fmt.Sprintf("%q", r.Impute))
	case !reflect.DeepEqual(unlimited(old.Methods), unlimited(r.Methods)):
		if name := r.fixesLength(old); name != "" {
			return &frame.Exit{
				Code: frame.ExitWrongInput,
				Err:  fmt.Errorf("--resume: %s in %s ended when its draws were precise enough, so it has no number of draws that could grow", name, dir),
				Help: fmt.Sprintf("a greater effective sample size makes it go on: --method '%s(ess = 2000)' in the place of --draws", name),
			}
		}
		return differs(dir, "method", methodList(old.Methods), methodList(r.Methods))
	}
	for i, m := range r.Methods {
		before := old.Methods[i]
		if m.Draws < before.Draws {
			return frame.Wrongf("--resume: %s in %s has %d draws a chain; a run can be extended, but --draws %d would make it shorter", m.Name, dir, before.Draws, m.Draws)
		}
		for _, option := range precision {
			now, was := m.Until[option], before.Until[option]
			if now < was && option != "rhat" || now > was && option == "rhat" {
				return frame.Wrongf("--resume: %s in %s went on to %s = %g; a run can be extended, but %[3]s = %[5]g would make it shorter", m.Name, dir, option, was, now)
			}
		}
	}
	return nil
}

// fixesLength names a method of which the run of recipe old has no number of draws and this one has; empty where that is
// not all that differs.
func (r *recipe) fixesLength(old *recipe) (name string) {
	if len(old.Methods) != len(r.Methods) {
		return ""
	}
	for i, m := range r.Methods {
		switch before := old.Methods[i]; {
		case m.Name != before.Name || m.Method != before.Method:
			return ""
		case before.Draws == 0 && m.Draws > 0:
			name = m.Name
		}
	}
	return name
}

// differs reports that a run is of something else than the one in a folder.
func differs(dir, what, was, is string) error {
	return &frame.Exit{
		Code: frame.ExitWrongInput,
		Err:  fmt.Errorf("--resume: the run in %s has another %s\n  there: %s\n  here:  %s", dir, what, was, is),
		Help: "a run is resumed with what it was begun with; leave out --resume to replace it",
	}
}

// unlimited are methods whatever their number of draws.
func unlimited(methods []recipeMethod) []recipeMethod {
	out := append([]recipeMethod{}, methods...)
	for i := range out {
		out[i].Asked, out[i].Draws, out[i].Until = "", min(out[i].Draws, 1), nil
	}
	return out
}

func methodList(methods []recipeMethod) string {
	var out []string
	for _, m := range methods {
		out = append(out, m.Name+" = "+m.Asked)
	}
	return strings.Join(out, "; ")
}
