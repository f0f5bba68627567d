// This file compares columns of a fit with those of a population.

package population

import (
	"cmp"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// A column is one quantity under the fit and in the population.
type column struct {
	name string
	fit  fitted
	x    []float64 // of the population
	all  bool      // which has all there is: a constant there is one in truth
}

// fitted is a quantity under the fit.
type fitted struct {
	values    []float64 // a thinned sample, ascending
	weights   []float64 // of the values, summing to 1
	mean, sd  float64
	meanError float64
	sdError   float64     // of log sd
	n         float64     // effective number of draws; of chains it is taken from them when it is asked for
	chains    [][]float64 // nil for other draws
}

// constantSpread is the spread of a quantity over its size that is owed to rounding.
const constantSpread = 1e-10

// compared computes moments; ok is false for a quantity that does not vary in the
// population, unless that is far from the fit, or has values that are not finite.
func (c *column) compared(ancestor []int) (out draws.Compared, ok bool) {
	m, s := moments(c.x)
	unit := c.fit.sd
	if c.all && !(unit > 0) {
		unit = 1e-3 * max(1, math.Abs(m))
	}
	if shift := (c.fit.mean - m) / unit; s <= constantSpread*math.Abs(m) && unit > 0 && (c.all || math.Abs(shift) > 1) {
		nan := draws.Number(math.NaN())
		return draws.Compared{Name: c.name, Fit: spread(c.fit.mean, c.fit.sd), Population: spread(m, s), Shift: draws.Number(shift),
			ShiftError: draws.Number(libm.Hypot(1/math.Sqrt(effective(ancestor)), zeroed(c.fit.meanError)/unit)), Factor: nan, FactorError: nan}, true
	}
	if !(s > constantSpread*math.Abs(m)) || math.IsInf(s, 0) || math.IsNaN(c.fit.mean) || math.IsInf(c.fit.mean, 0) {
		return out, false
	}
	meanError := spreadOf(c.x, ancestor, func(v float64) float64 { return v - m })
	sdError := spreadOf(c.x, ancestor, func(v float64) float64 { return ((v-m)*(v-m)/(s*s) - 1) / 2 })
	return draws.Compared{
		Name: c.name, Fit: spread(c.fit.mean, c.fit.sd), Population: spread(m, s),
		Shift:       draws.Number((c.fit.mean - m) / s),
		ShiftError:  draws.Number(libm.Hypot(meanError, c.fit.meanError) / s),
		Factor:      draws.Number(libm.Log(max(c.fit.sd/s, constantSpread))), // finite where all draws are one
		FactorError: draws.Number(libm.Hypot(sdError, c.fit.sdError)),
	}, true
}

// zeroed is an error that is 0 where it is not known, as of draws that are all the same.
func zeroed(x float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return x
}

func spread(mean, sd float64) draws.Spread {
	return draws.Spread{Mean: draws.Number(mean), SD: draws.Number(sd)}
}

// spreadOf is the standard error of the mean of f, which is 0 on the whole, over points of
// independent ancestors.
func spreadOf(x []float64, ancestor []int, f func(float64) float64) float64 {
	sums := make([]float64, slices.Max(ancestor)+1)
	seen := make([]bool, len(sums))
	for i, v := range x {
		sums[ancestor[i]] += f(v)
		seen[ancestor[i]] = true
	}
	square, k := 0.0, 0.0
	for a, sum := range sums {
		if seen[a] {
			k++
		}
		square += float64(sum * sum)
	}
	if k < 2 {
		return math.Inf(1)
	}
	return math.Sqrt(square*k/(k-1)) / float64(len(x))
}

// moments are mean and standard deviation.
func moments(x []float64) (mean, sd float64) {
	for _, v := range x {
		mean += v
	}
	mean /= float64(len(x))
	for _, v := range x {
		sd += float64((v - mean) * (v - mean))
	}
	return mean, math.Sqrt(sd / float64(len(x)-1))
}

// region is the side of a value whose share of the population exceeds the fit's most. Where
// there is a wide gap and nearly as much mass beyond it, it is the far side of the gap. Only the region of one column is
// told of, so that the rest is left to described.
func (c *column) region() draws.Region {
	r := draws.Region{Name: c.name}
	sorted := slices.Clone(c.x)
	slices.Sort(sorted)
	n := len(sorted)
	low, high := n/100, n-1-n/100
	most, at, gap, below, k := 0.0, 0.0, 0.0, 0.0, 0
	beyond, middle := 0.0, 0.0 // at the widest gap
	for i, v := range sorted {
		if i+1 < n && sorted[i+1] == v {
			continue
		}
		for k < len(c.fit.values) && c.fit.values[k] <= v {
			below += c.fit.weights[k]
			k++
		}
		d := float64(i+1)/float64(n) - below
		if math.Abs(d) > math.Abs(most) {
			most, at = d, v
		}
		if i >= low && i < high && sorted[i+1]-v > gap {
			gap, beyond, middle = sorted[i+1]-v, d, (v+sorted[i+1])/2
		}
	}
	if r.Apart = gap > (sorted[high]-sorted[low])/widestGap && math.Abs(beyond) > mostBeyond*math.Abs(most); r.Apart {
		most, at = beyond, middle
	}
	r.Above, r.At = most < 0, draws.Number(at)
	count := 0
	for _, v := range c.x {
		if (v > at) == r.Above {
			count++
		}
	}
	r.Share = draws.Number(float64(count) / float64(n))
	for i, v := range c.fit.values {
		if (v > at) == r.Above {
			r.FitShare += draws.Number(c.fit.weights[i])
		}
	}
	return r
}

// described adds the standard error of its share and its middle to a region.
func (c *column) described(r draws.Region, ancestor []int) draws.Region {
	inside := func(v float64) bool { return (v > float64(r.At)) == r.Above }
	var values []float64
	for _, v := range c.x {
		if inside(v) {
			values = append(values, v)
		}
	}
	share := float64(r.Share)
	r.Error = draws.Number(spreadOf(c.x, ancestor, func(v float64) float64 {
		if inside(v) {
			return 1 - share
		}
		return -share
	}))
	if len(values) > 0 {
		slices.Sort(values)
		r.Middle = draws.Number(values[len(values)/2])
	}
	return r
}

const (
	widestGap  = 8   // range of the points over a gap that parts modes
	mostBeyond = 0.6 // of the largest difference in mass, what must lie beyond a gap
)

// sortedWith sorts values and carries weights along.
func sortedWith(x, w []float64) ([]float64, []float64) {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	xs, ws := make([]float64, len(x)), make([]float64, len(x))
	for k, i := range order {
		xs[k], ws[k] = x[i], w[i]
	}
	return xs, ws
}
