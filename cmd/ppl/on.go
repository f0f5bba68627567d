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
	"time"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/cluster"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/disk"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/ir/data"
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
	On string `placeholder:"URL" help:"Have the units done by the workers (ppl work) of this NATS server (ppl serve): nats://HOST:PORT, or tls://HOST:PORT beyond this machine. What is printed and written is that of a run here."`
	accessFlags
}

func (f *accessFlags) access(a *app, url, name string) cluster.Access {
	return cluster.Access{URL: url, Credentials: f.Credentials, CA: f.CA, Insecure: f.Insecure, Name: name, Say: func(text string) { a.say("%s", text) }}
}

// without refuses flags that mean nothing beside --on, or without it.
func (f *onFlags) without(flags map[string]bool) error {
	if f.On == "" {
		for flag, given := range map[string]bool{"credentials": f.Credentials != "", "ca": f.CA != "", "insecure": f.Insecure} {
			if given {
				return wrongf("--%s belongs to --on URL", flag)
			}
		}
		return nil
	}
	for _, flag := range slices.Sorted(maps.Keys(flags)) {
		if flags[flag] {
			return wrongf("--%s: with --on the workers do the units; leave it out", flag)
		}
	}
	return nil
}

// A workSpec is the payload of a job: a diagnosis, and all that its parts depend on but the data, which are files
// of their own.
type workSpec struct {
	Version  string         `json:"version"`
	Name     string         `json:"name"` // of the model's file, for messages
	Text     string         `json:"text"`
	Included []includedText `json:"included"` // in the order of reading
	Data     []string       `json:"data"`     // the kind of each data file
	Sums     []string       `json:"sums"`     // and its hash
	Index    int            `json:"index"`    // of the diagnosis among those of the flags or the program
	Seed     uint64         `json:"seed"`
	Flags    diagnosisFlags `json:"flags"`
	NoJIT    bool           `json:"no_jit"`
	Divide   bool           `json:"divide"`
	Disable  []string       `json:"disable"`
	Tasks    int            `json:"tasks"`
}

type includedText struct {
	Name    string `json:"name"`
	Text    string `json:"text"`
	Private bool   `json:"private,omitempty"`
}

// dataKinds are the suffixes of data files; others are JSON.
var dataKinds = []string{".json", ".csv", ".tsv", ".parquet"}

// workSpec describes diagnosis i, and gives the contents of the data files.
func (s *diagnosing) workSpec(i int) (*workSpec, [][]byte, error) {
	spec := &workSpec{
		Version: s.app.build(), Name: s.program.File.Name, Text: s.program.File.Text, Included: []includedText{}, Index: i, Seed: s.seed,
		Flags: s.newRecipe(nil).Flags, NoJIT: s.NoJIT, Divide: s.Divide, Disable: s.Disable,
	}
	spec.Flags.Include = nil // their files are here
	if len(s.With) > 0 {
		spec.Flags.With, spec.Index = s.With[i:i+1], 0
	}
	for _, f := range s.program.Included {
		spec.Included = append(spec.Included, includedText{f.Name, f.Text, f.Private})
	}
	units, err := s.model.Units(s.asked[i])
	if err != nil {
		return nil, nil, err
	}
	spec.Tasks = tasksOf(units)
	texts := [][]byte{s.source.text}
	paths := []string{""}
	if s.source.text == nil {
		texts, paths = nil, nil
		if s.source.path != "" {
			paths = data.Files(s.source.path)
		}
		for _, path := range paths {
			text, err := disk.ReadInput(path, math.MaxInt64-1)
			if err != nil {
				return nil, nil, wrong(plainPath(err))
			}
			texts = append(texts, text)
		}
	}
	for k, text := range texts {
		kind := strings.ToLower(filepath.Ext(paths[k]))
		if !slices.Contains(dataKinds, kind) {
			kind = dataKinds[0]
		}
		spec.Data, spec.Sums = append(spec.Data, kind), append(spec.Sums, cluster.Hash(text))
	}
	return spec, texts, nil
}

// tasksOf is in how many tasks so many units are leased: few enough that what each begins with does not count, and enough for
// many workers.
func tasksOf(units int) int {
	const fewest, most, large = 64, 4096, 64
	return min(units, max(fewest, min(units/large, most)))
}

