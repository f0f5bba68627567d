// Initial value problems: a call of an ODE solver as an opaque function of the engine.

package solver

import (
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/stdlib/solve"
)

// odeMethods are the integrators of the library's functions, by what their names
// contain.
var odeMethods = map[string]solve.Method{
	"ode_rk45": solve.DormandPrince, "ode_ckrk": solve.CashKarp, "ode_bdf": solve.BDF, "ode_adams": solve.Adams,
	"integrate_ode_rk45": solve.DormandPrince, "integrate_ode": solve.DormandPrince,
	"integrate_ode_bdf": solve.BDF, "integrate_ode_adams": solve.Adams,
}

// tolerances of an adaptive solver.
type tolerances struct {
	rel, abs float64
	maxSteps int
}

// The defaults of the solvers (Stan Functions Reference, Higher-Order Functions; of
// the stiff and Adams solvers as in Stan's mathematics library).
var (
	runge     = tolerances{1e-6, 1e-6, 1000000}
	multistep = tolerances{1e-10, 1e-10, 100000000}
)

func defaultTolerances(method solve.Method) tolerances {
	if method == solve.BDF || method == solve.Adams {
		return multistep
	}
	return runge
}

// given reads the tolerances among the arguments of a call.
func given(args []*eval.Value) tolerances {
	return tolerances{args[0].X[0], args[1].X[0], int(args[2].X[0])}
}

// A Loosest keeps the greatest tolerance that a solver of differential equations was given.
type Loosest struct{ bits atomic.Uint64 }

// Value is that tolerance; 0 where no equation was solved.
func (l *Loosest) Value() float64 {
	if l == nil {
		return 0
	}
	return math.Float64frombits(l.bits.Load())
}

func (l *Loosest) take(tolerances ...float64) {
	if l == nil {
		return
	}
	for old := l.bits.Load(); ; old = l.bits.Load() { // positive numbers are in the order of their bits
		if l.bits.CompareAndSwap(old, max(old, math.Float64bits(slices.Max(tolerances)))) {
			return
		}
	}
}

func (t tolerances) check() error {
	if err := checkTolerance("relative tolerance", t.rel); err != nil {
		return err
	}
	if err := checkTolerance("absolute tolerance", t.abs); err != nil {
		return err
	}
	if t.maxSteps <= 0 {
		return fmt.Errorf("max_num_steps is %d, but must be positive", t.maxSteps)
	}
	return nil
}

func checkTolerance(what string, x float64) error {
	if !(x > 0) || math.IsInf(x, 0) {
		return fmt.Errorf("the %s is %g, but must be positive and finite", what, x)
	}
	return nil
}

func (t tolerances) solver() solve.Tolerance {
	return solve.Tolerance{Rel: t.rel, Abs: []float64{t.abs}, MaxSteps: t.maxSteps}
}

// An odeProblem is one call of a solver. As an autodiff.Opaque its inputs are the
// initial state, the initial time, the times, and the arguments of the right-hand side
// that depend on parameters. Its output has the states at each time, time by time.
type odeProblem struct {
	*userCode
	method solve.Method
	tol    solve.Tolerance
	states int
	times  int
	varies []bool // which inputs depend on parameters
	active []bool // of a fused call: which inputs need sensitivities
	steps  *stepPrograms
}

// solveODE sets an initial value problem up and solves it.
func (m *Host) solveODE(em *eval.Machine, call *eval.HigherCall, tol tolerances, rest []*eval.Value) (*eval.Value, error) {
	if err := tol.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", call.Fn.Name, err)
	}
	p, err := m.newODEProblem(em, call, rest)
	if err != nil {
		return nil, err
	}
	m.Loosest.take(tol.rel, tol.abs)
	p.tol = tol.solver()
	return p.finish(em, call, p)
}

func (m *Host) newODEProblem(em *eval.Machine, call *eval.HigherCall, rest []*eval.Value) (*odeProblem, error) {
	y0, ts := call.Args[1], call.Args[3]
	p := &odeProblem{states: len(y0.X), times: len(ts.X), method: odeMethod(call.Fn.Name)}
	if p.states == 0 || p.times == 0 {
		return nil, fmt.Errorf("%s: there must be at least one state and one time", call.Fn.Name)
	}
	p.userCode = m.newUserCode(em, call, call.Args[0].Fn, []*eval.Value{realLead(), y0}, rest, p.states)
	p.steps = p.newSteps(call.Args[2].X[0], y0.X)
	return p, nil
}

