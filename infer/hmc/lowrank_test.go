package hmc

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Of a normal target gradients and positions are one, whatever the scales and however few
// positions there are; of one whose scale is itself random they are not: with log scale v
// and x of scale e^v, the gradient of x is -x/e^2v.
func TestMisfitTellsBentTargets(t *testing.T) {
	r := rand.New(rand.NewChaCha8([32]byte{3}))
	for _, bent := range []bool{false, true} {
		var q, g [][]float64
		for range 80 {
			v, x := 1.5*r.NormFloat64(), r.NormFloat64()
			if bent {
				s := math.Exp(v)
				q, g = append(q, []float64{v, s * x}), append(g, []float64{-v/2.25 - 1 + x*x, -x / s})
				continue
			}
			a, b := v, 0.9*v+0.1*x // correlated, of precision [[1/2.25 + 81, -90], [-90, 100]]
			q, g = append(q, []float64{a, b}), append(g, []float64{-(1/2.25+81)*a + 90*b, 90*a - 100*b})
		}
		scale2 := []float64{1, 1}
		_, _, misfit := estimateLowRank(q, g, scale2)
		if bent != (misfit > mostMisfit) || !bent && misfit > 0.01 {
			t.Errorf("bent %v: misfit %.3g, bound %g", bent, misfit, mostMisfit)
		}
	}
}
