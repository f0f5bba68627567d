// This file has the closed forms between multivariate normals.

package divergence

import (
	"errors"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/mat"
)

// Gaussian is a pair of multivariate normals. The parameters of q are its mean,
// d numbers, and its covariance V, d*d numbers row by row: a gradient by V is the
// symmetric matrix whose inner product with a symmetric change of V is the change
// of the value.
type Gaussian struct {
	d          int
	priorMean  *mat.VecDense
	prior      *mat.SymDense // precision
	priorLog   float64       // log |V| of pi
	mean       *mat.VecDense
	precision  *mat.SymDense
	cov        *mat.SymDense
	logDet     float64
	chol       mat.Cholesky
	mixed, inv *mat.SymDense // Lambda of a mix and its inverse
	mixedLog   float64
	at         *mat.VecDense // mean of the mix
	h          *mat.VecDense
}

var errNotPositive = errors.New("the covariance is not positive definite")

// NewGaussian makes a pair with the given prior, of which it keeps nothing. Move
// must be called before anything else.
func NewGaussian(mean []float64, cov *mat.SymDense) (*Gaussian, error) {
	d := len(mean)
	g := &Gaussian{
		d: d, priorMean: mat.NewVecDense(d, slices.Clone(mean)), prior: mat.NewSymDense(d, nil),
		mean: mat.NewVecDense(d, nil), precision: mat.NewSymDense(d, nil), cov: mat.NewSymDense(d, nil),
		mixed: mat.NewSymDense(d, nil), inv: mat.NewSymDense(d, nil),
		at: mat.NewVecDense(d, nil), h: mat.NewVecDense(d, nil),
	}
	if !g.chol.Factorize(cov) {
		return nil, errNotPositive
	}
	g.priorLog = g.chol.LogDet()
	return g, g.chol.InverseTo(g.prior)
}

// Move sets q. After an error the pair means nothing until the next Move.
func (g *Gaussian) Move(mean, cov []float64) error {
	copy(g.mean.Raw(), mean)
	for i := range g.d {
		for j := i; j < g.d; j++ {
			g.cov.SetSym(i, j, cov[i*g.d+j])
		}
	}
	if !g.chol.Factorize(g.cov) {
		return errNotPositive
	}
	g.logDet = g.chol.LogDet()
	if err := g.chol.InverseTo(g.precision); err != nil {
		return errNotPositive
	}
	return nil
}

// KL implements Pair.
func (g *Gaussian) KL() float64 {
	g.h.SubVec(g.mean, g.priorMean)
	sum := mat.Inner(g.h, g.prior, g.h) - float64(g.d) + g.priorLog - g.logDet
	for i := range g.d {
		for j := range g.d {
			sum += float64(g.prior.At(i, j) * g.cov.At(i, j))
		}
	}
	return sum / 2
}

// AddKL implements Pair.
func (g *Gaussian) AddKL(scale float64, grad []float64) {
	g.h.SubVec(g.mean, g.priorMean)
	g.at.MulVec(g.prior, g.h)
	for i := range g.d {
		grad[i] += float64(scale * g.at.AtVec(i))
		for j := range g.d {
			grad[g.d+i*g.d+j] += float64(scale / 2 * (g.prior.At(i, j) - g.precision.At(i, j)))
		}
	}
}

// mix prepares q^a pi^b, and reports whether it can be integrated.
func (g *Gaussian) mix(a, b float64) bool {
	for i := range g.d {
		for j := i; j < g.d; j++ {
			g.mixed.SetSym(i, j, float64(a*g.precision.At(i, j))+float64(b*g.prior.At(i, j)))
		}
	}
	if !g.chol.Factorize(g.mixed) || g.chol.InverseTo(g.inv) != nil {
		return false
	}
	g.mixedLog = g.chol.LogDet()
	g.h.MulVec(g.precision, g.mean)
	g.h.ScaleVec(a, g.h)
	g.at.MulVec(g.prior, g.priorMean)
	g.h.AddScaledVec(g.h, b, g.at)
	g.at.MulVec(g.inv, g.h)
	return true
}

// LogPower implements Pair. The quadratic form is taken about the mean of the
// mix, where nothing cancels.
func (g *Gaussian) LogPower(a, b float64) float64 {
	if !g.mix(a, b) {
		return math.Inf(1)
	}
	g.h.SubVec(g.mean, g.at)
	square := float64(a * mat.Inner(g.h, g.precision, g.h))
	g.h.SubVec(g.priorMean, g.at)
	square += float64(b * mat.Inner(g.h, g.prior, g.h))
	return float64(-float64(g.d)/2*(a+b-1)*libm.Log(2*math.Pi)) - float64((float64(a*g.logDet)+float64(b*g.priorLog)+g.mixedLog+square)/2)
}

// AddLogPower implements Pair. By the precision P of q the derivative is
// a/2 (V - Lambda^-1 - u u') with u = m - m*, and dP = -P dV P.
func (g *Gaussian) AddLogPower(a, b, scale float64, grad []float64) {
	if !g.mix(a, b) {
		for i := range grad[:g.d+g.d*g.d] {
			grad[i] = math.NaN()
		}
		return
	}
	g.h.SubVec(g.mean, g.at)
	g.at.MulVec(g.precision, g.h) // P u
	var t, left mat.Dense
	left.Mul(g.precision, g.inv)
	t.Mul(&left, g.precision)
	for i := range g.d {
		u := g.at.AtVec(i)
		grad[i] -= float64(scale * a * u)
		for j := range g.d {
			grad[g.d+i*g.d+j] -= float64(scale * a / 2 * (g.precision.At(i, j) - t.At(i, j) - float64(u*g.at.AtVec(j))))
		}
	}
}

var _ Pair = (*Gaussian)(nil)
