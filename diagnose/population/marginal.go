// This file follows the marginal density of single coordinates outwards, the others integrated out by a normal approximation: where it does
// not fall, there is no posterior.

package population

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/laplace"
	"github.com/seed-12b88e03/ppl/infer/optimize"
)

const (
	mostFollowed = 20 // coordinates of a model that are followed: one takes as many gradients as a Hessian at each distance
	firstFar     = 3  // standard deviations, of the first distance; each is twice the one before
	mostFar      = 10 // distances
	leastFar     = 6  // of them that the marginal density must be known at
	lastFar      = 4  // of these the last, at which it must not fall
	// slowFall is the exponent of the distance below which the density falls too slowly: the mass grows with the distance up to 1.
	slowFall = 0.5
)

// unending reports the coordinate whose marginal density falls so slowly, in one direction, that the mass grows with the distance: a
// population that starts wide shows it by chance only, where the other coordinates have the more room the farther one goes.
func (c *check) unending() error {
	rows, target, n := sampleRows(c.model.ParameterColumns(), c.draws, 1), c.model.NewEvaluator(), c.model.Dim()
	if len(rows) != 1 || n > mostFollowed || c.report.From != draws.WideStart {
		return nil
	}
	mode, err := c.model.UnconstrainRow(rows[0])
	if err != nil || len(mode) != n {
		return nil
	}
	sd := slices.Repeat([]float64{1}, n)
	fit, err := laplace.At(target, mode)
	if fatal(err) {
		return err
	}
	if err == nil {
		mode, sd = fit.Mode, fit.Normal.SD()
		c.report.Evaluations += fit.Evaluations
	}
	for j := range n {
		for _, sign := range []float64{-1, 1} {
			spent, endless, err := follow(target, mode, sd, j, sign)
			if c.report.Evaluations += spent; err != nil {
				return err
			}
			if endless {
				c.report.Improper = true
				c.report.Failed = fmt.Sprintf("the marginal density of %s does not fall fast enough far from the mode for a finite integral (the others integrated out by a normal approximation)", c.coordinate(j))
				return nil
			}
		}
	}
	return nil
}

// follow goes from the mode along coordinate j, and reports whether its marginal density falls too slowly.
func follow(target infer.Target, mode, sd []float64, j int, sign float64) (spent int, endless bool, err error) {
	rest := &others{Target: target, j: j, q: slices.Clone(mode), grad: make([]float64, len(mode))}
	at, scale := slices.Delete(slices.Clone(mode), j, j+1), units(slices.Delete(slices.Clone(sd), j, j+1))
	var heights []float64
	for k := range mostFar {
		rest.q[j] = mode[j] + float64(sign*float64(int(firstFar)<<k)*sd[j])
		height, n, err := rest.marginal(at, scale)
		if spent += n; fatal(err) {
			return spent, false, err
		}
		if err != nil || math.IsNaN(height) || math.IsInf(height, 0) {
			break
		}
		heights = append(heights, height)
	}
	if len(heights) < leastFar {
		return spent, false, nil
	}
	last := heights[len(heights)-lastFar-1:]
	for k := range lastFar {
		if last[k]-last[k+1] > float64(slowFall*math.Ln2) {
			return spent, false, nil
		}
	}
	return spent, true, nil
}

// others is a target with one coordinate held.
type others struct {
	infer.Target
	j       int
	q, grad []float64
}

// Dim implements infer.Target.
func (o *others) Dim() int { return o.Target.Dim() - 1 }

func (o *others) place(q []float64) []float64 {
	copy(o.q[:o.j], q[:o.j])
	copy(o.q[o.j+1:], q[o.j:])
	return o.q
}

// LogDensity implements infer.Target.
func (o *others) LogDensity(q []float64) (float64, error) { return o.Target.LogDensity(o.place(q)) }

// LogDensityGrad implements infer.Target.
func (o *others) LogDensityGrad(q, grad []float64) (float64, error) {
	lp, err := o.Target.LogDensityGrad(o.place(q), o.grad)
	copy(grad, o.grad[:o.j])
	copy(grad[o.j:], o.grad[o.j+1:])
	return lp, err
}

// marginal is the log of the integral over the others, by the normal approximation at their mode. It leaves that mode in at, and its
// standard deviations in scale.
func (o *others) marginal(at []float64, scale units) (height float64, spent int, err error) {
	if len(at) == 0 {
		height, err = o.LogDensity(at)
		return height, 1, err
	}
	z := make([]float64, len(at))
	for i, v := range at {
		z[i] = v / scale[i]
	}
	t := &measured{o, scale, make([]float64, len(at))}
	settings := optimize.DefaultSettings()
	settings.MaxIterations = mostClimb
	end, err := optimize.Maximize(t, z, settings, nil)
	if spent = max(end.Evaluations, 1); err != nil {
		return 0, spent, err
	}
	fit, err := laplace.At(t, end.X)
	if err != nil {
		return 0, spent, err
	}
	height = fit.LogDensity - fit.Normal.LogDensity(fit.Mode)
	for i, s := range fit.Normal.SD() {
		height += libm.Log(scale[i])
		at[i] = float64(fit.Mode[i] * scale[i])
		scale[i] *= s
	}
	return height, spent + fit.Evaluations, nil
}
