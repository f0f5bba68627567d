// Functions of functions: how a call becomes a solver's problem.

package solver

import (
	"fmt"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A Host is the model whose functions solvers call.
type Host struct {
	Machine     func(prog *ir.Program) *eval.Machine // one that knows the data
	NewRecorder func(dim int) *trace.Recorder
	Divide      bool // among idle cores, also where it costs some of their time
	Limiter     *CPULimiter
	Deputies    *Deputies
	Loosest     *Loosest     // takes the tolerances of differential equations; nil drops them
	Stop        func() error // returns an error where nobody waits for a result any more; nil: never
}

// Solve runs the library's functions of functions for the evaluator.
func (m *Host) Solve(em *eval.Machine, call *eval.HigherCall) (*eval.Value, error) {
	args := call.Args
	switch call.Fn.Higher {
	case stdlib.SolveODE:
		return m.solveODE(em, call, defaultTolerances(odeMethod(call.Fn.Name)), args[4:])
	case stdlib.SolveODETol:
		return m.solveODE(em, call, given(args[4:]), args[7:])
	case stdlib.SolveOldODE:
		tol := defaultTolerances(odeMethod(call.Fn.Name))
		if len(args) > 7 {
			tol = given(args[7:])
		}
		return m.solveODE(em, call, tol, args[4:7])
	case stdlib.SolveAdjoint:
		return m.solveAdjoint(em, call)
	case stdlib.SolveDAE:
		return m.solveDAE(em, call, multistep, args[5:])
	case stdlib.SolveDAETol:
		return m.solveDAE(em, call, given(args[5:]), args[8:])
	case stdlib.SolveRoot, stdlib.SolveRootTol, stdlib.SolveOldRoot:
		return m.solveRoot(em, call)
	case stdlib.SolveIntegral, stdlib.SolveQuadrature, stdlib.SolveQuadratureTol:
		return m.solveIntegral(em, call)
	case stdlib.SolveLaplace, stdlib.DrawLaplace, stdlib.LatentLaplace, stdlib.SolveLaplaceCounts, stdlib.DrawLaplaceCounts:
		return m.solveLaplace(em, call)
	case stdlib.SolveReduceSum:
		return m.reduceSum(em, call)
	case stdlib.SolveMapRect:
		return m.mapRect(em, call)
	}
	return nil, fmt.Errorf("%s cannot be run", call.Fn.Name)
}
