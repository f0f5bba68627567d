// The bound model.

package bind

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind/solver"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/ir/graph"
	"github.com/seed-12b88e03/ppl/ir/pass"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// Options of Bind.
type Options struct {
	Seed  uint64       // of the random numbers in transformed data
	Print func(string) // takes the text of print statements; nil drops it
	// Passes reports which rewritings of the program are left out.
	Passes pass.Options
	// Unobserved reports that the data may lack observations, for a model that is only
	// simulated from.
	Unobserved bool
	// Impute names data variables of which elements may be missing, null, NaN or NA; these become parameters.
	Impute []string
	// Specimens reports that the data may lack all variables but integers that are not
	// observed: specimens stand for them. It serves to look at a model's structure.
	Specimens bool
	// WithoutNative reports that no machine code is to be made: the interpreter computes the
	// same numbers, slower.
	WithoutNative bool
	// Divide makes parts of reduce_sum, map_rect and statements over rows of data programs of their own, which idle cores
	// take over, where that pays with fewer chains than cores: a core may do a fifth more work
	// then. Without it calls are divided that are so large that it costs a core next to nothing.
	Divide bool
	// Without names optimisations that are not to be made: see Optimisations.
	Without []string
	// LeastIterations is the least number of iterations of a loop that is recorded as one; 0 for
	// what pays.
	LeastIterations int
}

// A Model is a program with its data. It implements infer.Model.
type Model struct {
	cancellation *cancellation
	prog         *ir.Program
	fast         *ir.Program // prog after the passes: its log density is the same
	marked       *ir.Program // prog, its statements as they are, with its recurrences marked
	lib          *stdlib.Library
	opts         Options
	known        []binding  // data and transformed data
	beside       []binding  // those of a second data set, whose likelihood is a factor, too; nil for none
	twin         *simulator // of models with these data beside others
	gaps         *gaps      // data with missing elements
	observed     map[*ir.Var]bool
	roles        *graph.Roles                           // of prog's statements
	chooses      bool                                   // branches of fast are done either way
	fastRoles    *graph.Roles                           // of those of fast; nil where they are not known
	rowSums      map[*ir.Program]map[ir.Stmt]*ir.RowSum // that are divided, of prog and fast
	params       []trace.Param
	discrete     []trace.Discrete
	dim          int
	columns      []column
	names        []string

	densities         map[mode]*density
	write             *trace.Traced
	given             *trace.Traced // rows from values of the parameters
	tempered          *trace.Traced
	jointParts        *trace.Traced // those of the joint density
	parts             *trace.Traced // prior and likelihood without gradient
	joint             *trace.Traced
	recoveryLock      sync.Mutex
	recovery          *recovery // of the discrete parameters; made when first needed
	summed            summable
	conjugate         lazyHost // full conditionals, and the density as a sum of products
	subsampling       subsampling
	factors           lazyFactors
	simulator         *simulator
	cpuLimiter        *solver.CPULimiter
	loosest           *solver.Loosest
	deputies          *solver.Deputies   // nil in models of other data
	observationParams *observationParams // of a rebound model; nil where its programs are its own
	plain             bool               // rows are for the reference interpreter
	draws             bool               // rows draw random numbers
	plainRows         *atomic.Bool       // rows that draw have no program
	rowPaths          *rowPaths
	code              func() *eval.Code // for the reference interpreter
	centred           *centred
	solves            bool // differential equations are solved
}

// A binder is a model while its data are read and its parameters laid out.
type binder struct{ *Model }

// A densityRecorder is a model in the work of compiling the log density and its parts.
type densityRecorder struct{ *Model }

// A rowRecorder is a model in the work of compiling or interpreting rows of output.
type rowRecorder struct{ *Model }

// A simulation is a model that draws parameters and data.
type simulation struct{ *Model }

// A binding is a global variable with its value.
type binding struct {
	v *ir.Var
	x *eval.Value
}

// newRecorder makes a recorder of a function of dim numbers.
func (m *Model) newRecorder(dim int) *trace.Recorder { return trace.New(dim, m.opts.recorder()) }

// A mode is a way to evaluate the log density.
type mode struct{ jacobian, propto bool }

// A density is the log density in one mode, by itself and with its gradient; strict is the
// value by a program that fails at every point that is rejected, and the part of it that algebra was applied to.
type density struct{ value, gradient, strict *trace.Traced }

// Bind joins a program with data. Errors are an *eval.Error with a place in the
// program, or an error of package ir/data with a place in the data.
func Bind(prog *ir.Program, lib *stdlib.Library, in *data.Set, opts Options) (*Model, error) {
	return BindContext(context.Background(), prog, lib, in, opts)
}

