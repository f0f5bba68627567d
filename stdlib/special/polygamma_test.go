package special

import (
	"math"
	"testing"
)

// TestPsiDiffOfTinyArguments: digamma(x) is -1/x near 0, so that the difference is 1/a - 1/(a+b)
// to the digits of a number.
func TestPsiDiffOfTinyArguments(t *testing.T) {
	for _, a := range []float64{1e-8, 1e-100, 1e-154, 1e-160, 1e-200, 1e-300} {
		for _, ratio := range []float64{1e-5, 0.3, 1, 7, 1e5} {
			b := a * ratio
			want := ratio / (1 + ratio) / a
			if got := PsiDiff(a, b); !(math.Abs(got/want-1) < 1e-7) {
				t.Errorf("PsiDiff(%g, %g) is %g, want %g", a, b, got, want)
			}
		}
	}
}

// TestTetragammaOfNegativeArguments: the derivative of trigamma against differences, and no
// endless recurrence where x + 1 is x.
func TestTetragammaOfNegativeArguments(t *testing.T) {
	for _, x := range []float64{-0.3, -0.5, -1.7, -5.45, -30.2, -1e4 - 0.3} {
		const h = 1e-4
		want := (8*(Trigamma(x+h)-Trigamma(x-h)) - Trigamma(x+2*h) + Trigamma(x-2*h)) / (12 * h)
		if got := Tetragamma(x); !(math.Abs(got-want) <= 1e-6*(1+math.Abs(want))) {
			t.Errorf("Tetragamma(%g) is %g, differences give %g", x, got, want)
		}
	}
	for _, x := range []float64{-1, -1e300, math.Inf(-1)} {
		if got := Tetragamma(x); !math.IsNaN(got) {
			t.Errorf("Tetragamma(%g) is %g", x, got)
		}
	}
}
