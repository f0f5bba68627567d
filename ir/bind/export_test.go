package bind

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/ir/eval"

	"github.com/seed-12b88e03/ppl/infer"
)

// AbsoluteTerms adds up the absolute values of the terms of the log density at q, as the
// reference interpreter finds them: what rounding errors of the sum are in proportion to.
func (m *Model) AbsoluteTerms(q []float64) (float64, error) {
	em := m.machine()
	em.Jacobian = true
	if err := m.walkDensity(em, nil, trace.Point(q, -1)); err != nil {
		return 0, err
	}
	sum := 0.0
	for _, t := range em.Terms() {
		sum += math.Abs(t.Value.X[0])
	}
	return sum, nil
}

// CompileLanesAtOnce lets an evaluator use several lanes whether they pay or not.
func CompileLanesAtOnce(e infer.Evaluator) {
	if ev, ok := e.(*evaluator); ok {
		ev.value.Eager, ev.gradient.Eager = true, true
	}
	if ev, ok := e.(*centredEvaluator); ok {
		ev.gradient.Eager, ev.own.gradient.Eager = true, true
	}
}

// RecordGradient makes the program of the log density and its gradient at q anew.
func (m *Model) RecordGradient(q []float64) error {
	_, err := densityRecorder{m}.recordDensity(q, mode{jacobian: true}, densityForm{gradient: true})
	return err
}

// RecordedNodes is how many nodes the log density's graph has as it is recorded at q.
func (m *Model) RecordedNodes(q []float64) (int, error) {
	rec, _, err := densityRecorder{m}.densityGraph(q, standard, densityForm{})
	if err != nil {
		return 0, err
	}
	return rec.Graph.Size(), nil
}

// RowIsComputed reports whether a program computes the row at q, rather than the reference
// interpreter.
func RowIsComputed(m *Model, q []float64) bool {
	r, err := m.write.Runner().Run(q)
	return err == nil && trace.Sound(r.Root(0), r.Root(1))
}

// WithoutRowPrograms leaves rows that draw random numbers to the reference interpreter.
func WithoutRowPrograms(m *Model) { m.plainRows.Store(true) }

// RowsArePlain reports whether rows that draw are left to the reference interpreter.
func RowsArePlain(m *Model) bool { return m.plainRows.Load() }

// CodeRow is PlainRow with the statements as closures.
func CodeRow(m *Model, q []float64, r *rand.Rand, out []float64) error {
	return rowRecorder{m}.writePlain(q, nil, r, out)
}

// RowGuards are how many conditions rows rely on and how many small changes lead to another path.
func RowGuards(m *Model) string {
	p, err := rowRecorder{m}.recordWriteAt(rowRecorder{m}.somewhere(0), 0)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%d guards, %d changes", p.Guarded(), rowRecorder{m}.pathChanges())
}

// Interpreted reports whether rows are for the reference interpreter because of their paths.
func Interpreted(m *Model) bool { return m.interpreted() }

// HasRowProgram reports whether rows have a program.
func HasRowProgram(m *Model) bool { return !m.plainRows.Load() && m.write.Known(0) != nil }

// CompileRowLanesAtOnce is CompileLanesAtOnce for rows.
func CompileRowLanesAtOnce(g *Generator) { g.rows.Eager = true }

// CompileBatchAtOnce lets a batch use several lanes whether they pay or not.
func CompileBatchAtOnce(c infer.BatchEvaluator) {
	if own, ok := c.(*batchEvaluator); ok {
		own.eager = true
	}
}

// BatchPrograms is how many programs a batch has lanes of.
func BatchPrograms(c infer.BatchEvaluator) int {
	if own, ok := c.(*batchEvaluator); ok {
		return len(own.machines)
	}
	return 0
}

// PlainDropped is the reference interpreter's log density without what "~" leaves out.
func (m *Model) PlainDropped(q []float64) (float64, error) {
	return m.plainValue(q, mode{propto: true})
}

// HasDiscrete reports whether there are discrete parameters, which rows get drawn.
func HasDiscrete(m *Model) bool { return len(m.discrete) > 0 }

// SlowCentred is LogDensityGrad by way of the coordinates that the program has.
func SlowCentred(ev infer.CentredEvaluator, z, grad []float64) (float64, error) {
	return ev.(*centredEvaluator).slow(z, grad)
}

