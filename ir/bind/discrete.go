// Discrete parameters: their ranges, and draws of them after the others.

package bind

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/ir/eval"
)

// addDiscrete evaluates the bounds of an integer parameter.
func (m binder) addDiscrete(em *eval.Machine, v *ir.Var, s *eval.Shape) error {
	c := v.Decl.Constraint
	if c == nil || c.Name != "lower_upper" {
		return &eval.Error{Span: v.Loc, Text: fmt.Sprintf("the discrete parameter %s needs a lower and an upper bound", v.Name)}
	}
	n := 1
	for _, d := range s.Dims {
		n *= d
	}
	d := trace.Discrete{Var: v, Shape: s, Low: make([]int, n), High: make([]int, n)}
	for k, into := range [][]int{d.Low, d.High} {
		b, err := em.Eval(c.Args[k])
		if err != nil {
			return err
		}
		for i := range into {
			into[i] = int(b.X[0])
			if len(b.X) > 1 {
				into[i] = int(b.X[i])
			}
		}
	}
	for i := range n {
		if d.Low[i] > d.High[i] {
			return &eval.Error{Span: v.Loc, Text: fmt.Sprintf("%s has no values: its lower bound is %d, its upper bound %d", v.Name, d.Low[i], d.High[i])}
		}
	}
	m.discrete = append(m.discrete, d)
	return nil
}

// A recovery is the program of the elimination's tables, whose roots are these tables,
// and the order to draw in.
type recovery struct {
	program *autodiff.Program
	steps   []eval.Elimination
	low     []int
	count   []int
}

// recordRecovery compiles the tables of the elimination as they are at q.
func (m densityRecorder) recordRecovery(q []float64) (*recovery, error) {
	rec := m.newRecorder(m.dim)
	em := m.machine()
	em.Rec, em.Jacobian = rec, true
	if err := m.walkDensity(em, rec, trace.Point(q, rec.Graph.Input())); err != nil {
		return nil, err
	}
	_, steps, err := em.SumOut(em.Factors())
	if err != nil {
		return nil, err
	}
	r := &recovery{steps: steps}
	r.low, r.count = em.Discrete()
	var roots []autodiff.Node
	for i := range steps {
		refs := make([]autodiff.Ref, len(steps[i].Table))
		for k, v := range steps[i].Table {
			if refs[k] = v.Ref(0); refs[k].Node == autodiff.None {
				refs[k] = autodiff.Ref{Node: rec.Graph.Scalar(v.X[0])}
			}
		}
		roots = append(roots, rec.Graph.Gather(refs))
		steps[i].Table = nil
	}
	r.program = autodiff.Compile(rec.Graph, roots, rec.Effects)
	return r, nil
}

// recoverPlain draws the discrete numbers from tables that the reference interpreter makes at q.
func (e *evaluator) recoverPlain(q []float64, rng *rand.Rand, value []int) error {
	m := e.model
	em := m.machine()
	em.Jacobian = true
	if err := (densityRecorder{m}).walkDensity(em, nil, m.plainPoint(em, q)); err != nil {
		return err
	}
	_, steps, err := em.SumOut(em.Factors())
	if err != nil {
		return err
	}
	r := &recovery{steps: steps}
	r.low, r.count = em.Discrete()
	r.draw(func(s int) (table []float64) {
		for _, v := range steps[s].Table {
			table = append(table, v.X[0])
		}
		return table
	}, rng, value)
	return nil
}

// draw samples the discrete numbers from their joint conditional distribution: in the
// order opposite to that of elimination, each given those drawn before. value gets
// each number's value.
func (r *recovery) draw(tables func(step int) []float64, rng *rand.Rand, value []int) {
	for s := len(r.steps) - 1; s >= 0; s-- {
		step := &r.steps[s]
		table := tables(s)
		at, stride := 0, 1
		for _, id := range step.Vars {
			at *= r.count[id]
			stride *= r.count[id]
			if id == step.ID {
				stride = 1
				continue
			}
			at += value[id] - r.low[id]
		}
		value[step.ID] = r.low[step.ID] + drawLog(rng, table[at:], stride, r.count[step.ID])
	}
}

// drawLog draws an index below n with probabilities proportional to the exponentials
// of table[0], table[stride], ....
func drawLog(rng *rand.Rand, table []float64, stride, n int) int {
	greatest := math.Inf(-1)
	for k := range n {
		greatest = math.Max(greatest, table[k*stride])
	}
	total := 0.0
	for k := range n {
		total += libm.Exp(table[k*stride] - greatest)
	}
	u := rng.Float64() * total
	for k := range n - 1 {
		if u -= libm.Exp(table[k*stride] - greatest); u < 0 {
			return k
		}
	}
	return n - 1
}

// setDrawn sets the discrete parameters to their drawn values.
func (m *Model) setDrawn(em *eval.Machine, value []int) {
	id := 0
	for _, d := range m.discrete {
		x := make([]float64, len(d.Low))
		for i := range x {
			x[i] = float64(value[id])
			id++
		}
		em.Set(d.Var, eval.NewValue(d.Var.Type, d.Shape.Dims, x))
	}
}

// recover draws the discrete parameters given the others.
func (e *evaluator) recover(q []float64, rng *rand.Rand) ([]int, error) {
	m := e.model
	value := make([]int, m.numbers())
	if e.recovery == nil {
		r, err := m.sharedRecovery(q)
		if infer.IsReject(err) {
			return value, e.recoverPlain(q, rng, value)
		}
		if err != nil {
			return nil, err
		}
		e.recovery, e.tables = r, r.program.NewMachine()
	}
	switch err := e.tables.Run(q); {
	case err == nil && !e.recovery.undefined(e.tables):
		e.recovery.draw(e.tables.Root, rng, value)
		return value, nil
	case err == nil, err == autodiff.ErrGuard, infer.IsReject(err): // tables for this point alone
		return value, e.recoverPlain(q, rng, value)
	default:
		return nil, err
	}
}

// undefined reports whether a table has an entry without a value, which other values of discrete parameters need not have.
func (r *recovery) undefined(m *autodiff.Machine) bool {
	for i := range r.steps {
		if slices.ContainsFunc(m.Root(i), math.IsNaN) {
			return true
		}
	}
	return false
}

// numbers counts the discrete numbers.
func (m *Model) numbers() int { return trace.Numbers(m.discrete) }

// sharedRecovery records the tables once for all evaluators.
func (m *Model) sharedRecovery(q []float64) (*recovery, error) {
	m.recoveryLock.Lock()
	defer m.recoveryLock.Unlock()
	if m.recovery == nil {
		r, err := densityRecorder{m}.recordRecovery(q)
		if err != nil {
			return nil, err
		}
		m.recovery = r
	}
	return m.recovery, nil
}
