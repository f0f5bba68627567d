// Evaluators: the state of a model in one goroutine.

package bind

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind/solver"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/ir/eval"
)

// An evaluator implements infer.Evaluator. Where a recording made at a point does not
// apply to that very point, the reference interpreter serves instead: a comparison was so
// close that the simplified program rounds to the other side.
type evaluator struct {
	model    *Model
	mode     mode
	value    *trace.Runner
	gradient *trace.Runner
	strict   *trace.Runner // nil until it is needed
	nans     int           // log densities that were none, before there is strict
	write    *trace.Runner

	tempered *trace.Runner
	parts    *trace.Runner
	batches  *batchRunner
	row      rowStream
	recovery *recovery
	tables   *autodiff.Machine // of recovery
	point    []float64         // (q, beta) of a tempered evaluation
	points   [][]float64       // of several
}

// NewEvaluator makes an evaluator of the density on the unconstrained scale, log
// Jacobian included, constants kept.
func (m *Model) NewEvaluator() infer.Evaluator { return m.newEvaluator(mode{jacobian: true}) }

// Density makes a target with other settings: without the log Jacobian of the
// constraint transforms, or with constant terms dropped where "~" and _lupdf allow.
func (m *Model) Density(jacobian, propto bool) infer.Target {
	return m.newEvaluator(mode{jacobian, propto})
}

func (m *Model) newEvaluator(md mode) *evaluator {
	d := m.densities[md]
	e := &evaluator{model: m, mode: md, value: d.value.Runner(), gradient: d.gradient.Runner(), write: m.write.Runner()}
	if m.draws {
		e.row = newRowStream()
		e.write.Random = e.row.random
	}
	return e
}

// Dim is the number of unconstrained coordinates.
func (e *evaluator) Dim() int { return e.model.dim }

// LogDensity evaluates the log density at q.
func (e *evaluator) LogDensity(q []float64) (float64, error) {
	m, err := e.value.Run(q)
	if err != nil {
		return e.failed(q, nil, err)
	}
	return e.explained(q, m.Root(0)[0])
}

// LogDensityGrad evaluates the log density and its gradient.
func (e *evaluator) LogDensityGrad(q, grad []float64) (float64, error) {
	m, err := e.gradient.Run(q)
	if err != nil {
		return e.failed(q, grad, err)
	}
	copy(grad, m.Root(1))
	return e.explainedGrad(q, m.Root(0)[0], grad)
}

// failed is the log density where a program fails; grad is filled unless it is nil.
func (e *evaluator) failed(q, grad []float64, failure error) (float64, error) {
	switch {
	case !e.undecided(failure):
		return math.NaN(), e.model.rejected(q, e.mode, failure)
	case grad == nil:
		return e.model.plainValue(q, e.mode)
	}
	lp, g, err := e.model.plainGradient(q, e.mode)
	copy(grad, g)
	return lp, err
}

// Write fills in one row: parameters, transformed parameters, generated quantities. A row with
// numbers that are not finite is left to the reference interpreter, but for exact numbers: compiled
// programs have such numbers where it rejects, and whether there is a program must not make a
// difference, since that depends on where other chains have been.
func (e *evaluator) Write(q []float64, r *rand.Rand, out []float64) error {
	if len(e.model.discrete) > 0 {
		drawn, err := e.recover(q, r)
		if err != nil {
			return err
		}
		return rowRecorder{e.model}.writePlain(q, drawn, r, out)
	}
	if e.model.draws {
		return e.drawnRow(q, r, out)
	}
	if e.model.interpreted() {
		return rowRecorder{e.model}.writePlain(q, nil, r, out)
	}
	m, err := e.write.Run(q)
	if err != nil || !trace.Sound(m.Root(0), m.Root(1)) {
		return rowRecorder{e.model}.writePlain(q, nil, r, out)
	}
	copy(out, m.Root(0))
	return nil
}

// writePlain fills a row with the reference interpreter, the statements as closures; after a rejection in generated
// quantities the row holds what comes before them.
func (m rowRecorder) writePlain(q []float64, drawn []int, r *rand.Rand, out []float64) error {
	return m.writeBy(m.codedMachine(), q, drawn, r, out)
}

func (m rowRecorder) writeBy(em *eval.Machine, q []float64, drawn []int, r *rand.Rand, out []float64) error {
	em.Rand = r
	if err := m.setContinuous(em, m.plainPoint(em, q)); err != nil {
		return err
	}
	if drawn != nil {
		m.setDrawn(em, drawn)
	}
	return m.rowOf(em, out)
}