// BindContext is Bind that gives up when ctx ends, with infer.ErrInterrupted: transformed
// data may take long, or loop for ever.
func BindContext(ctx context.Context, prog *ir.Program, lib *stdlib.Library, in *data.Set, opts Options) (*Model, error) {
	m := newModel(prog, lib, opts)
	defer m.TrackRun(ctx)()
	if err := opts.checkWithout(); err != nil {
		return nil, err
	}
	if err := (binder{m}).checkImpute(); err != nil {
		return nil, err
	}
	if err := (binder{m}).bindData(in); err != nil {
		return nil, err
	}
	if err := (binder{m}).transformData(); err != nil {
		return nil, err
	}
	(binder{m}).complete()
	if err := (binder{m}).layOut(); err != nil {
		return nil, err
	}
	if err := m.rewrite(); err != nil {
		return nil, err
	}
	m.draws, m.plain = impure(prog.TransformedParameters.Body, prog.GeneratedQuantities.Body)
	m.solves = solvesEquations(prog.TransformedParameters.Body, prog.Model, prog.GeneratedQuantities.Body)
	m.prepare()
	return m, binder{m}.eachDrawn()
}

// newModel is a program that knows no data yet.
func newModel(prog *ir.Program, lib *stdlib.Library, opts Options) *Model {
	m := &Model{cancellation: &cancellation{}, prog: prog, lib: lib, opts: opts, gaps: &gaps{}, observed: observedData(prog), roles: graph.NewRoles(prog), simulator: &simulator{}, cpuLimiter: &solver.CPULimiter{}, loosest: &solver.Loosest{}, deputies: &solver.Deputies{}, plainRows: new(atomic.Bool)}
	m.rowPaths, m.code = &rowPaths{model: rowRecorder{m}}, codeOf(prog)
	return m
}

// prepare makes what compiles the model's programs when they are first needed.
func (m *Model) prepare() {
	m.twin = &simulator{}
	if m.beside != nil && m.fastRoles == nil {
		m.fast = m.marked
	}
	m.densities, m.centred = map[mode]*density{}, &centred{}
	for _, md := range []mode{{true, false}, {false, false}, {true, true}, {false, true}} {
		m.densities[md] = binder{m}.newDensity(md)
	}
	m.write = m.piece("write", func(m *Model, q []float64) (*autodiff.Program, error) { return rowRecorder{m}.recordWrite(q) })
	m.given = m.piece("given", func(m *Model, q []float64) (*autodiff.Program, error) { return rowRecorder{m}.recordGiven(q) })
	m.tempered = m.piece("tempered", func(m *Model, q []float64) (*autodiff.Program, error) { return densityRecorder{m}.recordTempered(q) })
	m.parts = m.piece("parts", func(m *Model, q []float64) (*autodiff.Program, error) { return densityRecorder{m}.recordParts(q) })
	m.jointParts = m.piece("joint parts", func(m *Model, q []float64) (*autodiff.Program, error) { return densityRecorder{m}.recordJointParts(q) })
	m.joint = m.piece("joint", func(m *Model, q []float64) (*autodiff.Program, error) { return densityRecorder{m}.recordJoint(q) })
}

// impure reports whether statements draw random numbers, and whether they do what no program
// can: print, or draw or approximate latent variables as functions of functions do.
func impure(bodies ...[]ir.Stmt) (draws, plain bool) {
	inspectAll(func(n any) {
		switch n := n.(type) {
		case *ir.Print:
			plain = plain || n.Kind == ir.PrintOut
		case *ir.Call:
			if fn, ok := n.Fn.(*stdlib.Function); ok {
				higher := fn.Higher != "" && strings.HasSuffix(fn.Name, "_rng")
				draws, plain = draws || higher || fn.Draw != nil, plain || higher || fn.Higher == stdlib.LatentLaplace
			}
		}
	}, bodies...)
	return draws, plain
}

// solvesEquations reports whether statements solve initial value problems.
func solvesEquations(bodies ...[]ir.Stmt) (found bool) {
	inspectAll(func(n any) {
		if c, ok := n.(*ir.Call); ok {
			if fn, ok := c.Fn.(*stdlib.Function); ok {
				switch fn.Higher {
				case stdlib.SolveODE, stdlib.SolveODETol, stdlib.SolveOldODE, stdlib.SolveDAE, stdlib.SolveDAETol:
					found = true
				}
			}
		}
	}, bodies...)
	return found
}

