package loo

// This file holds weights against closed forms and the conditions of an optimum.

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-12b88e03/ppl/infer/rng"
)

// Where each observation is possible under one model alone, stacked weights are the
// models' shares of the observations.
func TestStackingShares(t *testing.T) {
	counts := []int{5, 2, 1}
	terms := make([][]float64, len(counts))
	for own, n := range counts {
		for range n {
			for k := range terms {
				x := math.Inf(-1)
				if k == own {
					x = -1.5 * float64(own)
				}
				terms[k] = append(terms[k], x)
			}
		}
	}
	for k, w := range stacking(terms) {
		if want := float64(counts[k]) / 8; math.Abs(w-want) > 1e-5 {
			t.Errorf("model %d: weight %v, exactly %v", k, w, want)
		}
	}
}

// The weights are the best: at w no model may do better in the mean of p_k / sum_j w_j p_j
// than 1, and the excess bounds the distance in nats per observation. The bound grows like
// the root of the distance itself (stackingGap), so that 1e-4 is what can be asked for.
// Equal models, and such that are far worse, are among them.
func TestStackingOptimal(t *testing.T) {
	r := rng.New(7, "test", 0, 0)
	for _, models := range []int{1, 2, 3, 6} {
		for _, n := range []int{1, 10, 500} {
			terms := make([][]float64, models)
			for k := range terms {
				for i := range n {
					x := r.NormFloat64() - 1
					switch {
					case k == 2:
						x = terms[0][i]
					case k == 3:
						x -= 50
					}
					terms[k] = append(terms[k], x)
				}
			}
			w := stacking(terms)
			if math.Abs(floats.Sum(w)-1) > 1e-12 || floats.Min(w) < 0 {
				t.Errorf("%d models: weights %v", models, w)
			}
			excess := 0.0
			for k := range terms {
				mean := 0.0
				for i := range n {
					p := 0.0
					for j := range terms {
						p += w[j] * math.Exp(terms[j][i])
					}
					mean += math.Exp(terms[k][i]) / p / float64(n)
				}
				excess = math.Max(excess, mean-1)
			}
			if gap := excess * float64(n); gap > 1e-4 {
				t.Errorf("%d models, %d observations: %g nats may be missing at %v", models, n, gap, w)
			}
		}
	}
}

// A difference that is the same for each observation is not changed by the bootstrap; with
// two observations the share of the first is uniform, so that the mean weight is an
// integral. It is held to four standard errors of the bootstrap (1 in 15,000).
func TestPseudoBMA(t *testing.T) {
	w := pseudoBMA([][]float64{{-1, -2, -3}, {-1.5, -2.5, -3.5}})
	if want := 1 / (1 + math.Exp(-1.5)); math.Abs(w[0]-want) > 1e-12 || math.Abs(w[0]+w[1]-1) > 1e-12 {
		t.Errorf("weights %v, want %v and the rest", w, want)
	}
	const a, b = 1.0, -0.5 // differences; the weight at share u is sigmoid(2 (u a + (1 - u) b))
	softplus := func(x float64) float64 { return math.Log1p(math.Exp(x)) }
	want := (softplus(2*a) - softplus(2*b)) / (2 * (a - b))
	w = pseudoBMA([][]float64{{a - 3, b - 2}, {-3, -2}})
	if sd := 2 * (a - b) / 4 / math.Sqrt(12); math.Abs(w[0]-want) > 4*sd/math.Sqrt(bootstraps) {
		t.Errorf("weight %v, want %v", w[0], want)
	}
}
