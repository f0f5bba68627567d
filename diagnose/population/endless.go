// This file asks whether a posterior without a proper prior has an end: a mode has no draws that would show it.

package population

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/anneal"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

const (
	// grows is how many times as far a population reaches that started wider times as wide, from which on the start and not the
	// posterior says how far. An improper posterior gives about wider each time, a proper one 1 but where the wider start has
	// found another mode.
	grows = 3
	wides = 2 // how often it must
	// middlePart is the share of the points whose range is compared: of a heavy tail standard deviations grow, too.
	middlePart = 0.8
	fewStarts  = 5 // of a population, below which its range is not known to a factor of grows
)

// endless makes further populations, whose start is each time wider times as wide as the one before, and reports the coordinate in
// which they reach as much further. That is how an improper posterior shows whose density falls in every direction: its mass
// does not fall, as the other coordinates have the more room the further one goes.
func (c *check) endless() error {
	points := c.points
	for k := 1; c.report.From == draws.WideStart; k++ {
		next, err := c.wider(points, k)
		if err != nil || c.report.Failed != "" {
			return err
		}
		j, factor := grown(points, next)
		if factor < grows {
			return nil
		}
		if k == wides {
			c.report.Improper = true
			c.report.Failed = fmt.Sprintf("from a start %d times as wide the middle %.0f %% of one of its coordinates (%d) reach %.1f times as far", wider, 100*middlePart, j+1, factor)
			return nil
		}
		points = next
	}
	return nil
}

// The points of a population that are within rounding of a bound.
const (
	mostHidden   = 200   // points that are looked at
	hiddenShare  = 0.02  // of them, from which on what is beyond rounding may be without end
	hiddenMove   = 3     // of a coordinate, that changes nothing
	hiddenChange = 1e-13 // of a parameter, in units of its size, that is nothing
)

// hidden reports whether a share of the points is so near a bound that arithmetic ends there: the draws seem to have an end, and it is that of
// rounding. A density that rises towards a bound may have no integral.
func (c *check) hidden() {
	if c.report.From != draws.WideStart {
		return
	}
	points, names := c.points[:min(mostHidden, len(c.points))], c.model.ParameterColumns()
	before, after := make([]float64, len(names)), make([]float64, len(names))
	for j := range c.model.Dim() {
		count := 0
		for _, q := range points {
			moved := slices.Clone(q)
			moved[j] += math.Copysign(hiddenMove, q[j])
			if c.model.ParameterRow(q, before) == nil && c.model.ParameterRow(moved, after) == nil && alike(before, after) {
				count++
			}
		}
		if share := float64(count) / float64(len(points)); share > hiddenShare {
			c.report.Improper = true
			c.report.Failed = fmt.Sprintf("%.0f %% of its points are within rounding of a bound (in %s), and what is beyond cannot be seen", 100*share, c.coordinate(j))
			return
		}
	}
}

// coordinate names an unconstrained coordinate by the parameter that it belongs to, where the model knows.
func (c *check) coordinate(j int) string {
	if m, ok := c.model.(interface{ UnconstrainedNames() []string }); ok {
		return m.UnconstrainedNames()[j]
	}
	return fmt.Sprintf("unconstrained coordinate %d", j+1)
}

// alike reports whether rows are the same but for rounding.
func alike(a, b []float64) bool {
	for i, v := range a {
		if math.Abs(v-b[i]) > float64(hiddenChange*max(math.Abs(v), math.Abs(b[i]))) {
			return false
		}
	}
	return true
}

// wider is population k from a normal that is wide in comparison with points.
func (c *check) wider(points [][]float64, k int) ([][]float64, error) {
	start, report := wideOf(points), *c.report
	if start == nil {
		return nil, nil
	}
	other := &check{ctx: c.ctx, model: c.model, options: c.options, draws: c.draws, report: &report}
	err := other.populate(func() (anneal.Source, error) {
		t, ok := infer.Capability[infer.Tempered](c.model.NewEvaluator())
		if !ok {
			return nil, errNoStart
		}
		return anneal.NewBetween(start, t), nil
	}, k)
	c.report.Evaluations = report.Evaluations
	if err == nil && (report.Beta < 1 || effective(other.ancestor) < fewStarts) {
		c.report.Failed = "the prior is improper, and a population that would tell whether the posterior is has too few independent starts"
	}
	return other.points, err
}

// grown is the coordinate whose range is greater by the largest factor.
func grown(before, after [][]float64) (at int, factor float64) {
	for j := range before[0] {
		if from, to := rangeOf(before, j), rangeOf(after, j); from > 0 && to > float64(factor*from) {
			at, factor = j, to/from
		}
	}
	return at, factor
}

// rangeOf is the range of a coordinate in the middle part of the points.
func rangeOf(points [][]float64, j int) float64 {
	x := make([]float64, len(points))
	for i, q := range points {
		x[i] = q[j]
	}
	sorted := draws.Sorted([][]float64{x})
	return draws.Quantile(sorted, (1+middlePart)/2) - draws.Quantile(sorted, (1-middlePart)/2)
}
