// Matrix exponentials against rotations, of which exp and its derivative have a closed form.

package matrixfn

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestExponentialOfRotations: exp of t [0 -1; 1 0] turns by t, at angles for which each degree of approximant serves, and
// its derivative by t is a rotation by t + pi/2. A third coordinate, exp(s), goes along.
func TestExponentialOfRotations(t *testing.T) {
	for _, angle := range []float64{0, 0.003, 0.1, 0.6, 1.5, 4, 20, -90} {
		const s = 0.5
		sin, cos := math.Sincos(angle)
		a := []float64{0, angle, 0, -angle, 0, 0, 0, 0, s * angle}
		work := make([]float64, 9+expAdjointWork(3))
		var e, bar [9]float64
		expMatrix(3, a, e[:], work)
		want := [9]float64{cos, sin, 0, -sin, cos, 0, 0, 0, math.Exp(s * angle)}
		// By angle, of the sum of w times the elements.
		w := [9]float64{0.3, -1, 0, 2, 0.7, 0, 0, 0, 0.4}
		expAdjoint(3, a, w[:], bar[:], work)
		got, slope := bar[1]-bar[3]+s*bar[8], -w[0]*sin+w[1]*cos-w[3]*cos-w[4]*sin+w[8]*s*want[8]
		for i, v := range e {
			if scale := 1 + math.Abs(want[8]); !(math.Abs(v-want[i]) < 1e-13*scale) {
				t.Errorf("angle %v, element %d: %v, not %v", angle, i, v, want[i])
			}
		}
		if scale := 1 + math.Abs(want[8]); !(math.Abs(got-slope) < 4e-13*scale) {
			t.Errorf("angle %v, derivative: %v, not %v", angle, got, slope)
		}
	}
}

// TestExponentialOfTwo: 2 by 2 matrices and their derivatives beside the approximants, as a block of a 3 by 3 matrix, with
// eigenvalues that are real, equal or complex; probabilities of rate matrices are positive to the last digits.
func TestExponentialOfTwo(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	for i := range 2000 {
		var a, g [4]float64
		size := math.Exp(1.3 * rng.NormFloat64())
		for k := range a {
			a[k], g[k] = size*rng.NormFloat64(), rng.NormFloat64()
		}
		switch i % 4 {
		case 1: // nearly equal eigenvalues
			a[3], a[1] = a[0]*(1+1e-9*rng.NormFloat64()), 1e-8*a[1]
		case 2:
			a[1], a[2] = 0, a[2]*float64(i%8/4)
		case 3: // rates
			a[0], a[1], a[2], a[3] = -math.Abs(a[0]), math.Abs(a[0]), math.Abs(a[3]), -math.Abs(a[3])
		}
		big := func(x [4]float64) []float64 { return []float64{x[0], x[1], 0, x[2], x[3], 0, 0, 0, 0} }
		work := make([]float64, 9+expAdjointWork(3))
		e, want, bar, slope := make([]float64, 4), make([]float64, 9), make([]float64, 4), make([]float64, 9)
		expMatrix(2, a[:], e, work)
		expMatrix(3, big(a), want, work)
		expAdjoint(2, a[:], g[:], bar, work)
		expAdjoint(3, big(a), big(g), slope, work)
		norm, rate := 0.0, 0.0
		for _, v := range want {
			norm = math.Max(norm, math.Abs(v))
		}
		for _, v := range slope {
			rate = math.Max(rate, math.Abs(v))
		}
		tol := 1e-14 * (30 + math.Abs(a[0]) + math.Abs(a[1]) + math.Abs(a[2]) + math.Abs(a[3]))
		for k, at := range []int{0, 1, 3, 4} {
			if !(math.Abs(e[k]-want[at]) <= tol*norm) && norm < 1e100 {
				t.Errorf("exp(%v): element %d is %v, not %v", a, k, e[k], want[at])
			}
			if !(math.Abs(bar[k]-slope[at]) <= 100*tol*rate) && rate < 1e100 {
				t.Errorf("derivative of exp(%v): element %d is %v, not %v", a, k, bar[k], slope[at])
			}
		}
	}
	var e [4]float64
	expMatrix(2, []float64{-50, 50, 1e-18, -1e-18}, e[:], make([]float64, 4+expWork(2)))
	// the probability of the first state is b/(a+b) + a/(a+b) exp(-(a+b)) for rates a = 50 and b = 1e-18
	if want := 1e-18/50 + math.Exp(-50); math.Abs(e[0]/want-1) > 1e-13 {
		t.Errorf("a small probability is %v, not %v", e[0], want)
	}
}
