// This file has the points of noise that expectations are taken over.

package gvi

import (
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// nodes are points of standard normal noise with weights that sum to 1.
type nodes struct {
	e [][]float64
	w []float64
	// exact reports that smooth functions are integrated with no error to speak of.
	exact bool
}

const (
	axisPoints = 41    // quadrature points in one dimension, and for each of two
	leastShare = 1e-15 // weights below it are left out: points beyond 8 sd
	mostExact  = 2     // dimensions of noise up to which there is quadrature
)

// quadrature is Gauss-Hermite in one or two dimensions.
func quadrature(dim int) *nodes {
	x, w := mat.GaussHermite(axisPoints)
	n := &nodes{exact: true}
	var total float64
	add := func(w float64, e ...float64) {
		if w > leastShare {
			n.e, n.w = append(n.e, e), append(n.w, w)
			total += w
		}
	}
	for i := range x {
		if dim == 1 {
			add(w[i], x[i])
			continue
		}
		for j := range x {
			add(float64(w[i]*w[j]), x[i], x[j])
		}
	}
	for i := range n.w {
		n.w[i] /= total
	}
	return n
}

// trapezoid is the rule of equal distances in one or two dimensions, of denser points than
// the quadrature's. For smooth functions it is as exact, and it sees what is narrower.
func trapezoid(dim int) *nodes {
	points := map[int]int{1: 2001, 2: 121}[dim]
	const reach = 8 // standard deviations
	n := &nodes{exact: true}
	at := func(i int) float64 { return reach * (2*float64(i)/float64(points-1) - 1) }
	var total float64
	add := func(e ...float64) {
		if w := libm.Exp(normal.StandardLog(e)); w > leastShare {
			n.e, n.w = append(n.e, e), append(n.w, w)
			total += w
		}
	}
	for i := range points {
		if dim == 1 {
			add(at(i))
			continue
		}
		for j := range points {
			add(at(i), at(j))
		}
	}
	for i := range n.w {
		n.w[i] /= total
	}
	return n
}

// sample is pairs of random points with their mirror images. Where there are
// enough of them they are turned and stretched to have unit covariance, which
// makes expectations of quadratic functions exact.
func sample(r *rand.Rand, dim, pairs int) *nodes {
	e := mat.NewDense(pairs, dim, nil)
	for k := range pairs {
		row := e.RawRowView(k)
		for i := range row {
			row[i] = variate.Normal(r)
		}
	}
	if pairs >= 2*dim {
		whiten(e)
	}
	n := &nodes{}
	for k := range pairs {
		row := e.RawRowView(k)
		mirror := make([]float64, dim)
		for i, v := range row {
			mirror[i] = -v
		}
		n.e = append(n.e, row, mirror)
		n.w = append(n.w, 1/float64(2*pairs), 1/float64(2*pairs))
	}
	return n
}

// whiten returns the rows unit mean square: e L'^-1, with L L' what they have.
func whiten(e *mat.Dense) {
	pairs, dim := e.Dims()
	var second mat.SymDense
	second.SymOuterK(1/float64(pairs), e.T())
	var chol mat.Cholesky
	if !chol.Factorize(&second) {
		return
	}
	var l mat.TriDense
	chol.LTo(&l)
	for k := range pairs {
		row := e.RawRowView(k)
		for i := range dim {
			for j := range i {
				row[i] -= float64(l.At(i, j) * row[j])
			}
			row[i] /= l.At(i, i)
		}
	}
}

// selfCorrection is what sampling errs in log G(a, 0) of a normal whose log
// density at a node is log phi(e) but for a constant; the exact value for phi is
// the integral of phi^a.
func (n *nodes) selfCorrection(a float64) float64 {
	d := float64(len(n.e[0]))
	exact := float64(-(a-1)*d*normal.LogRoot2Pi) - float64(d/2*libm.Log(a))
	var sum float64
	for k, e := range n.e {
		sum += float64(n.w[k] * libm.Exp((a-1)*normal.StandardLog(e)))
	}
	return exact - libm.Log(sum)
}
