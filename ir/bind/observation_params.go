// Programs for any observations: rebound models share recordings in which the
// observations are numbers that can be exchanged.
//
// Such a recording holds for other observations as long as nothing but arithmetic
// depends on them. Where an index or a condition does, the recording guards it, and the model
// records for its observations alone. The last digits of the two kinds of recordings differ, so
// which one a model runs depends on the model and its observations, never on which models came
// before.

package bind

import (
	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/ir/eval"
)

// An observationParams is the observations of a rebound model as one vector.
type observationParams struct {
	values  []Named
	numbers []float64
	general bool // recordings take the numbers as given
}

// newObservationParams is nil where an observation is a tuple.
func newObservationParams(values []Named) *observationParams {
	s := &observationParams{values: values}
	for _, v := range values {
		if v.Value.Fields != nil || v.Value.Elems != nil {
			return nil
		}
		s.numbers = append(s.numbers, v.Value.X...)
	}
	return s
}

// sharedTraces returns the shared recordings of a piece.
func (s *simulator) sharedTraces(name string) *trace.SharedTraces {
	s.tracesLock.Lock()
	defer s.tracesLock.Unlock()
	if s.traces == nil {
		s.traces = map[string]*trace.SharedTraces{}
	}
	x := s.traces[name]
	if x == nil {
		x = &trace.SharedTraces{}
		s.traces[name] = x
	}
	return x
}

// piece makes a traced piece of the model.
func (m *Model) piece(name string, record func(*Model, []float64) (*autodiff.Program, error)) *trace.Traced {
	t := &trace.Traced{Record: func(q []float64) (*autodiff.Program, error) { return record(m, q) }}
	if m.observationParams == nil || len(m.observationParams.numbers) == 0 {
		return t
	}
	t.Shared, t.Constants = m.simulator.sharedTraces(name), m.observationParams.numbers
	t.General = func(q []float64) (*autodiff.Program, error) {
		n := m.fork()
		n.known = m.known
		s := *m.observationParams
		s.general = true
		n.observationParams = &s
		return record(n, q)
	}
	return t
}

// recording makes an evaluator that reports to a recorder.
func (m *Model) recording(rec *trace.Recorder) *eval.Machine { return m.recordingOf(m.prog, rec) }

// recordingOf is the same for the program after the passes.
func (m *Model) recordingOf(prog *ir.Program, rec *trace.Recorder) *eval.Machine {
	em := m.machineOf(prog)
	em.Rec = rec
	if m.observationParams == nil || !m.observationParams.general {
		return em
	}
	em.Supplied = true
	given := rec.Graph.RuntimeConstants(m.observationParams.numbers)
	off := 0
	for _, v := range m.observationParams.values {
		x := v.Value.Shared()
		if n := len(x.X); n > 0 {
			x.Node = rec.Graph.View(given, off, n)
			off += n
		}
		em.Set(v.Var, x)
	}
	return em
}