// inspectAll visits statements and expressions, and those of the functions that they call.
func inspectAll(visit func(n any), bodies ...[]ir.Stmt) {
	seen := map[*ir.Function]bool{}
	var enter func(n any) bool
	enter = func(n any) bool {
		visit(n)
		if c, ok := n.(*ir.UserCall); ok && !seen[c.Fn] {
			seen[c.Fn] = true
			ir.Inspect(c.Fn.Body, enter)
		}
		return true
	}
	for _, body := range bodies {
		ir.Inspect(body, enter)
	}
}

// machine makes an evaluator that knows data and transformed data.
func (m *Model) machine() *eval.Machine { return m.machineOf(m.prog) }

// codedMachine is machine with the code of what is computed without recording.
func (m *Model) codedMachine() *eval.Machine {
	em := m.machine()
	em.Code = m.code()
	return em
}

// codeOf compiles a program when its code is first asked for.
func codeOf(prog *ir.Program) func() *eval.Code {
	return sync.OnceValue(func() *eval.Code { return eval.Compile(prog) })
}

// machineOf is the same for the program after the passes.
func (m *Model) machineOf(prog *ir.Program) *eval.Machine {
	em := eval.NewMachine(prog)
	em.Lib = m.lib
	em.Print = m.opts.Print
	host := &solver.Host{Machine: m.machineOf, NewRecorder: m.newRecorder, Divide: m.opts.Divide, Limiter: m.cpuLimiter, Loosest: m.loosest, Deputies: m.deputies, Stop: m.cancellation.stop}
	em.Solve, em.SumRows = host.Solve, host.SumRows
	if em.Roles = m.roles; prog == m.fast && m.fastRoles != nil {
		em.Roles = m.fastRoles
	}
	em.Stop = m.cancellation.stop
	for _, b := range m.known {
		em.Set(b.v, b.x)
	}
	return em
}

// bindData converts the data to the declared types and checks sizes and constraints.
func (m binder) bindData(in *data.Set) error {
	em := m.machine()
	for _, v := range m.prog.Data {
		s, err := em.Shape(v)
		if err != nil {
			return err
		}
		if m.absent(in, v) {
			x := eval.Undefined(s)
			em.Set(v, x)
			m.known = append(m.known, binding{v, x})
			continue
		}
		x, err := m.specimen(em, in, v, s)
		if x == nil && err == nil {
			x, err = m.read(in, v, s)
		}
		if err != nil {
			return err
		}
		em.Set(v, x)
		if err := m.checked(em, v, x); err != nil {
			return dataError(in, err)
		}
		m.known = append(m.known, binding{v, x})
	}
	return nil
}

// dataError reports of a violated constraint that the data are at fault.
func dataError(in *data.Set, err error) error {
	if e, ok := err.(*eval.Error); ok && in != nil && in.File != "" {
		return &eval.Error{Span: e.Span, Text: e.Text + " (in " + in.File + ")"}
	}
	return err
}

// transformData runs the transformed data block.
func (m binder) transformData() error {
	em := m.codedMachine()
	em.Rand = rng.New(m.opts.Seed, "transformed data", 0, 0)
	if err := em.Run(m.prog.TransformedData.Body); err != nil {
		return fatal(err)
	}
	for _, v := range m.prog.TransformedData.Vars {
		x := em.Get(v)
		if err := trace.Validate(em, m.lib, nil, v, v.Name, v.Decl, x); err != nil && !(m.opts.Unobserved && m.observed[v]) {
			return fatal(err)
		}
		m.known = append(m.known, binding{v, x})
	}
	return nil
}

// fatal makes a rejection outside the density an error like any other.
func fatal(err error) error {
	if e, ok := err.(*eval.Error); ok {
		e.Reject = false
	}
	return err
}

// layOut computes the parameters' sizes.
func (m binder) layOut() error {
	em := m.machine()
	for _, v := range m.prog.Parameters {
		s, err := em.Shape(v)
		if err != nil {
			return err
		}
		if v.Type.HasInts() {
			if err := m.addDiscrete(em, v, s); err != nil {
				return err
			}
			if err := m.addColumns(v, s); err != nil {
				return err
			}
			continue
		}
		n, err := trace.FreeSize(m.lib, s)
		if e := (*eval.Error)(nil); errors.As(err, &e) {
			e.Text = v.Name + e.Text // a size that the type does not have
		}
		if err != nil {
			return err
		}
		m.params = append(m.params, trace.Param{Var: v, Shape: s, Free: n})
		m.dim += n
		if err := m.addColumns(v, s); err != nil {
			return err
		}
	}
	return m.outputColumns(em)
}

