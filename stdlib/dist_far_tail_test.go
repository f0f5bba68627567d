// Tails so far out that the probability itself is too small for a number.

package stdlib

import (
	"math"
	"testing"
)

// The wanted logarithms are the leading terms, beside which the rest is nothing.
func TestLogTailsBeyondNumbers(t *testing.T) {
	for _, c := range []struct {
		name  string
		args  []float64
		value float64
		grad  []float64
	}{
		{"gumbel_lccdf", []float64{532258, 474142, 1.20529}, -(532258 - 474142.0) / 1.20529,
			[]float64{-1 / 1.20529, 1 / 1.20529, (532258 - 474142.0) / (1.20529 * 1.20529)}},
		{"weibull_lcdf", []float64{1e-200, 3, 1}, 3 * math.Log(1e-200), []float64{3e200, math.Log(1e-200), -3}},
		{"frechet_lccdf", []float64{1e200, 3, 1}, -3 * math.Log(1e200), []float64{-3e-200, -math.Log(1e200), 3}},
	} {
		if got := callScalar(t, c.name, c.args...); !close1(got, c.value, 1e-14) {
			t.Errorf("%s%v is %v, not %v", c.name, c.args, got, c.value)
		}
		k := densityRow(c.name).Kernel
		in := scalars(c.args...)
		grad := make([][]float64, len(in))
		for i := range grad {
			grad[i] = make([]float64, 1)
		}
		if _, err := k.ValueGrad(in, grad, make([]float64, k.Work(in))); err != nil {
			t.Fatal(err)
		}
		for i, want := range c.grad {
			if !close1(grad[i][0], want, 1e-13) {
				t.Errorf("derivative %d of %s%v is %v, not %v", i, c.name, c.args, grad[i][0], want)
			}
		}
	}
}
