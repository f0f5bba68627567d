package special

import (
	"math"
	"testing"
)

// TestPsiEnds: below zero, where adding one may not change the argument, Psi and what is made of it return NaN.
func TestPsiEnds(t *testing.T) {
	for _, x := range []float64{-1e-300, -0.5, -3, -1e17, -1e300, math.Inf(-1)} {
		if v := Psi(x); v == v {
			t.Errorf("Psi(%g) is %v", x, v)
		}
		if _, d := LgammaHalf(x); d == d {
			t.Errorf("the derivative of LgammaHalf(%g) is %v", x, d)
		}
	}
}
