// This file is the warm-up: the step size and the preconditioner.

package sgld

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

const (
	share     = 0.1  // of the variance, that the bias may be in the worst direction
	approach  = 0.25 // the same while the posterior is looked for, gradient noise aside
	farthest  = 1.0  // that the drift may lead in one step of that time
	estimates = 20   // of the step size in warm-up, half of them while the posterior is looked for
	averaged  = 5    // of them
	noises    = 20   // batches from which a gradient's covariance is estimated
	powers    = 12   // steps of the power iteration
	memory    = 0.99 // of the preconditioner's moving average
	least     = 1e-5 // of the preconditioner's scale, relative to the largest
)

// tuner implements infer.Tuner.
type tuner struct {
	k      *kernel
	warmup int
	given  bool // the step size was chosen by the user or adopted
	square []float64
	seen   int       // gradients in square
	found  []float64 // step sizes without control variates
	better []float64 // with them
	middle []float64 // mean of the points since the last estimate
	points int       // in middle; -1 where there are to be no control variates

	noise           [noises][]float64 // gradients at one point, centred
	drift           []float64
	v, hv, at, up   []float64
	down, direction []float64
}

func newTuner(k *kernel, warmup int, given, preconditioned, controlled bool) *tuner {
	d := k.target.Dim()
	t := &tuner{k: k, warmup: warmup, given: given, middle: make([]float64, d)}
	if !controlled {
		t.points = -1
	}
	for i := range t.noise {
		t.noise[i] = make([]float64, d)
	}
	for _, p := range []*[]float64{&t.v, &t.hv, &t.at, &t.up, &t.down, &t.direction, &t.drift} {
		*p = make([]float64, d)
	}
	if preconditioned {
		t.square, k.scale = make([]float64, d), make([]float64, d)
		for i := range k.scale {
			k.scale[i] = 1
		}
	}
	return t
}

// Begin implements infer.Tuner.
func (t *tuner) Begin(r *rand.Rand, s *infer.State) error {
	if t.square != nil && t.warmup > 0 {
		// Gradients before the first step, so that it has a scale.
		for range noises {
			if err := t.k.estimate(r, s.Q, new(float64), t.up); err == nil {
				t.average(t.up)
			} else if !infer.IsReject(err) {
				return err
			}
		}
		t.precondition()
	}
	return t.hasten(r, s)
}

// Update implements infer.Tuner.
func (t *tuner) Update(r *rand.Rand, i int, s *infer.State, _ *infer.Info) error {
	t.k.t = 0
	if t.square != nil && s.Grad != nil {
		t.average(s.Grad)
		t.precondition()
	}
	if t.points >= 0 {
		t.points++
		for j, q := range s.Q {
			t.middle[j] += (q - t.middle[j]) / float64(t.points)
		}
	}
	if every := max(1, t.warmup*3/4/estimates); (i+1)%every == 0 && (i+1)/every <= estimates {
		if 2*(i+1)/every <= estimates {
			t.points = min(t.points, 0)
			return t.hasten(r, s)
		}
		return t.tune(r, s)
	}
	return nil
}

// worth is how many times as long a step must be with control variates, which cost a
// second gradient, for them to be used.
const worth = 2

// tune estimates the step size without control variates and with those of the middle of
// the points since the last time, and goes on with what is better.
func (t *tuner) tune(r *rand.Rand, s *infer.State) error {
	t.k.anchor, s.Grad = nil, nil // the gradient at hand may be of the other kind
	plain, err := t.search(r, s)
	if err != nil {
		return err
	}
	if plain > 0 {
		t.found = append(t.found, plain)
	}
	if t.points <= 0 {
		return nil
	}
	t.points = 0
	if err := t.k.center(t.middle); err != nil {
		return unlessReject(err)
	}
	with, err := t.search(r, s)
	if err != nil {
		return err
	}
	if with > 0 {
		t.better = append(t.better, with)
	}
	if !(with > worth*plain) && !t.given {
		t.k.anchor = nil
		if plain > 0 {
			t.k.step = plain
		}
	}
	return nil
}

// End implements infer.Tuner.
func (t *tuner) End() error {
	if plain := lately(t.found); plain > 0 && !t.given {
		t.k.step = plain
		if with := lately(t.better); with > worth*plain && t.k.anchor != nil {
			t.k.step = with
		} else {
			t.k.anchor = nil
		}
	}
	t.k.t = 0
	return nil
}

// lately is the geometric mean of the last estimates, 0 without any.
func lately(found []float64) float64 {
	if len(found) == 0 {
		return 0
	}
	last := found[max(0, len(found)-averaged):]
	sum := 0.0
	for _, e := range last {
		sum += libm.Log(e)
	}
	return libm.Exp(sum / float64(len(last)))
}

// average adds a gradient to the moving average of squares.
func (t *tuner) average(g []float64) {
	t.seen++
	keep := min(memory, 1-1/float64(t.seen)) // a plain mean at first
	for i, x := range g {
		t.square[i] = float64(keep*t.square[i]) + float64((1-keep)*x*x)
	}
}

// precondition sets G from the squares.
func (t *tuner) precondition() {
	top := math.Sqrt(slices.Max(t.square))
	if !(top > 0) || math.IsInf(top, 0) {
		return
	}
	for i, v := range t.square {
		t.k.scale[i] = top * (1 + least) / (math.Sqrt(v) + float64(least*top))
	}
}