func odeMethod(name string) solve.Method {
	if n := len(name) - len("_tol"); n > 0 && name[n:] == "_tol" {
		name = name[:n]
	}
	return odeMethods[name]
}

// finish computes the solution at the present point and records it as fn.
func (p *odeProblem) finish(em *eval.Machine, call *eval.HigherCall, fn autodiff.Opaque) (*eval.Value, error) {
	args := append([]*eval.Value{call.Args[1], call.Args[2], call.Args[3]}, p.leaves...)
	p.varies = activeAmong(args)
	return p.userCode.finish(em, call, fn, args, []int{p.times, p.states})
}

// String names the solver for dumps.
func (p *odeProblem) String() string {
	if p.active != nil {
		return p.caller + " with sensitivities"
	}
	return p.caller
}

// Fused returns the solver that returns the solution and its Jacobian together.
func (p *odeProblem) Fused(active []bool) (autodiff.Opaque, bool) {
	f := *p
	f.active = active
	return &f, true
}

// Instance makes the working memory of one machine. Sensitivities take part in the control of
// the steps whether or not they are asked for, so that a solution is the same with and without
// them.
func (p *odeProblem) Instance() autodiff.Instance {
	s := &odeSolver{odeProblem: p, run: p.runner()}
	active := p.active
	if active == nil {
		active = p.varies
	}
	size := solve.Size{States: p.states}
	if active[0] {
		size.Free += p.states
	}
	if active[1] {
		size.Free++
	}
	if slices.Contains(active[3:], true) {
		size.Params = p.params()
	}
	s.with = active
	s.size = size
	s.y = make([]float64, size.Len())
	s.rate = make([]float64, p.states)
	s.rows = make([][]float64, p.states)
	if steps := p.steps.get(p, size); steps != nil {
		s.step = &stepRunner{run: steps.Runner(), in: make([]float64, 2+2*size.Len()+p.params())}
	}
	s.integrator = solve.NewIntegrator(p.method, s, size, p.tol)
	return s
}

// An odeSolver is the state of an odeProblem in one machine: the System and the Sink of its
// integrator.
type odeSolver struct {
	*odeProblem
	run        *codeRunner
	step       *stepRunner // nil where steps are taken stage by stage
	integrator solve.Integrator
	size       solve.Size
	with       []bool // which inputs have sensitivities
	y          []float64
	rate       []float64
	rows       [][]float64
	ts, out    []float64 // of the present call
}

// Rate evaluates the right-hand side.
func (s *odeSolver) Rate(t float64, y, dy []float64) error {
	s.run.z[0] = t
	copy(s.run.z[1:1+s.states], y)
	v, err := s.run.run()
	copy(dy, v)
	return err
}

// Gradients evaluates the right-hand side and its derivatives.
func (s *odeSolver) Gradients(t float64, y, dy []float64) ([][]float64, error) {
	s.run.z[0] = t
	copy(s.run.z[1:1+s.states], y)
	v, rows, err := s.run.runGradient()
	copy(dy, v)
	for i, row := range rows {
		s.rows[i] = row[1 : 1+s.states+s.size.Params]
	}
	return s.rows, err
}

// Value solves the problem; a fused one gives the Jacobian behind the solution.
func (s *odeSolver) Value(in [][]float64, out []float64) error { return s.place(s.solve(in, out)) }

func (s *odeSolver) solve(in [][]float64, out []float64) error {
	y0, t0, ts := in[0], in[1][0], in[2]
	if err := checkProblem(y0, t0, ts, s.constants, in[3:]); err != nil {
		return err
	}
	s.run.load(in[3:])
	s.ts, s.out = ts, out
	if err := s.start(t0, y0); err != nil {
		return err
	}
	return s.integrator.Integrate(t0, s.y, ts, s)
}

