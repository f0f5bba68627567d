// This file makes what a population starts from.

package population

import (
	"errors"
	"math"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/anneal"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/smc"
)

// prefix is of the purposes of random streams.
const prefix = "population/"

// errNoStart reports that there is neither a prior to draw from nor a way back from draws.
var errNoStart = errors.New("there is no proper prior to start from, and the draws cannot be taken to the unconstrained scale")

// source makes the start: the prior where it can be drawn from, or else a wide normal.
func (c *check) source() (func() (anneal.Source, error), error) {
	prior := func() (anneal.Source, error) { return anneal.NewSource("population", c.model.NewEvaluator()) }
	if s, err := prior(); err == nil {
		probe := smc.Streams{Seed: c.options.Seed, Prefix: prefix}.Stream("probe", 0)
		if s.DrawPrior(probe, make([]float64, c.model.Dim())) == nil {
			c.report.From = draws.PriorStart
			return prior, nil
		}
	}
	wide := c.wide()
	if wide == nil {
		return nil, errNoStart
	}
	c.report.From = draws.WideStart
	return func() (anneal.Source, error) {
		t, ok := infer.Capability[infer.Tempered](c.model.NewEvaluator())
		if !ok {
			return nil, errNoStart
		}
		return anneal.NewBetween(wide, t), nil
	}, nil
}

const (
	widePoints = 200 // draws that the scale of a wide normal is taken from, at most
	wider      = 10  // its standard deviation over the fit's, at least
	unit       = 2   // least standard deviation: chains start as far from 0
)

// wide is a normal that is wide in comparison with the fit: ten times as wide, and, between
// the fit and 0, wide enough to reach both. It is nil where the draws cannot be taken back to
// the unconstrained scale.
func (c *check) wide() *normal.Normal {
	if c.hasWide {
		return c.wideNormal
	}
	var points [][]float64
	for _, row := range sampleRows(c.model.ParameterColumns(), c.draws, widePoints) {
		if q, err := c.model.UnconstrainRow(row); err == nil && len(q) == c.model.Dim() {
			points = append(points, q)
		}
	}
	c.wideNormal, c.hasWide = wideOf(points), true
	return c.wideNormal
}

// wideOf is the same for points; nil for none.
func wideOf(points [][]float64) *normal.Normal {
	if len(points) == 0 {
		return nil
	}
	n, count := len(points[0]), float64(len(points))
	sum, square := make([]float64, n), make([]float64, n)
	for _, q := range points {
		for j, v := range q {
			sum[j] += v
			square[j] += float64(v * v)
		}
	}
	middle, sd := make([]float64, n), make([]float64, n)
	for j := range n {
		mean := sum[j] / count
		middle[j] = mean / 2
		variance := max(square[j]/count-float64(mean*mean), 0)
		sd[j] = math.Sqrt(float64(wider*wider*variance) + float64(middle[j]*middle[j]) + unit*unit)
		if math.IsInf(sd[j], 0) || math.IsNaN(sd[j]) {
			return nil
		}
	}
	return normal.NewDiagonal(middle, sd)
}

// sampleRows are at most about most rows of draws, evenly; nil where a column is missing.
func sampleRows(names []string, d *draws.Draws, most int) (rows [][]float64) {
	at := make([][][]float64, len(names))
	for j, name := range names {
		if at[j] = d.Column(name); at[j] == nil {
			return nil
		}
	}
	step, seen := max(1, d.Total()/most), 0
	for chain := range d.Chains() {
		for i := range d.Len(chain) {
			if seen++; (seen-1)%step != 0 {
				continue
			}
			row := make([]float64, len(names))
			for j := range names {
				row[j] = at[j][chain][i]
			}
			rows = append(rows, row)
		}
	}
	return rows
}
