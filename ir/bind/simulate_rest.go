// Simulations in which some parameters are held at given values.

package bind

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/ir/graph"
)

// DrawRest fills q with a draw from the prior in which the named parameters have the
// values that they have at the point at, and returns observations drawn given it. A
// simulate block, if there is one, draws both, and what it assigns to the named parameters is
// passed over.
func (m *Model) DrawRest(r *rand.Rand, keep []string, at, q []float64) (infer.Dataset, error) {
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
	var not *graph.NotGenerative
	if errors.As(err, &not) {
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
