// This file is the metric: the kinetic energy of a Hamiltonian.

package hmc

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/autodiff/vec/dense"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// Metric is the inverse metric M^-1 of a Hamiltonian: the unit matrix, a
// diagonal, a full symmetric positive definite matrix, or one of low rank beside a
// diagonal.
type Metric struct {
	kind string // one of the draws.Metric... constants
	dim  int
	inv  []float64 // diagonal: the diagonal; dense: the matrix, row by row
	root []float64 // diagonal: sqrt of M's diagonal; dense: U with M^-1 = U'U, row by row
	low  *lowRank  // of a low-rank metric
}

// NewMetric returns the unit matrix in the given representation.
func NewMetric(kind string, dim int) (*Metric, error) {
	m := &Metric{kind: kind, dim: dim}
	switch kind {
	case draws.MetricUnit:
	case draws.MetricDiagonal:
		m.inv, m.root = make([]float64, dim), make([]float64, dim)
		for i := range m.inv {
			m.inv[i], m.root[i] = 1, 1
		}
	case draws.MetricLowRank:
		m.inv = make([]float64, dim)
		for i := range m.inv {
			m.inv[i] = 1
		}
		return m, m.setLowRank(m.inv, nil, nil)
	case draws.MetricDense:
		m.inv, m.root = make([]float64, dim*dim), make([]float64, dim*dim)
		for i := range dim {
			m.inv[i*dim+i], m.root[i*dim+i] = 1, 1
		}
	default:
		return nil, fmt.Errorf("unknown metric %q", kind)
	}
	return m, nil
}

// Kind is one of the metric names of package draws.
func (m *Metric) Kind() string { return m.kind }

// Inverse is a copy of M^-1 in the form of draws.Adaptation.InvMetric.
func (m *Metric) Inverse() []float64 { return append([]float64(nil), m.inv...) }

// Set replaces M^-1; inv has the form of draws.Adaptation.InvMetric.
func (m *Metric) Set(inv []float64) error {
	if len(inv) != len(m.inv) {
		return fmt.Errorf("inverse metric: %d numbers for a %s metric in %d dimensions", len(inv), m.kind, m.dim)
	}
	switch m.kind {
	case draws.MetricDense:
		return m.setDense(inv)
	}
	if err := checkScales(inv); err != nil {
		return err
	}
	copy(m.inv, inv)
	if m.low != nil {
		m.low.scaleBy(inv)
		return nil
	}
	for i, v := range inv {
		m.root[i] = 1 / math.Sqrt(v)
	}
	return nil
}

// learn replaces the metric by an estimate from draws. Draws that run away, as those of an improper
// posterior do, have moments that overflow: a scale that is not positive and finite stays what it is, and
// so does a whole metric whose estimate is no metric.
func (m *Metric) learn(inv, stretch, directions []float64) {
	if m.kind == draws.MetricDense {
		_ = m.setDense(inv) // nothing is set where it fails
		return
	}
	for i, v := range inv {
		if !(v > 0) || math.IsInf(v, 0) {
			inv[i] = m.inv[i]
		}
	}
	if m.low == nil || m.setLowRank(inv, stretch, directions) != nil {
		_ = m.Set(inv) // which is positive and finite
	}
}

// checkScales fails where squared scales are not positive and finite.
func checkScales(inv []float64) error {
	for i, v := range inv {
		if !(v > 0) || math.IsInf(v, 0) {
			return fmt.Errorf("inverse metric: element %d is %g, not positive and finite", i+1, v)
		}
	}
	return nil
}

// setLowRank replaces scales and directions of a low-rank metric.
func (m *Metric) setLowRank(inv, stretch, directions []float64) error {
	low, err := newLowRank(inv, stretch, directions)
	if err != nil {
		return err
	}
	copy(m.inv, inv)
	m.low = low
	return nil
}

func (m *Metric) setDense(inv []float64) error {
	if m.dim == 0 {
		return nil
	}
	var chol mat.Cholesky
	if !chol.Factorize(mat.NewSymDense(m.dim, append([]float64(nil), inv...))) {
		return fmt.Errorf("inverse metric: the matrix is not positive definite")
	}
	var u mat.TriDense
	chol.UTo(&u)
	copy(m.root, u.Raw())
	copy(m.inv, inv)
	return nil
}

// Velocity sets v to M^-1 p.
func (m *Metric) Velocity(p, v []float64) {
	switch m.kind {
	case draws.MetricUnit:
		copy(v, p)
	case draws.MetricLowRank:
		m.low.velocity(p, v)
	case draws.MetricDiagonal:
		inv := m.inv[:len(p)]
		v = v[:len(p)]
		for i, x := range p {
			v[i] = inv[i] * x
		}
	default:
		if m.dim == 0 {
			return
		}
		clear(v)
		dense.AddMul(dense.Of(m.dim, 1, v), dense.Of(m.dim, m.dim, m.inv), dense.Of(m.dim, 1, p))
	}
}

// Sample draws a momentum from N(0, M).
func (m *Metric) Sample(rng *rand.Rand, p []float64) {
	for i := range p {
		p[i] = variate.Normal(rng)
	}
	switch m.kind {
	case draws.MetricUnit:
	case draws.MetricLowRank:
		m.low.color(p)
	case draws.MetricDiagonal:
		for i := range p {
			p[i] *= m.root[i]
		}
	default:
		if m.dim == 0 {
			return
		}
		// M = (U'U)^-1, so U^-1 z has covariance M. U by rows is the lower triangular U' by columns.
		dense.SolveLowerT(dense.Of(m.dim, m.dim, m.root), dense.Of(m.dim, 1, p))
	}
}
