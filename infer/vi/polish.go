// This file moves the mean of an approximation to its optimum for fixed scales
// on fixed noise, where curvature is too uneven for steps along the gradient.

package vi

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/optimize"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// meanBound is the bound as a function of the mean, up to a constant: the
// average log density over points that move with it. It implements
// infer.Target.
type meanBound struct {
	*fitter
	offsets [][]float64 // from the mean; each stands for its mirror image too
}

// Dim implements infer.Target.
func (b *meanBound) Dim() int { return b.full.Dim() }

// LogDensity implements infer.Target.
func (b *meanBound) LogDensity(m []float64) (float64, error) { return b.LogDensityGrad(m, b.shift) }

// LogDensityGrad implements infer.Target.
func (b *meanBound) LogDensityGrad(m, grad []float64) (float64, error) {
	clear(grad)
	var sum float64
	for from := 0; from < len(b.offsets); from += b.pairs {
		some := b.offsets[from:min(from+b.pairs, len(b.offsets))]
		p, n := b.points, 2*len(some)
		for k, o := range some {
			floats.AddTo(p.Q[2*k], m, o)
			floats.SubTo(p.Q[2*k+1], m, o)
		}
		p.Gradients(b.full, n)
		b.evaluations += n
		for i := range n {
			if p.Err[i] != nil {
				return 0, p.Err[i]
			}
			sum += p.LogDensity[i]
			floats.Add(grad, p.Grad[i])
		}
	}
	n := float64(2 * len(b.offsets))
	floats.Scale(1/n, grad)
	return sum / n, nil
}

// polish maximises over the mean with n pairs of noise. Where some point has no
// density at the start it leaves everything as it is.
func (f *fitter) polish(n int) error {
	b := &meanBound{fitter: f, offsets: make([][]float64, n)}
	mean := append([]float64{}, f.fam.params()[:b.Dim()]...)
	e := make([]float64, f.fam.noise())
	for k := range b.offsets {
		for i := range e {
			e[i] = variate.Normal(f.r)
		}
		b.offsets[k] = make([]float64, b.Dim())
		f.fam.place([][]float64{e}, b.offsets[k:k+1])
		floats.Sub(b.offsets[k], mean)
	}
	lp, err := b.LogDensityGrad(mean, b.h)
	if err != nil && !infer.IsReject(err) {
		return err
	}
	if err != nil || math.IsNaN(lp+vec.Sum(b.h)) || math.IsInf(lp, 0) {
		return nil
	}
	s := optimize.DefaultSettings()
	s.MaxIterations, s.History = 100, 10
	r, err := optimize.Maximize(b, mean, s, nil)
	copy(f.fam.params(), r.X)
	return err
}
