// This file looks for modes of little mass that lie so far away that moments hang on them.

package population

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// mostExpected is how many points of a mode a population must be expected to have, by the mode's
// normal approximation, for its having none to speak against the approximation.
const mostExpected = 5

// far reports the mode that would change the comparison most: a thousandth of the mass may double
// a standard deviation, and neither draws nor a population of hundreds tell it. Such a mode is added
// to the population's moments by its normal approximation.
func (c *check) far(modes []found) error {
	c.report.Far = nil
	if c.report.Compared == 0 || len(c.report.Exchanged) > 0 {
		return nil
	}
	own := c.mass()
	for _, m := range modes {
		share := 1 / (1 + libm.Exp(own-m.mass))
		if float64(share*float64(len(c.points))) >= mostExpected || float64(share*c.farthest(m.Mean())) <= leastEffect || c.present(m) > 0 {
			continue
		}
		row := make([]float64, len(c.model.ParameterColumns()))
		if c.model.ParameterRow(m.Mean(), row) != nil {
			continue
		}
		c.withMode(share, row)
	}
	return nil
}

// withMode compares the fit with the population and a mode of some mass, and keeps the quantity
// that differs most.
func (c *check) withMode(share float64, row []float64) {
	fit := c.parameters()
	x := make([]float64, len(c.rows))
	for j, name := range c.model.ParameterColumns() {
		f, ok := fit[name]
		if !ok || math.IsNaN(row[j]) || math.IsInf(row[j], 0) {
			continue
		}
		for i, r := range c.rows {
			x[i] = r[j]
		}
		mean, sd := moments(x)
		d := row[j] - mean
		mean += float64(share * d)
		sd = math.Sqrt(float64((1-share)*sd*sd) + float64(share*(1-share)*d*d))
		if !(sd > 0) || math.IsInf(sd, 0) {
			continue
		}
		one := draws.Compared{Name: name, Fit: spread(f.mean, f.sd), Population: spread(mean, sd),
			Shift: draws.Number((f.mean - mean) / sd), Factor: draws.Number(libm.Log(f.sd / sd))}
		value, _ := one.Difference()
		if old := c.report.Far; value > 1 && (old == nil || larger(value, old.Compared)) {
			c.report.Far = &draws.FarRun{Share: draws.Number(share), At: draws.Number(row[j]), Compared: one}
		}
	}
}

// tail looks for the parameter whose standard deviation fewest points tell, and fewest draws where these are chains', which have
// tails of their own. Draws of an approximation have none, and particles were made as the population was.
func (c *check) tail() {
	c.report.Tail = nil
	if c.draws.Kind() == draws.Mode {
		return
	}
	x, worst := make([]float64, len(c.rows)), diagnose.Tail{}
	for j, name := range c.model.ParameterColumns() {
		for i, r := range c.rows {
			x[i] = r[j]
		}
		t := diagnose.Farthest(x, nil, c.ancestor)
		if !t.Unknown() || t.Chance <= worst.Chance || twoValued(x) || c.known(name) {
			continue
		}
		worst = t
		c.report.Tail = &draws.TailRun{Name: name, Starts: draws.Number(t.Draws), Share: draws.Number(t.Share)}
	}
}

// known reports whether chains tell the standard deviation of a parameter by themselves: draws between which they
// forget where they were count as one.
func (c *check) known(name string) bool {
	x := c.draws.Balanced().Column(name)
	if c.draws.Kind() != draws.Chains || len(x) == 0 {
		return false
	}
	all := slices.Concat(x...)
	effective := min(draws.ESSMean(x), draws.ESSSD(x))
	if !(effective >= 1) || math.IsNaN(draws.Mean(x)) {
		return false
	}
	block, group := max(1, int(math.Round(float64(len(all))/effective))), make([]int, len(all))
	for i := range group {
		group[i] = i / block
	}
	return !diagnose.Farthest(all, nil, group).Unknown()
}

// larger reports whether a difference is larger than that of a quantity.
func larger(value float64, c draws.Compared) bool {
	old, _ := c.Difference()
	return value > old
}
