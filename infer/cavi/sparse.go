// This file has the normal factor of many numbers of which few stand in products with each other:
// the states of a chain, or the groups of a hierarchy with what they have in common.

package cavi

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/sparse"
)

const (
	leastSparse = 50 // numbers from which on a factor may be sparse
	mostFilled  = 4  // its Cholesky factor has at most one element in so many
)

// A sparseNormal is a normal factor whose precision matrix is sparse. Covariances are known where
// statistics ask for them.
type sparseNormal struct {
	block   *infer.FactorBlock
	pattern *sparse.Pattern
	place   []place // of each statistic
	factor  *sparse.Factor
	cov     []float64
}

// A place says where a statistic's natural parameter goes: into the matrix, times scale, or, where
// matrix is -1, into the vector.
type place struct {
	i, j   int // the numbers; j is -1 for one alone
	matrix int
	scale  float64
}

// newSparse is nil where the factor is small, or not sparse.
func newSparse(b *infer.FactorBlock) *sparseNormal {
	n := b.Size
	if n < leastSparse {
		return nil
	}
	var pairs [][2]int
	for _, s := range b.Statistics {
		if i, j := pair(s); j >= 0 && i != j {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	if len(pairs) > n*(n-1)/2/mostFilled {
		return nil
	}
	f := &sparseNormal{block: b, pattern: sparse.NewPattern(n, pairs)}
	if f.pattern.Size() > n*(n+1)/2/mostFilled {
		return nil
	}
	for _, s := range b.Statistics {
		i, j := pair(s)
		p := place{i, j, -1, 1}
		if j >= 0 {
			p.matrix, p.scale = f.pattern.At(i, j), -1
			if i == j {
				p.scale = -2
			}
		}
		f.place = append(f.place, p)
	}
	f.factor, f.cov = f.pattern.NewFactor(), make([]float64, f.pattern.Size())
	return f
}

func (f *sparseNormal) form() string { return "normal" }

func (f *sparseNormal) set(natural []float64) error {
	clear(f.factor.Matrix)
	clear(f.factor.Vector)
	for k, p := range f.place {
		if p.j < 0 {
			f.factor.Vector[f.pattern.Place(p.i)] += natural[k]
		} else {
			f.factor.Matrix[p.matrix] += float64(p.scale * natural[k])
		}
	}
	if !f.factor.Draw(nil) {
		return improperError(f.block, "normal", "its precision matrix is not positive definite")
	}
	f.factor.Inverse(f.cov)
	return nil
}

func (f *sparseNormal) mean(i int) float64 { return f.factor.Vector[f.pattern.Place(i)] }

func (f *sparseNormal) expect(out []float64) {
	for k, p := range f.place {
		out[k] = f.mean(p.i)
		if p.j >= 0 {
			out[k] = float64(out[k]*f.mean(p.j)) + f.cov[p.matrix]
		}
	}
}

func (f *sparseNormal) entropy() float64 {
	return float64(float64(f.block.Size)/2*libm.Log(2*math.Pi*math.E)) - float64(f.factor.LogDet()/2)
}

func (f *sparseNormal) moments(mean, sd []float64) {
	for i := range mean {
		mean[i], sd[i] = f.mean(i), math.Sqrt(f.cov[f.pattern.At(i, i)])
	}
}

func (f *sparseNormal) density() blockDensity {
	return mapped(f.block, sparseDensity{f.factor.Normal()})
}

// sparseDensity is a normal density of the numbers themselves.
type sparseDensity struct{ *sparse.Normal }

func (d sparseDensity) logDensity(x, grad []float64) float64 { return d.LogDensity(x, grad) }
func (d sparseDensity) draw(r *rand.Rand, x []float64)       { d.Draw(r, x) }
