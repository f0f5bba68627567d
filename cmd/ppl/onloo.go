package main

// This file has fits without observations made by the workers of a server: ppl loo --on URL.

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/cluster"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/input"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/legs"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/disk"
	"github.com/seed-12b88e03/ppl/lang"
)

// wirePrediction is a lang.Prediction whose error is words.
type wirePrediction struct {
	ELPD []float64
	Err  string
}

// elsewhere has the fits of a model made by workers.
func (c *looCmd) elsewhere(a *frame.App, m *fittedModel) func(context.Context, []lang.LeftOut) ([]lang.Prediction, error) {
	return func(ctx context.Context, all []lang.LeftOut) ([]lang.Prediction, error) {
		spec, failed := newWorkSpec(a, "refits", m.program, m.source, m.Run.Seed)
		if failed != nil {
			c.lost = failed
			return nil, failed
		}
		var inputs [][]byte
		for _, one := range all {
			text, _ := json.Marshal(one) // whole numbers
			inputs = append(inputs, text)
		}
		out := make([]lang.Prediction, len(all))
		job, files, failed := spec.job(inputs...)
		if failed == nil {
			failed = c.cluster.Submit(ctx, job, files)
		}
		if failed == nil {
			failed = c.cluster.Wait(ctx, job, func(task int, result []byte) error {
				var w wirePrediction
				if err := gob.NewDecoder(bytes.NewReader(result)).Decode(&w); err != nil || len(w.ELPD) > len(all[task].Observations) || w.Err == "" && len(w.ELPD) < len(all[task].Observations) {
					return fmt.Errorf("the result of task %d is not as it was written", task+1)
				}
				if out[task].ELPD = w.ELPD; w.Err != "" {
					out[task].Err = errors.New(w.Err)
				}
				return nil
			}, hindrances(a, c.Quiet))
		}
		if failed != nil {
			c.lost = sendApart(ctx, a, c.cluster, []*cluster.Job{job}, m.Run.Seed, failed)
		}
		return out, failed
	}
}

// refits makes the model that a spec describes ready; a unit of it is what is left out at a time.
func (spec *workSpec) refits(a *frame.App, files string) (unitFunc, error) {
	model, engine := spec.given(files)
	p, err := model.Compile(a, spec.Name)
	if err != nil {
		return nil, err
	}
	m, err := input.BindModel(context.Background(), a, p, model.DataSource(a, p, spec.Name), engine.Options(spec.Seed))
	if err != nil {
		return nil, err
	}
	return func(t unitTask) ([]byte, error) {
		text, err := disk.ReadFile(t.Input)
		var one lang.LeftOut
		if err == nil {
			err = json.Unmarshal(text, &one)
		}
		if err != nil || len(one.Observations) == 0 {
			return nil, errors.New("what is to be left out cannot be read")
		}
		var out lang.Prediction
		if bug := infer.Guarded(func() error {
			out = m.Without(context.Background(), one, lang.RefitOptions{Seed: spec.Seed, Jobs: 1})
			return nil
		}); bug != nil {
			return nil, bug
		}
		w := wirePrediction{ELPD: out.ELPD}
		if out.Err != nil {
			if f := failureOf(out.Err); !f.Final { // of this machine
				return nil, f
			}
			w.Err = out.Err.Error()
		}
		return legs.Encode(w)
	}, nil
}
