// This file is the low-rank metric: scales, and a few directions that are stretched.

package hmc

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

// A lowRank is the inverse metric S (1 + U (L - 1) U') S, where S is a diagonal of scales,
// the columns of U are orthonormal directions, and L is a diagonal of their stretches.
// Products with it take a few operations a number for each direction.
type lowRank struct {
	scale   []float64
	stretch []float64
	vectors []float64 // one direction after the other
	scaled  []float64 // scratch
}

// newLowRank makes it of squared scales, stretches and directions, as draws.Adaptation has
// them.
func newLowRank(scale2, stretch, directions []float64) (*lowRank, error) {
	dim := len(scale2)
	if len(directions) != dim*len(stretch) {
		return nil, fmt.Errorf("inverse metric: %d numbers are no %d directions in %d dimensions", len(directions), len(stretch), dim)
	}
	if err := checkScales(slices.Concat(scale2, stretch)); err != nil {
		return nil, err
	}
	l := &lowRank{
		scale: make([]float64, dim), scaled: make([]float64, dim),
		stretch: slices.Clone(stretch), vectors: slices.Clone(directions),
	}
	for i, v := range scale2 {
		l.scale[i] = math.Sqrt(v)
	}
	return l, nil
}

// scaleBy makes it the diagonal of squared scales.
func (l *lowRank) scaleBy(scale2 []float64) {
	for i, v := range scale2 {
		l.scale[i] = math.Sqrt(v)
	}
	l.stretch, l.vectors = nil, nil
}

// stretchBy adds (f(stretch) - 1) u u'x for each direction u to x.
func (l *lowRank) stretchBy(x []float64, f func(float64) float64) {
	for k, s := range l.stretch {
		u := l.vectors[k*len(x):][:len(x)]
		var along float64
		for i, v := range u {
			along += float64(v * x[i])
		}
		along *= f(s) - 1
		for i, v := range u {
			x[i] += float64(along * v)
		}
	}
}

func itself(x float64) float64      { return x }
func inverseRoot(x float64) float64 { return 1 / math.Sqrt(x) }

// velocity sets v to the product with p.
func (l *lowRank) velocity(p, v []float64) {
	for i, x := range p {
		l.scaled[i] = l.scale[i] * x
	}
	l.stretchBy(l.scaled, itself)
	for i, x := range l.scaled {
		v[i] = l.scale[i] * x
	}
}

// color turns standard normals into a momentum.
func (l *lowRank) color(p []float64) {
	l.stretchBy(p, inverseRoot)
	for i, s := range l.scale {
		p[i] /= s
	}
}

// What low-rank estimates leave out and add.
const (
	negligible = 2    // stretches between its inverse and it are left out
	ridge      = 1e-5 // added to the variances, of scaled coordinates
	mostMisfit = 0.45 // of a target of which gradients are learned from: see rolling
	shareRank  = 8    // at most one direction for so many positions is taken from positions, and as many from gradients
)

// estimateLowRank returns stretches and directions from positions q and gradients g, rows of
// as many coordinates as there are squared scales, which are those of rolling. In the scaled
// coordinates the inverse metric is the geometric mean M of the covariance C of positions
// and the inverse of that of gradients, G:
//
//	M G M = C,
//
// which for a normal target is its covariance, exactly, as soon as there are more positions
// than coordinates. Where there are not, C and G are taken in the space of the largest
// principal directions of both. Directions in which M is near 1 are dropped. misfit is the
// greatest of all directions: see misfits.
func estimateLowRank(q, g [][]float64, scale2 []float64) (stretch, directions []float64, misfit float64) {
	n, dim := len(q), len(scale2)
	x, y := mat.NewDense(dim, n, nil), mat.NewDense(dim, n, nil) // a row for each coordinate
	for j, v := range scale2 {
		s := math.Sqrt(v)
		center(x.RawRowView(j), q, j, 1/s)
		center(y.RawRowView(j), g, j, s)
	}
	var basis mat.Matrix // orthonormal columns; nil: all of space
	if 2*dim > n {
		b, ok := principal(x, y, min(n/shareRank, dim/2))
		if !ok {
			return nil, nil, 0
		}
		basis = b
		var px, py mat.Dense
		px.Mul(b.T(), x)
		py.Mul(b.T(), y)
		x, y = &px, &py
	}
	c, m := covariance(x), covariance(y)
	values, vectors, ok := geometricMean(c, m)
	if !ok {
		return nil, nil, 0
	}
	misfit = slices.Max(misfits(c, m, crossed(x, y), values, vectors))
	if basis != nil {
		var v mat.Dense
		v.Mul(basis, vectors)
		vectors = &v
	}
	for k, s := range values {
		if s < 1.0/negligible || s > negligible {
			stretch = append(stretch, s)
			directions = append(directions, vectors.Col(nil, k)...)
		}
	}
	return stretch, directions, misfit
}

