// The error function, its complement and its inverse.

package libm

import "github.com/seed-12b88e03/ppl/autodiff/vec"

// Erf returns the error function, within 2 units in the last place.
func Erf(x float64) float64 { return vec.ErfOf(x) }

// Erfc returns 1 - Erf(x), within 5 units in the last place where that is a normal number.
func Erfc(x float64) float64 { return vec.ErfcOf(x) }

// Erfinv returns the number whose error function is x, within 4 units in the last place.
func Erfinv(x float64) float64 { return vec.ErfInvOf(x) }
