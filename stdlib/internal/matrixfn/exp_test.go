// Matrix exponentials against rotations, of which exp and its derivative have a closed form.

package matrixfn

import (
	"math"
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
