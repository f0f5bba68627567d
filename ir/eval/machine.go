// The machine: variables, frames, and the accumulated log density.

package eval

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/graph"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A Machine runs pieces of one program. Its exported fields may be set before a run.
type Machine struct {
	Prog     *ir.Program
	Lib      *stdlib.Library
	Rec      Recorder     // nil: nothing depends on anything
	Rand     *rand.Rand   // for _rng functions
	Print    func(string) // for print statements; nil drops the text
	Jacobian bool         // whether "jacobian +=" counts
	// Profile is called at the start of a profile block and returns the function to call at its end.
	Profile func(string) func()
	// Watch receives the statements of the program itself before they run; may be nil.
	Watch Watcher
	// Stop is called now and then in loops and recursions; its error ends the run. May be nil.
	Stop func() error
	// Solve runs functions of functions; nil where there are none.
	Solve Solver
	// RowSums are statements whose terms SumRows may divide, which gives nil where it does not. They may be nil.
	RowSums map[ir.Stmt]*ir.RowSum
	SumRows func(m *Machine, call *HigherCall, rows int) (*Value, error)
	// Supplied reports that integers in a container that is the first argument of a density are
	// inputs of the recorded program: nothing may rely on their values.
	Supplied bool
	// Need is called to compute a global variable that has no value yet; nil where none can be computed.
	Need func(*ir.Var) error
	// Defer reports that large recorded calls are computed only where something reads their numbers.
	// Value.Compute computes those of a variable.
	Defer bool
	// Kept reports which global variables keep their values: assignments to them do nothing. May be nil.
	Kept func(*ir.Var) bool
	// Code has closures that Run executes in place of blocks where nothing watches the steps. May be nil.
	Code *Code

	// Roles reports which statements are likelihood; nil for none.
	Roles *graph.Roles

	global     frame
	terms      []Term
	likelihood bool     // the current statement is one
	open       []*Value // results of deferred calls
	depth      int
	iterations int            // of loops, and calls, to ask Stop now and then
	measured   int            // of these when memory was looked at last
	over       error          // the error of Stop, with which all later attempts end, too
	disc       *discreteState // nil where all variables have values
	sim        *Simulation    // nil where densities are evaluated

	tracer *loopTracer // the loop that is being traced; nil for none

	point   [maxOperands]float64 // the arguments of the current scalar function
	refused []ir.Expr            // by plain; see isRefused
	scratch *scratch             // nil until code calls a kernel
	memo    memo
}

// A Watcher receives the statements that a recording is made of.
type Watcher interface {
	// At receives the place of a statement or declaration before it runs, but for those in a traced loop.
	At(at source.Span)
	// Refused receives the place of a loop that is not traced, and that of the statement which prevents it.
	Refused(loop, at source.Span)
}

// Step passes the watcher the place of the next statement.
func (m *Machine) Step(at source.Span) {
	if m.Watch != nil && m.tracer == nil {
		m.Watch.At(at)
	}
}

// A Term is one contribution to the log density.
type Term struct {
	At    source.Span
	Value *Value // a real number; nil for a factor
	Vars  []int  // of a factor: the discrete numbers that it depends on, sorted
	// Likelihood reports that data take part in the term; what is no likelihood is prior.
	Likelihood bool
	Table      []*Value // its value for each joint value of them, the first varying slowest
	ends       []int    // where it is held by ranges, as by Factors: see ranges.go
	// Many is many factors in place of one; nil unless the recorder takes them together.
	Many *Factors
}

// NewMachine makes a machine with no variable set.
func NewMachine(p *ir.Program) *Machine {
	m := &Machine{Prog: p}
	m.global = frame{m: m, vars: make([]slot, p.Slots+1)} // the last is for statements taken apart
	return m
}

// A slot holds a variable's value. The value may be written to in place only while
// it is owned: not handed to anybody else.
type slot struct {
	v     *Value
	owned bool
	alt   *alternatives // nil for what does not depend on discrete parameters
}

// A frame holds the variables of the program or of one call of a function.
type frame struct {
	m     *Machine
	vars  []slot
	value *Value // what return gave

	tracer *loopTracer // the machine's, in the frame whose loop that is
	drop   dropping
}

// Set sets a global variable.
func (m *Machine) Set(v *ir.Var, x *Value) { m.global.vars[v.Slot] = slot{v: x} }

// Get reads a global variable; nil where it was never set.
func (m *Machine) Get(v *ir.Var) *Value {
	s := &m.global.vars[v.Slot]
	s.owned = false
	return s.v
}

// Run executes statements at the top level.
func (m *Machine) Run(body []ir.Stmt) error {
	m.memo.calls = nil
	if code := m.compiled(body); code != nil {
		return guarded(func() { m.global.run(code) })
	}
	return guarded(func() { m.global.stmts(body) })
}

// Eval evaluates an expression at the top level.
func (m *Machine) Eval(x ir.Expr) (v *Value, err error) {
	m.memo.calls = nil
	err = guarded(func() { v = m.global.expr(x) })
	return v, err
}

// Shape evaluates the sizes of a declared variable.
func (m *Machine) Shape(v *ir.Var) (s *Shape, err error) {
	err = guarded(func() { s = m.global.shape(v.Name, v.Decl) })
	return s, err
}

// Terms returns the contributions to the log density since the last Reset.
func (m *Machine) Terms() []Term {
	for i := range m.terms {
		t := &m.terms[i]
		h := t.held()
		t.Table, t.ends = h.whole(), nil
	}
	return m.terms
}

