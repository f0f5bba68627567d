// This file holds the comparisons of samples: scores, discrepancy, energy distance, and
// the tests by permutation and by sign.

package gibbsprior

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/seed-12b88e03/ppl/infer/draws"
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
				z[k] = distuv.UnitNormal.Quantile((float64(lo+hi) / 2) / n)
			}
			out[i] = append(out[i], z)
		}
	}
	return out
}

// twoSided is the p-value of a standard normal statistic.
func twoSided(z float64) float64 { return 2 * distuv.UnitNormal.CDF(-math.Abs(z)) }

// shifts tests whether two samples, of chains each, have the same mean and the same
// spread.
func shifts(chain, prior [][]float64) (mean, spread float64) {
	z := scores(chain, prior)
	compare := func(a, b [][]float64) float64 {
		ea, eb := draws.MCSEMean(a), draws.SD(b)/math.Sqrt(float64(len(slices.Concat(b...))))
		if ea == 0 && eb == 0 {
			return 1
		}
		return twoSided((draws.Mean(a) - draws.Mean(b)) / math.Hypot(ea, eb))
	}
	square := func(x [][]float64) [][]float64 {
		out := make([][]float64, len(x))
		for i, c := range x {
			for _, v := range c {
				out[i] = append(out[i], v*v)
			}
		}
		return out
	}
	return compare(z[0], z[1]), compare(square(z[0]), square(z[1]))
}

// A pooled pair of samples: kernel values of all pairs of points.
type pooled struct {
	kernel   [][]float64
	distance [][]float64
	n        int // points of the first sample; the second has the others
}

// pool standardises the coordinates by the second sample and computes distances; the
// kernel's width is their median.
func pool(a, b [][]float64) *pooled {
	d := len(a[0])
	scale := make([]float64, d)
	for k := range scale {
		x := make([]float64, len(b))
		for i, q := range b {
			x[i] = q[k]
		}
		slices.Sort(x)
		// The quartiles' distance: a sd may not exist.
		if scale[k] = draws.Quantile(x, 0.75) - draws.Quantile(x, 0.25); scale[k] == 0 {
			scale[k] = 1
		}
	}
	all := slices.Concat(a, b)
	p := &pooled{n: len(a), kernel: make([][]float64, len(all)), distance: make([][]float64, len(all))}
	var list []float64
	for i := range all {
		p.kernel[i], p.distance[i] = make([]float64, len(all)), make([]float64, len(all))
		for j := range i {
			var square float64
			for k, x := range all[i] {
				v := (x - all[j][k]) / scale[k]
				square += v * v
			}
			p.distance[i][j] = math.Sqrt(square)
			p.distance[j][i] = p.distance[i][j]
			list = append(list, p.distance[i][j])
		}
	}
	slices.Sort(list)
	width := draws.Quantile(list, 0.5)
	if width == 0 {
		width = 1
	}
	for i := range all {
		for j := range all {
			v := p.distance[i][j] / width
			p.kernel[i][j] = math.Exp(-v * v / 2)
		}
	}
	return p
}

// contrast is the unbiased mean of a matrix within both samples minus twice that
// between them; first says which points are of the first sample.
func contrast(m [][]float64, first []bool) float64 {
	var within, between [2]float64
	var n [2]float64
	for i, f := range first {
		g := 0
		if f {
			g = 1
		}
		n[g]++
		for j, v := range m[i][:i] {
			if first[j] == f {
				within[g] += 2 * v
			} else {
				between[0] += v
			}
		}
	}
	return within[0]/(n[0]*(n[0]-1)) + within[1]/(n[1]*(n[1]-1)) - 2*between[0]/(n[0]*n[1])
}

func (p *pooled) labels() []bool {
	out := make([]bool, len(p.kernel))
	for i := range p.n {
		out[i] = true
	}
	return out
}

// permutations is how many are made; the smallest p-value is one over one more.
const permutations = 1999

// mmd is the unbiased squared maximum mean discrepancy with its permutation p-value.
func (p *pooled) mmd(r *rand.Rand) (value, prob float64) {
	first := p.labels()
	value = contrast(p.kernel, first)
	above := 1
	for range permutations {
		r.Shuffle(len(first), func(i, j int) { first[i], first[j] = first[j], first[i] })
		if contrast(p.kernel, first) >= value {
			above++
		}
	}
	return value, float64(above) / (permutations + 1)
}

// energy is the energy distance, by unbiased estimates.
func (p *pooled) energy() float64 { return -contrast(p.distance, p.labels()) }

// flips is how many random sign vectors are tried.
const flips = 19999

// exchangeable tests pairs of quantities by random swaps: for each quantity the
// differences of normal scores and of their squares. The p-values are adjusted for all
// of them at once by the largest studentised sum (Westfall and Young 1993); p is the
// smallest.
func exchangeable(before, after [][]float64, r *rand.Rand) (p float64) {
	n := len(before)
	var rows [][]float64
	for k := range before[0] {
		a, b := make([]float64, n), make([]float64, n)
		for i := range n {
			a[i], b[i] = before[i][k], after[i][k]
		}
		z := scores([][]float64{a}, [][]float64{b})
		mean, spread := make([]float64, n), make([]float64, n)
		for i := range n {
			x, y := z[0][0][i], z[1][0][i]
			mean[i], spread[i] = y-x, y*y-x*x
		}
		rows = append(rows, unit(mean), unit(spread))
	}
	sign := make([]float64, n)
	largest := func() (most float64) {
		for _, row := range rows {
			var sum float64
			for i, v := range row {
				sum += sign[i] * v
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
		square += v * v
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
			zero += (v - mean) * (v - mean)
			n++
			if i >= lag {
				at += (v - mean) * (c[i-lag] - mean)
				m++
			}
		}
	}
	if zero == 0 || m == 0 {
		return 0
	}
	return at / m / (zero / n)
}
