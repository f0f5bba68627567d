// This file has mixtures of normals.

package normal

import (
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
)

// Mixture implements infer.Approximation.
type Mixture struct {
	parts      []*Normal
	logWeights []float64
	cumulative []float64
	scratch    sync.Pool
}

// NewMixture weighs its parts, all of one dimension, by weights, which need not
// sum to 1. Parts without weight are left out; at least one must have some.
func NewMixture(parts []*Normal, weights []float64) *Mixture {
	m := &Mixture{}
	var total, sum float64
	for _, w := range weights {
		total += w
	}
	for i, w := range weights {
		if w > 0 {
			sum += w
			m.parts = append(m.parts, parts[i])
			m.logWeights = append(m.logWeights, libm.Log(w/total))
			m.cumulative = append(m.cumulative, sum/total)
		}
	}
	m.scratch.New = func() any {
		s := make([]float64, m.Dim()+2*len(m.parts))
		return &s
	}
	return m
}

// Parts are the components that have weight.
func (m *Mixture) Parts() []*Normal { return m.parts }

// Weights are those of Parts; they sum to 1.
func (m *Mixture) Weights() []float64 {
	w := make([]float64, len(m.parts))
	for i, l := range m.logWeights {
		w[i] = libm.Exp(l)
	}
	return w
}

// Dim implements infer.Approximation.
func (m *Mixture) Dim() int { return m.parts[0].Dim() }

// LogDensity implements infer.Density.
func (m *Mixture) LogDensity(q []float64) float64 {
	s := m.scratch.Get().(*[]float64)
	defer m.scratch.Put(s)
	terms := (*s)[:len(m.parts)]
	for k, p := range m.parts {
		terms[k] = m.logWeights[k] + p.LogDensity(q)
	}
	return infer.LogSumExp(terms)
}

// LogDensityGrad implements infer.Approximation.
func (m *Mixture) LogDensityGrad(q, grad []float64) float64 {
	s := m.scratch.Get().(*[]float64)
	defer m.scratch.Put(s)
	k := len(m.parts)
	terms, shares, part := (*s)[:k], (*s)[k:2*k], (*s)[2*k:]
	for k, p := range m.parts {
		terms[k] = m.logWeights[k] + p.LogDensity(q)
	}
	infer.Weights(terms, shares)
	clear(grad)
	for k, p := range m.parts {
		p.LogDensityGrad(q, part)
		for i, g := range part {
			grad[i] += float64(shares[k] * g)
		}
	}
	return infer.LogSumExp(terms)
}

// Draw implements infer.Approximation.
func (m *Mixture) Draw(r *rand.Rand, q []float64) {
	k, _ := slices.BinarySearch(m.cumulative, r.Float64())
	m.parts[min(k, len(m.parts)-1)].Draw(r, q)
}

var _ infer.Approximation = (*Mixture)(nil)
