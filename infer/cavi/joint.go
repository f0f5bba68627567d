// This file has the factor of several whole numbers that depend on each other.

package cavi

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/junction"
)

// jointFactor is the distribution of whole numbers, on a junction tree.
type jointFactor struct {
	block *infer.FactorBlock
	state *junction.State
}

// valuesOf are, of each value of a block of whole numbers, the number and the value from 0.
func valuesOf(b *infer.FactorBlock) []junction.Value {
	out := make([]junction.Value, 0, b.Size)
	for i, n := range b.Counts {
		for v := range n {
			out = append(out, junction.Value{Number: i, Value: v})
		}
	}
	return out
}

func newJoint(b *infer.FactorBlock) (*jointFactor, error) {
	events := make([]junction.Event, len(b.Statistics))
	values := valuesOf(b)
	for k, s := range b.Statistics {
		for _, f := range s {
			events[k] = append(events[k], values[f.Index])
		}
	}
	tree, err := junction.New(b.Counts, events, math.Inf(1)) // the model has looked at its size
	if err != nil {
		return nil, fmt.Errorf("cavi: %s: %w", b.Name, err)
	}
	return &jointFactor{block: b, state: tree.NewState()}, nil
}

func (f *jointFactor) form() string { return "enumerated jointly" }

func (f *jointFactor) set(natural []float64) error {
	if !f.state.Set(natural) {
		return improperError(f.block, f.form(), "the sum over its values is %g", libm.Exp(f.state.LogNormalizer()))
	}
	return nil
}

func (f *jointFactor) expect(out []float64) { f.state.Expect(out) }

func (f *jointFactor) entropy() float64 { return f.state.Entropy() }

// moments are the probabilities of each number's values.
func (f *jointFactor) moments(mean, sd []float64) {
	f.state.Values(mean)
	for k := range sd {
		sd[k] = 1
	}
}

func (f *jointFactor) density() blockDensity { return &jointDensity{f.block, f.state.Copy()} }

// jointDensity is a distribution of whole numbers.
type jointDensity struct {
	block *infer.FactorBlock
	state *junction.State
}

func (d *jointDensity) logDensity(free, grad []float64) float64 {
	clear(grad)
	z := make([]int, len(free))
	for i, v := range free {
		z[i] = int(v) - d.block.Lows[i]
		if v != math.Trunc(v) || z[i] < 0 || z[i] >= d.block.Counts[i] {
			return math.Inf(-1)
		}
	}
	return d.state.LogDensity(z)
}

func (d *jointDensity) draw(r *rand.Rand, free []float64) {
	z := make([]int, len(free))
	d.state.Draw(r, z)
	for i, v := range z {
		free[i] = float64(d.block.Lows[i] + v)
	}
}
