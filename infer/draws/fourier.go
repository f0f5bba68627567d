// This file is the fast Fourier transform.

package draws

import (
	"math"
	"math/bits"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// A fourier transforms sequences of n complex numbers, n a power of two, in place: element k becomes the
// sum of x[j] exp(-2 pi i j k/n). Real and imaginary parts are apart, so that products are rounded by
// themselves, as complex ones are not on some processors.
type fourier struct {
	n        int
	cos, sin []float64 // of 2 pi j/n for j below n/2
}

func newFourier(n int) *fourier {
	f := &fourier{n: n, cos: make([]float64, n/2), sin: make([]float64, n/2)}
	for j := range f.cos {
		f.sin[j], f.cos[j] = libm.Sincos(2 * math.Pi * float64(j) / float64(n))
	}
	return f
}

// transform does it, in two halves of bit-reversed order at first and then in ever larger parts (Cooley
// and Tukey 1965).
func (f *fourier) transform(re, im []float64) {
	re, im = re[:f.n], im[:f.n]
	shift := 64 - bits.Len(uint(f.n-1))
	for i := range re {
		if j := int(bits.Reverse64(uint64(i)) >> shift); f.n > 1 && j > i {
			re[i], re[j], im[i], im[j] = re[j], re[i], im[j], im[i]
		}
	}
	for half := 1; half < f.n; half *= 2 {
		stride := f.n / (2 * half)
		for from := 0; from < f.n; from += 2 * half {
			f.butterflies(re[from:from+half], im[from:from+half], re[from+half:from+2*half], im[from+half:from+2*half], stride)
		}
	}
}

// butterflies joins the transforms of two parts to that of both.
func (f *fourier) butterflies(ar, ai, br, bi []float64, stride int) {
	ai, br, bi = ai[:len(ar)], br[:len(ar)], bi[:len(ar)]
	for k := range ar {
		c, s := f.cos[k*stride], f.sin[k*stride]
		tr := float64(br[k]*c) + float64(bi[k]*s)
		ti := float64(bi[k]*c) - float64(br[k]*s)
		ar[k], br[k] = ar[k]+tr, ar[k]-tr
		ai[k], bi[k] = ai[k]+ti, ai[k]-ti
	}
}
