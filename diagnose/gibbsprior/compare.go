// This file holds the comparisons of samples: scores, discrepancy, energy distance, and
// the tests by permutation and by sign.

package gibbsprior

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/stdlib/special"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// scores are the normal scores of the pooled ranks of groups of chains; ties share the
// mean of their ranks.
func scores(groups ...[][]float64) [][][]float64 {
	var all []float64
	for _, g := range groups {
		all = append(all, slices.Concat(g...)...)
	}
	slices.Sort(all)
	n := float64(len(all))
	out := make([][][]float64, len(groups))
	for i, g := range groups {
		for _, chain := range g {
			z := make([]float64, len(chain))
			for k, x := range chain {
				lo := sort.SearchFloat64s(all, x)
				hi := sort.Search(len(all), func(i int) bool { return all[i] > x })
				z[k] = special.NormalQuantile((float64(lo+hi) / 2) / n)
			}
			out[i] = append(out[i], z)
		}
	}
	return out
}

// twoSided is the p-value of a standard normal statistic.
func twoSided(z float64) float64 { return 2 * special.NormalCDF(-math.Abs(z)) }

// shifts tests whether two samples of normal scores, of chains each, have the same mean and the
// same spread.
func shifts(chain, prior [][]float64) (mean, spread float64) {
	return sameMean(chain, prior), sameMean(products(chain, chain), products(prior, prior))
}

// sameMean is the p-value of the means of chains and of independent draws.
func sameMean(chains, independent [][]float64) float64 {
	ea, eb := draws.MCSEMean(chains), draws.SD(independent)/math.Sqrt(float64(len(slices.Concat(independent...))))
	if ea == 0 && eb == 0 {
		return 1
	}
	return twoSided((draws.Mean(chains) - draws.Mean(independent)) / libm.Hypot(ea, eb))
}

// A pooled pair of samples: kernel values and distances of all pairs of points.
type pooled struct {
	kernel   *pairwise
	distance *pairwise
	n        int // points of the first sample; the second has the others
}

// pairwise is a symmetric function of two points, with zeros on the diagonal.
type pairwise struct {
	m     [][]float64
	rows  []float64 // sums
	total float64   // over unordered pairs
}

func newPairwise(n int) *pairwise {
	p := &pairwise{m: make([][]float64, n), rows: make([]float64, n)}
	for i := range p.m {
		p.m[i] = make([]float64, n)
	}
	return p
}

// set sets the value of two different points, once.
func (p *pairwise) set(i, j int, v float64) {
	p.m[i][j], p.m[j][i] = v, v
	p.rows[i] += v
	p.rows[j] += v
	p.total += v
}

// contrast is the unbiased mean within both of two samples minus twice that between them,
// given the points of the first. Sums over rows leave only pairs within that to be added.
func (p *pairwise) contrast(first []int) float64 {
	var within, rows float64
	for k, i := range first {
		rows += p.rows[i]
		row := p.m[i]
		for _, j := range first[:k] {
			within += row[j]
		}
	}
	between := rows - 2*within
	n, all := float64(len(first)), float64(len(p.rows))
	other := all - n
	return 2*within/(n*(n-1)) + 2*(p.total-within-between)/(other*(other-1)) - 2*between/(n*other)
}

// pool standardises the coordinates by the second sample and computes distances; the
// kernel's width is their median.
func pool(a, b [][]float64) *pooled {
	scale := scales(b)
	all := slices.Concat(a, b)
	p := &pooled{kernel: newPairwise(len(all)), distance: newPairwise(len(all)), n: len(a)}
	var list []float64
	for i := range all {
		for j := range i {
			v := distance(all[i], all[j], scale)
			p.distance.set(i, j, v)
			list = append(list, v)
		}
	}
	width := medianOf(list)
	for i, row := range p.distance.m {
		for j, v := range row[:i] {
			v /= width
			p.kernel.set(i, j, libm.Exp(-v*v/2))
		}
	}
	return p
}

// scales are the distances between the quartiles of the coordinates of a sample, which
// exist where a sd may not.
func scales(sample [][]float64) []float64 {
	scale := make([]float64, len(sample[0]))
	for k := range scale {
		x := make([]float64, len(sample))
		for i, q := range sample {
			x[i] = q[k]
		}
		slices.Sort(x)
		if scale[k] = draws.Quantile(x, 0.75) - draws.Quantile(x, 0.25); scale[k] == 0 {
			scale[k] = 1
		}
	}
	return scale
}

