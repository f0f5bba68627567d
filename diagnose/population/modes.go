// This file looks for modes that a population has missed: narrow ones far away, which none of
// its points came near.

package population

import (
	"errors"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/anneal"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/laplace"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/optimize"
	"github.com/seed-12b88e03/ppl/infer/smc"
)

// The search for modes.
const (
	searchShare     = 3    // of the allowance: one part in so many
	mostSearches    = 2000 // climbs
	mostClimb       = 100  // iterations of one
	mostModes       = 20
	mostZeros       = 50   // coordinates that a zero is tried in
	sameMode        = 1    // squared distance from a mode, in its own standard deviations, that counts as the same place
	leastMass       = 0.05 // share of a mode in the mass, by its normal approximation, from which on it must not be missed
	leastEffect     = 0.2  // of a mode with less, what it adds to a variance, over the variance
	leastPresent    = 0.3  // of the points that this mass asks for, at which it was not
	mostUnexplained = 0.5  // nats by which the log density at a start may exceed that of the modes that were found
	nearMode        = 3    // standard deviations in each coordinate, on average, within which a point belongs to a mode
)

// A found mode is a normal approximation there, with the log of its mass.
type found struct {
	*normal.Normal
	mass   float64
	beside []found // of a branch: other modes, perhaps with the same centre, which do not account for what is this one's; nil for others
}

// modes are where climbs end. Starts are modes of branches of mixtures, points from afar, points with zeros, the population's outermost
// points, draws of its start and, beyond them, of normals that are wide in comparison with the fit.
func (c *check) modes(source anneal.Source) (all []found, err error) {
	target := infer.Target(source)
	rng := smc.Streams{Seed: c.options.Seed, Prefix: prefix}.Stream("modes", 0)
	starts, ofBranches, spent, err := c.branches()
	if err != nil {
		return nil, err
	}
	wide, near := c.scales(), len(starts)
	starts = append(starts, c.afar(source)...)
	far := len(starts)
	starts = append(starts, c.zeros()...)
	zeros, q := len(starts), make([]float64, target.Dim())
	starts = append(starts, extremes(c.points)...)
	for i, climbs := 0, 0; climbs < mostSearches && (i < far || spent < c.options.Allowed/searchShare) && len(all) < mostModes; i++ {
		if err := c.ctx.Err(); err != nil {
			return nil, err
		}
		if i < len(starts) {
			copy(q, starts[i])
		} else if part := i % (1 + len(wide)); part > 0 {
			wide[part-1].Draw(rng, q)
		} else if err := source.DrawPrior(rng, q); err != nil {
			return nil, err
		}
		if i >= zeros && len(all) > 0 && len(q) <= widenedDim {
			lp, err := target.LogDensity(q)
			if spent++; fatal(err) {
				return nil, err
			}
			if err != nil || explained(all, q, lp) {
				continue
			}
		}
		climbs++
		one, known, cost, err := c.climb(target, q, all)
		if spent += cost; err != nil {
			return nil, err
		}
		if one != nil {
			all = append(all, *one)
		}
		if i >= near && i < far && known {
			c.arrived++
		}
	}
	for i, m := range all {
		as, mass, _, _, n, err := narrowed(target, m.Normal, nil, rng)
		if spent += n; err != nil {
			return nil, err
		}
		if as != m.Normal {
			all[i] = found{as, mass, nil}
		}
	}
	more, n, err := c.unexplained(target, all, ofBranches)
	c.report.Evaluations += spent + n
	if all = append(all, more...); err != nil {
		return nil, err
	}
	more, n, err = c.beyond(target, all)
	c.report.Evaluations += n
	return append(all, more...), err
}

// climb goes uphill from a point: to a new mode, or to one that is known; to neither where there is no mode.
func (c *check) climb(target infer.Target, q []float64, all []found) (one *found, known bool, cost int, err error) {
	settings := optimize.DefaultSettings()
	settings.MaxIterations = mostClimb
	end, err := c.units.maximize(target, q, settings)
	if cost = max(end.Evaluations, 1); fatal(err) {
		return nil, false, cost, err
	}
	if known = err == nil && end.Stop.Converged() && near(all, end.X); known || err != nil || !end.Stop.Converged() {
		return nil, known, cost, nil
	}
	fit, err := laplace.At(target, end.X)
	if fatal(err) {
		return nil, false, cost, err
	}
	if cost += 2 * target.Dim(); err != nil || near(all, fit.Mode) {
		return nil, err == nil, cost, nil
	}
	return &found{fit.Normal, fit.LogDensity - fit.Normal.LogDensity(fit.Mode), nil}, true, cost + fit.Evaluations, nil
}

