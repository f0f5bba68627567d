// This file is the short way where that from the prior is too long: from modes that climbs from far away end at.

package population

import (
	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/anneal"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/optimize"
	"github.com/seed-12b88e03/ppl/infer/smc"
)

const (
	fromAfar     = 24 // climbs, half of them from draws of the prior, half from points on the way from it
	leastArrived = 20 // of them that must end at modes: from as many starts an answer may be refuted, too
	// shortcutDim is the greatest dimension: a normal approximation takes n^3 operations and a density of one n^2,
	// which from here on is more than models of as many parameters take for a gradient.
	shortcutDim = 200
)

// shortcut starts from modes where a population from the prior is not on its way to arrive, or of hardly any of its starts. That
// there is nothing else is for the climbs to show, from draws of the prior and from what the first population had
// come to; they must all but a few end at modes, of which nobody knows in funnels and on ridges. What differs from
// the fit must come from where these climbs or the fit have been.
func (c *check) shortcut(source func() (anneal.Source, error)) error {
	if c.model.Dim() > shortcutDim {
		return nil
	}
	s, err := source()
	if err != nil || c.report.From != draws.PriorStart || c.wide() == nil {
		return err
	}
	if c.report.Beta == 1 {
		c.onWay = c.points
	}
	if fit := c.around(); fit != nil {
		c.units = fit.SD()
	}
	first, report := *c, *c.report
	c.rows, c.ancestor, c.points, c.densities, c.derived, c.report.LogEvidence = nil, nil, nil, nil, nil, nil
	modes, err := c.modes(s)
	if err == nil && c.arrived >= leastArrived {
		err = c.until(c.fromModes(modes), c.report.Evaluations+c.options.Allowed)
	}
	if err != nil || c.arrived < leastArrived || c.report.Beta < 1 || c.report.Ancestors < diagnose.LeastAncestors {
		report.Evaluations = c.report.Evaluations
		*c = first
		*c.report = report
		return err
	}
	if c.draws.Kind() == draws.Mode {
		return c.atTop(s, modes)
	}
	if err := c.widen(s); err != nil {
		return err
	}
	return c.far(modes)
}

// afar are starts of climbs where a population from the prior did not arrive.
func (c *check) afar(source anneal.Source) (out [][]float64) {
	n := len(c.onWay)
	if n == 0 {
		return nil
	}
	rng := smc.Streams{Seed: c.options.Seed, Prefix: prefix}.Stream("afar", 0)
	for k := range fromAfar / 2 {
		q := make([]float64, len(c.onWay[0]))
		if source.DrawPrior(rng, q) == nil {
			out = append(out, q)
		}
		out = append(out, c.onWay[k*n/(fromAfar/2)])
	}
	return out
}

// units are what coordinates are measured in, nil for 1: the fit's standard deviations, so that a climb from far away gets to its
// end where those of the parameters are of all sizes.
type units []float64

// maximize climbs from q.
func (u units) maximize(t infer.Target, q []float64, settings optimize.Settings) (optimize.Result, error) {
	if u == nil {
		return optimize.Maximize(t, q, settings, nil)
	}
	start := make([]float64, len(q))
	for j, v := range q {
		start[j] = v / u[j]
	}
	end, err := optimize.Maximize(&measured{t, u, make([]float64, len(q))}, start, settings, nil)
	for j := range end.X {
		end.X[j] *= u[j]
	}
	return end, err
}

// measured is a target in units.
type measured struct {
	infer.Target
	units units
	q     []float64 // scratch
}

func (m *measured) at(z []float64) []float64 {
	for j, v := range z {
		m.q[j] = float64(v * m.units[j])
	}
	return m.q
}

// LogDensity implements infer.Target.
func (m *measured) LogDensity(z []float64) (float64, error) { return m.Target.LogDensity(m.at(z)) }

// LogDensityGrad implements infer.Target.
func (m *measured) LogDensityGrad(z, grad []float64) (float64, error) {
	lp, err := m.Target.LogDensityGrad(m.at(z), grad)
	for j := range grad {
		grad[j] *= m.units[j]
	}
	return lp, err
}