// start sets the initial state and its sensitivities.
func (s *odeSolver) start(t0 float64, y0 []float64) error {
	clear(s.y)
	copy(s.y, y0)
	if s.active != nil {
		clear(s.out)
	}
	n, cols := s.states, s.size.Free+s.size.Params
	at := 0
	if s.with[0] {
		for i := range n {
			s.y[n+i*cols+i] = 1
		}
		at = n
	}
	if s.with[1] { // starting later moves the initial state back along the flow
		if err := s.Rate(t0, y0, s.rate); err != nil {
			return err
		}
		for i, r := range s.rate {
			s.y[n+i*cols+at] = -r
		}
	}
	return nil
}

// At writes the solution at time k and, in a fused call, its rows of the Jacobian:
// column-major after the values, one column for each active number.
func (s *odeSolver) At(k int, y []float64) error {
	n := s.states
	copy(s.out[k*n:(k+1)*n], y[:n])
	if s.active == nil {
		return nil
	}
	height := n * s.times
	w := columnWriter{y: y, out: s.out[height:], states: n, cols: s.size.Free + s.size.Params, height: height, row: k * n}
	w.put(0, s.size.Free)
	if s.active[2] {
		if err := s.Rate(s.ts[k], y[:n], s.rate); err != nil {
			return err
		}
		copy(w.out[k*height+k*n:], s.rate)
		w.skip(s.times)
	}
	w.leaves(s.size.Free, s.userCode, s.active[3:])
	return nil
}

// A columnWriter spreads the sensitivities of one time over the Jacobian, which is
// column-major.
type columnWriter struct {
	y            []float64 // states, then sensitivities row by row
	out          []float64 // from the next column on
	states, cols int
	height       int // of a column
	row          int // of this time's first state
}

// put writes count columns of sensitivities.
func (w *columnWriter) put(from, count int) {
	for c := from; c < from+count; c++ {
		for i := range w.states {
			w.out[w.row+i] = w.y[w.states+i*w.cols+c]
		}
		w.skip(1)
	}
}

// skip leaves out columns of the Jacobian.
func (w *columnWriter) skip(count int) { w.out = w.out[count*w.height:] }

// leaves writes the columns of those arguments that are active; theirs start at number
// from.
func (w *columnWriter) leaves(from int, c *userCode, active []bool) {
	for j, leaf := range c.leaves {
		if active[j] {
			w.put(from, len(leaf.X))
		}
		from += len(leaf.X)
	}
}

// VJP multiplies with the Jacobian of the fused form; the tape uses it.
func (s *odeSolver) VJP(in [][]float64, out, adj []float64, din [][]float64) {
	fusedVJP(s.odeProblem, in, out, adj, din)
}

// checkProblem rejects initial value problems that make no sense.
func checkProblem(y0 []float64, t0 float64, ts []float64, constants, leaves [][]float64) error {
	if err := checkFinite("initial state", y0); err != nil {
		return err
	}
	for _, list := range [][][]float64{constants, leaves} {
		for _, x := range list {
			if err := checkFinite("argument of the equation", x); err != nil {
				return err
			}
		}
	}
	return checkTimes(t0, ts)
}

func checkFinite(what string, x []float64) error {
	for i, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return domainError("number %d of an %s is %g, but must be finite", i+1, what, v)
		}
	}
	return nil
}

func domainError(format string, args ...any) error {
	return &solve.Error{Text: fmt.Sprintf(format, args...)}
}

// checkTimes asks for t0 before the first time and times that do not decrease.
func checkTimes(t0 float64, ts []float64) error {
	if math.IsNaN(t0) || math.IsInf(t0, 0) {
		return domainError("the initial time is %g, but must be finite", t0)
	}
	for i, t := range ts {
		if math.IsNaN(t) || math.IsInf(t, 0) {
			return domainError("time %d is %g, but must be finite", i+1, t)
		}
		if i == 0 && !(t > t0) {
			return domainError("the initial time is %g, but must be before the first time, %g", t0, t)
		}
		if i > 0 && !(t >= ts[i-1]) {
			return domainError("time %d is %g, but times must not decrease (the one before is %g)", i+1, t, ts[i-1])
		}
	}
	return nil
}
