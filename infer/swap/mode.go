// This file judges a mode of the swapped posterior, and whether that is a distribution.

package swap

import (
	"cmp"
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
	mostDistant = 4 // draws that growth is looked for from
)

// grows reports whether the prior swap function is greater far out than it is less far out:
// no distribution is. A density with lighter tails than the old prior, divided by that, grows.
// near is a radius that all draws are well inside of, unless they have run away.
// From a few directions, some of which are those of the most distant draws, the steepest way round the sphere is followed to where the function is
// greatest. A ridge need not be straight, so that inside of it, on the line to the origin, there may be a valley: what is greater than
// there must also be greater than where the ridge was a little further in.
func grows(t infer.Target, near float64, distant [][]float64, r *rand.Rand) bool {
	far := 2 * near
	const starts, inwards = 4, 0.9
	for i := range starts + len(distant) {
		z := make([]float64, t.Dim())
		for k := range z {
			z[k] = variate.Normal(r)
		}
		if len(z) == 1 { // a line has two ends
			z[0] = float64(1 - 2*(i%2))
		}
		if i >= starts {
			copy(z, distant[i-starts])
		}
		scaleTo(z, far)
		outer := climb(t, z, far, 0.5)
		ridge := slices.Clone(z)
		scaleTo(z, near)
		if inner := valueAt(t, z); !(outer > inner) || math.IsInf(inner, -1) {
			continue
		}
		scaleTo(ridge, inwards*far)
		if within := climb(t, ridge, inwards*far, 1-inwards); outer > within {
			return true
		}
	}
	return false
}

// climb moves z on the sphere of that radius the steepest way, in ever shorter steps of which the first is a part of the radius,
// to the greatest value that it meets, which it returns. A step to where there is no way on is taken back.
func climb(t infer.Target, z []float64, radius, part float64) float64 {
	const steps = 30
	best, most := slices.Clone(z), math.Inf(-1)
	grad, way := make([]float64, len(z)), make([]float64, len(z))
	for i := range steps {
		v, err := t.LogDensityGrad(z, grad)
		if err == nil && v > most {
			copy(best, z)
			most = v
		}
		if err == nil && tangent(grad, z) {
			copy(way, grad)
		} else if copy(z, best); i == 0 {
			break
		}
		length := part * radius * libm.Pow(0.85, float64(i))
		for k, g := range way {
			z[k] += float64(length * g)
		}
		scaleTo(z, radius)
	}
	if v := valueAt(t, z); v > most {
		return v
	}
	copy(z, best)
	return most
}

// radius is where to look for growth: beyond three times the most distant draw; with it are some of the most distant draws.
func (f *falsePosterior) radius(p *infer.Posterior) (near float64, distant [][]float64) {
	all := f.whitened(slices.Concat(p.Unconstrained...))
	slices.SortStableFunc(all, func(a, b []float64) int { return cmp.Compare(squared(b), squared(a)) })
	most := 0.0
	for _, z := range all {
		most = max(most, math.Sqrt(squared(z)))
	}
	distant = all[:min(len(all), mostDistant)]
	if !(most < mostRadius) {
		return leastRadius, distant
	}
	return max(leastRadius, 3*most), distant
}

// squared is the squared length of a vector.
func squared(z []float64) (sum float64) {
	for _, v := range z {
		sum += float64(v * v)
	}
	return sum
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
	was := math.Sqrt(squared(z))
	for k := range z {
		z[k] *= length / was
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
