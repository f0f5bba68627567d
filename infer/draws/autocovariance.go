// This file computes autocovariances.

package draws

import "gonum.org/v1/gonum/dsp/fourier"

// directLags is the number of lags whose products are summed one by one: chains that mix
// need no more. From there on a Fourier transform gives all at once.
const directLags = 32

// An autocovariances value gives the autocovariances of chains of one length, with divisor n,
// averaged over the chains.
type autocovariances struct {
	centred [][]float64
	all     []float64 // nil until a long lag is asked for
}

func newAutocovariances(x [][]float64, means []float64) *autocovariances {
	n := len(x[0])
	block := make([]float64, len(x)*n)
	a := &autocovariances{centred: make([][]float64, len(x))}
	for i, c := range x {
		centred := block[i*n:][:n]
		for j, v := range c {
			centred[j] = v - means[i]
		}
		a.centred[i] = centred
	}
	return a
}

// at is the autocovariance at a lag below the length of the chains.
func (a *autocovariances) at(lag int) float64 {
	if lag >= directLags && a.all == nil {
		a.all = a.transform()
	}
	if a.all != nil {
		return a.all[lag]
	}
	sum := 0.0
	for _, c := range a.centred {
		sum += product(c[:len(c)-lag], c[lag:])
	}
	return sum / float64(len(a.centred)*len(a.centred[0]))
}

// product is the sum of the products of elements, in four parts that do not wait for one
// another.
func product(x, y []float64) float64 {
	var a, b, c, d float64
	y = y[:len(x)]
	i := 0
	for ; i+4 <= len(x); i += 4 {
		u, v := x[i:i+4:i+4], y[i:i+4:i+4]
		a += float64(u[0] * v[0])
		b += float64(u[1] * v[1])
		c += float64(u[2] * v[2])
		d += float64(u[3] * v[3])
	}
	for ; i < len(x); i++ {
		a += float64(x[i] * y[i])
	}
	return (a + b) + (c + d)
}

// transform returns the autocovariances at all lags by way of the power spectrum.
func (a *autocovariances) transform() []float64 {
	n := len(a.centred[0])
	size := 2 * smooth(n) // padding, so that the ends do not meet
	fft := fourier.NewFFT(size)
	seq := make([]float64, size)
	coef := make([]complex128, size/2+1)
	power := make([]complex128, size/2+1)
	for _, c := range a.centred {
		copy(seq, c)
		clear(seq[n:])
		for i, z := range fft.Coefficients(coef, seq) {
			power[i] += complex(float64(real(z)*real(z))+float64(imag(z)*imag(z)), 0)
		}
	}
	fft.Sequence(seq, power) // unnormalised: times size
	scale := 1 / (float64(size) * float64(n) * float64(len(a.centred)))
	for i := range seq[:n] {
		seq[i] *= scale
	}
	return seq[:n]
}

// smooth is the next number from n that has no prime factors beyond 5.
func smooth(n int) int {
	for ; ; n++ {
		m := n
		for _, p := range [...]int{2, 3, 5} {
			for m%p == 0 {
				m /= p
			}
		}
		if m == 1 {
			return n
		}
	}
}
