package main

// This file integrates: rules for one number with known peaks, lattices that close in on the
// mass for a few, and conditioning of normals. Nothing here knows the program.

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
)

// A peak is where a density may change fast, and within which distance.
type peak struct{ at, width float64 }

// along calls each at the points of a rule from lo to hi, with the logarithms of their
// weights: 32 points of Gauss and Legendre in panels that double in length away from peaks.
func along(lo, hi float64, peaks []peak, each func(x, logw float64)) {
	breaks := []float64{lo, hi}
	put := func(x float64) {
		if x > lo && x < hi {
			breaks = append(breaks, x)
		}
	}
	for _, p := range peaks {
		put(p.at)
		for d := p.width / 8; p.at-d > lo || p.at+d < hi; d *= 2 {
			put(p.at - d)
			put(p.at + d)
		}
	}
	slices.Sort(breaks)
	x, w := make([]float64, 32), make([]float64, 32)
	for i, b := range breaks[1:] {
		if a := breaks[i]; b-a > 1e-13*math.Max(math.Abs(a), math.Abs(b)) {
			quad.Legendre{}.FixedLocations(x, w, a, b)
			for j := range x {
				each(x[j], math.Log(w[j]))
			}
		}
	}
}

// line returns the moments of one number whose log density is logf.
func line(name string, logf func(x float64) float64, lo, hi float64, peaks ...peak) []moment {
	var m mixture
	along(lo, hi, peaks, func(x, logw float64) { m.add(logf(x)+logw, []float64{x}, nil) })
	return m.moments(name)
}

// An axis is a coordinate of a lattice: the number is to(u) for u from lo to hi, and logd is
// the logarithm of the derivative.
type axis struct {
	lo, hi float64
	to     func(u float64) (x, logd float64)
}

// plain is a coordinate that is the number itself, and positive its logarithm.
func plain(lo, hi float64) axis {
	return axis{lo, hi, func(u float64) (float64, float64) { return u, 0 }}
}

func positive(lo, hi float64) axis {
	return axis{math.Log(lo), math.Log(hi), func(u float64) (float64, float64) { return math.Exp(u), u }}
}

// inside is a number between a and b, by the logit.
func inside(a, b float64) axis {
	return axis{-40, 40, func(u float64) (float64, float64) {
		e := math.Exp(-math.Abs(u))
		p := 1 / (1 + e)
		if u < 0 {
			p = e / (1 + e)
		}
		return a + (b-a)*p, math.Log(b-a) - math.Abs(u) - 2*math.Log1p(e)
	}}
}

// depth is how far below the greatest log density the mass is cut off.
const depth = 45

// lattice calls each at equidistant points where the density is, with their log weights. The
// box closes in on the mass step by step, from points so dense that a region must be
// narrower than the axis over the number of points to be missed. Then points are added until every
// second one along each axis would do.
func lattice(axes []axis, logf func(x []float64) float64, each func(x []float64, logw float64)) {
	b := box{axes: axes, n: map[int]int{1: 4000, 2: 120, 3: 40}[len(axes)], logf: logf}
	for _, a := range axes {
		b.lo, b.hi = append(b.lo, a.lo), append(b.hi, a.hi)
	}
	for range 12 {
		b.evaluate()
		if !b.closeIn() {
			break
		}
	}
	for b.coarse() && len(b.value) < mostPoints {
		b.n += b.n/4*2 + b.n%2 + 1 // odd, so that every second point has both ends
		b.evaluate()
	}
	for i, v := range b.value {
		each(b.point(i), v)
	}
}

// mostPoints ends the refinement of a lattice.
const mostPoints = 1_000_000

// coarse reports whether means or standard deviations change by more than 0.03 standard
// deviations when every second point along each axis is left out. Of smooth densities the
// error with all points is that to the fourth power.
func (b *box) coarse() bool {
	all, half := b.moments(1), b.moments(2)
	for k := range all {
		sd := all[k].sd
		if !(math.Abs(all[k].mean-half[k].mean) <= 0.03*sd && math.Abs(sd-half[k].sd) <= 0.03*sd) {
			return true
		}
	}
	return false
}

// moments are means and standard deviations of the axes' numbers, by the points of which all
// places are multiples of step.
func (b *box) moments(step int) []struct{ mean, sd float64 } {
	out := make([]struct{ mean, sd float64 }, len(b.axes))
	most, total := slices.Max(b.value), 0.0
	for i, v := range b.value {
		w := math.Exp(v - most)
		if w == 0 || slices.ContainsFunc(b.at(i), func(j int) bool { return j%step != 0 }) {
			continue
		}
		total += w
		for k, x := range b.point(i) {
			out[k].mean += w * x
			out[k].sd += w * x * x
		}
	}
	for k := range out {
		m := &out[k]
		m.mean /= total
		m.sd = math.Sqrt(math.Max(m.sd/total-m.mean*m.mean, 0))
	}
	return out
}

// A box is a lattice of n points along each axis.
type box struct {
	axes   []axis
	n      int
	logf   func(x []float64) float64
	lo, hi []float64
	value  []float64 // log density at each point, in the order of point
	logd   float64   // of the last point
}

