package cmdstan

// This file is the sampler of CmdStan's arguments: ppl's Hamiltonian kernels with a metric
// from a file, a jittered step size, a fixed integration time, or without adaptation.

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/hmc"
	"github.com/seed-12b88e03/ppl/infer/nuts"
)

// maxEnergyError is Stan's bound for divergences, in nats.
const maxEnergyError = 1000

// A sampler implements infer.Markov for one chain.
type sampler struct {
	options infer.MarkovOptions
	tuning  hmc.Tuning
	engaged bool      // adapt at all
	jitter  float64   // of the step size
	metric  []float64 // inverse metric to start from; nil for the unit matrix
	depth   int       // of nuts
	time    float64   // of the static engine; 0 for nuts

	say func(string) // prints a message

	state  *infer.State // where the chain is, once it runs
	kernel mover        // what moved it there
}

// Name implements infer.Method.
func (s *sampler) Name() string {
	if s.time > 0 {
		return "static"
	}
	return "nuts"
}

// Run implements infer.Method.
func (s *sampler) Run(ctx context.Context, m infer.Model, o infer.Options) (*infer.Posterior, error) {
	return infer.RunMarkov(ctx, m, s, o)
}

// Chains implements infer.Markov.
func (s *sampler) Chains() infer.MarkovOptions { return s.options }

// Stats implements infer.Markov.
func (s *sampler) Stats() []string {
	if s.time > 0 {
		return []string{"accept_stat__", "stepsize__", "int_time__", "energy__"}
	}
	return []string{"accept_stat__", "stepsize__", "treedepth__", "n_leapfrog__", "divergent__", "energy__"}
}

// Config implements infer.Markov; the arguments themselves are what files record.
func (s *sampler) Config() []draws.Entry { return nil }

// NewKernel implements infer.Markov.
func (s *sampler) NewKernel(t infer.Target, warmup int) (infer.Kernel, infer.Tuner, error) {
	loud := &announcing{Target: t, say: s.say}
	h, tuner, err := s.tuning.New(loud, warmup)
	if err != nil {
		return nil, nil, err
	}
	if s.metric != nil {
		if err := h.Metric.Set(s.metric); err != nil {
			return nil, nil, err
		}
	}
	if s.time > 0 {
		s.kernel = newStatic(h, s.time)
	} else {
		s.kernel = nuts.NewKernel(h, s.depth, maxEnergyError)
	}
	k := &watched{Kernel: s.kernel, h: h, sampler: s, loud: loud}
	if !s.engaged {
		return k, frozen{tuner: tuner}, nil
	}
	return k, tuner, nil
}

// A mover is a kernel that knows the momentum at its last draw.
type mover interface {
	infer.Kernel
	Momentum() []float64
}

// frozen is the tuner of a chain that does not adapt.
type frozen struct {
	infer.Untuned
	tuner infer.Tuner
}

// Adaptation implements infer.Tuner.
func (f frozen) Adaptation() draws.Adaptation { return f.tuner.Adaptation() }

// watched jitters the step size of a kernel, shows the state to the sampler, and says why
// points are rejected.
type watched struct {
	infer.Kernel
	h       *hmc.Hamiltonian
	sampler *sampler
	loud    *announcing
}

// Start implements infer.Kernel.
func (w *watched) Start(s *infer.State) error {
	w.loud.started = false
	err := w.Kernel.Start(s)
	failed := err
	if err == nil {
		failed = infer.CheckStart(s)
	}
	if failed != nil {
		w.sampler.say(rejectedStart(failed))
	}
	w.loud.started = true
	return err
}

// Step implements infer.Kernel.
func (w *watched) Step(r *rand.Rand, s *infer.State, info *infer.Info) error {
	w.sampler.state = s
	nominal := w.h.StepSize
	if w.sampler.jitter > 0 {
		w.h.StepSize *= 1 + w.sampler.jitter*(2*r.Float64()-1)
	}
	err := w.Kernel.Step(r, s, info)
	w.h.StepSize = nominal
	if at := slices.Index(w.sampler.Stats(), "divergent__"); at >= 0 && info.Rejection != nil {
		info.Stats[at] = 1 // as in CmdStan, which does not tell them apart
	}
	return err
}

// announcing is a target that says in CmdStan's words why it rejects a point.
type announcing struct {
	infer.Target
	say     func(string)
	started bool // what a start is rejected for is said by its kernel
}

// Unwrap returns the target below, for what it is able to do beside.
func (a *announcing) Unwrap() infer.Target { return a.Target }

// LogDensityGrad implements infer.Target.
func (a *announcing) LogDensityGrad(q, grad []float64) (float64, error) {
	lp, err := a.Target.LogDensityGrad(q, grad)
	if err != nil && a.started && infer.IsReject(err) {
		a.say("Informational Message: The current Metropolis proposal is about to be rejected because of the following issue:\nException: " + reason(err) +
			"\nIf this warning occurs sporadically, such as for highly constrained variable types like covariance matrices, then the sampler is fine," +
			"\nbut if this warning occurs often then your model may be either severely ill-conditioned or misspecified.\n\n")
	}
	return lp, err
}

// A static kernel follows trajectories of one length in time, as Stan's static engine
// does: as many leapfrog steps as fit, at least one, and a Metropolis step at the end.
type static struct {
	h    *hmc.Hamiltonian
	time float64
	a, b hmc.Point

	momentum []float64 // at the draw
}

func newStatic(h *hmc.Hamiltonian, time float64) *static {
	dim := h.Target.Dim()
	return &static{h: h, time: time, a: hmc.NewPoint(dim), b: hmc.NewPoint(dim), momentum: make([]float64, dim)}
}

// Momentum implements mover. That of a trajectory that was rejected is the one at its start.
func (k *static) Momentum() []float64 { return k.momentum }

// Start implements infer.Kernel.
func (k *static) Start(s *infer.State) error { return k.h.Start(s) }

// Step implements infer.Kernel.
func (k *static) Step(r *rand.Rand, s *infer.State, info *infer.Info) error {
	k.h.Load(r, s, &k.a)
	energy := k.a.Energy
	copy(k.momentum, k.a.P)
	steps := max(1, int(k.time/k.h.StepSize))
	for i := 0; i < steps && !math.IsInf(k.a.Energy, 1); i++ {
		if err := k.h.Leapfrog(&k.a, &k.b, k.h.StepSize); err != nil {
			return err
		}
		k.a, k.b = k.b, k.a
	}
	accept := math.Min(1, libm.Exp(energy-k.a.Energy))
	if r.Float64() < accept {
		copy(s.Q, k.a.Q)
		copy(s.Grad, k.a.Grad)
		copy(k.momentum, k.a.P)
		s.LogDensity, energy = k.a.LogDensity, k.a.Energy
	}
	info.AcceptStat, info.Divergence, info.Rejection = accept, nil, nil
	copy(info.Stats, []float64{accept, k.h.StepSize, k.time, energy})
	return nil
}

// phase is where the chain is in phase space: position, momentum, and the gradient of the
// potential energy, which is minus the log density.
func (s *sampler) phase() (q, p, g []float64) {
	if s.state == nil {
		return nil, nil, nil
	}
	g = make([]float64, len(s.state.Grad))
	for i, d := range s.state.Grad {
		g[i] = -d
	}
	return slices.Clone(s.state.Q), slices.Clone(s.kernel.Momentum()), g
}
