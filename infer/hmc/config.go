// This file shows the warm-up's settings in CmdStan's tree.

package hmc

import "github.com/seed-12b88e03/ppl/infer/draws"

// Config is the "adapt" branch of CmdStan's tree.
func (t Tuning) Config(warmup int) []draws.Entry {
	d := DefaultTuning()
	return []draws.Entry{{Name: "adapt", Children: []draws.Entry{
		{Name: "engaged", Value: warmup > 0, Default: warmup > 0},
		{Name: "gamma", Value: t.Gamma, Default: t.Gamma == d.Gamma},
		{Name: "delta", Value: t.Delta, Default: t.Delta == d.Delta},
		{Name: "kappa", Value: t.Kappa, Default: t.Kappa == d.Kappa},
		{Name: "t0", Value: t.T0, Default: t.T0 == d.T0},
		{Name: "init_buffer", Value: t.Buffers.Init, Default: t.Buffers.Init == d.Buffers.Init},
		{Name: "term_buffer", Value: t.Buffers.Term, Default: t.Buffers.Term == d.Buffers.Term},
		{Name: "window", Value: t.Buffers.Base, Default: t.Buffers.Base == d.Buffers.Base},
		{Name: "save_metric", Value: true},
	}}}
}

// ConfigMetric are the entries of the "hmc" branch that all engines share.
func (t Tuning) ConfigMetric() []draws.Entry {
	size := t.StepSize
	if size == 0 {
		size = 1
	}
	return []draws.Entry{
		{Name: "metric", Value: t.Metric, Default: t.Metric == draws.MetricDiagonal, Choice: true},
		{Name: "metric_file", Value: "", Default: true},
		{Name: "stepsize", Value: size, Default: size == 1},
		{Name: "stepsize_jitter", Value: 0.0, Default: true},
	}
}
