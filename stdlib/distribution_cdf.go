// This file is the driver of _cdf functions, whose elements multiply.

package stdlib

import "math"

// productKernel is the kernel of a function that is a product over elements.
func (v *variates) productKernel() *Kernel {
	return &Kernel{
		Dims: v.dims,
		Work: func(in []Tensor) int { return v.scratch() + elements(in) + 1 },
		Value: func(in []Tensor, out, work []float64) error {
			p, err := v.product(in, nil, work)
			out[0] = p
			return err
		},
		VJP: func(in []Tensor, _, adj []float64, din [][]float64, work []float64) {
			n := elements(in)
			v.factors(n, in, work)
			v.productGradient(n, in, adj[0], din, work)
		},
		ValueGrad: func(in []Tensor, din [][]float64, work []float64) (float64, error) {
			return v.product(in, din, work)
		},
	}
}

func (v *variates) product(in []Tensor, din [][]float64, work []float64) (float64, error) {
	n := elements(in)
	if err := v.check(n, in, work); err != nil {
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
func (v *variates) factors(n int, in []Tensor, work []float64) float64 {
	x, after := work[:len(in)], work[v.scratch():]
	after[n] = 1
	for i := n - 1; i >= 0; i-- {
		gather(in, i, x)
		after[i] = after[i+1] * v.log(x, nil)
	}
	return after[0]
}

// productGradient adds adj times the gradient of the product. The factors before
// and after each one are multiplied, not divided out, so that zeros do no harm.
func (v *variates) productGradient(n int, in []Tensor, adj float64, din [][]float64, work []float64) {
	m := len(in)
	x, d, after := work[:m], work[m:2*m], work[v.scratch():]
	clear(d)
	before := adj
	for i := range n {
		gather(in, i, x)
		p := v.log(x, d)
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
