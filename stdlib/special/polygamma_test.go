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
