// A normal density with a sparse precision matrix.

package sparse

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// A Normal is a normal density. It is immutable.
type Normal struct {
	p       *Pattern
	l       []float64 // the precision's Cholesky factor
	mean    []float64 // in the order of elimination
	logNorm float64
}

// Normal is the density with the matrix that Draw has factorised for its precision, and the mean that it
// has left in Vector.
func (f *Factor) Normal() *Normal {
	return &Normal{p: f.p, l: slices.Clone(f.Matrix), mean: slices.Clone(f.Vector),
		logNorm: float64(f.LogDet()/2) - float64(float64(f.p.n)/2*libm.Log(2*math.Pi))}
}

// LogDensity also fills grad with the gradient, where it is not nil. With d the distance from the
// mean it is -|L'd|^2 / 2 and the gradient -L L'd.
func (n *Normal) LogDensity(x, grad []float64) float64 {
	p := n.p
	d, z := make([]float64, p.n), make([]float64, p.n)
	for i, j := range p.place {
		d[j] = x[i] - n.mean[j]
	}
	square := 0.0
	for j := range p.n {
		for at := p.start[j]; at < p.start[j+1]; at++ {
			z[j] += float64(n.l[at] * d[p.row[at]])
		}
		square += float64(z[j] * z[j])
	}
	if grad != nil {
		clear(d)
		for j, v := range z {
			for at := p.start[j]; at < p.start[j+1]; at++ {
				d[p.row[at]] -= float64(n.l[at] * v)
			}
		}
		for i, j := range p.place {
			grad[i] = d[j]
		}
	}
	return n.logNorm - square/2
}

// Draw fills x with a draw.
func (n *Normal) Draw(r *rand.Rand, x []float64) {
	p := n.p
	z := make([]float64, p.n)
	for j := p.n - 1; j >= 0; j-- {
		from := p.start[j]
		v := variate.Normal(r)
		for at := from + 1; at < p.start[j+1]; at++ {
			v -= float64(n.l[at] * z[p.row[at]])
		}
		z[j] = v / n.l[from]
	}
	for i, j := range p.place {
		x[i] = n.mean[j] + z[j]
	}
}
