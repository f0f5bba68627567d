// This file is the adaptation.

package mh

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// tuner implements infer.Tuner.
type tuner struct {
	k       *Kernel
	warmup  int
	given   bool      // the first scale was chosen by the user or adopted
	steps   int       // learned from by the joint proposal
	mean    []float64 // of the real coordinates
	delta   []float64 // scratch
	accepts float64   // acceptance aimed at by the joint move
	refused []int     // moves of each real coordinate in a row that were hardly ever accepted
}

// A width is looked for again after so many moves in a row with hardly any acceptance: a start far out of a narrow posterior accepts
// half of all moves, however wide, and the gain of each step is made for a width that is nearly right.
const (
	mostRefused = 12
	hardlyEver  = 0.02
)

// singleAccept is the acceptance aimed at by a move of one coordinate.
const singleAccept = 0.44

// sweeps is the share of warm-up that moves one coordinate after the other in adaptive
// mode; skipped is that which is thrown away before the covariance is learned.
const (
	sweeps  = 0.25
	skipped = 0.05
)

func newTuner(k *Kernel, warmup int, given bool) *tuner {
	return &tuner{
		k: k, warmup: warmup, given: given, mean: make([]float64, k.n), delta: make([]float64, k.n), refused: make([]int, k.n),
		// The optimum for normals falls from 0.44 to 0.234, near 1/n.
		accepts: 0.234 + (singleAccept-0.234)/float64(max(k.n, 1)),
	}
}

// Begin implements infer.Tuner: it looks for a first scale.
func (t *tuner) Begin(rng *rand.Rand, s *infer.State) error {
	copy(t.mean, s.Q)
	if t.given {
		return nil
	}
	if !t.k.single {
		if t.k.n == 0 {
			return nil
		}
		t.k.scale = 2.38 / math.Sqrt(float64(t.k.n))
		if t.k.sweep = t.warmup > 0; !t.k.sweep {
			return t.shrink(rng, s, 0, &t.k.scale)
		}
	}
	for i := range t.k.n {
		if err := t.shrink(rng, s, i, &t.k.width[i]); err != nil {
			return err
		}
	}
	return nil
}

// shrink halves a scale until proposals from s by move m have an average
// acceptance of a fifth, or it is no wider than rounding.
func (t *tuner) shrink(rng *rand.Rand, s *infer.State, m int, scale *float64) error {
	const trials, least = 10, 0x1p-60
	at := infer.State{Q: make([]float64, len(s.Q))}
	for ; *scale > least; *scale /= 2 {
		var sum float64
		for range trials {
			copy(at.Q, s.Q)
			at.LogDensity = s.LogDensity
			a, err := t.k.move(rng, &at, m)
			if err != nil {
				return err
			}
			sum += a
		}
		if sum >= trials/5. {
			return nil
		}
	}
	return nil
}

// Update implements infer.Tuner.
func (t *tuner) Update(rng *rand.Rand, i int, s *infer.State, _ *infer.Info) error {
	k := t.k
	if !k.single && k.n > 0 {
		t.learn(i, s)
	}
	for m := range k.moves() {
		if c := k.coordinate(m); c >= 0 {
			// The gain is that of one dimension: each coordinate learns alone.
			w := k.width[c] * libm.Exp(libm.Pow(float64(i+10), -0.66)*(k.accept[m]-singleAccept))
			if c >= k.n {
				w = math.Max(w, 0.5)
			}
			k.width[c] = w
			if err := t.again(rng, s, m, c); err != nil {
				return err
			}
		}
	}
	if k.sweep && float64(i+1) >= sweeps*float64(t.warmup) {
		k.sweep = false
	}
	return nil
}

// again looks for the width of a coordinate anew where its moves are not accepted any more.
func (t *tuner) again(rng *rand.Rand, s *infer.State, m, c int) error {
	if c >= t.k.n {
		return nil
	}
	if t.refused[c]++; t.k.accept[m] > hardlyEver {
		t.refused[c] = 0
	}
	if t.refused[c] < mostRefused {
		return nil
	}
	t.refused[c], t.steps = 0, 0 // what was learned is of the way
	return t.shrink(rng, s, m, &t.k.width[c])
}

