// This file ranks the draws of a column: all figures of a summary rest on one sort.

package draws

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/stdlib/special"
)

// normalScore is the normal score of half of twice, a rank from 1 among n, with Blom's offset 3/8.
func normalScore(twice, n int) float64 {
	return special.NormalQuantile((float64(twice) - 0.75) / (float64(2*n) + 0.5))
}

// normalScores are those of the ranks 1 to n.
func normalScores(n int) []float64 {
	scores := make([]float64, n)
	for i := range scores {
		scores[i] = normalScore(2*(i+1), n)
	}
	return scores
}

// A ranking orders the draws of one column after the other; all have one number of draws.
type ranking struct {
	scores []float64 // normalScores of that number

	all        []float64 // the draws, one half of a chain after the other
	order, far []int32   // their places, by value and by distance from the median
	keys       []sortKey // scratch of the sort
	spare      []sortKey
}

// A sortKey is a number, as bits that are ordered as numbers are, and its place.
type sortKey struct {
	bits uint64
	at   int32
}

func newRanking(scores []float64) *ranking {
	n := len(scores)
	return &ranking{
		scores: scores, all: make([]float64, 0, n), order: make([]int32, n), far: make([]int32, n),
		keys: make([]sortKey, n), spare: make([]sortKey, n),
	}
}

// mixing is R-hat and the bulk effective sample size of a column, and its sorted draws.
func (r *ranking) mixing(x [][]float64) (rHat, bulk float64, sorted []float64) {
	halves := split(x)
	if len(r.scores) == 0 || !finite(x) {
		return RHat(x), ESSBulk(x), Sorted(x)
	}
	r.load(halves)
	if sorted = r.sorted(); len(sorted) < count(x) { // halves leave the middle out
		sorted = Sorted(x)
	}
	z := r.bulk(halves)
	return largerRHat(rhat(z), rhat(r.folded(Quantile(sorted, 0.5), halves))), ess(z), sorted
}

// Mixing judges columns of one number of chains and draws, one after the other: it keeps the memory and the
// normal scores of ranks that all of them need.
type Mixing struct{ ranks *ranking }

// NewMixing is for columns of a number of draws in each of the chains.
func NewMixing(chains, n int) *Mixing {
	if n >= 2 {
		n &^= 1 // as split has it
	}
	return &Mixing{newRanking(normalScores(chains * n))}
}

// Of is RHat, ESSBulk and ESSTail of a column.
func (m *Mixing) Of(x [][]float64) (rHat, bulk, tail float64) {
	rHat, bulk, sorted := m.ranks.mixing(x)
	return rHat, bulk, essTail(x, sorted)
}

// load takes the halves of a column's chains, all finite, and sorts them.
func (r *ranking) load(halves [][]float64) {
	r.all = r.all[:0]
	for _, c := range halves {
		r.all = append(r.all, c...)
	}
	const sign = 1 << 63
	for i, v := range r.all {
		b := math.Float64bits(v + 0) // not -0, which equals 0
		if b&sign != 0 {
			b = ^b
		} else {
			b |= sign
		}
		r.keys[i] = sortKey{b, int32(i)}
	}
	r.sort()
	for i, k := range r.keys {
		r.order[i] = k.at
	}
}

// sort is a stable sort by digits of 11 bits, from the last one on; digits that all keys
// share are passed over.
func (r *ranking) sort() {
	const digits, size = 6, 1 << 11
	var count [digits][size]int32
	for _, k := range r.keys {
		for d := range digits {
			count[d][k.bits>>(11*d)%size]++
		}
	}
	for d := range digits {
		c := &count[d]
		if int(c[r.keys[0].bits>>(11*d)%size]) == len(r.keys) {
			continue
		}
		start := int32(0)
		for i, n := range c {
			c[i] = start
			start += n
		}
		for _, k := range r.keys {
			to := &c[k.bits>>(11*d)%size]
			r.spare[*to] = k
			*to++
		}
		r.keys, r.spare = r.spare, r.keys
	}
}

// sorted are the draws in ascending order, zeros without a sign.
func (r *ranking) sorted() []float64 {
	out := make([]float64, len(r.order))
	for i, k := range r.order {
		out[i] = r.all[k] + 0
	}
	return out
}

// bulk replaces the draws, in the shape of like, by the normal scores of their ranks.
func (r *ranking) bulk(like [][]float64) [][]float64 { return r.zScale(r.order, r.all, like) }

// folded does so with the draws' distances from the median. They are in order on either
// side of it, so that the two sides only have to be merged.
func (r *ranking) folded(median float64, like [][]float64) [][]float64 {
	distance := make([]float64, len(r.all))
	for i, v := range r.all {
		distance[i] = math.Abs(v - median)
	}
	above, _ := slices.BinarySearchFunc(r.order, median, func(k int32, m float64) int {
		if r.all[k] < m {
			return -1
		}
		return 1
	})
	below := above - 1
	for i := range r.far {
		if below < 0 || above < len(r.order) && distance[r.order[above]] < distance[r.order[below]] {
			r.far[i] = r.order[above]
			above++
		} else {
			r.far[i] = r.order[below]
			below--
		}
	}
	return r.zScale(r.far, distance, like)
}

// zScale gives every number of x the score of its rank by the order, ties that of their
// average rank.
func (r *ranking) zScale(order []int32, x []float64, like [][]float64) [][]float64 {
	z := make([]float64, len(x))
	for i := 0; i < len(order); {
		j := i + 1
		for j < len(order) && x[order[j]] == x[order[i]] {
			j++
		}
		score := r.scores[i]
		if j > i+1 {
			score = normalScore(i+j+1, len(x)) // mean of the ranks i+1 .. j
		}
		for _, k := range order[i:j] {
			z[k] = score
		}
		i = j
	}
	out := make([][]float64, len(like))
	for i, c := range like {
		out[i], z = z[:len(c)], z[len(c):]
	}
	return out
}
