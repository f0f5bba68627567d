//go:build unix

package examples

// This file compares the warm-ups of nuts by what an effective draw costs.

import (
	"math"
	"syscall"
	"testing"
	"time"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/hmc"
	"github.com/seed-12b88e03/ppl/infer/nuts"
	"github.com/seed-12b88e03/ppl/lang"
)

// BenchmarkWarmup runs nuts with each warm-up on the posteriors, four chains of 1000 draws
// after 1000 of warm-up. The metrics are, over seeds, geometric means of the least bulk
// effective sample size of a parameter for each 1000 gradients and for each second of
// processor time, warm-up included, and the largest R-hat.
//
//	go test ./examples -run NONE -bench Warmup -benchtime 1x
func BenchmarkWarmup(b *testing.B) {
	const seeds = 3
	warmups := []struct {
		name   string
		change func(*nuts.Options)
	}{
		{"stan", func(*nuts.Options) {}},
		{"gradient", func(o *nuts.Options) { o.Adapt = hmc.AdaptGradient }},
		{"low_rank", func(o *nuts.Options) { o.Metric = draws.MetricLowRank }},
	}
	found, _ := posteriors(b)
	for _, p := range found {
		model := load(b, p.model, p.data()).Bound()
		for _, w := range warmups {
			b.Run(p.name+"/"+w.name, func(b *testing.B) {
				options := nuts.DefaultOptions()
				w.change(&options)
				method, err := nuts.New(options)
				if err != nil {
					b.Fatal(err)
				}
				var perGradient, perSecond, warm, rhat float64
				for seed := range seeds {
					counted := &countedModel{Model: model}
					start := processorTime(b)
					fit, err := method.Run(b.Context(), counted, infer.Options{Seed: uint64(seed + 1), Observer: counted})
					if err != nil {
						b.Fatal(lang.ErrorText(err))
					}
					used := processorTime(b) - start
					least := math.Inf(1)
					for _, s := range fit.Draws.Summaries()[1:] {
						if !math.IsNaN(s.ESSBulk) {
							least, rhat = min(least, s.ESSBulk), max(rhat, s.RHat)
						}
					}
					perGradient += math.Log(1000*least/float64(counted.gradients)) / seeds
					perSecond += math.Log(least/used.Seconds()) / seeds
					warm += float64(counted.warmup) / float64(counted.gradients) / seeds
				}
				b.ReportMetric(math.Exp(perGradient), "ESS/1000grad")
				b.ReportMetric(math.Exp(perSecond), "ESS/cpu-s")
				b.ReportMetric(100*warm, "%warm-up")
				b.ReportMetric(rhat, "R-hat")
			})
		}
	}
}

// processorTime is what the process has used so far.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// A countedModel counts gradients. Its chains run one after the other.
type countedModel struct {
	infer.Model
	infer.Ignore
	gradients, warmup, seen int
}

func (m *countedModel) NewEvaluator() infer.Evaluator {
	return &countedEvaluator{Evaluator: m.Model.NewEvaluator(), of: m}
}

// Step implements infer.Observer.
func (m *countedModel) Step(s infer.Step) {
	if s.Warmup {
		m.warmup += m.gradients - m.seen
	}
	m.seen = m.gradients
}

type countedEvaluator struct {
	infer.Evaluator
	of *countedModel
}

func (e *countedEvaluator) LogDensityGrad(q, grad []float64) (float64, error) {
	e.of.gradients++
	return e.Evaluator.LogDensityGrad(q, grad)
}
