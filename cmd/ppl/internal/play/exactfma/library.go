package math

// This file stands for the library where exact.go is not beside it: in its test.

import "math"

func fmaByIntegers(x, y, z float64) float64 { return math.FMA(x, y, z) }

// Abs is that of the library, as are the others.
func Abs(x float64) float64 { return math.Abs(x) }

// Float64bits is that of the library.
func Float64bits(x float64) uint64 { return math.Float64bits(x) }

// Float64frombits is that of the library.
func Float64frombits(b uint64) float64 { return math.Float64frombits(b) }
