package divergence_test

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/divergence"
)

// Integrals of members that are some 1e-10 standard deviations of the prior wide, or have a shape of
// 5e9, keep their digits. The values are A(a eta_q + b eta_pi) - a A(eta_q) - b A(eta_pi), A the log normaliser by
// natural parameters, and differences of it, in mpmath with 200 digits.
func TestNarrowMembers(t *testing.T) {
	nig := divergence.NewExponential(divergence.NormalInverseGamma{K: 2, Factor: 2, Power: 0.5}, []float64{1.125, 1.625, -20, -20, 2.25, 2.25})
	nig.Move([]float64{22.25, 21.75, 0.75, -1.25, -46, -30.5})
	normal := divergence.NewExponential(divergence.Normal{}, []float64{-3, 0.5})
	normal.Move([]float64{0.75, -25})
	for _, c := range []struct {
		name  string
		pair  divergence.Pair
		a, b  float64 // 0, 0: KL
		value float64
		grad  []float64
	}{
		{"normal-inverse-gamma", nig, 0.0625, 0.9375, -109.52085735366769,
			[]float64{-69.139822422612306, 68.671064231654984, -3.380445436792138, -3.0546193705950313, 0.46875, 0.46875000000252479}},
		{"normal-inverse-gamma", nig, 0.5, 0.5, -59.589478206325687,
			[]float64{-36.874576383681983, 36.624576092587093, -1.8029046346088574, -1.6291306939236566, 0.25, 0.25000000000008837}},
		{"normal-inverse-gamma", nig, 1.25, -0.0625, 16.255434255024677,
			[]float64{4.984322089480265, -4.8593220915163213, 0.22536308310262119, 0.20364134015297102, -0.125, -0.12499999999999928}},
		{"normal-inverse-gamma", nig, 0.75, 0, -11.583809786473572, []float64{-0.50000000008523809, 0.375, 0, 0, 0.125, 0.125}},
		{"normal-inverse-gamma", nig, 0, 0, 119.75839853681955,
			[]float64{73.749153399500559, -73.249153399798931, 3.6058093265967364, 3.2582614396958461, -0.5, -0.49999999999999701}},
		{"normal", normal, 0.0625, 0.9375, -24.944942189570769, []float64{-1.2933261603683519, 0.9375}},
		{"normal", normal, 0.5, 0.5, -13.696752570088379, []float64{-0.68977395219645435, 0.5}},
		{"normal", normal, 1.25, -0.0625, 6.159043019413063, []float64{0.086221744024556794, -0.25}},
		{"normal", normal, 0.75, 0, -5.8764243304729414, []float64{0, 0.25}},
		{"normal", normal, 0, 0, 27.586652320736704, []float64{1.3795479043929087, -1}},
	} {
		grad := make([]float64, len(c.grad))
		var v float64
		if c.a == 0 {
			v = c.pair.KL()
			c.pair.AddKL(1, grad)
		} else {
			v = c.pair.LogPower(c.a, c.b)
			c.pair.AddLogPower(c.a, c.b, 1, grad)
		}
		if math.Abs(v/c.value-1) > 1e-14 {
			t.Errorf("%s, a = %g, b = %g: %.17g, exactly %.17g", c.name, c.a, c.b, v, c.value)
		}
		for i, g := range grad {
			if math.Abs(g-c.grad[i]) > 1e-13*(1+math.Abs(c.grad[i])) {
				t.Errorf("%s, a = %g, b = %g, derivative %d: %.17g, exactly %.17g", c.name, c.a, c.b, i, g, c.grad[i])
			}
		}
	}
}