// at returns the place along the axes of a point.
func (b *box) at(i int) []int {
	out := make([]int, len(b.axes))
	for k := range out {
		out[k] = i % b.n
		i /= b.n
	}
	return out
}

// point returns the numbers at a point.
func (b *box) point(i int) []float64 {
	x := make([]float64, len(b.axes))
	b.logd = 0
	for k, j := range b.at(i) {
		var logd float64
		x[k], logd = b.axes[k].to(b.lo[k] + (b.hi[k]-b.lo[k])*float64(j)/float64(b.n-1))
		b.logd += logd
	}
	return x
}

func (b *box) evaluate() {
	total := 1
	for range b.axes {
		total *= b.n
	}
	b.value = make([]float64, total)
	for i := range b.value {
		x := b.point(i)
		if b.value[i] = b.logf(x) + b.logd; math.IsNaN(b.value[i]) {
			b.value[i] = math.Inf(-1)
		}
	}
}

// closeIn shrinks the box to where the density is, and reports whether that changed much.
func (b *box) closeIn() bool {
	most := slices.Max(b.value)
	first, last := make([]int, len(b.axes)), make([]int, len(b.axes))
	for k := range first {
		first[k] = b.n
	}
	for i, v := range b.value {
		if v < most-depth {
			continue
		}
		for k, j := range b.at(i) {
			first[k], last[k] = min(first[k], j), max(last[k], j)
		}
	}
	small := false
	for k := range first {
		first[k], last[k] = max(first[k]-1, 0), min(last[k]+1, b.n-1)
		small = small || float64(last[k]-first[k]) < 0.8*float64(b.n-1)
	}
	if !small {
		return false
	}
	for k := range first {
		step := (b.hi[k] - b.lo[k]) / float64(b.n-1)
		b.lo[k], b.hi[k] = b.lo[k]+step*float64(first[k]), b.lo[k]+step*float64(last[k])
	}
	return true
}

// cube returns the moments of numbers whose joint log density is logf.
func cube(names []string, axes []axis, logf func(x []float64) float64) []moment {
	var m mixture
	lattice(axes, logf, func(x []float64, logw float64) { m.add(logw, x, nil) })
	return m.moments(names...)
}

// A joint is a multivariate normal.
type joint struct {
	mean *mat.VecDense
	cov  *mat.SymDense
}

// independent makes a normal of independent numbers.
func independent(mean, sd []float64) joint {
	j := joint{mat.NewVecDense(len(mean), slices.Clone(mean)), mat.NewSymDense(len(mean), nil)}
	for i, s := range sd {
		j.cov.SetSym(i, i, s*s)
	}
	return j
}

// given conditions on y ~ N(X theta, diag(sd^2)) and gives the log density of y, too.
func (j joint) given(x mat.Matrix, y, sd []float64) (post joint, logEvidence float64) {
	n, d := x.Dims()
	var sx, v mat.Dense
	sx.Mul(j.cov, x.T())
	v.Mul(x, &sx)
	noise := mat.NewSymDense(n, nil)
	for i := range n {
		for k := i; k < n; k++ {
			noise.SetSym(i, k, (v.At(i, k)+v.At(k, i))/2)
		}
		noise.SetSym(i, i, v.At(i, i)+sd[i]*sd[i])
	}
	var c mat.Cholesky
	if !c.Factorize(noise) {
		panic("covariance of the data is not positive definite")
	}
	var res, solved, shift mat.VecDense
	res.MulVec(x, j.mean)
	res.SubVec(mat.NewVecDense(n, slices.Clone(y)), &res)
	if err := c.SolveVecTo(&solved, &res); err != nil {
		panic(err)
	}
	shift.MulVec(&sx, &solved)
	post.mean = mat.NewVecDense(d, nil)
	post.mean.AddVec(j.mean, &shift)
	var gain, less mat.Dense
	if err := c.SolveTo(&gain, sx.T()); err != nil {
		panic(err)
	}
	less.Mul(&sx, &gain)
	post.cov = mat.NewSymDense(d, nil)
	for i := range d {
		for k := i; k < d; k++ {
			post.cov.SetSym(i, k, j.cov.At(i, k)-less.At(i, k))
		}
	}
	return post, -0.5*mat.Dot(&res, &solved) - 0.5*c.LogDet() - float64(n)/2*math.Log(2*math.Pi)
}

// parts are the means and variances.
func (j joint) parts() (mean, variance []float64) {
	n := j.mean.Len()
	mean, variance = make([]float64, n), make([]float64, n)
	for i := range n {
		mean[i], variance[i] = j.mean.AtVec(i), j.cov.At(i, i)
	}
	return mean, variance
}

// identity observes every number by itself.
func identity(n int) *mat.Dense {
	x := mat.NewDense(n, n, nil)
	for i := range n {
		x.Set(i, i, 1)
	}
	return x
}

// same repeats a number.
func same(n int, v float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = v
	}
	return x
}
