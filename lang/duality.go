package lang

// This file has what blocks of parameters know of each other: estimates from a Gibbs
// sampler's draws, and the record of these and of coordinate ascent's.

import (
	"context"
	"errors"
	"math"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/cavi"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/lang/check"
)

// inform adds to the draws of a Gibbs sampler the mutual information of its blocks,
// where the model can be taken apart as that needs. The unconstrained draws are dropped.
func (m *Model) inform(ctx context.Context, c *check.CheckedMethod, post *infer.Posterior) error {
	var points [][]float64
	for _, c := range post.Unconstrained {
		points = append(points, c...)
	}
	post.Unconstrained = nil
	joint, ok := m.bound.Joint().(infer.Factorisable)
	if !ok || len(points) == 0 {
		return nil
	}
	blocks := infer.Blocking{Choice: infer.Jointly}
	if c.Has("blocks") {
		blocks = blocking(c)
	}
	d, err := cavi.Information(ctx, joint, blocks, points)
	if errors.As(err, new(*infer.MissingError)) || errors.As(err, new(*infer.GroupError)) {
		return nil
	}
	post.Duality = d
	return err
}

func recordDuality(d *infer.Duality) *draws.DualityRun {
	if d == nil {
		return nil
	}
	known := func(e infer.Estimate) *draws.EstimateRun {
		if math.IsNaN(e.Value) {
			return nil
		}
		return recordEstimate(&e)
	}
	r := &draws.DualityRun{LogEvidence: known(d.LogEvidence), Exact: d.Exact, Joinable: d.Joinable, Improper: d.Improper, Unresolved: d.Unresolved}
	for _, f := range d.Factors {
		r.Factors = append(r.Factors, draws.FactorRun{
			Name: f.Name, Form: f.Form, Squashing: known(f.Squashing), Bound: known(f.Bound),
			Divergence: known(f.Divergence), Information: known(f.Information),
		})
	}
	return r
}

func dualityOf(r *draws.DualityRun) *infer.Duality {
	if r == nil {
		return nil
	}
	read := func(e *draws.EstimateRun) infer.Estimate {
		if e == nil {
			return infer.Estimate{Value: math.NaN(), Error: math.NaN()}
		}
		return *estimateOf(e)
	}
	d := &infer.Duality{LogEvidence: read(r.LogEvidence), Exact: r.Exact, Joinable: r.Joinable, Improper: r.Improper, Unresolved: r.Unresolved}
	for _, f := range r.Factors {
		d.Factors = append(d.Factors, infer.FactorReport{
			Name: f.Name, Form: f.Form, Squashing: read(f.Squashing), Bound: read(f.Bound),
			Divergence: read(f.Divergence), Information: read(f.Information),
		})
	}
	return d
}
