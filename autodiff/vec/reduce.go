// Sums and dot products, as a machine with 8 accumulators gives them.

package vec

import (
	"math"
	"unsafe"
)

// Sum adds the elements: element i to accumulator i mod 8, each from 0 on and in order;
// then accumulators 4 apart, 2 apart, 1 apart.
func Sum(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	return sum(&x[0], len(x))
}

// Dot adds the products of elements in the order of Sum, each addition being one FMA.
// Panics if y is shorter than x.
func Dot(x, y []float64) float64 {
	y = y[:len(x)]
	if len(x) == 0 {
		return 0
	}
	return dot(&x[0], &y[0], len(x))
}

func sumPortable(x *float64, n int) float64 {
	var acc [8]float64
	xs := unsafe.Slice(x, n)
	for len(xs) >= 8 {
		for j := range acc {
			acc[j] += xs[j]
		}
		xs = xs[8:]
	}
	for j, v := range xs {
		acc[j] += v
	}
	return fold(&acc)
}

func dotPortable(x, y *float64, n int) float64 {
	var acc [8]float64
	xs, ys := unsafe.Slice(x, n), unsafe.Slice(y, n)
	for len(xs) >= 8 {
		for j := range acc {
			acc[j] = math.FMA(xs[j], ys[j], acc[j])
		}
		xs, ys = xs[8:], ys[8:]
	}
	for j, v := range xs {
		acc[j] = math.FMA(v, ys[j], acc[j])
	}
	return fold(&acc)
}

// fold adds the accumulators.
func fold(acc *[8]float64) float64 {
	a, b := acc[0]+acc[4], acc[1]+acc[5]
	c, d := acc[2]+acc[6], acc[3]+acc[7]
	return (a + c) + (b + d)
}