// job makes what is submitted of a diagnosis.
func (spec *workSpec) job(texts [][]byte) (*cluster.Job, map[string][]byte, error) {
	payload, err := json.Marshal(spec)
	if err != nil {
		return nil, nil, err
	}
	id := cluster.Hash(payload)
	job := &cluster.Job{ID: id, Version: spec.Version, Tasks: spec.Tasks, Files: append([]string{id}, spec.Sums...)}
	files := map[string][]byte{id: payload}
	for k, sum := range spec.Sums {
		files[sum] = texts[k]
	}
	return job, files, nil
}

// afar has the parts of all diagnoses done by workers, and keeps them as those of shares that are merged.
func (s *diagnosing) afar(ctx context.Context) error {
	c, err := cluster.Connect(ctx, s.access(s.app, s.On, "ppl diagnose"))
	if err != nil {
		return wrong(err)
	}
	defer c.Close()
	var jobs []*cluster.Job
	for i := range s.asked {
		spec, texts, err := s.workSpec(i)
		if err != nil {
			return err
		}
		job, files, err := spec.job(texts)
		if err == nil {
			err = c.Submit(ctx, job, files)
		}
		if err != nil {
			return s.apart(ctx, c, append(jobs, job), err)
		}
		jobs = append(jobs, job)
	}
	var all []gathered
	for i, job := range jobs {
		parts, err := s.await(ctx, c, job, s.asked[i].Name())
		if err != nil {
			return s.apart(ctx, c, jobs[i:], err)
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
	said := map[string]time.Time{}
	return out, c.Wait(ctx, job, func(task int, result []byte) error {
		parts, _, bad := readParts(bytes.NewReader(result))
		if bad > 0 {
			return fmt.Errorf("the result of task %d is not as it was written", task+1)
		}
		maps.Copy(out, parts)
		done++
		show.Step(infer.Step{Done: done, Total: job.Tasks})
		return nil
	}, func(text string) {
		if !s.Quiet && time.Since(said[text]) > time.Minute { // workers say it again and again
			said[text] = time.Now()
			s.app.stderr.home()
			s.app.say("%s", text)
		}
	})
}

// apart ends what cannot be waited for any more. Tasks that are done stay on the server.
func (s *diagnosing) apart(ctx context.Context, c *cluster.Cluster, jobs []*cluster.Job, err error) error {
	for _, job := range jobs {
		if job != nil && !errors.Is(err, cluster.ErrStopped) {
			err = errors.Join(err, c.Stop(job))
		}
	}
	var f *cluster.Failure
	switch {
	case ctx.Err() != nil:
		code, what := exitInterrupted, "interrupted"
		if errors.Is(context.Cause(ctx), errTimeLimit) {
			code, what = exitFailed, "the time limit was reached"
		}
		return &exit{code: code, err: fmt.Errorf("%s; what the workers have done stays on the server, and the same command with --seed %d goes on with it", what, s.seed)}
	case errors.As(err, &f) && strings.HasSuffix(f.Text, "\n"): // as it would be said here
		s.app.stderr.text(f.Text)
		return &exit{code: max(f.Code, exitFailed)}
	case errors.As(err, &f):
		return &exit{code: exitFailed, err: errors.New(f.Text)}
	}
	return &exit{code: exitFailed, err: err, help: "what the workers have done stays on the server, and the same command goes on with it"}
}

// command is the diagnosis that a spec describes, with its data in a list of files.
func (spec *workSpec) command(files string) *diagnoseCmd {
	program := &givenProgram{name: spec.Name, text: spec.Text, included: []*source.File{}}
	for _, t := range spec.Included {
		f := source.NewFile(t.Name, t.Text)
		f.Private = t.Private
		program.included = append(program.included, f)
	}
	return &diagnoseCmd{
		Paths: []string{spec.Name}, With: spec.Flags.With, Chains: spec.Flags.Chains, Warmup: spec.Flags.Warmup, Draws: spec.Flags.Draws,
		merged:      &diagnosisRecipe{Seed: spec.Seed},
		engineFlags: engineFlags{NoJIT: spec.NoJIT, Divide: spec.Divide, disableFlag: disableFlag{spec.Disable}},
		modelFlags: modelFlags{
			Data: files, imputeFlag: imputeFlag{spec.Flags.Impute},
			sourceFlags: sourceFlags{includeFlags: includeFlags{given: program}, Seed: spec.Flags.Seed, Quiet: true},
		},
	}
}
