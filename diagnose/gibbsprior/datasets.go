// This file looks at the pointwise priors of a method over data sets.

package gibbsprior

import (
	"context"
	"fmt"
	"math"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// PointwiseFigures are about the pointwise priors of a method with a density: of its
// answer to the data at hand, and whether those of simulated data sets are proper.
type PointwiseFigures struct {
	Proper     bool             `json:"proper"`     // at the data at hand
	Curvature  draws.Number     `json:"curvature"`  // see Pointwise
	K          draws.Number     `json:"pareto_k"`   // of the weights behind the statistics
	Statistics []PointwiseValue `json:"statistics"` // empty where it is improper
	Datasets   int              `json:"datasets"`   // simulated ones
	Improper   int              `json:"improper"`   // those of them with an improper one
}

// PointwiseValue are the moments of a quantity under a pointwise prior.
type PointwiseValue struct {
	Name string       `json:"name"`
	Mean draws.Number `json:"mean"`
	SD   draws.Number `json:"sd"`
}

const (
	pointwiseDatasets = 9
	pointwiseDraws    = 1000
)

// kept is what a data set's pointwise prior is worth keeping of, for resuming.
type kept struct {
	None   bool             `json:"none,omitempty"` // the method has no density, or its fit failed
	Proper bool             `json:"proper,omitempty"`
	Curve  diagnose.Floats  `json:"curvature,omitempty"`
	K      diagnose.Floats  `json:"k,omitempty"`
	Values []PointwiseValue `json:"values,omitempty"`
}

func (k kept) whole() bool { return k.None || len(k.Curve) == 1 && len(k.K) == 1 }

// pointwise makes the figures; nil where the method has no density on the model's
// coordinates, where the likelihood is not known apart from the prior, or when ctx ends. The data at hand are unit number
// unit, the simulated ones those after it.
func (s *sampler) pointwise(ctx context.Context, m infer.Model, names []string, values func([][]float64) ([][]float64, error), jobs, unit int) (*PointwiseFigures, error) {
	if b, ok := m.(interface{ SimulatesByBlock() bool }); ok && b.SimulatesByBlock() {
		return nil, nil // the likelihood need not be that of the data
	}
	first := kept{Curve: diagnose.Floats{0}, K: diagnose.Floats{0}} // of another share
	var err error
	if s.share.Has(unit) {
		err = infer.Guarded(func() (err error) {
			first, err = diagnose.Part(s.count, "pointwise, data at hand", kept.whole, func() (kept, error) {
				return s.ofData(ctx, m, 0, names, values)
			})
			return err
		})
		s.count.Add(1)
	}
	if first.None || err != nil || ctx.Err() != nil {
		return nil, err
	}
	f := &PointwiseFigures{Proper: first.Proper, Curvature: draws.Number(first.Curve[0]), K: draws.Number(first.K[0]), Statistics: append([]PointwiseValue{}, first.Values...)}
	found := make([]kept, pointwiseDatasets)
	err = infer.Each(ctx, jobs, len(found), func(ctx context.Context, i int) error {
		if !s.share.Has(unit + 1 + i) {
			return nil
		}
		var err error
		found[i], err = diagnose.Part(s.count, fmt.Sprintf("pointwise %d", i+1), kept.whole, func() (kept, error) {
			data, _, err := diagnose.Simulate(s.stated, rng.New(s.options.Seed, "gibbs_prior/pointwise", uint64(i), s.options.Replicate), make([]float64, s.stated.Dim()))
			if err != nil {
				return kept{}, err
			}
			model, err := s.model.Rebound(data)
			if err != nil {
				return kept{}, err
			}
			return s.ofData(ctx, model, uint64(i+1), nil, nil)
		})
		s.count.Add(1)
		return err
	})
	if ctx.Err() != nil {
		return nil, nil
	}
	for _, k := range found {
		if k.None {
			continue
		}
		f.Datasets++
		if !k.Proper {
			f.Improper++
		}
	}
	return f, err
}

// pointwiseReplicates is the first replicate of these fits, beyond those of all chains.
const pointwiseReplicates = 1 << 62

// ofData fits the method and looks at the pointwise prior; moments are taken where names
// are given. A fit that fails has none.
func (s *sampler) ofData(ctx context.Context, m infer.Model, id uint64, names []string, values func([][]float64) ([][]float64, error)) (kept, error) {
	o := s.options
	o.Replicate += pointwiseReplicates + id
	p, err := s.method.Run(ctx, m, o)
	if ctx.Err() != nil {
		return kept{}, ctx.Err()
	}
	if err != nil {
		return kept{None: true}, nil
	}
	q, ok := p.Approximation()
	t, missing := infer.Split("gibbs_prior", m.NewEvaluator())
	if !ok || missing != nil || q.Dim() != t.Dim() || q.Dim() == 0 || q.Dim() > MostPointwise {
		return kept{None: true}, nil
	}
	if mixed, whole := infer.Capability[infer.Mixed](t); whole && len(mixed.Whole()) > 0 {
		return kept{None: true}, nil // on a finite space every prior is proper
	}
	r := rng.New(o.Seed, "gibbs_prior/pointwise draws", id, s.options.Replicate)
	w, err := NewPointwise(q, t, r)
	if err != nil {
		return kept{}, err
	}
	k := kept{Proper: w.Proper, Curve: diagnose.Floats{w.Curvature}, K: diagnose.Floats{math.NaN()}}
	if names == nil {
		return k, nil
	}
	points, logw, shape, ok := w.Draw(r, pointwiseDraws)
	if !ok {
		return k, nil
	}
	for i, q := range points {
		if points[i], err = s.complete(m, q, nil, r); err != nil {
			return k, err
		}
	}
	x, err := values(points)
	if err != nil {
		return k, err
	}
	k.K[0] = shape
	k.Values = weighted(names, x, logw)
	return k, nil
}

// weighted are the moments of quantities under weights.
func weighted(names []string, x [][]float64, logw []float64) []PointwiseValue {
	w := make([]float64, len(logw))
	infer.Weights(logw, w)
	out := make([]PointwiseValue, len(names))
	for k, name := range names {
		var mean, square float64
		for i, row := range x {
			mean += float64(w[i] * row[k])
		}
		for i, row := range x {
			square += float64(w[i] * (row[k] - mean) * (row[k] - mean))
		}
		out[k] = PointwiseValue{name, draws.Number(mean), draws.Number(math.Sqrt(square))}
	}
	return out
}
