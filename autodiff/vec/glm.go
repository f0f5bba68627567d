// Log masses of many outcomes at once.

package vec

import "unsafe"

// factors is how many terms are multiplied in one accumulator before the logarithm is
// taken: each is at most 2.
const factors = 1000

// BernoulliLogit gives the log mass of outcomes y, 0 or 1, with log odds eta, and sets
// slope to its derivative in eta. The logarithms of 1 + e^-|eta| are taken of products,
// which lie in the accumulators of Sum. Panics if eta or slope is shorter than y.
func BernoulliLogit(slope, y, eta []float64) float64 {
	slope, eta = slope[:len(y)], eta[:len(y)]
	total := 0.0
	for len(y) > 0 {
		n := min(len(y), 8*factors)
		acc := [16]float64{8: 1, 1, 1, 1, 1, 1, 1, 1}
		bernoulli(&slope[0], &y[0], &eta[0], n, &acc[0])
		logs := acc[8:]
		for i, v := range logs {
			logs[i] = log(v)
		}
		low, high := [8]float64(acc[:8]), [8]float64(logs)
		total += fold(&low) - fold(&high)
		slope, y, eta = slope[n:], y[n:], eta[n:]
	}
	return total
}

func bernoulliPortable(slope, y, eta *float64, n int, acc *float64) {
	s, ys, es := unsafe.Slice(slope, n), unsafe.Slice(y, n), unsafe.Slice(eta, n)
	sums := unsafe.Slice(acc, 16)
	for i := range s {
		d, low, factor := bernoulliLogit(ys[i], es[i])
		s[i] = d
		sums[i%8] += low
		sums[8+i%8] *= factor
	}
}

// PowerTerms is the sum over one term a standardised variate z of densities that are
// powers of 1 + w with w = z*z*inv: it sets slope to power*z/(1+w) and gives the sums of
// log(1+w) and of w/(1+w). The elements of z are below 1e150 in size. Panics if z is
// shorter than slope.
func PowerTerms(slope, z []float64, inv, power float64) (log1, ratio float64) {
	z = z[:len(slope)]
	for len(z) > 0 {
		n := min(len(z), 8*factors)
		acc := [24]float64{8: 1, 1, 1, 1, 1, 1, 1, 1}
		powerTerms(&slope[0], &z[0], &inv, &power, n, &acc[0])
		ratio += fold((*[8]float64)(acc[:8]))
		log1 += logOf((*[8]float64)(acc[8:16]), (*[8]float64)(acc[16:]))
		slope, z = slope[n:], z[n:]
	}
	return log1, ratio
}

func powerTermsPortable(slope, z, inv, power *float64, n int, acc *float64) {
	out, zs := unsafe.Slice(slope, n), unsafe.Slice(z, n)
	sums := unsafe.Slice(acc, 24)
	for i := range out {
		s, ratio, factor, exponent := powerTerm(zs[i], *inv, *power)
		out[i] = s
		sums[i%8] += ratio
		sums[8+i%8] *= factor
		sums[16+i%8] += exponent
	}
}