// zeros are the origin, and the fit's centre with a zero in each coordinate: priors that favour zero
// may have a mode there that is too narrow for random starts to hit.
func (c *check) zeros() [][]float64 {
	n := c.model.Dim()
	out := [][]float64{make([]float64, n)}
	rows := sampleRows(c.model.ParameterColumns(), c.draws, widePoints)
	if len(rows) == 0 || n == 1 || n > mostZeros {
		return out
	}
	centre := make([]float64, n)
	count := 0.0
	for _, row := range rows {
		q, err := c.model.UnconstrainRow(row)
		if err != nil || len(q) != n {
			continue
		}
		count++
		for j, v := range q {
			centre[j] += v
		}
	}
	if count == 0 {
		return out
	}
	for j := range centre {
		centre[j] /= count
	}
	for j := range n {
		q := slices.Clone(centre)
		q[j] = 0
		out = append(out, q)
	}
	return out
}

// missed reports whether the population has no points at a mode with mass; or whether there
// are several such modes, and it has too few points to weigh them, or has not shown that the fit lacks one.
func (c *check) missed(modes []found) bool {
	own, several, refuted := c.mass(), 0, conclusive(c.report)
	for _, m := range modes {
		share := 1 / (1 + libm.Exp(own-m.mass))
		if share <= leastMass && float64(share*c.farthest(m)) <= leastEffect {
			continue
		}
		if several++; c.lacks(m, c.massBeside(m)) || !refuted && share > leastMass && c.visited(m) < leastPresent*share {
			return true
		}
	}
	return several > 1 && !c.decided()
}

// lacks reports whether too few points are at a mode, beside a population of this log mass.
func (c *check) lacks(m found, own float64) bool {
	return c.present(m) < leastPresent/(1+libm.Exp(own-m.mass))
}

// shared reports whether a population from modes has points both at those that the first one and the fit lack and elsewhere, as their masses ask for:
// at least half of what is elsewhere.
func (c *check) shared(first *check, modes []found) bool {
	masses, at, fresh := []float64{first.mass()}, 0.0, []found{}
	for _, m := range modes {
		if first.lacks(m, masses[0]) && c.unvisited(m) && !near(fresh, m.Mean()) { // a branch and a climb may end at the same place
			masses, at, fresh = append(masses, m.mass), at+c.present(m), append(fresh, m)
		}
	}
	elsewhere := libm.Exp(masses[0] - infer.LogSumExp(masses))
	return at > 0 && 1-at >= elsewhere/2
}

// unvisited reports whether fewer than one in a hundred of the fit's draws are at a mode.
func (c *check) unvisited(m found) bool { return c.visited(m) < 0.01 }

// visited is the share of the fit's draws that are at a mode.
func (c *check) visited(m found) float64 {
	if c.fitPoints == nil {
		c.fitPoints = [][]float64{}
		target := c.model.NewEvaluator()
		for _, row := range sampleRows(c.model.ParameterColumns(), c.draws, widePoints) {
			q, err := c.model.UnconstrainRow(row)
			if err != nil || len(q) != c.model.Dim() {
				continue
			}
			if lp, err := target.LogDensity(q); err == nil {
				c.fitPoints, c.fitDensities = append(c.fitPoints, q), append(c.fitDensities, lp)
			}
			c.report.Evaluations++
		}
	}
	return shareAt(m, c.fitPoints, c.fitDensities)
}

// fatal reports whether an error ends the search: not one that is about the density at a point.
func fatal(err error) bool {
	var bug *infer.PanicError
	return err != nil && (errors.As(err, &bug) || infer.IsInterrupted(err))
}

// explained reports whether the density at a point is no more than the modes that were found account for: a climb from
// there would end at one of them, as it does from most starts of a search for a mode that few starts are near.
func explained(modes []found, q []float64, lp float64) bool {
	parts := make([]float64, len(modes))
	for i, m := range modes {
		parts[i] = m.mass + m.LogDensity(q)
	}
	return lp <= infer.LogSumExp(parts)+mostUnexplained
}

