package gibbsprior

import (
	"math"
	"testing"
)

// By hand: points 0, 1 and 3, 7 on a line, distances between them 3, 7, 2, 6, within 1 and 4;
// the mean within each minus twice that between: 1 + 4 - 2*18/4 = -4.
func TestContrast(t *testing.T) {
	x := []float64{0, 3, 1, 7}
	p := newPairwise(len(x))
	for i := range x {
		for j := range i {
			p.set(i, j, math.Abs(x[i]-x[j]))
		}
	}
	if got := p.contrast([]int{0, 2}); math.Abs(got+4) > 1e-12 {
		t.Errorf("%g", got)
	}
}