// learn adapts the joint proposal after warm-up step i.
func (t *tuner) learn(i int, s *infer.State) {
	k := t.k
	if k.sweep && float64(i) < skipped*float64(t.warmup) {
		return
	}
	if k.sweep && t.steps == 0 {
		// The widths of single moves are the first guess of the covariance.
		clear(k.root)
		for j := range k.n {
			k.root[j*k.n+j] = k.width[j]
		}
		copy(t.mean, s.Q)
	}
	n := float64(k.n)
	if !k.sweep {
		// The root scales as the square root of the covariance, so the joint
		// move's scale is free to follow the acceptance alone.
		sum := 0.0
		for _, a := range k.accept[:k.n] {
			sum += a
		}
		k.scale *= libm.Exp(libm.Pow(float64(t.steps)+10+2*n, -0.66) * (sum - float64(n*t.accepts)) / math.Sqrt(n))
	}
	gain := 2 / (float64(t.steps) + 10 + 2*n)
	for j := range t.mean {
		t.delta[j] = s.Q[j] - t.mean[j]
		t.mean[j] += float64(gain * t.delta[j])
	}
	average(k.root, t.delta, gain)
	t.steps++
}

// average replaces the lower triangular root L of C by that of
// (1-g) C + g d d', by a sequence of rotations (Golub and Van Loan, section
// 6.5.4). It changes d.
func average(l, d []float64, g float64) {
	n := len(d)
	keep, add := math.Sqrt(1-g), math.Sqrt(g)
	for i := range l {
		l[i] *= keep
	}
	for i := range d {
		d[i] *= add
	}
	for j := range n {
		diag := l[j*n+j]
		r := libm.Hypot(diag, d[j])
		c, s := diag/r, d[j]/r
		l[j*n+j] = r
		for i := j + 1; i < n; i++ {
			lij := l[i*n+j]
			l[i*n+j] = float64(c*lij) + float64(s*d[i])
			d[i] = float64(c*d[i]) - float64(s*lij)
		}
	}
}

// End implements infer.Tuner.
func (t *tuner) End() error {
	t.k.sweep = false
	return nil
}

// Adaptation implements infer.Tuner: s, and the covariance of the real
// coordinates with w^2 of the whole numbers on the diagonal below; or w^2 of
// all, with s = 1.
func (t *tuner) Adaptation() draws.Adaptation {
	k := t.k
	dim := len(k.width)
	if k.single {
		inv := make([]float64, dim)
		for i, w := range k.width {
			inv[i] = w * w
		}
		return draws.Adaptation{StepSize: 1, MetricType: draws.MetricDiagonal, InvMetric: inv}
	}
	inv := make([]float64, dim*dim)
	for i := range k.n {
		for j := range i + 1 {
			var c float64
			for m, x := range k.root[i*k.n : i*k.n+j+1] {
				c += float64(x * k.root[j*k.n+m])
			}
			inv[i*dim+j], inv[j*dim+i] = c, c
		}
	}
	for i := k.n; i < dim; i++ {
		inv[i*dim+i] = k.width[i] * k.width[i]
	}
	return draws.Adaptation{StepSize: k.scale, MetricType: draws.MetricDense, InvMetric: inv}
}

// Adopt implements infer.Tuner.
func (t *tuner) Adopt(a draws.Adaptation) error {
	k := t.k
	dim := len(k.width)
	if !(a.StepSize > 0) || math.IsInf(a.StepSize, 0) {
		return fmt.Errorf("the step size must be positive, found %g", a.StepSize)
	}
	kind, size, stride := draws.MetricDense, dim*dim, dim+1
	if k.single {
		kind, size, stride = draws.MetricDiagonal, dim, 1
	}
	if a.MetricType != kind || len(a.InvMetric) != size {
		return fmt.Errorf("cannot use a %s metric of %d numbers as a %s one of %d", a.MetricType, len(a.InvMetric), kind, size)
	}
	for i := range dim {
		if v := a.InvMetric[i*stride]; !(v > 0) || math.IsInf(v, 0) {
			return fmt.Errorf("inverse metric: the variance of coordinate %d is %g, not positive and finite", i+1, v)
		}
	}
	if !k.single && !k.factorize(a.InvMetric, dim) {
		return fmt.Errorf("inverse metric: the matrix is not positive definite")
	}
	for i := range dim {
		if k.single || i >= k.n {
			k.width[i] = math.Sqrt(a.InvMetric[i*stride])
		}
	}
	k.scale, k.sweep, t.given = a.StepSize, false, true
	return nil
}

// factorize makes the Cholesky factor of the leading block of a symmetric matrix with that
// stride the root.
func (k *Kernel) factorize(a []float64, stride int) bool {
	if k.batch != nil {
		return k.batch.factorize(a, stride, k.root, k.n)
	}
	n, l := k.n, k.root
	for i := range n {
		for j := range i + 1 {
			sum := a[i*stride+j]
			for m := range j {
				sum -= float64(l[i*n+m] * l[j*n+m])
			}
			switch {
			case i > j:
				l[i*n+j] = sum / l[j*n+j]
			case sum > 0:
				l[i*n+i] = math.Sqrt(sum)
			default:
				return false
			}
		}
	}
	return true
}
