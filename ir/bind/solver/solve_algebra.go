// Systems of algebraic equations: a call of a root finder as an opaque function.

package solver

import (
	"fmt"
	"math"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/stdlib"
	"github.com/seed-12b88e03/ppl/stdlib/solve"
)

// rootControl has the controls of a root finder: the relative size of a step (Newton)
// or of the region of trust (Powell) that ends the search, the norm of the residual
// that is taken for zero, and the limit of steps.
type rootControl struct {
	step, residual float64
	maxSteps       int
}

// The defaults (Stan Functions Reference, Higher-Order Functions; of the old form the
// section of removed functions).
var (
	newtonDefaults    = rootControl{1e-3, 1e-6, 200}
	powellDefaults    = rootControl{1e-10, 1e-6, 200}
	oldPowellDefaults = rootControl{1e-10, 1e-6, 1000}
)

func (c rootControl) check() error {
	for _, t := range []struct {
		what string
		x    float64
	}{{"relative tolerance", c.step}, {"function tolerance", c.residual}} {
		if !(t.x >= 0) || math.IsInf(t.x, 0) {
			return fmt.Errorf("the %s is %g, but must be finite and not negative", t.what, t.x)
		}
	}
	if c.maxSteps <= 0 {
		return fmt.Errorf("max_num_steps is %d, but must be positive", c.maxSteps)
	}
	return nil
}

// A rootProblem is one call. As an autodiff.Opaque its inputs are the initial guess and
// the arguments of the system that depend on parameters; its output is the root.
type rootProblem struct {
	*userCode
	n       int
	newton  bool
	control rootControl
}

// solveRoot sets a system up and solves it.
func (m *Host) solveRoot(em *eval.Machine, call *eval.HigherCall) (*eval.Value, error) {
	args := call.Args
	guess := args[1]
	p := &rootProblem{n: len(guess.X), newton: strings.Contains(call.Fn.Name, "newton")}
	p.control = powellDefaults
	if p.newton {
		p.control = newtonDefaults
	}
	rest := args[2:]
	switch call.Fn.Higher {
	case stdlib.SolveRootTol:
		p.control, rest = rootControlOf(args[2:]), args[5:]
	case stdlib.SolveOldRoot:
		rest = args[2:5]
		if len(args) > 5 {
			p.control = rootControlOf(args[5:])
		} else if !p.newton {
			p.control = oldPowellDefaults
		}
	}
	if err := p.control.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", call.Fn.Name, err)
	}
	if p.n == 0 {
		return nil, fmt.Errorf("%s: there must be at least one unknown", call.Fn.Name)
	}
	p.userCode = m.newUserCode(em, call, args[0].Fn, []*eval.Value{guess}, rest, p.n)
	return p.finish(em, call, p, append([]*eval.Value{guess}, p.leaves...), []int{p.n})
}

func rootControlOf(args []*eval.Value) rootControl {
	return rootControl{args[0].X[0], args[1].X[0], int(args[2].X[0])}
}

// String names the solver for dumps.
func (p *rootProblem) String() string { return p.caller }

// Fused reports that there is no fused form: the reverse rule needs one linear system only.
func (p *rootProblem) Fused([]bool) (autodiff.Opaque, bool) { return nil, false }

// Instance makes the working memory of one machine.
func (p *rootProblem) Instance() autodiff.Instance {
	s := &rootSolver{rootProblem: p, run: p.runner(), adj: make([]float64, p.n)}
	s.finder = solve.NewRootFinder(s, p.n)
	return s
}

// A rootSolver is the state of a rootProblem in one machine.
type rootSolver struct {
	*rootProblem
	run    *codeRunner
	finder *solve.RootFinder
	adj    []float64
}

// Values evaluates the user's function.
func (s *rootSolver) Values(x, f []float64) error {
	copy(s.run.z, x)
	v, err := s.run.run()
	copy(f, v)
	return err
}

// Jacobian evaluates the user's function and its derivatives.
func (s *rootSolver) Jacobian(x, f []float64) ([][]float64, error) {
	copy(s.run.z, x)
	v, rows, err := s.run.runGradient()
	copy(f, v)
	return rows, err
}

// Value finds the root.
func (s *rootSolver) Value(in [][]float64, out []float64) error { return s.place(s.solve(in, out)) }

func (s *rootSolver) solve(in [][]float64, out []float64) error {
	if err := checkFinite("initial guess", in[0]); err != nil {
		return err
	}
	s.run.load(in[1:])
	copy(out, in[0])
	if s.newton {
		return s.finder.Newton(out, s.control.step, s.control.residual, s.control.maxSteps)
	}
	return s.finder.Powell(out, s.control.step, s.control.residual, s.control.maxSteps)
}

// VJP follows the implicit function theorem: with f(x, p) = 0, dx/dp = -(df/dx)^-1 df/dp.
// The guess has no influence.
func (s *rootSolver) VJP(in [][]float64, out, adj []float64, din [][]float64) {
	s.run.load(in[1:])
	copy(s.adj, adj)
	rows, err := s.finder.Transposed(out, s.adj)
	if err != nil { // a root of higher order: the derivative does not exist
		for _, d := range din[1:] {
			for i := range d {
				d[i] = math.NaN()
			}
		}
		return
	}
	at := s.n
	for k, x := range in[1:] {
		if d := din[1+k]; d != nil {
			for i, row := range rows {
				for j := range d {
					d[j] -= float64(s.adj[i] * row[at+j])
				}
			}
		}
		at += len(x)
	}
}
