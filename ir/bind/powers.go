// The log density statement by statement, each raised to a power of its own.

package bind

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// A Statement is what adds to the log density: a statement of the prior, or all those of
// the likelihood together. Of a model with discrete parameters, the whole prior is one.
type Statement struct {
	At         source.Span // not set for the likelihood
	Likelihood bool
	Parameters []string // that it depends on, by name, in the order of declaration
}

// Statements are the summands of a model's log density, besides the log Jacobian.
type Statements struct {
	List   []Statement
	model  *Model
	values *trace.Traced // the summands as a function of q
	powers *trace.Traced // the summands, and value and gradient of the powered density, as functions of (q, powers)
}

// NewStatements finds the statements of the log density at a point where there is one. The
// likelihood comes last. The error says why prior and likelihood cannot be told apart.
func (m *Model) NewStatements(q []float64) (*Statements, error) {
	if e := m.roles.Err(); e != nil {
		return nil, &eval.Error{Span: e.At, Text: e.Text(), Help: e.Help()}
	}
	s := &Statements{model: m}
	r, err := densityRecorder{m}.recordStatements(q)
	if err != nil {
		return nil, err
	}
	s.List = r.list
	depends := r.rec.Graph.Dependence()
	for i := range s.List {
		s.List[i].Parameters = m.parametersOf(depends.Of(r.nodes[i], 0))
	}
	s.values = &trace.Traced{Record: func(q []float64) (*autodiff.Program, error) {
		r, err := s.record(q)
		if err != nil {
			return nil, err
		}
		return autodiff.Compile(r.rec.Graph, []autodiff.Node{r.gathered()}, r.rec.Effects), nil
	}}
	s.powers = &trace.Traced{Record: func(q []float64) (*autodiff.Program, error) {
		r, err := s.record(q)
		if err != nil {
			return nil, err
		}
		g := r.rec.Graph
		powers := g.View(g.Input(), m.dim, len(r.nodes))
		whole := g.Map(autodiff.Add, 1, r.rest, g.Dot(powers, r.gathered()))
		return autodiff.Compile(g, []autodiff.Node{whole, autodiff.Gradient(g, whole)}, r.rec.Effects), nil
	}}
	return s, nil
}

// record records the statements at a point, which must be those that are known.
func (s *Statements) record(q []float64) (*statementRecording, error) {
	r, err := densityRecorder{s.model}.recordStatements(q)
	if err != nil {
		return nil, err
	}
	if !slices.EqualFunc(r.list, s.List, func(a, b Statement) bool { return a.At == b.At && a.Likelihood == b.Likelihood }) {
		return nil, fmt.Errorf("which statements add to the log density depends on parameters")
	}
	return r, nil
}

// A statementRecording has a node for each statement.
type statementRecording struct {
	rec   *trace.Recorder
	list  []Statement
	nodes []autodiff.Node
	rest  autodiff.Node // the log Jacobian
}

func (r *statementRecording) gathered() autodiff.Node {
	return r.rec.Graph.Gather(scalarRefs(r.nodes))
}

// recordStatements records the model at the point that in begins with.
func (m densityRecorder) recordStatements(in []float64) (*statementRecording, error) {
	rec := m.newRecorder(len(in))
	em := m.recordingOf(m.marked, rec)
	em.Jacobian = true
	if err := m.setParameters(em, trace.Point(in[:m.dim], rec.Graph.View(rec.Graph.Input(), 0, m.dim))); err != nil {
		return nil, err
	}
	if err := m.transformParameters(em, rec); err != nil {
		return nil, err
	}
	jacobian := len(em.Factors())
	if err := runModel(m.Model, em, rec); err != nil {
		return nil, err
	}
	r := &statementRecording{rec: rec}
	r.rest = rec.Total(em.Factors()[:jacobian], trace.All)
	if len(m.discrete) > 0 {
		return r, r.summedOut(em)
	}
	terms := em.Factors()[jacobian:]
	at := map[source.Span]bool{}
	for _, t := range terms {
		if t.Likelihood || at[t.At] {
			continue
		}
		at[t.At] = true
		r.add(Statement{At: t.At}, rec.Total(terms, func(o eval.Term) bool { return !o.Likelihood && o.At == t.At }))
	}
	r.add(Statement{Likelihood: true}, rec.Total(terms, trace.Likelihood))
	return r, nil
}

