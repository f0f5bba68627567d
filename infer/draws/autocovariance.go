// This file computes autocovariances.

package draws

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

// transform returns the autocovariances at all lags by way of the power spectrum. Two chains are
// transformed at a time, as real and imaginary parts: the sum of their spectra is the even part of the
// spectrum of both.
func (a *autocovariances) transform() []float64 {
	n := len(a.centred[0])
	size := 2 // with padding, so that the ends do not meet
	for size < 2*n {
		size *= 2
	}
	f := newFourier(size)
	re, im, power := make([]float64, size), make([]float64, size), make([]float64, size)
	for c := 0; c < len(a.centred); c += 2 {
		clear(re[copy(re, a.centred[c]):])
		clear(im)
		if c+1 < len(a.centred) {
			copy(im, a.centred[c+1])
		}
		f.transform(re, im)
		for k := range power {
			power[k] += float64(re[k]*re[k]) + float64(im[k]*im[k])
		}
	}
	clear(im)
	for k := range re {
		re[k] = (power[k] + power[(size-k)%size]) / 2
	}
	f.transform(re, im)
	scale := 1 / (float64(size) * float64(n) * float64(len(a.centred)))
	for i := range re[:n] {
		re[i] *= scale
	}
	return re[:n]
}
