// Log masses of many outcomes at once.

package vec

import "unsafe"

// factors is how many terms are multiplied in one accumulator before the logarithm is
// taken: each is at most 2.
const factors = 1000

// BernoulliLogit returns the log mass of outcomes y, 0 or 1, with log odds eta, and sets
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
