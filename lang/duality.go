package lang

// This file turns the report of coordinate ascent into a record and back.

import (
	"math"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

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
	r := &draws.DualityRun{LogEvidence: known(d.LogEvidence), Exact: d.Exact}
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
	d := &infer.Duality{LogEvidence: read(r.LogEvidence), Exact: r.Exact}
	for _, f := range r.Factors {
		d.Factors = append(d.Factors, infer.FactorReport{
			Name: f.Name, Form: f.Form, Squashing: read(f.Squashing), Bound: read(f.Bound),
			Divergence: read(f.Divergence), Information: read(f.Information),
		})
	}
	return d
}
