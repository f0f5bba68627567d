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

// TestFirstOfEqualBounds: where starts end in relabelled components, whose bounds differ by
// rounding, the first is kept.
func TestFirstOfEqualBounds(t *testing.T) {
	m := model(t, `data { int N; vector[N] y; }
	  parameters { vector[2] mu; array[N] int<lower=1, upper=2> z; }
	  model { mu ~ normal(0, 3); z ~ categorical([0.5, 0.5]'); for (i in 1:N) y[i] ~ normal(mu[z[i]], 1); }`,
		`{"N": 7, "y": [-3.1, 2.2, -2.4, 3.3, -2.7, 2.9, 2.6]}`).Joint()
	for seed := range uint64(8) {
		var first []float64
		for _, starts := range []int{1, 4} {
			o := cavi.DefaultOptions()
			o.Starts, o.Draws = starts, 1
			method, err := cavi.New(o)
			if err != nil {
				t.Fatal(err)
			}
			p, err := method.Run(context.Background(), m, infer.Options{Seed: seed, KeepUnconstrained: true})
			if err != nil {
				t.Fatal(err)
			}
			if q := p.Unconstrained[0][0]; first == nil {
				first = q
			} else if math.Abs(q[0]-first[0]) > 1e-3 {
				t.Errorf("seed %d: mu[1] is %v of the first start, %v of several with the same bound", seed, first[0], q[0])
			}
		}
	}
}
