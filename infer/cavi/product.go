// This file is the approximation: a product of densities of blocks.

package cavi

import (
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/infer"
)

// product implements infer.Approximation.
type product struct {
	dim    int
	coords [][]int
	of     []blockDensity
}

// density is the product of the factors as they are now, of those whose coordinates are
// among the first dim: whole numbers come last.
func (a *ascent) density(dim int) *product {
	p := &product{dim: dim}
	made := map[int32]blockDensity{} // of factors that several blocks have
	for i, q := range a.factors {
		if c := a.f.Blocks[i].Coords; len(c) > 0 && c[0] >= dim {
			continue
		}
		p.coords = append(p.coords, a.f.Blocks[i].Coords)
		d, ok := made[a.like[i]]
		if !ok {
			d = q.density()
		}
		if a.times[a.like[i]] > 1 {
			made[a.like[i]] = d
		}
		p.of = append(p.of, d)
	}
	return p
}

// Dim implements infer.Approximation.
func (p *product) Dim() int { return p.dim }

// LogDensity implements infer.Density.
func (p *product) LogDensity(q []float64) float64 {
	total := 0.0
	for i, d := range p.of {
		total += d.logDensity(pick(q, p.coords[i]), nil)
	}
	return total
}

// LogDensityGrad implements infer.Approximation. The gradient by whole numbers is 0.
func (p *product) LogDensityGrad(q, grad []float64) float64 {
	total := 0.0
	clear(grad)
	for i, d := range p.of {
		g := make([]float64, len(p.coords[i]))
		total += d.logDensity(pick(q, p.coords[i]), g)
		for k, c := range p.coords[i] {
			grad[c] = g[k]
		}
	}
	return total
}

// Draw implements infer.Approximation.
func (p *product) Draw(r *rand.Rand, q []float64) {
	for i, d := range p.of {
		x := make([]float64, len(p.coords[i]))
		d.draw(r, x)
		for k, c := range p.coords[i] {
			q[c] = x[k]
		}
	}
}

var _ infer.Approximation = (*product)(nil)
