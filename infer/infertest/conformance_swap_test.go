package infertest_test

// This file has the rows of prior swapping.

import (
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/swap"
)

// samePriors exchanges the priors for themselves.
type samePriors struct{ model infer.Model }

func (s samePriors) Model() infer.Model { return s.model }

func (s samePriors) Coords() []int {
	out := make([]int, s.model.Dim())
	for i := range out {
		out[i] = i
	}
	return out
}

func (s samePriors) Difference() infer.Target { return nothing(s.model.Dim()) }

// nothing is a difference of 0.
type nothing int

func (n nothing) Dim() int                              { return int(n) }
func (n nothing) LogDensity([]float64) (float64, error) { return 0, nil }
func (n nothing) LogDensityGrad(_, grad []float64) (float64, error) {
	clear(grad)
	return 0, nil
}

func newSwap(inner func(t testing.TB) infer.Method, from string) func(t testing.TB) infer.Method {
	return func(t testing.TB) infer.Method {
		m, err := swap.New(swap.Options{Inner: inner(t), With: newNUTS(t), From: from,
			Priors: func(m infer.Model) (swap.Priors, error) { return samePriors{m}, nil }})
		return build(t, m, err)
	}
}

// swapRows exchange priors for themselves, so that the posterior must come back, here a
// normal. Fitted to draws it has their error too: 4000 and again 4000 draws add up to
// 0.1.
func swapRows() []row {
	return []row{
		{name: "prior_swap", variant: "of laplace", method: newSwap(newLaplace, swap.Density), on: []string{"regression"}},
		{name: "prior_swap", variant: "of nuts", method: newSwap(func(t testing.TB) infer.Method { return newNUTS(t) }, swap.Parametric),
			kind: approximation, off: map[string][2]float64{"regression": {0.1, 0.1}}},
	}
}
