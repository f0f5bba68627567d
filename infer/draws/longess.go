// This file has R-hat and effective sample size of long columns, half a chain at a time.

package draws

import "math"

// chainMoments are what R-hat and effective sample size of a function of a column need.
type chainMoments struct {
	column     *long
	of         func(x []float64) // what is applied to the draws
	means      []float64         // of the halves of chains
	variances  []float64
	acov       []float64 // autocovariances, averaged over the halves, at the first lags
	isConstant bool
}

func (l *long) chainMoments(of func(x []float64)) *chainMoments {
	m := &chainMoments{column: l, of: of, acov: make([]float64, min(directLags, len(l.half)))}
	lo, hi := math.Inf(1), math.Inf(-1)
	l.halves(of, func(_ int, x []float64) {
		low, high := centred(x, &m.means, &m.variances)
		lo, hi = min(lo, low), max(hi, high)
		const block = 1 << 12 // that stays in the fastest memory while all lags are taken
		for i := 0; i < len(x); i += block {
			for lag := range m.acov {
				if end := min(i+block, len(x)-lag); i < end {
					m.acov[lag] += product(x[i:end], x[i+lag:])
				}
			}
		}
	})
	m.isConstant = !varied(lo, hi)
	m.average(m.acov)
	return m
}

// centred subtracts the mean, and adds mean and variance to the lists. It returns the range.
func centred(x []float64, means, variances *[]float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	mean := Mean([][]float64{x})
	sd := SD([][]float64{x})
	for i, v := range x {
		lo, hi = min(lo, v), max(hi, v)
		x[i] = v - mean
	}
	*means, *variances = append(*means, mean), append(*variances, float64(sd*sd))
	return lo, hi
}

func (m *chainMoments) average(acov []float64) {
	for i := range acov {
		acov[i] /= float64(len(m.means) * len(m.column.half))
	}
}

func (m *chainMoments) rhat() float64 {
	if m.isConstant {
		return math.NaN()
	}
	return rhatOf(len(m.column.half), m.means, m.variances)
}

func (m *chainMoments) ess() float64 {
	if m.isConstant {
		return math.NaN()
	}
	return essOf(len(m.column.half), m.means, m.at)
}

// at is the autocovariance at a lag. Where those at hand do not suffice, the draws are read again for many more.
func (m *chainMoments) at(lag int) float64 {
	if lag >= len(m.acov) {
		size := 1 << 12
		for size <= lag {
			size *= 16
		}
		m.acov = m.sections(size)
	}
	return m.acov[lag]
}

// sections returns the autocovariances at lags below size, a power of two: of each section of so many draws with itself
// and the next one, by their cross spectrum.
func (m *chainMoments) sections(size int) []float64 {
	f := newFourier(2 * size)
	re, im := make([]float64, 2*size), make([]float64, 2*size)
	crossRe, crossIm := make([]float64, 2*size), make([]float64, 2*size)
	var means, variances []float64
	m.column.halves(m.of, func(_ int, x []float64) {
		centred(x, &means, &variances)
		for i := 0; i < len(x); i += size {
			clear(re[copy(re, x[i:min(i+size, len(x))]):])
			clear(im[copy(im, x[i:min(i+2*size, len(x))]):])
			f.transform(re, im)
			for k := range re {
				addCross(re, im, k, crossRe, crossIm)
			}
		}
	})
	f.transform(crossRe, crossIm)
	out := crossRe[:min(size, len(m.column.half))]
	for i := range out {
		out[i] /= float64(2 * size)
	}
	m.average(out)
	return out
}

// addCross adds the cross spectrum A(k) conj(B(k)) of two real sequences that were transformed as real and imaginary
// parts of one: A is the part whose values at k and -k are conjugate, i B the other one.
func addCross(re, im []float64, k int, crossRe, crossIm []float64) {
	j := (len(re) - k) % len(re)
	aRe, aIm := (re[k]+re[j])/2, (im[k]-im[j])/2
	bRe, bIm := (im[k]+im[j])/2, (re[j]-re[k])/2
	crossRe[k] += float64(aRe*bRe) + float64(aIm*bIm)
	crossIm[k] += float64(aIm*bRe) - float64(aRe*bIm)
}