// LoosestTolerance is the greatest tolerance that solvers of a model's differential equations have been given so far; 0 for none.
func LoosestTolerance(m *Model) float64 { return m.loosest.Value() }

// Dim is the number of unconstrained coordinates.
func (m *Model) Dim() int { return m.dim }

func (m binder) newDensity(md mode) *density {
	piece := func(f densityForm) *trace.Traced {
		record := func(m *Model, q []float64) (*autodiff.Program, error) {
			return densityRecorder{m}.recordDensity(q, md, f)
		}
		if md.propto { // which of the data are constants matters
			return &trace.Traced{Record: func(q []float64) (*autodiff.Program, error) { return record(m.Model, q) }}
		}
		return m.piece(fmt.Sprint("density ", md.jacobian, f), record)
	}
	return &density{value: piece(densityForm{}), gradient: piece(densityForm{gradient: true}), strict: piece(densityForm{strict: true})}
}

// walkDensity runs parameters, transformed parameters and model at q on an
// evaluator, recording or not.
func (m *Model) walkDensity(em *eval.Machine, rec *trace.Recorder, q *eval.Value) error {
	for _, d := range m.discrete {
		em.SetDiscrete(d.Var, d.Shape.Dims, d.Low, d.High)
	}
	return walkContinuous(m, em, rec, q)
}

// walkContinuous is walkDensity where the discrete parameters are set.
func walkContinuous(m *Model, em *eval.Machine, rec *trace.Recorder, q *eval.Value) error {
	if err := m.setContinuous(em, q); err != nil {
		return err
	}
	if err := m.transformParameters(em, rec); err != nil {
		return err
	}
	return runModel(m, em, rec)
}

// setParameters reads the parameters from the unconstrained point.
func (m *Model) setParameters(em *eval.Machine, q *eval.Value) error {
	for _, d := range m.discrete {
		em.SetDiscrete(d.Var, d.Shape.Dims, d.Low, d.High)
	}
	return m.setContinuous(em, q)
}

// setContinuous is setParameters without the discrete ones.
func (m *Model) setContinuous(em *eval.Machine, q *eval.Value) error {
	r := &trace.Reader{Machine: em, Lib: m.lib, Q: q}
	for i := range m.params {
		em.Step(m.params[i].Var.Loc)
		x, err := r.Value(m.params[i].Var, m.params[i].Shape)
		if err != nil {
			return err
		}
		em.Set(m.params[i].Var, x)
	}
	return nil
}

func (m *Model) transformParameters(em *eval.Machine, rec *trace.Recorder) error {
	if err := em.Run(em.Prog.TransformedParameters.Body); err != nil {
		return err
	}
	for _, v := range m.prog.TransformedParameters.Vars {
		if em.Varies(v) {
			continue // checked where the discrete parameters have values
		}
		em.Step(v.Loc)
		if err := trace.Validate(em, m.lib, rec, v, v.Name, v.Decl, em.Get(v)); err != nil {
			return err
		}
	}
	return nil
}

// A densityForm is what a program of the log density does.
type densityForm struct {
	gradient bool
	strict   bool                             // it fails wherever the reference interpreter rejects, and has the sum of the terms that are not exact
	known    func(index, parts int) []float64 // see trace.Recorder
	owners   *owners                          // told which statement makes which nodes; the graph is then left as it was recorded
}

// recordDensity compiles the log density as it is computed at q.
func (m densityRecorder) recordDensity(q []float64, md mode, f densityForm) (*autodiff.Program, error) {
	rec, roots, err := m.densityGraph(q, md, f)
	if err != nil {
		return nil, err
	}
	return autodiff.Compile(rec.Graph, roots, rec.Effects), nil
}

// densityGraph records what recordDensity compiles. Densities without their constants go
// by the statements as they were written.
func (m densityRecorder) densityGraph(q []float64, md mode, f densityForm) (rec *trace.Recorder, roots []autodiff.Node, err error) {
	record := func(prog *ir.Program, print func(string)) error {
		return trace.Discharged(print, func(loops bool, print func(string)) (ok bool, err error) {
			rec, roots, ok, err = m.densityGraphOf(prog, print, q, md, f, loops)
			return ok, err
		})
	}
	if md.propto {
		err = record(m.prog, m.opts.Print)
	} else {
		err = m.fastest(record)
	}
	return rec, roots, err
}

