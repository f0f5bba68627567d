// The same program on other observations.

package bind

import (
	"slices"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/eval"
)

// Rebind joins the program with other values of observations, as Simulate gives them,
// and shares everything that does not depend on them: data, layout, and what is known
// about simulating. Declared constraints of the observations are not checked again.
func (m *Model) Rebind(observations []Named) (*Model, error) {
	m.reading()
	if m.gaps.written != nil {
		observations = slices.Clone(observations)
		for i, o := range observations {
			observations[i].Value = m.gaps.masked(o.Var, o.Value)
		}
	}
	value := map[*ir.Var]*eval.Value{}
	again, relaid := false, false
	for _, o := range observations {
		value[o.Var] = o.Value
		again = again || o.Var.Kind == ir.Datum && m.simulator.feeds[o.Var]
		relaid = relaid || m.simulator.sized[o.Var]
	}
	n := m.fork()
	n.opts.Unobserved, n.beside = false, nil
	for _, b := range m.known {
		if x, ok := value[b.v]; ok {
			b.x = x
		} else if again && b.v.Kind == ir.TransformedDatum {
			continue
		}
		n.known = append(n.known, b)
	}
	if again {
		if err := (simulation{n}).transformAgain(value); err != nil {
			return nil, err
		}
	}
	if relaid || again && (simulation{m}).reshaped() {
		n.params, n.discrete, n.dim, n.columns, n.names = nil, nil, 0, nil, nil
		if err := (binder{n}).layOut(); err != nil {
			return nil, err
		}
	}
	if !again && !relaid {
		n.observationParams = newObservationParams(observations)
	}
	n.prepare()
	return n, nil
}

// fork is a model of the same program and layout that knows no data yet.
func (m *Model) fork() *Model {
	return &Model{cancellation: m.cancellation, beside: m.beside, prog: m.prog, fast: m.fast, chooses: m.chooses, fastRoles: m.fastRoles, marked: m.marked, lib: m.lib, opts: m.opts, gaps: m.gaps, observed: m.observed, roles: m.roles, params: m.params, discrete: m.discrete,
		dim: m.dim, columns: m.columns, names: m.names, simulator: m.simulator, cpuLimiter: m.cpuLimiter, loosest: m.loosest, plain: m.plain, draws: m.draws, plainRows: m.plainRows, rowPaths: m.rowPaths, code: m.code}
}

// transformAgain runs transformed data on the new values; transformed data that are
// observations themselves keep the values given.
func (m simulation) transformAgain(value map[*ir.Var]*eval.Value) error {
	kept := m.known[:0:0]
	for _, b := range m.known {
		if b.v.Kind == ir.Datum {
			kept = append(kept, b)
		}
	}
	m.known = kept
	if err := (binder(m)).transformData(); err != nil {
		return err
	}
	for i, b := range m.known {
		if x, ok := value[b.v]; ok && b.v.Kind == ir.TransformedDatum {
			m.known[i].x = x
		}
	}
	return nil
}

// reshaped reports whether declarations read transformed data.
func (m simulation) reshaped() bool {
	for v := range m.simulator.sized {
		if v.Kind == ir.TransformedDatum {
			return true
		}
	}
	return false
}
