// This file compares two samples that come in pairs.

package gibbsprior

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// A joint is a draw of parameters and data.
type joint struct{ theta, y []float64 }

// swaps compares two samples whose i-th points are a pair, independent of all other pairs.
// The p-value is by swapping points within pairs, which leaves the law of the statistic
// alone where the two points of a pair are exchangeable. Swaps are tried until enough of
// them gave as much as was seen (Besag and Clifford 1991).
//
// The statistic is the largest, over some widths, of the normal scores of the squared maximum mean
// discrepancy for a product of two Gaussian kernels, one in the parameters and one in the
// data; value is that of the widest, unbiased.
func swaps(a, b []joint, r *rand.Rand) (value, prob float64) {
	const enough = 50
	k := newKernels(b, r)
	rows := make([][]float64, len(a))
	for i := range a {
		rows[i] = k.difference(a[i], b[i])
	}
	law := newFlipped(rows, len(widths))
	sign := make([]float64, len(rows))
	for i := range sign {
		sign[i] = 1
	}
	n := float64(len(rows))
	seen := law.statistic(sign)
	value = law.squares[0] / (n * (n - 1))
	above, tried := 1, 1
	for ; tried <= permutations && above < enough; tried++ {
		for i := range sign {
			sign[i] = float64(1 - 2*int(r.Uint64()&1))
		}
		if law.statistic(sign) >= seen {
			above++
		}
	}
	return value, float64(above) / float64(tried)
}

// A flipped is a list of vectors whose signs are changed at random. Each vector has parts
// of one length.
type flipped struct {
	rows    [][]float64
	sum     []float64
	own     []float64 // by part: sum of squared lengths
	law     []gamma   // by part: of squares, under random signs
	squares []float64 // by part: squared length of the last sum, less own
}

// A gamma is a shifted gamma distribution with mean 0.
type gamma struct{ sd, degrees float64 }

// score is the normal score of x (Wilson and Hilferty 1931).
func (g gamma) score(x float64) float64 {
	ninth := 2 / (9 * g.degrees)
	return (libm.Cbrt(1+float64(x/g.sd*math.Sqrt(2/g.degrees))) - (1 - ninth)) / math.Sqrt(ninth)
}

func newFlipped(rows [][]float64, parts int) *flipped {
	f := &flipped{rows: rows, sum: make([]float64, len(rows[0])), own: make([]float64, parts), law: make([]gamma, parts), squares: make([]float64, parts)}
	for p := range parts {
		f.moments(p)
	}
	return f
}

// moments fills in the law of a part: three moments of the quadratic form in random signs. Its
// variance is twice the sum of the squared inner products of different rows; of the third
// cumulant the terms with equal rows are left in.
func (f *flipped) moments(p int) {
	size := len(f.sum) / len(f.own)
	second := mat.NewSymDense(size, nil)
	var fourth float64
	for _, row := range f.rows {
		x := f.part(row, p)
		square := vec.Dot(x, x)
		f.own[p] += square
		fourth += float64(square * square)
		second.SymRankOne(second, 1, mat.NewVecDense(size, x))
	}
	var cube mat.Dense
	cube.Mul(second, second)
	squared := mat.Trace(&cube)
	cube.Mul(&cube, second)
	variance := 2 * (squared - fourth)
	if !(variance > 0) {
		return
	}
	third := 8 * mat.Trace(&cube)
	f.law[p] = gamma{math.Sqrt(variance), 8 * variance * variance * variance / (third * third)}
}

func (f *flipped) part(x []float64, p int) []float64 {
	size := len(f.sum) / len(f.own)
	return x[p*size : (p+1)*size]
}

// statistic fills squares and gives the largest of their normal scores.
func (f *flipped) statistic(sign []float64) float64 {
	clear(f.sum)
	for i, row := range f.rows {
		if sign[i] > 0 {
			floats.Add(f.sum, row)
		} else {
			floats.Sub(f.sum, row)
		}
	}
	most := math.Inf(-1)
	for p, law := range f.law {
		x := f.part(f.sum, p)
		f.squares[p] = vec.Dot(x, x) - f.own[p]
		if law.sd > 0 {
			most = max(most, law.score(f.squares[p]))
		}
	}
	return most
}

// widths are those of the kernels, in units of the median distances: laws may differ in
// their fine structure alone.
var widths = [...]float64{1, 0.4}

// frequencies is how many there are of a kernel, each with a cosine and a sine. With 64 the
// power still depends on which they are.
const frequencies = 160

// kernels are the products of Gaussian kernels in random Fourier features (Rahimi and
// Recht 2007), with which the time of a comparison is in proportion to the number of points.
type kernels struct {
	theta, y block
	phase    []float64 // scratch: by width and frequency
}

// A block is what is known of the parameters or of the data.
type block struct {
	scale     []float64
	frequency [][]float64 // by width and frequency
}

// newKernels takes scales and widths from a sample.
func newKernels(sample []joint, r *rand.Rand) *kernels {
	var theta, y [][]float64
	for _, j := range sample {
		theta, y = append(theta, j.theta), append(y, j.y)
	}
	k := &kernels{phase: make([]float64, len(widths)*frequencies)}
	k.theta, k.y = newBlock(theta, r), newBlock(y, r)
	return k
}

func newBlock(sample [][]float64, r *rand.Rand) block {
	const most = 300 // points that the median distance comes from
	b := block{scale: scales(sample)}
	var list []float64
	some := every(sample, most)
	for i := range some {
		for j := range i {
			list = append(list, distance(some[i], some[j], b.scale))
		}
	}
	median := medianOf(list)
	for _, width := range widths {
		for range frequencies {
			f := make([]float64, len(b.scale))
			for i := range f {
				f[i] = variate.Normal(r) / (width * median)
			}
			b.frequency = append(b.frequency, f)
		}
	}
	return b
}

// add adds the phases of a point.
func (b *block) add(x, phase []float64) {
	const far = 1e6 // in units of scale: beyond it and where it is not a number, points are all alike
	z := make([]float64, len(x))
	for i, v := range x {
		if v /= b.scale[i]; v == v {
			z[i] = min(max(v, -far), far)
		}
	}
	for i, f := range b.frequency {
		phase[i] += vec.Dot(f, z)
	}
}

// difference is that of the features of two points, width by width.
func (k *kernels) difference(a, b joint) []float64 {
	out := make([]float64, 2*len(k.phase))
	unit := 1 / math.Sqrt(frequencies)
	for side, p := range [2]joint{a, b} {
		clear(k.phase)
		k.theta.add(p.theta, k.phase)
		k.y.add(p.y, k.phase)
		sign := unit * float64(1-2*side)
		for i, at := range k.phase {
			sin, cos := libm.Sincos(at)
			out[2*i] += float64(sign * cos)
			out[2*i+1] += float64(sign * sin)
		}
	}
	return out
}
