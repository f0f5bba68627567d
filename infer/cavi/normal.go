// This file has the normal factor.

package cavi

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/normal"
)

// normalFactor is the normal of a block of real numbers.
type normalFactor struct {
	block *infer.FactorBlock
	mean  *mat.VecDense
	prec  *mat.SymDense
	cov   *mat.SymDense
	chol  mat.Cholesky // of the precision
	slope *mat.VecDense
}

func newNormal(b *infer.FactorBlock) *normalFactor {
	return &normalFactor{
		block: b, mean: mat.NewVecDense(b.Size, nil), slope: mat.NewVecDense(b.Size, nil),
		prec: mat.NewSymDense(b.Size, nil), cov: mat.NewSymDense(b.Size, nil),
	}
}

func (f *normalFactor) form() string { return "normal" }

// pair returns the two numbers that a statistic is the product of; j is -1 for one alone.
func pair(s infer.Statistic) (i, j int) {
	switch {
	case len(s) == 2:
		return s[0].Index, s[1].Index
	case s[0].Power == 2:
		return s[0].Index, s[0].Index
	}
	return s[0].Index, -1
}

func (f *normalFactor) set(natural []float64) error {
	f.slope.Zero()
	f.prec.Zero()
	for k, s := range f.block.Statistics {
		switch i, j := pair(s); {
		case j < 0:
			f.slope.SetVec(i, f.slope.AtVec(i)+natural[k])
		case i == j:
			f.prec.SetSym(i, i, f.prec.At(i, i)-2*natural[k])
		default:
			f.prec.SetSym(i, j, f.prec.At(i, j)-natural[k])
		}
	}
	if !f.chol.Factorize(f.prec) {
		if f.block.Size == 1 {
			return improperError(f.block, "normal", "its precision is %g", f.prec.At(0, 0))
		}
		return improperError(f.block, "normal", "its precision matrix is not positive definite")
	}
	// A bad condition shows in the approximation's Pareto shape; it is no failure.
	if err := f.chol.SolveVecTo(f.mean, f.slope); err != nil && !isCondition(err) {
		return err
	}
	if err := f.chol.InverseTo(f.cov); err != nil && !isCondition(err) {
		return err
	}
	return nil
}

func isCondition(err error) bool {
	_, ok := err.(mat.Condition)
	return ok
}

func (f *normalFactor) expect(out []float64) {
	for k, s := range f.block.Statistics {
		i, j := pair(s)
		out[k] = f.mean.AtVec(i)
		if j >= 0 {
			out[k] = float64(out[k]*f.mean.AtVec(j)) + f.cov.At(i, j)
		}
	}
}

func (f *normalFactor) entropy() float64 {
	return float64(float64(f.block.Size)/2*libm.Log(2*math.Pi*math.E)) - float64(f.chol.LogDet()/2)
}

func (f *normalFactor) moments(mean, sd []float64) {
	for i := range mean {
		mean[i], sd[i] = f.mean.AtVec(i), math.Sqrt(f.cov.At(i, i))
	}
}

func (f *normalFactor) density() blockDensity {
	n := f.block.Size
	var t mat.TriDense
	f.chol.LTo(&t)
	l := make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			l[i*n+j] = t.At(i, j)
		}
	}
	mean := append([]float64(nil), f.mean.Raw()...)
	return mapped(f.block, plainNormal{normal.NewPrecision(mean, l)})
}

// plainNormal is a normal density of the numbers themselves.
type plainNormal struct{ *normal.Normal }

func (p plainNormal) logDensity(x, grad []float64) float64 {
	if grad == nil {
		return p.LogDensity(x)
	}
	return p.LogDensityGrad(x, grad)
}

func (p plainNormal) draw(r *rand.Rand, x []float64) { p.Draw(r, x) }

// mappedDensity is a density of a block's numbers, taken to its free coordinates.
type mappedDensity struct {
	block *infer.FactorBlock
	of    blockDensity
}

// mapped is d where the block has no map.
func mapped(b *infer.FactorBlock, d blockDensity) blockDensity {
	if b.Map == nil {
		return d
	}
	return &mappedDensity{b, d}
}

func (d *mappedDensity) logDensity(free, grad []float64) float64 {
	x := make([]float64, d.block.Size)
	logJ, err := d.block.Map.Constrain(free, x)
	if err != nil {
		return math.Inf(-1)
	}
	if grad == nil {
		return d.of.logDensity(x, nil) + logJ
	}
	adj := make([]float64, len(x))
	lp := d.of.logDensity(x, adj) + logJ
	clear(grad)
	d.block.Map.Pull(free, x, adj, grad)
	return lp
}

func (d *mappedDensity) draw(r *rand.Rand, free []float64) {
	x := make([]float64, d.block.Size)
	d.of.draw(r, x)
	if d.block.Map.Unconstrain(x, free) != nil { // on the edge, where the density is 0
		for i := range free {
			free[i] = math.NaN()
		}
	}
}
