// Observations drawn given parameters, and simulations in which some parameters are held at given values.

package bind

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/ir/bind/trace"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/ir/graph"
	"github.com/seed-12b88e03/ppl/stdlib"

	"github.com/seed-12b88e03/ppl/autodiff"
)

// SimulateData draws observations given the parameters at q; discrete parameters that
// were summed out are drawn, too. discrete, where it is not nil, holds their values
// instead.
func (m *Model) SimulateData(r *rand.Rand, q []float64, discrete []float64) (*Simulated, error) {
	s, err := simulation{m}.dataAt(r, q, discrete)
	if err != nil {
		return nil, err
	}
	s.Point = append([]float64(nil), q...)
	return s, nil
}

func (m simulation) dataAt(r *rand.Rand, q, discrete []float64) (*Simulated, error) {
	if m.gaps.written != nil {
		return m.whole(r, false, func(w *Model) (*Simulated, error) {
			if discrete != nil {
				discrete = discrete[:w.numbers()]
			}
			return w.SimulateData(r, q[:w.dim], discrete)
		})
	}
	given, err := m.valuesAt(q, discrete)
	if err != nil {
		return nil, err
	}
	return m.dataOf(r, given)
}

// dataOf draws observations given values of parameters.
func (m simulation) dataOf(r *rand.Rand, given map[*ir.Var]*eval.Value) (*Simulated, error) {
	derived := m.reading().DataErr()
	if m.prog.Simulate != nil {
		err := separable(m.prog.Simulate.Body)
		switch {
		case err == nil:
			return m.retried(func() (*Simulated, error) { return m.runBlock(r, given) })
		case derived != nil:
			return nil, wrapped(err)
		}
	}
	if derived != nil {
		return nil, derived
	}
	return m.retried(func() (*Simulated, error) {
		s, _, err := m.runDerived(r, wantAll, given)
		return s, err
	})
}

// valuesAt returns the parameters' values at a point.
func (m simulation) valuesAt(q, discrete []float64) (map[*ir.Var]*eval.Value, error) {
	em := m.machine()
	out := map[*ir.Var]*eval.Value{}
	rd := &trace.Reader{Machine: em, Lib: m.lib, Q: trace.Point(q, autodiff.None)}
	for i := range m.params {
		x, err := rd.Value(m.params[i].Var, m.params[i].Shape)
		if err != nil {
			return nil, err
		}
		em.Set(m.params[i].Var, x)
		out[m.params[i].Var] = x
	}
	if discrete == nil {
		return out, nil
	}
	for _, d := range m.discrete {
		n := len(d.Low)
		out[d.Var] = eval.NewValue(d.Var.Type, d.Shape.Dims, discrete[:n])
		discrete = discrete[n:]
	}
	return out, nil
}

// separable is nil where a simulate block draws observations from parameters, not from
// what it assigned the parameters from: then the parameters can be given to it.
func separable(body []ir.Stmt) error {
	random := map[*ir.Var]bool{} // what random numbers went into, parameters apart
	for range 2 {                // a second time for loops
		ir.Inspect(body, func(n any) bool {
			switch n := n.(type) {
			case *ir.Declare:
				random[n.Var] = random[n.Var] || draws(n.Init, random)
			case *ir.Assign:
				if v := n.To.Var; v.Kind != ir.Parameter {
					random[v] = random[v] || draws(n.X, random)
				}
			}
			return true
		})
	}
	var found error
	feeds := map[*ir.Var]bool{}
	ir.Inspect(body, func(n any) bool {
		if s, ok := n.(*ir.Assign); ok && s.To.Var.Kind == ir.Parameter {
			for v := range reads(func(visit func(any) bool) { ir.InspectExpr(s.X, visit) }) {
				feeds[v] = feeds[v] || random[v] && v.Kind == ir.Local
			}
		}
		return true
	})
	ir.Inspect(body, func(n any) bool {
		s, ok := n.(*ir.Assign)
		if !ok || s.To.Var.Kind == ir.Parameter || found != nil {
			return true
		}
		for v := range reads(func(visit func(any) bool) { ir.InspectExpr(s.X, visit) }) {
			if feeds[v] {
				found = &graph.Problem{At: s.Loc, Data: true, Hint: "write it with the parameter itself",
					Text: fmt.Sprintf("the simulate block computes %s from %s, which a parameter was assigned from, so that it cannot be drawn given parameters", s.To.Var.Name, v.Name)}
			}
		}
		return true
	})
	return found
}

