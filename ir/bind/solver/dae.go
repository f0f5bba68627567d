// Differential-algebraic equations: a call of the solver as an opaque function.

package solver

import (
	"fmt"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/stdlib/solve"
)

// A daeProblem is one call of dae or dae_tol. As an autodiff.Opaque its inputs are the
// initial state, its rates, and the arguments of the residual that depend on
// parameters. Its output has the states at each time, time by time.
type daeProblem struct {
	*userCode
	tol    solve.Tolerance
	states int
	t0     float64
	ts     []float64
	varies []bool // which inputs depend on parameters
	active []bool // of a fused call: which inputs need sensitivities
}

// solveDAE sets a problem up and solves it.
func (m *Host) solveDAE(em *eval.Machine, call *eval.HigherCall, tol tolerances, rest []*eval.Value) (*eval.Value, error) {
	y0, yp0, t0, ts := call.Args[1], call.Args[2], call.Args[3], call.Args[4]
	name := call.Fn.Name
	if err := tol.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(y0.X) == 0 || len(ts.X) == 0 {
		return nil, fmt.Errorf("%s: there must be at least one state and one time", name)
	}
	if len(y0.X) != len(yp0.X) {
		return nil, fmt.Errorf("%s: there are %d states, but %d derivatives", name, len(y0.X), len(yp0.X))
	}
	m.Loosest.take(tol.rel, tol.abs)
	p := &daeProblem{tol: tol.solver(), states: len(y0.X), t0: t0.X[0], ts: ts.X}
	p.userCode = m.newUserCode(em, call, call.Args[0].Fn, []*eval.Value{realLead(), y0, yp0}, rest, p.states)
	args := append([]*eval.Value{y0, yp0}, p.leaves...)
	p.varies = activeAmong(args)
	return p.finish(em, call, p, args, []int{len(p.ts), p.states})
}

// String names the solver for dumps.
func (p *daeProblem) String() string {
	if p.active != nil {
		return p.caller + " with sensitivities"
	}
	return p.caller
}

// Fused returns the solver that returns the solution and its Jacobian together.
func (p *daeProblem) Fused(active []bool) (autodiff.Opaque, bool) {
	f := *p
	f.active = active
	return &f, true
}

// Instance makes the working memory of one machine. As with odeProblem, a solution is the same
// with and without sensitivities.
func (p *daeProblem) Instance() autodiff.Instance {
	s := &daeSolver{daeProblem: p, run: p.runner(), size: solve.Size{States: p.states}, rows: make([][]float64, p.states)}
	active := p.active
	if active == nil {
		active = p.varies
	}
	if active[0] {
		s.size.Free = p.states
	}
	if slices.Contains(active[2:], true) {
		s.size.Params = p.params()
	}
	s.y = make([]float64, s.size.Len())
	s.integrator = solve.NewDAEIntegrator(s, s.size, p.tol)
	return s
}

// A daeSolver is the state of a daeProblem in one machine.
type daeSolver struct {
	*daeProblem
	run        *codeRunner
	integrator *solve.DAEIntegrator
	size       solve.Size
	y          []float64
	rows       [][]float64
	out        []float64 // of the present call
}

func (s *daeSolver) at(t float64, y, yp []float64) {
	z := s.run.z
	z[0] = t
	copy(z[1:], y[:s.states])
	copy(z[1+s.states:], yp[:s.states])
}

// Residual evaluates the user's function.
func (s *daeSolver) Residual(t float64, y, yp, res []float64) error {
	s.at(t, y, yp)
	v, err := s.run.run()
	copy(res, v)
	return err
}

// Gradients evaluates the user's function and its derivatives.
func (s *daeSolver) Gradients(t float64, y, yp, res []float64) ([][]float64, error) {
	s.at(t, y, yp)
	v, rows, err := s.run.runGradient()
	copy(res, v)
	for i, row := range rows {
		s.rows[i] = row[1 : 1+2*s.states+s.size.Params]
	}
	return s.rows, err
}

// Value solves the problem; a fused one gives the Jacobian behind the solution.
func (s *daeSolver) Value(in [][]float64, out []float64) error { return s.place(s.solve(in, out)) }

func (s *daeSolver) solve(in [][]float64, out []float64) error {
	if err := checkProblem(in[0], s.t0, s.ts, s.constants, in[2:]); err != nil {
		return err
	}
	if err := checkFinite("initial derivative", in[1]); err != nil {
		return err
	}
	s.run.load(in[2:])
	s.out = out
	clear(s.y)
	copy(s.y, in[0])
	if s.active != nil {
		clear(out) // the derivatives with respect to the initial rates stay zero
	}
	n, cols := s.states, s.size.Free+s.size.Params
	for i := range s.size.Free {
		s.y[n+i*cols+i] = 1
	}
	return s.integrator.Integrate(s.t0, s.y, in[1], s.ts, s)
}

// At writes the solution at time k and its rows of the Jacobian.
func (s *daeSolver) At(k int, y []float64) error {
	n := s.states
	copy(s.out[k*n:(k+1)*n], y[:n])
	if s.active == nil {
		return nil
	}
	height := n * len(s.ts)
	w := columnWriter{y: y, out: s.out[height:], states: n, cols: s.size.Free + s.size.Params, height: height, row: k * n}
	w.put(0, s.size.Free)
	if s.active[1] {
		w.skip(n)
	}
	w.leaves(s.size.Free, s.userCode, s.active[2:])
	return nil
}

// VJP multiplies with the Jacobian of the fused form; the tape uses it.
func (s *daeSolver) VJP(in [][]float64, out, adj []float64, din [][]float64) {
	fusedVJP(s.daeProblem, in, out, adj, din)
}
