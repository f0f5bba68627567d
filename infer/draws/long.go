// This file summarises columns of so many draws that they are not held in memory at once.
//
// Such a column is read several times from where its table keeps it. Mean, standard deviation and quantiles are the
// numbers that the draws in memory would give. Effective sample sizes and R-hat rest on ranks; here these are those of
// buckets: some 65,000 draws, taken at equal distances, divide the line, the draws between two of them are counted, and
// all of them have their mean rank. Draws that are equal to one another share a bucket, so ranks of quantities of few
// values are exact. Others are wrong by up to half the draws of a bucket, about 1/130,000 of all draws, which changes
// effective sample sizes by less than 1e-3 of them, and R-hat by less than 1e-4 (TestLongColumns).

package draws

import (
	"math"
	"slices"
)

// Long is the number of draws from which on a column is not held in memory at once.
const Long = 1 << 20

const (
	mostBounds  = 1 << 16 // of a rank table
	longChunk   = 1 << 14 // draws that are read at a time
	longWorkers = 4       // columns at the same time: each holds half a chain
)

// A long is a column of a balanced table, and how it is divided.
type long struct {
	d      *Draws
	col    int
	chunk  []float64
	half   []float64
	bounds int               // at most so many of a rank table
	of     func(x []float64) // what is applied to the draws that each lends; nil for nothing
}

func newLong(d *Draws, col int) *long {
	return &long{d: d, col: col, chunk: make([]float64, longChunk), half: make([]float64, d.Len(0)/2), bounds: mostBounds}
}

// each lends the draws in their order, zeros without a sign.
func (l *long) each(f func(x []float64)) {
	l.d.chunks(l.col, l.chunk, func(_, _ int, x []float64) bool {
		for k := range x {
			x[k] += 0
		}
		if l.of != nil {
			l.of(x)
		}
		f(x)
		return true
	})
}

// chunks lends a column piece by piece, in a buffer, with chain and draw of the first of a piece, until f returns false.
func (d *Draws) chunks(col int, buffer []float64, f func(chain, i int, x []float64) bool) {
	for c, r := range d.chains {
		for i := 0; i < r.n; i += len(buffer) {
			x := buffer[:min(len(buffer), r.n-i)]
			r.column(col, i, x)
			if !f(c, i, x) {
				return
			}
		}
	}
}

// halves lends the halves of chains in the order of split, each after f was applied to it.
func (l *long) halves(f func(x []float64), take func(h int, x []float64)) {
	n := len(l.half)
	for h := range 2 * len(l.d.chains) {
		r := l.d.chains[h%len(l.d.chains)]
		from := 0
		if h >= len(l.d.chains) {
			from = r.n - n
		}
		r.column(l.col, from, l.half)
		f(l.half)
		take(h, l.half)
	}
}

// summary is what Summarize returns of the column.
func (l *long) summary() Summary {
	nan := math.NaN()
	s := Summary{Name: l.d.names[l.col], MCSE: nan, Q5: nan, Q50: nan, Q95: nan, ESSBulk: nan, ESSTail: nan, RHat: nan}
	sample, numbers := l.moments(&s)
	if !numbers {
		return s
	}
	plain := func([]float64) {}
	ranks := newRankTable(sample)
	l.each(ranks.count)
	quantile := l.quantiles(ranks, 0.05, 0.5, 0.95)
	s.Q5, s.Q50, s.Q95 = quantile[0], quantile[1], quantile[2]
	ranks.score()
	bulk := l.chainMoments(ranks.apply)
	if s.ESSBulk = bulk.ess(); math.IsInf(s.Q50, 0) { // there are no distances from it
		return s
	}
	fold := foldedAt(s.Q50)
	fold(sample)
	far := newRankTable(sample)
	l.each(func(x []float64) { fold(x); far.count(x) })
	far.score()
	s.RHat = largerRHat(bulk.rhat(), l.chainMoments(func(x []float64) { fold(x); far.apply(x) }).rhat())
	s.MCSE = s.SD / math.Sqrt(l.chainMoments(plain).ess())
	s.ESSTail = math.Min(l.chainMoments(below(s.Q5)).ess(), l.chainMoments(below(s.Q95)).ess())
	return s
}

// foldedAt replaces draws by their distances from a centre.
func foldedAt(centre float64) func(x []float64) {
	return func(x []float64) {
		for i, v := range x {
			x[i] = math.Abs(v - centre)
		}
	}
}

// below replaces draws by whether they are at most q.
func below(q float64) func(x []float64) {
	return func(x []float64) {
		for i, v := range x {
			x[i] = 0
			if v <= q {
				x[i] = 1
			}
		}
	}
}

