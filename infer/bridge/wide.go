// This file widens an approximation whose tails are too short to be weighted to the
// posterior.

package bridge

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

const (
	// freedom is the degrees of freedom of the heavy-tailed part: its tails fall as a power,
	// slower than those of the usual posteriors on the unconstrained scale, and it has a
	// covariance.
	freedom = 4
	// kept is the share of the approximation, whose weights have been found wanting.
	kept = 0.2
	// rounds is how often the heavy-tailed part is moved to where the posterior is.
	rounds = 5
	// least is how many draws of a widened approximation are made, at least.
	least = 4000
)

// A wide is the mixture of an approximation and a multivariate t distribution: where
// the approximation has nearly nothing, ratios of the posterior to it are bounded by those
// to the other part.
type wide struct {
	infer.Approximation
	heavy    *normal.Normal // whose mean and covariance are location and scale of the t
	constant float64        // log density of the t over that of the normal, at the mean
}

func newWide(q infer.Approximation, heavy *normal.Normal) *wide {
	d := float64(q.Dim())
	at, _ := libm.Lgamma((freedom + d) / 2)
	from, _ := libm.Lgamma(freedom / 2.)
	return &wide{q, heavy, at - from - float64(d/2*libm.Log(freedom/2.))}
}

// LogDensity implements infer.Density.
func (w *wide) LogDensity(q []float64) float64 {
	z := make([]float64, len(q))
	w.heavy.Whiten(q, z)
	var square float64
	for _, v := range z {
		square += float64(v * v)
	}
	d := float64(len(q))
	t := w.heavy.LogDensity(q) + float64(square/2) + w.constant - float64((freedom+d)/2*libm.Log1p(square/freedom))
	return infer.LogSumExp([]float64{libm.Log(kept) + w.Approximation.LogDensity(q), libm.Log1p(-kept) + t})
}

// Draw implements infer.Approximation.
func (w *wide) Draw(r *rand.Rand, q []float64) {
	if r.Float64() < kept {
		w.Approximation.Draw(r, q)
		return
	}
	z := make([]float64, len(q))
	for i := range z {
		z[i] = variate.Normal(r)
	}
	var chi float64
	for range freedom {
		x := variate.Normal(r)
		chi += float64(x * x)
	}
	for i := range z {
		z[i] /= math.Sqrt(chi / freedom)
	}
	w.heavy.Place(z, q)
}

// widened is q with a heavy-tailed part, first about q and then about draws that are
// resampled to the posterior, each time of the mixture before.
func widened(ctx context.Context, q infer.Approximation, t infer.Tempered, n int, r *rand.Rand) (*wide, error) {
	points := make([][]float64, n)
	for i := range points {
		points[i] = make([]float64, q.Dim())
		q.Draw(r, points[i])
	}
	heavy, err := approximate(points, q.Dim())
	if err != nil {
		return nil, err
	}
	w := newWide(q, heavy)
	for range rounds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if points, _, err = resampled(w, t, n, r); err != nil {
			return nil, err
		}
		if heavy, err = approximate(points, q.Dim()); err != nil {
			return w, nil // too few different draws are left: what was there serves better
		}
		w = newWide(q, heavy)
	}
	return w, nil
}
