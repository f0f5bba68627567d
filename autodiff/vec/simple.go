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

// axpy is one element of AddScaled.
func axpy(a, x, y float64) float64 { return math.FMA(a, x, y) }
