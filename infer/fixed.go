// This file is the kernel for models without parameters: it stands still, and
// each draw is one of the generated quantities.

package infer

import (
	"context"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/infer/draws"
)

// FixedParam is CmdStan's fixed_param: a Markov method that never moves.
type FixedParam struct {
	Options MarkovOptions // Warmup is ignored
}

// Name implements Method.
func (FixedParam) Name() string { return "fixed_param" }

// Run implements Method.
func (f FixedParam) Run(ctx context.Context, m Model, o Options) (*Posterior, error) {
	return RunMarkov(ctx, m, f, o)
}

// Chains implements Markov.
func (f FixedParam) Chains() MarkovOptions {
	f.Options.Warmup = 0
	return f.Options
}

// Stats implements Markov.
func (FixedParam) Stats() []string { return []string{"accept_stat__"} }

// Config implements Markov.
func (FixedParam) Config() []draws.Entry {
	return []draws.Entry{{Name: "algorithm", Value: "fixed_param", Choice: true}}
}

// NewKernel implements Markov.
func (FixedParam) NewKernel(t Target, _ int) (Kernel, Tuner, error) {
	return fixedKernel{t}, Untuned{}, nil
}

type fixedKernel struct{ target Target }

func (k fixedKernel) Start(s *State) (err error) {
	s.LogDensity, err = k.target.LogDensity(s.Q)
	return err
}

func (k fixedKernel) Step(_ *rand.Rand, _ *State, info *Info) error {
	info.AcceptStat, info.Divergence = 1, nil
	info.Stats[0] = 1
	return nil
}

// Untuned is the Tuner of kernels that have nothing to tune.
type Untuned struct{}

// Begin implements Tuner.
func (Untuned) Begin(*rand.Rand, *State) error { return nil }

// Update implements Tuner.
func (Untuned) Update(*rand.Rand, int, *State, *Info) error { return nil }

// End implements Tuner.
func (Untuned) End() error { return nil }

// Adaptation implements Tuner.
func (Untuned) Adaptation() draws.Adaptation { return draws.Adaptation{} }

// Adopt implements Tuner.
func (Untuned) Adopt(draws.Adaptation) error { return nil }

// Snapshot implements Resumable.
func (Untuned) Snapshot() []float64 { return nil }

// Restore implements Resumable.
func (Untuned) Restore([]float64) error { return nil }
