package main

// This file has the parts of diagnoses done by the workers of a server: ppl diagnose --on URL.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/cluster"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/input"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/tables"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/disk"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// accessFlags say how a server is reached.
type accessFlags struct {
	Credentials string `placeholder:"FILE" help:"Of the server: a file with a token, an nkey seed or a creds file. Beyond this machine they are demanded, and so is TLS."`
	CA          string `name:"ca" placeholder:"FILE" help:"Certificates of the authorities that the server's is checked with; those of the system without it."`
	Insecure    bool   `help:"Do without TLS and credentials beyond this machine."`
}

// onFlags have work done elsewhere.
type onFlags struct {
	On string `placeholder:"URL" help:"Have the units done by the workers (ppl work) of this NATS server (ppl serve): nats://HOST:PORT, or tls://HOST:PORT beyond this machine. Output and files are those of a run here."`
	accessFlags
}

func (f *accessFlags) access(a *frame.App, url, name string) cluster.Access {
	return cluster.Access{URL: url, Credentials: f.Credentials, CA: f.CA, Insecure: f.Insecure, Name: name, Say: func(text string) { a.Say("%s", text) }}
}

// without refuses flags that mean nothing beside --on, or without it.
func (f *onFlags) without(flags map[string]bool) error {
	if f.On == "" {
		for flag, given := range map[string]bool{"credentials": f.Credentials != "", "ca": f.CA != "", "insecure": f.Insecure} {
			if given {
				return frame.Wrongf("--%s belongs to --on URL", flag)
			}
		}
		return nil
	}
	for _, flag := range slices.Sorted(maps.Keys(flags)) {
		if flags[flag] {
			return frame.Wrongf("--%s: with --on the workers do the units; leave it out", flag)
		}
	}
	return nil
}

// A workSpec is the payload of jobs: what is done, and all that it depends on but the data, which are files of their own.
type workSpec struct {
	Kind     string         `json:"kind"` // a key of unitKinds
	Version  string         `json:"version"`
	Name     string         `json:"name"` // of the model's file, for messages
	Text     string         `json:"text"`
	Included []includedText `json:"included"` // in the order of reading
	Data     []string       `json:"data"`     // the kind of each data file
	Sums     []string       `json:"sums"`     // and its hash
	Index    int            `json:"index"`    // of the diagnosis or method among those of the flags or the program
	Seed     uint64         `json:"seed"`
	Flags    diagnosisFlags `json:"flags"`
	Run      *runFlags      `json:"run,omitempty"`
	NoJIT    bool           `json:"no_jit"`
	Divide   bool           `json:"divide"`
	Disable  []string       `json:"disable"`
	Tasks    int            `json:"tasks"`

	texts [][]byte // of the data files
}

// unitKinds say how a worker makes ready to do the units of a spec.
var unitKinds = map[string]func(*workSpec, *frame.App, string) (unitFunc, error){
	"diagnosis": (*workSpec).partsOfDiagnosis,
	"chains":    (*workSpec).legsOfChains,
	"refits":    (*workSpec).refits,
	"sums":      (*workSpec).sums,

	"simulations": (*workSpec).simulations,
	"annealings":  (*workSpec).annealings,
}

type includedText struct {
	Name    string `json:"name"`
	Text    string `json:"text"`
	Private bool   `json:"private,omitempty"`
}

// dataKinds are the suffixes of data files; others are JSON.
var dataKinds = func() []string {
	out := []string{".json", ".csv", ".tsv"}
	for _, f := range tables.Formats() {
		out = append(out, f.Extensions...)
	}
	return out
}()

