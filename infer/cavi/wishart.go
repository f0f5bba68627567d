// This file has the Wishart and the inverse Wishart factor.

package cavi

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/autodiff/vec/dense"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/stdlib/special"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// wishartFactor is the Wishart distribution of T or, with inverse set, of its inverse. The log
// density is a log|T| + sum(B * W), W being T or its inverse and -(B + B') the inverse of the
// scale matrix of W.
type wishartFactor struct {
	block   *infer.FactorBlock
	inverse bool
	k       int
	df      float64
	prec    *mat.SymDense // -(B + B')
	scale   *mat.SymDense // its inverse
	chol    mat.Cholesky  // of prec
}

func newWishart(b *infer.FactorBlock, inverse bool) *wishartFactor {
	k := int(math.Round(math.Sqrt(float64(b.Size))))
	return &wishartFactor{block: b, inverse: inverse, k: k, prec: mat.NewSymDense(k, nil), scale: mat.NewSymDense(k, nil)}
}

func (f *wishartFactor) form() string {
	if f.inverse {
		return "inverse wishart"
	}
	return "wishart"
}

func (f *wishartFactor) set(natural []float64) error {
	k, a := f.k, 0.0
	f.prec.Zero()
	for n, s := range f.block.Statistics {
		if s[0].Func == infer.LogDeterminant {
			a += natural[n]
			continue
		}
		i, j := s[0].Index/k, s[0].Index%k
		c := f.prec.At(i, j) - natural[n]
		if i == j {
			c -= natural[n]
		}
		f.prec.SetSym(i, j, c)
	}
	f.df = float64(2*a) + float64(k+1)
	if f.inverse {
		f.df = -float64(2*a) - float64(k+1)
	}
	if !(f.df > float64(k-1)) || math.IsInf(f.df, 0) || !f.chol.Factorize(f.prec) {
		return improperError(f.block, f.form(), "%g degrees of freedom, or a scale matrix that is not positive definite", f.df)
	}
	if err := f.chol.InverseTo(f.scale); err != nil && !isCondition(err) {
		return err
	}
	return nil
}

// logDet is the expected log determinant of W.
func (f *wishartFactor) logDet() float64 {
	e := float64(float64(f.k)*math.Ln2) - f.chol.LogDet()
	for i := range f.k {
		e += special.Digamma((f.df - float64(i)) / 2)
	}
	return e
}

func (f *wishartFactor) expect(out []float64) {
	for n, s := range f.block.Statistics {
		switch {
		case s[0].Func != infer.LogDeterminant:
			out[n] = f.df * f.scale.At(s[0].Index/f.k, s[0].Index%f.k)
		case f.inverse:
			out[n] = -f.logDet()
		default:
			out[n] = f.logDet()
		}
	}
}

// power is the coefficient a of log|T|.
func (f *wishartFactor) power() float64 {
	if f.inverse {
		return -(f.df + float64(f.k+1)) / 2
	}
	return (f.df - float64(f.k+1)) / 2
}

// logZ is the log of the integral of exp(a log|T| + sum(B * W)) over T.
func (f *wishartFactor) logZ() float64 {
	k := float64(f.k)
	z := float64(f.df*k/2*math.Ln2) - float64(f.df/2*f.chol.LogDet()) + float64(k*(k-1)/4*libm.Log(math.Pi))
	for i := range f.k {
		z += lgamma((f.df - float64(i)) / 2)
	}
	return z
}

func (f *wishartFactor) entropy() float64 {
	logDet := f.logDet()
	if f.inverse {
		logDet = -logDet
	}
	return f.logZ() - float64(f.power()*logDet) + float64(f.df*float64(f.k)/2)
}

// moments are those of W.
func (f *wishartFactor) moments(mean, sd []float64) {
	for n := range mean {
		i, j := n/f.k, n%f.k
		v := f.scale.At(i, j)
		mean[n] = f.df * v
		sd[n] = math.Sqrt(f.df * (float64(v*v) + float64(f.scale.At(i, i)*f.scale.At(j, j))))
	}
}

func (f *wishartFactor) density() blockDensity {
	d := &wishartDensity{k: f.k, inverse: f.inverse, df: f.df, power: f.power(), logZ: f.logZ()}
	var l mat.TriDense
	f.chol.LTo(&l)
	d.chol = make([]float64, f.k*f.k)
	for i := range f.k {
		for j := range f.k {
			d.prec = append(d.prec, f.prec.At(i, j))
		}
		for j := range i + 1 {
			d.chol[i+j*f.k] = l.At(i, j)
		}
	}
	return mapped(f.block, d)
}

// wishartDensity is the density of a matrix as it was when it was made.
type wishartDensity struct {
	k          int
	inverse    bool
	df         float64
	power      float64
	logZ       float64
	prec, chol []float64 // chol by columns
}

func (d *wishartDensity) logDensity(x, grad []float64) float64 {
	k := d.k
	logDet, inv, ok := inverseOf(k, x)
	if !ok {
		return math.Inf(-1)
	}
	w := x
	if d.inverse {
		w = inv
	}
	lp := float64(d.power*logDet) - d.logZ
	for n := range w {
		lp -= float64(d.prec[n] * w[n] / 2)
	}
	if grad == nil {
		return lp
	}
	by := d.prec // minus twice the derivative by T of sum(B * W)
	if d.inverse {
		var p mat.Dense
		i := mat.NewDense(k, k, inv)
		p.Product(i, mat.NewDense(k, k, d.prec), i)
		by = make([]float64, 0, k*k)
		for r := range k {
			for _, v := range p.RawRowView(r) {
				by = append(by, -v)
			}
		}
	}
	for n := range grad {
		grad[n] = float64(d.power*inv[n]) - float64(by[n]/2)
	}
	return lp
}

func (d *wishartDensity) draw(r *rand.Rand, x []float64) {
	variate.Wishart(r, d.df, dense.Of(d.k, d.k, d.chol), d.inverse, x, make([]float64, 2*d.k*d.k))
}

// inverseOf is the log determinant and the inverse of a symmetric matrix; ok is false where it is
// not positive definite.
func inverseOf(k int, x []float64) (logDet float64, inverse []float64, ok bool) {
	var c mat.Cholesky
	if !c.Factorize(mat.NewSymDense(k, x)) {
		return 0, nil, false
	}
	var s mat.SymDense
	if err := c.InverseTo(&s); err != nil && !isCondition(err) {
		return 0, nil, false
	}
	inverse = make([]float64, k*k)
	for n := range inverse {
		inverse[n] = s.At(n/k, n%k)
	}
	return c.LogDet(), inverse, true
}
