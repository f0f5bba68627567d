// This file looks for divergences that are infinite: integrals of q^a pi^b with b < 0, where
// the prior pi falls faster than q^(a/-b). No point of a rule or sample shows that.

package gvi

import (
	"fmt"
	"math"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/divergence"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// powers are the exponents of q and prior in the integral of a divergence that may be
// infinite; ok is false where there is none.
func powers(t divergence.Term) (a, b float64, ok bool) {
	c := t.Params[0]
	switch t.Kind {
	case divergence.Renyi, divergence.Alpha:
		return c, 1 - c, c > 1
	case divergence.Beta, divergence.Gamma:
		return 1, c - 1, c < 1
	}
	return 0, 0, false
}

// finite reports whether the divergence of an answer is, and takes the word from a fit of which it is not. Divergences in
// closed form know it by themselves.
func (r *run) finite(g *generalised, q infer.Approximation, report *infer.FitReport) bool {
	if q == nil || g.reach != nil || g.blocks != nil || r.src.points != nil {
		return true
	}
	for _, t := range g.div {
		if a, b, ok := powers(t); ok {
			if k := r.grows(q, a, b); k >= 0 {
				report.Converged = false
				report.Stop = fmt.Sprintf("the divergence %s from the prior is infinite: in coordinate %d the prior falls faster than the normal that is fitted; the optimum that was found is none", divergence.Divergence{t}, k+1)
				return false
			}
		}
	}
	return true
}

// grows returns a coordinate along which q^a pi^b is greater far out than less far out, where
// an integrable function falls; -1 where there is none.
func (r *run) grows(q infer.Approximation, a, b float64) int {
	const draws = 200
	d := q.Dim()
	stream := rng.New(1, "gvi/tails", 0, 0)
	x, mean, square := make([]float64, d), make([]float64, d), make([]float64, d)
	for range draws {
		q.Draw(stream, x)
		for i, v := range x {
			mean[i] += v / draws
			square[i] += float64(v * v / draws)
		}
	}
	for k := range d {
		sd := math.Sqrt(max(square[k]-float64(mean[k]*mean[k]), 0))
		for _, side := range []float64{-1, 1} {
			before := math.Inf(1)
			for _, far := range []float64{10, 20, 40} {
				copy(x, mean)
				x[k] += float64(side * far * sd)
				v, ok := r.integrand(q, x, a, b)
				if !ok {
					break
				}
				if v > before {
					return k
				}
				before = v
			}
		}
	}
	return -1
}

// integrand is the logarithm of q^a pi^b at x, on the scale that the divergence is taken on;
// false where it is not known.
func (r *run) integrand(q infer.Approximation, x []float64, a, b float64) (float64, bool) {
	grad := make([]float64, len(x))
	lp, err := r.src.prior(x, grad)
	if err != nil || math.IsNaN(lp) {
		return 0, false
	}
	v := float64(a*q.LogDensity(x)) + float64(b*lp)
	if r.src.bare != nil {
		j, err := r.src.jacobian(x, grad)
		if err != nil {
			return 0, false
		}
		v += float64((1 - a - b) * j)
	}
	return v, true
}
