// This file is the warm-up of Hamiltonian kernels: it walks the schedule.

package hmc

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// Tuning are the settings of the warm-up.
type Tuning struct {
	Delta    float64 // target acceptance statistic, in (0, 1)
	Gamma    float64 // see DualAveraging
	Kappa    float64
	T0       float64
	Buffers  Buffers
	Metric   string  // one of draws.MetricUnit, MetricDiagonal, MetricDense, MetricLowRank
	Adapt    string  // one of AdaptStan, AdaptGradient; empty: the metric's own way, which is Stan's but for MetricLowRank
	StepSize float64 // where the search for a step size starts; 0: at 1. Without warm-up a positive value is used as it is
	Around   float64 // step size that the averaging first starts around; 0: the one that the search finds. Stan takes the one before the search
}

// DefaultTuning is Stan's.
func DefaultTuning() Tuning {
	return Tuning{Delta: 0.8, Gamma: 0.05, Kappa: 0.75, T0: 10, Buffers: StanBuffers(), Metric: draws.MetricDiagonal}
}

// Validate checks the ranges.
func (t Tuning) Validate() error {
	switch {
	case !(t.Delta > 0 && t.Delta < 1):
		return fmt.Errorf("delta must be between 0 and 1, found %g", t.Delta)
	case !(t.Gamma > 0):
		return fmt.Errorf("gamma must be positive, found %g", t.Gamma)
	case !(t.Kappa > 0):
		return fmt.Errorf("kappa must be positive, found %g", t.Kappa)
	case !(t.T0 > 0):
		return fmt.Errorf("t0 must be positive, found %g", t.T0)
	case !(t.StepSize >= 0):
		return fmt.Errorf("step_size must be positive, found %g", t.StepSize)
	case t.Buffers.Init < 0 || t.Buffers.Term < 0 || t.Buffers.Base < 0:
		return fmt.Errorf("warm-up windows must not be negative, found %+v", t.Buffers)
	case t.Adapt != "" && t.Adapt != AdaptStan && t.Adapt != AdaptGradient:
		return fmt.Errorf("adapt must be %q or %q, found %q", AdaptStan, AdaptGradient, t.Adapt)
	case t.Adapt == AdaptGradient && t.Metric != draws.MetricDiagonal && t.Metric != draws.MetricLowRank:
		return fmt.Errorf("adapt = %q estimates a metric that is diagonal or of low rank, found another one", AdaptGradient)
	case t.Adapt == AdaptStan && t.Metric == draws.MetricLowRank:
		return fmt.Errorf("a metric of low rank is estimated from gradients, found adapt = %q", AdaptStan)
	}
	_, err := NewMetric(t.Metric, 0)
	return err
}

// New returns a Hamiltonian on a target with these settings, and its tuner
// for a warm-up of the given length.
func (t Tuning) New(target infer.Target, warmup int) (*Hamiltonian, *Tuner, error) {
	if err := t.Validate(); err != nil {
		return nil, nil, err
	}
	if mixed, ok := infer.Capability[infer.Mixed](target); ok && len(mixed.Whole()) > 0 {
		return nil, nil, &infer.MissingError{Method: "Hamiltonian Monte Carlo", Needs: "a gradient by every parameter (no discrete ones that cannot be summed out; mh and gibbs can move those)"}
	}
	dim := target.Dim()
	metric, err := NewMetric(t.Metric, dim)
	if err != nil {
		return nil, nil, err
	}
	h := &Hamiltonian{Target: target, Metric: metric, StepSize: t.StepSize}
	if h.StepSize == 0 {
		h.StepSize = 1
	}
	tu := &Tuner{
		h: h, settings: t, warmup: warmup, windows: Schedule(warmup, t.Buffers),
		average: DualAveraging{Delta: t.Delta, Gamma: t.Gamma, Kappa: t.Kappa, T0: t.T0},
		a:       NewPoint(dim), b: NewPoint(dim),
	}
	switch {
	case t.Metric == draws.MetricUnit:
	case t.Adapt == AdaptGradient, t.Metric == draws.MetricLowRank:
		tu.estimate = make([]float64, dim)
		if warmup >= minMetricWarmup {
			tu.rolling = newRolling(dim, warmup, t.Metric == draws.MetricLowRank)
		}
	default:
		tu.moments = newMoments(dim, t.Metric == draws.MetricDense)
		tu.estimate = make([]float64, len(metric.inv))
	}
	return h, tu, nil
}

