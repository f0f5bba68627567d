package cmdstan

// This file is the sampler of models without parameters: it stands still, and its files have
// the columns and the adaptation that CmdStan's have.

import (
	"math"

	"github.com/seed-12b88e03/ppl/infer/draws"
)

// still is what the files of a chain without parameters say of the sampler.
type still struct {
	stats      []string
	row        []float64 // lp__ and the sampler's columns, alike in all draws
	adaptation draws.Adaptation
	warmup     int // rows before the adaptation
}

// newStill evaluates the density, which is a constant.
func newStill(j *job) *still {
	lp, err := j.density().NewEvaluator().LogDensity(nil)
	if err != nil {
		lp = math.NaN()
	}
	hmc := []string{"method", "sample", "algorithm", "hmc"}
	metric := j.text(append(hmc, "metric")...)
	s := &still{adaptation: draws.Adaptation{StepSize: math.NaN(), MetricType: metric}}
	if j.text(append(hmc, "engine")...) == "static" {
		time := j.real(append(hmc, "engine", "static", "int_time")...)
		s.stats, s.row = (&sampler{time: 1}).Stats(), []float64{lp, 1, math.NaN(), time, 0 - lp}
		return s
	}
	s.stats, s.row = (&sampler{}).Stats(), []float64{lp, 1, math.NaN(), 1, 1, 0, 0 - lp}
	return s
}
