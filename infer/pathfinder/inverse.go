// This file makes the inverse Hessian of an iterate from the path so far.

package pathfinder

import (
	"gonum.org/v1/gonum/floats"

	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/optimize"
)

// pair is a step s and the change z of the gradient of -log density.
type pair struct{ s, z []float64 }

// inverse is what is known of the inverse Hessian at the last iterate.
type inverse struct {
	size  int       // most pairs
	alpha []float64 // diagonal
	pairs []pair    // the last ones, oldest first
	x, g  []float64 // last iterate and gradient of the log density there
}

func newInverse(dim, size int) *inverse {
	in := &inverse{size: size, alpha: make([]float64, dim)}
	for i := range in.alpha {
		in.alpha[i] = 1
	}
	return in
}

// add takes the next iterate.
func (in *inverse) add(p optimize.Point) {
	if in.x == nil {
		in.x, in.g = append([]float64{}, p.X...), append([]float64{}, p.Grad...)
		return
	}
	s, z := make([]float64, len(p.X)), make([]float64, len(p.X))
	floats.SubTo(s, p.X, in.x)
	floats.SubTo(z, in.g, p.Grad)
	copy(in.x, p.X)
	copy(in.g, p.Grad)
	if !(vec.Dot(s, z) > 1e-12*vec.Dot(z, z)) {
		return
	}
	if len(in.pairs) == in.size {
		in.pairs = append(in.pairs[:0], in.pairs[1:]...)
	}
	in.pairs = append(in.pairs, pair{s, z})
	in.updateDiagonal(s, z)
}

// updateDiagonal is the diagonal of the BFGS update of a diagonal Hessian
// (Gilbert and Lemarechal 1989), inverted.
func (in *inverse) updateDiagonal(s, z []float64) {
	var a, c float64
	b := vec.Dot(s, z)
	for i, al := range in.alpha {
		a += float64(z[i] * z[i] * al)
		c += s[i] * s[i] / al
	}
	for i, al := range in.alpha {
		v := 1 / (a/(b*al) + z[i]*z[i]/b - a*s[i]*s[i]/(b*c*al*al))
		if v > 0 {
			in.alpha[i] = v
		}
	}
}

// normal is the approximation at the last iterate; the error says when rounding
// has made the matrix indefinite.
func (in *inverse) normal() (*normal.Normal, error) {
	dim, j := len(in.x), len(in.pairs)
	variance := append([]float64{}, in.alpha...)
	mean := append([]float64{}, in.x...)
	for i, g := range in.g {
		mean[i] += float64(variance[i] * g)
	}
	if j == 0 { // nothing is known of the curvature: the diagonal is still 1
		return normal.NewDiagonal(mean, variance), nil
	}
	b, g := in.compact()
	v, w := mat.NewVecDense(2*j, nil), mat.NewVecDense(2*j, nil)
	v.MulVec(b.T(), mat.NewVecDense(dim, in.g))
	w.MulVec(g, v)
	out := mat.NewVecDense(dim, nil)
	out.MulVec(b, w)
	floats.Add(mean, out.Raw())
	return normal.NewSpiked(mean, variance, b, g)
}

// compact are B and G with inverse Hessian diag(alpha) + B G B' (Byrd, Nocedal
// and Schnabel 1994).
func (in *inverse) compact() (b, g *mat.Dense) {
	dim, j := len(in.x), len(in.pairs)
	b, g = mat.NewDense(dim, 2*j, nil), mat.NewDense(2*j, 2*j, nil)
	r, core := mat.NewTriDense(j), mat.NewDense(j, j, nil)
	for k, p := range in.pairs {
		for i, al := range in.alpha {
			b.Set(i, k, al*p.z[i])
			b.Set(i, j+k, p.s[i])
		}
		for l, o := range in.pairs {
			var zaz float64
			for i, al := range in.alpha {
				zaz += float64(p.z[i] * al * o.z[i])
			}
			core.Set(k, l, zaz)
			if l >= k {
				r.SetTri(k, l, vec.Dot(p.s, o.z))
			}
		}
		core.Set(k, k, core.At(k, k)+vec.Dot(p.s, p.z))
	}
	var inv mat.TriDense
	inv.InverseUpper(r) // whatever its condition: the later factorisation decides
	var corner mat.Dense
	corner.Product(inv.T(), core, &inv)
	for k := range j {
		for l := range j {
			g.Set(k, j+l, -inv.At(k, l))
			g.Set(j+k, l, -inv.At(l, k))
			g.Set(j+k, j+l, corner.At(k, l))
		}
	}
	return b, g
}
