package main

// This file has data sets drawn by the workers of a server: ppl simulate --on URL.

import (
	"bytes"
	"context"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/cluster"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/lang"
)

// between stands between two data sets of an array.
const between = ",\n"

// afar has n data sets drawn by workers, and returns them as they stand in an array.
func (c *simulateCmd) afar(ctx context.Context, a *frame.App, p *lang.Program, seed uint64, n int) ([]byte, error) {
	spec, err := newWorkSpec(a, "simulations", p, c.DataSource(a, p, c.Model), seed)
	if err != nil {
		return nil, err
	}
	spec.Flags.Seed, spec.Flags.Draws, spec.Tasks = &seed, &n, tasksOf(n)
	job, files, err := spec.job()
	if err != nil {
		return nil, err
	}
	server, err := cluster.Connect(ctx, c.access(a, c.On, "ppl simulate"))
	if err != nil {
		return nil, frame.Wrong(err)
	}
	defer server.Close()
	parts := make([][]byte, job.Tasks)
	if err = server.Submit(ctx, job, files); err == nil {
		err = server.Wait(ctx, job, func(task int, result []byte) error {
			parts[task] = result
			return nil
		}, hindrances(a, c.Quiet))
	}
	if err != nil {
		return nil, sendApart(ctx, a, server, []*cluster.Job{job}, seed, err)
	}
	return bytes.Join(parts, []byte(between)), nil
}

// simulation is the command that a spec describes, with its data in a list of files.
func (spec *workSpec) simulation(files string) *simulateCmd {
	model, _ := spec.given(files)
	return &simulateCmd{Model: spec.Name, ModelFlags: model, Replications: spec.Flags.Draws}
}

// simulations makes the simulator that a spec describes ready; a unit is a share of its data sets, one after the other.
func (spec *workSpec) simulations(a *frame.App, files string) (unitFunc, error) {
	c := spec.simulation(files)
	if err := c.validate(); err != nil {
		return nil, err
	}
	if c.Replications == nil {
		return nil, frame.Wrongf("the job does not say how many data sets there are to be")
	}
	p, err := c.Compile(a, c.Model)
	if err != nil {
		return nil, err
	}
	m, err := c.unobserved(a, p, nil, spec.Seed)
	if err != nil {
		return nil, err
	}
	sims := c.source(m, nil, spec.Seed)
	return func(t unitTask) (out []byte, err error) {
		share, err := infer.ParseShare(t.Share)
		if err != nil {
			return nil, err
		}
		err = infer.Guarded(func() error {
			from, to := of(share, sims.n)
			for i := from; i < to; i++ {
				s, err := sims.draw(i)
				if err != nil {
					return err
				}
				text, err := s.JSON()
				if err != nil {
					return frame.Wrong(err)
				}
				if len(out) > 0 {
					out = append(out, between...)
				}
				out = append(out, bytes.TrimSpace(text)...)
			}
			return nil
		})
		return out, err
	}, nil
}
