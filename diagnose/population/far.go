// This file looks for modes of little mass that lie so far away that moments depend on them.

package population

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/smc"
)

// mostExpected is how many independent starts of a population must be expected at a mode, by the mode's
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
		if float64(share*float64(c.report.Ancestors)) >= mostExpected || float64(share*c.farthest(m)) <= leastEffect || c.present(m) > 0 {
			continue
		}
		c.withMode(share, c.rowsOf(m))
	}
	return nil
}

// rowsOf are the parameters at a mode, or of draws of its normal where it may lie around others.
func (c *check) rowsOf(m found) (rows [][]float64) {
	points := [][]float64{m.Mean()}
	if m.beside != nil {
		rng := smc.Streams{Seed: c.options.Seed, Prefix: prefix}.Stream("far", 0)
		for points = nil; len(points) < probes; {
			q := make([]float64, m.Dim())
			m.Draw(rng, q)
			points = append(points, q)
		}
	}
	for _, q := range points {
		row := make([]float64, len(c.model.ParameterColumns()))
		if c.model.ParameterRow(q, row) == nil {
			rows = append(rows, row)
		}
	}
	return rows
}

// withMode compares the fit with the population and a mode of some mass, by its rows, and keeps the quantity
// that differs most.
func (c *check) withMode(share float64, rows [][]float64) {
	fit := c.parameters()
	x := make([]float64, len(c.rows))
	for j, name := range c.model.ParameterColumns() {
		f, ok := fit[name]
		at, own := spreadAt(rows, j)
		if !ok || math.IsNaN(own) {
			continue
		}
		for i, r := range c.rows {
			x[i] = r[j]
		}
		mean, sd := moments(x)
		d := at - mean
		mean += float64(share * d)
		sd = math.Sqrt(float64((1-share)*sd*sd) + float64(share*own*own) + float64(share*(1-share)*d*d))
		if !(sd > 0) || math.IsInf(sd, 0) {
			continue
		}
		one := draws.Compared{Name: name, Fit: spread(f.mean, f.sd), Population: spread(mean, sd),
			Shift: draws.Number((f.mean - mean) / sd), Factor: draws.Number(libm.Log(f.sd / sd))}
		value, _ := one.Difference()
		if old := c.report.Far; value > clearlySmall && (old == nil || larger(value, old.Compared)) {
			c.report.Far = &draws.FarRun{Share: draws.Number(share), At: draws.Number(at), Compared: one}
		}
	}
}

// spreadAt are mean and standard deviation of a column, 0 of one row; NaN where a value is not finite, or there is none.
func spreadAt(rows [][]float64, j int) (mean, sd float64) {
	x := make([]float64, len(rows))
	for i, r := range rows {
		x[i] = r[j]
	}
	if mean, sd = moments(x); len(rows) == 1 {
		sd = 0 * mean
	}
	return mean, sd
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