// moments fills in mean and standard deviation as Mean and SD compute them, and returns draws at equal distances, and
// whether all draws are numbers.
func (l *long) moments(s *Summary) (sample []float64, numbers bool) {
	total := l.d.Total()
	n := float64(total)
	step := max(1, total/l.bounds)
	sum, at := 0.0, 0
	numbers = true
	l.each(func(x []float64) {
		for _, v := range x {
			sum += v
			numbers = numbers && v == v
			if at%step == 0 {
				sample = append(sample, v)
			}
			at++
		}
	})
	s.Mean = sum / n
	rest := 0.0
	l.each(func(x []float64) {
		for _, v := range x {
			rest += v - s.Mean
		}
	})
	if rest /= n; !math.IsNaN(rest) {
		s.Mean += rest
	}
	squares := 0.0
	l.each(func(x []float64) {
		for _, v := range x {
			squares += float64((v - s.Mean) * (v - s.Mean))
		}
	})
	s.SD = math.Sqrt(squares / (n - 1))
	return sample, numbers
}

// quantiles are quantiles as Quantile has them, of which the draws of few buckets have to be sorted.
func (l *long) quantiles(t *rankTable, probabilities ...float64) []float64 {
	n := l.d.Total()
	type inside struct {
		equal int // draws that are equal to the lower bound
		more  []float64
	}
	wanted := make([]*inside, len(t.counts))
	want := func(i int) float64 {
		b, _ := t.holder(i)
		wanted[b] = &inside{}
		return 0
	}
	for _, p := range probabilities {
		quantile(n, p, want)
	}
	l.each(func(x []float64) {
		for _, v := range x {
			b := t.bucket(v)
			if w := wanted[b]; w == nil {
				continue
			} else if b > 0 && v == t.bounds[b-1] {
				w.equal++
			} else {
				w.more = append(w.more, v)
			}
		}
	})
	for _, w := range wanted {
		if w != nil {
			slices.Sort(w.more)
		}
	}
	out := make([]float64, len(probabilities))
	for k, p := range probabilities {
		out[k] = quantile(n, p, func(i int) float64 {
			b, before := t.holder(i)
			w := wanted[b]
			if i -= before; i < w.equal {
				return t.bounds[b-1]
			}
			return w.more[i-w.equal]
		})
	}
	return out
}

// A rankTable divides numbers into buckets, and has the normal score of the mean rank in each.
type rankTable struct {
	bounds []float64 // ascending; bucket b has what is not below bounds[b-1] and is below bounds[b]
	counts []int
	scores []float64
	guide  []int32 // bounds before each of equal intervals from the first bound to the last
	scale  float64
}

// newRankTable divides by the values of a sample, which it sorts. The sample must be of numbers, and not empty.
func newRankTable(sample []float64) *rankTable {
	bounds := slices.Clone(sample)
	slices.Sort(bounds)
	t := &rankTable{bounds: slices.Compact(bounds)}
	t.counts = make([]int, len(t.bounds)+1)
	cells := len(t.bounds)
	t.guide = make([]int32, cells+1)
	if spread := t.bounds[cells-1] - t.bounds[0]; spread > 0 && !math.IsInf(spread, 0) {
		t.scale = float64(cells) / spread
	}
	before := 0
	for c := range t.guide {
		for before < cells && t.cell(t.bounds[before]) < c {
			before++
		}
		t.guide[c] = int32(before)
	}
	return t
}

// cell is the interval of the guide that a number is in; it does not fall as the number rises.
func (t *rankTable) cell(v float64) int {
	last := len(t.guide) - 2
	at := float64((v - t.bounds[0]) * t.scale)
	switch {
	case v <= t.bounds[0]:
		return 0
	case at < float64(last):
		return int(at)
	}
	return last
}

// bucket is the number of bounds that are not above v.
func (t *rankTable) bucket(v float64) int {
	c := t.cell(v)
	lo, hi := int(t.guide[c]), int(t.guide[c+1])
	for lo < hi {
		if mid := (lo + hi) / 2; t.bounds[mid] <= v {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

func (t *rankTable) count(x []float64) {
	for _, v := range x {
		t.counts[t.bucket(v)]++
	}
}

// holder is the bucket of the draw of rank i, from 0, and the number of draws in those before it.
func (t *rankTable) holder(i int) (bucket, before int) {
	for b, n := range t.counts {
		if i < before+n {
			return b, before
		}
		before += n
	}
	panic("draws: rank beyond the draws")
}

// score computes the scores from the counts.
func (t *rankTable) score() {
	n, before := 0, 0
	for _, c := range t.counts {
		n += c
	}
	t.scores = make([]float64, len(t.counts))
	for b, c := range t.counts {
		if c > 0 {
			t.scores[b] = normalScore(2*before+c+1, n)
		}
		before += c
	}
}

// apply replaces numbers by their scores.
func (t *rankTable) apply(x []float64) {
	for i, v := range x {
		x[i] = t.scores[t.bucket(v+0)]
	}
}
