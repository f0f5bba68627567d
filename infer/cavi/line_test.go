package cavi

import (
	"math"
	"testing"
)

// TestEdges: where the support ends with density left, the integral is that of the closed form,
// whatever the start, and few evaluations suffice.
func TestEdges(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name   string
		lo, hi float64
		f      func(u float64) float64
		logZ   float64
	}{
		{"exponential", 1.7, inf, func(u float64) float64 { return -12 * u }, -12*1.7 - math.Log(12)},
		{"power", 0.3, inf, func(u float64) float64 { return -4 * math.Log(u) }, -3*math.Log(0.3) - math.Log(3)},
		{"uniform", -2, 5, func(u float64) float64 { return 0 }, math.Log(7)},
		{"rising", -inf, 0.4, func(u float64) float64 { return 3 * u }, 1.2 - math.Log(3)},
		{"half normal", 0, inf, func(u float64) float64 { return -u * u / 2 }, math.Log(math.Pi/2) / 2},
		{"tail of a normal", 2, inf, func(u float64) float64 { return -u * u / 2 }, math.Log(math.Sqrt(math.Pi/2) * math.Erfc(math.Sqrt2))},
	} {
		for _, start := range []struct{ at, scale float64 }{{0, 1}, {2.5, 0.3}, {-1, 7}} {
			count := 0
			l, err := integrate(func(u float64) (float64, error) {
				if count++; u < c.lo || u > c.hi {
					return math.Inf(-1), nil
				}
				return c.f(u), nil
			}, start.at, start.scale)
			if err != nil {
				t.Fatalf("%s from %v: %v", c.name, start, err)
			}
			if math.Abs(l.logZ-c.logZ) > 1e-9 || count > 5000 {
				t.Errorf("%s from %v: %.12g after %d evaluations, want %.12g", c.name, start, l.logZ, count, c.logZ)
			}
			p := newPieces(l, finePanels)
			for _, u := range []float64{c.lo - 1e-6, c.hi + 1e-6} {
				if !math.IsInf(u, 0) && !math.IsInf(p.logDensity([]float64{u}, nil), -1) {
					t.Errorf("%s: there is density at %g, beyond the edge", c.name, u)
				}
			}
			if top := p.cum[len(p.cum)-1]; math.Abs(top-1) > 1e-12 || p.cum[0] > 1e-6 {
				t.Errorf("%s: probability %g below the first point, %g in all", c.name, p.cum[0], top)
			}
		}
	}
}
