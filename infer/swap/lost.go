// This file looks for what the old priors cut off from the swapped posterior.

package swap

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// probes is how many steps from the new draws are tried. Only those that leave the old
// priors' support look at the data.
const probes = 1000

// lost estimates the probability that a Metropolis step under the new priors leaves the
// support of the old ones, where the posterior under these says nothing and the swapped
// one is zero. Under the right posterior as many steps come back, so that what lies there
// is at least about as much. Steps are of one or two standard deviations of a coordinate.
func (f *falsePosterior) lost(report *infer.SwapReport, priors Priors, p *infer.Posterior, o infer.Options) error {
	cut, ok := priors.Difference().(Cut)
	from := thinned(slices.Concat(p.Unconstrained...), probes)
	if !ok || len(from) == 0 {
		return nil
	}
	spread := f.spreads(p)
	target, r := priors.Model().NewEvaluator(), rng.New(o.Seed, "prior_swap/lost", 0, o.Replicate)
	sum := 0.0
	for i := range probes {
		q := from[i%len(from)]
		to := slices.Clone(q)
		k := i % len(f.coords)
		to[f.coords[k]] += float64(spread[k] * 2 * variate.Normal(r))
		outside, err := cut.OldZero(to[:cut.Dim()])
		if infer.IsReject(err) || err == nil && !outside {
			continue
		}
		if err != nil {
			return err
		}
		a, err := infer.FiniteLogDensity(target, q[:target.Dim()])
		if err != nil {
			return err
		}
		b, err := infer.FiniteLogDensity(target, to[:target.Dim()])
		if err != nil {
			return err
		}
		if !math.IsInf(b, -1) {
			sum += libm.Exp(min(0, b-a))
		}
	}
	report.Lost = sum / probes
	return nil
}

// spreads are standard deviations of the sampled coordinates: of the new draws, or of the
// first posterior where these do not vary, as a mode does not.
func (f *falsePosterior) spreads(p *infer.Posterior) []float64 {
	out := make([]float64, len(f.coords))
	for k, i := range f.coords {
		if out[k] = draws.SD(column(p.Unconstrained, i)); !(out[k] > 0) {
			out[k] = draws.SD([][]float64{column([][][]float64{f.sample}, i)[0]})
		}
	}
	return out
}
