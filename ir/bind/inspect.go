// What tests and "ppl check --dump=graph" look at: the compiled gradient program, and
// the terms that the reference interpreter adds up.

package bind

import (
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/ir/eval"
)

// standard is the mode of NewEvaluator: with log Jacobian, constants kept.
var standard = mode{jacobian: true}

// GradientProgram compiles the log density and its gradient as they are computed at
// q, on the unconstrained scale with the log Jacobian. Root 0 is the value, root 1
// the gradient. It is the program of the interpreter, which is the same on every system.
func (m *Model) GradientProgram(q []float64) (*autodiff.Program, error) {
	rec, roots, err := densityRecorder{m}.densityGraph(q, standard, densityForm{gradient: true})
	if err != nil {
		return nil, err
	}
	rec.Graph.Interpret()
	return autodiff.Compile(rec.Graph, roots, rec.Effects), nil
}

// GradientWork is about how many elementary operations the log density and its gradient take
// at q: a property of the program and its data, the same on every machine (see
// autodiff.Graph.Work). The error is that of recording the density at q.
func (m *Model) GradientWork(q []float64) (int, error) {
	if err := m.Summable(); err != nil { // before the tables fill the memory on the way to the one that is too large
		return 0, err
	}
	rec, _, err := densityRecorder{m}.densityGraph(q, standard, densityForm{gradient: true})
	if err != nil {
		return 0, err
	}
	return rec.Graph.Work(), nil
}

// DumpGraph writes the gradient program recorded at q in readable form, with its cost
// counters.
func (m *Model) DumpGraph(q []float64) (string, error) {
	p, err := m.GradientProgram(q)
	if err != nil {
		return "", err
	}
	return p.Dump(), nil
}

// PlainTerms evaluates the log density at q with the reference interpreter and gives its
// terms in the order in which the program adds them, discrete parameters summed out.
func (m *Model) PlainTerms(q []float64, jacobian bool) ([]eval.Term, error) {
	em := m.machine()
	em.Jacobian = jacobian
	if err := m.walkDensity(em, nil, trace.Point(q, autodiff.None)); err != nil {
		return nil, err
	}
	return trace.SumOut(em)
}

// PlainRow fills in one row of outputs with the reference interpreter.
func (m *Model) PlainRow(q []float64, r *rand.Rand, out []float64) error {
	return rowRecorder{m}.writeBy(m.machine(), q, nil, r, out)
}
