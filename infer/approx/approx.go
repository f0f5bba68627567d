// Package approx has what methods with an approximation share: draws from it
// with their importance ratios, and the refusal of targets without gradients.
//
// The functions keep no state; a recorder and a target belong to one goroutine.
package approx

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/psis"
)

// Stats are the sampler columns of draws from an approximation: the log density
// of the model at the draw, as in lp__, and the normalised one of the
// approximation.
var Stats = []string{draws.LogTargetColumn, draws.LogApproximationColumn}

// CancelledDraws is how many draws are still made of an approximation whose
// fit was cut short.
const CancelledDraws = 100

// scaleDraws is how many draws the scales of an approximation are measured from.
const scaleDraws = 100

// Differentiable refuses targets with whole-number coordinates.
func Differentiable(method string, t infer.Target) error {
	if m, ok := infer.Capability[infer.Mixed](t); ok && len(m.Whole()) > 0 {
		return &infer.MissingError{Method: method, Needs: "a log density with a gradient in all parameters (no discrete ones that cannot be summed out)"}
	}
	return nil
}

// Record makes n draws of a and records them, and completes the report of the
// recorder's posterior: density, evidence lower bound and Pareto shape, and whether a fit
// that is called converged is sound. When ctx
// ends during the draws those so far count; if it had ended before, there are
// CancelledDraws at most.
func Record(ctx context.Context, rec *infer.Recorder, t infer.Target, a infer.Approximation, n int, r *rand.Rand) error {
	p := rec.Posterior()
	p.Density = a
	if p.Fit == nil {
		p.Fit = &infer.FitReport{}
	}
	if ctx.Err() != nil {
		n, ctx = min(n, CancelledDraws), context.Background()
	}
	if q, ok := a.(*normal.Normal); ok {
		p.Fit.Normal = Written(rec.UnconstrainedNames(), q)
	}
	const together = 20
	points := infer.NewPoints(min(n, together), a.Dim())
	ratios := make([]float64, 0, n)
	var kept [][]float64 // as many draws as scales are measured from
	for len(ratios) < n && ctx.Err() == nil {
		some := min(n-len(ratios), together)
		for _, q := range points.Q[:some] {
			a.Draw(r, q)
		}
		points.Densities(t, some)
		for k, q := range points.Q[:some] {
			lp, err := points.Finite(k)
			if err != nil {
				return err
			}
			lq := a.LogDensity(q)
			ratios = append(ratios, lp-lq)
			if len(kept) < scaleDraws {
				kept = append(kept, slices.Clone(q))
			}
			if err := rec.Draw(q, lp, lp, lq); err != nil {
				return err
			}
		}
	}
	smooth := psis.Smooth(ratios, 1)
	p.Fit.ParetoK = smooth.K
	p.Fit.WeightShare = smooth.Share()
	p.Fit.ELBO = Bound(ratios)
	Sound(t, a, kept, p.Fit)
	return nil
}

// Bound is the mean of log ratios log p - log q over draws from q with its
// standard error: the evidence lower bound. It is -Inf, with an error of NaN,
// if a ratio is; nil without ratios.
func Bound(ratios []float64) *infer.Estimate {
	n := float64(len(ratios))
	if n == 0 {
		return nil
	}
	var mean, square float64
	for i, x := range ratios {
		if math.IsInf(x, -1) {
			return &infer.Estimate{Value: x, Error: math.NaN()}
		}
		d := x - mean
		mean += d / float64(i+1)
		square += float64(d * (x - mean))
	}
	return &infer.Estimate{Value: mean, Error: math.Sqrt(square / max(n-1, 1) / n)}
}

// Of so many coordinates, at most, a normal is written into the record of a run: independent ones, and others.
const (
	writtenIndependent = 1000
	writtenDependent   = 100
)

// Written is a normal as it is recorded; nil where its coordinates are too many or have no names.
func Written(names []string, n *normal.Normal) *draws.NormalRun {
	d := n.Dim()
	sd, independent := n.Independent()
	if len(names) != d || d == 0 || d > writtenIndependent || !independent && d > writtenDependent {
		return nil
	}
	out := &draws.NormalRun{Coordinates: names, Mean: draws.Numbers(n.Mean()), SD: draws.Numbers(sd)}
	if !independent {
		cov := make([]float64, d*d)
		n.Covariance(cov)
		for i := range d {
			out.SD = append(out.SD, draws.Number(math.Sqrt(cov[i*d+i])))
			out.Covariance = append(out.Covariance, draws.Numbers(cov[i*d:(i+1)*d]))
		}
	}
	return out
}
