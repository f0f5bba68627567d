// This file is the target as coordinate ascent evaluates it.

package cavi

import (
	"math"

	"github.com/seed-12b88e03/ppl/infer"
)

// A summed target evaluates a joint density with whole numbers by the sums over these that full
// conditionals are found in. The factorisation is found there, too; a program of every statement
// recorded once for each value takes many times as long to make, for a few hundred evaluations.
type summed struct {
	infer.Target
	sections infer.Sections
	whole    []infer.Range // of the last coordinates
}

// inSums is t in that form; t itself where it has no whole numbers.
func inSums(t infer.Target) infer.Target {
	m, ok := infer.Capability[infer.Mixed](t)
	if !ok || len(m.Whole()) == 0 {
		return t
	}
	s, ok := infer.Capability[infer.Sections](t)
	if !ok || s.Dim() != t.Dim() {
		return t
	}
	return &summed{t, s, m.Whole()}
}

// Unwrap returns the target itself.
func (s *summed) Unwrap() infer.Target { return s.Target }

// LogDensity leaves to the target itself what the sums give no number for.
func (s *summed) LogDensity(q []float64) (float64, error) {
	for i, r := range s.whole {
		if z := q[len(q)-len(s.whole)+i]; z < r.Low || z > r.High || z != math.Trunc(z) {
			return math.NaN(), infer.Reject("a discrete parameter is out of its range")
		}
	}
	lp, err := s.sections.LogJoint(q)
	if err != nil || math.IsNaN(lp) {
		return s.Target.LogDensity(q)
	}
	return lp, nil
}

// rounded is a target at whole numbers near those given.
type rounded struct{ infer.Target }

// Unwrap returns the target itself.
func (r rounded) Unwrap() infer.Target { return r.Target }

// LogDensityGrad has no gradient where there are whole numbers: nothing here follows one, and it is
// the dearest part of a density over these.
func (r rounded) LogDensityGrad(q, grad []float64) (float64, error) {
	m, ok := infer.Capability[infer.Mixed](r.Target)
	if !ok || len(m.Whole()) == 0 {
		return r.Target.LogDensityGrad(q, grad)
	}
	whole := m.Whole()
	for i, w := range whole {
		c := len(q) - len(whole) + i
		q[c] = math.Min(math.Max(math.Round(q[c]), w.Low), w.High)
	}
	clear(grad)
	return r.Target.LogDensity(q)
}
