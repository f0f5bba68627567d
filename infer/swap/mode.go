// This file judges a mode of the swapped posterior, and whether that is a distribution.

package swap

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// atMode fills in the report on a mode: how far from the mode of the posterior under the new
// priors it is, as the gradient there has it, in standard deviations of the first
// posterior. A mode of the swapped coordinates alone has no such point.
func (f *falsePosterior) atMode(report *infer.SwapReport, priors Priors, p *infer.Posterior) error {
	if report.Mode = p.Draws.Total() == 1; !report.Mode || f.carrier != nil {
		return nil
	}
	target := priors.Model().NewEvaluator()
	if target.Dim() != f.dim {
		return nil
	}
	grad, white := make([]float64, f.dim), make([]float64, f.dim)
	if _, err := target.LogDensityGrad(p.Unconstrained[0][0], grad); infer.IsReject(err) {
		return nil
	} else if err != nil {
		return err
	}
	f.white.Pull(grad, white)
	report.Shift, report.ShiftError = 0, 0
	for _, g := range white {
		report.Shift = max(report.Shift, math.Abs(g))
	}
	return nil
}

// The least radius from which on a density must fall, in standard deviations of the first
// posterior, and the greatest one that draws of a distribution have.
const (
	leastRadius = 10
	mostRadius  = 1e4
)

// grows reports whether the prior swap function is greater far out than it is less far out:
// no distribution is. A density with lighter tails than the old prior, divided by that, grows.
// near is a radius that all draws are well inside of, unless they have run away.
// From a few directions the steepest way round the sphere is followed to where the function is
// greatest.
func grows(t infer.Target, near float64, r *rand.Rand) bool {
	far := 2 * near
	const starts, steps = 4, 30
	n := t.Dim()
	z, grad := make([]float64, n), make([]float64, n)
	for i := range starts {
		for k := range z {
			z[k] = variate.Normal(r)
		}
		if n == 1 { // a line has two ends
			z[0] = float64(1 - 2*(i%2))
		}
		scaleTo(z, far)
		for i := range steps {
			if _, err := t.LogDensityGrad(z, grad); err != nil || !tangent(grad, z) {
				break
			}
			length := 0.5 * far * libm.Pow(0.85, float64(i))
			for k, g := range grad {
				z[k] += float64(length * g)
			}
			scaleTo(z, far)
		}
		outer := valueAt(t, z)
		scaleTo(z, near)
		if inner := valueAt(t, z); outer > inner && !math.IsInf(inner, -1) {
			return true
		}
	}
	return false
}

// radius is where to look for growth: beyond three times the most distant draw.
func (f *falsePosterior) radius(p *infer.Posterior) float64 {
	most := 0.0
	for _, z := range f.whitened(slices.Concat(p.Unconstrained...)) {
		square := 0.0
		for _, v := range z {
			square += float64(v * v)
		}
		most = max(most, math.Sqrt(square))
	}
	if !(most < mostRadius) {
		return leastRadius
	}
	return max(leastRadius, 3*most)
}

// valueAt is the log density, -Inf where there is none.
func valueAt(t infer.Target, z []float64) float64 {
	v, err := t.LogDensity(z)
	if err != nil || math.IsNaN(v) {
		return math.Inf(-1)
	}
	return v
}

// scaleTo scales a vector to a length.
func scaleTo(z []float64, length float64) {
	sum := 0.0
	for _, v := range z {
		sum += float64(v * v)
	}
	for k := range z {
		z[k] *= length / math.Sqrt(sum)
	}
}

// tangent takes from grad its part along z and gives it unit length; false where nothing is
// left or it is not finite.
func tangent(grad, z []float64) bool {
	var along, square float64
	for k, g := range grad {
		along += float64(g * z[k])
		square += float64(z[k] * z[k])
	}
	var rest float64
	for k := range grad {
		grad[k] -= float64(along / square * z[k])
		rest += float64(grad[k] * grad[k])
	}
	if rest = math.Sqrt(rest); !(rest > 1e-12) || math.IsInf(rest, 0) {
		return false
	}
	for k := range grad {
		grad[k] /= rest
	}
	return true
}
