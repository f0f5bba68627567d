// This file looks for a higher mode than the one that a search found.

package population

import (
	"cmp"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/optimize"
)

const (
	climbs    = 20  // from the population's highest points and from modes
	leastRise = 0.1 // nats by which another place must be higher
)

// higher climbs from the population's highest points and the modes that were found, on the
// scale on which the fit maximised, and reports the highest end if it is higher than the fit: another mode, or
// the way to where the density has no bound.
func (c *check) higher(modes []found, jacobian bool) error {
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
	for _, q := range c.highest(modes) {
		end, err := optimize.Maximize(target, q, settings, nil)
		if c.report.Evaluations += end.Evaluations; fatal(err) {
			return err
		}
		if err == nil && end.LogDensity > best {
			best, place = end.LogDensity, end.X
		}
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

// highest are the points to climb from.
func (c *check) highest(modes []found) [][]float64 {
	order := make([]int, len(c.points))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(c.densities[b], c.densities[a]) })
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
