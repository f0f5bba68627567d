// This file tests that a fit that is cut short keeps what it has, wherever it is cut.

package gvi_test

import (
	"context"
	"math"
	"sync/atomic"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/gvi"
	"github.com/seed-12b88e03/ppl/infer/infertest"
)

// named has a mean with prior normal(0, 1) and the log of a scale without prior.
type named struct{ *infertest.Model }

func (named) UnconstrainedNames() []string { return []string{"mean", "scale"} }

func meanAndScale(tap func()) named {
	y := []float64{0.3, 1.9, -0.4, 1.1}
	return named{infertest.FromParts(2, func(q []float64, beta float64, grad []float64) (float64, float64, error) {
		tap()
		inverse, lp := math.Exp(-2*q[1]), 0.0
		if grad != nil {
			grad[0], grad[1] = -q[0], 0
		}
		for _, v := range y {
			d := v - q[0]
			lp -= q[1] + d*d*inverse/2
			if grad != nil {
				grad[0] += beta * d * inverse
				grad[1] += beta * (d*d*inverse - 1)
			}
		}
		return -q[0] * q[0] / 2, lp, nil
	})}
}

func TestInterruptedKeepsDraws(t *testing.T) {
	for name, change := range map[string]func(*gvi.Options){
		"points": func(o *gvi.Options) { o.Point, o.Divergence = []string{"scale"}, div(t, "renyi", 2) },
		"adam": func(o *gvi.Options) {
			o.Point, o.Divergence = []string{"scale"}, div(t, "renyi", 2)
			o.Adam = gvi.Adam{Epochs: 40, Rate: 0.01, Schedule: gvi.CosineRate}
		},
		"renyi": func(o *gvi.Options) { o.Divergence = div(t, "renyi", 2) },
	} {
		var all atomic.Int64
		whole, err := method(t, change).Run(context.Background(), meanAndScale(func() { all.Add(1) }), infer.Options{Seed: 1})
		if err != nil || whole.Draws.Total() != gvi.DefaultOptions().Draws {
			t.Fatalf("%s: %v", name, err)
		}
		began := false
		for after := int64(1); after < all.Load(); after += 1 + all.Load()/200 {
			ctx, cancel := context.WithCancel(context.Background())
			var count atomic.Int64
			p, err := method(t, change).Run(ctx, meanAndScale(func() {
				if count.Add(1) == after {
					cancel()
				}
			}), infer.Options{Seed: 1})
			cancel()
			if err != nil {
				t.Fatalf("%s: cut after %d of %d evaluations: %v", name, after, all.Load(), err)
			}
			if began && p.Draws.Total() == 0 {
				t.Errorf("%s: cut after %d of %d evaluations no draws are kept, though there was an approximation before", name, after, all.Load())
			}
			began = began || p.Draws.Total() > 0
		}
		if !began {
			t.Errorf("%s: no run that was cut kept its draws", name)
		}
	}
}
