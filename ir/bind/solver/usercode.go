// User-defined functions as programs that solvers call.

package solver

import (
	"fmt"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
	"github.com/seed-12b88e03/ppl/stdlib/solve"
)

// codeTraces is how many recordings of a function are kept: one that looks up the time
// in a table has one for each interval.
const codeTraces = 1000

// userCode is a user's function as a program of the vector z: the numbers of its
// leading arguments, which a solver chooses, and then the numbers of those other
// arguments that depend on parameters. All else is a constant of the program.
type userCode struct {
	host       *Host
	prog       *ir.Program // that fn belongs to
	at         source.Span
	caller     string // the library function, for messages
	fn         *ir.Function
	lead       []*eval.Value // the types and sizes of the leading arguments
	rest       []*eval.Value
	leaves     []*eval.Value // the parts of rest that depend on parameters
	constants  [][]float64   // the numbers of the other parts of rest
	leadLen    int
	dim        int  // length of z
	outputs    int  // numbers that the function must return; -1 where any count will do
	traceLoops bool // loops with many iterations are kept

	value    *trace.Traced // root 0: the result
	gradient *trace.Traced // root 0: the result, root 1+i: the gradient of its number i
}

// newUserCode prepares a function for a call by the library function of call.
func (m *Host) newUserCode(em *eval.Machine, call *eval.HigherCall, fn *ir.Function, lead, rest []*eval.Value, outputs int) *userCode {
	c := &userCode{host: m, prog: em.Prog, at: call.At, caller: call.Fn.Name, fn: fn, lead: lead, outputs: outputs}
	for _, v := range lead {
		c.leadLen += len(v.X)
	}
	c.dim = c.leadLen
	for _, v := range rest {
		v = c.pinIntegers(em, v)
		c.rest = append(c.rest, v)
		c.collect(v)
	}
	c.value = &trace.Traced{Limit: codeTraces, Record: func(z []float64) (*autodiff.Program, error) { return c.record(z, false) }}
	c.gradient = &trace.Traced{Limit: codeTraces, Record: func(z []float64) (*autodiff.Program, error) { return c.record(z, true) }}
	return c
}

// pinIntegers fixes the integers in an argument: the walk relies on them.
func (c *userCode) pinIntegers(em *eval.Machine, v *eval.Value) *eval.Value {
	if !v.T.HasInts() {
		return v
	}
	w := *v
	w.Fields, w.Elems = nil, nil
	for _, f := range v.Fields {
		w.Fields = append(w.Fields, c.pinIntegers(em, f))
	}
	for _, e := range v.Elems {
		w.Elems = append(w.Elems, c.pinIntegers(em, e))
	}
	if v.Active() {
		em.Rec.Guard(v)
		w.Node, w.Refs = autodiff.None, nil
	}
	return &w
}

// collect finds the parts of a value that depend on parameters.
func (c *userCode) collect(v *eval.Value) {
	if v.Active() {
		c.leaves = append(c.leaves, v)
		c.dim += len(v.X)
	} else {
		c.constants = append(c.constants, v.X)
	}
	for _, f := range v.Fields {
		c.collect(f)
	}
	for _, e := range v.Elems {
		c.collect(e)
	}
}

// Work is about how many operations a solver takes that calls the function many times.
func (c *userCode) Work() int { return 20_000 * c.dim }

// params is how many numbers of z are not chosen by the solver.
func (c *userCode) params() int { return c.dim - c.leadLen }

// activeAmong reports which values depend on parameters.
func activeAmong(args []*eval.Value) []bool {
	out := make([]bool, len(args))
	for i, a := range args {
		out[i] = a.Active()
	}
	return out
}

// arguments makes the function's arguments of z, which is node x of the recorder.
func (c *userCode) arguments(z []float64, x autodiff.Node) []*eval.Value {
	at := 0
	next := func(v *eval.Value) *eval.Value {
		n := len(v.X)
		w := eval.NewValue(v.T, v.Dims, append([]float64(nil), z[at:at+n]...))
		if x != autodiff.None {
			trace.ViewOf(w, x, at)
		}
		at += n
		return w
	}
	var args []*eval.Value
	for _, v := range c.lead {
		args = append(args, next(v))
	}
	for _, v := range c.rest {
		args = append(args, replaceLeaves(v, next))
	}
	return promoted(c.fn, args)
}