// distance is Euclid's in units of scale.
func distance(a, b, scale []float64) float64 {
	var square float64
	for k, x := range a {
		v := (x - b[k]) / scale[k]
		square += float64(v * v)
	}
	return math.Sqrt(square)
}

// medianOf distances, or 1 where that is 0; it sorts them.
func medianOf(list []float64) float64 {
	slices.Sort(list)
	if m := draws.Quantile(list, 0.5); m > 0 {
		return m
	}
	return 1
}

// order is all points, those of the first sample first.
func (p *pooled) order() []int {
	out := make([]int, len(p.kernel.rows))
	for i := range out {
		out[i] = i
	}
	return out
}

// permutations is how many are made. The smallest p-value is one over one more, which must
// be below what is bad after adjusting for four tests.
const permutations = 4999

// mmd is the unbiased squared maximum mean discrepancy with its permutation p-value.
func (p *pooled) mmd(r *rand.Rand) (value, prob float64) {
	order := p.order()
	value = p.kernel.contrast(order[:p.n])
	above := 1
	for range permutations {
		variate.Shuffle(r, len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		if p.kernel.contrast(order[:p.n]) >= value {
			above++
		}
	}
	return value, float64(above) / (permutations + 1)
}

// energy is the energy distance, by unbiased estimates.
func (p *pooled) energy() float64 { return -p.distance.contrast(p.order()[:p.n]) }

// flips is how many random sign vectors are tried.
const flips = 19999

// exchangeable tests pairs of quantities by random swaps: for each quantity the
// differences of normal scores and of their squares, and of those that depend on each other the
// differences of the products. The p-values are adjusted for all
// of them at once by the largest studentised sum (Westfall and Young 1993); p is the
// smallest.
func exchangeable(before, after [][]float64, r *rand.Rand) (p float64) {
	n := len(before)
	var rows, both [][]float64
	for k := range before[0] {
		a, b := make([]float64, n), make([]float64, n)
		for i := range n {
			a[i], b[i] = before[i][k], after[i][k]
		}
		z := scores([][]float64{a}, [][]float64{b})
		mean, spread := make([]float64, n), make([]float64, n)
		for i := range n {
			x, y := z[0][0][i], z[1][0][i]
			mean[i], spread[i] = y-x, float64(y*y)-float64(x*x)
		}
		rows = append(rows, unit(mean), unit(spread))
		both = append(both, slices.Concat(z[0][0], z[1][0]))
	}
	for _, at := range dependent(both) {
		p := product(both[at[0]], both[at[1]])
		for i := range n {
			p[i] = p[n+i] - p[i]
		}
		rows = append(rows, unit(p[:n]))
	}
	sign := make([]float64, n)
	largest := func() (most float64) {
		for _, row := range rows {
			var sum float64
			for i, v := range row {
				sum += float64(sign[i] * v)
			}
			most = max(most, math.Abs(sum))
		}
		return most
	}
	for i := range sign {
		sign[i] = 1
	}
	seen := largest()
	above := 1
	for range flips {
		for i := range sign {
			if sign[i] = 1; r.Uint64()&1 == 0 {
				sign[i] = -1
			}
		}
		if largest() >= seen*(1-1e-12) {
			above++
		}
	}
	return float64(above) / (flips + 1)
}

// unit scales to length 1.
func unit(x []float64) []float64 {
	var square float64
	for _, v := range x {
		square += float64(v * v)
	}
	if square > 0 {
		for i := range x {
			x[i] /= math.Sqrt(square)
		}
	}
	return x
}

// autocorrelation is that of chains at a lag, about the mean of all.
func autocorrelation(x [][]float64, lag int) float64 {
	mean := draws.Mean(x)
	var at, zero, n, m float64
	for _, c := range x {
		for i, v := range c {
			zero += float64((v - mean) * (v - mean))
			n++
			if i >= lag {
				at += float64((v - mean) * (c[i-lag] - mean))
				m++
			}
		}
	}
	if zero == 0 || m == 0 {
		return 0
	}
	return at / m / (zero / n)
}
