package bind_test

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/rng"
)

// Held parameters keep their values; the others are drawn given them: theta ~ N(mu, tau)
// at mu = 3 and tau = 2, y ~ N(theta, 1), 2,000 draws of each within 5 standard errors of
// mean and variance: 4 comparisons, a false alarm in 400,000 seeds.
func TestDrawRest(t *testing.T) {
	m := bound(t, `data { real y; }
parameters { real mu; real<lower=0> tau; real theta; }
model { mu ~ normal(0, 1); tau ~ exponential(1); theta ~ normal(mu, tau); y ~ normal(theta, 1); }`, `{"y": 0}`)
	r := rng.New(4, "test", 0, 0)
	at := []float64{3, math.Log(2), 100}
	q := make([]float64, 3)
	const n = 2000
	var sum, square [2]float64
	for range n {
		y, err := m.DrawRest(r, []string{"mu", "tau"}, at, q)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(q[0]-at[0]) > 1e-12 || math.Abs(q[1]-at[1]) > 1e-12 {
			t.Fatalf("held parameters moved to %v", q)
		}
		for i, v := range []float64{q[2], y.Numbers()[0]} {
			sum[i] += v - 3
			square[i] += (v - 3) * (v - 3)
		}
	}
	for i, variance := range []float64{4, 5} {
		if d := math.Abs(sum[i]) / n; d > 5*math.Sqrt(variance/n) {
			t.Errorf("quantity %d: mean off by %.3f", i, d)
		}
		if d := math.Abs(square[i]/n - variance); d > 5*variance*math.Sqrt(2.0/n) {
			t.Errorf("quantity %d: variance %.3f, exactly %g", i, square[i]/n, variance)
		}
	}
	if _, err := m.DrawRest(r, []string{"nu"}, at, q); err == nil {
		t.Error("a parameter that is not there was held")
	}
}
