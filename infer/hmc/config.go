// This file shows the settings of Hamiltonian samplers in CmdStan's tree.

package hmc

import "github.com/seed-12b88e03/ppl/infer/draws"

// Config is CmdStan's tree for an engine: the "adapt" branch, and the "algorithm" branch with the
// engine (usual where it is CmdStan's own) and its settings.
func (t Tuning) Config(warmup int, engine string, usual bool, settings ...draws.Entry) []draws.Entry {
	chosen := draws.Entry{Name: "engine", Value: engine, Default: usual, Choice: true, Children: []draws.Entry{{Name: engine, Children: settings}}}
	return []draws.Entry{t.adaptation(warmup), {
		Name: "algorithm", Value: "hmc", Default: true, Choice: true, Children: []draws.Entry{{
			Name: "hmc", Children: append([]draws.Entry{chosen}, t.metricEntries()...),
		}},
	}}
}

// adaptation is the "adapt" branch.
func (t Tuning) adaptation(warmup int) draws.Entry {
	d := DefaultTuning()
	return draws.Entry{Name: "adapt", Children: []draws.Entry{
		{Name: "engaged", Value: warmup > 0, Default: warmup > 0},
		{Name: "gamma", Value: t.Gamma, Default: t.Gamma == d.Gamma},
		{Name: "delta", Value: t.Delta, Default: t.Delta == d.Delta},
		{Name: "kappa", Value: t.Kappa, Default: t.Kappa == d.Kappa},
		{Name: "t0", Value: t.T0, Default: t.T0 == d.T0},
		{Name: "init_buffer", Value: t.Buffers.Init, Default: t.Buffers.Init == d.Buffers.Init},
		{Name: "term_buffer", Value: t.Buffers.Term, Default: t.Buffers.Term == d.Buffers.Term},
		{Name: "window", Value: t.Buffers.Base, Default: t.Buffers.Base == d.Buffers.Base},
		{Name: "save_metric", Value: true},
	}}
}

// metricEntries are those of the "hmc" branch that all engines share.
func (t Tuning) metricEntries() []draws.Entry {
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
