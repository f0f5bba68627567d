// This file estimates the divergence between a method's answers and the posteriors.

package sbc

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// Divergence is the symmetrised divergence KL(p||q) + KL(q||p) between the posterior p and
// the method's density q on the unconstrained scale, expected over simulated data sets,
// in nats (Domke, "An easy to interpret diagnostic for approximate inference: symmetric
// divergence over simulations", 2021). The true parameters of a data set are an exact draw
// of its posterior, and log p(y) cancels.
type Divergence struct {
	Estimate draws.Number `json:"estimate"`
	Error    draws.Number `json:"error"` // standard error over data sets
	Median   draws.Number `json:"median"`
	Datasets int          `json:"datasets"`
	Infinite int          `json:"infinite"` // data sets whose divergence is no finite number, left out of mean and error
}

// text reports what was found.
func (d *Divergence) text() string {
	const what = "KL(posterior||q) + KL(q||posterior) of its density q is "
	if d.Infinite > 0 {
		return fmt.Sprintf(what+"%s nats in the median over data sets, and infinite for %d of %d.", short(float64(d.Median)), d.Infinite, d.Datasets)
	}
	return fmt.Sprintf(what+"%s nats on average over data sets, with standard error %s.", short(float64(d.Estimate)), short(float64(d.Error)))
}

// divergence is an unbiased estimate for one data set; NaN where the method has no
// density. truth are the parameters that it was simulated from.
func (d *Diagnosis) divergence(p *infer.Posterior, m infer.Model, truth []float64, r *rand.Rand) (float64, error) {
	q, ok := p.Approximation()
	if !ok || q.Dim() != m.Dim() {
		return math.NaN(), nil
	}
	e := m.NewEvaluator()
	ratio := func(x []float64) (float64, error) {
		lp, err := e.LogDensity(x)
		if infer.IsReject(err) {
			return math.Inf(-1), nil
		}
		return lp - q.LogDensity(x), err
	}
	at, err := ratio(truth)
	if err != nil {
		return 0, err
	}
	x := make([]float64, q.Dim())
	var mean float64
	for range d.options.Draws {
		q.Draw(r, x)
		v, err := ratio(x)
		if err != nil {
			return 0, err
		}
		mean += v / float64(d.options.Draws)
	}
	return at - mean, nil
}

// expected averages over the data sets that have a divergence; nil where none has.
func expected(runs []*replication) *Divergence {
	var x []float64
	for _, r := range runs {
		if !math.IsNaN(r.divergence) {
			x = append(x, r.divergence)
		}
	}
	if len(x) < 2 {
		return nil
	}
	slices.Sort(x)
	d := &Divergence{Median: draws.Number(draws.Quantile(x, 0.5)), Datasets: len(x)}
	x = slices.DeleteFunc(x, func(v float64) bool { return math.IsInf(v, 0) })
	d.Infinite = d.Datasets - len(x)
	all := [][]float64{x}
	d.Estimate, d.Error = draws.Number(draws.Mean(all)), draws.Number(draws.SD(all)/math.Sqrt(float64(len(x))))
	return d
}
