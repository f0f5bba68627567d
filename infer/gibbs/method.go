// This file is the method: options, defaults, and what the run loop asks for.

package gibbs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// Options are the settings of the method.
type Options struct {
	infer.MarkovOptions
	Palindrome bool // sweep forwards and backwards in each transition
	// Blocks says what is drawn jointly: where it is zero all that can be, with joint moves of scales
	// and what they scale.
	Blocks infer.Blocking
	// Order are parameters whose blocks come first in a sweep, in this order; those of others follow as
	// the target has them.
	Order []string
	// Scan is Systematic or Random, where a sweep updates as many blocks as there are, each drawn with
	// equal probability.
	Scan string
}

// The choices of Scan.
const (
	Systematic = "systematic"
	Random     = "random"
)

// DefaultOptions are the documented defaults of the language.
func DefaultOptions() Options {
	return Options{MarkovOptions: infer.DefaultMarkovOptions(), Scan: Systematic}
}

// Method implements infer.Markov.
type Method struct{ options Options }

// New returns the method.
func New(o Options) (*Method, error) {
	switch err := o.Blocks.Check(); {
	case err != nil && o.Blocks.String() != "":
		return nil, fmt.Errorf("gibbs: %w", err)
	case o.Scan != Systematic && o.Scan != Random:
		return nil, fmt.Errorf("gibbs: scan must be %s or %s, found %q", Systematic, Random, o.Scan)
	case o.Scan == Random && len(o.Order) > 0:
		return nil, errors.New("gibbs: with scan = \"random\" blocks come in no order; leave order out")
	}
	for i, name := range o.Order {
		if slices.Contains(o.Order[:i], name) {
			return nil, fmt.Errorf("gibbs: order names %s twice", name)
		}
	}
	return &Method{options: o}, nil
}

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
	e := draws.Entry{Name: "algorithm", Value: "gibbs", Choice: true}
	if blocks := m.options.Blocks.String(); blocks != "" {
		e.Children = []draws.Entry{{Name: "gibbs", Children: []draws.Entry{{Name: "blocks", Value: blocks}}}}
	}
	return []draws.Entry{e}
}

// NewKernel implements infer.Markov. A target that supplies no conditionals is one
// block of slices.
func (m *Method) NewKernel(t infer.Target, _ int) (infer.Kernel, infer.Tuner, error) {
	k := &Kernel{target: t, palindrome: m.options.Palindrome, width: make([]float64, t.Dim())}
	if mixed, ok := infer.Capability[infer.Mixed](t); ok {
		k.whole = mixed.Whole()
	}
	if c, ok := infer.Capability[infer.Conditionals](t); ok && c.Dim() == t.Dim() {
		if m.options.Blocks.String() != "" {
			if err := c.Arrange(m.options.Blocks); err != nil {
				return nil, nil, err
			}
		}
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
	k.random, k.order = m.options.Scan == Random, inOrderOf(k.blocks, m.options.Order)
	return k, &tuner{k: k, moved: make([]float64, t.Dim())}, nil
}

// inOrderOf are the places of blocks, first those with a parameter that first names, in its order.
func inOrderOf(blocks []infer.Block, first []string) []int {
	rank := make([]int, len(blocks))
	out := make([]int, len(blocks))
	for i, b := range blocks {
		out[i], rank[i] = i, len(first)
		for _, word := range strings.FieldsFunc(b.Name, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			if at := slices.Index(first, word); at >= 0 {
				rank[i] = min(rank[i], at)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b int) int { return rank[a] - rank[b] })
	return out
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
