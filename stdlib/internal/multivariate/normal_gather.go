// Multivariate normal and Student t densities of many vectors that are data.
//
// With Z = L^-1 R the standardised residuals and W their weights, the derivative in Sigma is
// L^-T (Z W Z' - n I) L^-1 / 2, that in L the lower triangle of L^-T Z W Z' less n over the
// diagonal, and that in a mean that all share L^-T Z W 1. So nothing but Z W Z' and Z W 1 is
// needed of the vectors, half the work of solving with L' for each of them.

package multivariate

import (
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/autodiff/vec/dense"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// A gathering sums what the derivatives need over panels.
type gathering struct {
	k      int
	matrix []float64 // Z W Z', its lower triangle; nil where no derivative in the matrix is wanted
	sum    []float64 // Z W 1; nil where no derivative in the mean is wanted
}

// gather makes the sums where they serve and are less work than the vectors one by one;
// ok reports whether that is so. common says that all vectors have the same mean. work has room
// for two matrices.
func (e Elliptical) gather(k, n int, common bool, dy, dmu, dm, work []float64) (g gathering, ok bool) {
	switch {
	case e.Form == ByPrecision || dy != nil || dmu == nil && dm == nil:
		return g, false
	case dmu != nil && !common || dm != nil && n < k:
		return g, false
	}
	g.k = k
	if dm != nil {
		g.matrix = work[:k*k]
		clear(g.matrix)
	}
	if dmu != nil {
		g.sum = work[k*k : k*k+k]
		clear(g.sum)
	}
	return g, true
}

// add takes a panel with weights in q. It overwrites s.
func (g *gathering) add(p *panel) {
	for i := range p.n {
		vec.MulVS.Map(p.at(p.s, i), p.at(p.z, i), p.q[i:i+1])
		if g.sum != nil {
			catalogue.Axpy(1, p.at(p.s, i), g.sum)
		}
	}
	if g.matrix != nil {
		dense.AddMulLower(dense.Of(g.k, g.k, g.matrix), p.matrix(p.z), p.matrix(p.s).T())
	}
}

// finish adds to the derivatives; c is n times the adjoint.
func (e Elliptical) finish(g *gathering, c float64, l, dmu, dm []float64) {
	if g.sum != nil {
		catalogue.SolveLowerTranspose(g.k, 1, l, g.sum)
		catalogue.Axpy(1, g.sum, dmu)
	}
	if g.matrix == nil {
		return
	}
	k, a, root := g.k, dense.Of(g.k, g.k, g.matrix), dense.Of(g.k, g.k, l)
	dense.MirrorLower(a)
	if e.Form == ByCholesky {
		dense.SolveLowerT(root, a)
		for j := range k {
			catalogue.Axpy(1, g.matrix[j*k+j:(j+1)*k], dm[j*k+j:(j+1)*k])
			dm[j*k+j] -= c / l[j*k+j]
		}
		return
	}
	for i := range k {
		g.matrix[i*k+i] -= c
	}
	dense.SolveLowerT(root, a)
	dense.SolveLowerT(root, a.T())
	catalogue.Axpy(0.5, g.matrix, dm)
}