// StatementNodes looks for full conditionals, and returns how many nodes the recording of the log
// density has.
func (m *Model) StatementNodes() (int, error) {
	h := m.conjugacy()
	var last *trace.Recorder
	record := h.NewRecorder
	h.NewRecorder = func(dim int) *trace.Recorder {
		last = record(dim)
		return last
	}
	defer func() { h.NewRecorder = record }()
	_, err := m.Conditionals()
	if err != nil || last == nil {
		return 0, err
	}
	return last.Graph.Size(), nil
}

// ByShares is the log density and its gradient at q, put together from the programs of the statements: each
// statement hands the derivatives with respect to what it took on to those that it took it from.
func (m *Model) ByShares(q []float64) (lp float64, grad []float64, err error) {
	o, rec, shares, err := densityRecorder{m}.shares(q)
	if err != nil {
		return 0, nil, err
	}
	g := rec.Graph
	made := map[autodiff.Node]float64{} // the terms' sum is the only thing of length 1 that nobody takes
	taken := map[autodiff.Node]bool{}
	for _, s := range shares {
		for _, x := range s.In {
			taken[x] = true
		}
	}
	adjoint := map[autodiff.Node][]float64{}
	for round := 0; round <= g.Size(); round++ {
		next, same := map[autodiff.Node][]float64{}, true
		add := func(x autodiff.Node, v []float64) {
			if next[x] == nil {
				next[x] = make([]float64, g.Len(x))
			}
			for i := range v {
				next[x][i] += v[i]
			}
		}
		for i := range shares {
			s, c := &shares[i], o.list[i]
			if err := c.compile(g, s, q); err != nil {
				return 0, nil, err
			}
			in := 0
			for _, x := range s.In {
				in += g.Len(x)
			}
			off := in
			for _, x := range s.Out {
				w := c.point[off : off+g.Len(x)]
				off += g.Len(x)
				clear(w)
				copy(w, adjoint[x])
				if !taken[x] {
					w[0] = 1
				}
			}
			machine := c.program.NewMachine()
			if err := machine.Run(c.point); err != nil {
				return 0, nil, err
			}
			d := machine.Root(1)
			off = in
			for _, x := range s.Out {
				if !taken[x] {
					made[x] = d[off]
				}
				off += g.Len(x)
			}
			off = 0
			for _, x := range s.In {
				add(x, d[off:off+g.Len(x)])
				off += g.Len(x)
			}
		}
		for x, v := range next {
			same = same && slices.Equal(v, adjoint[x])
		}
		if adjoint = next; same {
			break
		}
	}
	for _, v := range made {
		lp += v
	}
	if len(made) != 1 {
		return 0, nil, fmt.Errorf("%d results", len(made))
	}
	return lp, adjoint[g.Input()], nil
}

// HasRows reports whether batches of a size have a program of their own.
func HasRows(e infer.Evaluator, size int) bool {
	own := e.(*evaluator)
	if _, err := own.Terms(); err != nil {
		return false
	}
	return own.batches.rows(own.model, size) != nil
}

// PlainParts are log prior and log likelihood by the reference interpreter.
func (m *Model) PlainParts(q []float64) (prior, likelihood float64, err error) {
	return densityRecorder{m}.plainParts(q, 1, nil)
}

// DumpParts lists the program of both parts and the gradient.
func (m *Model) DumpParts(q []float64) (string, error) {
	p, err := densityRecorder{m}.recordTempered(append(append([]float64{}, q...), 1))
	if err != nil {
		return "", err
	}
	return p.Dump(), nil
}

// CountRecordings counts from now on how often statements are recorded to look for full conditionals and factors.
func (m *Model) CountRecordings() *int {
	n, host := new(int), m.conjugacy()
	run := host.RunModel
	host.RunModel = func(em *eval.Machine, rec *trace.Recorder) error {
		*n++
		return run(em, rec)
	}
	return n
}

// PlainJoint is the joint density where the discrete parameters have the values z, with its gradient: the reference
// interpreter's, to which they are numbers as others are.
func (m *Model) PlainJoint(q []float64, z []int, grad []float64) (float64, error) {
	p, l, err := densityRecorder{m}.plainJoint(q, z, 1, grad)
	return p + l, err
}
