// Mixtures whose proportions are made of logits.

package bind_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// The density and its derivatives are right where the proportion rounds to 0 or 1, for one
// number and for elements of a vector: with p = inv_logit(l) they are
// b + log1p_exp(l + a - b) - log1p_exp(l), and inv_logit(l + a - b) - inv_logit(l), inv_logit(l + a - b)
// and inv_logit(b - a - l).
func TestLogMixOfFarLogits(t *testing.T) {
	sigmoid := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	softplus := func(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }
	one := bound(t, "parameters { real l; real a; real b; } model { target += log_mix(inv_logit(l), a, b); }", "{}").Density(true, false)
	const n = 40
	rows := bound(t, fmt.Sprintf(`parameters { vector<lower=0, upper=1>[%d] p; real a; real b; }
model { for (i in 1:%d) if (i %% 3 > 0) target += log_mix(p[i], a, b); }`, n, n), "{}").Density(false, false)
	for _, l := range []float64{-800, -40, -2, 0, 3, 36, 37, 40, 800} {
		for _, d := range []float64{-50, -1, 0, 2, 50} {
			a, b := 0.5+d, 0.5
			value, right := b+softplus(l+d)-softplus(l), sigmoid(-l-d)
			want := []float64{sigmoid(l+d) - sigmoid(l), sigmoid(l + d), right}
			grad := make([]float64, 3)
			got, err := one.LogDensityGrad([]float64{l, a, b}, grad)
			if err != nil || !close64(got, value, 1e-12*(1+math.Abs(l))) || !slices.EqualFunc(grad, want, func(x, y float64) bool { return close64(x, y, 1e-12) }) {
				t.Errorf("logit %g, %g: %v and %v, %v, want %v and %v", l, d, got, grad, err, value, want)
			}
			q, gradients := slices.Repeat([]float64{l}, n), make([]float64, n+2)
			got, err = rows.LogDensityGrad(append(q, a, b), gradients)
			used := float64(n - n/3)
			if err != nil || !close64(got, used*value, 1e-10*(1+math.Abs(l))) || !close64(gradients[n], used*want[1], 1e-10) ||
				!close64(gradients[n+1], used*want[2], 1e-10) || !close64(gradients[0], want[0], 1e-12) || gradients[2] != 0 {
				t.Errorf("rows of logit %g, %g: %v and %v, %v, want %v times %v and %v", l, d, got, gradients, err, used, value, want)
			}
		}
	}
}
