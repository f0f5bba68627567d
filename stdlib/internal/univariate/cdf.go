// This file is the driver of _cdf functions, whose elements multiply.

package univariate

import (
	"math"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// productKernel is the kernel of a function that is a product over elements.
func (v *Variates) productKernel() *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: v.dims,
		Work: func(in []catalogue.Tensor) int { return v.Scratch() + catalogue.Elements(in) + 1 },
		Value: func(in []catalogue.Tensor, out, work []float64) error {
			p, err := v.product(in, nil, work)
			out[0] = p
			return err
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, work []float64) {
			n := catalogue.Elements(in)
			v.factors(n, in, work)
			v.productGradient(n, in, adj[0], din, work)
		},
		ValueGrad: func(in []catalogue.Tensor, din [][]float64, work []float64) (float64, error) {
			return v.product(in, din, work)
		},
	}
}

func (v *Variates) product(in []catalogue.Tensor, din [][]float64, work []float64) (float64, error) {
	n := catalogue.Elements(in)
	if err := v.Check(n, in, work); err != nil {
		return math.NaN(), err
	}
	p := v.factors(n, in, work)
	if wanted(din) {
		v.productGradient(n, in, 1, din, work)
	}
	return p, nil
}

// factors fills the part of work behind the driver's scratch with the products of
// the factors i, i+1, ..., n-1 (1 for i = n) and gives the product of all.
func (v *Variates) factors(n int, in []catalogue.Tensor, work []float64) float64 {
	x, after := work[:len(in)], work[v.Scratch():]
	after[n] = 1
	for i := n - 1; i >= 0; i-- {
		catalogue.Gather(in, i, x)
		after[i] = after[i+1] * v.Log(x, nil)
	}
	return after[0]
}

// productGradient adds adj times the gradient of the product. The factors before
// and after each one are multiplied, not divided out, so that zeros do no harm.
func (v *Variates) productGradient(n int, in []catalogue.Tensor, adj float64, din [][]float64, work []float64) {
	m := len(in)
	x, d, after := work[:m], work[m:2*m], work[v.Scratch():]
	clear(d)
	before := adj
	for i := range n {
		catalogue.Gather(in, i, x)
		p := v.Log(x, d)
		weight := before * after[i+1]
		for j := range din {
			switch {
			case din[j] == nil:
			case len(in[j].Dims) == 0:
				din[j][0] += float64(weight * d[j])
			default:
				din[j][i] += float64(weight * d[j])
			}
		}
		before *= p
	}
}