// Tuner implements infer.Tuner for kernels on a Hamiltonian.
type Tuner struct {
	h        *Hamiltonian
	settings Tuning
	warmup   int
	windows  []Window // those not yet over
	average  DualAveraging
	moments  *moments // nil for the unit metric
	rolling  *rolling // nil unless gradients are learned from
	estimate []float64
	a, b     Point // scratch of the step-size search
	adopted  bool
}

// Begin implements infer.Tuner: it looks for a first step size.
func (t *Tuner) Begin(rng *rand.Rand, s *infer.State) error {
	if t.adopted && t.warmup == 0 {
		return nil
	}
	if t.rolling != nil && !t.adopted {
		copy(t.estimate, t.h.Metric.inv)
		t.rolling.first(s, t.estimate)
		t.h.Metric.learn(t.estimate, nil, nil)
	}
	if t.warmup > 0 || t.settings.StepSize == 0 {
		if err := t.search(rng, s, t.adopted); err != nil {
			return err
		}
	}
	t.average.Restart(cmp.Or(t.settings.Around, t.h.StepSize))
	return nil
}

// search looks for a step size. One that the chain has moved with stays where the search fails: the chain
// may just be at a place where the density is flat or has an edge.
func (t *Tuner) search(rng *rand.Rand, s *infer.State, moved bool) error {
	before := t.h.StepSize
	err := t.h.InitStepSize(rng, s, &t.a, &t.b)
	if moved && (errors.Is(err, ErrImproper) || errors.Is(err, ErrDiscontinuous)) {
		t.h.StepSize = before
		return nil
	}
	return err
}

// Update implements infer.Tuner.
func (t *Tuner) Update(rng *rand.Rand, i int, s *infer.State, info *infer.Info) error {
	t.h.StepSize = t.average.Update(info.AcceptStat)
	if t.rolling != nil {
		return t.roll(rng, i, s, info)
	}
	for len(t.windows) > 0 && i >= t.windows[0].End {
		t.windows = t.windows[1:]
	}
	if t.moments == nil || len(t.windows) == 0 || !t.windows[0].Metric || i < t.windows[0].Start {
		return nil
	}
	t.moments.add(s.Q)
	if i+1 < t.windows[0].End {
		return nil
	}
	return t.renew(rng, s)
}

// renew sets the metric from the window that ends and restarts the step size.
func (t *Tuner) renew(rng *rand.Rand, s *infer.State) error {
	ok := t.moments.regularized(t.estimate)
	t.moments.reset()
	if !ok {
		return nil
	}
	t.h.Metric.learn(t.estimate, nil, nil)
	return t.restart(rng, s)
}

// End implements infer.Tuner: from here on the step size is the averaged one.
// Where nothing was learned since the last restart, it stays as it is (Stan
// would set it to 1).
func (t *Tuner) End() error {
	if final := t.average.Final(); final > 0 {
		t.h.StepSize = final
	}
	return nil
}

// Adaptation implements infer.Tuner.
func (t *Tuner) Adaptation() draws.Adaptation {
	a := draws.Adaptation{
		StepSize: t.h.StepSize, MetricType: t.h.Metric.Kind(), InvMetric: t.h.Metric.Inverse(),
	}
	if t.warmup > 0 {
		a.Delta = t.average.Delta
	}
	if low := t.h.Metric.low; low != nil {
		a.Stretch, a.Directions = slices.Clone(low.stretch), slices.Clone(low.vectors)
	}
	return a
}

// Adopt implements infer.Tuner. A warm-up that follows starts from there.
func (t *Tuner) Adopt(a draws.Adaptation) error {
	if a.MetricType != t.h.Metric.Kind() {
		return fmt.Errorf("cannot use a %s metric as a %s one", a.MetricType, t.h.Metric.Kind())
	}
	if !(a.StepSize > 0) {
		return fmt.Errorf("the step size must be positive, found %g", a.StepSize)
	}
	if err := t.h.Metric.Set(a.InvMetric); err != nil {
		return err
	}
	if len(a.Stretch) > 0 {
		if err := t.h.Metric.setLowRank(a.InvMetric, a.Stretch, a.Directions); err != nil {
			return err
		}
	}
	t.h.StepSize, t.adopted = a.StepSize, true
	return nil
}