// promoted converts integers among the arguments to the type that the function asks for:
// those that came in a tuple were not converted by the call.
func promoted(fn *ir.Function, args []*eval.Value) []*eval.Value {
	out := append([]*eval.Value(nil), args...)
	for i, v := range out {
		if want := fn.Params[i].Type; v.T.Base == types.IntBase && want.Base == types.RealBase {
			w := *v
			w.T = want
			out[i] = &w
		}
	}
	return out
}

// replaceLeaves copies a value with its parts that depend on parameters replaced.
func replaceLeaves(v *eval.Value, next func(*eval.Value) *eval.Value) *eval.Value {
	if v.Active() {
		return next(v)
	}
	if v.Fields == nil && v.Elems == nil {
		return v
	}
	w := *v
	w.Fields, w.Elems = nil, nil
	for _, f := range v.Fields {
		w.Fields = append(w.Fields, replaceLeaves(f, next))
	}
	for _, e := range v.Elems {
		w.Elems = append(w.Elems, replaceLeaves(e, next))
	}
	return &w
}

// apply runs the function with the reference interpreter.
func (c *userCode) apply(rec eval.Recorder, z []float64, x autodiff.Node) (*eval.Value, error) {
	em := c.host.Machine(c.prog)
	em.Rec = rec
	out, err := em.Apply(c.at, c.fn, c.arguments(z, x))
	if err != nil {
		return nil, err
	}
	if c.outputs >= 0 && len(out.X) != c.outputs {
		return nil, &eval.Error{Span: c.at, Text: fmt.Sprintf("%s: %s returned %d numbers, but must return %d", c.caller, c.fn.Name, len(out.X), c.outputs)}
	}
	return out, nil
}

// recorder makes a recorder of the function at z.
func (c *userCode) recorder(z []float64) *trace.Recorder {
	rec := c.host.NewRecorder(len(z))
	if c.traceLoops {
		rec.Point = z
	}
	return rec
}

// A codeGraph is a function as it runs at some z: root 0 is its result, and root 1+i, where
// they are wanted, the gradient of number i of it.
type codeGraph struct {
	graph          *autodiff.Graph
	roots, effects []autodiff.Node
}

// graph records the function as it runs at z. Who calls it does not look at its results, so
// that it fails wherever the reference interpreter rejects.
func (c *userCode) graph(z []float64, gradient bool) (*codeGraph, error) {
	out := &codeGraph{}
	err := trace.Discharged(nil, func(loops bool, _ func(string)) (ok bool, err error) {
		rec := c.recorder(z)
		if !loops {
			rec.Point = nil
		}
		v, err := c.apply(rec, z, rec.Graph.Input())
		if err != nil {
			return false, err
		}
		root := rec.Node(v)
		ok = rec.DischargeObligations(autodiff.RootsUntested, root)
		out.roots = rec.Vectorize(root)
		out.graph, out.effects = rec.Graph, rec.Effects
		if gradient {
			for k := range v.X {
				out.roots = append(out.roots, autodiff.Gradient(rec.Graph, rec.Graph.Elem(out.roots[0], k)))
			}
		}
		return ok, nil
	})
	return out, err
}

// record compiles the function as it runs at z.
func (c *userCode) record(z []float64, gradient bool) (*autodiff.Program, error) {
	g, err := c.graph(z, gradient)
	if err != nil {
		return nil, err
	}
	return autodiff.Compile(g.graph, g.roots, g.effects), nil
}

// A codeRunner runs a userCode in one goroutine, at the point z.
type codeRunner struct {
	code            *userCode
	z               []float64
	value, gradient *trace.Runner
	out             []float64 // of the gradient's machine
	rows            [][]float64
	of              *autodiff.Machine // whose out and rows are
	calls           uint
}

// stopEvery is after how many calls of a function it is looked whether anybody waits for the result: a solver may
// make a thousand million.
const stopEvery = 1 << 10

// stopped counts a call and returns an error where nobody waits any more.
func (r *codeRunner) stopped() error {
	if r.calls++; r.calls%stopEvery != 0 || r.code.host.Stop == nil {
		return nil
	}
	return r.code.host.Stop()
}

