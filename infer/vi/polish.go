// This file moves the mean of an approximation to its optimum for fixed scales
// on fixed noise, where curvature is too uneven for steps along the gradient.

package vi

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/optimize"
)

// meanBound is the bound as a function of the mean, up to a constant: the
// average log density over points that move with it. It implements
// infer.Target.
type meanBound struct {
	*fitter
	pairs [][]float64 // noise; each stands for its mirror image too
}

// Dim implements infer.Target.
func (b *meanBound) Dim() int { return b.full.Dim() }

// LogDensity implements infer.Target.
func (b *meanBound) LogDensity(m []float64) (float64, error) { return b.LogDensityGrad(m, b.score) }

// LogDensityGrad implements infer.Target.
func (b *meanBound) LogDensityGrad(m, grad []float64) (float64, error) {
	copy(b.fam.params(), m)
	clear(grad)
	var sum float64
	for _, e := range b.pairs {
		for _, sign := range []float64{1, -1} {
			floats.ScaleTo(b.a.e, sign, e)
			b.fam.place(b.a.e, b.a.q)
			b.evaluations++
			lp, err := b.full.LogDensityGrad(b.a.q, b.a.h)
			if err != nil {
				return 0, err
			}
			sum += lp
			floats.Add(grad, b.a.h)
		}
	}
	n := float64(2 * len(b.pairs))
	floats.Scale(1/n, grad)
	return sum / n, nil
}

// polish maximises over the mean with n pairs of noise. Where some point has no
// density at the start it leaves everything as it is.
func (f *fitter) polish(n int) error {
	b := &meanBound{fitter: f, pairs: make([][]float64, n)}
	for k := range b.pairs {
		b.pairs[k] = make([]float64, f.fam.noise())
		for i := range b.pairs[k] {
			b.pairs[k][i] = f.r.NormFloat64()
		}
	}
	mean := append([]float64{}, f.fam.params()[:b.Dim()]...)
	lp, err := b.LogDensityGrad(mean, b.h)
	if err != nil && !infer.IsReject(err) {
		return err
	}
	if err != nil || math.IsNaN(lp+floats.Sum(b.h)) || math.IsInf(lp, 0) {
		return nil
	}
	s := optimize.DefaultSettings()
	s.MaxIterations, s.History = 100, 10
	r, err := optimize.Maximize(b, mean, s, nil)
	copy(f.fam.params(), r.X)
	return err
}
