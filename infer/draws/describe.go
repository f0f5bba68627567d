// This file describes single columns of any length by more figures than a summary has.

package draws

import "math"

// A Description is a column in figures.
type Description struct {
	Summary
	Quantiles []float64 // those that were asked for
	MAD       float64   // median absolute deviation from the median, not scaled
}

// Describe summarises a column of chains over the table as it is, which must be balanced, with quantiles of these
// probabilities. Long columns are not held in memory at once. There must be a column of that name.
func (d *Draws) Describe(name string, probabilities ...float64) Description {
	col := d.Index(name)
	if d.Total() >= Long {
		return newLong(d, col).describe(probabilities)
	}
	x := d.column(col)
	out := Description{Summary: Summarize(name, x)}
	sorted := Sorted(x)
	for _, p := range probabilities {
		out.Quantiles = append(out.Quantiles, Quantile(sorted, p))
	}
	fold := foldedAt(Quantile(sorted, 0.5))
	for _, chain := range x {
		fold(chain)
	}
	out.MAD = Quantile(Sorted(x), 0.5)
	return out
}

// describe is Describe of a long column.
func (l *long) describe(probabilities []float64) Description {
	out := Description{Summary: l.summary(), MAD: math.NaN()}
	var unused Summary
	sample, numbers := l.moments(&unused)
	if !numbers {
		for range probabilities {
			out.Quantiles = append(out.Quantiles, math.NaN())
		}
		return out
	}
	ranks := newRankTable(sample)
	l.each(ranks.count)
	out.Quantiles = l.quantiles(ranks, probabilities...)
	if math.IsInf(out.Q50, 0) {
		return out
	}
	far := *l
	far.of = foldedAt(out.Q50)
	far.of(sample)
	ranks = newRankTable(sample)
	far.each(ranks.count)
	out.MAD = far.quantiles(ranks, 0.5)[0]
	return out
}
