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

// SumLog returns the sum of the logarithms of the elements, from their product: it costs a
// multiplication an element. What is not a positive normal number gives what the sum of
// logarithms gives.
func SumLog(x []float64) float64 {
	if !Within(x, minNormal, math.MaxFloat64) {
		total := 0.0
		for _, v := range x {
			total += log(v)
		}
		return total
	}
	total := 0.0
	for len(x) > 0 {
		n := min(len(x), 8*factors)
		acc := [16]float64{1, 1, 1, 1, 1, 1, 1, 1}
		splitLogs(&x[0], n, &acc[0])
		total += logOf((*[8]float64)(acc[:8]), (*[8]float64)(acc[8:]))
		x = x[n:]
	}
	return total
}

// logOf is the logarithm of what accumulators of splitLog hold.
func logOf(product, exponent *[8]float64) float64 {
	// The greatest product of 1000 factors below sqrt(2) is 2^500, so two fit a number.
	low := log(product[0]*product[4]) + log(product[2]*product[6])
	high := log(product[1]*product[5]) + log(product[3]*product[7])
	return math.FMA(fold(exponent), math.Ln2, low+high)
}

// AddSegments adds the sums of consecutive segments of x to elements of out: segment s,
// which ends before x[ends[s]], to out[at[s]], each in the order of Sum. Segments are
// not empty; at and ends are trusted.
func AddSegments(out []float64, at, ends []int32, x []float64) {
	if len(at) > 0 {
		segments(&out[0], &at[0], &ends[0], len(at), &x[0])
	}
}

// logOfFew is logOf for n factors in all.
func logOfFew(product, exponent *[8]float64, n int) float64 {
	if n > factors {
		return logOf(product, exponent)
	}
	p := product
	all := (float64(p[0]*p[4]) * float64(p[2]*p[6])) * (float64(p[1]*p[5]) * float64(p[3]*p[7]))
	return math.FMA(fold(exponent), math.Ln2, log(all))
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

func splitLogsPortable(x *float64, n int, acc *float64) {
	sums := unsafe.Slice(acc, 16)
	for i, v := range unsafe.Slice(x, n) {
		factor, exponent := splitLog(v)
		sums[i%8] *= factor
		sums[8+i%8] += exponent
	}
}

func segmentsPortable(out *float64, at, ends *int32, count int, x *float64) {
	places, stops := unsafe.Slice(at, count), unsafe.Slice(ends, count)
	xs := unsafe.Slice(x, stops[count-1])
	start := int32(0)
	for s, end := range stops {
		place := (*float64)(unsafe.Add(unsafe.Pointer(out), 8*int(places[s])))
		*place += sumPortable(&xs[start], int(end-start))
		start = end
	}
}
