// This file is the method: options, defaults, and what the run loop asks for.

package gibbs

import (
	"context"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// Options are the settings of the method.
type Options struct {
	infer.MarkovOptions
	Palindrome bool // sweep forwards and backwards in each transition
}

// DefaultOptions are the documented defaults of the language.
func DefaultOptions() Options { return Options{MarkovOptions: infer.DefaultMarkovOptions()} }

// Method implements infer.Markov.
type Method struct{ options Options }

// New returns the method.
func New(o Options) (*Method, error) { return &Method{options: o}, nil }

// Name implements infer.Method.
func (m *Method) Name() string { return "gibbs" }

// Run implements infer.Method.
func (m *Method) Run(ctx context.Context, model infer.Model, o infer.Options) (*infer.Posterior, error) {
	return infer.RunMarkov(ctx, model, m, o)
}

// Chains implements infer.Markov.
func (m *Method) Chains() infer.MarkovOptions { return m.options.MarkovOptions }

// Stats implements infer.Markov: a Gibbs sampler has no sampler columns.
func (m *Method) Stats() []string { return nil }

// Config implements infer.Markov.
func (m *Method) Config() []draws.Entry {
	return []draws.Entry{{Name: "algorithm", Value: "gibbs", Choice: true}}
}

// NewKernel implements infer.Markov. A target that supplies no conditionals is one
// block of slices.
func (m *Method) NewKernel(t infer.Target, _ int) (infer.Kernel, infer.Tuner, error) {
	k := &Kernel{target: t, palindrome: m.options.Palindrome, width: make([]float64, t.Dim())}
	if mixed, ok := infer.Capability[infer.Mixed](t); ok {
		k.whole = mixed.Whole()
	}
	if c, ok := infer.Capability[infer.Conditionals](t); ok && c.Dim() == t.Dim() {
		k.conditionals, k.blocks = c, c.Blocks()
		if s, ok := infer.Capability[infer.Sections](t); ok && s.Dim() == t.Dim() {
			k.sections = s
		}
		if s, ok := infer.Capability[infer.Sites](t); ok && s.Dim() == t.Dim() {
			k.sites = s
		}
		if len(k.blocks) == 0 {
			return nil, nil, k.nowhere()
		}
	} else {
		k.blocks = []infer.Block{allSlices(t.Dim())}
	}
	for i := range k.width {
		k.width[i] = 1
	}
	return k, &tuner{k: k, moved: make([]float64, t.Dim())}, nil
}

// nowhere reports that no point was found to look for full conditionals at, and why the
// density cannot be evaluated at zero and the least whole numbers.
func (k *Kernel) nowhere() error {
	q := make([]float64, k.target.Dim())
	for i, r := range k.whole {
		q[len(q)-len(k.whole)+i] = r.Low
	}
	_, err := k.target.LogDensity(q)
	return &infer.MissingError{Method: "gibbs", Needs: "full conditionals at some point with positive density", Reason: err}
}

func allSlices(n int) infer.Block {
	b := infer.Block{Name: "all", Form: "slice", Reason: "the target supplies no full conditionals", Coords: make([]int, n)}
	for i := range b.Coords {
		b.Coords[i] = i
	}
	return b
}
