// Initial value problems whose derivatives come from the adjoint equation.

package solver

import (
	"fmt"
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/stdlib/solve"
)

// An adjointProblem is one call of ode_adjoint_tol_ctl. Its inputs and output are those
// of an odeProblem.
type adjointProblem struct {
	*odeProblem
	back solve.Backward
}

// solveAdjoint sets an initial value problem up and solves it. The controls after the
// times are three pairs of tolerances, the step limit, the steps between checkpoints and
// the kind of interpolation (which are checked, but this solver keeps every step), and
// the methods forward and backward.
func (m *Host) solveAdjoint(em *eval.Machine, call *eval.HigherCall) (*eval.Value, error) {
	ode, err := m.newODEProblem(em, call, call.Args[15:])
	if err != nil {
		return nil, err
	}
	p := &adjointProblem{odeProblem: ode}
	if err := p.control(call.Args[4:15]); err != nil {
		return nil, fmt.Errorf("%s: %w", call.Fn.Name, err)
	}
	for _, x := range call.Args[4:10] {
		m.Loosest.take(x.X...)
	}
	return p.finish(em, call, p)
}

// control reads the controls.
func (p *adjointProblem) control(c []*eval.Value) error {
	number := func(i int) float64 { return c[i].X[0] }
	for i, what := range []string{"relative tolerance of the forward solution", "", "relative tolerance of the backward solution", "",
		"relative tolerance of the quadrature", "absolute tolerance of the quadrature"} {
		if what != "" {
			if err := checkTolerance(what, number(i)); err != nil {
				return err
			}
			continue
		}
		if len(c[i].X) != p.states {
			return fmt.Errorf("there are %d states, but %d absolute tolerances", p.states, len(c[i].X))
		}
		for _, x := range c[i].X {
			if err := checkTolerance("absolute tolerance", x); err != nil {
				return err
			}
		}
	}
	for i, what := range map[int]string{6: "max_num_steps", 7: "num_steps_between_checkpoints"} {
		if number(i) <= 0 {
			return fmt.Errorf("%s is %g, but must be positive", what, number(i))
		}
	}
	for i, what := range map[int]string{8: "interpolation_polynomial", 9: "solver_forward", 10: "solver_backward"} {
		if number(i) != 1 && number(i) != 2 {
			return fmt.Errorf("%s is %g, but must be 1 or 2", what, number(i))
		}
	}
	methods := map[float64]solve.Method{1: solve.Adams, 2: solve.BDF}
	steps := int(number(6))
	p.method = methods[number(9)]
	p.tol = solve.Tolerance{Rel: number(0), Abs: c[1].X, MaxSteps: steps}
	p.back = solve.Backward{
		Method:     methods[number(10)],
		Adjoint:    solve.Tolerance{Rel: number(2), Abs: c[3].X, MaxSteps: steps},
		Quadrature: solve.Tolerance{Rel: number(4), Abs: c[5].X, MaxSteps: steps},
	}
	return nil
}

// Fused reports that there is no fused form.
func (p *adjointProblem) Fused([]bool) (autodiff.Opaque, bool) { return nil, false }

// Instance makes the working memory of one machine. The forward solution has no sensitivities.
func (p *adjointProblem) Instance() autodiff.Instance {
	states := *p.odeProblem
	states.varies = make([]bool, len(p.varies))
	s := &adjointSolver{odeSolver: states.Instance().(*odeSolver), problem: p}
	s.size.Params = p.params()
	s.whole = solve.NewAdjointIntegrator(p.method, s.odeSolver, s.size, p.tol, p.back)
	s.gradient = make([]float64, p.states+p.params())
	return s
}

// An adjointSolver is the state of an adjointProblem in one machine: an odeSolver, which
// takes part as the system and for the solution itself, and the adjoint's.
type adjointSolver struct {
	*odeSolver
	problem  *adjointProblem
	whole    *solve.AdjointIntegrator
	gradient []float64 // with respect to the initial state, then the arguments
}

// VJP solves forward again, keeping the solution, and then the adjoint equation
// backward.
func (s *adjointSolver) VJP(in [][]float64, out, adj []float64, din [][]float64) {
	if err := s.pullBack(in, out, adj, din); err != nil {
		for _, d := range din {
			for i := range d {
				d[i] = math.NaN()
			}
		}
	}
}

func (s *adjointSolver) pullBack(in [][]float64, out, adj []float64, din [][]float64) error {
	y0, t0, ts := in[0], in[1][0], in[2]
	n := s.states
	s.run.load(in[3:])
	if err := s.whole.Integrate(t0, y0, ts, discard{}); err != nil {
		return err
	}
	dy, dp := s.gradient[:n], s.gradient[n:]
	if err := s.whole.Gradient(t0, ts, adj, dy, dp); err != nil {
		return err
	}
	if din[0] != nil {
		for i, v := range dy {
			din[0][i] += v
		}
	}
	if din[1] != nil { // starting later moves the initial state back along the flow
		if err := s.Rate(t0, y0, s.rate); err != nil {
			return err
		}
		for i, v := range dy {
			din[1][0] -= float64(v * s.rate[i])
		}
	}
	for k := range din[2] {
		if err := s.Rate(ts[k], out[k*n:(k+1)*n], s.rate); err != nil {
			return err
		}
		for i, v := range adj[k*n : (k+1)*n] {
			din[2][k] += float64(v * s.rate[i])
		}
	}
	for j, x := range in[3:] {
		for i := range din[3+j] {
			din[3+j][i] += dp[i]
		}
		dp = dp[len(x):]
	}
	return nil
}

// discard is a Sink for a solution that is known already.
type discard struct{}

// At does nothing.
func (discard) At(int, []float64) error { return nil }
