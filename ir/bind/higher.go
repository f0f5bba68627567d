// Functions of functions: how a call becomes a solver's problem.

package bind

import (
	"fmt"
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// solve runs the library's functions of functions for the evaluator.
func (m *Model) solve(em *eval.Machine, call *eval.HigherCall) (*eval.Value, error) {
	args := call.Args
	switch call.Fn.Higher {
	case stdlib.SolveODE:
		return m.solveODE(em, call, odeDefaults, args[4:])
	case stdlib.SolveODETol:
		tol := tolerances{args[4].X[0], args[5].X[0], int(args[6].X[0])}
		return m.solveODE(em, call, tol, args[7:])
	case stdlib.SolveOldODE:
		tol := odeDefaults
		if len(args) > 7 {
			tol = tolerances{args[7].X[0], args[8].X[0], int(args[9].X[0])}
		}
		return m.solveODE(em, call, tol, args[4:7])
	case stdlib.SolveReduceSum:
		return reduceSum(em, call)
	}
	return nil, fmt.Errorf("%s cannot be run yet", call.Fn.Name)
}

// reduceSum applies the function to all of the array in one slice.
func reduceSum(em *eval.Machine, call *eval.HigherCall) (*eval.Value, error) {
	x := call.Args[1]
	n := x.Dims[0]
	if n == 0 {
		return eval.Real(0), nil
	}
	args := append([]*eval.Value{x, eval.Int(1), eval.Int(n)}, call.Args[3:]...)
	return em.Apply(call.At, call.Args[0].Fn, args)
}

// tolerances of an adaptive solver.
type tolerances struct {
	rel, abs float64
	maxSteps int
}

var odeDefaults = tolerances{1e-6, 1e-6, 1000000}

func (t tolerances) check(name string) error {
	switch {
	case !(t.rel > 0) || math.IsInf(t.rel, 0):
		return fmt.Errorf("%s: the relative tolerance is %g, but must be positive and finite", name, t.rel)
	case !(t.abs > 0) || math.IsInf(t.abs, 0):
		return fmt.Errorf("%s: the absolute tolerance is %g, but must be positive and finite", name, t.abs)
	case t.maxSteps <= 0:
		return fmt.Errorf("%s: the number of steps is %d, but must be positive", name, t.maxSteps)
	}
	return nil
}

// solveODE sets an initial value problem up and solves it.
func (m *Model) solveODE(em *eval.Machine, call *eval.HigherCall, tol tolerances, rest []*eval.Value) (*eval.Value, error) {
	name := call.Fn.Name
	y0, t0, ts := call.Args[1], call.Args[2], call.Args[3]
	if err := tol.check(name); err != nil {
		return nil, err
	}
	if err := checkTimes(name, t0.X[0], ts.X); err != nil {
		return nil, err
	}
	p := &odeProblem{name: name, tol: tol, states: len(y0.X), times: len(ts.X)}
	p.rhs = m.rightHandSide(call, y0, rest)
	// The solver's arguments: initial state, initial time, times, then every other
	// active argument, which the right-hand side takes after the state.
	args := []*eval.Value{y0, t0, ts}
	for _, a := range rest {
		if a.Active() {
			args = append(args, a)
			p.params += len(a.X)
		}
	}
	out := eval.NewValue(call.Result, []int{len(ts.X), len(y0.X)}, make([]float64, len(ts.X)*len(y0.X)))
	for _, a := range args {
		out.Observed = out.Observed || a.Observed
	}
	for _, a := range rest {
		out.Observed = out.Observed || a.Observed
	}
	in := make([][]float64, len(args))
	active := false
	for i, a := range args {
		in[i] = a.X
		active = active || a.Active()
	}
	if err := p.Instance().Value(in, out.X); err != nil {
		return nil, err
	}
	if em.Rec != nil && active && len(out.X) > 0 {
		out.Node = em.Rec.Opaque(p, args, out)
	}
	return out, nil
}

func checkTimes(name string, t0 float64, ts []float64) error {
	last := t0
	for i, t := range ts {
		if math.IsNaN(t) || math.IsInf(t, 0) {
			return &stdlib.DomainError{Func: name, Text: fmt.Sprintf("time %d is %g, but must be finite", i+1, t)}
		}
		if !(t >= last) {
			return &stdlib.DomainError{Func: name, Text: fmt.Sprintf("time %d is %g, but times must not decrease (the one before is %g)", i+1, t, last)}
		}
		last = t
	}
	return nil
}

// rightHandSide records the user's function as a program of z = (t, y, active
// arguments); its roots are dy/dt and, one after the other, the gradient of each
// component with respect to z.
func (m *Model) rightHandSide(call *eval.HigherCall, y0 *eval.Value, rest []*eval.Value) *traced {
	states := len(y0.X)
	fn := call.Args[0].Fn
	return &traced{record: func(z []float64) (*autodiff.Program, error) {
		rec := newRecorder(len(z))
		em := m.machine()
		em.Rec = rec
		at := 0
		next := func(t types.Type, dims []int, n int) *eval.Value {
			v := eval.NewValue(t, dims, append([]float64(nil), z[at:at+n]...))
			viewOf(v, rec.g.Input(), at)
			at += n
			return v
		}
		args := []*eval.Value{next(types.Real, nil, 1), next(y0.T, y0.Dims, states)}
		for _, a := range rest {
			if a.Active() {
				args = append(args, next(a.T, a.Dims, len(a.X)))
			} else {
				args = append(args, a)
			}
		}
		dy, err := em.Apply(call.At, fn, args)
		if err != nil {
			return nil, err
		}
		if len(dy.X) != states {
			return nil, &eval.Error{Span: call.At, Text: fmt.Sprintf("%s: %s returned %d derivatives for %d states", call.Fn.Name, fn.Name, len(dy.X), states)}
		}
		roots := []autodiff.Node{rec.node(dy)}
		for k := range states {
			roots = append(roots, rec.g.Gradient(rec.g.Elem(roots[0], k)))
		}
		return rec.g.Compile(roots, rec.effects), nil
	}}
}
