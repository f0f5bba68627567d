// This file summarises columns of so many weighted draws that they are not held in memory at once.

package draws

import (
	"math"
	"sort"
)

// A longWeighted is a column with the weights of its draws. Figures are those of SummarizeWeighted, but for the order
// in which sums are taken. For quantiles the draws are divided into buckets as those of a long are, and those of few
// buckets have to be sorted.
type longWeighted struct {
	*long
	scale   weightScale
	column  int // of the log weights
	weights []float64
	table   *rankTable
	masses  []float64 // the weight in each bucket
	n       int       // draws that have weight
}

func newLongWeighted(d *Draws, col int, scale weightScale) *longWeighted {
	return &longWeighted{long: newLong(d, col), scale: scale, column: d.Index(LogWeightColumn), weights: make([]float64, longChunk)}
}

// each lends the draws in their order, with their weights.
func (l *longWeighted) each(f func(x, w []float64)) {
	l.d.chunks(l.col, l.chunk, func(c, i int, x []float64) bool {
		w := l.weights[:len(x)]
		l.d.chains[c].column(l.column, i, w)
		l.scale.apply(w)
		f(x, w)
		return true
	})
}

// summary is what SummarizeWeighted returns of the column.
func (l *longWeighted) summary() Summary {
	nan := math.NaN()
	s := Summary{Name: l.d.names[l.col], Q5: nan, Q50: nan, Q95: nan, ESSTail: nan, RHat: nan}
	sample, numbers := l.moments(&s)
	if !numbers || len(sample) == 0 {
		return s
	}
	l.table = newRankTable(sample)
	l.masses = make([]float64, len(l.table.counts))
	l.each(func(x, w []float64) {
		for i, v := range x {
			if w[i] > 0 {
				b := l.table.bucket(v)
				l.table.counts[b]++
				l.masses[b] += w[i]
			}
		}
	})
	s.Q5, s.Q50, s.Q95 = l.quantile(0.05), l.quantile(0.5), l.quantile(0.95)
	s.ESSTail = math.Min(l.effective(0.05, s.Q5), l.effective(0.95, s.Q95))
	return s
}

// moments fills in mean, standard deviation, Monte Carlo error and bulk effective size, and returns draws with weight at
// equal distances, and whether all that have weight are numbers.
func (l *longWeighted) moments(s *Summary) (sample []float64, numbers bool) {
	squares, spread, noise := 0.0, 0.0, 0.0
	numbers = true
	step := max(1, l.d.Total()/l.bounds)
	l.each(func(x, w []float64) {
		for i, v := range x {
			squares += float64(w[i] * w[i])
			if !(w[i] > 0) {
				continue
			}
			s.Mean += float64(w[i] * v)
			if numbers = numbers && v == v; l.n%step == 0 {
				sample = append(sample, v)
			}
			l.n++
		}
	})
	l.each(func(x, w []float64) {
		for i, v := range x {
			if w[i] > 0 {
				d := v - s.Mean
				spread += float64(w[i] * d * d)
				noise += float64(w[i] * w[i] * d * d)
			}
		}
	})
	s.ESSBulk, s.MCSE, s.SD = 1/squares, math.Sqrt(noise), math.Sqrt(spread/(1-squares))
	return sample, numbers
}

// A standing is a draw with its place among the draws in ascending order, as weightedColumn has it.
type standing struct{ x, at float64 }

// quantile is that of weightedColumn. The draws of bucket b stand between n-1 times the weight in the buckets before it and
// n-1 times the weight up to its end, so that the two draws that a place is between are in the bucket with that
// place or in the nearest ones that are not empty.
func (l *longWeighted) quantile(p float64) float64 {
	if l.n == 1 {
		return l.table.bounds[0]
	}
	total, last := 0.0, 0
	for b, m := range l.masses {
		if total += m; l.table.counts[b] > 0 {
			last = b
		}
	}
	h := float64(p * float64(l.n-1) * total)
	first, k, before, mass := 0, 0, 0, 0.0 // of the bucket with the place, and the one before it
	for b := 0; b <= last; b++ {
		if l.table.counts[b] == 0 {
			continue
		}
		if mass += l.masses[b]; float64(l.n-1)*mass >= h || b == last {
			k = b
			break
		}
		first = b
	}
	end := k + 1
	for end <= last && l.table.counts[end] == 0 {
		end++
	}
	mass = 0
	for b := range first {
		before, mass = before+l.table.counts[b], mass+l.masses[b]
	}
	all := l.standings(first, min(end, last), before, mass)
	i := min(sort.Search(len(all), func(i int) bool { return all[i].at >= h }), len(all)-1)
	if i == 0 || all[i].at == h {
		return all[i].x
	}
	a, b := all[i-1], all[i]
	return a.x + float64((h-a.at)/(b.at-a.at)*(b.x-a.x))
}

// standings are those of the draws in buckets from first to last: so many draws with so much weight stand before them. Of
// draws that are equal to the bucket's lower bound, the first and the last.
func (l *longWeighted) standings(first, last, before int, mass float64) []standing {
	type held struct{ equal, more weightedColumn }
	held0 := make([]held, last-first+1)
	masses := make([]float64, last-first+1)
	counts := make([]int, last-first+1)
	l.each(func(x, w []float64) {
		for i, v := range x {
			b := 0
			if !(w[i] > 0) {
				continue
			} else if b = l.table.bucket(v); b < first || b > last {
				continue
			}
			h := &held0[b-first]
			if b == 0 || v != l.table.bounds[b-1] {
				h.more.x, h.more.w = append(h.more.x, v), append(h.more.w, w[i])
				continue
			}
			if counts[b-first]++; counts[b-first] > 2 {
				h.equal.w = h.equal.w[:1]
			}
			h.equal.w = append(h.equal.w, w[i])
			masses[b-first] += w[i]
		}
	})
	var out []standing
	stand := func(x, w float64, k int, below float64) {
		out = append(out, standing{x, float64(float64(k)*w) + float64(float64(l.n-1)*below)})
	}
	for b, h := range held0 {
		if n := counts[b]; n > 0 {
			x, w := l.table.bounds[first+b-1], h.equal.w
			stand(x, w[0], before, mass)
			if n > 1 {
				stand(x, w[1], before+n-1, mass+masses[b]-w[1])
			}
			before, mass = before+n, mass+masses[b]
		}
		sorted := byValue(h.more.x, h.more.w)
		for i, v := range sorted.x {
			stand(v, sorted.w[i], before, mass)
			before, mass = before+1, mass+sorted.w[i]
		}
	}
	return out
}

// effective is that of weightedColumn.
func (l *longWeighted) effective(p, value float64) float64 {
	variance := 0.0
	l.each(func(x, w []float64) {
		for i, v := range x {
			d := -p
			if v <= value {
				d = 1 - p
			}
			if w[i] > 0 {
				variance += float64(w[i] * w[i] * d * d)
			}
		}
	})
	if variance == 0 {
		return math.NaN()
	}
	return p * (1 - p) / variance
}
