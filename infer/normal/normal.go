// Package normal has the multivariate normal approximations that variational
// methods and mode methods share, and mixtures of them.
//
// A Normal is a mean and a root R of the covariance, C = R R'. The root comes
// in four forms, by what was fitted:
//
//   - Diagonal: standard deviations
//   - Lower: a lower triangular factor
//   - Precision: the Cholesky factor of the inverse covariance, R = (L')^-1
//   - Spiked: D (I + Q (L - I) Q') with D diagonal, Q orthonormal with few
//     columns and L lower triangular: a diagonal plus a matrix of low rank
//
// Everything here is immutable once made, keeps what it is given (callers hand
// over ownership) and may be used from several goroutines at once. All
// matrices are flat, row by row.
package normal

import (
	"math"
	"math/rand/v2"
	"sync"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// LogRoot2Pi is the logarithm of the root of 2 pi.
const LogRoot2Pi = 0.91893853320467274178

// StandardLog is the log density of standard normals e.
func StandardLog(e []float64) float64 {
	var s float64
	for _, v := range e {
		s += float64(v * v)
	}
	return float64(-s/2) - float64(float64(len(e))*LogRoot2Pi)
}

// root is a square root R of a covariance matrix.
type root interface {
	mul(z, out []float64)    // out = R z
	mulT(x, out []float64)   // out = R' x
	solve(x, out []float64)  // out = R^-1 x
	solveT(z, out []float64) // out = (R')^-1 z
	logDet() float64         // log |det R|
}

// Normal implements infer.Approximation.
type Normal struct {
	mean    []float64
	root    root
	logNorm float64 // log density at the mean
	scratch sync.Pool
}

func newNormal(mean []float64, r root) *Normal {
	n := &Normal{
		mean: mean, root: r,
		logNorm: float64(-0.5*float64(len(mean))*libm.Log(2*math.Pi)) - r.logDet(),
	}
	n.scratch.New = func() any {
		s := make([]float64, 2*len(mean))
		return &s
	}
	return n
}

// NewDiagonal is the normal with independent coordinates.
func NewDiagonal(mean, sd []float64) *Normal { return newNormal(mean, diagonal(sd)) }

// NewLower is the normal with covariance L L', L lower triangular with a
// positive diagonal.
func NewLower(mean, l []float64) *Normal { return newNormal(mean, lower{len(mean), l}) }

// NewPrecision is the normal whose inverse covariance is L L', L lower
// triangular with a positive diagonal.
func NewPrecision(mean, l []float64) *Normal { return newNormal(mean, precision{lower{len(mean), l}}) }

// Dim implements infer.Approximation.
func (n *Normal) Dim() int { return len(n.mean) }

// Mean is a view of the mean.
func (n *Normal) Mean() []float64 { return n.mean }

// Entropy is the differential entropy in nats.
func (n *Normal) Entropy() float64 { return float64(0.5*float64(len(n.mean))) - n.logNorm }

// LogDensity implements infer.Density.
func (n *Normal) LogDensity(q []float64) float64 {
	s := n.scratch.Get().(*[]float64)
	defer n.scratch.Put(s)
	return n.logDensity(q, *s)
}

// logDensity leaves the standardised point in the second half of scratch.
func (n *Normal) logDensity(q, scratch []float64) float64 {
	d, z := scratch[:len(q)], scratch[len(q):]
	for i := range q {
		d[i] = q[i] - n.mean[i]
	}
	n.root.solve(d, z)
	var square float64
	for _, v := range z {
		square += float64(v * v)
	}
	return n.logNorm - square/2
}

// LogDensityGrad implements infer.Approximation.
func (n *Normal) LogDensityGrad(q, grad []float64) float64 {
	s := n.scratch.Get().(*[]float64)
	defer n.scratch.Put(s)
	lp := n.logDensity(q, *s)
	n.root.solveT((*s)[len(q):], grad)
	for i := range grad {
		grad[i] = -grad[i]
	}
	return lp
}

// Draw implements infer.Approximation.
func (n *Normal) Draw(r *rand.Rand, q []float64) {
	s := n.scratch.Get().(*[]float64)
	defer n.scratch.Put(s)
	z := (*s)[:len(q)]
	for i := range z {
		z[i] = variate.Normal(r)
	}
	n.Place(z, q)
}

// Sample is Draw that returns the log density of the draw, which its noise tells.
func (n *Normal) Sample(r *rand.Rand, q []float64) float64 {
	s := n.scratch.Get().(*[]float64)
	defer n.scratch.Put(s)
	z := (*s)[:len(q)]
	var square float64
	for i := range z {
		z[i] = variate.Normal(r)
		square += float64(z[i] * z[i])
	}
	n.Place(z, q)
	return n.logNorm - square/2
}

// Place writes mean + R z into q: where a standard normal z lands.
func (n *Normal) Place(z, q []float64) {
	n.root.mul(z, q)
	for i := range q {
		q[i] += n.mean[i]
	}
}

// Whiten writes R^-1 (q - mean) into z: the point that Place takes to q.
func (n *Normal) Whiten(q, z []float64) {
	s := n.scratch.Get().(*[]float64)
	defer n.scratch.Put(s)
	d := (*s)[:len(q)]
	for i := range q {
		d[i] = q[i] - n.mean[i]
	}
	n.root.solve(d, z)
}

// Pull writes R'x into out: a gradient in coordinates q as one in the standard
// normal coordinates z of Place.
func (n *Normal) Pull(x, out []float64) { n.root.mulT(x, out) }

// Covariance writes the covariance matrix into out, Dim()*Dim() numbers.
func (n *Normal) Covariance(out []float64) {
	d := len(n.mean)
	e, cols := make([]float64, d), make([]float64, d*d)
	for j := range d { // row j of cols is column j of R
		e[j] = 1
		n.root.mul(e, cols[j*d:(j+1)*d])
		e[j] = 0
	}
	clear(out)
	for k := range d {
		c := cols[k*d : (k+1)*d]
		for i, x := range c {
			if x == 0 {
				continue
			}
			for j, y := range c {
				out[i*d+j] += float64(x * y)
			}
		}
	}
}

// SD returns the standard deviations of the coordinates.
func (n *Normal) SD() []float64 {
	d := len(n.mean)
	e, col, out := make([]float64, d), make([]float64, d), make([]float64, d)
	for j := range d {
		e[j] = 1
		n.root.mul(e, col)
		e[j] = 0
		for i, x := range col {
			out[i] += float64(x * x)
		}
	}
	for i := range out {
		out[i] = math.Sqrt(out[i])
	}
	return out
}

// Independent are the standard deviations of a normal whose coordinates are independent; false of others.
func (n *Normal) Independent() ([]float64, bool) {
	d, ok := n.root.(diagonal)
	return d, ok
}

var _ infer.Approximation = (*Normal)(nil)

// KL is the Kullback-Leibler divergence of q from p, KL(p||q), in nats.
func KL(p, q *Normal) float64 {
	n := len(p.mean)
	delta, z := make([]float64, n), make([]float64, n)
	for i := range delta {
		delta[i] = p.mean[i] - q.mean[i]
	}
	q.root.solve(delta, z)
	total := squareSum(z)
	if a, ok := p.root.(diagonal); ok {
		if b, ok := q.root.(diagonal); ok {
			for i, s := range a {
				total += s * s / (b[i] * b[i])
			}
			return (total-float64(n))/2 + q.root.logDet() - p.root.logDet()
		}
	}
	e := make([]float64, n)
	for j := range e {
		e[j] = 1
		p.root.mul(e, delta)
		e[j] = 0
		q.root.solve(delta, z)
		total += squareSum(z)
	}
	return (total-float64(n))/2 + q.root.logDet() - p.root.logDet()
}

func squareSum(x []float64) float64 {
	var s float64
	for _, v := range x {
		s += float64(v * v)
	}
	return s
}

// ConditionalSD returns the standard deviation of each coordinate given all
// others: that of the best normal with independent coordinates by KL(q||p).
func (n *Normal) ConditionalSD() []float64 {
	d := len(n.mean)
	if s, ok := n.root.(diagonal); ok {
		return append([]float64{}, s...)
	}
	e, z, out := make([]float64, d), make([]float64, d), make([]float64, d)
	for j := range d {
		e[j] = 1
		n.root.solve(e, z)
		e[j] = 0
		out[j] = 1 / math.Sqrt(squareSum(z))
	}
	return out
}