// densityGraphOf also reports whether the checks could be made, which may need that loops are
// unrolled.
func (m densityRecorder) densityGraphOf(prog *ir.Program, print func(string), q []float64, md mode, f densityForm, loops bool) (*trace.Recorder, []autodiff.Node, bool, error) {
	rec := m.newRecorder(m.dim)
	if f.strict {
		rec.Exact = trace.ExactNodes{}
	}
	em := m.recordingOf(prog, rec)
	em.Print = print
	f.owners.watch(em, rec)
	rec.Known = f.known
	em.Jacobian, em.Defer = md.jacobian, !md.propto
	if md.propto {
		em.LeaveOut()
	} else if loops {
		rec.Point = q
	}
	if !f.strict && f.owners == nil {
		em.RowSums = m.rowSums[prog]
	}
	rec.Sliced = !md.propto && len(m.discrete) == 0 && (m.opts.Divide || m.opts.does(trace.OptSlices))
	if err := m.walkDensity(em, rec, trace.Point(q, rec.Graph.Input())); err != nil {
		return nil, nil, false, err
	}
	if !f.strict { // whose programs differ
		solver.NameSums(rec, q, md.jacobian)
	}
	em.Step(source.Span{})
	if err := em.Complete(); err != nil {
		return nil, nil, false, err
	}
	terms, err := trace.SumOut(em)
	if err != nil {
		return nil, nil, false, err
	}
	total := rec.Total(terms, trace.All)
	look := autodiff.RootsTestedForNonFinite
	if f.strict {
		look = autodiff.RootsUntested
	}
	ok := rec.DischargeObligations(look, total)
	if f.owners != nil {
		return rec, []autodiff.Node{total}, ok, nil
	}
	if f.strict {
		return rec, rec.Vectorize(total, rec.Total(terms, rec.Inexact)), ok, nil
	}
	roots := rec.Vectorize(total)
	if f.gradient {
		roots = append(roots, autodiff.Gradient(rec.Graph, roots[0]))
	}
	return rec, roots, ok, nil
}

// PlainDensity evaluates the log density and its gradient with the reference interpreter
// and the tape: the oracle of the compiled programs.
func (m *Model) PlainDensity(q []float64, jacobian bool) (lp float64, grad []float64, err error) {
	return m.plainGradient(q, mode{jacobian: jacobian})
}

func (m *Model) plainGradient(q []float64, md mode) (lp float64, grad []float64, err error) {
	tape := autodiff.NewTape(m.dim)
	em := m.machine()
	em.Rec, em.Jacobian = eval.TapeRecorder{Tape: tape}, md.jacobian
	if md.propto {
		em.LeaveOut()
	}
	if err := m.walkDensity(em, nil, trace.Point(q, 0)); err != nil {
		return math.NaN(), nil, err
	}
	t, err := total(em)
	if err != nil {
		return math.NaN(), nil, err
	}
	return t.X[0], tape.Gradient(t.Ref(0)), nil
}

// plainPoint is the point of an evaluation without derivatives. A machine that solves
// differential equations keeps a tape all the same, from which the solvers learn whose
// sensitivities take part in the control of their errors.
func (m *Model) plainPoint(em *eval.Machine, q []float64) *eval.Value {
	if !m.solves {
		return trace.Point(q, autodiff.None)
	}
	em.Rec = eval.TapeRecorder{Tape: autodiff.NewTape(m.dim)}
	return trace.Point(q, 0)
}

// plainValue evaluates the log density with the reference interpreter.
func (m *Model) plainValue(q []float64, md mode) (float64, error) {
	em := m.machine()
	em.Jacobian = md.jacobian
	if md.propto {
		em.LeaveOut()
	}
	if err := m.walkDensity(em, nil, m.plainPoint(em, q)); err != nil {
		return math.NaN(), err
	}
	t, err := total(em)
	if err != nil {
		return math.NaN(), err
	}
	return t.X[0], nil
}

// total is the log density with the discrete parameters summed out.
func total(em *eval.Machine) (*eval.Value, error) { return totalOf(em, em.Terms()) }

// totalOf is the sum of terms with the discrete parameters summed out.
func totalOf(em *eval.Machine, list []eval.Term) (*eval.Value, error) {
	terms, _, err := em.SumOut(slices.Clone(list))
	if err != nil {
		return nil, err
	}
	em.Reset()
	for _, t := range terms {
		em.AddTerm(t.At, t.Value)
	}
	return em.Total(source.Span{}), nil
}

var _ infer.Model = (*Model)(nil)