// Factors is Terms for SumOut and Summable: tables may lack entries that equal others.
func (m *Machine) Factors() []Term { return m.terms }

// held is the table of a factor.
func (t *Term) held() held { return held{t.Table, t.ends} }

// KeepLikelihood drops the contributions to the log density from the i-th on that are prior.
func (m *Machine) KeepLikelihood(i int) {
	m.terms = append(m.terms[:i], slices.DeleteFunc(m.terms[i:], func(t Term) bool { return !t.Likelihood })...)
}

// InLikelihood reports whether the current statement is likelihood.
func (m *Machine) InLikelihood() bool { return m.likelihood }

// Reset forgets the accumulated log density.
func (m *Machine) Reset() { m.terms = m.terms[:0] }

// AddTerm adds a real number to the log density.
func (m *Machine) AddTerm(at source.Span, v *Value) {
	v.uses()
	m.terms = append(m.terms, Term{At: at, Value: v, Likelihood: m.likelihood})
}

// Varies reports whether a global variable depends on discrete parameters.
func (m *Machine) Varies(v *ir.Var) bool { return m.global.vars[v.Slot].alt != nil }

// countIteration counts an iteration of a loop, or a call, and gives up where nobody waits for the
// result.
func (m *Machine) countIteration() { m.countWork(1) }

// countWork counts what takes as long as so many iterations.
func (m *Machine) countWork(n int) {
	const often = 256
	before := m.iterations / often
	m.iterations += n
	if m.over == nil && m.Stop != nil && m.iterations/often != before {
		m.over = m.Stop()
	}
	if m.over != nil {
		panic(stop{m.over})
	}
}

// countRecorded is countIteration where each iteration may leave terms and calls in the recording: a loop without end
// fails before it has filled the memory.
func (m *Machine) countRecorded(at source.Span) {
	const seldom = 1 << 13
	m.countIteration()
	if m.iterations-m.measured < seldom {
		return
	}
	m.measured = m.iterations
	if err := stdlib.CheckGrowth(); err != nil {
		failWith(at, fmt.Errorf("after %d iterations and calls of functions: %w", m.iterations, err))
	}
}

// guard returns the numbers of v for use in control flow, as an index or a size. Where they depend on
// the input the recorder makes a guard.
func (m *Machine) guard(v *Value) *Value {
	v.known()
	if v.Active() {
		if m.tracer != nil && m.tracer.requireUniform(v) {
			return v.constant()
		}
		m.Rec.Guard(v)
		if m.sim != nil {
			return v // what is computed from it depends on it still
		}
		return v.constant()
	}
	return v
}

// integer evaluates an integer expression that control flow relies on.
func (f *frame) integer(x ir.Expr) int {
	if c, ok := x.(*ir.Const); ok {
		return int(c.X)
	}
	if n, ok := f.plain(x); ok {
		return int(n)
	}
	return int(f.m.guard(f.expr(x)).X[0])
}

// truth evaluates a condition.
func (f *frame) truth(x ir.Expr) bool {
	if n, ok := f.tryPlain(x); ok {
		return n != 0
	}
	return f.m.guard(f.expr(x)).X[0] != 0
}

// shape computes the sizes of the declaration of name.
func (f *frame) shape(name string, d *ir.Shape) *Shape {
	s := &Shape{Type: d.Type, Decl: d, Dims: make([]int, len(d.Sizes))}
	numbers := 1.0
	for i, x := range d.Sizes {
		n := f.integer(x)
		if n < 0 {
			fail(x.Span(), "a size of %s is %d, but must not be negative", name, n)
		}
		if numbers *= float64(n); numbers > stdlib.MostNumbers {
			fail(x.Span(), "%s would hold %.3g numbers, and a variable can hold at most %d", name, numbers, stdlib.MostNumbers)
		}
		s.Dims[i] = n
	}
	if len(d.Sizes) > 0 {
		if err := stdlib.CheckMemory(numbers); err != nil {
			failWith(d.Sizes[0].Span(), fmt.Errorf("%s: %w", name, err))
		}
	}
	for _, field := range d.Fields {
		s.Fields = append(s.Fields, f.shape(name, field))
	}
	return s
}

// sizes writes sizes as in a message: "3 x 4", "a scalar" for none.
func sizes(dims []int) string {
	if len(dims) == 0 {
		return "one number"
	}
	parts := make([]string, len(dims))
	for i, d := range dims {
		parts[i] = fmt.Sprint(d)
	}
	return strings.Join(parts, " x ")
}

// checkShape fails where a value does not have the sizes of the declaration of x, and what is declared does not grow.
func (m *Machine) checkShape(at source.Span, name string, x *ir.Var, s *Shape, v *Value) {
	if m.grows(x, s.Type, s.Dims, v.Dims) {
		return
	}
	if s.Type.Base == types.TupleBase && s.Type.Dims == 0 {
		for i, field := range s.Fields {
			m.checkShape(at, fmt.Sprintf("%s.%d", name, i+1), x, field, v.Fields[i])
		}
		return
	}
	if !sameDims(s.Dims, v.Dims) {
		fail(at, "%s was declared with size %s and cannot hold a value of size %s", name, sizes(s.Dims), sizes(v.Dims))
	}
	for i, e := range v.Elems { // of an array of tuples
		for k, field := range s.Fields {
			m.checkShape(at, fmt.Sprintf("%s[%d].%d", name, i+1, k+1), x, field, e.Fields[k])
		}
	}
}
