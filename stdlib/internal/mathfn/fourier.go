// This file holds the discrete Fourier transforms.

package mathfn

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/libm/cmplx"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

func fourierFunctions() []*catalogue.Function {
	row := func(name, doc, t string, sign float64, k *catalogue.Kernel) *catalogue.Function {
		return &catalogue.Function{Name: name, Signatures: []string{catalogue.Signature(t, name, t+" x")}, Doc: doc, Section: catalogue.SectionCMatrix, Kernel: k}
	}
	return []*catalogue.Function{
		row("fft", "the discrete Fourier transform", "complex_vector", -1, fourierKernel(-1)),
		row("inv_fft", "the inverse discrete Fourier transform", "complex_vector", 1, fourierKernel(1)),
		row("fft2", "the Fourier transform of the columns and then the rows", "complex_matrix", -1, fourierKernel(-1)),
		row("inv_fft2", "the inverse of fft2", "complex_matrix", 1, fourierKernel(1)),
	}
}

// fourierKernel transforms a vector, or a matrix along both indices. Sign -1 is the
// transform; sign 1 the inverse, which divides by the number of elements. The
// adjoint of either is the transform of the other sign without that division moved.
func fourierKernel(sign float64) *catalogue.Kernel {
	work := func(in []catalogue.Tensor) int {
		n := 0
		for _, d := range in[0].Dims {
			n = max(n, d)
		}
		return len(in[0].X) + fourierWork(n)
	}
	apply := func(dims []int, x []float64, sign float64, divide bool, work []float64) {
		rows := dims[0]
		for k := 0; rows > 0 && k < len(x)/2; k += rows {
			fourier(Pairs(x[2*k:2*(k+rows)]), 1, rows, sign, work)
		}
		if len(dims) == 2 {
			for i := range rows {
				fourier(Pairs(x[2*i:]), rows, dims[1], sign, work)
			}
		}
		if divide {
			scale := 1 / float64(len(x)/2)
			for i := range x {
				x[i] *= scale
			}
		}
	}
	return &catalogue.Kernel{
		Dims: catalogue.SameDims,
		Work: work,
		Value: func(in []catalogue.Tensor, out, work []float64) error {
			copy(out, in[0].X)
			apply(in[0].Dims, out, sign, sign > 0, work)
			return nil
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, work []float64) {
			if din[0] == nil {
				return
			}
			d := work[:len(adj)]
			copy(d, adj)
			apply(in[0].Dims, d, -sign, sign > 0, work[len(adj):])
			addScaled(din[0], 1, d)
		},
	}
}

// fourierWork is how many scratch numbers a transform of n elements needs.
func fourierWork(n int) int {
	if n&(n-1) == 0 {
		return 2 * n
	}
	return 2*n + 4*convolutionSize(n)
}

// convolutionSize is the power of two that Bluestein's convolution of n elements needs.
func convolutionSize(n int) int {
	m := 1
	for m < 2*n-1 {
		m *= 2
	}
	return m
}

// fourier transforms n elements that lie stride apart: x[j] becomes the sum over k of
// x[k] exp(sign 2 pi i j k / n). Powers of two go by Cooley and Tukey's method, other
// sizes by Bluestein's (a convolution of power-of-two size).
func fourier(x Pairs, stride, n int, sign float64, work []float64) {
	if n <= 1 {
		return
	}
	buf := Pairs(work[:2*n])
	for k := range n {
		buf.Set(k, x.At(k*stride))
	}
	if n&(n-1) == 0 {
		powerOfTwo(buf, n, sign)
	} else {
		bluestein(buf, n, sign, work[2*n:])
	}
	for k := range n {
		x.Set(k*stride, buf.At(k))
	}
}

// unitRoot is exp(sign 2 pi i k / n).
func unitRoot(k, n int, sign float64) complex128 {
	s, c := libm.Sincos(2 * math.Pi * float64(k) / float64(n))
	return complex(c, sign*s)
}

// powerOfTwo transforms in place.
func powerOfTwo(x Pairs, n int, sign float64) {
	for i, j := 1, 0; i < n; i++ { // bit reversal
		bit := n >> 1
		for ; j&bit != 0; bit >>= 1 {
			j ^= bit
		}
		if j ^= bit; i < j {
			a, b := x.At(i), x.At(j)
			x.Set(i, b)
			x.Set(j, a)
		}
	}
	for size := 2; size <= n; size *= 2 {
		for k := range size / 2 {
			w := unitRoot(k, size, sign)
			for i := k; i < n; i += size {
				a, b := x.At(i), cmplx.Mul(x.At(i+size/2), w)
				x.Set(i, a+b)
				x.Set(i+size/2, a-b)
			}
		}
	}
}

// bluestein writes jk as (j^2 + k^2 - (j-k)^2)/2, which makes the transform a
// convolution with a chirp.
func bluestein(x Pairs, n int, sign float64, work []float64) {
	m := convolutionSize(n)
	clear(work[:4*m])
	a, b := Pairs(work[:2*m]), Pairs(work[2*m:4*m])
	chirp := func(k int) complex128 { return unitRoot(k*k%(2*n), 2*n, sign) }
	for k := range n {
		w := chirp(k)
		a.Set(k, cmplx.Mul(x.At(k), w))
		b.Set(k, complex(real(w), -imag(w)))
		if k > 0 {
			b.Set(m-k, b.At(k))
		}
	}
	powerOfTwo(a, m, -1)
	powerOfTwo(b, m, -1)
	for k := range m {
		a.Set(k, cmplx.Mul(a.At(k), b.At(k)))
	}
	powerOfTwo(a, m, 1)
	scale := complex(1/float64(m), 0)
	for k := range n {
		x.Set(k, cmplx.Mul(cmplx.Mul(a.At(k), chirp(k)), scale))
	}
}