// misfits reports how far a target is from a normal one along the eigenvectors of the metric M:
// with positions p and gradients g scaled by M, which there are opposite, the part of
// their squares that is left of p + g. It is 0 for a normal target, however few positions
// there are, and 1/2 where the gradient says nothing about the position. The squares are those
// of covariances c of positions and g of gradients, and between of both.
func misfits(c, g *mat.SymDense, between *mat.Dense, values []float64, vectors *mat.Dense) []float64 {
	out := make([]float64, len(values))
	for k, v := range values {
		u := mat.NewVecDense(len(values), vectors.Col(nil, k))
		all := mat.Inner(u, c, u)/v + float64(mat.Inner(u, g, u)*v)
		out[k] = max(0, 1+2*mat.Inner(u, between, u)/all)
	}
	return out
}

// center writes coordinate j of rows to x, without its mean and times a factor.
func center(x []float64, rows [][]float64, j int, factor float64) {
	var mean float64
	for _, r := range rows {
		mean += r[j]
	}
	mean /= float64(len(rows))
	for i, r := range rows {
		x[i] = (r[j] - mean) * factor
	}
}

// covariance is that of the rows of x, with the ridge.
func covariance(x *mat.Dense) *mat.SymDense {
	d, n := x.Dims()
	c := mat.NewSymDense(d, nil)
	for i := range d {
		for j := range i + 1 {
			c.SetSym(i, j, vec.Dot(x.RawRowView(i), x.RawRowView(j))/float64(n-1))
		}
		c.SetSym(i, i, c.At(i, i)+ridge)
	}
	return c
}

// crossed are the covariances of the rows of x with those of y.
func crossed(x, y *mat.Dense) *mat.Dense {
	d, n := x.Dims()
	c := mat.NewDense(d, d, nil)
	for i := range d {
		for j := range d {
			c.Set(i, j, vec.Dot(x.RawRowView(i), y.RawRowView(j))/float64(n-1))
		}
	}
	return c
}

// principal returns an orthonormal basis of the rank largest principal directions of the columns
// of x and of those of y.
func principal(x, y *mat.Dense, rank int) (*mat.Dense, bool) {
	dim, _ := x.Dims()
	if rank < 1 {
		return nil, false
	}
	both := mat.NewDense(dim, 2*rank, nil)
	for i, m := range []*mat.Dense{x, y} {
		if !leading(m, rank, func(k int, u []float64) { both.SetCol(i*rank+k, u) }) {
			return nil, false
		}
	}
	var qr mat.QR
	qr.Factorize(both)
	var basis mat.Dense
	qr.QTo(&basis)
	return &basis, true
}

// leading sets the rank largest principal directions of the columns of x, from the largest on. They
// are eigenvectors of x x', or what x makes of those of x'x, whichever has fewer rows.
func leading(x *mat.Dense, rank int, set func(k int, u []float64)) bool {
	dim, n := x.Dims()
	a := mat.Matrix(x)
	if n < dim {
		a = x.T()
	}
	var gram mat.SymDense
	gram.SymOuterK(1, a)
	var eigen mat.EigenSym
	if !eigen.Factorize(&gram, true) {
		return false
	}
	var vectors, u mat.Dense
	eigen.VectorsTo(&vectors)
	if n < dim {
		u.Mul(x, &vectors)
	} else {
		u = vectors
	}
	size := gram.SymmetricDim()
	for k := range rank {
		direction := u.Col(nil, size-1-k)
		if norm := mat.Norm2(direction); norm > 0 {
			for i := range direction {
				direction[i] /= norm
			}
		}
		set(k, direction)
	}
	return true
}

// geometricMean returns eigenvalues and eigenvectors of the M with M g M = c.
func geometricMean(c, g *mat.SymDense) ([]float64, *mat.Dense, bool) {
	root, inverse, ok := powers(g)
	if !ok {
		return nil, nil, false
	}
	inner, _, ok := powers(sandwich(root, c))
	if !ok {
		return nil, nil, false
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(sandwich(inverse, inner), true) {
		return nil, nil, false
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	values := eigen.Values()
	return values, &vectors, !slices.ContainsFunc(values, func(v float64) bool { return !(v > 0) || math.IsInf(v, 1) })
}

// powers returns the symmetric root of a positive definite matrix, and the inverse of that.
func powers(s *mat.SymDense) (root, inverse *mat.SymDense, ok bool) {
	var eigen mat.EigenSym
	if !eigen.Factorize(s, true) {
		return nil, nil, false
	}
	var v mat.Dense
	eigen.VectorsTo(&v)
	n := s.SymmetricDim()
	root, inverse = mat.NewSymDense(n, nil), mat.NewSymDense(n, nil)
	for k, x := range eigen.Values() {
		if !(x > 0) {
			return nil, nil, false
		}
		u := mat.NewVecDense(n, v.Col(nil, k))
		root.SymRankOne(root, math.Sqrt(x), u)
		inverse.SymRankOne(inverse, 1/math.Sqrt(x), u)
	}
	return root, inverse, true
}

// sandwich is a s a.
func sandwich(a, s *mat.SymDense) *mat.SymDense {
	var half, full mat.Dense
	half.Mul(a, s)
	full.Mul(&half, a)
	n := a.SymmetricDim()
	out := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			out.SetSym(i, j, (full.At(i, j)+full.At(j, i))/2)
		}
	}
	return out
}
