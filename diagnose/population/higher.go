// This file looks for a higher mode than the one that a search found.

package population

import (
	"cmp"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/anneal"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/optimize"
	"github.com/seed-12b88e03/ppl/infer/smc"
)

const (
	climbs     = 20  // from the population's highest points and from modes
	outermost  = 40  // climbs from draws of the prior, or points of a population, at most
	priorDraws = 400 // of which the outermost are taken
	axisRounds = 300
	leastStep  = 1e-30
	leastRise  = 0.02 // nats by which another place must be higher: 0.2 standard deviations of a normal
)

// higher climbs from the population's highest points, the modes that were found, and the outermost
// draws of the prior, on the scale on which the fit maximised, and reports the highest end if it is
// higher than the fit: another mode, or the way to where the density has no bound, which is often
// far out in one coordinate (a scale near zero) and where the posterior has hardly any mass.
func (c *check) higher(source anneal.Source, modes []found, jacobian bool) error {
	u, ok := c.model.(infer.Unadjusted)
	if !ok {
		return nil
	}
	target := u.Density(jacobian, false)
	rows := sampleRows(c.model.ParameterColumns(), c.draws, 1)
	if len(rows) != 1 || target.Dim() != c.model.Dim() {
		return nil
	}
	at, ok := c.density(target, rows[0])
	if !ok {
		return nil
	}
	best, place := at, []float64(nil)
	settings := optimize.DefaultSettings()
	settings.MaxIterations = mostClimb
	left := c.options.Allowed / searchShare
	for _, q := range append(c.highest(target, modes), c.outermost(source)...) {
		end, err := optimize.Maximize(target, q, settings, nil)
		if c.report.Evaluations += end.Evaluations; fatal(err) {
			return err
		}
		if err != nil {
			continue
		}
		if !end.Stop.Converged() {
			left -= alongAxes(target, end.X, &end.LogDensity, left)
		}
		if end.LogDensity > best {
			best, place = end.LogDensity, end.X
		}
	}
	if edge, height := c.edge(target, rows[0], left); height > best {
		best, place = height, edge
	}
	if !(best > at+leastRise) {
		return nil
	}
	row := make([]float64, len(c.model.ParameterColumns()))
	if err := c.model.ParameterRow(place, row); err != nil {
		return nil
	}
	h := &draws.HigherRun{Rise: draws.Number(best - at)}
	most := -1.0
	for j, v := range row {
		if d := math.Abs(v-rows[0][j]) / (math.Abs(v) + math.Abs(rows[0][j])); d > most {
			most = d
			h.Name, h.Here, h.There = c.model.ParameterColumns()[j], draws.Number(rows[0][j]), draws.Number(v)
		}
	}
	c.report.Higher = h
	return nil
}

// edge is the highest of the points that differ from a row in one coordinate, which is far out there: the density of a bounded parameter may rise
// without bound towards its bound, behind a valley that no climb crosses. At most so many evaluations are made.
func (c *check) edge(target infer.Target, row []float64, allowed int) (place []float64, height float64) {
	q, err := c.model.UnconstrainRow(row)
	height = math.Inf(-1)
	if err != nil {
		return nil, height
	}
	for j, own := range q {
		for _, far := range farOut {
			if allowed--; allowed < 0 {
				return place, height
			}
			q[j] = far
			v, err := target.LogDensity(q)
			if c.report.Evaluations++; err == nil && v > height && !math.IsInf(v, 1) {
				place, height = slices.Clone(q), v
			}
		}
		q[j] = own
	}
	return place, height
}

// farOut are unconstrained coordinates near the ends of what bounded parameters have.
var farOut = [...]float64{-600, -150, -40, 30, 150, 600}

// alongAxes goes uphill from q, where the density is *height, by steps along single coordinates,
// each of which doubles where it succeeds and halves where it fails (Hooke and Jeeves 1961), for at
// most as many evaluations as allowed, and returns how many. It goes on where a search by gradients
// crawls: along a ridge that narrows without end, as where a scale and what it is the scale of go to zero.
func alongAxes(target infer.Target, q []float64, height *float64, allowed int) (evaluations int) {
	step := make([]float64, len(q))
	for j := range step {
		step[j] = 1
	}
	for range axisRounds {
		before := *height
		for j := range q {
			for _, sign := range []float64{1, -1} {
				if evaluations >= allowed {
					return evaluations
				}
				old := q[j]
				q[j] += float64(sign * step[j])
				v, err := target.LogDensity(q)
				if evaluations++; err == nil && v > *height && !math.IsInf(v, 1) {
					*height = v
					step[j] *= 2 * sign
					break
				}
				q[j] = old
				if sign < 0 {
					step[j] /= 4
				}
			}
		}
		if *height == before && !slices.ContainsFunc(step, func(s float64) bool { return math.Abs(s) > leastStep }) {
			break
		}
	}
	return evaluations
}

// highest are points of the population to climb from, by their density on the scale of the fit,
// and the modes.
func (c *check) highest(target infer.Target, modes []found) [][]float64 {
	height := make([]float64, len(c.points))
	order := make([]int, len(c.points))
	for i, q := range c.points {
		order[i] = i
		v, err := target.LogDensity(q)
		if height[i] = v; err != nil || math.IsNaN(v) {
			height[i] = math.Inf(-1)
		}
	}
	c.report.Evaluations += len(c.points)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(height[b], height[a]) })
	var out [][]float64
	for _, m := range modes {
		out = append(out, m.Mean())
	}
	for _, i := range order {
		if len(out) >= climbs {
			break
		}
		out = append(out, c.points[i])
	}
	return out
}

// outermost are draws of the prior that have the least or the greatest value of a coordinate.
func (c *check) outermost(source anneal.Source) (out [][]float64) {
	rng := smc.Streams{Seed: c.options.Seed, Prefix: prefix}.Stream("outermost", 0)
	var drawn [][]float64
	for range priorDraws {
		q := make([]float64, c.model.Dim())
		if source.DrawPrior(rng, q) == nil {
			drawn = append(drawn, q)
		}
	}
	if len(drawn) == 0 {
		return nil
	}
	return extremes(drawn)
}

// extremes are the points that have the least or the greatest value of a coordinate, for as many coordinates as give
// outermost points.
func extremes(points [][]float64) (out [][]float64) {
	for j := 0; len(points) > 0 && j < len(points[0]); j++ {
		byValue := func(a, b []float64) int { return cmp.Compare(a[j], b[j]) }
		if len(out)+2 > outermost {
			break
		}
		out = append(out, slices.MinFunc(points, byValue), slices.MaxFunc(points, byValue))
	}
	return out
}