// rowOf fills a row with what an evaluator that has the parameters makes of them.
func (m rowRecorder) rowOf(em *eval.Machine, out []float64) error {
	if err := m.transformParameters(em, nil); err != nil {
		return err
	}
	before := m.columnsOf(em, out, false)
	if err := m.generate(em, nil); err != nil {
		return err
	}
	m.columnsOf(em, out[before:], true)
	return nil
}

// generate runs the generated quantities block.
func (m rowRecorder) generate(em *eval.Machine, rec *trace.Recorder) error {
	if err := em.Run(em.Prog.GeneratedQuantities.Body); err != nil {
		return err
	}
	for _, v := range m.prog.GeneratedQuantities.Vars {
		if err := trace.Validate(em, m.lib, rec, v, v.Name, v.Decl, em.Get(v)); err != nil {
			return err
		}
	}
	return nil
}

// recordWrite compiles a whole row as it is computed at q.
func (m rowRecorder) recordWrite(q []float64) (*autodiff.Program, error) {
	if m.draws {
		return m.recordDraws(m.recordWriteAt)
	}
	return m.recordWriteAt(q, 0)
}

func (m rowRecorder) recordWriteAt(q []float64, try byte) (*autodiff.Program, error) {
	return m.recordRow(q, try, func(em *eval.Machine, input autodiff.Node) error {
		return m.setParameters(em, trace.Point(q, input))
	})
}

// recordRow compiles a whole row as a function of an input as long as at. set gives the parameters
// their values from the input.
func (m rowRecorder) recordRow(at []float64, try byte, set func(em *eval.Machine, input autodiff.Node) error) (p *autodiff.Program, err error) {
	err = m.fastest(func(prog *ir.Program, print func(string)) error {
		return trace.Discharged(print, func(loops bool, print func(string)) (ok bool, err error) {
			rec := m.newRecorder(len(at))
			rec.Exact = trace.ExactNodes{}
			if loops {
				rec.Point = at
			}
			rec.Draws.Try = try
			em := m.recordingOf(prog, rec)
			em.Print, em.Rand = print, trace.SomeNumbers(try)
			if err = set(em, rec.Graph.Input()); err == nil {
				p, ok, err = m.rowProgram(em, rec)
			}
			return ok, err
		})
	})
	return p, err
}

// rowProgram records what comes after the parameters, and reports whether its checks could be
// made.
func (m rowRecorder) rowProgram(em *eval.Machine, rec *trace.Recorder) (p *autodiff.Program, ok bool, err error) {
	if err := m.transformParameters(em, rec); err != nil {
		return nil, false, err
	}
	if err := m.generate(em, rec); err != nil {
		return nil, false, err
	}
	if m.draws {
		if err := rec.KeepDraws(); err != nil {
			return nil, false, err
		}
	}
	row := m.rowNode(rec, em)
	exact, others := rec.ExactRow(row)
	ok = rec.DischargeObligations(autodiff.RootsTestedForNonFinite, others)
	roots := rec.Vectorize(row)
	return autodiff.Compile(rec.Graph, append(roots, rec.Graph.Const(exact)), rec.Effects), ok, nil
}

// Delegate has parts of the sums of a model's log density, not of the same with other data, evaluated by a deputy, until end is called.
func Delegate(m *Model, d infer.Deputy) (end func()) {
	if d == nil || m.deputies == nil {
		return func() {}
	}
	m.deputies.Appoint(d)
	return func() { m.deputies.Appoint(nil) }
}

// Parts finds the parts of a sum, to be evaluated for another process.
func Parts(m *Model, s *infer.Sum) (*solver.Parts, error) {
	rec, err := recordSums(m, s.At, s.Jacobian, func(i, _ int) []float64 {
		if i != s.Index {
			return nil
		}
		return s.Values
	})
	if err != nil {
		return nil, err
	}
	return solver.PartsOf(rec, s)
}

// Sums says of each sum of the log density at q that is evaluated in parts where it stands, and in how many.
func Sums(m *Model, q []float64) ([]string, error) {
	rec, err := recordSums(m, q, true, func(_, parts int) []float64 { return make([]float64, parts) }) // they are counted, not added
	if err != nil {
		return nil, err
	}
	return solver.Places(rec), nil
}

// recordSums records the log density at q with its sums; known is that of trace.Recorder.
func recordSums(m *Model, q []float64, jacobian bool, known func(index, parts int) []float64) (*trace.Recorder, error) {
	if len(q) != m.dim {
		return nil, fmt.Errorf("the model has %d coordinates, and the point %d", m.dim, len(q))
	}
	rec, _, err := densityRecorder{m}.densityGraph(q, mode{jacobian: jacobian}, densityForm{known: known})
	return rec, err
}