// newWorkSpec describes work on a program with data.
func newWorkSpec(a *frame.App, kind string, p *lang.Program, from *input.DataSource, seed uint64) (*workSpec, error) {
	spec := &workSpec{Kind: kind, Version: a.Build(), Name: p.File.Name, Text: p.File.Text, Included: []includedText{}, Seed: seed}
	spec.Flags.Impute = from.Impute
	for _, f := range p.Included {
		spec.Included = append(spec.Included, includedText{f.Name, f.Text, f.Private})
	}
	paths := []string{""}
	spec.texts = [][]byte{from.Text}
	if from.Text == nil {
		paths, spec.texts = nil, nil
		if from.Path != "" {
			paths = data.Files(from.Path)
		}
		for _, path := range paths {
			text, err := disk.ReadInput(path, math.MaxInt64-1)
			if err != nil {
				return nil, frame.Wrong(frame.PlainPath(err))
			}
			spec.texts = append(spec.texts, text)
		}
	}
	for k, text := range spec.texts {
		kind := strings.ToLower(filepath.Ext(paths[k]))
		if !slices.Contains(dataKinds, kind) {
			kind = dataKinds[0]
		}
		spec.Data, spec.Sums = append(spec.Data, kind), append(spec.Sums, cluster.Hash(text))
	}
	return spec, nil
}

// workSpec describes diagnosis i.
func (s *diagnosing) workSpec(i int) (*workSpec, error) {
	spec, err := newWorkSpec(s.app, "diagnosis", s.program, s.source, s.seed)
	if err != nil {
		return nil, err
	}
	spec.Index, spec.NoJIT, spec.Divide, spec.Disable = i, s.NoJIT, s.Divide, s.Disable
	spec.Flags = s.newRecipe(nil).Flags
	spec.Flags.Include = nil // their files are here
	if len(s.With) > 0 {
		spec.Flags.With, spec.Index = s.With[i:i+1], 0
	}
	units, err := s.model.Units(s.asked[i])
	spec.Tasks = tasksOf(units)
	return spec, err
}

// tasksOf is in how many tasks so many units are leased: few enough that what each begins with does not count, and enough for
// many workers.
func tasksOf(units int) int {
	const fewest, most, large = 64, 4096, 64
	return min(units, max(fewest, min(units/large, most)))
}

// job makes what is submitted of a spec: its tasks or, where inputs are given, one for each.
func (spec *workSpec) job(inputs ...[]byte) (*cluster.Job, map[string][]byte, error) {
	payload, err := json.Marshal(spec)
	if err != nil {
		return nil, nil, err
	}
	sum := cluster.Hash(payload)
	job := &cluster.Job{ID: sum, Version: spec.Version, Tasks: spec.Tasks, Files: append([]string{sum}, spec.Sums...)}
	files := map[string][]byte{sum: payload}
	for k, text := range spec.texts {
		files[spec.Sums[k]] = text
	}
	for _, text := range inputs {
		one := cluster.Hash(text)
		files[one], job.Inputs = text, append(job.Inputs, one)
	}
	if inputs != nil {
		job.Tasks, job.ID = len(inputs), cluster.Hash(fmt.Append(nil, sum, job.Inputs))
	}
	return job, files, nil
}

// afar has the parts of all diagnoses done by workers, and keeps them as those of shares that are merged.
func (s *diagnosing) afar(ctx context.Context) error {
	c, err := cluster.Connect(ctx, s.access(s.app, s.On, "ppl diagnose"))
	if err != nil {
		return frame.Wrong(err)
	}
	defer c.Close()
	var jobs []*cluster.Job
	for i := range s.asked {
		spec, err := s.workSpec(i)
		if err != nil {
			return err
		}
		job, files, err := spec.job()
		if err == nil {
			err = c.Submit(ctx, job, files)
		}
		if err != nil {
			return sendApart(ctx, s.app, c, append(jobs, job), s.seed, err)
		}
		jobs = append(jobs, job)
	}
	var all []gathered
	for i, job := range jobs {
		parts, err := s.await(ctx, c, job, s.asked[i].Name())
		if err != nil {
			return sendApart(ctx, s.app, c, jobs[i:], s.seed, err)
		}
		all = append(all, parts)
	}
	s.gathered = all
	return nil
}

// await gathers the parts of a job.
func (s *diagnosing) await(ctx context.Context, c *cluster.Cluster, job *cluster.Job, name string) (gathered, error) {
	show, end := s.progress(name)
	defer end()
	if show == nil {
		show = infer.Ignore{}
	}
	if err := show.Begin(draws.Plan{Method: name, Chains: 1, Draws: job.Tasks, Thin: 1}); err != nil {
		return nil, err
	}
	out, done := gathered{}, 0
	return out, c.Wait(ctx, job, func(task int, result []byte) error {
		parts, _, bad := readParts(bytes.NewReader(result))
		if bad > 0 {
			return fmt.Errorf("the result of task %d is not as it was written", task+1)
		}
		maps.Copy(out, parts)
		done++
		show.Step(infer.Step{Done: done, Total: job.Tasks})
		return nil
	}, hindrances(s.app, s.Quiet))
}