// draws reports whether random numbers go into an expression.
func draws(x ir.Expr, random map[*ir.Var]bool) bool {
	return ir.AnyIn(x, func(n any) bool {
		switch n := n.(type) {
		case *ir.Call:
			fn, ok := n.Fn.(*stdlib.Function)
			return ok && fn.Draw != nil
		case *ir.UserCall:
			return n.Fn.Random
		case *ir.Ref:
			return random[n.Var]
		}
		return false
	})
}

// DrawData implements infer.Simulator.
func (m *Model) DrawData(r *rand.Rand, q []float64) (infer.Dataset, error) {
	return simulation{m}.drawData(r, q, nil)
}

// DrawData implements infer.Simulator.
func (j *joint) DrawData(r *rand.Rand, q []float64) (infer.Dataset, error) {
	return simulation{j.Model}.drawData(r, q[:j.dim], q[j.dim:])
}

func (m simulation) drawData(r *rand.Rand, q, discrete []float64) (infer.Dataset, error) {
	s, err := m.SimulateData(r, q, discrete)
	if not, ok := errors.AsType[*graph.NotGenerative](err); ok {
		err = &infer.MissingError{Method: "a data set given parameters", Needs: "distributions to draw the observations from", Reason: not}
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// DrawRest fills q with a draw from the prior in which the named parameters have the
// values that they have at the point at, and returns observations drawn given it. A
// simulate block, if there is one, draws both, and what it assigns to the named parameters is
// passed over.
func (m *Model) DrawRest(r *rand.Rand, keep []string, at, q []float64) (infer.Dataset, error) {
	if m.gaps.written != nil {
		return nil, &infer.MissingError{Method: "a simulation at fitted hyperparameters", Needs: "complete data"}
	}
	if g := m.reading(); m.prog.Simulate == nil && len(g.Problems) > 0 {
		return nil, &infer.MissingError{Method: "a simulation at fitted hyperparameters", Needs: "a model block to simulate from", Reason: &graph.NotGenerative{Problems: g.Problems}}
	}
	values, err := simulation{m}.valuesAt(at[:m.dim], nil)
	if err != nil {
		return nil, err
	}
	held := map[*ir.Var]*eval.Value{}
	for _, name := range keep {
		i := slices.IndexFunc(m.prog.Parameters, func(v *ir.Var) bool { return v.Name == name })
		if i < 0 || values[m.prog.Parameters[i]] == nil {
			return nil, fmt.Errorf("%s is no continuous parameter that could be held", name)
		}
		held[m.prog.Parameters[i]] = values[m.prog.Parameters[i]]
	}
	s, err := simulation{m}.retried(func() (*Simulated, error) {
		s, err := simulation{m}.runHolding(r, held)
		if err != nil {
			return nil, err
		}
		return s, simulation{m}.finish(s, r)
	})
	if not, ok := errors.AsType[*graph.NotGenerative](err); ok {
		err = &infer.MissingError{Method: "a simulation at fitted hyperparameters", Needs: "a model block to simulate from", Reason: not}
	}
	if err != nil {
		return nil, err
	}
	copy(q, s.Point)
	return s, nil
}

// runHolding simulates with parameters held.
func (m simulation) runHolding(r *rand.Rand, held map[*ir.Var]*eval.Value) (*Simulated, error) {
	if m.prog.Simulate != nil {
		return m.runBlock(r, held)
	}
	s, _, err := m.runDerived(r, wantAll, held)
	return s, err
}

// DrawRest is that of the model, with the discrete parameters behind the continuous ones.
func (j *joint) DrawRest(r *rand.Rand, keep []string, at, q []float64) (infer.Dataset, error) {
	y, err := j.Model.DrawRest(r, keep, at[:j.dim], q)
	if err != nil {
		return nil, err
	}
	simulation{j.Model}.copyDiscrete(q[j.dim:], y.(*Simulated))
	return y, nil
}
