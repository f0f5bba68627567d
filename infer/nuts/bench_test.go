package nuts_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/hmc"
	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/nuts"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// BenchmarkOverhead times transitions on a standard normal whose gradient costs next to
// nothing. The metric is nanoseconds of a leapfrog step with all that belongs to it, the
// least of many windows of ten transitions.
func BenchmarkOverhead(b *testing.B) {
	for _, dim := range []int{2, 10, 30, 100} {
		b.Run(fmt.Sprint(dim), func(b *testing.B) {
			target := infertest.FromFunc(dim, func(q, grad []float64) (float64, error) {
				sum := 0.0
				for i, x := range q {
					sum -= 0.5 * x * x
					grad[i] = -x
				}
				return sum, nil
			}).NewEvaluator()
			h, _, err := hmc.DefaultTuning().New(target, 0)
			if err != nil {
				b.Fatal(err)
			}
			h.StepSize = 0.5
			k, r := nuts.NewKernel(h, 10, 1000), rng.New(1, "bench", 0, 0)
			s, info := infer.State{Q: make([]float64, dim)}, infer.Info{Stats: make([]float64, 6)}
			if err := k.Start(&s); err != nil {
				b.Fatal(err)
			}
			least := math.Inf(1)
			b.ReportAllocs()
			for b.Loop() {
				var steps float64
				start := time.Now()
				for range 10 {
					if err := k.Step(r, &s, &info); err != nil {
						b.Fatal(err)
					}
					steps += info.Stats[3]
				}
				least = min(least, float64(time.Since(start).Nanoseconds())/steps)
			}
			b.ReportMetric(least, "min-ns/leapfrog")
		})
	}
}
