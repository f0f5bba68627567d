// The functions that the processor has instructions for.

package vec

import "math"

func sqrt(x float64) float64   { return math.Sqrt(x) }
func inv(x float64) float64    { return 1 / x }
func neg(x float64) float64    { return -x }
func square(x float64) float64 { return x * x }
func add(x, y float64) float64 { return x + y }
func sub(x, y float64) float64 { return x - y }
func mul(x, y float64) float64 { return x * y }
func div(x, y float64) float64 { return x / y }

// shift is what exponentials of x and y are scaled by before they are added.
func shift(x, y float64) float64 {
	if y > x {
		x = y
	}
	if x-x != 0 { // infinite or NaN
		x = 0
	}
	return x
}

// larger is the larger number, or the number beside NaN.
func larger(x, y float64) float64 {
	if y > x {
		x = y
	}
	if x != x {
		x = y
	}
	return x
}

// smaller is the smaller number, or the number beside NaN.
func smaller(x, y float64) float64 {
	if y < x {
		x = y
	}
	if x != x {
		x = y
	}
	return x
}

// equal is 1 for equal numbers, else 0.
func equal(x, y float64) float64 {
	e := 0.0
	if x == y {
		e = 1.0
	}
	return e
}

// axpy is one element of AddScaled.
func axpy(a, x, y float64) float64 { return math.FMA(a, x, y) }