// hasten sets a step size for the way to the posterior: far from it the noise of the
// gradient is so large that a step with little bias would not get there.
func (t *tuner) hasten(r *rand.Rand, s *infer.State) error {
	if t.given {
		return nil
	}
	for i := range t.noise {
		clear(t.noise[i])
	}
	top, err := t.stiffness(r, s.Q)
	if err != nil {
		return err
	}
	var lp float64
	if err := t.k.estimate(r, s.Q, &lp, t.up); err != nil {
		return unlessReject(err)
	}
	for i, g := range t.up {
		t.up[i] = g * t.root(i) * t.root(i)
	}
	if e := min(4*approach/top, 2*farthest/math.Sqrt(dot(t.up, t.up))); e > 0 && !math.IsInf(e, 0) {
		t.k.step = e
	}
	return nil
}

// search estimates the step size at s and takes it; 0 where it cannot, or need not.
func (t *tuner) search(r *rand.Rand, s *infer.State) (step float64, err error) {
	if t.given {
		return 0, nil
	}
	if err := t.listen(r, s.Q); err != nil {
		return 0, unlessReject(err)
	}
	top, err := t.stiffness(r, s.Q)
	if err != nil || !(top > 0) || math.IsInf(top, 0) {
		return 0, err
	}
	t.k.step = 4 * share / top
	return t.k.step, nil
}

// listen fills noise with gradients at q from different batches, centred.
func (t *tuner) listen(r *rand.Rand, q []float64) error {
	var lp float64
	clear(t.drift)
	for i := range t.noise {
		if err := t.k.estimate(r, q, &lp, t.noise[i]); err != nil {
			return err
		}
		for j, g := range t.noise[i] {
			t.drift[j] += g / noises
		}
	}
	for i := range t.noise {
		for j, mean := range t.drift {
			t.noise[i][j] -= mean
		}
	}
	return nil
}

// stiffness estimates the largest eigenvalue of G^(1/2) (H + C) G^(1/2) at q by power
// iteration, C being that of noise; NaN where it cannot be.
func (t *tuner) stiffness(r *rand.Rand, q []float64) (float64, error) {
	for i := range t.v {
		t.v[i] = variate.Normal(r)
	}
	terms := t.k.batch.draw(r)
	top := 0.0
	for range powers {
		if top = math.Sqrt(dot(t.v, t.v)); !(top > 0) {
			return math.NaN(), nil
		}
		for i := range t.v {
			t.v[i] /= top
		}
		if err := t.apply(q, terms); err != nil {
			return math.NaN(), unlessReject(err)
		}
		t.v, t.hv = t.hv, t.v
	}
	return math.Sqrt(dot(t.v, t.v)), nil
}

// apply computes hv = G^(1/2) (H + C) G^(1/2) v, the Hessian by differences of one and
// the same batch's gradients.
func (t *tuner) apply(q []float64, terms []int) error {
	size := 0.0
	for i := range t.v {
		t.direction[i] = t.v[i] * t.root(i)
		size = math.Max(size, math.Abs(t.direction[i])/(1+math.Abs(q[i])))
	}
	h := 1e-5 / size
	var lp float64
	for i := range q {
		t.at[i] = q[i] + float64(h*t.direction[i])
	}
	if err := t.k.evaluate(t.at, terms, &lp, t.up); err != nil {
		return err
	}
	for i := range q {
		t.at[i] = q[i] - float64(h*t.direction[i])
	}
	if err := t.k.evaluate(t.at, terms, &lp, t.down); err != nil {
		return err
	}
	for i := range t.hv {
		t.hv[i] = (t.down[i] - t.up[i]) / (2 * h)
	}
	for _, d := range t.noise {
		w := dot(d, t.direction) / (noises - 1)
		for i := range t.hv {
			t.hv[i] += float64(w * d[i])
		}
	}
	for i := range t.hv {
		t.hv[i] *= t.root(i)
	}
	return nil
}

// root is the square root of G in coordinate i.
func (t *tuner) root(i int) float64 {
	if t.k.scale == nil {
		return 1
	}
	return math.Sqrt(t.k.scale[i])
}

func unlessReject(err error) error {
	if infer.IsReject(err) {
		return nil
	}
	return err
}

func dot(a, b []float64) float64 {
	s := 0.0
	for i, x := range a {
		s += float64(x * b[i])
	}
	return s
}

// Adaptation implements infer.Tuner.
func (t *tuner) Adaptation() draws.Adaptation {
	a := draws.Adaptation{StepSize: t.k.step, MetricType: draws.MetricUnit}
	if t.k.scale != nil {
		a.MetricType, a.InvMetric = draws.MetricDiagonal, slices.Clone(t.k.scale)
	}
	return a
}

// Adopt implements infer.Tuner.
func (t *tuner) Adopt(a draws.Adaptation) error {
	if !(a.StepSize > 0) || math.IsInf(a.StepSize, 0) {
		return fmt.Errorf("the step size must be positive, found %g", a.StepSize)
	}
	if len(a.InvMetric) != len(t.k.scale) {
		return fmt.Errorf("cannot use a %s metric of %d numbers as one of %d", a.MetricType, len(a.InvMetric), len(t.k.scale))
	}
	t.k.step, t.given = a.StepSize, true
	copy(t.k.scale, a.InvMetric)
	return nil
}