func (c *userCode) runner() *codeRunner {
	return &codeRunner{code: c, z: make([]float64, c.dim), value: c.value.Runner(), gradient: c.gradient.Runner()}
}

// load sets the numbers of z that are parameters.
func (r *codeRunner) load(leaves [][]float64) {
	at := r.code.leadLen
	for _, x := range leaves {
		at += copy(r.z[at:], x)
	}
}

// run returns the function's result at z.
func (r *codeRunner) run() ([]float64, error) {
	if err := r.stopped(); err != nil {
		return nil, err
	}
	m, err := r.value.Run(r.z)
	if trace.Undecided(err) {
		out, err := r.code.apply(nil, r.z, autodiff.None)
		if err != nil {
			return nil, err
		}
		return out.X, nil
	}
	if err != nil {
		return nil, err
	}
	return m.Root(0), nil
}

// runGradient returns the function's result at z and the gradient of each of its numbers
// with respect to z.
func (r *codeRunner) runGradient() ([]float64, [][]float64, error) {
	if err := r.stopped(); err != nil {
		return nil, nil, err
	}
	m, err := r.gradient.Run(r.z)
	if trace.Undecided(err) {
		return r.plainGradient()
	}
	if err != nil {
		return nil, nil, err
	}
	if m != r.of {
		r.of, r.out, r.rows = m, m.Root(0), r.rows[:0]
		for i := range r.out {
			r.rows = append(r.rows, m.Root(1+i))
		}
	}
	return r.out, r.rows, nil
}

// plainGradient serves where a comparison is so close that the compiled program rounds
// to its other side.
func (r *codeRunner) plainGradient() ([]float64, [][]float64, error) {
	tape := autodiff.NewTape(len(r.z))
	out, err := r.code.apply(eval.TapeRecorder{Tape: tape}, r.z, 0)
	if err != nil {
		return nil, nil, err
	}
	r.of, r.rows = nil, r.rows[:0]
	for i := range out.X {
		r.rows = append(r.rows, tape.Gradient(out.Ref(i)))
	}
	return out.X, r.rows, nil
}

// realLead stands for a real argument that a solver chooses.
func realLead() *eval.Value { return eval.NewValue(types.Real, nil, make([]float64, 1)) }

// A solverInstance is the state of a solver in one machine.
type solverInstance interface {
	autodiff.Instance
	// solve does what Value does; its errors have no place.
	solve(in [][]float64, out []float64) error
}

// finish computes fn, whose instances are solverInstances, at the arguments and records
// it.
func (c *userCode) finish(em *eval.Machine, call *eval.HigherCall, fn autodiff.Opaque, args []*eval.Value, dims []int) (*eval.Value, error) {
	n := 1
	for _, d := range dims {
		n *= d
	}
	out := eval.NewValue(call.Result, dims, make([]float64, n))
	in := make([][]float64, len(args))
	active := false
	for i, a := range args {
		in[i] = a.X
		active = active || a.Active()
	}
	if err := fn.Instance().(solverInstance).solve(in, out.X); err != nil {
		if e, ok := err.(*solve.Error); ok {
			return nil, &stdlib.DomainError{Func: c.caller, Text: e.Text}
		}
		return nil, err
	}
	if em.Rec != nil && active && n > 0 {
		out.Node = em.Rec.Opaque(fn, args, out)
	}
	return out, nil
}

// place adds to a solver's error the place of the call.
func (c *userCode) place(err error) error {
	if e, ok := err.(*solve.Error); ok {
		return &eval.Error{Span: c.at, Text: c.caller + ": " + e.Text, Reject: true}
	}
	return err
}

// fusedVJP is the reverse rule of a function that has a fused form.
func fusedVJP(fn autodiff.Opaque, in [][]float64, out, adj []float64, din [][]float64) {
	active := make([]bool, len(din))
	size := len(out)
	for i, d := range din {
		active[i] = d != nil
		size += len(out) * len(d)
	}
	fused, _ := fn.Fused(active)
	all := make([]float64, size)
	if fused.Instance().Value(in, all) != nil {
		return // it was solved before, so this cannot fail
	}
	col := all[len(out):]
	for _, d := range din {
		for j := range d {
			for i, a := range adj {
				d[j] += float64(a * col[i])
			}
			col = col[len(out):]
		}
	}
}
