// Dropping constants: only under "~" and _lupdf, and only what no parameter is in.

package bind_test

import (
	"math"
	"testing"
)

func TestProptoDropsConstants(t *testing.T) {
	data := `{"y": [0.5, 2], "n": [1, 4]}`
	head := `data { vector[2] y; array[2] int n; } parameters { real mu; real<lower=0> s; } model { `
	q := []float64{0.3, 0.2}
	mu, s := q[0], math.Exp(q[1])
	squares := (0.5-mu)*(0.5-mu) + (2-mu)*(2-mu)
	for _, c := range []struct {
		model string
		want  float64 // without log Jacobian
	}{
		{`y ~ normal(mu, 2);`, -squares / 8},
		{`y ~ normal(mu, s);`, -squares/2/s/s - 2*math.Log(s)},
		{`target += normal_lupdf(y | mu, 2);`, -squares / 8},
		{`target += normal_lpdf(y | mu, 2);`, -squares/8 - 2*math.Log(2) - math.Log(2*math.Pi)},
		{`y ~ normal(1, 2); mu ~ std_normal();`, -mu * mu / 2},
		{`n ~ poisson(s);`, 5*math.Log(s) - 2*s},
		{`s ~ gamma(2, 3);`, math.Log(s) - 3*s},
		{`target += -3; mu ~ normal(0, 1);`, -3 - mu*mu/2},
	} {
		m := bound(t, head+c.model+" }", data)
		got, err := m.Density(false, true).LogDensity(q)
		if err != nil || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v (%v), want %v", c.model, got, err, c.want)
		}
	}
}
