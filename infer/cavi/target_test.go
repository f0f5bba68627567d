package cavi_test

import (
	"context"
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/cavi"
)

// A counting model counts evaluations of the density as a whole.
type counting struct {
	infer.Factorisable
	evaluations *int
}

func (c counting) NewEvaluator() infer.Evaluator {
	return &counted{c.Factorisable.NewEvaluator(), c.evaluations}
}

type counted struct {
	infer.Evaluator
	evaluations *int
}

func (c *counted) Unwrap() infer.Target { return c.Evaluator }

func (c *counted) LogDensity(q []float64) (float64, error) {
	*c.evaluations++
	return c.Evaluator.LogDensity(q)
}

func (c *counted) LogDensityGrad(q, grad []float64) (float64, error) {
	*c.evaluations++
	return c.Evaluator.LogDensityGrad(q, grad)
}

// TestSums: a mixture is fitted without a program of the density over all whole numbers, and the
// densities of the draws are those that such a program gives.
func TestSums(t *testing.T) {
	m := model(t, head+`parameters { simplex[2] w; vector[2] mu; vector<lower=0>[2] tau; array[N] int<lower=1, upper=2> z; }
	  model { w ~ dirichlet([1, 2]'); mu ~ normal(0, 3); tau ~ gamma(2, 1); z ~ categorical(w);
	    for (i in 1:N) y[i] ~ normal(mu[z[i]], inv_sqrt(tau[z[i]])); }`, abc).Joint().(infer.Factorisable)
	evaluations := 0
	method, err := cavi.New(cavi.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	p, err := method.Run(context.Background(), counting{m, &evaluations}, infer.Options{Seed: 3, KeepUnconstrained: true})
	if err != nil {
		t.Fatal(err)
	}
	if evaluations > 0 {
		t.Errorf("the density was evaluated as a whole %d times", evaluations)
	}
	ev := m.NewEvaluator()
	for i, q := range p.Unconstrained[0] {
		want, err := ev.LogDensity(q)
		if got := p.Draws.Column("lp__")[0][i]; err != nil || math.Abs(got-want) > 1e-9*math.Max(1, math.Abs(want)) {
			t.Fatalf("log density %v of draw %d, want %v, %v", got, i, want, err)
		}
	}
}
