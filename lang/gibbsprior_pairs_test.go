package lang

// This file tests what gibbs_prior writes of its steps.

import (
	"context"
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/draws"
)

// TestGibbsPriorPairs: the answer to y is normal with mean sum(y)/4 and variance 1/4, and y came from the parameter of the row before,
// with variance 1. Chains that start at 40 times the distance of a draw from the prior show it in their first data.
func TestGibbsPriorPairs(t *testing.T) {
	m := mustBind(t, `data { vector[3] y; } parameters { real mu; } model { mu ~ normal(0, 1); y ~ normal(mu, 1); }`, map[string]any{"y": []float64{1, 2, 3}})
	method, err := m.Program.Method("gibbs_prior(laplace(), steps = 300, chains = 4, data = true, spread = 40)")
	if err != nil {
		t.Fatal(ErrorText(err))
	}
	fit, err := m.Run(context.Background(), method, RunOptions{Seed: 1, Jobs: 2})
	if err != nil {
		t.Fatal(ErrorText(err))
	}
	d := fit.Posterior.Draws
	mu := d.Column("mu")
	y := [][][]float64{d.Column("y.1"), d.Column("y.2"), d.Column("y.3")}
	var answers, data []float64
	far := 0.0
	for c := range mu {
		far += math.Abs(y[0][c][0]) / 4
		for k := range mu[c] {
			sum := 0.0
			for _, column := range y {
				sum += column[c][k]
				if k > 0 {
					data = append(data, column[c][k]-mu[c][k-1])
				}
			}
			answers = append(answers, 2*(mu[c][k]-sum/4))
		}
	}
	for name, x := range map[string][]float64{"answers": answers, "data": data} {
		n := math.Sqrt(float64(len(x)))
		if mean, sd := draws.Mean([][]float64{x}), draws.SD([][]float64{x}); math.Abs(mean) > 5/n || math.Abs(sd-1) > 4/n {
			t.Errorf("%s: mean %.3f and sd %.3f of standard normals", name, mean, sd)
		}
	}
	if far < 10 {
		t.Errorf("the first data lie %.1f from 0 on average", far)
	}
}
