package smc

import (
	"math"
	"testing"
	"time"
)

// TestTemperature compares the next temperature with one found by halving alone.
func TestTemperature(t *testing.T) {
	for _, scale := range []float64{1e-3, 1, 30, 1e4, 1e9} {
		e := &engine{set: Settings{Threshold: 0.5}}
		for i := range 50 {
			e.Likelihood = append(e.Likelihood, -scale*float64(i*i))
		}
		e.Likelihood = append(e.Likelihood, math.Inf(-1))
		e.logw = make([]float64, len(e.Likelihood))
		low, high := 0.0, 1.0
		ess := func(step float64) float64 {
			sum, square := 0.0, 0.0
			for _, l := range e.Likelihood {
				w := math.Exp(step * l)
				sum, square = sum+w, square+w*w
			}
			return sum * sum / square
		}
		for high-low > 1e-11*high && ess(1) < 25 {
			if mid := (low + high) / 2; ess(mid) < 25 {
				high = mid
			} else {
				low = mid
			}
		}
		beta, _, err := e.temperature()
		if err != nil || math.Abs(beta-high) > 1e-9*high {
			t.Errorf("scale %g: beta is %v (%v), not %v", scale, beta, err, high)
		}
	}
}

// TestNoTemperature: where a likelihood has no bound, no step is small enough.
func TestNoTemperature(t *testing.T) {
	e := &engine{set: Settings{Threshold: 0.5}, logw: make([]float64, 3)}
	e.Likelihood = []float64{math.Inf(1), 0, -1}
	done := make(chan error, 1)
	go func() {
		_, _, err := e.temperature()
		done <- err
	}()
	select {
	case err := <-done:
		if err == nil {
			t.Error("a temperature was found")
		}
	case <-time.After(20 * time.Second):
		t.Fatal("it goes on without end")
	}
}
