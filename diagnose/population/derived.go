// This file compares what is computed from the parameters: transformed parameters, generated
// quantities, and discrete parameters that were summed out.

package population

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/infer"
)

const (
	// mostDerived is how many columns a model may have for derived quantities to be compared:
	// rows of all of them are kept.
	mostDerived = 1000
	// mostTailed is the standard error of the log of a standard deviation, of the fit or of the
	// population, up to which a derived quantity is compared: of tails without a fourth moment
	// it stays large, and neither side knows the standard deviation.
	mostTailed = 0.25
)

// derived are columns beside those that the population moves.
type derived struct {
	names []string
	at    []int // in a row of all columns
	rows  [][]float64
	fit   map[string]fitted // nil before it is asked for
}

// newDerived lists them; ok is false where there are none, or too many.
func (c *check) newDerived(point []float64) (d *derived, ok bool) {
	all, own := c.model.Columns(), c.model.ParameterColumns()
	if len(all) > mostDerived {
		return nil, false
	}
	row := make([]float64, len(own))
	if c.model.ParameterRow(point, row) != nil {
		return nil, false
	}
	d = &derived{}
	for i, name := range all {
		if k := slices.Index(own, name); k < 0 || math.IsNaN(row[k]) {
			d.names, d.at = append(d.names, name), append(d.at, i)
		}
	}
	return d, len(d.names) > 0
}

// fittedDerived is what the fit has of derived quantities, computed once for all populations.
func (c *check) fittedDerived(d *derived) map[string]fitted {
	if c.told == nil || !slices.Equal(c.told.names, d.names) {
		c.told = &derived{names: d.names, fit: fittedColumns(d.names, c.draws, nil)}
	}
	return c.told.fit
}

// add computes them at a point; a row that cannot be computed has NaN, which is not compared.
func (d *derived) add(ev infer.Evaluator, r *rand.Rand, width int, q []float64) {
	full := make([]float64, width)
	err := ev.Write(q, r, full)
	row := make([]float64, len(d.at))
	for k, i := range d.at {
		if row[k] = full[i]; err != nil {
			row[k] = math.NaN()
		}
	}
	d.rows = append(d.rows, row)
}

// twoValued reports whether a quantity has no more than two values: its mean has it all, and the
// standard deviation of a rare one is not known from the hundreds of points that its mean is.
func twoValued(lists ...[]float64) bool {
	seen := map[float64]bool{}
	for _, x := range lists {
		for _, v := range x {
			if seen[v] = true; len(seen) > 2 {
				return false
			}
		}
	}
	return true
}

// deriveAll computes the derived quantities at new points.
func (c *check) deriveAll(points [][]float64, r *rand.Rand) {
	if c.derived == nil {
		d, ok := c.newDerived(points[0])
		if !ok {
			return
		}
		c.derived = d
	}
	ev, width := c.model.NewEvaluator(), len(c.model.Columns())
	for _, q := range points {
		c.derived.add(ev, r, width, q)
	}
}