// near reports whether a point is at one of the modes.
func near(modes []found, q []float64) bool {
	for _, m := range modes {
		if distance(m.Normal, q) < sameMode {
			return true
		}
	}
	return false
}

// distance is the square of a point's from the mean, in standard deviations.
func distance(n *normal.Normal, q []float64) float64 {
	return 2 * (n.LogDensity(n.Mean()) - n.LogDensity(q))
}

// present is the share of the population's points that are at a mode.
func (c *check) present(m found) float64 { return shareAt(m, c.points, c.densities) }

// shareAt is the share of points that are at a mode; 0 of none.
func shareAt(m found, points [][]float64, densities []float64) float64 {
	count := 0
	for i, q := range points {
		if m.has(q, densities[i]) {
			count++
		}
	}
	return float64(count) / float64(max(len(points), 1))
}

// has reports whether a point is at a mode, and not on the other side of a step beside it, nor others'.
func (m found) has(q []float64, lp float64) bool {
	const step = 10 // nats
	return distance(m.Normal, q) < nearMode*nearMode*float64(m.Dim()) && lp > m.mass+m.LogDensity(q)-step && !explained(m.beside, q, lp)
}

// farthest is the square of the largest distance of a mode from the population's mean, over
// the coordinates, in the population's standard deviations; of a branch its own standard deviations are part of it.
func (c *check) farthest(m found) (square float64) {
	x, q, own := make([]float64, len(c.points)), m.Mean(), make([]float64, m.Dim())
	if m.beside != nil {
		own = m.SD()
	}
	for j := range q {
		for i, p := range c.points {
			x[i] = p[j]
		}
		mean, sd := moments(x)
		square = max(square, (float64((q[j]-mean)*(q[j]-mean))+float64(own[j]*own[j]))/(sd*sd))
	}
	return square
}

// massBeside is that of the points that are not at a mode.
func (c *check) massBeside(m found) float64 {
	rest := &check{}
	for i, q := range c.points {
		if !m.has(q, c.densities[i]) {
			rest.points, rest.densities = append(rest.points, q), append(rest.densities, c.densities[i])
		}
	}
	if len(rest.points) < 2 {
		return math.Inf(-1)
	}
	return rest.mass()
}

// mass is the log mass of the population's part of the posterior: mean log density plus the
// entropy, which that of a normal with its variances bounds from above.
func (c *check) mass() float64 {
	n := float64(len(c.points))
	var total float64
	for _, lp := range c.densities {
		total += lp / n
	}
	for j := range c.points[0] {
		x := make([]float64, len(c.points))
		for i, q := range c.points {
			x[i] = q[j]
		}
		_, sd := moments(x)
		total += libm.Log(sd) + float64((1+libm.Log(2*math.Pi))/2)
	}
	return total
}

// scales are normals that are wide in comparison with the fit, each wider than the one before;
// none where the draws cannot be taken back to the unconstrained scale.
func (c *check) scales() []*normal.Normal {
	wide := c.wide()
	if wide == nil {
		return nil
	}
	out := []*normal.Normal{wide}
	for _, factor := range []float64{3, 10} {
		sd := wide.SD()
		for j := range sd {
			sd[j] = float64(factor * sd[j])
		}
		out = append(out, normal.NewDiagonal(wide.Mean(), sd))
	}
	return out
}

// fromModes is a start at modes and around them, and where the fit is: what no mode stands for, such as a
// shoulder where a parameter is as wide as its prior, has too few points otherwise, and the fit is not to be refuted by them.
func (c *check) fromModes(modes []found) func() (anneal.Source, error) {
	parts, weights := []*normal.Normal{c.wide()}, []float64{1}
	if fit := c.around(); fit != nil {
		parts, weights = append(parts, fit), append(weights, 1)
	}
	for _, m := range modes {
		parts, weights = append(parts, m.Normal), append(weights, 1)
	}
	start := normal.NewMixture(parts, weights)
	c.report.From = draws.ModesStart
	return func() (anneal.Source, error) {
		t, ok := infer.Capability[infer.Tempered](c.model.NewEvaluator())
		if !ok {
			return nil, errNoStart
		}
		return anneal.NewBetween(start, t), nil
	}
}
