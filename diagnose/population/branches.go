// This file starts climbs where the branches of mixtures have their modes.

package population

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/laplace"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/optimize"
	"github.com/seed-12b88e03/ppl/infer/smc"
)

// endlessly is a log density that no mode has: a climb that gets there goes on for ever.
const endlessly = 1e12

// branches are where climbs end on the branches of mixtures, each from the origin and from the fit's centre. From there a climb on the
// density itself finds a mode that is too narrow, in too many dimensions, for any other start to be near. normals are those of the branches' own modes.
func (c *check) branches() (ends [][]float64, normals []*normal.Normal, spent int, err error) {
	if c.options.Branches == nil {
		return nil, nil, 0, nil
	}
	settings := optimize.DefaultSettings()
	settings.MaxIterations = mostClimb
	starts := c.zeros()[:1]
	if wide := c.wide(); wide != nil {
		starts = append(starts, wide.Mean())
	}
	for _, b := range c.options.Branches() {
		if b.Dim() != c.model.Dim() {
			return nil, nil, spent, nil // discrete parameters are among the coordinates
		}
		target := b.NewEvaluator()
		for _, q := range starts {
			if spent >= c.options.Allowed/(2*searchShare) {
				return ends, normals, spent, nil
			}
			end, err := optimize.Maximize(target, slices.Clone(q), settings, func(at optimize.Point) bool { return at.LogDensity < endlessly })
			if spent += max(end.Evaluations, 1); fatal(err) {
				return nil, nil, spent, err
			}
			if err != nil || !(math.Abs(end.LogDensity) < endlessly) { // it is impossible there, or no density
				continue
			}
			ends = append(ends, end.X)
			fit, err := laplace.At(target, end.X)
			if fatal(err) {
				return nil, nil, spent, err
			}
			if spent += 2 * target.Dim(); err == nil {
				normals = append(normals, fit.Normal)
				spent += fit.Evaluations
			}
		}
	}
	return ends, normals, spent, nil
}

// probes are draws of a branch's normal that tell how much of the mass it has, and whether modes account for it.
const probes = 32

// unexplained are the normals of branches that other modes do not account for, though they may have the same centre: the arms of a
// cross, or a wide part around a narrow one; also where most draws are outside a step, if what is left has mass beside the others. Their
// masses, of what others do not account for, are by importance weights.
func (c *check) unexplained(target infer.Target, all []found, normals []*normal.Normal) (out []found, spent int, err error) {
	rng := smc.Streams{Seed: c.options.Seed, Prefix: prefix}.Stream("branches", 0)
	for _, n := range normals {
		n, _, beyond, known, cost, err := narrowed(target, n, all, rng)
		if spent += cost; err != nil {
			return nil, spent, err
		}
		masses := []float64{math.Inf(-1)}
		for _, m := range all {
			masses = append(masses, m.mass)
		}
		if (known <= probes/2 || beyond > infer.LogSumExp(masses)+libm.Log(leastMass)) && !math.IsInf(beyond, 0) {
			one := found{n, beyond, slices.Clip(all)}
			out, all = append(out, one), append(slices.Clip(all), one)
		}
	}
	return out, spent, nil
}

// mostNarrowed is how often a normal is narrowed by half.
const mostNarrowed = 8

// narrowed is probed of a normal, or of narrower ones with its centre where that alone would have more weight than all draws: where a step
// is, the density inside says nothing of how far it reaches.
func narrowed(target infer.Target, n *normal.Normal, all []found, rng *rand.Rand) (as *normal.Normal, mass, beyond float64, known, spent int, err error) {
	top, err := target.LogDensity(n.Mean())
	if fatal(err) {
		return n, 0, 0, 0, 1, err
	}
	others := explained(all, n.Mean(), top) // whose density there says nothing of this one
	for k := 0; ; k++ {
		mass, beyond, known, err = probed(target, n, all, rng)
		if spent += 1 + probes; err != nil || k == mostNarrowed || others || !(top-n.LogDensity(n.Mean()) > mass+libm.Log(probes)) {
			return n, mass, beyond, known, spent, err
		}
		sd := n.SD()
		for j := range sd {
			sd[j] /= 2
		}
		n = normal.NewDiagonal(n.Mean(), sd)
	}
}

// probed is the log mass around a normal by importance weights of its draws, that by those which these modes do not account for, and how
// many they do.
func probed(target infer.Target, n *normal.Normal, all []found, rng *rand.Rand) (mass, beyond float64, known int, err error) {
	q, weights, rest := make([]float64, target.Dim()), make([]float64, 0, probes), []float64{math.Inf(-1)}
	for range probes {
		n.Draw(rng, q)
		lp, err := target.LogDensity(q)
		if fatal(err) {
			return 0, 0, 0, err
		}
		if err != nil || math.IsNaN(lp) {
			lp = math.Inf(-1)
		}
		weights = append(weights, lp-n.LogDensity(q))
		if explained(all, q, lp) {
			known++
		} else {
			rest = append(rest, weights[len(weights)-1])
		}
	}
	return infer.LogSumExp(weights) - libm.Log(probes), infer.LogSumExp(rest) - libm.Log(probes), known, nil
}

// outweighed reports whether one of the modes has nearly all of the mass, beside that of a population elsewhere: whatever that one has.
func (c *check) outweighed(target infer.Target, modes []found, own float64) (bool, error) {
	rng := smc.Streams{Seed: c.options.Seed, Prefix: prefix}.Stream("outweighed", 0)
	for _, m := range modes {
		c.report.Evaluations += probes
		if mass, _, _, err := probed(target, m.Normal, nil, rng); err != nil || mass-own > -libm.Log(leastMass) {
			return err == nil, err
		}
	}
	return false, nil
}