// summedOut divides the density of a model with discrete parameters.
func (r *statementRecording) summedOut(em *eval.Machine) error {
	p, l, err := r.rec.Parts(em)
	if err != nil {
		return err
	}
	g := r.rec.Graph
	r.add(Statement{}, g.Map(autodiff.Sub, 1, p, r.rest))
	r.add(Statement{Likelihood: true}, l)
	return nil
}

func (r *statementRecording) add(s Statement, node autodiff.Node) {
	r.list, r.nodes = append(r.list, s), append(r.nodes, node)
}

// parametersOf names the parameters that coordinates belong to.
func (m *Model) parametersOf(coords []int32) (out []string) {
	first := 0
	for i := range m.params {
		n := m.params[i].Free
		if slices.ContainsFunc(coords, func(c int32) bool { return int(c) >= first && int(c) < first+n }) {
			out = append(out, m.params[i].Var.Name)
		}
		first += n
	}
	return out
}

// A StatementsEvaluator evaluates statements in one goroutine.
type StatementsEvaluator struct{ run *trace.Runner }

// NewEvaluator returns an evaluator for one goroutine.
func (s *Statements) NewEvaluator() *StatementsEvaluator {
	return &StatementsEvaluator{s.values.Runner()}
}

// Log fills out, of len(List), with what each statement adds to the log density at q, without the log Jacobian
// of the transforms. The errors are those of a density.
func (e *StatementsEvaluator) Log(q, out []float64) error {
	m, err := e.run.Run(q)
	if err != nil {
		return err
	}
	copy(out, m.Root(0))
	return nil
}

// Powered is the model with the density of each statement raised to a power,
// one for each of List. Its discrete parameters stay summed out.
func (s *Statements) Powered(powers []float64) infer.Model {
	return &poweredModel{s, slices.Clone(powers)}
}

// A poweredModel implements infer.Model, and nothing that holds for the powers 1 alone.
type poweredModel struct {
	statements *Statements
	powers     []float64
}

// Dim implements infer.Model.
func (m *poweredModel) Dim() int { return m.statements.model.Dim() }

// Columns implements infer.Model.
func (m *poweredModel) Columns() []string { return m.statements.model.Columns() }

// UnconstrainedNames implements infer.Named.
func (m *poweredModel) UnconstrainedNames() []string { return m.statements.model.UnconstrainedNames() }

// NewEvaluator implements infer.Model.
func (m *poweredModel) NewEvaluator() infer.Evaluator {
	return &poweredEvaluator{
		rows: m.statements.model.newEvaluator(mode{jacobian: true}), run: m.statements.powers.Runner(),
		point: append(make([]float64, m.Dim()), m.powers...),
	}
}

// A poweredEvaluator implements infer.Evaluator.
type poweredEvaluator struct {
	rows  *evaluator
	run   *trace.Runner
	point []float64 // q and the powers
}

// Dim implements infer.Target.
func (e *poweredEvaluator) Dim() int { return e.rows.Dim() }

// LogDensity implements infer.Target.
func (e *poweredEvaluator) LogDensity(q []float64) (float64, error) { return e.LogDensityGrad(q, nil) }

// LogDensityGrad implements infer.Target.
func (e *poweredEvaluator) LogDensityGrad(q, grad []float64) (float64, error) {
	copy(e.point, q)
	m, err := e.run.Run(e.point)
	if err != nil {
		return math.NaN(), err
	}
	copy(grad, m.Root(1))
	return m.Root(0)[0], nil
}

// Write implements infer.Evaluator.
func (e *poweredEvaluator) Write(q []float64, r *rand.Rand, out []float64) error {
	return e.rows.Write(q, r, out)
}
