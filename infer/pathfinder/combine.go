// This file makes one posterior of the paths' draws.

package pathfinder

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/approx"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/psis"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// pathDraws are draws from one path's approximation.
type pathDraws struct {
	q      [][]float64
	lp, lq []float64 // of the model, of the approximation
}

func drawPath(t infer.Target, a *normal.Normal, r *rand.Rand, n int) (*pathDraws, error) {
	d := &pathDraws{q: make([][]float64, n), lp: make([]float64, n), lq: make([]float64, n)}
	for i := range n {
		d.q[i] = make([]float64, a.Dim())
		a.Draw(r, d.q[i])
		lp, err := infer.FiniteLogDensity(t, d.q[i])
		if err != nil {
			return nil, err
		}
		d.lp[i], d.lq[i] = lp, a.LogDensity(d.q[i])
	}
	return d, nil
}

// drawID is draw i of a path.
type drawID struct{ path, i int }

// combine records the draws and completes the report.
func (r *run) combine() error {
	report := &infer.FitReport{ParetoK: math.NaN()}
	r.rec.Posterior().Fit = report
	var ids []drawID
	var ratios []float64
	var parts []*normal.Normal
	for k, p := range r.paths {
		if p == nil {
			continue
		}
		if r.rec.Posterior().Chains[0].Init == nil {
			r.rec.Posterior().Chains[0].Init = p.Start
		}
		for _, t := range p.Trace {
			t.Path = k
			report.Trace = append(report.Trace, t)
		}
		report.Iterations += p.Search.Iteration
		report.Evaluations += p.Evaluations
		report.Converged = report.Converged || p.Search.Stop.Converged()
		if report.Stop == "" || report.Converged {
			report.Stop = string(p.Search.Stop)
		}
		if d := r.draws[k]; d != nil {
			parts = append(parts, p.Normal)
			for i := range d.q {
				ids = append(ids, drawID{k, i})
				ratios = append(ratios, d.lp[i]-d.lq[i])
			}
		}
	}
	if len(parts) == 0 {
		return nil // interrupted before the first approximation
	}
	smooth := psis.Smooth(ratios, 1)
	report.ParetoK = smooth.K
	report.WeightShare = smooth.Share()
	if len(parts) > 1 {
		weights := make([]float64, len(ids))
		infer.Weights(smooth.LogWeights, weights)
		r.mix(parts, ids, weights)
		ids = r.resample(ids, weights)
	} else {
		r.rec.Posterior().Density = parts[0]
		report.ELBO = approx.Bound(ratios)
	}
	for _, id := range ids {
		d := r.draws[id.path]
		if err := r.rec.Draw(d.q[id.i], d.lp[id.i], d.lq[id.i], float64(id.path+1)); err != nil {
			return err
		}
	}
	return nil
}

// resample draws Options.Draws of ids in proportion to their weights.
func (r *run) resample(ids []drawID, weights []float64) []drawID {
	stream := rng.New(r.options.Seed, "pathfinder/resample", 0, r.options.Replicate)
	parent := make([]int, min(r.method.options.Draws, len(ids)))
	infer.ResampleSystematic(stream, weights, parent)
	variate.Shuffle(stream, len(parent), func(i, j int) { parent[i], parent[j] = parent[j], parent[i] })
	out := make([]drawID, len(parent))
	for i, p := range parent {
		out[i] = ids[p]
	}
	return out
}

// mix sets the mixture of the paths' approximations, weighed by the weights of
// their draws, and its evidence lower bound, from the same draws.
func (r *run) mix(parts []*normal.Normal, ids []drawID, weights []float64) {
	shares := make([]float64, len(r.paths))
	for i, id := range ids {
		shares[id.path] += weights[i]
	}
	own := make([]float64, 0, len(parts))
	for k, d := range r.draws {
		if d != nil {
			own = append(own, shares[k])
		}
	}
	m := normal.NewMixture(parts, own)
	total := infer.Estimate{}
	for k, d := range r.draws {
		if d == nil || shares[k] == 0 {
			continue
		}
		terms := slices.Clone(d.lp)
		for i, q := range d.q {
			terms[i] -= m.LogDensity(q)
		}
		b := approx.Bound(terms)
		total.Value += float64(shares[k] * b.Value)
		total.Error = libm.Hypot(total.Error, shares[k]*b.Error)
	}
	p := r.rec.Posterior()
	p.Density, p.Fit.ELBO = m, &total
}
