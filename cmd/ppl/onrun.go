package main

// This file has the chains of fits moved by the workers of a server: ppl run --on URL.

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/cluster"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/input"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/legs"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/outputs"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/disk"
	"github.com/seed-12b88e03/ppl/lang"
)

// runFlags are flags of ppl run that chains depend on.
type runFlags struct {
	Method     []string `json:"method,omitempty"`
	Like       string   `json:"like,omitempty"`
	Radius     string   `json:"radius,omitempty"` // of --init
	Points     string   `json:"points,omitempty"` // hash of the file of --init
	SaveWarmup bool     `json:"save_warmup,omitempty"`
}

// connect reaches the server of --on, where there is something for it to do.
func (s *session) connect(ctx context.Context) (end func(), err error) {
	if s.On == "" {
		return func() {}, nil
	}
	if s.Parts > 0 {
		return s.delegate(ctx)
	}
	divides := func(m *lang.Method) bool { return m.Divides() }
	if !slices.ContainsFunc(s.methods, divides) {
		return nil, frame.Wrongf("--on has chains moved by workers, and %s has none of its own; leave --on out", s.methods[0].Name())
	}
	if s.cluster, err = cluster.Connect(ctx, s.access(s.app, s.On, "ppl run")); err != nil && ctx.Err() != nil {
		return nil, frame.EndedEarly(ctx)
	} else if err != nil {
		return nil, frame.Wrong(err)
	}
	for i, m := range s.methods {
		if !divides(m) && !s.Quiet {
			s.app.Say("%s is one piece, and is done here", s.names[i])
		}
	}
	return s.cluster.Close, nil
}

// A courier has the legs of a fit's chains done by workers. It implements infer.Relay.
type courier struct {
	*session
	spec *workSpec
	say  func(string)
	err  error // why it ended, as the command tells it
}

// courier is that of method i; nil where its chains stay here.
func (s *session) courier(i int) (*courier, error) {
	if s.cluster == nil || s.Parts > 0 || !s.methods[i].Divides() {
		return nil, nil
	}
	spec, err := newWorkSpec(s.app, "chains", s.program, s.data, s.seed)
	if err != nil {
		return nil, err
	}
	f := &spec.Flags
	f.Chains, f.Warmup, f.Draws, f.Seed = s.Chains, s.Warmup, s.Draws, s.Seed
	spec.Index, spec.NoJIT, spec.Divide, spec.Disable = i, s.NoJIT, s.Divide, s.Disable
	spec.Run = &runFlags{Method: s.Method, Like: s.Like, SaveWarmup: s.SaveWarmup}
	if _, ok := s.radius(); ok {
		spec.Run.Radius = s.Init
	}
	if s.recipe.Init != nil {
		spec.Run.Points = s.recipe.Init.SHA256
	}
	return &courier{session: s, spec: spec, say: hindrances(s.app, s.Quiet)}, nil
}

// Advance implements infer.Relay.
func (c *courier) Advance(ctx context.Context, way []infer.Leg, arrived func(int, *infer.Passage) error) error {
	var inputs [][]byte
	var all strings.Builder // of the legs, in words that are the same in every process
	for _, leg := range way {
		text, err := legs.Encode(leg)
		if err != nil {
			return err
		}
		inputs = append(inputs, text)
		from := *leg.From
		leg.From = nil
		fmt.Fprintf(&all, "%+v %+v\n", leg, from)
	}
	job, files, err := c.spec.job(inputs...)
	if err != nil {
		return err
	}
	job.ID = cluster.Hash(fmt.Append(nil, job.Files[0], all.String()))
	err = c.cluster.Submit(ctx, job, files)
	if err == nil {
		err = c.cluster.Wait(ctx, job, func(task int, result []byte) error {
			p, err := legs.DecodePassage(result)
			if err != nil {
				return fmt.Errorf("the result of chain %d is not as it was written: %w", task+1, err)
			}
			return arrived(task, p)
		}, c.say)
	}
	if err != nil {
		c.err = sendApart(ctx, c.app, c.cluster, []*cluster.Job{job}, c.seed, err)
	}
	return err
}

// run is the command that a spec of chains describes, with its data in a list of files.
func (spec *workSpec) run(files string) *runCmd {
	model, engine := spec.given(files)
	return &runCmd{
		Model: spec.Name, ModelFlags: model, EngineFlags: engine, Method: spec.Run.Method, Like: spec.Run.Like, Init: spec.Run.Radius,
		Chains: spec.Flags.Chains, Warmup: spec.Flags.Warmup, Draws: spec.Flags.Draws, Digits: defaultDigits, drawn: &spec.Seed,
		OutputFlags: outputs.OutputFlags{LogLik: outputs.DefaultLogLik},
	}
}

// legsOfChains makes the method that a spec describes ready; a unit of it is a leg.
func (spec *workSpec) legsOfChains(a *frame.App, files string) (unitFunc, error) {
	if spec.Run == nil {
		return nil, frame.Wrongf("the job does not say what is to be run")
	}
	c := spec.run(files)
	s := &session{runCmd: c, app: a, seed: spec.Seed}
	if err := s.choose(); err != nil {
		return nil, err
	}
	if spec.Index < 0 || spec.Index >= len(s.methods) {
		return nil, frame.Wrongf("the job's method is none of the program's")
	}
	s.data = c.DataSource(a, s.program, c.Model)
	var err error
	if s.model, err = input.BindModel(context.Background(), a, s.program, s.data, c.Options(s.seed)); err != nil {
		return nil, err
	}
	m := s.methods[spec.Index]
	return func(t unitTask) ([]byte, error) {
		text, err := disk.ReadFile(t.Input)
		if err != nil {
			return nil, err
		}
		leg, err := legs.Decode[infer.Leg](text)
		if err != nil {
			return nil, fmt.Errorf("the leg cannot be read: %w", err)
		}
		fit, err := s.model.Run(context.Background(), m, lang.RunOptions{Seed: s.seedOf(m), SaveWarmup: spec.Run.SaveWarmup, Shared: s.shared, Leg: leg})
		if err != nil {
			return nil, err
		}
		return legs.EncodePassage(fit.Posterior.Passage)
	}, nil
}
