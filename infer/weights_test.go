package infer

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/rng"
)

func TestLogWeights(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		x        []float64
		sum, ess float64
	}{
		{nil, -inf, 0},
		{[]float64{-inf, -inf}, -inf, 0},
		{[]float64{1000, 1000}, 1000 + math.Ln2, 2},
		{[]float64{0, math.Log(3), -inf}, math.Log(4), 1.6}, // 16/(1+9)
	} {
		if got := LogSumExp(c.x); got != c.sum && !(math.Abs(got-c.sum) < 1e-12) {
			t.Errorf("LogSumExp(%v) = %g, want %g", c.x, got, c.sum)
		}
		if got := ESSWeights(c.x); math.Abs(got-c.ess) > 1e-12 {
			t.Errorf("ESSWeights(%v) = %g, want %g", c.x, got, c.ess)
		}
	}
	w := make([]float64, 2)
	if Weights([]float64{-inf, -inf}, w); w[0] != 0.5 || w[1] != 0.5 {
		t.Errorf("weights where none is positive: %v", w)
	}
	// Weights 1 and 3: mean 2, sd of the mean sqrt(2)/sqrt(2) = 1, relative 1/2.
	if e := LogMean([]float64{0, math.Log(3)}); math.Abs(e.Value-math.Ln2) > 1e-15 || math.Abs(e.Error-0.5) > 1e-15 {
		t.Errorf("log mean %+v, want log 2 with error 0.5", e)
	}
}

func TestEstimateAsJSON(t *testing.T) {
	text, err := json.Marshal(LogMean([]float64{-1.5}))
	if err != nil || string(text) != `{"estimate":-1.5,"error":null}` {
		t.Errorf("%s, %v", text, err)
	}
}

// Each index comes up n*w times, rounded down or up, in order, and never with
// weight zero.
func TestResampleSystematic(t *testing.T) {
	r := rng.New(1, "resample", 0, 0)
	for range 200 {
		w := make([]float64, 7)
		var sum float64
		for i := range w {
			if i != 0 && i != 3 && i != 6 {
				w[i] = r.ExpFloat64()
				sum += w[i]
			}
		}
		parent, counts := make([]int, 50), make([]float64, 7)
		for i := range w {
			w[i] /= sum
		}
		ResampleSystematic(r, w, parent)
		for k, i := range parent {
			counts[i]++
			if k > 0 && i < parent[k-1] {
				t.Fatalf("not in order: %v", parent)
			}
		}
		for i, n := range counts {
			if math.Abs(n-50*w[i]) >= 1+1e-9 || w[i] == 0 && n > 0 {
				t.Fatalf("index %d of weight %g came up %g times of 50", i, w[i], n)
			}
		}
	}
}
