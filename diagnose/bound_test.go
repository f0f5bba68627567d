package diagnose

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/stdlib/special"
)

// The bound is one, on either side, by the incomplete gamma functions themselves.
func TestGammaBound(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		shape := 0.1 + 30*r.Float64()
		above, below := shape*(1+3*r.Float64()), shape*r.Float64()
		const rounding = 1e-12
		if q, b := special.IncGamma(shape, above).Q, gammaBound(shape, above); !(q <= b+rounding) {
			t.Errorf("P(gamma(%g) > %g) = %g exceeds %g", shape, above, q, b)
		}
		if p, b := special.IncGamma(shape, below).P, gammaBound(shape, below); !(p <= b+rounding) {
			t.Errorf("P(gamma(%g) < %g) = %g exceeds %g", shape, below, p, b)
		}
	}
}