// hindrances says what hinders workers, each thing once a minute: they say it again and again.
func hindrances(a *frame.App, quiet bool) func(text string) {
	said := map[string]time.Time{}
	var mu sync.Mutex
	return func(text string) {
		mu.Lock()
		defer mu.Unlock()
		if !quiet && time.Since(said[text]) > time.Minute {
			said[text] = time.Now()
			a.Stderr.Home()
			a.Say("%s", text)
		}
	}
}

// sendApart ends what cannot be waited for any more. Tasks that are done stay on the server.
func sendApart(ctx context.Context, a *frame.App, c *cluster.Cluster, jobs []*cluster.Job, seed uint64, err error) error {
	for _, job := range jobs {
		if job != nil && !errors.Is(err, cluster.ErrStopped) {
			err = errors.Join(err, c.Stop(job))
		}
	}
	var f *cluster.Failure
	switch {
	case ctx.Err() != nil:
		code, what := frame.ExitInterrupted, "interrupted"
		if errors.Is(context.Cause(ctx), frame.ErrTimeLimit) {
			code, what = frame.ExitFailed, "the time limit was reached"
		}
		return &frame.Exit{Code: code, Err: fmt.Errorf("%s; what the workers have done stays on the server, and the same command with --seed %d goes on with it", what, seed)}
	case errors.As(err, &f) && strings.HasSuffix(f.Text, "\n"): // as it would be said here
		a.Stderr.Text(f.Text)
		return &frame.Exit{Code: max(f.Code, frame.ExitFailed)}
	case errors.As(err, &f):
		return &frame.Exit{Code: frame.ExitFailed, Err: errors.New(f.Text)}
	}
	return &frame.Exit{Code: frame.ExitFailed, Err: err, Help: "what the workers have done stays on the server, and the same command goes on with it"}
}

// given are the model, its data in a list of files, and the engine that a spec describes.
func (spec *workSpec) given(files string) (input.ModelFlags, input.EngineFlags) {
	program := &input.GivenProgram{Name: spec.Name, Text: spec.Text, Included: []*source.File{}}
	for _, t := range spec.Included {
		f := source.NewFile(t.Name, t.Text)
		f.Private = t.Private
		program.Included = append(program.Included, f)
	}
	return input.ModelFlags{
		Data: files, ImputeFlag: input.ImputeFlag{Impute: spec.Flags.Impute},
		SourceFlags: input.SourceFlags{IncludeFlags: input.IncludeFlags{Given: program}, Seed: spec.Flags.Seed, Quiet: true},
	}, input.EngineFlags{NoJIT: spec.NoJIT, Divide: spec.Divide, DisableFlag: input.DisableFlag{Disable: spec.Disable}}
}

// diagnosis is the command that a spec describes, with its data in a list of files.
func (spec *workSpec) diagnosis(files string) *diagnoseCmd {
	model, engine := spec.given(files)
	return &diagnoseCmd{
		Paths: []string{spec.Name}, With: spec.Flags.With, Chains: spec.Flags.Chains, Warmup: spec.Flags.Warmup, Draws: spec.Flags.Draws,
		merged: &diagnosisRecipe{Seed: spec.Seed}, EngineFlags: engine, ModelFlags: model,
	}
}

// partsOfDiagnosis makes the diagnosis that a spec describes ready; a unit of it is a share.
func (spec *workSpec) partsOfDiagnosis(a *frame.App, files string) (unitFunc, error) {
	s, err := spec.diagnosis(files).prepare(context.Background(), a)
	if err == nil && (spec.Index < 0 || spec.Index >= len(s.asked)) {
		err = frame.Wrongf("the job's diagnosis is none of the program's")
	}
	if err != nil {
		return nil, err
	}
	return func(t unitTask) ([]byte, error) { return s.unit(spec.Index, t.Share) }, nil
}
