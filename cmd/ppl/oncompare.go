package main

// This file has models annealed by the workers of a server: ppl compare --on URL.

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/cluster"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/input"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/legs"
	comparison "github.com/seed-12b88e03/ppl/diagnose/compare"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/lang"
)

// annealed has each model annealed by a worker.
func (c *compareCmd) annealed(ctx context.Context, a *frame.App, models []*fittedModel, seed uint64) ([]comparison.Evidence, error) {
	server, err := cluster.Connect(ctx, c.access(a, c.On, "ppl compare"))
	if err != nil {
		return nil, frame.Wrong(err)
	}
	defer server.Close()
	var jobs []*cluster.Job
	for _, m := range models {
		spec, err := newWorkSpec(a, "annealings", m.program, m.source, m.Run.Seed)
		if err != nil {
			return nil, err
		}
		spec.Flags.Seed, spec.Tasks = &seed, 1
		job, files, err := spec.job()
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, job)
		if err := server.Submit(ctx, job, files); err != nil {
			return nil, sendApart(ctx, a, server, jobs, seed, err)
		}
	}
	out := make([]comparison.Evidence, len(jobs))
	for i, job := range jobs {
		err := server.Wait(ctx, job, func(_ int, result []byte) error {
			if err := gob.NewDecoder(bytes.NewReader(result)).Decode(&out[i]); err != nil {
				return fmt.Errorf("the evidence of %s is not as it was written: %w", models[i].Dir, err)
			}
			return nil
		}, hindrances(a, c.Quiet))
		if err != nil {
			return nil, sendApart(ctx, a, server, jobs[i:], seed, err)
		}
	}
	return out, nil
}

// annealings makes the model that a spec describes ready; the one unit is its evidence.
func (spec *workSpec) annealings(a *frame.App, files string) (unitFunc, error) {
	if spec.Flags.Seed == nil {
		return nil, frame.Wrongf("the job does not say by which seed")
	}
	model, _ := spec.given(files)
	p, err := model.Compile(a, spec.Name)
	if err != nil {
		return nil, err
	}
	m, err := input.BindModel(context.Background(), a, p, model.DataSource(a, p, spec.Name), lang.BindOptions{Seed: spec.Seed})
	if err != nil {
		return nil, err
	}
	return func(unitTask) (out []byte, err error) {
		bug := infer.Guarded(func() error {
			out, err = legs.Encode(m.Annealed(context.Background(), *spec.Flags.Seed, 1))
			return err
		})
		return out, bug
	}, nil
}
